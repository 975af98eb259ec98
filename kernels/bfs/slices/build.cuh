/* build.cuh: orders the vertices of a CSR, gives them ids and builds their slices.
 *
 * Order. Vertices are ordered by degree class (a power of two), highest degrees first; isolated vertices are left
 * out. Within a class, vertices keep the order of their input ids. The alternative order takes two classes as one and
 * orders their vertices by two min-hashes of their neighbourhoods (Broder, 1997): vertices with equal hashes have
 * most neighbours in common, so they stand side by side and share slices. In directed graphs, neighbours in both
 * directions count.
 *
 * Ids. Eight consecutive places of the order are the ids of one byte of a bitmap. If ids are spread, consecutive
 * bytes belong to consecutive words: place / 8 = q * num_words + w is byte q of word w. So many blocks share the work
 * of a cluster of vertices, and a word mixes vertices of four degrees. If ids are not spread, the id is the place.
 * Then the window, the beginning of the bitmap, covers the vertices of the highest degrees.
 *
 * Slices. An edge becomes the key vertex << bits | place of its target. After sorting, the edges of a vertex are
 * contiguous, and so are the edges of each of its slices. A scan numbers the slices. So the index of each edge's
 * slice is known, and each edge sets its bit in that slice. Large graphs are sorted in parts of whole vertices. Each
 * part is then sorted twice: to count slices and to fill them. */
#pragma once

#include "../../device/edge_source.cuh"
#include "state.cuh"

