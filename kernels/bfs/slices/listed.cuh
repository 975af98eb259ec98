/* listed.cuh: top-down levels of few vertices ("listed" levels), whose frontier is a list in shared memory. In such
 * levels, collecting marks from bitmaps would take most of the time.
 *
 * A block claims a vertex by setting its bit in `visited` with an atomic. The block that claims a vertex expands it
 * (run_single_block) or sends it to the block that will (exchange.cuh). As in top_down.cuh, the window is a filter: a
 * set bit means a visited vertex. When one block runs levels alone and its window holds the whole bitmap, it claims
 * by atomics on the window, and a reduction updates `visited`.
 *
 * The size of a list does not limit a level. If a list has no room for a vertex, the vertex goes to search.resumed,
 * and the grid runs the next level. A high-degree vertex goes to a list of all blocks, which mark its neighbours
 * (mark_high_degree) before the grid runs the next level. */
#pragma once

#include "top_down.cuh"

namespace BACKEND::slices
{

#define VERTEX_LANES  HEAD_SLICES /* number of lanes that read a head, one slice each */
#define WARP_VERTICES (WARP_SIZE / VERTEX_LANES)
#define PIECE_LANES   (PIECE_GROUPS * HEAD_SLICES) /* number of lanes that read a piece, one slice each */
#define UNROLL        4u                           /* number of slices that a lane loads together */

#define FOUND_HIGH_DEGREE (1u << 31) /* flag in found.vertices: the block has found high-degree vertices */

/* The list of the vertices that a block claims. number->vertices may exceed rules.list_vertices; the excess vertices
 * are in search.resumed. */
struct claims {
    uint32_t *vertices; /* rules.list_vertices */
    struct found *number;
};

/* Returns the number of vertices in the list. found: found.vertices of the list. */
DEVICE uint32_t listed(const struct rules &rules, uint32_t found)
{
    return min(found & ~FOUND_HIGH_DEGREE, rules.list_vertices);
}

/* Returns whether some vertices went to search.resumed because the list was full. */
DEVICE bool has_spilled(const struct rules &rules, uint32_t found)
{
    return (found & ~FOUND_HIGH_DEGREE) > rules.list_vertices;
}

/* Appends the vertices of the set bits of a word to the list of claims. */
DEVICE void append_claimed(const any_block auto &block, uint32_t word, uint32_t bits, const struct claims &claims)
{
    if (bits == 0)
        return;
    uint32_t place = atomicAdd_block(&claims.number->vertices, (uint32_t)__popc(bits)) & ~FOUND_HIGH_DEGREE;
    for (; bits != 0; bits &= bits - 1, place++) {
        uint32_t vertex = word * WARP_SIZE + (uint32_t)__ffs((int)bits) - 1;
        if (place < block.rules.list_vertices)
            claims.vertices[place] = vertex;
        else
            set_bit(block.search.now.resumed, vertex);
    }
}

/* Claims the unvisited neighbours in the lane's slices. vertices: the vertex that each slice belongs to.
 * single_block: no other block is running. */
template <bool single_block, unsigned number>
DEVICE void claim(const any_block auto &block, const uint32_t (&vertices)[number], const uint32_t (&slices)[number],
                  const struct claims &claims)
{
    uint32_t bits[number], word[number], old[number];
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        word[i] = word_of(slices[i]);
        bits[i] = bits_of(slices[i]);
        if (bits[i] != 0 && block.in_window(word[i]))
            bits[i] &= ~load_volatile(&block.window[word[i]]);
    }
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        if (single_block && block.full)
            old[i] = bits[i] != 0 ? atomicOr_block(&block.window[word[i]], bits[i]) : 0;
        else
            old[i] = or_if(bits[i] != 0, &block.visited[word[i]], bits[i]);
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        if (single_block && block.full) {
            if ((bits[i] & ~old[i]) != 0)
                or_into(&block.visited[word[i]], bits[i] & ~old[i]);
        } else if (bits[i] != 0 && block.in_window(word[i])) {
            atomicOr_block(&block.window[word[i]], bits[i] | old[i]);
        }
        record_parent(block, word[i], bits[i] & ~old[i], vertices[i]);
        append_claimed(block, word[i], bits[i] & ~old[i], claims);
    }
}

/* ---- vertices with groups ---- */

