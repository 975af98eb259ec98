/* state.cuh: slices, the prepared graph, the arrays of a search, shared memory, and a thread's view of the search.
 *
 * A slice is one word for up to 8 neighbours: index of a byte in the bitmaps (24 bits) | mask of bits in that byte (8
 * bits). One load from the bitmap tests all eight, and one atomic marks them. The order of the vertices (build.cuh)
 * puts vertices with common neighbours side by side, so that slices are full. An empty slice has an empty mask.
 *
 * Every vertex with neighbours has an id on the device, which is its bit in the bitmaps, and a head of four words:
 *   up to four slices     slice | slice | slice | slice
 *   more                  slice | slice | number of groups | HAS_GROUPS, first group
 * A group is four slices; all vertices share the array of groups.
 *
 * Ownership. Block b owns every word w of the bitmaps with w % blocks = b. In levels of the grid, only the owner
 * writes a word of `visited` or `next`. In listed levels (listed.cuh), all blocks set bits of `visited` by atomics. A
 * grid barrier separates the two kinds.
 *
 * The frontier of a level is in one of five places:
 *   in the lists of shared memory     listed levels (listed.cuh, exchange.cuh)
 *   in `list`                         between two kinds of listed levels
 *   in `marks`                        after a top-down level of the grid; visited vertices are ignored
 *   in `fresh`, in shared memory      after COUNTS, or after a bottom-up level
 *   in `resumed`                      after listed levels that found too many vertices for lists */
#pragma once

#include "../../device/bitmap.cuh"
#include "../../device/ids.cuh"
#include "../../device/mailbox.cuh"
#include "../../device/summing_barrier.cuh"
#include "../../device/warp.cuh"

