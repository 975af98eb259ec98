/* build_lists.cuh: the kernels that build lists from an edge source.
 *
 * An edge source is a parameter of a kernel. It has members num_vertices, num_edges, and both_ways, which tells whether
 * the reverse of each edge is stored, too. It deals out its edges to the threads: visit(use) calls use(present, u, v)
 * equally often on all threads of the grid, so that the lanes of a warp stay together. present: this thread has an
 * edge, which is no self-loop.
 *
 * A piece is sorted as keys: a list's number in the piece, then the neighbour. Of equal keys the first is kept. */
#pragma once

#include <math.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "../device/bitmap.cuh"
#include "../device/ids.cuh"
#include "../device/warp.cuh"
#include "build_lists.h"

namespace BACKEND::building
{

#define TILE_KEYS 1024u /* keys that a warp cleans together */

struct piece {
    vertex_t first, number; /* its ids */
    unsigned target_bits;   /* a key is list << target_bits | target */
    edge_t num_keys;

    __device__ __forceinline__ uint64_t key(vertex_t id, vertex_t target) const
    {
        return (uint64_t)(id - first) << target_bits | target;
    }
    __device__ __forceinline__ bool has(vertex_t id) const
    {
        return id - first < number; /* also false below `first`, where the difference wraps around */
    }
};

/* Counts the degrees, duplicates included. degrees must be zero before. */
template <typename source_t>
__global__ void count_degrees(const __grid_constant__ source_t source, edge_t *degrees)
{
    source.visit([&](bool present, vertex_t u, vertex_t v) {
        if (present)
            atomicAdd(&degrees[u], (edge_t)1);
        if (present && source.both_ways)
            atomicAdd(&degrees[v], (edge_t)1);
    });
}

/* Sets the bits of the vertices that have an edge. */
template <typename source_t>
__global__ void mark_ends(const __grid_constant__ source_t source, uint32_t *bitmap)
{
    source.visit([&](bool present, vertex_t u, vertex_t v) {
        const vertex_t ends[] = {u, v};
        for (vertex_t end : ends)
            if (present && !(load_volatile(&bitmap[end / 32]) >> end % 32 & 1))
                atomicOr(&bitmap[end / 32], 1u << end % 32);
    });
}

/* Appends the keys of all edges from the piece's ids, in any order. id_of: NULL: ids are input ids. *number: how many
 * keys there are; piece.num_keys in the end. */
template <typename source_t>
__global__ void write_keys(const __grid_constant__ source_t source, struct piece piece, const vertex_t *id_of,
                           uint64_t *keys, uint64_t *number)
{
    source.visit([&](bool present, vertex_t u, vertex_t v) {
        if (id_of != NULL && present) {
            u = id_of[u];
            v = id_of[v];
        }
        const bool has[] = {present && piece.has(u), present && source.both_ways && piece.has(v)};
        warp_append(number, has,
                    [&](unsigned i, uint64_t place) { keys[place] = i == 0 ? piece.key(u, v) : piece.key(v, u); });
    });
}

/* Calls use(i, is_new) for the keys of a tile, one per lane; is_new: the key differs from the one before it. */
template <typename use_t>
DEVICE void visit_tile(const uint64_t *keys, edge_t num_keys, uint64_t tile, use_t use)
{
    for (uint64_t i = tile * TILE_KEYS + lane_id(); i - lane_id() < min((tile + 1) * TILE_KEYS, num_keys);
         i += WARP_SIZE)
        use(i, i < num_keys && (i == 0 || keys[i] != keys[i - 1]));
}

/* Counts the different keys of each tile. */
__global__ void count_new(const uint64_t *keys, edge_t num_keys, uint64_t num_tiles, edge_t *counts)
{
    struct team warps = grid_warps();
    for (uint64_t tile = warps.rank; tile < num_tiles; tile += warps.size) {
        uint32_t count = 0;
        visit_tile(keys, num_keys, tile,
                   [&](uint64_t, bool is_new) { count += (unsigned)__popc(__ballot_sync(WHOLE_WARP, is_new)); });
        if (lane_id() == 0)
            counts[tile] = count;
    }
}

/* Writes the different keys' targets, and the offsets of the lists: a list begins where its number first occurs, and
 * so do the empty lists before it. places: the sums of the counts, and after the last one the number of targets. */
__global__ void write_lists(const uint64_t *keys, struct piece piece, uint64_t num_tiles, const edge_t *places,
                            edge_t *offsets, vertex_t *targets)
{
    struct team warps = grid_warps();
    for (uint64_t tile = warps.rank; tile < num_tiles; tile += warps.size) {
        edge_t place = places[tile];
        visit_tile(keys, piece.num_keys, tile, [&](uint64_t i, bool is_new) {
            unsigned all = __ballot_sync(WHOLE_WARP, is_new);
            edge_t own = place + lanes_before(all);
            place += (unsigned)__popc(all);
            if (!is_new)
                return;
            uint64_t list = keys[i] >> piece.target_bits;
            targets[own] = (vertex_t)(keys[i] & ((1ull << piece.target_bits) - 1));
            for (uint64_t begins = i == 0 ? 0 : (keys[i - 1] >> piece.target_bits) + 1; begins <= list; begins++)
                offsets[begins] = own;
        });
    }
    uint64_t after = piece.num_keys == 0 ? 0 : (keys[piece.num_keys - 1] >> piece.target_bits) + 1;
    for (uint64_t list = after + thread_of_grid(); list <= piece.number; list += threads_of_grid())
        offsets[list] = places[num_tiles];
}

/* Adds `base` to `number` offsets, modulo 2^64. */
__global__ void move_offsets(edge_t *offsets, uint64_t number, edge_t base)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid())
        offsets[i] += base;
}