namespace BACKEND::slices
{

#define ISOLATED_CLASS 32u /* class of isolated vertices; degrees have the classes 0 to 31 */
#define CLASS_SHIFT    26u /* bit where the class begins in the upper half of a key; the hash is below it */
#define HASHED_CLASSES 2u  /* classes that the order by hashes treats as one */
#define HASH_BITS      28u /* width of a neighbour's hash; the neighbour's class is above it */

HOST_DEVICE uint32_t vertex_at(uint32_t place, uint32_t num_words, bool spread)
{
    uint32_t byte = place / SLICE_VERTICES;
    return spread ? byte % num_words * WARP_SIZE + byte / num_words * SLICE_VERTICES + place % SLICE_VERTICES : place;
}

/* Mixes the bits of a number (the finaliser of MurmurHash3). */
DEVICE uint32_t hash(uint32_t number, uint32_t seed)
{
    uint32_t h = number * 0x9e3779b1u + seed;
    h = (h ^ h >> 15) * 0x85ebca77u;
    h = (h ^ h >> 13) * 0xc2b2ae3du;
    return h ^ h >> 16;
}

/* Returns the out-degree of a vertex, plus its in-degree if the graph is directed. */
template <typename offset_t>
DEVICE uint64_t degree_of(const csr<offset_t> &out, const csr<offset_t> &in, uint64_t input_id)
{
    uint64_t degree = out.offsets[input_id + 1] - out.offsets[input_id];
    if (in.offsets != out.offsets)
        degree += in.offsets[input_id + 1] - in.offsets[input_id];
    return degree;
}

/* Returns the class of a degree: its number of leading zeros, 0 to 31, so high degrees come first. */
DEVICE uint32_t class_of(uint64_t degree)
{
    return (uint32_t)__clz((int)min(degree, (uint64_t)UINT32_MAX));
}

/* The two least hashes of a vertex's neighbours. The upper bits of a hash are the neighbour's class, so the
 * neighbours of the highest degree decide. Vertices that share such neighbours have the most neighbours in common. */
struct min_hashes {
    uint32_t first, second;
};

#define MOST_HASHED (1u << 14) /* of a vertex with more neighbours, only so many are hashed: one warp handles it */

/* Updates the lane's two least hashes with every 32nd neighbour of the vertex. All lanes of the warp call it. */
template <typename offset_t>
DEVICE void take_hashes(const csr<offset_t> &graph, const csr<offset_t> &out, const csr<offset_t> &in,
                        uint64_t input_id, struct min_hashes *least)
{
    const uint32_t seeds[2] = {1, 77};
    const offset_t begin = graph.offsets[input_id], end = graph.offsets[input_id + 1];
    for (offset_t i = begin + lane_id(); i < min(end, begin + MOST_HASHED); i += WARP_SIZE) {
        vertex_t neighbour = graph.targets[i];
        uint32_t upper = class_of(degree_of(out, in, neighbour)) / HASHED_CLASSES << HASH_BITS;
        least->first = min(least->first, upper | hash(neighbour, seeds[0]) >> (WARP_SIZE - HASH_BITS));
        least->second = min(least->second, upper | hash(neighbour, seeds[1]) >> (WARP_SIZE - HASH_BITS));
    }
}

/* Makes the sort keys of all vertices. classes[v]: class << CLASS_SHIFT, plus the first hash if `hashed`. keys[v]:
 * the second hash (or zero) << 32 | v. Adds the number of vertices that are not isolated to *num_ids. in: the
 * transpose; equal to out if the graph is symmetric. */
template <typename offset_t>
__global__ void make_order_keys(csr<offset_t> out, csr<offset_t> in, bool hashed, uint32_t *classes, uint64_t *keys,
                                uint32_t *num_ids)
{
    const struct team warps = grid_warps();
    uint32_t number = 0;
    for (uint64_t input_id = warps.rank; input_id < out.num_vertices; input_id += warps.size) {
        const uint64_t degree = degree_of(out, in, input_id);
        const uint32_t fine = class_of(degree);
        struct min_hashes least = {UINT32_MAX, UINT32_MAX};
        if (hashed) {
            take_hashes(out, out, in, input_id, &least);
            if (in.offsets != out.offsets)
                take_hashes(in, out, in, input_id, &least);
            least.first = __reduce_min_sync(WHOLE_WARP, least.first);
            least.second = __reduce_min_sync(WHOLE_WARP, least.second);
        }
        if (lane_id() == 0) {
            classes[input_id] = (degree == 0 ? ISOLATED_CLASS
                                 : hashed    ? fine / HASHED_CLASSES
                                             : fine)
                                    << CLASS_SHIFT |
                                (hashed ? least.first >> (WARP_SIZE - CLASS_SHIFT) : 0);
            keys[input_id] = (uint64_t)(hashed ? least.second : 0) << 32 | input_id;
        }
        number += degree > 0;
    }
    if (lane_id() == 0 && number > 0)
        atomicAdd(num_ids, number);
}

/* Turns keys that are sorted by the second hash into keys for the sort by class and first hash: class << 32 | place
 * of the old key. Fills input_ids with the input id of the vertex at each place. */
__global__ void rank_keys(vertex_t num_vertices, const uint32_t *classes, uint64_t *keys, vertex_t *input_ids)
{
    for (uint64_t i = thread_of_grid(); i < num_vertices; i += threads_of_grid()) {
        vertex_t input_id = (vertex_t)keys[i];
        input_ids[i] = input_id;
        keys[i] = (uint64_t)classes[input_id] << 32 | i;
    }
}

/* Gives an id to every vertex that is not isolated. keys: sorted. place_of: by input id; NO_VERTEX if isolated. */
__global__ void number_vertices(prepared_graph graph, const uint64_t *keys, const vertex_t *input_ids,
                                vertex_t *input_of, uint32_t *id_of, uint32_t *place_of)
{
    for (uint64_t i = thread_of_grid(); i < graph.num_vertices; i += threads_of_grid()) {
        vertex_t input_id = input_ids[(uint32_t)keys[i]];
        uint32_t vertex = i < graph.num_ids ? vertex_at((uint32_t)i, graph.num_words, graph.spread) : NO_VERTEX;
        id_of[input_id] = vertex;
        place_of[input_id] = vertex == NO_VERTEX ? NO_VERTEX : (uint32_t)i;
        if (vertex != NO_VERTEX)
            input_of[vertex] = input_id;
    }
}

/* Sets the bits of `absent` for ids without a vertex, whose input_of is NO_VERTEX. Each warp makes one word. */
__global__ void map_absent(const vertex_t *input_of, uint32_t num_words, uint32_t *absent)
{
    for (uint64_t vertex = thread_of_grid(); vertex - lane_id() < (uint64_t)num_words * WARP_SIZE;
         vertex += threads_of_grid()) {
        uint32_t word = __ballot_sync(WHOLE_WARP, input_of[vertex] == NO_VERTEX);
        if (lane_id() == 0)
            absent[vertex / WARP_SIZE] = word;
    }
}

/* ---- building slices ---- */

#define TILE_EDGES (8 * WARP_SIZE) /* number of edges whose sources a warp finds together */

/* A part of the CSR (edges begin .. end - 1), and how to make their keys. */
struct part {
    edge_t begin, end;
    unsigned bits; /* width of a place in a key */
    const uint32_t *id_of, *place_of;
    uint32_t sample; /* 1: all vertices; n: those whose byte of ids has a hash divisible by n */
};

/* Returns the key of an edge whose source is one of the vertices first .. last. Sets *wanted to whether the edge is
 * in the sample. */
template <typename offset_t>
DEVICE uint64_t key_of(const csr<offset_t> &graph, const struct part &part, edge_t edge, uint64_t first, uint64_t last,
                       bool *wanted)
{
    uint32_t vertex = part.id_of[source_between(graph, edge, first, last)];
    *wanted = part.sample == 1 || hash(vertex / SLICE_VERTICES, 5) % part.sample == 0;
    return (uint64_t)vertex << part.bits | part.place_of[graph.targets[edge]];
}

/* Writes the keys of the part's edges. Without a sample (sampled is NULL), key i belongs to edge i. Otherwise writes
 * the sample's keys in any order, at most `room`, and adds the size of the sample to *sampled. */
template <typename offset_t>
__global__ void make_edge_keys(csr<offset_t> graph, struct part part, uint64_t *keys, uint64_t room, uint32_t *sampled)
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

/* Returns whether sorted key i is the first of its slice, or of its vertex. */
DEVICE bool begins_slice(const uint64_t *keys, uint64_t i)
{
    return i == 0 || keys[i] / SLICE_VERTICES != keys[i - 1] / SLICE_VERTICES;
}

DEVICE bool begins_vertex(const uint64_t *keys, uint64_t i, unsigned bits)
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
        atomicAdd(count, sum);
}

