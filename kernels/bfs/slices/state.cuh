/* state.cuh: slices, the prepared graph, the arrays of a search, shared memory, and what a thread knows of the
 * search.
 *
 * A slice is one word for up to 8 neighbours: the number of a byte of the visited bitmap, and a mask of bits in it.
 * So one look at the bitmap tests all of them, and one atomic marks them. The order of the vertices (build.cuh) puts
 * vertices with common neighbours side by side, so that slices are full.
 *
 * A vertex with neighbours has an id of its own on the device, a bit of each bitmap, and a head of 16 bytes.
 * Up to four slices lie in the head. If there are more, the head has the first two, the number of groups, and the
 * first group in an array that all vertices share; a group is four slices. Empty slices have an empty mask.
 *
 * Ownership. Block b owns every word w of the bitmaps with w % blocks = b. In levels of the grid, only the owner
 * writes a word of `visited` or `next`. In listed levels (listed.cuh), all blocks set bits of `visited` by atomics. A
 * barrier of the grid lies between the two.
 *
 * The frontier of a level is in one of five places:
 *   in the lists of shared memory     listed levels (listed.cuh, exchange.cuh)
 *   in `list`                         between two kinds of listed levels
 *   in `marks`                        after a top-down level of the grid; visited vertices in it do not count
 *   in `fresh`, in shared memory      after a level that collected it, or a bottom-up level
 *   in `resumed`                      after listed levels, if it is too large for them */
#pragma once

#include "../../device/bitmap.cuh"
#include "../../device/ids.cuh"
#include "../../device/mailbox.cuh"
#include "../../device/summing_barrier.cuh"
#include "../../device/warp.cuh"