namespace BACKEND::slices
{

#define SLICE_VERTICES 8u         /* neighbours in a slice */
#define WORD_BYTES     4u         /* bytes in a word of a bitmap; a byte holds SLICE_VERTICES vertices */
#define HEAD_SLICES    4u         /* slices in the head of a vertex without groups, and in a group */
#define FIRST_SLICES   2u         /* slices in the head of a vertex with groups */
#define HAS_GROUPS     (1u << 31) /* flag in the last word of a head; the other bits are the first group */
#define MOST_VERTICES  (1u << 26) /* maximal number of vertices; keeps the bit HAS_GROUPS 0 in every slice */
#define MOST_GROUPS    (1ull << 30)

/* The slices of all vertices, of their out-neighbours or of their in-neighbours. */
struct neighbours {
    const uint4 *heads; /* one head per vertex */
    const uint4 *groups;
};

DEVICE uint32_t make_slice(uint32_t vertex)
{
    return vertex / SLICE_VERTICES << SLICE_VERTICES | 1u << vertex % SLICE_VERTICES;
}

/* Returns the index of the bitmap word that holds a slice's neighbours, and their bits in that word. */
DEVICE uint32_t word_of(uint32_t slice)
{
    return slice / (1u << SLICE_VERTICES) / WORD_BYTES;
}

DEVICE uint32_t bits_of(uint32_t slice)
{
    return (slice & 0xff) << (slice >> SLICE_VERTICES) % WORD_BYTES * SLICE_VERTICES;
}

DEVICE bool has_groups(uint4 head)
{
    return (head.w & HAS_GROUPS) != 0;
}

DEVICE uint32_t first_group(uint4 head)
{
    return head.w & ~HAS_GROUPS;
}

/* Returns the number of slices of a vertex, with the padding of its last group. */
DEVICE uint32_t slices_of(uint4 head)
{
    return has_groups(head) ? FIRST_SLICES + HEAD_SLICES * head.z
                            : (head.x != 0) + (head.y != 0) + (head.z != 0) + (head.w != 0);
}

/* Returns the slices in the head, with empty slices in place of the number of groups and the first group. */
DEVICE uint4 slices_in(uint4 head)
{
    return has_groups(head) ? uint4{head.x, head.y, 0, 0} : head;
}

#define BLOCK_THREADS 640u /* largest block; more threads spill registers, fewer make wide levels slower */
#define BLOCK_WARPS   (BLOCK_THREADS / WARP_SIZE)
#define WARP_WORDS    8u     /* words of a bitmap that a warp collects at a time */
#define LIST_VERTICES 2048u  /* maximal number of vertices in a block's list */
#define GRID_LIST     8192u  /* entries of search.list; limit on the vertices of a level that is run by exchange */
#define MOST_PIECES   10240u /* maximal number of pieces per block and level */
#define LISTED_PIECES 512u   /* limit on pieces in a listed level; other vertices are left to the grid */

/* ---- device memory ---- */

struct prepared_graph {
    vertex_t num_vertices;
    uint32_t num_ids;   /* vertices that are not isolated */
    uint32_t num_words; /* words of a bitmap, which has more bits than num_ids, since some ids have no vertex */
    bool spread;        /* consecutive bytes of the order lie in different words (build.cuh) */
    uint64_t num_slices;
    struct neighbours out, in; /* equal if the graph is symmetric; in.heads is NULL if no level may be bottom-up */
    const vertex_t *input_of;  /* num_words * 32; the input id of each id; NO_VERTEX if the id has no vertex */
    const uint32_t *id_of;     /* num_vertices; the id of each input id; NO_VERTEX if isolated */
    const uint32_t *absent;    /* bitmap of the ids without a vertex, which count as visited */
};

/* A vertex whose neighbours all blocks mark together. */
struct high_degree_vertex {
    uint32_t first_group, num_groups;
};

/* The arrays that a search must find reset. There are two sets, which consecutive searches use in turn. While block 0
 * runs the first levels alone, the other blocks reset the set of the next search, which nothing else uses meanwhile.
 * The end of the kernel orders these writes before the next search. */
struct arrays {
    uint32_t *visited;
    uint32_t *marks[2]; /* bitmaps; a level collects the marks in one and sets marks in the other */
    uint32_t *resumed;  /* bitmap; the frontier if the whole grid goes on after a listed level, else empty */
    uint32_t *level;    /* the result, by input id; padded to a multiple of four */
};

/* Device memory of a search. Bitmaps are padded to the same number of words for each block, and to 16 bytes. */
struct search {
    struct arrays now, later; /* of this search; of the next one */
    uint32_t *next;           /* bitmap; a bottom-up level reads `visited` and writes `next`, then they swap roles */
    uint32_t *list;           /* GRID_LIST; a small frontier between levels of listed.cuh and exchange.cuh */
    uint32_t *num_listed;     /* NUM_COUNTS counters; round r of the barrier uses counter r % NUM_COUNTS */
    struct high_degree_vertex *high_degree;
    uint32_t *num_high_degree; /* NUM_COUNTS counters; round r of the barrier uses counter r % NUM_COUNTS */
    uint64_t *elapsed_ns;      /* duration of the last search */
    struct summing_barrier *barrier;
    struct mailboxes mailboxes;
    uint32_t *overflow;        /* 2 * blocks * LIST_VERTICES; by parity of the epoch and sender */
    uint32_t *parent;          /* num_words * 32; parent ids by id; NULL if only levels are wanted */
    uint32_t *high_degree_ids; /* the ids of the vertices in search.high_degree; NULL without parents */
    struct level_end *trace;   /* num_vertices + 2, by level; NULL without --profile */
};

/* The host's decisions, the same for all searches of a run. */
struct rules {
    uint32_t words_a_block;         /* words of a bitmap that each block owns */
    uint32_t window_words;          /* words of a bitmap that each block copies to shared memory */
    uint32_t high_degree_groups;    /* a vertex of more groups counts as high-degree: all blocks share it */
    uint32_t list_vertices;         /* size of a block's list; at most LIST_VERTICES */
    uint32_t most_pieces;           /* maximal number of pieces per block and level; at most MOST_PIECES */
    uint32_t single_block_vertices; /* limit on vertices of a level that one block runs; at most list_vertices */
    uint32_t exchange_vertices;     /* limit on the vertices of a listed level */
    uint32_t exchange_slices;       /* after a listed level of more slices, the grid runs the next level */
    uint32_t bulk_slices;           /* a top-down level of more slices marks in shared memory first */
    uint32_t alpha;       /* bottom-up if the frontier has more than 1 / alpha of the unvisited slices; 0: never */
    uint32_t count_share; /* after a level of more than 1 / count_share of the slices, the next level counts first */
    uint32_t few_slices;  /* top-down if neither the frontier nor the unvisited vertices have more slices */
    uint32_t mean_slices; /* mean number of slices of a vertex, rounded up */
    uint32_t num_slices;  /* slices of the graph; it and few_slices are in units of 2^sum_shift */
    uint32_t sum_shift;   /* log2 of the unit of slices in sums, so that a sum fits into SUM_SLICE_BITS */
};

/* ---- progress ---- */

/* The kinds of turns. */
enum kind {
    SINGLE_BLOCK, /* block 0 runs levels alone (listed.cuh) */
    EXCHANGE,     /* all blocks run levels and send each other the vertices (exchange.cuh) */
    HIGH_DEGREE,  /* completes a listed level: marks the neighbours of its high-degree vertices (top_down.cuh) */
    MARKS,        /* a whole top-down level: collects the frontier and marks its neighbours */
    COUNTS,       /* the first half of a level: collects the frontier and counts slices, to choose the direction */
    PUSHES,       /* the second half, top-down: marks the neighbours */
    BOTTOM_UP,    /* the second half, bottom-up: looks for visited in-neighbours (bottom_up.cuh) */
    DONE,
    BROKEN /* a wait took too long */
};

enum frontier {
    IN_MARKS,
    IN_FRESH,
    IN_LIST,   /* search.list */
    IN_RESUMED /* search.resumed, and the marks if listed levels left high-degree vertices to the grid */
};

/* The progress of the search. Every block has the same copy in shared memory; one of its threads updates it at the
 * end of a level. Copies in the registers of each thread would take more instructions. */
struct progress {
    enum kind kind;
    enum frontier from;
    bool swapped_bitmaps, swapped_marks; /* `visited` and `next`, or the two bitmaps of marks, have swapped roles */
    uint32_t level;                      /* level of the frontier's vertices */
    uint32_t round, epoch;               /* round of the barrier; epoch of the messages */
    uint32_t vertices, slices;           /* size of the frontier; `slices` may lag one level behind */
    uint32_t left;                       /* estimated number of slices of unvisited vertices */
};

/* Each block's word in the barrier's sum: vertices << SUM_SLICE_BITS | slices in units of 2^rules.sum_shift. */
#define SUM_SLICE_BITS 28u

struct sums {
    uint32_t vertices, slices;
};

/* ---- shared memory ---- */

/* What a block has found in a listed level. */
struct found {
    uint32_t vertices; /* vertices that the block has claimed, plus the flag FOUND_HIGH_DEGREE (listed.cuh) */
    uint32_t pieces;   /* pieces of the claimed vertices with groups */
};

/* The counts of a block in an epoch of messages. They are cleared one epoch before. */
struct exchange_counts {
    struct found found;
    uint32_t read;         /* slices that the block has read */
    struct found received; /* vertices that the block has received */
};

/* Shared memory of a block. The arrays `fresh` and `window` of struct block follow it. */
struct __align__(16) shared
{
    struct progress at;
    uint32_t vertices, slices; /* sums of this block since the last barrier; slices in units of 2^sum_shift */
    uint32_t num_pieces;
    uint32_t own;                          /* exchange.cuh: number of vertices received */
    bool goes_on;                          /* exchange.cuh: the next level is also an exchange */
    uint32_t found, level;                 /* block 0 alone: result of the levels that one warp ran */
    struct found single_block[NUM_COUNTS]; /* block 0 alone: the counts of each level, in rotation */
    struct exchange_counts exchange[2];    /* indexed by the parity of the epoch */
    union {
        struct {                              /* used in listed levels */
            uint32_t lists[2][LIST_VERTICES]; /* vertices of the frontier; vertices found */
            uint32_t pieces[LISTED_PIECES];
            uint32_t piece_vertices[LISTED_PIECES]; /* the vertex of each piece; only with parents */
        };
        struct {                                                /* used in levels of the grid */
            uint8_t lists[BLOCK_WARPS][WARP_WORDS * WARP_SIZE]; /* per warp: index of the word << 5 | bit */
            union {
                uint32_t marks[MOST_PIECES];  /* top_down.cuh; with parents, the pieces' vertices follow */
                uint2 looks[MOST_PIECES / 2]; /* bottom_up.cuh */
            } pieces;
        } grid;
    };
};
static_assert(sizeof(struct shared) % sizeof(uint4) == 0, "the window is copied in units of 16 bytes");

/* ---- a thread's view ---- */

/* A block's view of a search during a level. full: the window holds all of the bitmap. parents: record parents.
 * profiled: record the ends of levels; without it, a kernel saves the registers for a test of the trace's pointer. */
template <bool is_full, bool has_parents, bool is_profiled>
struct block {
    static constexpr bool full = is_full, parents = has_parents, profiled = is_profiled;