__global__ void flag_slices(const uint64_t *keys, uint64_t number, uint32_t *flags)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        flags[i] = begins_slice(keys, i);
}

/* The index range of each vertex's slices within its part: first .. beyond - 1. */
struct extents {
    uint32_t *first, *beyond; /* one entry per vertex; zero before measure_vertices() */
};

/* Sets extents.first and extents.beyond of each vertex. before[i]: the number of slices that begin before key i. */
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

/* Counts the groups of each vertex. Adds the number of slices of all vertices, with padding, to *num_slices. */
__global__ void measure_groups(struct extents extents, uint32_t num_ids, uint64_t *groups, uint64_t *num_slices)
{
    uint64_t sum = 0;
    for (uint64_t vertex = thread_of_grid(); vertex <= num_ids; vertex += threads_of_grid()) {
        uint32_t number = vertex < num_ids ? extents.beyond[vertex] - extents.first[vertex] : 0;
        groups[vertex] = number <= HEAD_SLICES ? 0 : (number - FIRST_SLICES + HEAD_SLICES - 1) / HEAD_SLICES;
        sum += groups[vertex] > 0 ? FIRST_SLICES + HEAD_SLICES * groups[vertex] : number;
    }
    if (sum > 0)
        atomicAdd(num_slices, sum);
}

/* Completes the heads of vertices with groups. first_group: by vertex; the last entry is the number of groups. */
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

/* The arrays to fill with slices. */
struct destination {
    struct extents extents;
    const uint64_t *first_group; /* for each vertex, its first group; the last entry is the total number of groups */
    uint32_t *heads, *groups;    /* slices of the heads; slices of the groups */
};

/* Sets the bit of each key in its slice. before[i]: the number of slices that begin before key i. */
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

/* Finds the first edge of the source of an edge. */
template <typename offset_t>
__global__ void find_first_edge(csr<offset_t> graph, edge_t edge, edge_t *first)
{
    *first = graph.offsets[source_of(graph, edge)];
}

} // namespace BACKEND::slices