/* ---- host side ---- */

template <typename source_t>
static int count(const source_t &source, const struct relabelling_policy *policy, struct gpu_arena *arena,
                 struct degree_order *order, struct raw_lists *raw, struct error *error)
{
    const size_t number = (size_t)source.num_vertices + 1;
    struct relabelling_policy wish = *policy;
    edge_t *degrees = NULL;
    *raw = {};
    gpu_allocate(&degrees, number, "the degrees", error);
    gpu_clear(degrees, number, error);
    gpu_launch(count_degrees<source_t>, gpu_wide_grid(source.num_edges), 0, error, source, degrees);
    gpu_exclusive_scan(degrees, number, error);
    gpu_download(&raw->num_targets, degrees + number - 1, 1, error);
    struct gpu_graph degrees_only = {source.num_vertices, raw->num_targets, degrees, NULL, true, false, NULL};
    wish.wanted = raw->num_targets == 0 ? RELABEL_NO : wish.wanted;
    degree_order_find(&degrees_only, &degrees_only, &wish, arena, order, error);
    raw->num_ids = order->num_ids;
    gpu_allocate(&raw->places, number, "the degrees", error);
    degree_order_places(order, &degrees_only, 1, raw->places, error);
    gpu_free(degrees);
    return error->status;
}

/* The buffers of a piece: two of keys, of which the second also holds the targets, and what the lists need. */
struct buffers {
    uint64_t *keys, *other, *number; /* number: only one value */
    edge_t *offsets;                 /* by id: raw->places, which nobody reads once the pieces are cut */
    edge_t *tiles;                   /* for the most keys */
};
#define BYTES_A_KEY  (2 * sizeof(uint64_t) + 1.0 * sizeof(edge_t) / TILE_KEYS)
#define SORT_RESERVE (1.0 / 64)  /* share of the memory, and */
#define SORT_SCRATCH 64e6        /* bytes, that sorting and scanning need */
#define PIECE_SLACK  (1.0 / 256) /* so that whole lists do not leave a small piece at the end; below the reserve */