/* Cuts the groups of a warp's vertices into pieces for the whole block. VERTEX_LANES lanes hold one vertex, which has
 * `groups` groups. A high-degree vertex, or one whose pieces do not fit, is listed for all blocks instead. */
DEVICE void cut_listed(const any_block auto &block, uint32_t vertex, uint32_t first, uint32_t groups,
                       const struct claims &claims)
{
    const uint32_t part = lane_id() % VERTEX_LANES, wanted = pieces_of(groups);
    bool fits = wanted > 0 && groups <= block.rules.high_degree_groups;
    uint32_t place = fits && part == 0 ? atomicAdd_block(&claims.number->pieces, wanted) : 0;
    place = __shfl_sync(WHOLE_WARP, place, (int)(lane_id() - part));
    fits = fits && place + wanted <= LISTED_PIECES;
    for (uint32_t i = part; i < (fits ? wanted : 0); i += VERTEX_LANES) {
        block.shared->pieces[place + i] = make_piece(first, groups, i);
        if (block.parents)
            block.shared->piece_vertices[place + i] = vertex;
    }
    if (wanted > 0 && !fits && part == 0) {
        for (uint32_t i = place; i < LISTED_PIECES && groups <= block.rules.high_degree_groups; i++)
            block.shared->pieces[i] = NO_PIECE;
        list_high_degree(block, vertex, first, groups);
        atomicOr_block(&claims.number->vertices, FOUND_HIGH_DEGREE);
    }
}

/* Claims the neighbours in all pieces of the block and in the slice `held` of vertex `holder`. Returns the number of
 * slices read by this lane. All threads of the block must call it. */
template <bool single_block>
DEVICE uint32_t claim_pieces(const any_block auto &block, uint32_t holder, uint32_t held, const struct claims &claims)
{
    const uint32_t *groups = (const uint32_t *)block.graph.out.groups, *pieces = block.shared->pieces;
    const uint32_t step = blockDim.x / PIECE_LANES, part = threadIdx.x % PIECE_LANES;
    uint32_t sum = 0, i = threadIdx.x / PIECE_LANES, vertices[UNROLL + 1], slices[UNROLL + 1];
    __syncthreads();
    const uint32_t number = min(load_volatile(&claims.number->pieces), LISTED_PIECES);
    vertices[UNROLL] = holder;
    slices[UNROLL] = held;
    while (__any_sync(WHOLE_WARP, i < number || slices[UNROLL] != 0)) {
#pragma unroll
        for (unsigned k = 0; k < UNROLL; k++, i += step) {
            uint32_t piece = i < number ? pieces[i] : NO_PIECE;
            vertices[k] = block.parents && piece != NO_PIECE ? block.shared->piece_vertices[i] : 0;
            slices[k] = 0;
            if (piece != NO_PIECE && part / HEAD_SLICES <= piece >> PIECE_BITS)
                slices[k] = __ldg(&groups[HEAD_SLICES * (size_t)(piece & ((1u << PIECE_BITS) - 1)) + part]);
            sum += slices[k] != 0;
        }
        claim<single_block>(block, vertices, slices, claims);
        slices[UNROLL] = 0;
    }
    return sum;
}

/* Claims the neighbours in a vertex's groups. One warp calls it. Returns the number of slices read by this lane. */
template <bool single_block>
DEVICE uint32_t claim_groups(const any_block auto &block, uint32_t vertex, uint32_t first, uint32_t number,
                             const struct claims &claims)
{
    const uint32_t *groups = (const uint32_t *)(block.graph.out.groups + first), end = HEAD_SLICES * number;
    uint32_t sum = 0;
#pragma unroll 1
    for (uint32_t i = lane_id(); i - lane_id() < end; i += 2 * WARP_SIZE) {
        uint32_t slices[2];
#pragma unroll
        for (unsigned k = 0; k < 2; k++)
            slices[k] = i + k * WARP_SIZE < end ? __ldg(&groups[i + k * WARP_SIZE]) : 0;
        sum += (slices[0] != 0) + (slices[1] != 0);
        claim<single_block>(block, {vertex, vertex}, slices, claims);
    }
    return sum;
}

/* ---- vertices ---- */

