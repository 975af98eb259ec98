/* bvss.cu: builds the BVSS (Blest, section 3.1) and the BRS on the GPU.
 *
 * The slices of a set are the merge of the neighbour lists of its SIGMA columns, which ascend in the CSR. In each
 * step of the merge, the smallest row at the head of any list is the row of the next slice, and the lists with this
 * row at their head give the bits of its mask. SIGMA lanes merge a set, one list per lane, so a warp merges four sets
 * at a time. A set with many edges is cut into parts by ranges of rows, so that a high-degree vertex does not occupy
 * one warp for long.
 *
 * There are two such passes. The first counts the slices of every part. A scan of the counts gives the places where
 * the second pass writes the slices. Nothing is sorted, and no result depends on the schedule. */
#include "bvss.h"

#include "../device/ids.cuh"
#include "../device/warp.cuh"

namespace BACKEND::slicing
{

#define PART_EDGES 1024u /* edges per part, if a set's edges are spread evenly over the rows */

struct parts {
    uint32_t num_parts;
    uint32_t *first;  /* num_sets + 1; first part of each set */
    uint32_t *set;    /* num_parts; set of each part */
    uint64_t *slices; /* num_parts + 1; slices in each part; after the scan, slices in all earlier parts */
};

template <typename offset_t>
__global__ void count_parts(csr<offset_t> graph, uint32_t num_sets, uint32_t *parts)
{
    for (uint64_t s = thread_of_grid(); s <= num_sets; s += threads_of_grid()) {
        uint64_t first = s * SIGMA, end = min(first + SIGMA, (uint64_t)graph.num_vertices);
        offset_t edges = s < num_sets ? graph.offsets[end] - graph.offsets[first] : 0;
        parts[s] = (uint32_t)((edges + PART_EDGES - 1) / PART_EDGES);
    }
}

__global__ void name_parts(struct parts parts, uint32_t num_sets)
{
    for (uint64_t s = thread_of_grid(); s < num_sets; s += threads_of_grid())
        for (uint32_t part = parts.first[s]; part < parts.first[s + 1]; part++)
            parts.set[part] = (uint32_t)s;
}

/* ---- the merge ---- */

/* Returns the first edge in [edge, end) with a target of at least `row`; end if there is none. */
template <typename offset_t>
DEVICE offset_t lower_bound(const vertex_t *targets, offset_t edge, offset_t end, uint64_t row)
{
    while (edge < end) {
        offset_t middle = edge + (end - edge) / 2;
        if (targets[middle] < row)
            edge = middle + 1;
        else
            end = middle;
    }
    return edge;
}

/* What is left of a lane's list: the row at its head, and the next row, which is loaded ahead. */
template <typename offset_t>
struct list {
    offset_t edge, end; /* edge: position of `next` */
    vertex_t row, next; /* NO_VERTEX after the end of the list */
};

template <typename offset_t>
DEVICE void advance(struct list<offset_t> *list, const vertex_t *targets)
{
    list->row = list->next;
    list->edge += list->edge < list->end;
    list->next = list->edge < list->end ? targets[list->edge] : NO_VERTEX;
}

/* Returns the part's rows in the list of one column of its set; empty if the part does not exist. */
template <typename offset_t>
DEVICE list<offset_t> open_list(const csr<offset_t> &graph, const struct parts &parts, uint64_t part, unsigned column)
{
    list<offset_t> mine{0, 0, NO_VERTEX, NO_VERTEX};
    if (part >= parts.num_parts)
        return mine;
    uint32_t set = parts.set[part], first = parts.first[set], num_parts = parts.first[set + 1] - first;
    uint64_t vertex = (uint64_t)set * SIGMA + column, n = graph.num_vertices, number = part - first;
    if (vertex >= n)
        return mine;
    offset_t edge = graph.offsets[vertex], end = graph.offsets[vertex + 1];
    uint64_t first_row = n * number / num_parts, end_row = n * (number + 1) / num_parts;
    mine.edge = lower_bound(graph.targets, edge, end, first_row);
    mine.end = lower_bound(graph.targets, mine.edge, end, end_row);
    mine.next = mine.edge < mine.end ? graph.targets[mine.edge] : NO_VERTEX;
    advance(&mine, graph.targets);
    return mine;
}

/* Merges the lists of a part. The first lane of each group calls emit(number of the slice, row, mask) for each slice.
 * Returns the number of slices to every lane of the group. All lanes of the warp must call it. */
template <typename offset_t, typename emit_t>
DEVICE uint32_t merge(const csr<offset_t> &graph, struct list<offset_t> list, emit_t emit)
{
    unsigned column = lane_id() % SIGMA;
    uint32_t count = 0;
    for (;;) {
        vertex_t least = list.row;
#pragma unroll
        for (int step = SIGMA / 2; step > 0; step /= 2)
            least = min(least, __shfl_xor_sync(WHOLE_WARP, least, step));
        bool mine = list.row != NO_VERTEX && list.row == least;
        unsigned mask = __ballot_sync(WHOLE_WARP, mine);
        if (mask == 0)
            return count;
        mask = mask >> (lane_id() - column) & ((1u << SIGMA) - 1);
        if (mask != 0 && column == 0)
            emit(count, least, mask);
        count += mask != 0;
        if (mine)
            advance(&list, graph.targets);
    }
}

template <typename offset_t>
__global__ void count_slices(csr<offset_t> graph, struct parts parts)
{
    unsigned column = lane_id() % SIGMA;
    for (uint64_t first = (thread_of_grid() - lane_id()) / SIGMA; first <= parts.num_parts;
         first += threads_of_grid() / SIGMA) {
        uint64_t part = first + lane_id() / SIGMA;
        uint32_t count = merge(graph, open_list(graph, parts, part, column), [](uint32_t, vertex_t, unsigned) {});
        if (column == 0 && part <= parts.num_parts)
            parts.slices[part] = count; /* 0 after the last part, where the scan puts the sum */
    }
}

/* For every set, counts the pieces of `size` slices: its VSSs or, without padding, its tiles. */
template <unsigned size, typename count_t>
__global__ void count_pieces(struct parts parts, uint32_t num_sets, count_t *pieces)
{
    for (uint64_t s = thread_of_grid(); s <= num_sets; s += threads_of_grid()) {
        uint64_t slices = s < num_sets ? parts.slices[parts.first[s + 1]] - parts.slices[parts.first[s]] : 0;
        pieces[s] = (count_t)((slices + size - 1) / size);
    }
}

/* Fills the BVSS's optional arrays: the set of every VSS, and where its tiles begin. first_tile: by set, without
 * padding. */
__global__ void name_vss(struct bvss bvss, const uint64_t *first_tile)
{
    for (uint64_t s = thread_of_grid(); s < bvss.num_sets; s += threads_of_grid())
        for (uint32_t vss = bvss.real_ptrs[s]; vss < bvss.real_ptrs[s + 1]; vss++) {
            if (bvss.virtual_to_real != NULL)
                bvss.virtual_to_real[vss] = (uint32_t)s;
            if (bvss.tile_ptrs != NULL)
                bvss.tile_ptrs[vss] = first_tile[s] + (uint64_t)(vss - bvss.real_ptrs[s]) * WARP_SIZE;
        }
    if (is_first_thread() && bvss.tile_ptrs != NULL)
        bvss.tile_ptrs[bvss.num_vss] = bvss.num_tiles;
}

/* Returns the place of slice k within a VSS of `slices` slices. */
DEVICE uint64_t place_in_vss(uint64_t k, uint64_t slices)
{
    uint64_t lanes = slices / THETA;
    if (k < lanes * THETA)
        return k % lanes * THETA + k / lanes;
    return lanes * THETA + (k - lanes * THETA); /* the remaining slices, in a lane of their own */
}

/* Returns the place of a set's slice among all slices of the BVSS. slices: number of the set's slices; vss: its first
 * VSS. */
DEVICE uint64_t place_of(const struct bvss &bvss, uint32_t vss, uint64_t slice, uint64_t slices)
{
    uint64_t number = slice / TAU, k = slice % TAU;
    if (bvss.tile_ptrs == NULL)
        return (vss + number) * TAU + k % WARP_SIZE * THETA + k / WARP_SIZE;
    uint64_t left = slices - number * TAU;
    return bvss.tile_ptrs[vss + number] * THETA + place_in_vss(k, left < TAU ? left : TAU);
}

template <typename offset_t>
__global__ void fill_slices(csr<offset_t> graph, struct parts parts, struct bvss bvss)
{
    unsigned column = lane_id() % SIGMA;
    vertex_t *row_ids = (vertex_t *)bvss.row_ids;
    unsigned char *masks = (unsigned char *)bvss.masks;
    for (uint64_t first = (thread_of_grid() - lane_id()) / SIGMA; first < parts.num_parts;
         first += threads_of_grid() / SIGMA) {
        uint64_t part = first + lane_id() / SIGMA, before = 0, slices = 0;
        uint32_t vss = 0;
        if (part < parts.num_parts) {
            uint32_t set = parts.set[part];
            before = parts.slices[part] - parts.slices[parts.first[set]];
            slices = parts.slices[parts.first[set + 1]] - parts.slices[parts.first[set]];
            vss = bvss.real_ptrs[set];
        }
        merge(graph, open_list(graph, parts, part, column), [=](uint32_t number, vertex_t row, unsigned mask) {
            uint64_t place = place_of(bvss, vss, before + number, slices);
            row_ids[place] = row;
            masks[place] = (unsigned char)mask;
        });
    }
}

/* ---- BRS ---- */

__global__ void point_to_sets(struct parts parts, struct brs brs)
{
    for (uint64_t s = thread_of_grid(); s <= brs.num_sets; s += threads_of_grid())
        brs.set_ptrs[s] = parts.slices[parts.first[s]];
}

template <typename offset_t>
__global__ void fill_rows(csr<offset_t> graph, struct parts parts, struct brs brs)
{
    unsigned column = lane_id() % SIGMA;
    for (uint64_t first = (thread_of_grid() - lane_id()) / SIGMA; first < parts.num_parts;
         first += threads_of_grid() / SIGMA) {
        uint64_t part = first + lane_id() / SIGMA, before = part < parts.num_parts ? parts.slices[part] : 0;
        merge(graph, open_list(graph, parts, part, column), [=](uint32_t number, vertex_t row, unsigned mask) {
            brs.row_ids[before + number] = row;
            brs.masks[before + number] = (uint8_t)mask;
        });
    }
}

/* ---- update divergence ---- */

/* Adds up the set divergences of all VSSs, one warp per VSS: over the non-empty columns, and over all columns. */
__global__ void add_divergences(struct bvss bvss, double *sums)
{
    double over_filled = 0, over_all = 0;
    for (uint64_t vss = thread_of_grid() / WARP_SIZE; vss < bvss.num_vss; vss += threads_of_grid() / WARP_SIZE) {
        uint64_t tile = vss * WARP_SIZE, end = tile + WARP_SIZE;
        if (bvss.tile_ptrs != NULL) {
            tile = bvss.tile_ptrs[vss];
            end = bvss.tile_ptrs[vss + 1];
        }
        bool has = tile + lane_id() < end;
        uint4 rows = has ? bvss.row_ids[tile + lane_id()] : uint4{};
        uint32_t masks = has ? bvss.masks[tile + lane_id()] : 0;
        const vertex_t row[THETA] = {rows.x, rows.y, rows.z, rows.w};
        double set_divergence = 0;
        unsigned columns = 0; /* number of non-empty columns */
        for (unsigned c = 0; c < THETA; c++) {
            bool present = (masks >> c * SIGMA & ((1u << SIGMA) - 1)) != 0;
            double count = __popc(__ballot_sync(WHOLE_WARP, present));
            if (count == 0)
                break;
            double mean = warp_sum(present ? (double)row[c] : 0) / count;
            double distance = present ? row[c] - mean : 0;
            set_divergence += sqrt(warp_sum(distance * distance) / count);
            columns++;
        }
        over_filled += set_divergence / columns;
        over_all += set_divergence / THETA;
    }
    if (lane_id() == 0) {
        atomicAdd(&sums[0], over_filled);
        atomicAdd(&sums[1], over_all);
    }
}

/* ---- host side ---- */

static void find_divergence(struct bvss *bvss, struct gpu_arena *scratch, struct error *error)
{
    double sums[2] = {0, 0}, *device_sums = gpu_take_zeroed<double>(scratch, 2, "the update divergence", error);
    gpu_launch(add_divergences, gpu_wide_grid((uint64_t)bvss->num_vss * WARP_SIZE), 0, error, *bvss, device_sums);
    gpu_download(sums, device_sums, 2, error);
    bvss->update_divergence = bvss->num_vss > 0 ? sums[0] / bvss->num_vss : 0;
    bvss->authors_divergence = bvss->num_vss > 0 ? sums[1] / bvss->num_vss : 0;
}

/* Cuts the sets into parts and counts the slices of each part and in total. */
template <typename offset_t>
static struct parts cut(const csr<offset_t> &graph, uint32_t num_sets, uint64_t *num_slices, struct gpu_arena *scratch,
                        struct error *error)
{
    struct parts parts = {};
    const struct grid grid = gpu_wide_grid(num_sets);
    parts.first = gpu_take<uint32_t>(scratch, (size_t)num_sets + 1, "the slice sets' parts", error);
    gpu_launch(count_parts<offset_t>, grid, 0, error, graph, num_sets, parts.first);
    gpu_exclusive_scan(parts.first, (size_t)num_sets + 1, error);
    gpu_download(&parts.num_parts, parts.first + num_sets, 1, error);
    parts.set = gpu_take<uint32_t>(scratch, parts.num_parts, "the slice sets' parts", error);
    parts.slices = gpu_take<uint64_t>(scratch, (size_t)parts.num_parts + 1, "the slice sets' parts", error);
    gpu_launch(name_parts, grid, 0, error, parts, num_sets);
    gpu_launch(count_slices<offset_t>, gpu_wide_grid((uint64_t)parts.num_parts * SIGMA), 0, error, graph, parts);
    gpu_exclusive_scan(parts.slices, (size_t)parts.num_parts + 1, error);
    gpu_download(num_slices, parts.slices + parts.num_parts, 1, error);
    return parts;
}

/* Allocates and fills the arrays that only some forms have, and sets num_tiles. */
static void name(const struct parts &parts, struct bvss_form form, struct gpu_arena *arena, struct gpu_arena *scratch,
                 struct bvss *bvss, struct error *error)
{
    const size_t num_sets = bvss->num_sets, num_vss = bvss->num_vss;
    uint64_t *first_tile = NULL;
    bvss->num_tiles = (uint64_t)num_vss * WARP_SIZE;
    if (form.virtual_to_real)
        bvss->virtual_to_real = gpu_take<uint32_t>(arena, num_vss, "virtualToReal", error);
    if (form.unpadded) {
        first_tile = gpu_take<uint64_t>(scratch, num_sets + 1, "the tiles of sets", error);
        gpu_launch(count_pieces<THETA, uint64_t>, gpu_wide_grid(num_sets), 0, error, parts, bvss->num_sets, first_tile);
        gpu_exclusive_scan(first_tile, num_sets + 1, error);
        gpu_download(&bvss->num_tiles, first_tile + num_sets, 1, error);
        bvss->tile_ptrs = gpu_take<uint64_t>(arena, num_vss + 1, "the tiles of VSSs", error);
    }
    if (form.virtual_to_real || form.unpadded)
        gpu_launch(name_vss, gpu_wide_grid(num_sets), 0, error, *bvss, first_tile);
}

/* Allocates the VSSs of every set and fills them. */
template <typename offset_t>
static void fill(const csr<offset_t> &graph, const struct parts &parts, struct bvss_form form, struct gpu_arena *arena,
                 struct gpu_arena *scratch, struct bvss *bvss, struct error *error)
{
    const size_t num_sets = bvss->num_sets;
    bvss->real_ptrs = gpu_take<uint32_t>(arena, num_sets + 1, "the BVSS", error);
    gpu_launch(count_pieces<TAU, uint32_t>, gpu_wide_grid(num_sets), 0, error, parts, bvss->num_sets, bvss->real_ptrs);
    gpu_exclusive_scan(bvss->real_ptrs, num_sets + 1, error);
    gpu_download(&bvss->num_vss, bvss->real_ptrs + num_sets, 1, error);
    name(parts, form, arena, scratch, bvss, error);
    const size_t words = bvss->num_tiles;
    bvss->row_ids = gpu_take_zeroed<uint4>(arena, words, "the BVSS", error);
    bvss->masks = gpu_take_zeroed<uint32_t>(arena, words, "the BVSS", error);
    gpu_launch(fill_slices<offset_t>, gpu_wide_grid((uint64_t)parts.num_parts * SIGMA), 0, error, graph, parts, *bvss);
}

} // namespace BACKEND::slicing

