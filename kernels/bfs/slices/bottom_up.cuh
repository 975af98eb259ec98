/* bottom_up.cuh: a bottom-up level by the whole grid: each unvisited vertex looks for a visited in-neighbour.
 *
 * A visited in-neighbour proves that the vertex belongs to the next level, since all earlier levels are complete
 * (argument in dobfs/bottom_up.cuh). The level reads one bitmap and writes another, so it never sees its own
 * vertices. A block handles the words of the bitmap that it owns. It reads the slices in the heads, then the first
 * two groups of each vertex. The remaining groups are cut into pieces, which its warps share. Once a vertex is found,
 * its other pieces are skipped. If several warps find it at once, the first to set its bit writes its level. */
#pragma once

#include "top_down.cuh"

namespace BACKEND::slices
{

#define FIRST_GROUPS 2u /* number of groups that a vertex's own lane reads */
#define LOOK_UNROLL  4u

/* A piece is up to LOOK_GROUPS groups. x: the first group; y: (slot << 5 | bit) << COUNT_BITS | number of groups. */
#define LOOK_GROUPS 8u
#define COUNT_BITS  8u

/* Returns the visited neighbours in a slice, as bits. windowed: block.window is a copy of the visited bitmap. */
template <bool windowed>
DEVICE uint32_t look(const any_block auto &block, uint32_t slice)
{
    const uint32_t byte = slice >> SLICE_VERTICES;
    if (windowed && (block.full || byte < block.rules.window_words * WORD_BYTES))
        return ((const uint8_t *)block.window)[byte] & slice;
    return (slice & 0xff) != 0 ? ((const uint8_t *)block.visited)[byte] & slice : 0;
}

template <bool windowed>
DEVICE uint32_t look_at_four(const any_block auto &block, uint4 slices)
{
    return look<windowed>(block, slices.x) | look<windowed>(block, slices.y) | look<windowed>(block, slices.z) |
           look<windowed>(block, slices.w);
}

/* Returns the vertex of a bit in the words that the block owns. local: slot << 5 | bit. */
DEVICE uint32_t own_vertex(const any_block auto &block, uint32_t local)
{
    return block.own_word(local / WARP_SIZE) * WARP_SIZE + local % WARP_SIZE;
}

/* Returns the visited neighbours in four slices, and records one of them as the parent of own_vertex(local). */
template <bool windowed>
DEVICE uint32_t find_parent(const any_block auto &block, uint32_t local, uint4 slices)
{
    const uint32_t found = look_at_four<windowed>(block, slices);
    if (block.parents && found != 0)
#pragma unroll
        for (unsigned i = 0; i < HEAD_SLICES; i++) {
            uint32_t slice = i == 0 ? slices.x : i == 1 ? slices.y : i == 2 ? slices.z : slices.w;
            uint32_t bits = look<windowed>(block, slice);
            if (bits != 0)
                block.search.parent[own_vertex(block, local)] =
                    (slice >> SLICE_VERTICES) * SLICE_VERTICES + (uint32_t)__ffs((int)bits) - 1;
        }
    return found;
}

/* Returns to the whole warp whether own_vertex(local) has a visited neighbour in `number` groups from `first` on. */
template <bool windowed>
DEVICE bool warp_looks(const any_block auto &block, uint32_t local, uint32_t first, uint32_t number)
{
    bool found = false;
    for (uint32_t i = lane_id(); i - lane_id() < number && !found; i += WARP_SIZE)
        found = __any_sync(WHOLE_WARP,
                           i < number && find_parent<windowed>(block, local, __ldg(&block.graph.in.groups[first + i])));
    return found;
}

/* Cuts the lane's remaining `number` groups, from `first` on, into pieces. local: slot << 5 | bit of the vertex. If
 * they do not fit, searches them at once and returns whether a visited neighbour was found. */
template <bool windowed>
DEVICE bool cut_looks(any_block auto &block, uint32_t local, uint32_t first, uint32_t number)
{
    uint2 *looks = block.shared->grid.pieces.looks;
    uint32_t wanted = (number + LOOK_GROUPS - 1) / LOOK_GROUPS;
    uint32_t place = reserve_pieces(&block.shared->num_pieces, wanted);
    bool fits = place + wanted <= block.rules.most_pieces / 2, found = false;
    auto put = [&](uint32_t at, uint32_t from, uint32_t left, uint32_t owner, uint32_t i) {
        looks[at + i] = {from + LOOK_GROUPS * i, owner << COUNT_BITS | min(LOOK_GROUPS, left - LOOK_GROUPS * i)};
    };
    if (!fits)
        for (uint32_t i = place; i < block.rules.most_pieces / 2; i++)
            looks[i] = {0, 0};
    if (fits && wanted <= 4)
        for (uint32_t i = 0; i < wanted; i++)
            put(place, first, number, local, i);
    for (unsigned rest = __ballot_sync(WHOLE_WARP, wanted > 4 || !fits); rest != 0; rest &= rest - 1) {
        int owner = __ffs((int)rest) - 1;
        uint32_t its_first = __shfl_sync(WHOLE_WARP, first, owner), its_number = __shfl_sync(WHOLE_WARP, number, owner);
        uint32_t its_wanted = __shfl_sync(WHOLE_WARP, wanted, owner), its_place = __shfl_sync(WHOLE_WARP, place, owner);
        uint32_t its_local = __shfl_sync(WHOLE_WARP, local, owner);
        if (its_place + its_wanted <= block.rules.most_pieces / 2) {
            for (uint32_t i = lane_id(); i < its_wanted; i += WARP_SIZE)
                put(its_place, its_first, its_number, its_local, i);
        } else {
            bool hit = warp_looks<windowed>(block, its_local, its_first, its_number);
            found = (int)lane_id() == owner ? hit : found;
        }
    }
    return found;
}

/* Returns the number of slices of a new vertex, and lists the vertex if it is high-degree. head: its
 * in-neighbours. */
DEVICE uint32_t count_vertex(const any_block auto &block, uint32_t vertex, uint4 head)
{
    if (block.graph.in.heads != block.graph.out.heads)
        head = __ldg(&block.graph.out.heads[vertex]);
    if (has_groups(head) && head.z > block.rules.high_degree_groups)
        list_high_degree(block, vertex, first_group(head), head.z);
    return slices_of(head);
}

/* Reads the heads and first groups of the unvisited vertices in the block's words slot, slot + warps_of_block(), ...
 * Leaves the vertices found in `fresh`. Returns the number of slices of the vertices found by this lane. */
template <unsigned words, bool windowed>
DEVICE uint32_t look_at_words(any_block auto &block, uint32_t slot)
{
    uint32_t visited[words], hit[words], slices = 0;
    uint4 head[words], group[words][FIRST_GROUPS];
    vertex_t input_id[words];
#pragma unroll
    for (unsigned k = 0; k < words; k++) {
        uint32_t word = block.own_word(slot + k * warps_of_block());
        visited[k] = slot + k * warps_of_block() >= block.rules.words_a_block ? UINT32_MAX
                     : windowed && word < block.rules.window_words            ? load_volatile(&block.window[word])
                                                                              : __ldcg(&block.visited[word]);
    }
#pragma unroll
    for (unsigned k = 0; k < words; k++) {
        uint32_t vertex = block.own_word(slot + k * warps_of_block()) * WARP_SIZE + lane_id();
        head[k] = {0, 0, 0, 0};
        input_id[k] = 0;
        if (!has_bit(visited[k], lane_id())) {
            head[k] = __ldg(&block.graph.in.heads[vertex]);
            input_id[k] = __ldg(&block.graph.input_of[vertex]);
        }
    }
#pragma unroll
    for (unsigned k = 0; k < words; k++) {
        hit[k] =
            find_parent<windowed>(block, (slot + k * warps_of_block()) * WARP_SIZE + lane_id(), slices_in(head[k]));
#pragma unroll
        for (unsigned i = 0; i < FIRST_GROUPS; i++) {
            group[k][i] = {0, 0, 0, 0};
            if (has_groups(head[k]) && !hit[k] && i < head[k].z)
                group[k][i] = __ldg(&block.graph.in.groups[first_group(head[k]) + i]);
        }
    }
#pragma unroll
    for (unsigned k = 0; k < words; k++) {
#pragma unroll
        for (unsigned i = 0; i < FIRST_GROUPS; i++)
            hit[k] |= find_parent<windowed>(block, (slot + k * warps_of_block()) * WARP_SIZE + lane_id(), group[k][i]);
        bool more = has_groups(head[k]) && !hit[k] && head[k].z > FIRST_GROUPS;
        uint32_t mine = slot + k * warps_of_block();
        hit[k] |= cut_looks<windowed>(block, mine * WARP_SIZE + lane_id(), first_group(head[k]) + FIRST_GROUPS,
                                      more ? head[k].z - FIRST_GROUPS : 0);
        if (hit[k]) {
            slices += count_vertex(block, block.own_word(mine) * WARP_SIZE + lane_id(), head[k]);
            block.search.now.level[input_id[k]] = block.level + 1;
        }
        uint32_t found = __ballot_sync(WHOLE_WARP, hit[k] != 0);
        if (lane_id() == 0 && mine < block.rules.words_a_block)
            store_volatile(&block.fresh[mine], found);
    }
    return slices;
}

/* Searches the pieces; LOOK_GROUPS lanes share one. Returns the number of slices of the vertices this lane found. */
template <bool windowed>
DEVICE uint32_t look_at_pieces(any_block auto &block)
{
    const uint2 *looks = block.shared->grid.pieces.looks;
    const uint32_t teams = blockDim.x / LOOK_GROUPS, part = lane_id() % LOOK_GROUPS;
    const uint32_t number = min(load_volatile(&block.shared->num_pieces), block.rules.most_pieces / 2);
    uint32_t slices = 0;
    for (uint32_t first = warp_of_block() * (WARP_SIZE / LOOK_GROUPS); first < number; first += LOOK_UNROLL * teams) {
        uint32_t local[LOOK_UNROLL];
        uint4 group[LOOK_UNROLL];
#pragma unroll
        for (unsigned k = 0; k < LOOK_UNROLL; k++) {
            uint32_t i = first + lane_id() / LOOK_GROUPS + k * teams;
            uint2 piece = i < number ? looks[i] : uint2{0, 0};
            uint32_t count = piece.y & ((1u << COUNT_BITS) - 1);
            local[k] = piece.y >> COUNT_BITS;
            group[k] = {0, 0, 0, 0};
            if (part < count && !has_bit(load_volatile(&block.fresh[local[k] / WARP_SIZE]), local[k]))
                group[k] = __ldg(&block.graph.in.groups[piece.x + part]);
        }
#pragma unroll
        for (unsigned k = 0; k < LOOK_UNROLL; k++) {
            unsigned found = __ballot_sync(WHOLE_WARP, find_parent<windowed>(block, local[k], group[k]) != 0);
            found = found >> (lane_id() - part) & ((1u << LOOK_GROUPS) - 1);
            if (part != 0 || found == 0)
                continue;
            uint32_t before = atomicOr_block(&block.fresh[local[k] / WARP_SIZE], bit_of(local[k]));
            if (has_bit(before, local[k]))
                continue;
            uint32_t vertex = own_vertex(block, local[k]);
            slices += count_vertex(block, vertex, __ldg(&block.graph.in.heads[vertex]));
            block.search.now.level[__ldg(&block.graph.input_of[vertex])] = block.level + 1;
        }
    }
    return slices;
}

/* Runs the level. All threads of the grid call it. The caller then waits at a grid barrier. */
template <bool windowed>
DEVICE void go_bottom_up(any_block auto &block)
{
    uint32_t vertices = 0, slices = 0;
    if (windowed) {
        load_window(block, block.visited);
        __syncthreads();
    }
    if (block.rules.words_a_block <= warps_of_block() && warp_of_block() < block.rules.words_a_block)
        slices += look_at_words<1, windowed>(block, warp_of_block());
    else
        for (uint32_t slot = warp_of_block(); slot < block.rules.words_a_block; slot += 2 * warps_of_block())
            slices += look_at_words<2, windowed>(block, slot);
    __syncthreads();
    slices += look_at_pieces<windowed>(block);
    __syncthreads();
    for (uint32_t slot = threadIdx.x; slot < block.rules.words_a_block; slot += blockDim.x) {
        uint32_t word = block.own_word(slot), found = block.fresh[slot];
        __stcg(&block.next[word], __ldcg(&block.visited[word]) | found);
        vertices += (uint32_t)__popc(found);
    }
    __syncwarp();
    add_sums(block, vertices, slices);
}

} // namespace BACKEND::slices
