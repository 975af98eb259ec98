/* listed.cuh: levels whose rows are listed in shared memory: top-down levels of few rows, where collecting marks from
 * bitmaps would take most of the time.
 *
 * A row is claimed by an atomic that sets its bit in `visited`. It is expanded by who claimed it (alone.cuh), or by
 * the block to which it was sent (mailed.cuh). The window is a filter, as in top_down.cuh: its bits are visited rows.
 * When one block runs levels alone and the window holds the whole bitmap, the window itself decides who claims a row,
 * and `visited` follows by reductions.
 *
 * No list limits a level. A row for which a list has no room is put into search.resumed; its claim stands. The level
 * after it is run by the grid. A high-degree vertex is not expanded here but listed: all blocks mark its neighbours before the next
 * level (mark_high_degree), which is then run by the grid, too. */
#ifndef GTRAV_BFS_SLICES_LISTED_CUH
#define GTRAV_BFS_SLICES_LISTED_CUH

#include "top_down.cuh"

namespace BACKEND::slices
{

#define ROW_LANES   HEAD_SLICES /* lanes that read a head, a slice each */
#define WARP_ROWS   (WARP_SIZE / ROW_LANES)
#define PIECE_LANES (PIECE_QUADS * HEAD_SLICES) /* that read a piece, a slice each */
#define UNROLL      4u                          /* slices that a lane has in flight */

#define FOUND_HIGH_DEGREE (1u << 31) /* flag in found.rows: the block has listed high-degree vertices */

/* Where a block puts the rows that it claims. number->rows may exceed rules.list_rows; the rows beyond it are in
 * search.resumed. */
struct claims {
    uint32_t *rows; /* rules.list_rows */
    struct found *number;
};

/* The number of rows that are listed, of `found` rows. */
static __device__ __forceinline__ uint32_t listed(const struct rules &rules, uint32_t found)
{
    return min(found & ~FOUND_HIGH_DEGREE, rules.list_rows);
}

/* Whether rows are in search.resumed. */
static __device__ __forceinline__ bool has_spilled(const struct rules &rules, uint32_t found)
{
    return (found & ~FOUND_HIGH_DEGREE) > rules.list_rows;
}

/* Appends the rows that a lane has claimed in a word. */
template <bool full>
static __device__ __forceinline__ void append_claimed(const struct block<full> &block, uint32_t word, uint32_t bits,
                                                      const struct claims &claims)
{
    if (bits == 0)
        return;
    uint32_t place = atomicAdd_block(&claims.number->rows, (uint32_t)__popc(bits)) & ~FOUND_HIGH_DEGREE;
    for (; bits != 0; bits &= bits - 1, place++) {
        uint32_t row = word * WARP_SIZE + (uint32_t)__ffs((int)bits) - 1;
        if (place < block.rules.list_rows)
            claims.rows[place] = row;
        else
            set_bit(block.search.resumed, row);
    }
}

/* Claims the unvisited neighbours in the lane's slices. alone: no other block runs. */
template <bool alone, unsigned number, bool full>
static __device__ __forceinline__ void claim(const struct block<full> &block, const uint32_t (&slices)[number],
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
        if (alone && full)
            old[i] = bits[i] != 0 ? atomicOr_block(&block.window[word[i]], bits[i]) : 0;
        else
            old[i] = or_if(bits[i] != 0, &block.visited[word[i]], bits[i]);
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        if (alone && full) {
            if ((bits[i] & ~old[i]) != 0)
                or_into(&block.visited[word[i]], bits[i] & ~old[i]);
        } else if (bits[i] != 0 && block.in_window(word[i])) {
            atomicOr_block(&block.window[word[i]], bits[i] | old[i]);
        }
        append_claimed(block, word[i], bits[i] & ~old[i], claims);
    }
}

/* ---- long rows ---- */

/* Cuts the long rows of a warp into pieces for the whole block. Four lanes hold a row each: quads, 0 if it is not
 * long. A row that is a high-degree vertex, or has no room, is listed for all blocks. */
template <bool full>
static __device__ __forceinline__ void cut_listed(const struct block<full> &block, uint32_t first, uint32_t quads,
                                                  const struct claims &claims)
{
    const uint32_t part = lane_id() % ROW_LANES, wanted = pieces_of(quads);
    bool fits = wanted > 0 && quads <= block.rules.high_degree_quads;
    uint32_t place = fits && part == 0 ? atomicAdd_block(&claims.number->pieces, wanted) : 0;
    place = __shfl_sync(WHOLE_WARP, place, (int)(lane_id() - part));
    fits = fits && place + wanted <= LISTED_PIECES;
    for (uint32_t i = part; i < (fits ? wanted : 0); i += ROW_LANES)
        block.shared->pieces[place + i] = make_piece(first, quads, i);
    if (wanted > 0 && !fits && part == 0) {
        for (uint32_t i = place; i < LISTED_PIECES && quads <= block.rules.high_degree_quads; i++)
            block.shared->pieces[i] = NO_PIECE;
        list_high_degree(block, first, quads);
        atomicOr_block(&claims.number->rows, FOUND_HIGH_DEGREE);
    }
}

/* Claims the neighbours in all pieces of the block, and in a slice that each lane holds. Returns the number of slices
 * that the lane has read. All threads of the block must call it. */
