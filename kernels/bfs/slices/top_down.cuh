/* top_down.cuh: top-down levels by the whole grid. A block collects the frontier vertices in the words that it owns.
 * It either marks their neighbours at once (MARKS), or counts their slices first (COUNTS) and marks in a second turn
 * (PUSHES).
 *
 * Marks. All blocks set bits in one bitmap of search.marks. The next level collects these bits and ignores vertices
 * that are already visited. There are two such bitmaps, because no barrier separates collecting from marking within a
 * level: a block that is still collecting must not see the marks of this level. A bitmap is never cleared during a
 * search: the vertices of old marks are visited before the bitmap is collected again.
 *
 * The window filters marks. A set bit says that the vertex is visited, or that this block has marked it. Owners may
 * set bits of `visited` while other blocks load their windows. This is harmless: those vertices are in the frontier
 * and need no mark.
 *
 * In a level of many slices ("bulk"), a block marks only in its window, which starts as a copy of `visited`. At the
 * end it adds the changed words to the bitmap. So a word with many marked vertices costs one atomic.
 *
 * Parents. The parent of a vertex is any frontier vertex that marks it before it has a level. `visited` shows the
 * earlier levels. It may lack frontier vertices that other blocks have yet to collect, but the marks of the previous
 * level show those. A block reads the marks of all blocks before it adds its own, and records parents only for
 * vertices without a mark: one load of a word saves up to eight stores. With parents, every mark is added at once;
 * bulk then only means that the window starts as a copy of `visited`. */
#pragma once

#include "state.cuh"