/* Expands `number` vertices: writes their levels and claims their neighbours. With one_warp, one warp calls it for
 * at most WARP_VERTICES vertices; otherwise all threads of the block do. Returns the number of slices read by this
 * lane. */
template <bool single_block, bool one_warp>
DEVICE uint32_t expand_vertices(const any_block auto &block, const uint32_t *vertices, uint32_t number,
                                const struct claims &claims)
{
    const uint32_t *heads = (const uint32_t *)block.graph.out.heads, part = lane_id() % VERTEX_LANES;
    const struct team warps = one_warp ? team{0, 1} : block_warps();
    uint32_t sum = 0, holder[1] = {0}, held[1] = {0};
#pragma unroll 1
    for (uint32_t base = warps.rank; base < number; base += WARP_VERTICES * warps.size) {
        uint32_t i = base + lane_id() / VERTEX_LANES * warps.size, vertex = i < number ? vertices[i] : 0, slice = 0;
        vertex_t input_id = 0;
        if (i < number) {
            slice = __ldg(&heads[HEAD_SLICES * (size_t)vertex + part]);
            if (part == 0)
                input_id = __ldg(&block.graph.input_of[vertex]);
        }
        if (!one_warp && base != warps.rank)
            claim<single_block>(block, holder, held, claims);
        uint32_t last = __shfl_sync(WHOLE_WARP, slice, (int)(lane_id() | (VERTEX_LANES - 1)));
        uint32_t groups = __shfl_sync(WHOLE_WARP, slice, (int)(lane_id() - part + FIRST_SLICES));
        groups = last & HAS_GROUPS ? groups : 0;
        holder[0] = vertex;
        held[0] = groups > 0 && part >= FIRST_SLICES ? 0 : slice;
        sum += held[0] != 0;
        if (one_warp)
            claim<single_block>(block, holder, held, claims);
        if (i < number && part == 0)
            block.search.now.level[input_id] = block.level;
        unsigned longer = __ballot_sync(WHOLE_WARP, part == 0 && groups > 0);
        if (!one_warp && longer != 0)
            cut_listed(block, vertex, last & ~HAS_GROUPS, groups, claims);
        for (; one_warp && longer != 0; longer &= longer - 1) {
            int owner = __ffs((int)longer) - 1;
            uint32_t first = __shfl_sync(WHOLE_WARP, last, owner) & ~HAS_GROUPS;
            uint32_t its_groups = __shfl_sync(WHOLE_WARP, groups, owner);
            uint32_t its_vertex = block.parents ? __shfl_sync(WHOLE_WARP, vertex, owner) : 0;
            if (its_groups <= block.rules.high_degree_groups)
                sum += claim_groups<single_block>(block, its_vertex, first, its_groups, claims);
            else
                cut_listed(block, its_vertex, first, (int)lane_id() < 1 ? its_groups : 0, claims);
        }
    }
    return one_warp ? sum : sum + claim_pieces<single_block>(block, holder[0], held[0], claims);
}

/* Appends vertices of the block's list to search.list, which has room for them. */
DEVICE void list_for_grid(const any_block auto &block, const uint32_t *vertices, uint32_t number)
{
    for (uint32_t first = threadIdx.x - lane_id(); first < number; first += blockDim.x) {
        uint32_t i = first + lane_id();
        warp_append<1>(count_of(block.search.num_listed, block.round), {i < number},
                       [&](unsigned, uint32_t place) { __stcg(&block.search.list[place], vertices[i]); });
    }
}

/* Moves vertices of the block's list to search.resumed, for a level of the grid. */
DEVICE void resume_vertices(const any_block auto &block, const uint32_t *vertices, uint32_t number)
{
    for (uint32_t i = threadIdx.x; i < number; i += blockDim.x)
        set_bit(block.search.now.resumed, vertices[i]);
}

/* ---- consecutive levels of few vertices, run by block 0 while the other blocks wait at the barrier ----
 *
 * A level costs one block barrier. A single warp runs a level of at most ONE_WARP_VERTICES vertices, which needs no
 * barrier. A path may have millions of levels, and the other blocks give up a wait that takes too long. So a turn
 * ends after TURN_LEVELS levels at the latest, and all blocks run the next few levels. */

#define ONE_WARP_VERTICES WARP_VERTICES
#define TURN_LEVELS       (1u << 20) /* turns end at its multiples: after a second or two, before waits time out */