template <bool alone, bool full>
static __device__ __forceinline__ uint32_t claim_pieces(const struct block<full> &block, uint32_t held,
                                                        const struct claims &claims)
{
    const uint32_t *quads = (const uint32_t *)block.graph.out.quads, *pieces = block.shared->pieces;
    const uint32_t step = blockDim.x / PIECE_LANES, part = threadIdx.x % PIECE_LANES;
    uint32_t sum = 0, i = threadIdx.x / PIECE_LANES, slices[UNROLL + 1];
    __syncthreads();
    const uint32_t number = min(load_volatile(&claims.number->pieces), LISTED_PIECES);
    slices[UNROLL] = held;
    while (__any_sync(WHOLE_WARP, i < number || slices[UNROLL] != 0)) {
#pragma unroll
        for (unsigned k = 0; k < UNROLL; k++, i += step) {
            uint32_t piece = i < number ? pieces[i] : NO_PIECE;
            slices[k] = 0;
            if (piece != NO_PIECE && part / HEAD_SLICES <= piece >> PIECE_BITS)
                slices[k] = __ldg(&quads[HEAD_SLICES * (size_t)(piece & ((1u << PIECE_BITS) - 1)) + part]);
            sum += slices[k] != 0;
        }
        claim<alone>(block, slices, claims);
        slices[UNROLL] = 0;
    }
    return sum;
}

/* The same for one row, by one warp. */
template <bool alone, bool full>
static __device__ __forceinline__ uint32_t claim_quads(const struct block<full> &block, uint32_t first,
                                                       uint32_t number, const struct claims &claims)
{
    const uint32_t *quads = (const uint32_t *)(block.graph.out.quads + first), end = HEAD_SLICES * number;
    uint32_t sum = 0;
#pragma unroll 1
    for (uint32_t i = lane_id(); i - lane_id() < end; i += 2 * WARP_SIZE) {
        uint32_t slices[2];
#pragma unroll
        for (unsigned k = 0; k < 2; k++)
            slices[k] = i + k * WARP_SIZE < end ? __ldg(&quads[i + k * WARP_SIZE]) : 0;
        sum += (slices[0] != 0) + (slices[1] != 0);
        claim<alone>(block, slices, claims);
    }
    return sum;
}

/* ---- rows ---- */

/* Expands `number` rows: writes their levels and claims their neighbours. one_warp: one warp does it alone, for at
 * most WARP_ROWS rows; otherwise all threads of the block must call it. Returns the number of slices that the lane
 * has read. */
template <bool alone, bool one_warp, bool full>
static __device__ __forceinline__ uint32_t expand_rows(const struct block<full> &block, const uint32_t *rows,
                                                       uint32_t number, const struct claims &claims)
{
    const uint32_t *heads = (const uint32_t *)block.graph.out.heads, part = lane_id() % ROW_LANES;
    const struct team warps = one_warp ? team{0, 1} : block_warps();
    uint32_t sum = 0, held[1] = {0};
#pragma unroll 1
    for (uint32_t base = warps.rank; base < number; base += WARP_ROWS * warps.size) {
        uint32_t i = base + lane_id() / ROW_LANES * warps.size, row = i < number ? rows[i] : 0, slice = 0;
        vertex_t vertex = 0;
        if (i < number) {
            slice = __ldg(&heads[HEAD_SLICES * (size_t)row + part]);
            if (part == 0)
                vertex = __ldg(&block.graph.input_of[row]);
        }
        if (!one_warp && base != warps.rank)
            claim<alone>(block, held, claims);
        uint32_t last = __shfl_sync(WHOLE_WARP, slice, (int)(lane_id() | (ROW_LANES - 1)));
        uint32_t quads = __shfl_sync(WHOLE_WARP, slice, (int)(lane_id() - part + LONG_SLICES));
        quads = last & LONG_ROW ? quads : 0;
        held[0] = quads > 0 && part >= LONG_SLICES ? 0 : slice;
        sum += held[0] != 0;
        if (one_warp)
            claim<alone>(block, held, claims);
        if (i < number && part == 0)
            block.search.level[vertex] = block.level;
        unsigned longer = __ballot_sync(WHOLE_WARP, part == 0 && quads > 0);
        if (!one_warp && longer != 0)
            cut_listed(block, last & ~LONG_ROW, quads, claims);
        for (; one_warp && longer != 0; longer &= longer - 1) {
            int owner = __ffs((int)longer) - 1;
            uint32_t first = __shfl_sync(WHOLE_WARP, last, owner) & ~LONG_ROW;
            uint32_t its_quads = __shfl_sync(WHOLE_WARP, quads, owner);
            if (its_quads <= block.rules.high_degree_quads)
                sum += claim_quads<alone>(block, first, its_quads, claims);
            else
                cut_listed(block, first, (int)lane_id() < 1 ? its_quads : 0, claims);
        }
    }
    return one_warp ? sum : sum + claim_pieces<alone>(block, held[0], claims);
}

/* Appends listed rows to search.list; there is room. */
template <bool full>
static __device__ __forceinline__ void list_for_grid(const struct block<full> &block, const uint32_t *rows,
                                                     uint32_t number)
{
    for (uint32_t first = threadIdx.x - lane_id(); first < number; first += blockDim.x) {
        uint32_t i = first + lane_id();
        warp_append<1>(count_of(block.search.num_listed, block.round), {i < number},
                       [&](unsigned, uint32_t place) { __stcg(&block.search.list[place], rows[i]); });
    }
}

/* Puts listed rows into search.resumed, for a level of the grid. */
template <bool full>
static __device__ __forceinline__ void resume_rows(const struct block<full> &block, const uint32_t *rows,
                                                   uint32_t number)
{
    for (uint32_t i = threadIdx.x; i < number; i += blockDim.x)
        set_bit(block.search.resumed, rows[i]);
}

} // namespace BACKEND::slices

#endif
