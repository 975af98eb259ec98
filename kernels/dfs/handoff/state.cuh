/* state.cuh: device memory, shared memory of a block, and the state of a warp. */
#pragma once

#include "../../backend/backend.h"
#include "../../device/bitmap.cuh"
#include "../../device/ids.cuh"

namespace BACKEND::handoff
{

#define MAX_WARPS 32u /* per block */
#define CHUNK     32u /* entries, one per lane, that move together to the queue, to a mailbox or to the cold area */
#define UNROLL    2u  /* plain lists: edges that each lane has in hand */
#define HIGH_ONE  (1ull << 32) /* 1 in the upper half of a 64-bit word */

/* Maximal number of entries that a warp pushes in one step: rests of lists, and halves of large ranges. */
#define MOST_PUSHED ((UNROLL + 1) * WARP_SIZE)

/* The queue's words. There are two sets of them, and searches alternate between them. */
struct queue_words {
    uint64_t tail_outstanding; /* chunks given in all searches << 32 | units of outstanding work */
    uint32_t head;             /* tickets drawn; the next search draws tickets without a chunk again */
    uint32_t padding[29];
    uint32_t done; /* on a cache line of its own: all idle blocks read it */
};
enum broken { WAITED_FOR_WORK = 1, WAITED_FOR_ROOM };

/* Initialises the words of a search whose first chunk gets this position. Block 0 counts as one unit of work. */
DEVICE void begin_at(struct queue_words *words, uint32_t position)
{
    words->tail_outstanding = position * HIGH_ONE + 1;
    words->head = position;
    words->done = 0;
}

/* A ring of chunks between blocks. Every entry is in a warp's stack or in a chunk. */
template <typename entry_t>
struct queue {
    struct queue_words *words, *next; /* the words of this search and of the next one */
    uint32_t *broken;   /* enum broken: the first wait that took too long; all results after it are invalid */
    uint32_t *sequence; /* capacity; sequence number of each slot */
    entry_t *entries;   /* capacity * CHUNK; unused entries of a chunk have the vertex NO_VERTEX */
    uint32_t capacity;  /* a power of two */
};

template <typename entry_t>
struct search {
    uint32_t *visited;             /* bitmap of num_words words; empty at first */
    uint32_t *before;              /* bitmap of the previous search, to be cleared */
    uint32_t num_words;            /* a multiple of 4 */
    vertex_t *parent;              /* num_vertices; valid only for visited vertices */
    const vertex_t *records;       /* num_vertices * PACKED_LANES; NULL for plain lists */
    uint32_t lanes;                /* lanes per walker */
    uint32_t least_list;           /* least number of edges of a list that may lead to a new vertex */
    uint32_t leaf;                 /* plain lists: the flag of targets that are leaves; or 0 */
    uint32_t split_above;          /* limit on the edges of a range; half of a longer one goes on the stack */
    uint32_t poll_ns;              /* time between two polls of a warp that waits for mail */
    uint64_t patience;             /* limit on polls of a waiting warp; high, since one warp may have all the work */
    entry_t *cold;                 /* cold_size entries for each warp */
    uint32_t cold_size, ring_size; /* entries; ring_size is a power of two */
    struct queue<entry_t> queue;
};

/* Shared memory of a block. The rings of its warps follow it. */
struct post {
    uint64_t busy;    /* units of outstanding work << 32 | active warps */
    uint32_t idle;    /* bit w: warp w waits for mail */
    uint32_t seekers; /* warps that hold a ticket or are about to draw one */
    uint32_t done;
    uint32_t mail[MAX_WARPS]; /* number of entries that were handed to warp w in its ring */
    uint32_t padding[3];      /* aligns the rings to the size of an entry */
};

/* The state of a warp. All lanes hold the same values, except for the first three members. */
template <typename entry_t>
struct warp {
    unsigned place, base; /* index of this lane in its walker; first lane of the walker */
    unsigned walker_mask; /* mask of the walker's lanes */
    unsigned leaders;     /* mask of the first lanes of all walkers */
    unsigned index;       /* index of the warp in its block */
    bool calm;            /* packed lists: the stack is empty, and no walker has edges beyond those in hand */
    struct post *post;
    entry_t *rings, *ring, *cold; /* all rings of the block; the warp's own ring; its cold area */
    uint32_t top, bottom, num_cold;
    uint32_t polls; /* calls of tend_stack until the warp polls the queue again */
    bool hungry;    /* some block waited for a chunk at the last poll */
};

/* Initialises the block's shared memory. Returns the state of the calling warp. All threads of the block call it. */
template <typename entry_t>
static __device__ warp<entry_t> set_up(const struct search<entry_t> &search)
{
    struct post *post = block_shared<struct post>();
    warp<entry_t> warp = {};
    warp.place = lane_id() & (search.lanes - 1);
    warp.base = lane_id() - warp.place;
    warp.walker_mask = (WHOLE_WARP >> (WARP_SIZE - search.lanes)) << warp.base;
    warp.leaders = __ballot_sync(WHOLE_WARP, warp.place == 0);
    warp.index = threadIdx.x / WARP_SIZE;
    warp.post = post;
    warp.rings = (entry_t *)(post + 1);
    warp.ring = warp.rings + warp.index * search.ring_size;
    warp.cold = search.cold + (size_t)(blockIdx.x * (blockDim.x / WARP_SIZE) + warp.index) * search.cold_size;
    if (threadIdx.x < MAX_WARPS)
        post->mail[threadIdx.x] = 0;
    if (threadIdx.x == 0) {
        post->busy = blockIdx.x == 0 ? HIGH_ONE + 1 : 0;
        post->idle = post->seekers = post->done = 0;
    }
    __syncthreads();
    return warp;
}

/* Begins the search by visiting the source, and clears the other bitmap. Returns whether this warp starts with the
 * source. It clears no more than any other warp, since the others wait for it. All warps call it.
 *
 * Searches alternate between two bitmaps. So no search waits until its bitmap is cleared, and its marks remain until
 * the host has copied them. The end of a kernel orders its marks before the accesses of the next kernel. */
template <typename entry_t>
static __device__ bool begin(const struct search<entry_t> &search, vertex_t source)
{
    struct team warps = grid_warps();
    bool has_work = warps.rank == 0;
    if (has_work && lane_id() == 0) {
        set_bit(search.visited, source);
        search.parent[source] = source;
    }
    for (uint32_t i = (warps.size - 1 - warps.rank) * WARP_SIZE + lane_id(); i < search.num_words / 4;
         i += warps.size * WARP_SIZE)
        ((uint4 *)search.before)[i] = {0, 0, 0, 0};
    return has_work;
}

} // namespace BACKEND::handoff