/* Returns whether block 0 continues alone after a level. found: found.vertices of the level. */
DEVICE bool stays_single_block(const any_block auto &block, uint32_t found)
{
    return found > 0 && found <= block.rules.single_block_vertices && /* FOUND_HIGH_DEGREE exceeds any limit */
           block.level % TURN_LEVELS != 0;
}

/* Runs levels while they are small enough for one warp, or for one block. vertices: the size of the frontier, in list
 * `level % 2`. Leaves the level reached in block.level. Returns found.vertices of the last level. */
template <bool one_warp>
DEVICE uint32_t run_levels(any_block auto &block, uint32_t vertices)
{
    struct shared *shared = block.shared;
    uint32_t found = vertices;
    do {
        struct found *number = count_of(shared->single_block, block.level);
        if (threadIdx.x == 0)
            *count_of(shared->single_block, block.level + 1) = {};
        expand_vertices<true, one_warp>(block, shared->lists[block.level % 2], found,
                                        {shared->lists[(block.level + 1) % 2], number});
        if (one_warp)
            __syncwarp();
        else
            __syncthreads();
        found = load_volatile(&number->vertices); /* the next level uses another count */
        block.level++;
        trace_level(block, block.level, SINGLE_BLOCK);
    } while (stays_single_block(block, found) && (found <= ONE_WARP_VERTICES) == one_warp);
    return found;
}

/* Block 0's report to the other blocks after it has run levels alone. */
struct report {
    uint32_t vertices; /* vertices of the next frontier */
    uint32_t levels;   /* levels that block 0 ran */
    bool high_degree;  /* the frontier has high-degree vertices */
};
#define SUM_HIGH_DEGREE (1u << (SUM_SLICE_BITS - 1)) /* report.high_degree, as a flag in the sum of vertices */

/* Reads the report. Block 0 sends it through the barrier in place of the sums. */
DEVICE struct report report_in(const struct sums &sums)
{
    return {sums.vertices & ~SUM_HIGH_DEGREE, sums.slices, (sums.vertices & SUM_HIGH_DEGREE) != 0};
}

/* Runs levels by block 0 alone until the frontier is empty, is too large, has high-degree vertices, or the turn ends.
 * At the start the frontier's `vertices` vertices are in search.list; at level 0 the source is in list 0. At the end
 * the frontier is in search.list. It is in search.resumed if it does not fit into lists or lacks the neighbours of
 * high-degree vertices. The next barrier carries the report. Only block 0 calls it, with all threads. */
DEVICE void run_single_block(any_block auto &block, uint32_t vertices)
{
    struct shared *shared = block.shared;
    const uint32_t first = block.level;
    uint32_t found = vertices;
    if (first > 0) {
        if (block.full)
            load_window(block, block.visited);
        for (uint32_t i = threadIdx.x; i < vertices; i += blockDim.x)
            shared->lists[block.level % 2][i] = __ldcg(&block.search.list[i]);
    }
    if (threadIdx.x == 0)
        *count_of(shared->single_block, block.level) = {};
    __syncthreads();
    do {
        if (found > ONE_WARP_VERTICES) {
            found = run_levels<false>(block, found);
            __syncthreads(); /* one warp would soon clear the last count, which all threads must read first */
            continue;
        }
        if (warp_of_block() == 0) {
            found = run_levels<true>(block, found);
            if (lane_id() == 0) {
                store_volatile(&shared->found, found);
                store_volatile(&shared->level, block.level);
            }
        }
        __syncthreads();
        found = load_volatile(&shared->found);
        block.level = load_volatile(&shared->level);
    } while (stays_single_block(block, found));
    const uint32_t *list = shared->lists[block.level % 2];
    if (has_spilled(block.rules, found) || (found & FOUND_HIGH_DEGREE))
        resume_vertices(block, list, listed(block.rules, found));
    else
        for (uint32_t i = threadIdx.x; i < listed(block.rules, found); i += blockDim.x)
            __stcg(&block.search.list[i], list[i]);
    if (threadIdx.x == 0) {
        shared->vertices = (found & ~FOUND_HIGH_DEGREE) | (found & FOUND_HIGH_DEGREE ? SUM_HIGH_DEGREE : 0);
        shared->slices = block.level - first;
    }
}

} // namespace BACKEND::slices