namespace BACKEND::slices
{

#define SLICE_VERTICES 8u         /* neighbours of a slice */
#define WORD_BYTES     4u         /* bytes in a word of a bitmap, each of SLICE_VERTICES vertices */
#define HEAD_SLICES    4u         /* in the head of a vertex without groups, and in a group */
#define FIRST_SLICES   2u         /* in the head of a vertex with groups */
#define HAS_GROUPS     (1u << 31) /* flag in the last word of a head; the other bits: the first group */
#define MOST_VERTICES  (1u << 26) /* so that no slice has the bit HAS_GROUPS */
#define MOST_GROUPS    (1ull << 30)

/* The slices of all vertices, for out-neighbours or for in-neighbours. */
struct neighbours {
    const uint4 *heads; /* by vertex */
    const uint4 *groups;
};

DEVICE uint32_t make_slice(uint32_t vertex)
{
    return vertex / SLICE_VERTICES << SLICE_VERTICES | 1u << vertex % SLICE_VERTICES;
}

/* The word of a bitmap, and the bits in it, of a slice's neighbours. */
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

/* The number of slices of a vertex, counting the padding of its last group. */
DEVICE uint32_t slices_of(uint4 head)
{
    return has_groups(head) ? FIRST_SLICES + HEAD_SLICES * head.z
                            : (head.x != 0) + (head.y != 0) + (head.z != 0) + (head.w != 0);
}

/* The slices that lie in the head. */
DEVICE uint4 slices_in(uint4 head)
{
    return has_groups(head) ? uint4{head.x, head.y, 0, 0} : head;
}

#define BLOCK_THREADS 640u /* at most; with more, registers spill, and with fewer, wide levels take longer */
#define BLOCK_WARPS   (BLOCK_THREADS / WARP_SIZE)
#define WARP_WORDS    8u     /* words of a bitmap that a warp collects at a time */
#define LIST_VERTICES 2048u  /* the most vertices that a block lists */
#define GRID_LIST     8192u  /* vertices of search.list; the most vertices of a level by exchange */
#define MOST_PIECES   10240u /* parts of vertices with groups that a block divides among its warps in a level */
#define LISTED_PIECES 512u   /* the same in a listed level; the vertices of more are left to the grid */

/* ---- device memory ---- */

struct prepared_graph {
    vertex_t num_vertices;
    uint32_t num_ids;   /* of vertices that are not isolated */
    uint32_t num_words; /* of a bitmap of the ids; some of these have no vertex */
    bool spread;        /* how ids follow from the order (build.cuh) */
    uint64_t num_slices;
    struct neighbours out, in; /* equal if the graph is symmetric; in.heads is NULL if no level is bottom-up */
    const vertex_t *input_of;  /* num_words * 32: by vertex */
    const uint32_t *id_of;     /* num_vertices: by input id; NO_VERTEX if isolated */
    const uint32_t *absent;    /* bitmap: the ids without a vertex; they count as visited */
};

/* A vertex that all blocks share. */
struct high_degree_vertex {
    uint32_t first_group, num_groups;
};

/* Bitmaps are padded to the same number of words for each block, and to 16 bytes. */
struct search {
    uint32_t *visited, *next; /* bitmaps: a bottom-up level reads one and writes the other */
    uint32_t *marks[2];       /* bitmaps: a level that collects one marks in the other */
    uint32_t *resumed;        /* bitmap: empty unless listed levels have left the frontier there */
    uint32_t *list;       /* GRID_LIST: vertices of a small frontier, between levels of listed.cuh and exchange.cuh */
    uint32_t *num_listed; /* NUM_COUNTS: by round of the barrier */
    struct high_degree_vertex *high_degree;
    uint32_t *num_high_degree; /* NUM_COUNTS: by round of the barrier */
    uint64_t *elapsed_ns;      /* of the last search */
    struct summing_barrier *barrier;
    struct mailboxes mailboxes;
    uint32_t *overflow;        /* 2 * blocks * LIST_VERTICES: by parity and sender */
    uint32_t *level;           /* the result, by input id; padded to a multiple of four */
    uint32_t *parent;          /* num_words * 32: by vertex, a vertex; NULL: the search is for levels alone */
    uint32_t *high_degree_ids; /* which vertices search.high_degree are; NULL without parents */
};

/* The host's decisions for all searches. */
struct rules {
    uint32_t words_a_block;         /* of a bitmap */
    uint32_t window_words;          /* of a bitmap that each block keeps in shared memory */
    uint32_t high_degree_groups;    /* a vertex of more groups is a high-degree vertex: all blocks share it */
    uint32_t list_vertices;         /* vertices that a block lists, at most LIST_VERTICES */
    uint32_t most_pieces;           /* at most MOST_PIECES */
    uint32_t single_block_vertices; /* one block runs a level of up to so many vertices; at most list_vertices */
    uint32_t exchange_vertices;     /* a level of up to so many vertices is listed */
    uint32_t exchange_slices;       /* a listed level of more slices is followed by one of the grid */
    uint32_t bulk_slices;           /* a top-down level of more slices marks in shared memory first */
    uint32_t alpha;       /* bottom-up if the frontier has more than 1 / alpha of the unvisited slices; 0: never */
    uint32_t count_share; /* after a level of more than 1 / count_share of the slices, a level counts first */
    uint32_t mean_slices; /* of a vertex, rounded up */
    uint32_t num_slices;  /* of the graph, in the same units */
    uint32_t sum_shift;   /* sums of slices are in units of 2^sum_shift */
};

/* ---- progress ---- */

/* How the search goes on. */
enum kind {
    SINGLE_BLOCK, /* levels by block 0 (listed.cuh) */
    EXCHANGE,     /* levels by all blocks, which send each other the vertices (exchange.cuh) */
    HIGH_DEGREE,  /* marks the neighbours of high-degree vertices that a listed level has left (top_down.cuh) */
    MARKS,        /* a top-down level: collects and marks */
    COUNTS,       /* the first half of a level: collects and counts, so that its direction can be chosen */
    PUSHES,       /* the second half: marks */
    BOTTOM_UP,    /* the second half: looks for visited in-neighbours (bottom_up.cuh) */
    DONE,
    BROKEN /* a wait took too long */
};

enum frontier {
    IN_MARKS,
    IN_FRESH,
    IN_LIST,   /* search.list */
    IN_RESUMED /* and in the marks, if listed levels have left high-degree vertices to the grid */
};

/* The progress of the search. Every block has a copy in shared memory, with the same values; one thread of each block
 * changes it, at the end of a level. That takes fewer instructions than if every thread had a copy in registers. */
struct progress {
    enum kind kind;
    enum frontier from;
    bool swapped_bitmaps, swapped_marks; /* of struct search: which one is which */
    uint32_t level, round, epoch;        /* level: of the frontier; rounds of the barrier, epochs of the messages */
    uint32_t vertices, slices;           /* of the frontier; the slices may be those of the level before */
    uint32_t left;                       /* slices of the unvisited vertices, an estimate */
};

/* What a barrier adds up: vertices << SUM_SLICE_BITS | slices, in units of 2^rules.sum_shift, which keeps them below
 * 2^28. */
#define SUM_SLICE_BITS 28u

struct sums {
    uint32_t vertices, slices;
};

/* ---- shared memory ---- */

/* What a block counts in a listed level: vertices that it has claimed, and the flag FOUND_HIGH_DEGREE (listed.cuh);
 * pieces of vertices with groups. */
struct found {
    uint32_t vertices, pieces;
};

/* What a block counts in an epoch of messages; cleared in the epoch before. */
struct exchange_counts {
    struct found found;
    uint32_t read;         /* slices that this block has read */
    struct found received; /* vertices that it has received */
};

/* Followed by fresh and by the window. */
struct __align__(16) shared
{
    struct progress at;
    uint32_t vertices, slices; /* of this block since the last barrier; slices in units of 2^sum_shift */
    uint32_t num_pieces;
    uint32_t own;                          /* exchange.cuh: vertices received */
    bool goes_on;                          /* exchange.cuh: whether the next level is an exchange, too */
    uint32_t found, level;                 /* block 0 alone: what one warp tells the others */
    struct found single_block[NUM_COUNTS]; /* block 0 alone: by level */
    struct exchange_counts exchange[2];    /* by parity of the epoch */
    union {
        struct {                              /* listed levels */
            uint32_t lists[2][LIST_VERTICES]; /* vertices of the frontier, vertices found */
            uint32_t pieces[LISTED_PIECES];
            uint32_t piece_vertices[LISTED_PIECES]; /* whose pieces they are; of searches for parents */
        };
        struct {                                                /* levels of the grid */
            uint8_t lists[BLOCK_WARPS][WARP_WORDS * WARP_SIZE]; /* word of the warp << 5 | bit */
            union {
                uint32_t marks[MOST_PIECES];  /* top_down.cuh; the second half: their vertices, for parents */
                uint2 looks[MOST_PIECES / 2]; /* bottom_up.cuh */
            } pieces;
        } grid;
    };
};
static_assert(sizeof(struct shared) % sizeof(uint4) == 0, "the window is copied in units of 16 bytes");

/* ---- what a thread knows ---- */

/* A block's view of the search during a level. full: the window holds the whole bitmap. parents: the search records
 * them. Functions take it as `auto`. */
template <bool is_full, bool has_parents>
struct block {
    static constexpr bool full = is_full, parents = has_parents;

