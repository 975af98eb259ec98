/* order.cuh: the order of the vertices, and their ids.
 *
 * The order is by degree class (powers of two), high degrees first; isolated vertices have no place. Within a class,
 * vertices keep the order of their input ids, or are ordered by two min-hashes of their neighbourhoods (Broder,
 * 1997): vertices whose two least hashes agree have most neighbours in common, so they come side by side and share
 * slices. A directed graph is ordered by its neighbours in both directions.
 *
 * Ids. Eight consecutive places are always the ids of one byte of a bitmap. If ids are spread, consecutive bytes
 * belong to consecutive words: place / 8 = q * num_words + w is byte q of word w. So a cluster of vertices is the
 * work of many blocks, and a word mixes vertices of four degrees. If they are not spread, ids are places: then the
 * window, which does not hold the whole bitmap, has the vertices of the highest degrees. */
#pragma once

#include "state.cuh"

namespace BACKEND::slices
{

#define ISOLATED_CLASS 32u /* after the classes of the degrees, which are their numbers of leading zeros */
#define CLASS_SHIFT    26u /* of a class in the upper half of a key; a hash is in the lower bits */

/* The vertex at a place in the order. */
static __host__ __device__ __forceinline__ uint32_t vertex_at(uint32_t place, uint32_t num_words, bool spread)
{
    uint32_t byte = place / SLICE_VERTICES;
    return spread ? byte % num_words * WARP_SIZE + byte / num_words * SLICE_VERTICES + place % SLICE_VERTICES : place;
}

/* Spreads the bits of a number (the finaliser of MurmurHash3). */
static __device__ __forceinline__ uint32_t hash(uint32_t number, uint32_t seed)
{
    uint32_t h = number * 0x9e3779b1u + seed;
    h = (h ^ h >> 15) * 0x85ebca77u;
    h = (h ^ h >> 13) * 0xc2b2ae3du;
    return h ^ h >> 16;
}

/* The least hashes of a vertex's neighbours, over the warp. */
struct min_hashes {
    uint32_t first, second;
};

template <typename offset_t>
static __device__ __forceinline__ void take_hashes(const csr<offset_t> &graph, uint64_t input_id,
                                                   struct min_hashes *least)
{
    const uint32_t seeds[2] = {1, 77};
    for (offset_t i = graph.offsets[input_id] + lane_id(); i < graph.offsets[input_id + 1]; i += WARP_SIZE) {
        vertex_t neighbour = graph.targets[i];
        least->first = min(least->first, hash(neighbour, seeds[0]));
        least->second = min(least->second, hash(neighbour, seeds[1]));
    }
}

/* Makes the sort keys of all vertices. classes[v]: class << CLASS_SHIFT, or'ed with the first hash if hashed.
 * keys[v]: the second hash, or zero, << 32 | v. Adds the number of vertices that are not isolated to *num_ids. in:
 * equal to out if the graph is symmetric. */
template <typename offset_t>
__global__ void make_order_keys(csr<offset_t> out, csr<offset_t> in, bool hashed, uint32_t *classes, uint64_t *keys,
                                uint32_t *num_ids)
{
    const struct team warps = grid_warps();
    uint32_t number = 0;
    for (uint64_t input_id = warps.rank; input_id < out.num_vertices; input_id += warps.size) {
        uint64_t degree = out.offsets[input_id + 1] - out.offsets[input_id];
        struct min_hashes least = {UINT32_MAX, UINT32_MAX};
        if (in.offsets != out.offsets)
            degree += in.offsets[input_id + 1] - in.offsets[input_id];
        if (hashed) {
            take_hashes(out, input_id, &least);
            if (in.offsets != out.offsets)
                take_hashes(in, input_id, &least);
            least.first = __reduce_min_sync(WHOLE_WARP, least.first);
            least.second = __reduce_min_sync(WHOLE_WARP, least.second);
        }
        uint32_t clipped = (uint32_t)min(degree, (uint64_t)UINT32_MAX);
        if (lane_id() == 0) {
            classes[input_id] = (clipped == 0 ? ISOLATED_CLASS : (uint32_t)__clz((int)clipped)) << CLASS_SHIFT |
                                (hashed ? least.first >> (WARP_SIZE - CLASS_SHIFT) : 0);
            keys[input_id] = (uint64_t)(hashed ? least.second : 0) << 32 | input_id;
        }
        number += degree > 0;
    }
    if (lane_id() == 0 && number > 0)
        atomicAdd(num_ids, number);
}

/* Turns keys that are sorted by the second hash into keys to sort by class and first hash: the vertex's class << 32 |
 * the place of its key. vertices: takes the vertices by place. */
__global__ void rank_keys(vertex_t num_vertices, const uint32_t *classes, uint64_t *keys, vertex_t *input_ids)
{
    for (uint64_t i = thread_of_grid(); i < num_vertices; i += threads_of_grid()) {
        vertex_t input_id = (vertex_t)keys[i];
        input_ids[i] = input_id;
        keys[i] = (uint64_t)classes[input_id] << 32 | i;
    }
}

/* Gives every vertex that is not isolated its id. keys: sorted. place_of: by input id; NO_VERTEX if isolated. */
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

/* Makes the bitmap of the ids without a vertex. input_of: NO_VERTEX for them. A warp makes a word. */
__global__ void map_absent(const vertex_t *input_of, uint32_t num_words, uint32_t *absent)
{
    for (uint64_t vertex = thread_of_grid(); vertex - lane_id() < (uint64_t)num_words * WARP_SIZE;
         vertex += threads_of_grid()) {
        uint32_t word = __ballot_sync(WHOLE_WARP, input_of[vertex] == NO_VERTEX);
        if (lane_id() == 0)
            absent[vertex / WARP_SIZE] = word;
    }
}

} // namespace BACKEND::slices
