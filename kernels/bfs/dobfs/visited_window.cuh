/* visited_window.cuh: how bottom-up levels look up visited vertices: in the current bitmap in device memory, and in
 * the window, a copy of its first words in shared memory. High-degree vertices have the lowest ids, so most look-ups
 * hit the window. This file also has the arguments and the counts of a bottom-up level. */
#pragma once

#include "state.cuh"

namespace BACKEND::dobfs
{

#define WINDOW_FROM 16u /* the window pays off while more than 1 / WINDOW_FROM of the vertices are unvisited */

/* The vertices that were visited before the level. */
struct view {
    const uint32_t *bitmap;
    uint32_t window_words; /* words copied to the window; a word of zeros follows them */
};

/* Returns the window's address, computed here so that the compiler knows it to be in shared memory. */
DEVICE uint32_t *window_of_block(void)
{
    return (uint32_t *)(block_shared<struct shared>() + 1);
}

/* Ors a vertex's bit of `word` into bit 0 of bits; the other bits become meaningless. With parents, stores the vertex
 * in match instead, if it is visited. */
template <bool parents>
DEVICE void add_look(uint32_t word, vertex_t id, uint32_t &bits, vertex_t &match)
{
    uint32_t look = __funnelshift_r(word, 0, id);
    if (!parents)
        bits |= look;
    else if (look & 1)
        match = id;
}

/* Returns in bit 0 whether a packed neighbour inside the window is visited; the other bits are meaningless. For ids
 * beyond the window, reads the word of zeros. match: with parents, set to the first visited neighbour. */
template <typename format, bool parents>
DEVICE uint32_t look_inside(const struct view &view, uint4 packed, vertex_t &match)
{
    vertex_t ids[format::number];
    uint32_t bits = 0;
    const uint32_t *window = window_of_block();
    format::unpack(packed, ids);
#pragma unroll
    for (unsigned i = format::number; i-- > 0;)
        add_look<parents>(window[min(ids[i] / WARP_SIZE, view.window_words)], ids[i], bits, match);
    return parents ? match != NO_VERTEX : bits;
}

/* Looks in packed[i], for both i at once, for a visited neighbour beyond the window if searches[i] is set. If there
 * is one, sets bit 0 of bits[i] and, with parents, match[i]. Each round reads format::at_once words of the bitmap for
 * each i. one_vertex: both packed words belong to one vertex, so a visited neighbour in one ends the search for
 * both. */
template <typename format, bool windowed, bool one_vertex, bool parents>
DEVICE void look_beyond(const struct view &view, const uint4 (&packed)[2], bool (&searches)[2], uint32_t (&bits)[2],
                        vertex_t (&match)[2])
{
    const unsigned at_once = format::at_once;
    vertex_t ids[2][format::number];
    static_assert(format::number % at_once == 0, "rounds are of equal length");
    format::unpack(packed[0], ids[0]);
    format::unpack(packed[1], ids[1]);
#pragma unroll
    for (unsigned first = 0; first < format::number; first += at_once) {
        uint32_t words[2][at_once];
#pragma unroll
        for (unsigned i = 0; i < 2; i++)
#pragma unroll
            for (unsigned j = 0; j < at_once; j++) {
                vertex_t id = ids[i][first + j];
                bool is_beyond = id != format::none && (!windowed || id >= view.window_words * WARP_SIZE);
                words[i][j] = load_relaxed_or_zero_if(searches[i] && is_beyond, bitmap_word(view.bitmap, id));
            }
#pragma unroll
        for (unsigned i = 0; i < 2; i++)
#pragma unroll
            for (unsigned j = at_once; j-- > 0;)
                add_look<parents>(words[i][j], ids[i][first + j], bits[i], match[i]);
#pragma unroll
        for (unsigned i = 0; i < 2; i++)
            bits[i] = parents ? match[i] != NO_VERTEX : bits[i];
#pragma unroll
        for (unsigned i = 0; i < 2; i++)
            searches[i] = searches[i] && !((one_vertex ? bits[0] | bits[1] : bits[i]) & 1);
    }
}

/* Sets hit[i] if a neighbour in packed[i] is visited. one_vertex: if both words have a visited neighbour, may set
 * only one hit. With parents, match[i] is the first visited neighbour inside the window, or otherwise one beyond it.
 * First neighbours have the highest degrees, so results.cuh finds their input ids in shared memory. Reads device
 * memory only for words without a visited neighbour inside the window. All lanes of the warp must call it. */
template <typename format, bool windowed, bool one_vertex, bool parents>
DEVICE void look_up(const struct view &view, const uint4 (&packed)[2], bool (&hit)[2], vertex_t (&match)[2])
{
    uint32_t bits[2];
    bool searches[2];
#pragma unroll
    for (unsigned i = 0; i < 2; i++) {
        match[i] = NO_VERTEX;
        bits[i] = windowed ? look_inside<format, parents>(view, packed[i], match[i]) : 0;
    }
#pragma unroll
    for (unsigned i = 0; i < 2; i++)
        searches[i] = !((one_vertex ? bits[0] | bits[1] : bits[i]) & 1) &&
                      (!windowed || format::beyond(packed[i], view.window_words * WARP_SIZE));
    if (__any_sync(WHOLE_WARP, searches[0] || searches[1]))
        look_beyond<format, windowed, one_vertex, parents>(view, packed, searches, bits, match);
#pragma unroll
    for (unsigned i = 0; i < 2; i++)
        hit[i] = bits[i] & 1;
}

/* Returns the bitmap word that holds a vertex's bit; any word for NO_VERTEX. */
template <bool windowed>
DEVICE uint32_t word_of(const struct view &view, vertex_t id)
{
    bool near = windowed && id < view.window_words * WARP_SIZE;
    uint32_t near_word = near ? *bitmap_word(window_of_block(), id) : 0;
    uint32_t far_word = load_relaxed_if(!near && id != NO_VERTEX, bitmap_word(view.bitmap, id));
    return near ? near_word : far_word;
}

/* Returns whether the level copies the beginning of the bitmap into the window. */
DEVICE bool has_window(const struct rules &rules, const struct progress &at, vertex_t num_ids)
{
    return rules.window_words > 0 && (at.frontier == FRONTIER_MARKED || at.unvisited > num_ids / WINDOW_FROM);
}

/* The arguments of a bottom-up level. They are in shared memory, because stage 1 needs the registers. */
template <typename csr_t>
struct bottom_up_pass {
    struct view view;
    struct queue high_degree; /* remaining edges of high-degree vertices, which all warps search together */
    uint32_t *next;           /* the next bitmap */
    uint8_t *bytes;
    csr_t in;                    /* pairs of pointers here and above are 16-byte aligned, for copies of both at once */
    vertex_t *parent_by_id;      /* NULL unless parents are recorded */
    vertex_t *high_degree_ids;   /* the vertices of that queue */
    uint64_t *high_degree_count; /* count of that queue */
    unsigned edge_bits;          /* copy of rules.edge_bits */
    uint8_t byte;                /* level byte of the vertices found */
    bool queues;                 /* high-degree vertices are queued; otherwise a warp searches its lists alone */
};

/* Tells passes apart from other types. Functions for all kinds of lists take `any_pass auto &`. */
template <typename type>
constexpr bool is_pass = false;
template <typename csr_t>
constexpr bool is_pass<bottom_up_pass<csr_t>> = true;
template <typename type>
concept any_pass = is_pass<std::remove_const_t<type>>;

template <typename csr_t>
DEVICE bottom_up_pass<csr_t> *pass_of_block(void)
{
    static_assert(sizeof(bottom_up_pass<csr_t>) <= PASS_BYTES, "shared.pass is large enough");
    return (bottom_up_pass<csr_t> *)block_shared<struct shared>()->pass;
}

DEVICE struct warp_scratch *scratch_of_warp(void)
{
    return &block_shared<struct shared>()->warps[threadIdx.x / WARP_SIZE];
}

/* Returns the warp's sums in the format of a bottom-up level's count. found_late: vertices found in stage 3, which
 * were first counted as unvisited. */
DEVICE uint64_t tally_of(uint32_t found, uint32_t found_late, uint32_t unvisited)
{
    found = __reduce_add_sync(WHOLE_WARP, found);
    found_late = __reduce_add_sync(WHOLE_WARP, found_late);
    unvisited = __reduce_add_sync(WHOLE_WARP, unvisited);
    return (uint64_t)(found + found_late) << 32 | (unvisited - found_late);
}

/* Adds the sum of the tallies of the block's warps to *count. Before the first warp adds its tally, shared->tally is
 * 0 or just the flag HIGH_DEGREE_QUEUED. All threads of the block must call it. */
DEVICE void add_tally(struct shared *shared, uint64_t mine, uint64_t *count)
{
    typedef unsigned long long wide_t;
    if (lane_id() == 0)
        atomicAdd((wide_t *)&shared->tally, (wide_t)mine);
    __syncthreads();
    if (threadIdx.x > 0)
        return;
    uint64_t tally = *(volatile uint64_t *)&shared->tally;
    if (tally & HIGH_DEGREE_QUEUED)
        atomicOr((wide_t *)count, (wide_t)HIGH_DEGREE_QUEUED);
    atomicAdd((wide_t *)count, (wide_t)(tally & ~HIGH_DEGREE_QUEUED));
}

} // namespace BACKEND::dobfs