    const struct prepared_graph &graph;
    const struct search &search;
    const struct rules &rules;
    struct shared *shared;
    uint32_t *fresh;              /* rules.words_a_block: frontier vertices in the words that the block owns */
    uint32_t *window;             /* rules.window_words: the beginning of a bitmap */
    uint32_t *visited, *next;     /* of search */
    uint32_t *marked, *to_mark;   /* of search.marks */
    uint32_t round, epoch, level; /* of shared->at */
    bool bulk;                    /* the level marks in the window first */

    __device__ __forceinline__ bool in_window(uint32_t word) const
    {
        return full || word < rules.window_words;
    }

    /* The word of a bitmap that the block owns: number `slot` of them. */
    __device__ __forceinline__ uint32_t own_word(uint32_t slot) const
    {
        return slot * gridDim.x + blockIdx.x;
    }
};

DEVICE unsigned warp_of_block(void)
{
    return threadIdx.x / WARP_SIZE;
}

DEVICE unsigned warps_of_block(void)
{
    return blockDim.x / WARP_SIZE;
}

/* Copies the beginning of a bitmap into the window. A block barrier must follow. Owners may write words meanwhile:
 * the four words of a load may come from different moments, and each is right by itself (top_down.cuh). */
DEVICE void load_window(const auto &block, const uint32_t *bitmap)
{
#pragma unroll 4
    for (uint32_t i = threadIdx.x; i < block.rules.window_words / 4; i += blockDim.x)
        ((uint4 *)block.window)[i] = load_relaxed((const uint4 *)bitmap + i);
}

/* Adds a lane's slices and a warp's vertices (lane 0's) to the block's sums. All lanes of the warp must call it. */
DEVICE void add_sums(const auto &block, uint32_t vertices, uint32_t slices)
{
    vertices = __reduce_add_sync(WHOLE_WARP, vertices);
    slices = __reduce_add_sync(WHOLE_WARP, slices);
    if (lane_id() == 0 && (vertices | slices) != 0) {
        atomicAdd_block(&block.shared->vertices, vertices);
        atomicAdd_block(&block.shared->slices, (slices >> block.rules.sum_shift) + (block.rules.sum_shift > 0));
    }
}

/* The barrier of the grid. One thread calls decide(at, sums) with the block's progress and the sums of all blocks
 * since the last barrier; it changes the progress. */
DEVICE void wait_for_all(const auto &block, auto decide)
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

/* Lists a high-degree vertex, which is expanded after the next barrier. */
DEVICE void list_high_degree(const auto &block, uint32_t vertex, uint32_t first, uint32_t number)
{
    uint32_t at = atomicAdd(count_of(block.search.num_high_degree, block.round), 1u);
    block.search.high_degree[at] = {first, number};
    if (block.parents)
        block.search.high_degree_ids[at] = vertex;
}

/* Records a parent of the vertices of some bits of a word. Several threads may do so for one vertex: each of them has
 * one of its parents, and a store of four bytes is whole, so whichever stays is right. */
DEVICE void record_parent(const auto &block, uint32_t word, uint32_t bits, uint32_t parent)
{
    if (block.parents)
        for (; bits != 0; bits &= bits - 1)
            block.search.parent[word * WARP_SIZE + (uint32_t)__ffs((int)bits) - 1] = parent;
}

} // namespace BACKEND::slices
