/* build.cuh: builds the slices of all rows from a CSR.
 *
 * An arc becomes the key row << bits | place of its target. Sorted, the arcs of a row are one run, and those of a
 * slice are a run in it. A scan numbers the slices; so each arc finds its slice's place in the row, and sets its bit
 * there. Large graphs are sorted in parts of whole vertices; then each part is sorted twice, once to count and once
 * to fill. */
#ifndef GTRAV_BFS_SLICES_BUILD_CUH
#define GTRAV_BFS_SLICES_BUILD_CUH

#include "../../device/edge_source.cuh"
#include "order.cuh"

namespace BACKEND::slices
{

#define TILE_ARCS (8 * WARP_SIZE) /* arcs whose sources a warp searches together */

/* The arcs begin .. end - 1 of the CSR, as keys. */
struct part {
    edge_t begin, end;
    unsigned bits; /* of a place */
    const uint32_t *row_of, *place_of;
    uint32_t sample; /* rows whose byte's hash is a multiple of this; 1: all rows */
};

/* The key of an arc of the part, whose source lies between the vertices first and last. Sets *wanted to whether it is
 * in the sample. */
template <typename offset_t>
static __device__ __forceinline__ uint64_t key_of(const csr<offset_t> &graph, const struct part &part, edge_t arc,
                                                  uint64_t first, uint64_t last, bool *wanted)
{
    uint32_t row = part.row_of[source_between(graph, arc, first, last)];
    *wanted = part.sample == 1 || hash(row / SLICE_ROWS, 5) % part.sample == 0;
    return (uint64_t)row << part.bits | part.place_of[graph.targets[arc]];
}

/* Writes the keys of the part's arcs. room: of keys. sampled: NULL: key i is that of arc i; otherwise the keys of the
 * sample come in any order, as far as there is room, and their number is added to it. */
template <typename offset_t>
__global__ void make_arc_keys(csr<offset_t> graph, struct part part, uint64_t *keys, uint64_t room, uint32_t *sampled)
{
    const struct team warps = grid_warps();
    const edge_t number = part.end - part.begin;
    for (edge_t tile = (edge_t)warps.rank * TILE_ARCS; tile < number; tile += (edge_t)warps.size * TILE_ARCS) {
        edge_t beyond = min(tile + TILE_ARCS, number);
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

/* Whether sorted key i begins a slice, or a row. */
static __device__ __forceinline__ bool begins_slice(const uint64_t *keys, uint64_t i)
{
    return i == 0 || keys[i] / SLICE_ROWS != keys[i - 1] / SLICE_ROWS;
}

static __device__ __forceinline__ bool begins_row(const uint64_t *keys, uint64_t i, unsigned bits)
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

/* The slices of each row in a part: first .. first + number - 1; zero at first. before[i]: slices that begin before
 * key i. */
struct extents {
    uint32_t *first, *beyond; /* by row */
};

__global__ void measure_rows(const uint64_t *keys, uint64_t number, unsigned bits, const uint32_t *before,
                             struct extents extents)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid()) {
        uint32_t row = (uint32_t)(keys[i] >> bits);
        if (begins_row(keys, i, bits))
            extents.first[row] = before[i];
        if (i + 1 == number || begins_row(keys, i + 1, bits))
            extents.beyond[row] = before[i] + begins_slice(keys, i);
    }
}

/* The quads of each row, and its slices with the padding, summed over all rows. */
__global__ void measure_quads(struct extents extents, uint32_t num_rows, uint64_t *quads, uint64_t *num_slices)
{
    uint64_t sum = 0;
    for (uint64_t row = thread_of_grid(); row <= num_rows; row += threads_of_grid()) {
        uint32_t number = row < num_rows ? extents.beyond[row] - extents.first[row] : 0;
        quads[row] = number <= HEAD_SLICES ? 0 : (number - LONG_SLICES + HEAD_SLICES - 1) / HEAD_SLICES;
        sum += quads[row] > 0 ? LONG_SLICES + HEAD_SLICES * quads[row] : number;
    }
    if (sum > 0)
        atomicAdd((unsigned long long *)num_slices, (unsigned long long)sum);
}

/* Completes the heads of long rows. first_quad: by row, and the number of all quads behind them. */
__global__ void head_rows(const uint64_t *first_quad, uint32_t num_rows, uint32_t *heads)
{
    for (uint64_t row = thread_of_grid(); row < num_rows; row += threads_of_grid()) {
        uint32_t quads = (uint32_t)(first_quad[row + 1] - first_quad[row]);
        if (quads == 0)
            continue;
        heads[HEAD_SLICES * row + 2] = quads;
        heads[HEAD_SLICES * row + 3] = LONG_ROW | (uint32_t)first_quad[row];
    }
}

/* Where the slices of all rows are. */
struct destination {
    struct extents extents;
    const uint64_t *first_quad; /* by row, and the number of all quads behind them */
    uint32_t *heads, *quads;    /* slices */
};

/* Sets the bits of a part's arcs. */
__global__ void fill_slices(prepared_graph graph, const uint64_t *keys, uint64_t number, unsigned bits,
                            const uint32_t *before, struct destination to)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid()) {
        uint32_t row = (uint32_t)(keys[i] >> bits), place = (uint32_t)(keys[i] & ((1ull << bits) - 1));
        uint32_t index = before[i] + begins_slice(keys, i) - 1 - to.extents.first[row];
        uint32_t target = row_at(place, graph.num_words, graph.spread);
        uint32_t in_head = to.first_quad[row + 1] > to.first_quad[row] ? LONG_SLICES : HEAD_SLICES;
        uint32_t *slice = index < in_head ? &to.heads[HEAD_SLICES * (size_t)row + index]
                                          : &to.quads[HEAD_SLICES * to.first_quad[row] + index - LONG_SLICES];
        atomicOr(slice, make_slice(target));
    }
}

/* The first arc of the source of an arc. */
template <typename offset_t>
__global__ void find_first_arc(csr<offset_t> graph, edge_t arc, edge_t *first)
{
    *first = graph.offsets[source_of(graph, arc)];
}

} // namespace BACKEND::slices

#endif
