/* build.cuh: builds the slices of all vertices from a CSR.
 *
 * An edge becomes the key vertex << bits | place of its target. Sorted, the edges of a vertex are one run, and those
 * of a slice are a run in it. A scan numbers the slices; so each edge finds its slice's place among the vertex's, and
 * sets its bit there. Large graphs are sorted in parts of whole vertices; then each part is sorted twice, once to
 * count and once to fill. */
#pragma once

#include "../../device/edge_source.cuh"
#include "order.cuh"

namespace BACKEND::slices
{

#define TILE_EDGES (8 * WARP_SIZE) /* edges whose sources a warp searches together */

/* The edges begin .. end - 1 of the CSR, as keys. */
struct part {
    edge_t begin, end;
    unsigned bits; /* of a place */
    const uint32_t *id_of, *place_of;
    uint32_t sample; /* vertices whose byte's hash is a multiple of this; 1: all vertices */
};

/* The key of an edge of the part. The source of the edge lies between the vertices first and last. Sets *wanted to
 * whether the edge is in the sample. */
template <typename offset_t>
static __device__ __forceinline__ uint64_t key_of(const csr<offset_t> &graph, const struct part &part, edge_t edge,
                                                  uint64_t first, uint64_t last, bool *wanted)
{
    uint32_t vertex = part.id_of[source_between(graph, edge, first, last)];
    *wanted = part.sample == 1 || hash(vertex / SLICE_VERTICES, 5) % part.sample == 0;
    return (uint64_t)vertex << part.bits | part.place_of[graph.targets[edge]];
}

/* Writes the keys of the part's edges. room: of keys. sampled: NULL: key i is that of edge i; otherwise the keys of
 * the sample come in any order, as far as there is room, and their number is added to it. */
template <typename offset_t>
__global__ void make_edge_keys(csr<offset_t> graph, struct part part, uint64_t *keys, uint64_t room,
                               uint32_t *sampled)
{
    const struct team warps = grid_warps();
    const edge_t number = part.end - part.begin;
    for (edge_t tile = (edge_t)warps.rank * TILE_EDGES; tile < number; tile += (edge_t)warps.size * TILE_EDGES) {
        edge_t beyond = min(tile + TILE_EDGES, number);
        uint64_t first = source_of(graph, part.begin + tile), last = source_of(graph, part.begin + beyond - 1);
        for (edge_t i = tile + lane_id(); i - lane_id() < beyond; i += WARP_SIZE) {
            bool has[1] = {false};
            uint64_t key = i < beyond ? key_of(graph, part, part.begin + i, first, last, &has[0]) : 0;
            if (sampled == NULL && has[0])
                keys[i] = key;
            auto put = [&](unsigned, uint32_t place) {
                if (place < room)
                    keys[place] = key;
            };
            if (sampled != NULL)
                warp_append<1>(sampled, has, put);
        }
    }
}

/* Whether sorted key i begins a slice, or a vertex. */
static __device__ __forceinline__ bool begins_slice(const uint64_t *keys, uint64_t i)
{
    return i == 0 || keys[i] / SLICE_VERTICES != keys[i - 1] / SLICE_VERTICES;
}

static __device__ __forceinline__ bool begins_vertex(const uint64_t *keys, uint64_t i, unsigned bits)
{
    return i == 0 || keys[i] >> bits != keys[i - 1] >> bits;
}

__global__ void count_slices(const uint64_t *keys, uint64_t number, uint64_t *count)
{
    uint64_t sum = 0;
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        sum += begins_slice(keys, i);
    sum = warp_sum(sum);
    if (lane_id() == 0 && sum > 0)
        atomicAdd((unsigned long long *)count, (unsigned long long)sum);
}

__global__ void flag_slices(const uint64_t *keys, uint64_t number, uint32_t *flags)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        flags[i] = begins_slice(keys, i);
}

/* The slices of each vertex in a part: first .. first + number - 1; zero at first. before[i]: slices that begin
 * before key i. */
struct extents {
    uint32_t *first, *beyond; /* by vertex */
};

__global__ void measure_vertices(const uint64_t *keys, uint64_t number, unsigned bits, const uint32_t *before,
                                 struct extents extents)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid()) {
        uint32_t vertex = (uint32_t)(keys[i] >> bits);
        if (begins_vertex(keys, i, bits))
            extents.first[vertex] = before[i];
        if (i + 1 == number || begins_vertex(keys, i + 1, bits))
            extents.beyond[vertex] = before[i] + begins_slice(keys, i);
    }
}

/* The groups of each vertex, and its slices with the padding, summed over all vertices. */
__global__ void measure_groups(struct extents extents, uint32_t num_ids, uint64_t *groups, uint64_t *num_slices)
{
    uint64_t sum = 0;
    for (uint64_t vertex = thread_of_grid(); vertex <= num_ids; vertex += threads_of_grid()) {
        uint32_t number = vertex < num_ids ? extents.beyond[vertex] - extents.first[vertex] : 0;
        groups[vertex] = number <= HEAD_SLICES ? 0 : (number - FIRST_SLICES + HEAD_SLICES - 1) / HEAD_SLICES;
        sum += groups[vertex] > 0 ? FIRST_SLICES + HEAD_SLICES * groups[vertex] : number;
    }
    if (sum > 0)
        atomicAdd((unsigned long long *)num_slices, (unsigned long long)sum);
}

/* Completes the heads of vertices with groups. first_group: by vertex, and the number of all groups behind them. */
__global__ void fill_heads(const uint64_t *first_group, uint32_t num_ids, uint32_t *heads)
{
    for (uint64_t vertex = thread_of_grid(); vertex < num_ids; vertex += threads_of_grid()) {
        uint32_t groups = (uint32_t)(first_group[vertex + 1] - first_group[vertex]);
        if (groups == 0)
            continue;
        heads[HEAD_SLICES * vertex + 2] = groups;
        heads[HEAD_SLICES * vertex + 3] = HAS_GROUPS | (uint32_t)first_group[vertex];
    }
}

/* Where the slices of all vertices are. */
struct destination {
    struct extents extents;
    const uint64_t *first_group; /* by vertex, and the number of all groups behind them */
    uint32_t *heads, *groups;    /* slices */
};

/* Sets the bits of a part's edges. */
__global__ void fill_slices(prepared_graph graph, const uint64_t *keys, uint64_t number, unsigned bits,
                            const uint32_t *before, struct destination to)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid()) {
        uint32_t vertex = (uint32_t)(keys[i] >> bits), place = (uint32_t)(keys[i] & ((1ull << bits) - 1));
        uint32_t index = before[i] + begins_slice(keys, i) - 1 - to.extents.first[vertex];
        uint32_t target = vertex_at(place, graph.num_words, graph.spread);
        uint32_t in_head = to.first_group[vertex + 1] > to.first_group[vertex] ? FIRST_SLICES : HEAD_SLICES;
        uint32_t *slice = index < in_head ? &to.heads[HEAD_SLICES * (size_t)vertex + index]
                                          : &to.groups[HEAD_SLICES * to.first_group[vertex] + index - FIRST_SLICES];
        atomicOr(slice, make_slice(target));
    }
}

/* The first edge of the source of an edge. */
template <typename offset_t>
__global__ void find_first_edge(csr<offset_t> graph, edge_t edge, edge_t *first)
{
    *first = graph.offsets[source_of(graph, edge)];
}

} // namespace BACKEND::slices