    const struct prepared_graph &graph;
    const struct search &search;
    const struct rules &rules;
    struct shared *shared;
    uint32_t *fresh;              /* rules.words_a_block; the frontier vertices in the words that the block owns */
    uint32_t *window;             /* rules.window_words; a copy of the beginning of a bitmap */
    uint32_t *visited, *next;     /* the bitmaps of this search in their current roles */
    uint32_t *marked, *to_mark;   /* from search.now.marks: the frontier's marks; the next level's marks */
    uint32_t round, epoch, level; /* copies of the members of shared->at */
    bool bulk;                    /* the level marks in the window first */

    __device__ __forceinline__ bool in_window(uint32_t word) const
    {
        return full || word < rules.window_words;
    }

    /* Returns the index of word `slot` of the words that the block owns. */
    __device__ __forceinline__ uint32_t own_word(uint32_t slot) const
    {
        return slot * gridDim.x + blockIdx.x;
    }
};

/* Holds for the types of views only. A parameter for any of them is `any_block auto &`. */
template <typename type>
constexpr bool is_block = false;
template <bool full, bool parents, bool profiled>
constexpr bool is_block<struct block<full, parents, profiled>> = true;
template <typename type>
concept any_block = is_block<std::remove_const_t<type>>;

DEVICE unsigned warp_of_block(void)
{
    return threadIdx.x / WARP_SIZE;
}

DEVICE unsigned warps_of_block(void)
{
    return blockDim.x / WARP_SIZE;
}

/* Copies the beginning of a bitmap into the window. A block barrier must follow. Owners may write words meanwhile, so
 * the four words of one load may be of different times. Any such value of a word is correct (top_down.cuh). */
DEVICE void load_window(const any_block auto &block, const uint32_t *bitmap)
{
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < block.rules.window_words / 4; i += blockDim.x)
        ((uint4 *)block.window)[i] = load_relaxed((const uint4 *)bitmap + i);
}