namespace BACKEND
{

static uint32_t count_sets(const struct gpu_graph *graph)
{
    return (uint32_t)(((uint64_t)graph->num_vertices + SIGMA - 1) / SIGMA);
}

static double compression_of(const struct gpu_graph *graph, uint64_t num_slices)
{
    return num_slices > 0 ? (double)graph->num_edges / ((double)num_slices * SIGMA) : 0;
}

int bvss_build(const struct gpu_graph *graph, struct bvss_form form, struct gpu_arena *arena, struct bvss *bvss,
               struct error *error)
{
    struct gpu_arena scratch = {};
    *bvss = {};
    bvss->num_vertices = graph->num_vertices;
    bvss->num_sets = count_sets(graph);
    with_offsets(graph, [&]<typename offset_t>(csr<offset_t> csr) {
        struct slicing::parts parts = slicing::cut(csr, bvss->num_sets, &bvss->num_slices, &scratch, error);
        slicing::fill(csr, parts, form, arena, &scratch, bvss, error);
    });
    slicing::find_divergence(bvss, &scratch, error);
    bvss->compression_ratio = compression_of(graph, bvss->num_slices);
    gpu_arena_free(&scratch);
    return error->status;
}

void bvss_describe(const struct bvss *bvss, struct run *run)
{
    char tiles[64] = "";
    run_add_number(run, "num_vss", bvss->num_vss);
    run_add_number(run, "slices", (double)bvss->num_slices);
    if (bvss->tile_ptrs != NULL) {
        run_add_number(run, "num_tiles", (double)bvss->num_tiles);
        snprintf(tiles, sizeof tiles, " in %llu tiles", (unsigned long long)bvss->num_tiles);
    }
    run_add_number(run, "compression_ratio", bvss->compression_ratio);
    snprintf(run->note, sizeof run->note, "BVSS: %u VSSs of %llu slices%s, compression ratio %.3f", bvss->num_vss,
             (unsigned long long)bvss->num_slices, tiles, bvss->compression_ratio);
}

int brs_build(const struct gpu_graph *graph, struct gpu_arena *arena, struct brs *brs, struct error *error)
{
    struct gpu_arena scratch = {};
    *brs = {};
    brs->num_vertices = graph->num_vertices;
    brs->num_sets = count_sets(graph);
    with_offsets(graph, [&]<typename offset_t>(csr<offset_t> csr) {
        struct slicing::parts parts = slicing::cut(csr, brs->num_sets, &brs->num_slices, &scratch, error);
        brs->set_ptrs = gpu_take<uint64_t>(arena, (size_t)brs->num_sets + 1, "the BRS", error);
        brs->row_ids = gpu_take<vertex_t>(arena, brs->num_slices, "the BRS", error);
        brs->masks = gpu_take<uint8_t>(arena, brs->num_slices, "the BRS", error);
        gpu_launch(slicing::point_to_sets, gpu_wide_grid(brs->num_sets), 0, error, parts, *brs);
        gpu_launch(slicing::fill_rows<offset_t>, gpu_wide_grid((uint64_t)parts.num_parts * SIGMA), 0, error, csr, parts,
                   *brs);
    });
    brs->compression_ratio = compression_of(graph, brs->num_slices);
    gpu_arena_free(&scratch);
    return error->status;
}

} // namespace BACKEND