namespace BACKEND::slices
{

/* A piece is up to PIECE_GROUPS groups of a vertex: first group | (number of groups - 1) << PIECE_BITS. */
#define PIECE_GROUPS 4u
#define PIECE_BITS   30u
#define NO_PIECE     UINT32_MAX /* no group has the number 2^PIECE_BITS - 1 */
#define PUSH_UNROLL  4u

/* ---- marking ---- */

/* Marks the neighbours in four slices of a vertex. */
DEVICE void mark_four(any_block auto &block, uint32_t vertex, uint4 slices)
{
    uint32_t slice[4] = {slices.x, slices.y, slices.z, slices.w}, bits[4], word[4], known[4];
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
        word[i] = word_of(slice[i]);
        bits[i] = bits_of(slice[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < 3; i++) /* neighbouring slices often lie in one word */
        if (word[i] == word[i + 1]) {
            bits[i + 1] |= bits[i];
            bits[i] = 0;
        }
#pragma unroll
    for (unsigned i = 0; i < 4; i++)
        known[i] = block.in_window(word[i]) ? load_volatile(&block.window[word[i]]) : 0;
#pragma unroll
    for (unsigned i = 0; i < 4; i++) {
        bool inside = block.in_window(word[i]);
        bits[i] &= ~known[i];
        if (bits[i] != 0 && inside)
            atomicOr_block(&block.window[word[i]], bits[i]);
        if (block.parents)
            bits[i] &= ~load_relaxed_or_zero_if(bits[i] != 0, &block.to_mark[word[i]]);
        if (bits[i] != 0 && (block.parents || !(inside && block.bulk)))
            or_into(&block.to_mark[word[i]], bits[i]);
        if (block.parents && bits[i] != 0)
            record_parent(block, word[i],
                          bits[i] & ~load_relaxed(&block.visited[word[i]]) & ~__ldcg(&block.marked[word[i]]), vertex);
    }
}

/* Marks the vertices that the block has added to its copy of `visited`. Blocks begin at different words. */
DEVICE void mark_window(any_block auto &block)
{
    const uint32_t groups = block.rules.window_words / 4;
    const uint32_t shift = (uint32_t)((uint64_t)groups * blockIdx.x / gridDim.x);
    __syncthreads();
    for (uint32_t i = threadIdx.x; i < groups; i += blockDim.x) {
        uint32_t at = i + shift < groups ? i + shift : i + shift - groups;
        uint4 window = ((const uint4 *)block.window)[at], visited = load_relaxed((const uint4 *)block.visited + at);
        uint32_t added[4] = {window.x & ~visited.x, window.y & ~visited.y, window.z & ~visited.z,
                             window.w & ~visited.w};
#pragma unroll
        for (unsigned k = 0; k < 4; k++)
            if (added[k] != 0)
                or_into(&block.to_mark[4 * at + k], added[k]);
    }
}

/* ---- vertices with groups: cut into pieces, which all warps of the block share ---- */

DEVICE uint32_t pieces_of(uint32_t groups)
{
    return (groups + PIECE_GROUPS - 1) / PIECE_GROUPS;
}

/* Makes piece i of a vertex. first, number: its groups. */
DEVICE uint32_t make_piece(uint32_t first, uint32_t number, uint32_t i)
{
    return (first + PIECE_GROUPS * i) | (min(PIECE_GROUPS, number - PIECE_GROUPS * i) - 1) << PIECE_BITS;
}

/* Reserves `wanted` pieces for each lane. All lanes of the warp must call it. Returns the index of the lane's first
 * piece, which may lie beyond the end of the list. */
DEVICE uint32_t reserve_pieces(uint32_t *num_pieces, uint32_t wanted)
{
    if (!__any_sync(WHOLE_WARP, wanted != 0))
        return 0;
    uint32_t sum = warp_inclusive_sum(wanted), place = 0;
    if (lane_id() == WARP_SIZE - 1)
        place = atomicAdd_block(num_pieces, sum);
    return __shfl_sync(WHOLE_WARP, place, WARP_SIZE - 1) + sum - wanted;
}

/* Returns the maximal number of pieces in a level. With parents it is halved, to store each piece's vertex. */
DEVICE uint32_t most_pieces(const any_block auto &block)
{
    return block.parents ? block.rules.most_pieces / 2 : block.rules.most_pieces;
}

/* Cuts the lanes' vertices with groups into pieces. number: the number of groups; 0 if the lane has no such vertex.
 * If a vertex's pieces do not fit, the warp marks its neighbours at once. */
DEVICE void cut_vertices(any_block auto &block, uint32_t vertex, uint32_t first, uint32_t number)
{
    uint32_t *pieces = block.shared->grid.pieces.marks, *vertices = pieces + most_pieces(block);
    uint32_t wanted = pieces_of(number);
    uint32_t place = reserve_pieces(&block.shared->num_pieces, wanted);
    bool fits = place + wanted <= most_pieces(block);
    auto put = [&](uint32_t at, uint32_t piece, uint32_t of) {
        pieces[at] = piece;
        if (block.parents)
            vertices[at] = of;
    };
    if (!fits)
        for (uint32_t i = place; i < most_pieces(block); i++)
            pieces[i] = NO_PIECE;
    if (fits && wanted <= 4)
        for (uint32_t i = 0; i < wanted; i++)
            put(place + i, make_piece(first, number, i), vertex);
    for (unsigned rest = __ballot_sync(WHOLE_WARP, wanted > 4 || !fits); rest != 0; rest &= rest - 1) {
        int owner = __ffs((int)rest) - 1;
        uint32_t its_first = __shfl_sync(WHOLE_WARP, first, owner), its_number = __shfl_sync(WHOLE_WARP, number, owner);
        uint32_t its_wanted = __shfl_sync(WHOLE_WARP, wanted, owner), its_place = __shfl_sync(WHOLE_WARP, place, owner),
                 its_vertex = block.parents ? __shfl_sync(WHOLE_WARP, vertex, owner) : 0;
        if (its_place + its_wanted <= most_pieces(block))
            for (uint32_t i = lane_id(); i < its_wanted; i += WARP_SIZE)
                put(its_place + i, make_piece(its_first, its_number, i), its_vertex);
        else
            for (uint32_t i = lane_id(); i < its_number; i += WARP_SIZE)
                mark_four(block, its_vertex, __ldg(&block.graph.out.groups[its_first + i]));
    }
}

/* Marks the neighbours in all pieces of the block. PIECE_GROUPS lanes share a piece. */
DEVICE void mark_pieces(any_block auto &block)
{
    const uint32_t *pieces = block.shared->grid.pieces.marks, *vertices = pieces + most_pieces(block);
    const uint32_t lanes = blockDim.x / PIECE_GROUPS, part = threadIdx.x % PIECE_GROUPS;
    __syncthreads();
    const uint32_t number = min(load_volatile(&block.shared->num_pieces), most_pieces(block));
    for (uint32_t i = threadIdx.x / PIECE_GROUPS; i < number; i += PUSH_UNROLL * lanes) {
        uint32_t vertex[PUSH_UNROLL];
        uint4 group[PUSH_UNROLL];
#pragma unroll
        for (unsigned k = 0; k < PUSH_UNROLL; k++) {
            uint32_t piece = i + k * lanes < number ? pieces[i + k * lanes] : NO_PIECE;
            vertex[k] = block.parents && piece != NO_PIECE ? vertices[i + k * lanes] : 0;
            group[k] = {0, 0, 0, 0};
            if (piece != NO_PIECE && part <= piece >> PIECE_BITS)
                group[k] = __ldg(&block.graph.out.groups[(piece & ((1u << PIECE_BITS) - 1)) + part]);
        }
#pragma unroll
        for (unsigned k = 0; k < PUSH_UNROLL; k++)
            mark_four(block, vertex[k], group[k]);
    }
}

/* Marks the neighbours of the high-degree vertices that were listed before the last barrier. All warps of the grid
 * share each vertex, in chunks of a group per lane. The first chunks of different vertices go to different warps. */
DEVICE void mark_high_degree(any_block auto &block)
{
    const uint32_t number = __ldcg(count_of(block.search.num_high_degree, block.round - 1)), first_chunk = 97;
    const struct team warps = spread_warps();
    for (uint32_t base = 0; base < number; base += WARP_SIZE) {
        uint32_t i = base + lane_id(), vertex = 0, first = 0, groups = 0, chunk = 0;
        if (i < number) {
            if (block.parents)
                vertex = __ldcg(&block.search.high_degree_ids[i]);
            first = __ldcg(&block.search.high_degree[i].first_group);
            groups = __ldcg(&block.search.high_degree[i].num_groups);
            chunk = (warps.rank + warps.size - i * first_chunk % warps.size) % warps.size;
        }
        for (unsigned rest = __ballot_sync(WHOLE_WARP, chunk * WARP_SIZE < groups); rest != 0; rest &= rest - 1) {
            int owner = __ffs((int)rest) - 1;
            uint32_t its_first = __shfl_sync(WHOLE_WARP, first, owner), end = __shfl_sync(WHOLE_WARP, groups, owner);
            uint32_t its_vertex = block.parents ? __shfl_sync(WHOLE_WARP, vertex, owner) : 0;
            uint32_t at = __shfl_sync(WHOLE_WARP, chunk, owner) * WARP_SIZE + lane_id();
            for (; at < end; at += warps.size * WARP_SIZE)
                mark_four(block, its_vertex, __ldg(&block.graph.out.groups[its_first + at]));
        }
    }
}

/* ---- collecting ---- */

/* Returns the frontier vertices in one of the block's words, and makes them visited. */
DEVICE uint32_t collect_word(any_block auto &block, enum frontier from, uint32_t slot)
{
    uint32_t word = block.own_word(slot), vertices;
    if (from == IN_FRESH)
        return block.fresh[slot];
    uint32_t visited = __ldcg(&block.visited[word]), resumed = 0;
    vertices = __ldcg(&block.marked[word]);
    if (from == IN_RESUMED)
        resumed = __ldcg(&block.search.now.resumed[word]);
    vertices &= ~visited;
    if (vertices != 0)
        store_relaxed(&block.visited[word], visited | vertices);
    if (resumed != 0) /* these vertices are visited */
        __stcg(&block.search.now.resumed[word], 0u);
    return vertices | resumed;
}

/* Lists the vertices of up to WARP_WORDS words, one word per lane, for the warp. Returns their number. */
DEVICE uint32_t list_vertices(const any_block auto &block, uint32_t vertices)
{
    uint8_t *list = block.shared->grid.lists[warp_of_block()];
    uint32_t number = (uint32_t)__popc(vertices), end = number;
#pragma unroll
    for (unsigned step = 1; step < WARP_WORDS; step *= 2) {
        uint32_t left = __shfl_up_sync(WHOLE_WARP, end, step);
        end += lane_id() >= step ? left : 0;
    }
    uint32_t total = __shfl_sync(WHOLE_WARP, end, WARP_WORDS - 1), place = end - number;
    __syncwarp();
    for (; vertices != 0; vertices &= vertices - 1)
        list[place++] = (uint8_t)(lane_id() * WARP_SIZE + (uint32_t)__ffs((int)vertices) - 1);
    __syncwarp();
    return total;
}

/* What a turn has to do. */
struct task {
    enum frontier from;
    bool marks; /* mark the neighbours; otherwise keep the vertices in `fresh` and list high-degree vertices */
};

/* Marks or counts the `number` vertices that the warp has listed from word `base` on. Returns the lane's slices. */
DEVICE uint32_t handle_vertices(any_block auto &block, struct task task, uint32_t base, uint32_t number)
{
    const uint8_t *list = block.shared->grid.lists[warp_of_block()];
    uint32_t slices = 0;
    for (uint32_t first = 0; first < number; first += 2 * WARP_SIZE) {
        uint32_t vertex[2];
        vertex_t input_id[2];
        uint4 head[2];
        bool has[2];
#pragma unroll
        for (unsigned k = 0; k < 2; k++) {
            uint32_t i = first + k * WARP_SIZE + lane_id();
            has[k] = i < number;
            uint32_t entry = has[k] ? list[i] : 0;
            vertex[k] = block.own_word(base + entry / WARP_SIZE * warps_of_block()) * WARP_SIZE + entry % WARP_SIZE;
            head[k] = {0, 0, 0, 0};
            input_id[k] = 0;
            if (has[k]) {
                head[k] = __ldg(&block.graph.out.heads[vertex[k]]);
                if (task.from != IN_FRESH)
                    input_id[k] = __ldg(&block.graph.input_of[vertex[k]]);
            }
        }
#pragma unroll
        for (unsigned k = 0; k < 2; k++) {
            if (first + k * WARP_SIZE >= number)
                break;
            if (has[k] && task.from != IN_FRESH)
                block.search.now.level[input_id[k]] = block.level;
            slices += slices_of(head[k]);
            bool is_high_degree = has_groups(head[k]) && head[k].z > block.rules.high_degree_groups;
            if (!task.marks) {
                if (is_high_degree)
                    list_high_degree(block, vertex[k], first_group(head[k]), head[k].z);
                continue;
            }
            bool shares = is_high_degree && task.from == IN_FRESH; /* the turn that counted it has listed it */
            mark_four(block, vertex[k], slices_in(head[k]));
            cut_vertices(block, vertex[k], first_group(head[k]), has_groups(head[k]) && !shares ? head[k].z : 0);
        }
    }
    return slices;
}

/* Runs MARKS, COUNTS or PUSHES. All threads of the grid call it. The caller then waits at a grid barrier. */
DEVICE void go_top_down(any_block auto &block, struct task task)
{
    uint32_t vertices = 0, slices = 0;
    if (task.marks && block.bulk) {
        load_window(block, block.visited);
        __syncthreads();
    }
    for (uint32_t base = warp_of_block(); base < block.rules.words_a_block; base += warps_of_block() * WARP_WORDS) {
        uint32_t slot = base + warps_of_block() * lane_id(), word = 0;
        if (lane_id() < WARP_WORDS && slot < block.rules.words_a_block) {
            word = collect_word(block, task.from, slot);
            if (!task.marks)
                block.fresh[slot] = word;
        }
        if (!__any_sync(WHOLE_WARP, word != 0))
            continue;
        uint32_t number = list_vertices(block, word);
        vertices += lane_id() == 0 ? number : 0;
        slices += handle_vertices(block, task, base, number);
    }
    add_sums(block, vertices, slices);
    if (!task.marks)
        return;
    mark_pieces(block);
    if (task.from == IN_FRESH)
        mark_high_degree(block);
    if (block.bulk && !block.parents)
        mark_window(block);
}

} // namespace BACKEND::slices