/* Cuts the ids into as few equal pieces as the memory allows. A piece has at least one list. */
static std::vector<struct piece> cut(const struct raw_lists *raw, struct error *error)
{
    std::vector<struct piece> pieces;
    const double room = (double)gpu_memory_left(error) * (1 - SORT_RESERVE) - SORT_SCRATCH - (double)raw->sink_bytes;
    const double all = (double)raw->num_targets, fewest = ceil(all / fmax(room / BYTES_A_KEY, 1));
    const edge_t most = (edge_t)(all / fmax(fewest, build_least_pieces) * (1 + PIECE_SLACK)) + 1;
    auto place = [&](vertex_t id) {
        edge_t value;
        gpu_download(&value, raw->places + id, 1, error);
        return value;
    };
    for (vertex_t first = 0, end; first < raw->num_ids && error->status == STATUS_OK; first = end) {
        const edge_t begin = place(first);
        end = first + 1;
        for (vertex_t last = raw->num_ids; end < last && error->status == STATUS_OK;) { /* bisects the end */
            vertex_t middle = last - (last - end) / 2;
            bool fits = place(middle) - begin <= most;
            (fits ? end : last) = fits ? middle : middle - 1;
        }
        pieces.push_back({first, end - first, (unsigned)std::bit_width(raw->num_ids - 1), place(end) - begin});
    }
    return pieces;
}

template <typename source_t>
static void build_piece(const source_t &source, struct piece piece, const vertex_t *id_of, struct buffers *buffers,
                        list_sink *sink, void *context, struct error *error)
{
    const uint64_t num_tiles = (piece.num_keys + TILE_KEYS - 1) / TILE_KEYS;
    const unsigned bits = piece.target_bits + (unsigned)std::bit_width(piece.number - 1);
    const struct grid grid = gpu_wide_grid(num_tiles * WARP_SIZE);
    struct built_lists lists = {piece.first, piece.number, 0, buffers->offsets + piece.first, NULL};
    gpu_clear(buffers->number, 1, error);
    gpu_launch(write_keys<source_t>, gpu_wide_grid(source.num_edges), 0, error, source, piece, id_of, buffers->keys,
               buffers->number);
    if (piece.num_keys > 0)
        gpu_sort(&buffers->keys, &buffers->other, piece.num_keys, bits, error);
    gpu_clear(buffers->tiles, num_tiles + 1, error);
    gpu_launch(count_new, grid, 0, error, buffers->keys, piece.num_keys, num_tiles, buffers->tiles);
    gpu_exclusive_scan(buffers->tiles, num_tiles + 1, error);
    gpu_download(&lists.num_targets, buffers->tiles + num_tiles, 1, error);
    gpu_launch(write_lists, grid, 0, error, buffers->keys, piece, num_tiles, buffers->tiles,
               buffers->offsets + piece.first, (vertex_t *)buffers->other);
    lists.targets = (const vertex_t *)buffers->other;
    if (error->status == STATUS_OK)
        sink(context, &lists, error);
}

template <typename source_t>
static int build(const source_t &source, const struct degree_order *order, struct raw_lists *raw, list_sink *sink,
                 void *context, struct error *error)
{
    struct gpu_arena memory = {};
    const std::vector<struct piece> pieces = cut(raw, error);
    edge_t most = 0;
    for (const struct piece &piece : pieces)
        most = std::max(most, piece.num_keys);
    struct buffers buffers = {
        gpu_take<uint64_t>(&memory, most, "sorting the edges", error),
        gpu_take<uint64_t>(&memory, most, "sorting the edges", error),
        gpu_take<uint64_t>(&memory, 1, "sorting the edges", error),
        raw->places,
        gpu_take<edge_t>(&memory, most / TILE_KEYS + 2, "the lists' offsets", error),
    };
    for (const struct piece &piece : pieces)
        build_piece(source, piece, order->id_of, &buffers, sink, context, error);
    gpu_wait("building the lists", error);
    gpu_arena_free(&memory);
    return error->status;
}

} // namespace BACKEND::building