/* Records the end of a level. If inlined, it would make the kernel spill registers. */
static __device__ __attribute__((noinline)) void end_turn(struct level_end *trace, uint32_t level, enum kind kind)
{
    if (is_first_thread())
        end_level(trace, level, kind == BOTTOM_UP ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN, kind);
}

/* Records the end of the turn, or part of a turn, that found this level, if the run is profiled. */
DEVICE void trace_level(const any_block auto &block, uint32_t level, enum kind kind)
{
    if (block.profiled)
        end_turn(block.search.trace, level, kind);
}

/* Adds the lanes' vertices and slices to the block's sums. All lanes of the warp must call it. */
DEVICE void add_sums(const any_block auto &block, uint32_t vertices, uint32_t slices)
{
    vertices = __reduce_add_sync(WHOLE_WARP, vertices);
    slices = __reduce_add_sync(WHOLE_WARP, slices);
    if (lane_id() == 0 && (vertices | slices) != 0) {
        atomicAdd_block(&block.shared->vertices, vertices);
        atomicAdd_block(&block.shared->slices, (slices >> block.rules.sum_shift) + (block.rules.sum_shift > 0));
    }
}

/* Waits at the grid barrier. One thread of each block calls decide(at, sums), which updates the block's progress from
 * the sums of all blocks since the last barrier. */
DEVICE void wait_for_all(const any_block auto &block, auto decide)
{
    struct shared *shared = block.shared;
    sum_and_wait(
        block.search.barrier, block.round,
        [&]() {
            uint64_t mine = (uint64_t)shared->vertices << SUM_SLICE_BITS | shared->slices;
            shared->vertices = shared->slices = shared->num_pieces = 0;
            return mine;
        },
        [&](uint64_t sum) {
            if (blockIdx.x == 0) {
                __stcg(count_of(block.search.num_listed, block.round + 2), 0u);
                __stcg(count_of(block.search.num_high_degree, block.round + 2), 0u);
            }
            struct sums sums = {(uint32_t)(sum >> SUM_SLICE_BITS), (uint32_t)sum & ((1u << SUM_SLICE_BITS) - 1)};
            shared->at.round = block.round + 1;
            if (sum == UINT64_MAX)
                shared->at.kind = BROKEN;
            else
                decide(shared->at, sums);
        });
}

/* Adds a vertex to the list of high-degree vertices, whose neighbours all blocks mark after the next barrier. */
DEVICE void list_high_degree(const any_block auto &block, uint32_t vertex, uint32_t first, uint32_t number)
{
    uint32_t at = atomicAdd(count_of(block.search.num_high_degree, block.round), 1u);
    block.search.high_degree[at] = {first, number};
    if (block.parents)
        block.search.high_degree_ids[at] = vertex;
}

/* Records a vertex as the parent of the vertices of some bits of a word. Several threads may do so for one vertex:
 * each stores a valid parent, and a store of four bytes is atomic, so any of them may be the last. */
DEVICE void record_parent(const any_block auto &block, uint32_t word, uint32_t bits, uint32_t parent)
{
    if (block.parents)
        for (; bits != 0; bits &= bits - 1)
            block.search.parent[word * WARP_SIZE + (uint32_t)__ffs((int)bits) - 1] = parent;
}

} // namespace BACKEND::slices
