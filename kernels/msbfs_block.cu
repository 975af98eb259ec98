/* msbfs_block.cu: msbfs block, searches from many sources at once in graphs of high diameter: a block runs one whole
 * BFS, and takes its next source from a counter when it is done.
 *
 * Thousands of thin levels are bound by latency. Searches that know nothing of each other keep every multiprocessor
 * busy with no barrier but the block's own, one a level; and what a search reads and writes on every level lies
 * within its multiprocessor:
 *
 *   bitmap   a bit for each vertex, set if it is reached: in shared memory, or, where the vertices are too many, in
 *            global memory with two blocks on a multiprocessor
 *   queues   of this level and of the next: their first `room` entries in shared memory, what is beyond (spilled) in
 *            a ring in global memory
 *   rows     the neighbours of a vertex in a record of 4 or 16 words, so that there is one dependent load to a level
 *
 * A vertex's level is written when its neighbours are visited, where a step has eight vertices or more, and not when
 * it is found, where most lanes have none; levels of unreached vertices from the bitmap at the end. What the levels
 * come to is counted from the queues' lengths, so a search that need not give levels writes nothing but its sums.
 *
 * Why not a cluster of blocks whose shared memories hold a large bitmap together: c blocks to a search are c times
 * fewer searches at work, and a level does not get c times shorter, since it is latency (and the cluster's barrier
 * longer than a block's). A bit in L2 instead of shared memory makes a level about 1.7 times as long, whatever n is.
 *
 * Rows. A record holds up to 4 (16) neighbours, NO_VERTEX behind the last. Of a vertex that has more, the last four
 * words are (low, high half of an edge, NO_VERTEX, number): the rest of its neighbours, from that edge of the CSR on.
 * No other record has anything behind NO_VERTEX. A warp puts such vertices aside until it has some, and visits their
 * rests side by side; SPAN_LANES lanes share one, or the whole warp, or, after the level's barrier, the whole block.
 *
 * Who writes what. A bit is set by atomic OR, which gives it to one thread alone: that one has found the vertex,
 * writes its level and queues it at a place of its own, taken from the level's count by atomic add. So a vertex is in
 * a queue once, and its level is written once by the search.
 *   Counts. Level l adds to count[l % 3], and all read it after the barrier that ends l. Before the barrier that ends
 * l, one thread clears count[(l + 1) % 3], which was last read after the barrier that ended l - 2, and before the one
 * that ended l - 1; so was the number of hubs. Where there are hubs, a second barrier ends the level; the list of
 * hubs is written before the first one and read before the second.
 *   Ring. It has a place for every vertex. What of a level is spilled lies behind what was spilled of the level
 * before, round the end; both together are no more than there are vertices, so no entry is overwritten before the
 * barrier behind which it is read no more.
 *   Destinations. Whether they are reached is looked up between two barriers: bits of the next level are not set
 * before all have looked. A destination is looked up by one thread on every level, which alone writes its length.
 *   Too deep. Where levels are narrower than 32 bits, a search that would need the value that stands for unreached
 * says so and ends, and so do all when they next take a source; the host gives levels more bits and starts again.
 * What was added to far values is then thrown away with the rest.
 *
 * Without chains. Where most vertices have degree 2, as in road networks, a level is nothing but a step along chains.
 * There (and where arcs go both ways, and no search is to end early) the graph is that of its junctions (chains.h), a
 * block finds their distances, and a kernel for all sources at once makes levels from them, side by side. A search is
 * then some hundred rounds instead of thousands of levels: a round offers to the neighbours of queued junctions what
 * their arcs make of their distances, and queues those whose distance is lowered by atomic minimum. Junctions that
 * are farther than the nearest in the queue by more than a window of some mean arcs stay there for another round: on
 * road networks, what is offered too early is offered 50 times.
 *   Distances end right, since they are lengths of ways, and whenever one is lowered the junction is expanded after:
 * it is queued, or was and has not been expanded yet. The bit says that it is queued: whoever lowers a distance sets
 * it after and queues the junction if it was clear; whoever takes the junction out clears it before reading the
 * distance, and puts it back in the same way if that is too far. If the bit was set when somebody lowered the
 * distance, it is cleared later, and what is read then is the lower one (fences keep both orders). So a junction is
 * in a queue once, though perhaps in this round's, taken out already, and in the next one's: hence a ring of twice as
 * many places. A round that expands none lowers nothing, so that what it leaves as the queue's least distance is
 * exact, and the next round's window has a junction in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../src/graph/chains.h"
#include "msbfs_block.h"

namespace BACKEND
{

#define UNIT               4u /* words that a lane loads of a record */
#define NUM_COUNTS         3u
#define WORD_BITS          32u
#define IN_FLIGHT          4u  /* neighbours beyond its record that a lane has in flight */
#define SPAN_LANES         4u  /* to the neighbours beyond a record */
#define WARP_FROM          64u /* so many neighbours beyond its record and more are the whole warp's */
#define BLOCK_ROUNDS       2u  /* so many to a thread and more are the whole block's, as far as its list goes */
#define MOST_HUBS          32u /* of that list */
#define MOST_THREADS       1024u
#define BLOCKS_OF_SM       4u    /* at most, that share a multiprocessor's threads */
#define GLOBAL_OF_SM       1u    /* the same, with bitmaps in global memory */
#define LEAST_ROOM         1024u /* of a queue beside a bitmap in shared memory */
#define SM_SHARED          1024u /* of each block's shared memory, that the device keeps for itself */
#define SOURCES            256u  /* of a batch, about */
#define NARROW_MEAN        4.0   /* degree up to which a record has 4 words */
#define SHARE_OF_SLOTS     0.5   /* of free memory, that blocks may take for their rings and bitmaps */
#define SHARE_OF_FREE      0.9   /* of what is then free, for levels */
#define FIRST_ARCS         4u    /* of a junction, that are loaded together: two to an uint4 */
#define SPREAD_THREADS     256u
#define TOGETHER           8u   /* sources whose levels a thread works out for a vertex it has read */
#define WINDOW_ARCS        3    /* mean arcs that junctions may be farther than the nearest of the queue */
#define MOST_JUNCTIONS     0.25 /* of the vertices, for chains to be made arcs */
#define SHARE_OF_DISTANCES 0.25 /* of free memory, that the distances of junctions may take */
#define COUNT_BITS         13   /* of a word of far values: a batch has fewer than 2^13 sources, a sum fewer bits */

/* ---- what the blocks work with ---- */

/* What they share while they run; zero before. */
struct progress {
    uint32_t next;     /* source that nobody has taken yet */
    uint32_t too_deep; /* 1: levels need more bits */
};

struct batch {
    vertex_t num_vertices;
    uint32_t num_sources;
    const vertex_t *sources; /* num_sources */
    const uint4 *rows;       /* num_vertices x units */
    const vertex_t *targets; /* of the CSR */
    struct progress *progress;
    uint32_t num_words;       /* of a bitmap, a multiple of UNIT */
    uint32_t room;            /* entries of a queue in shared memory */
    uint32_t *bitmaps;        /* a block x num_words; NULL: in shared memory */
    vertex_t *rings;          /* a block x ring_size */
    uint32_t ring_size;       /* vertices that are queued: all, or the junctions */
    void *level;              /* num_sources x num_vertices of level_t; NULL: not wanted */
    struct source_sums *sums; /* num_sources */
    uint64_t *far;            /* num_vertices, of this batch: sum of levels << COUNT_BITS | count; NULL: not wanted */
    const vertex_t *destinations;      /* source by source; NULL: every search goes on to its end */
    const uint64_t *first_destination; /* num_sources + 1: where each source's begin */
    uint32_t *length;                  /* of each destination; UNREACHED until found */
};

/* A stretch of the CSR's edges. */
struct span {
    edge_t edge, end;
};

/* So many vertices with long records a warp visits together; before, it has fewer, and a step adds a warp's. */
#define TOGETHER_LONG (WARP_SIZE / SPAN_LANES)
#define LATER_ROOM    (TOGETHER_LONG + WARP_SIZE)

/* The head of a block's shared memory; behind it the two queues and the bitmap. */
struct __align__(16) shared
{
    uint32_t which; /* source that the block works on */
    uint32_t count[NUM_COUNTS], num_hubs[NUM_COUNTS];
    uint32_t least[NUM_COUNTS]; /* distance of the junctions that a round queues */
    uint64_t first_destination, end_of_destinations;
    struct span hubs[MOST_HUBS];
    vertex_t later[MOST_THREADS / WARP_SIZE][LATER_ROOM]; /* of each warp: vertices whose record goes on */
};

/* The search of a block, the same in all its threads. */
template <typename level_t>
struct search {
    uint32_t *bitmap;
    vertex_t *queues;       /* 2 x room: level l's is number l % 2 */
    vertex_t *ring;         /* ring_size */
    uint64_t spilled, next; /* where this level's spilled entries begin in the ring, and the next one's */
    level_t *levels;        /* num_vertices; NULL: not wanted */
    uint32_t level;         /* of what is being found */
};

template <typename level_t>
constexpr level_t NO_LEVEL = (level_t)-1;

static size_t bytes_of_shared(uint32_t room, uint32_t num_words)
{
    return sizeof(struct shared) + (2 * (size_t)room + num_words) * sizeof(uint32_t);
}

/* ---- queues ---- */

static __device__ __forceinline__ uint64_t in_ring(const struct batch &batch, uint64_t place)
{
    return place < batch.ring_size ? place : place - batch.ring_size;
}

/* Entry number i of the level before the one that is being found. */
template <typename level_t>
static __device__ __forceinline__ vertex_t entry(const struct batch &batch, const struct search<level_t> &search,
                                                 uint32_t i)
{
    if (i < batch.room)
        return search.queues[(search.level + 1) % 2 * batch.room + i];
    return __ldcg(&search.ring[in_ring(batch, search.spilled + (i - batch.room))]);
}

template <typename level_t>
static __device__ __forceinline__ void enqueue(const struct batch &batch, const struct search<level_t> &search,
                                               uint32_t i, vertex_t vertex)
{
    if (i < batch.room)
        search.queues[search.level % 2 * batch.room + i] = vertex;
    else
        __stcg(&search.ring[in_ring(batch, search.next + (i - batch.room))], vertex);
}

/* ---- finding vertices ---- */

static __device__ __forceinline__ bool is_set(const uint32_t *bitmap, vertex_t vertex)
{
    return peek(&bitmap[vertex / WORD_BITS]) >> vertex % WORD_BITS & 1;
}

template <bool in_shared>
static __device__ __forceinline__ uint32_t set_if(bool condition, uint32_t *bitmap, vertex_t vertex)
{
    uint32_t *word = &bitmap[vertex / WORD_BITS], bit = 1u << vertex % WORD_BITS;
    return in_shared ? or_shared_if(condition, word, bit) : or_if(condition, word, bit);
}

/* Of a vertex that the last level found. */
template <typename level_t>
static __device__ __forceinline__ void note_level(const struct batch &batch, const struct search<level_t> &search,
                                                  vertex_t vertex)
{
    uint32_t level = search.level - 1;
    if (search.levels != NULL)
        search.levels[vertex] = (level_t)level;
    if (batch.far != NULL)
        atomicAdd((unsigned long long *)&batch.far[vertex], (unsigned long long)level << COUNT_BITS | 1);
}

/* Finds those of a lane's vertices that nobody has, and queues them; NO_VERTEX: none. All lanes of the warp must
 * come. */
template <bool in_shared, typename level_t, unsigned number>
static __device__ __forceinline__ void visit(const struct batch &batch, struct shared *shared,
                                             const struct search<level_t> &search, vertex_t (&vertices)[number])
{
    unsigned before = lanes_below(lane_id()), winners[number], total = 0;
    uint32_t old[number];
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        old[i] = set_if<in_shared>(vertices[i] != NO_VERTEX, search.bitmap, vertices[i]);
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        if (old[i] >> vertices[i] % WORD_BITS & 1)
            vertices[i] = NO_VERTEX;
        winners[i] = __ballot_sync(WHOLE_WARP, vertices[i] != NO_VERTEX);
        total += __popc(winners[i]);
    }
    if (total == 0)
        return;
    uint32_t place = add_shared_if(lane_id() == 0, &shared->count[search.level % NUM_COUNTS], total);
    place = __shfl_sync(WHOLE_WARP, place, 0);
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        if (vertices[i] != NO_VERTEX)
            enqueue(batch, search, place + __popc(winners[i] & before), vertices[i]);
        place += __popc(winners[i]);
    }
}

/* Visits a lane's edges: those of the span, `stride` apart. All lanes of the warp must come. */
template <bool in_shared, typename level_t>
static __device__ __forceinline__ void visit_span(const struct batch &batch, struct shared *shared,
                                                  const struct search<level_t> &search, struct span span,
                                                  unsigned stride)
{
    for (; __any_sync(WHOLE_WARP, span.edge < span.end); span.edge += IN_FLIGHT * stride) {
        vertex_t vertices[IN_FLIGHT];
#pragma unroll
        for (unsigned i = 0; i < IN_FLIGHT; i++)
            vertices[i] = load_if(span.edge + i * stride < span.end, &batch.targets[span.edge + i * stride]);
        visit<in_shared>(batch, shared, search, vertices);
    }
}

/* ---- a level ---- */

static __device__ __forceinline__ bool is_long(const uint4 &record)
{
    return record.z == NO_VERTEX && record.w != NO_VERTEX;
}

/* Visits what the records of these vertices go on with: up to TOGETHER_LONG. All lanes of the warp must come. */
template <unsigned units, bool in_shared, typename level_t>
static __device__ __forceinline__ void visit_rests(const struct batch &batch, struct shared *shared,
                                                   const struct search<level_t> &search, const vertex_t *later,
                                                   unsigned number)
{
    unsigned place = lane_id() % SPAN_LANES, which = lane_id() / SPAN_LANES;
    struct span mine = {0, 0};
    if (which < number) {
        uint4 record = __ldg(&batch.rows[(size_t)later[which] * units + units - 1]);
        mine.edge = (edge_t)record.y << WORD_BITS | record.x;
        mine.end = mine.edge + record.w;
    }
    bool is_hub = mine.end - mine.edge >= BLOCK_ROUNDS * blockDim.x;
    uint32_t hub = add_shared_if(is_hub && place == 0, &shared->num_hubs[search.level % NUM_COUNTS], 1);
    hub = __shfl_sync(WHOLE_WARP, hub, (int)(lane_id() - place));
    if (is_hub && hub < MOST_HUBS) {
        shared->hubs[hub] = mine;
        mine.edge = mine.end;
    }
    unsigned many = __ballot_sync(WHOLE_WARP, place == 0 && mine.end - mine.edge >= WARP_FROM);
    for (; many != 0; many &= many - 1) {
        int owner = __ffs((int)many) - 1;
        edge_t edge = __shfl_sync(WHOLE_WARP, mine.edge, owner), end = __shfl_sync(WHOLE_WARP, mine.end, owner);
        visit_span<in_shared>(batch, shared, search, {edge + lane_id(), end}, WARP_SIZE);
        if (which == (unsigned)owner / SPAN_LANES)
            mine.edge = mine.end;
    }
    visit_span<in_shared>(batch, shared, search, {mine.edge + place, mine.end}, SPAN_LANES);
}

/* Entry number i of the queue, and the lane's unit of its record; NO_VERTEX: there is none. */
template <unsigned units, typename level_t>
static __device__ __forceinline__ vertex_t load_record(const struct batch &batch,
                                                       const struct search<level_t> &search, uint64_t i,
                                                       uint32_t size, uint4 *record)
{
    *record = {NO_VERTEX, NO_VERTEX, NO_VERTEX, NO_VERTEX};
    if (i >= size)
        return NO_VERTEX;
    vertex_t vertex = entry(batch, search, (uint32_t)i);
    *record = __ldg(&batch.rows[(size_t)vertex * units + lane_id() % units]);
    return vertex;
}

/* Visits the neighbours of the `size` vertices in the queue, `units` lanes to each; the next record is under way. */
template <unsigned units, bool in_shared, typename level_t>
static __device__ __forceinline__ void visit_queue(const struct batch &batch, struct shared *shared,
                                                   const struct search<level_t> &search, uint32_t size)
{
    vertex_t *later = shared->later[threadIdx.x / WARP_SIZE];
    unsigned before = lanes_below(lane_id()), waiting = 0;
    uint64_t first = threadIdx.x / units;
    uint4 record, next_record;
    vertex_t vertex = load_record<units>(batch, search, first, size, &record);
    while (first - lane_id() / units < size) {
        first += blockDim.x / units;
        vertex_t next = load_record<units>(batch, search, first, size, &next_record);
        bool goes_on = is_long(record);
        vertex_t vertices[UNIT] = {goes_on ? NO_VERTEX : record.x, goes_on ? NO_VERTEX : record.y, record.z,
                                   goes_on ? NO_VERTEX : record.w};
        visit<in_shared>(batch, shared, search, vertices);
        if (vertex != NO_VERTEX && lane_id() % units == 0) /* stores that come sooner hold up the bits */
            note_level(batch, search, vertex);
        unsigned more = __ballot_sync(WHOLE_WARP, goes_on);
        if (more != 0) {
            if (goes_on)
                later[waiting + __popc(more & before)] = vertex;
            __syncwarp();
            for (waiting += __popc(more); waiting >= TOGETHER_LONG; waiting -= TOGETHER_LONG)
                visit_rests<units, in_shared>(batch, shared, search, &later[waiting - TOGETHER_LONG], TOGETHER_LONG);
            __syncwarp();
        }
        vertex = next;
        record = next_record;
    }
    if (waiting > 0)
        visit_rests<units, in_shared>(batch, shared, search, later, waiting);
}

template <bool in_shared, typename level_t>
static __device__ __forceinline__ void visit_hubs(const struct batch &batch, struct shared *shared,
                                                  const struct search<level_t> &search, uint32_t num_hubs)
{
    for (uint32_t i = 0; i < num_hubs && i < MOST_HUBS; i++) {
        struct span hub = shared->hubs[i];
        visit_span<in_shared>(batch, shared, search, {hub.edge + threadIdx.x, hub.end}, blockDim.x);
    }
}

/* ---- a search ---- */

/* Takes the next source, for a search that has reached nothing yet. Returns its number; from num_sources on: there is
 * none. */
template <bool in_shared, typename level_t>
static __device__ __forceinline__ uint32_t take_source(const struct batch &batch, struct shared *shared,
                                                       struct search<level_t> *search)
{
    const uint4 zero = {0, 0, 0, 0};
    search->queues = (vertex_t *)(shared + 1);
    search->bitmap =
        in_shared ? search->queues + 2 * batch.room : batch.bitmaps + (size_t)blockIdx.x * batch.num_words;
    search->ring = batch.rings + (size_t)blockIdx.x * batch.ring_size;
    search->spilled = search->next = 0;
    search->level = 0;
    __syncthreads(); /* nobody is at work on the search before */
    if (threadIdx.x == 0)
        shared->which = peek(&batch.progress->too_deep) ? UINT32_MAX : atomicAdd(&batch.progress->next, 1u);
    if (threadIdx.x < NUM_COUNTS) {
        shared->count[threadIdx.x] = shared->num_hubs[threadIdx.x] = 0;
        shared->least[threadIdx.x] = UNREACHED;
    }
    for (uint32_t i = threadIdx.x; i < batch.num_words / UNIT; i += blockDim.x)
        ((uint4 *)search->bitmap)[i] = zero;
    __syncthreads();
    return shared->which;
}

/* Makes a search that has reached the next source alone; false: there is none. */
template <bool in_shared, typename level_t>
static __device__ __forceinline__ bool begin_search(const struct batch &batch, struct shared *shared,
                                                    struct search<level_t> *search)
{
    uint32_t which = take_source<in_shared>(batch, shared, search);
    if (which >= batch.num_sources)
        return false;
    search->levels = batch.level != NULL ? (level_t *)batch.level + (size_t)which * batch.num_vertices : NULL;
    if (threadIdx.x == 0) {
        vertex_t source = batch.sources[which];
        set_if<in_shared>(true, search->bitmap, source);
        enqueue(batch, *search, 0, source);
        if (batch.destinations != NULL) {
            shared->first_destination = batch.first_destination[which];
            shared->end_of_destinations = batch.first_destination[which + 1];
        }
    }
    __syncthreads();
    return true;
}

/* Gives the destinations that the last level found their length; whether any is left. All threads must come. */
template <typename level_t>
static __device__ __forceinline__ bool has_open(const struct batch &batch, const struct shared *shared,
                                                const struct search<level_t> &search)
{
    bool open = false;
    for (uint64_t d = shared->first_destination + threadIdx.x; d < shared->end_of_destinations; d += blockDim.x) {
        if (batch.length[d] != UNREACHED)
            continue;
        if (is_set(search.bitmap, batch.destinations[d]))
            batch.length[d] = search.level;
        else
            open = true;
    }
    return __syncthreads_or(open);
}

/* Finds level after level; false: they need more bits. */
template <unsigned units, bool in_shared, typename level_t>
static __device__ __forceinline__ bool finish_search(const struct batch &batch, struct shared *shared,
                                                     struct search<level_t> *search, struct source_sums *sums)
{
    *sums = {1, 0, 0};
    for (uint32_t size = 1;;) {
        bool goes_on = batch.destinations == NULL || has_open(batch, shared, *search);
        search->level++;
        if (!goes_on) {
            for (uint32_t i = threadIdx.x; i < size; i += blockDim.x)
                note_level(batch, *search, entry(batch, *search, i));
            return true;
        }
        if (search->levels != NULL && search->level == NO_LEVEL<level_t>)
            return false;
        search->next = in_ring(batch, search->spilled + (size > batch.room ? size - batch.room : 0));
        visit_queue<units, in_shared>(batch, shared, *search, size);
        if (threadIdx.x == 0) {
            shared->count[(search->level + 1) % NUM_COUNTS] = 0;
            shared->num_hubs[(search->level + 1) % NUM_COUNTS] = 0;
        }
        __syncthreads();
        uint32_t num_hubs = shared->num_hubs[search->level % NUM_COUNTS];
        if (num_hubs > 0) {
            visit_hubs<in_shared>(batch, shared, *search, num_hubs);
            __syncthreads();
        }
        size = shared->count[search->level % NUM_COUNTS];
        if (size == 0)
            return true;
        search->spilled = search->next;
        sums->reached += size;
        sums->level_sum += (uint64_t)size * search->level;
        sums->eccentricity = search->level;
    }
}

/* A warp writes the levels of a word of the bitmap side by side. */
template <typename level_t>
static __device__ __forceinline__ void fill_unreached(const struct batch &batch, const struct search<level_t> &search)
{
    for (uint64_t base = threadIdx.x - lane_id(); base < batch.num_words; base += blockDim.x) {
        uint32_t missing = base + lane_id() < batch.num_words ? ~peek(&search.bitmap[base + lane_id()]) : 0;
        for (unsigned words = __ballot_sync(WHOLE_WARP, missing != 0); words != 0; words &= words - 1) {
            int owner = __ffs((int)words) - 1;
            uint64_t vertex = (base + (unsigned)owner) * WORD_BITS + lane_id();
            if (__shfl_sync(WHOLE_WARP, missing, owner) >> lane_id() & 1 && vertex < batch.num_vertices)
                search.levels[vertex] = NO_LEVEL<level_t>;
        }
    }
}

template <typename level_t, unsigned units, bool in_shared>
__global__ void __launch_bounds__(MOST_THREADS, 1) msbfs_block_kernel(struct batch batch)
{
    struct shared *shared = block_shared<struct shared>();
    struct search<level_t> search;
    struct source_sums sums;
    while (begin_search<in_shared>(batch, shared, &search)) {
        bool right = finish_search<units, in_shared>(batch, shared, &search, &sums);
        if (threadIdx.x == 0) {
            batch.sums[shared->which] = sums;
            if (!right)
                poke(&batch.progress->too_deep, 1u);
        }
        if (search.levels != NULL && sums.reached < batch.num_vertices)
            fill_unreached(batch, search);
    }
}

/* ---- without chains ---- */

/* A graph of junctions (chains.h) on the device. */
struct junctions {
    uint32_t number; /* 0: chains are searched as they are */
    uint32_t window; /* in steps, 1 at least */
    const uint64_t *offsets;
    const struct chain_arc *arcs;
    const struct chain_arc *first_arcs; /* number x FIRST_ARCS: a copy; length 0: none */
    const struct chain_place *places;
    const uint32_t *positions;
    uint32_t *distances; /* of each TOGETHER sources: number x TOGETHER */
};

/* Queues those of a lane's junctions that are not queued yet; NO_VERTEX: none. All lanes of the warp must come. */
template <bool in_shared, unsigned number>
static __device__ __forceinline__ void queue_junctions(const struct batch &batch, struct shared *shared,
                                                       const struct search<uint32_t> &search,
                                                       uint32_t (&these)[number], const uint32_t (&distances)[number])
{
    uint32_t least = UNREACHED;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        least = these[i] != NO_VERTEX && distances[i] < least ? distances[i] : least;
    least = __reduce_min_sync(WHOLE_WARP, least);
    if (least == UNREACHED)
        return;
    if (lane_id() == 0)
        atomicMin_block(&shared->least[search.level % NUM_COUNTS], least);
    __threadfence_block(); /* distances are lowered before bits are looked at */
    visit<in_shared>(batch, shared, search, these);
}

/* Lowers the distances of a lane's neighbours to what their arcs make of `distance`; length 0: no arc. All lanes of
 * the warp must come. */
template <bool in_shared>
static __device__ __forceinline__ void lower(const struct batch &batch, struct shared *shared,
                                             const struct search<uint32_t> &search, uint32_t *distances,
                                             uint32_t distance, const struct chain_arc (&arcs)[FIRST_ARCS])
{
    uint32_t these[FIRST_ARCS], old[FIRST_ARCS], offered[FIRST_ARCS];
#pragma unroll
    for (unsigned i = 0; i < FIRST_ARCS; i++) {
        offered[i] = distance + arcs[i].length;
        old[i] = min_if(arcs[i].length > 0, &distances[(size_t)arcs[i].junction * TOGETHER], offered[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < FIRST_ARCS; i++)
        these[i] = offered[i] < old[i] ? arcs[i].junction : NO_VERTEX; /* without an arc, old is 0 */
    queue_junctions<in_shared>(batch, shared, search, these, offered);
}

/* Takes the `size` junctions out of the queue, one to a lane, and offers the neighbours of those nearer than `limit`
 * what their arcs make of their distances. The others are put back. */
template <bool in_shared>
static __device__ __forceinline__ void offer(const struct batch &batch, const struct junctions &junctions,
                                             struct shared *shared, const struct search<uint32_t> &search,
                                             uint32_t *distances, uint32_t size, uint64_t limit)
{
    for (uint64_t first = threadIdx.x; first - lane_id() < size; first += blockDim.x) {
        uint32_t junction = first < size ? entry(batch, search, (uint32_t)first) : NO_VERTEX;
        struct chain_arc arcs[FIRST_ARCS] = {};
        uint64_t edge = 0, end = 0;
        if (first < size)
            atomicAnd(&search.bitmap[junction / WORD_BITS], ~(1u << junction % WORD_BITS));
        __threadfence_block(); /* the bit is cleared before the distance is read */
        uint32_t distance = look_if(first < size, &distances[(size_t)junction * TOGETHER]);
        bool is_far = first < size && distance >= limit;
        if (first < size) {
            const uint4 *record = (const uint4 *)&junctions.first_arcs[(size_t)junction * FIRST_ARCS];
            uint4 two = __ldg(&record[0]), more = __ldg(&record[1]);
            edge = junctions.offsets[junction] + FIRST_ARCS;
            end = is_far ? 0 : junctions.offsets[junction + 1];
            if (!is_far) {
                arcs[0] = {two.x, two.y};
                arcs[1] = {two.z, two.w};
                arcs[2] = {more.x, more.y};
                arcs[3] = {more.z, more.w};
            }
        }
        lower<in_shared>(batch, shared, search, distances, distance, arcs);
        for (; __any_sync(WHOLE_WARP, edge < end); edge += FIRST_ARCS) {
            for (unsigned i = 0; i < FIRST_ARCS; i++)
                arcs[i] = edge + i < end ? junctions.arcs[edge + i] : chain_arc{};
            lower<in_shared>(batch, shared, search, distances, distance, arcs);
        }
        uint32_t back[] = {is_far ? junction : NO_VERTEX}, its_distance[] = {distance};
        queue_junctions<in_shared>(batch, shared, search, back, its_distance);
    }
}

/* The junctions at the ends of the source's chain, or the one that it is, get their distances, by a warp. */
template <bool in_shared>
static __device__ __forceinline__ void begin_at(const struct batch &batch, struct shared *shared,
                                                const struct search<uint32_t> &search, uint32_t *distances,
                                                const struct chain_place &source)
{
    uint32_t these[] = {NO_VERTEX}, distance[] = {source.steps[lane_id() % 2]};
    if (lane_id() < 2) {
        these[0] = source.junction[lane_id()];
        atomicMin(&distances[(size_t)these[0] * TOGETHER], distance[0]);
    }
    queue_junctions<in_shared>(batch, shared, search, these, distance);
}

/* Junctions from which a distance has been lowered are queued for the next round, until there are none. */
template <bool in_shared>
__global__ void __launch_bounds__(MOST_THREADS, 1) junctions_kernel(struct batch batch, struct junctions junctions)
{
    struct shared *shared = block_shared<struct shared>();
    struct search<uint32_t> search;
    for (;;) {
        uint32_t which = take_source<in_shared>(batch, shared, &search);
        if (which >= batch.num_sources)
            return;
        uint32_t *distances =
            junctions.distances + (size_t)(which / TOGETHER) * junctions.number * TOGETHER + which % TOGETHER;
        if (threadIdx.x < WARP_SIZE)
            begin_at<in_shared>(batch, shared, search, distances, junctions.places[batch.sources[which]]);
        __syncthreads();
        for (uint32_t size = shared->count[0]; size > 0; size = shared->count[search.level % NUM_COUNTS]) {
            search.spilled = search.next;
            search.next = in_ring(batch, search.spilled + (size > batch.room ? size - batch.room : 0));
            uint64_t limit = (uint64_t)shared->least[search.level % NUM_COUNTS] + junctions.window;
            search.level++;
            if (threadIdx.x == 0) {
                shared->count[(search.level + 1) % NUM_COUNTS] = 0;
                shared->least[(search.level + 1) % NUM_COUNTS] = UNREACHED;
            }
            offer<in_shared>(batch, junctions, shared, search, distances, size, limit);
            __syncthreads();
        }
    }
}

/* The chain that a source lies on: the positions first .. first + number - 1; number 0: it is a junction. */
struct own_chain {
    uint32_t position, first, number; /* position: of the source */
};
struct spread_shared {
    struct own_chain chains[TOGETHER];
};

static __device__ __forceinline__ struct own_chain chain_of(const struct batch &batch,
                                                            const struct junctions &junctions, uint32_t which)
{
    vertex_t source = batch.sources[which];
    struct chain_place place = junctions.places[source];
    uint32_t position = junctions.positions[source], number = place.steps[0] + place.steps[1];
    return {position, position - place.steps[0] + 1, number > 0 ? number - 1 : 0};
}

/* first, last: the distances of the junctions that the vertex lies between, from the source. */
static __device__ __forceinline__ uint32_t level_of(const struct chain_place &place, uint32_t position,
                                                    const struct own_chain &own, uint32_t first, uint32_t last)
{
    if (first == UNREACHED) /* then so is the other */
        return UNREACHED;
    uint32_t level = min(first + place.steps[0], last + place.steps[1]);
    if (position - own.first < own.number) /* no junction's is: they have NO_VERTEX for one */
        level = min(level, position > own.position ? position - own.position : own.position - position);
    return level;
}

/* The distances of a junction from a group of sources. */
static __device__ __forceinline__ void load_distances(const struct junctions &junctions, unsigned group,
                                                      uint32_t junction, uint32_t (&distances)[TOGETHER])
{
    size_t at = ((size_t)group * junctions.number + junction) * TOGETHER;
#pragma unroll
    for (unsigned i = 0; i < TOGETHER; i += UNIT) {
        uint4 some = __ldg((const uint4 *)&junctions.distances[at + i]);
        distances[i] = some.x;
        distances[i + 1] = some.y;
        distances[i + 2] = some.z;
        distances[i + 3] = some.w;
    }
}

/* The sum over the lanes of a warp, for lane 0. */
static __device__ __forceinline__ uint64_t sum_of_warp(uint64_t value)
{
    for (unsigned delta = WARP_SIZE / 2; delta > 0; delta /= 2)
        value += __shfl_down_sync(WHOLE_WARP, value, delta);
    return value;
}

/* The levels of all vertices from the distances of the junctions. Each block has TOGETHER of the sources and a share
 * of the vertices, a thread a vertex. */
template <typename level_t>
__global__ void __launch_bounds__(SPREAD_THREADS) spread_kernel(struct batch batch, struct junctions junctions)
{
    unsigned groups = (batch.num_sources + TOGETHER - 1) / TOGETHER, group = blockIdx.x % groups;
    uint32_t first = group * TOGETHER;
    uint32_t reached[TOGETHER] = {}, highest[TOGETHER] = {};
    uint64_t level_sum[TOGETHER] = {};
    struct spread_shared *shared = block_shared<struct spread_shared>();
    if (threadIdx.x < TOGETHER && first + threadIdx.x < batch.num_sources)
        shared->chains[threadIdx.x] = chain_of(batch, junctions, first + threadIdx.x);
    __syncthreads();
    uint64_t stride = (uint64_t)(gridDim.x / groups) * blockDim.x;
    for (uint64_t v = (uint64_t)(blockIdx.x / groups) * blockDim.x + threadIdx.x; v < batch.num_vertices;
         v += stride) {
        struct chain_place place = junctions.places[v];
        uint32_t position = junctions.positions[v], from_first[TOGETHER], from_last[TOGETHER];
        uint64_t far = 0;
        load_distances(junctions, group, place.junction[0], from_first);
        load_distances(junctions, group, place.junction[1], from_last);
#pragma unroll
        for (unsigned i = 0; i < TOGETHER; i++) {
            uint32_t which = first + i;
            if (which >= batch.num_sources)
                break;
            uint32_t level = level_of(place, position, shared->chains[i], from_first[i], from_last[i]);
            if (batch.level != NULL) {
                ((level_t *)batch.level)[(size_t)which * batch.num_vertices + v] = (level_t)level;
                if (level != UNREACHED && level >= NO_LEVEL<level_t>)
                    poke(&batch.progress->too_deep, 1u);
            }
            if (level == UNREACHED)
                continue;
            far += (uint64_t)level << COUNT_BITS | 1;
            reached[i]++;
            level_sum[i] += level;
            highest[i] = max(highest[i], level);
        }
        if (batch.far != NULL && far != 0)
            atomicAdd((unsigned long long *)&batch.far[v], (unsigned long long)far);
    }
#pragma unroll
    for (unsigned i = 0; i < TOGETHER; i++) {
        if (first + i >= batch.num_sources)
            break;
        struct source_sums *all = &batch.sums[first + i];
        uint64_t vertices = sum_of_warp(reached[i]), sum = sum_of_warp(level_sum[i]);
        uint32_t eccentricity = __reduce_max_sync(WHOLE_WARP, highest[i]);
        if (lane_id() != 0)
            continue;
        atomicAdd((unsigned long long *)&all->reached, (unsigned long long)vertices);
        atomicAdd((unsigned long long *)&all->level_sum, (unsigned long long)sum);
        atomicMax(&all->eccentricity, eccentricity);
    }
}

/* ---- before and after ---- */

/* A thread a unit of a record. */
template <typename offset_t>
__global__ void make_rows(csr<offset_t> graph, unsigned units, uint4 *rows)
{
    uint64_t all = (uint64_t)graph.num_vertices * units, stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t i = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; i < all; i += stride) {
        uint64_t vertex = i / units, first = i % units * UNIT, words = units * UNIT;
        edge_t edge = graph.offsets[vertex], degree = graph.offsets[vertex + 1] - edge;
        edge_t kept = degree <= words ? degree : words - UNIT, rest = edge + kept;
        uint32_t word[UNIT];
        for (unsigned k = 0; k < UNIT; k++)
            word[k] = load_if(first + k < kept, &graph.targets[edge + first + k]);
        if (degree > words && first == words - UNIT)
            rows[i] = {(uint32_t)rest, (uint32_t)(rest >> WORD_BITS), NO_VERTEX, (uint32_t)(degree - kept)};
        else
            rows[i] = {word[0], word[1], word[2], word[3]};
    }
}

/* Adds a batch's far values to those of all, unless it is to be done again, and clears them. */
__global__ void add_far(const struct progress *progress, vertex_t num_vertices, uint64_t *batch, uint64_t *far,
                        uint32_t *far_count)
{
    bool counts = !progress->too_deep;
    uint64_t stride = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t v = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; v < num_vertices; v += stride) {
        uint64_t found = batch[v];
        batch[v] = 0;
        if (counts) {
            far[v] += found >> COUNT_BITS;
            far_count[v] += (uint32_t)(found & ((1u << COUNT_BITS) - 1));
        }
    }
}

/* ---- host side: preparing ---- */

static const struct option_spec options[] = {MSBFS_BLOCK_OPTIONS, {}};
enum { BITMAP_AUTO, BITMAP_SHARED, BITMAP_GLOBAL };
enum { ROWS_AUTO, ROWS_4, ROWS_16 };
enum { CHAINS_AUTO, CHAINS_NO, CHAINS_YES };

typedef void (*kernel_t)(struct batch batch);

struct state {
    struct gpu_graph graph;     /* its offsets are freed when the rows are there */
    struct junctions junctions; /* none, or those of the graph */
    struct batch batch;         /* without the query */
    vertex_t *sources;          /* max(batch_size, blocks) */
    uint4 *rows;
    uint64_t *far;               /* num_vertices, since the last fetch that took them; NULL: not wanted */
    uint32_t *far_count;         /* num_vertices; the same */
    vertex_t *destinations;      /* num_destinations of the last query, as the following */
    uint64_t *first_destination; /* batch_size + 1 */
    uint32_t *length;
    uint64_t num_destinations;
    uint32_t num_sources; /* of the last query */
    unsigned units;       /* of a record */
    unsigned level_bytes; /* of a level */
    double free_for_levels;
    uint32_t multiprocessors, batch_size;
    struct grid grid; /* of all blocks that have a ring */
};

template <typename level_t>
static kernel_t kernel_of_width(unsigned units, bool in_shared)
{
    if (units == 1)
        return in_shared ? msbfs_block_kernel<level_t, 1, true> : msbfs_block_kernel<level_t, 1, false>;
    return in_shared ? msbfs_block_kernel<level_t, 4, true> : msbfs_block_kernel<level_t, 4, false>;
}

static kernel_t instantiation(const struct state *state)
{
    bool in_shared = state->batch.bitmaps == NULL;
    return state->level_bytes == 1   ? kernel_of_width<uint8_t>(state->units, in_shared)
           : state->level_bytes == 2 ? kernel_of_width<uint16_t>(state->units, in_shared)
                                     : kernel_of_width<uint32_t>(state->units, in_shared);
}

static double free_memory(struct error *error)
{
    size_t free_bytes = 0, all_bytes = 0;
    gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory", error);
    return (double)free_bytes;
}

static int build_rows(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct gpu_graph *graph = &state->graph;
    double mean = (double)graph->num_edges / graph->num_vertices;
    int asked = (int)run->options[BLOCK_ROWS];
    state->units = asked == ROWS_4 || (asked == ROWS_AUTO && mean <= NARROW_MEAN) ? 1 : 4;
    size_t all = (size_t)graph->num_vertices * state->units;
    if (gpu_allocate(&state->rows, all, "the rows", run->error) != STATUS_OK)
        return run->error->status;
    if (graph->wide)
        gpu_launch(make_rows<edge_t>, gpu_wide_grid(all), 0, run->error, csr_of<edge_t>(graph), state->units,
                   state->rows);
    else
        gpu_launch(make_rows<uint32_t>, gpu_wide_grid(all), 0, run->error, csr_of<uint32_t>(graph), state->units,
                   state->rows);
    gpu_free(graph->offsets); /* waits for the rows */
    graph->offsets = NULL;
    state->batch.rows = state->rows;
    state->batch.targets = graph->targets;
    return run->error->status;
}

/* Whether chains are to become arcs. A search of junctions finds no level before the last, so it cannot stop early.
 */
static bool wants_chains(const struct run *run, uint32_t batch_size)
{
    const struct graph *graph = run->graph;
    struct error ignored = {};
    int asked = (int)run->options[BLOCK_CHAINS];
    if (asked == CHAINS_NO || !graph->symmetric || run->outputs & OUTPUT_LENGTH ||
        graph->num_vertices > UINT32_MAX / 2) /* a way may be twice as long before it is found to be too long */
        return false;
    double number = (double)chains_count_junctions(graph);
    return (asked == CHAINS_YES || number <= MOST_JUNCTIONS * graph->num_vertices) &&
           number * batch_size * sizeof(uint32_t) <= SHARE_OF_DISTANCES * free_memory(&ignored);
}

template <typename type>
static int upload(const type **device, const type *host, size_t count, struct error *error)
{
    type *copy = NULL;
    if (gpu_allocate(&copy, count, "the chains", error) == STATUS_OK)
        gpu_check(cudaMemcpy(copy, host, count * sizeof *host, cudaMemcpyHostToDevice), "uploading the chains",
                  error);
    *device = copy;
    return error->status;
}

static int upload_first_arcs(struct junctions *junctions, const struct chains *chains, struct error *error)
{
    struct chain_arc *first;
    size_t number = (size_t)chains->num_junctions * FIRST_ARCS;
    if (allocate_zeroed(&first, number, sizeof *first, "the chains", error) != STATUS_OK)
        return error->status;
    for (uint64_t j = 0; j < chains->num_junctions; j++)
        for (uint64_t i = 0; i < FIRST_ARCS && chains->offsets[j] + i < chains->offsets[j + 1]; i++)
            first[j * FIRST_ARCS + i] = chains->arcs[chains->offsets[j] + i];
    upload(&junctions->first_arcs, first, number, error);
    free(first);
    return error->status;
}

static uint64_t mean_length(const struct chains *chains)
{
    uint64_t steps = 0;
    for (uint64_t i = 0; i < chains->num_arcs; i++)
        steps += chains->arcs[i].length;
    return chains->num_arcs > 0 ? steps / chains->num_arcs : 1;
}

/* In place of the graph on the device: that of its junctions. */
static int build_junctions(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct junctions *junctions = &state->junctions;
    struct error *error = run->error;
    struct chains chains;
    size_t n = run->graph->num_vertices;
    gpu_graph_free(&state->graph);
    if (chains_contract(run->graph, &chains, error) == STATUS_OK) {
        junctions->number = chains.num_junctions;
        junctions->window = (uint32_t)mean_length(&chains) * WINDOW_ARCS;
        upload(&junctions->offsets, chains.offsets, (size_t)chains.num_junctions + 1, error);
        upload(&junctions->arcs, chains.arcs, chains.num_arcs, error);
        upload(&junctions->places, chains.places, n, error);
        upload(&junctions->positions, chains.positions, n, error);
        upload_first_arcs(junctions, &chains, error);
    }
    chains_release(&chains);
    return error->status;
}

static uint32_t round_up(uint64_t number, uint32_t to)
{
    return (uint32_t)((number + to - 1) / to * to);
}

/* So many blocks to a multiprocessor as there are sources for, and as fit with all that they want of shared memory;
 * where not even one does, its queues get shorter. Returns how many; 0: the bitmap leaves too little for them. */
static unsigned fit_in_shared(size_t limit, unsigned wanted, uint32_t num_words, uint32_t *room)
{
    for (unsigned blocks = wanted; blocks > 0; blocks--)
        if (bytes_of_shared(*room, num_words) <= (limit + SM_SHARED) / blocks - SM_SHARED)
            return blocks;
    size_t fixed = bytes_of_shared(0, num_words), least = *room < LEAST_ROOM ? *room : LEAST_ROOM;
    if (fixed >= limit || (limit - fixed) / (2 * sizeof(vertex_t)) < least)
        return 0;
    *room = (uint32_t)((limit - fixed) / (2 * sizeof(vertex_t))) / WARP_SIZE * WARP_SIZE;
    return 1;
}

/* Sources of a batch as far as the user and the run say, and so many blocks to a multiprocessor as there are for
 * them.
 */
static int plan_batch(struct run *run, unsigned *blocks_of_sm)
{
    struct state *state = (struct state *)run->state;
    const void *kernel = (const void *)instantiation(state);
    unsigned threads = (unsigned)run->options[BLOCK_THREADS];
    if (gpu_plan_grid(kernel, threads, 1, 0, &state->grid, run->error) != STATUS_OK)
        return run->error->status;
    state->multiprocessors = state->grid.blocks;
    uint32_t batch_size = (uint32_t)run->options[BLOCK_BATCH];
    uint32_t trials = run->num_trials > 1 ? (uint32_t)run->num_trials : 1;
    batch_size = batch_size == 0 ? round_up(SOURCES, state->multiprocessors) : batch_size;
    state->batch_size = batch_size < trials ? batch_size : trials;
    unsigned wanted = (state->batch_size - 1) / state->multiprocessors + 1;
    wanted = wanted < BLOCKS_OF_SM ? wanted : BLOCKS_OF_SM;
    threads = round_up(state->grid.threads / wanted, WARP_SIZE);
    struct grid shared_grid;
    if (gpu_plan_grid(kernel, threads, wanted, 0, &shared_grid, run->error) == STATUS_OK)
        *blocks_of_sm = shared_grid.blocks / state->multiprocessors;
    return run->error->status;
}

/* Gives each block what is its own in global memory; there are fewer of them where that is too much. */
static int allocate_blocks(struct run *run, uint32_t blocks, bool in_shared)
{
    struct state *state = (struct state *)run->state;
    struct batch *batch = &state->batch;
    double bytes =
        (double)batch->ring_size * sizeof(vertex_t) + (in_shared ? 0 : (double)batch->num_words * sizeof(uint32_t));
    double fit = SHARE_OF_SLOTS * free_memory(run->error) / bytes;
    blocks = blocks < state->batch_size ? blocks : state->batch_size;
    state->grid.blocks = fit < 1 ? 1 : fit < blocks ? (uint32_t)fit : blocks;
    if (!in_shared)
        gpu_allocate(&batch->bitmaps, (size_t)state->grid.blocks * batch->num_words, "the bitmaps", run->error);
    return gpu_allocate(&batch->rings, (size_t)state->grid.blocks * batch->ring_size, "the queues", run->error);
}

/* Decides where bitmaps lie, and how many blocks of how many threads there are. */
static int plan_blocks(struct run *run, unsigned wanted)
{
    struct state *state = (struct state *)run->state;
    struct batch *batch = &state->batch;
    size_t n = state->junctions.number > 0 ? state->junctions.number : run->graph->num_vertices, limit;
    unsigned blocks = 0;
    int asked = (int)run->options[BLOCK_BITMAP];
    if (gpu_shared_limit(&limit, run->error) != STATUS_OK)
        return run->error->status;
    uint32_t most_room = round_up((uint64_t)run->options[BLOCK_QUEUE], WARP_SIZE);
    batch->num_vertices = run->graph->num_vertices;
    batch->ring_size = (uint32_t)(state->junctions.number > 0 ? 2 * n : n); /* a junction may be in both queues */
    batch->num_words = round_up((n + WORD_BITS - 1) / WORD_BITS, UNIT);
    batch->room = n < most_room ? round_up(n, WARP_SIZE) : most_room;
    if (asked != BITMAP_GLOBAL)
        blocks = fit_in_shared(limit, wanted, batch->num_words, &batch->room);
    if (blocks == 0 && asked == BITMAP_SHARED)
        return error_set(run->error, STATUS_INPUT,
                         "%s: --set bitmap=shared: a bitmap of %.1f KB and its queues do not fit into the %.1f KB of "
                         "shared memory; use bitmap=auto",
                         run->graph->name, 4e-3 * batch->num_words, 1e-3 * (double)limit);
    bool in_shared = blocks > 0;
    if (!in_shared)
        blocks = wanted < GLOBAL_OF_SM ? wanted : GLOBAL_OF_SM;
    state->grid.threads = round_up(state->grid.threads / blocks, WARP_SIZE);
    return allocate_blocks(run, blocks * state->multiprocessors, in_shared);
}

static size_t bytes_of_block(const struct state *state)
{
    return bytes_of_shared(state->batch.room, state->batch.bitmaps == NULL ? state->batch.num_words : 0);
}

static void (*junctions_instantiation(const struct state *state))(struct batch, struct junctions)
{
    return state->batch.bitmaps == NULL ? junctions_kernel<true> : junctions_kernel<false>;
}

/* Lets the kernel, which hangs on the width of levels, have its shared memory. */
static int size_kernel(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    const void *kernel = state->junctions.number > 0 ? (const void *)junctions_instantiation(state)
                                                     : (const void *)instantiation(state);
    struct grid fits;
    return gpu_plan_grid(kernel, state->grid.threads, 1, bytes_of_block(state), &fits, run->error);
}

/* Before a launch, apart from it so that it is not timed. */
static int reset(struct run *run, const struct batch &batch)
{
    const struct state *state = (const struct state *)run->state;
    gpu_check(cudaMemsetAsync(batch.progress, 0, sizeof *batch.progress), "clearing a counter", run->error);
    gpu_check(cudaMemsetAsync(batch.sums, 0, batch.num_sources * sizeof *batch.sums), "clearing the sums",
              run->error);
    if (batch.length != NULL)
        gpu_check(cudaMemsetAsync(batch.length, 0xff, state->num_destinations * sizeof *batch.length),
                  "clearing the lengths", run->error); /* UNREACHED */
    return run->error->status;
}

static size_t num_distances(const struct state *state, uint32_t num_sources)
{
    return (size_t)round_up(num_sources, TOGETHER) * state->junctions.number;
}

/* The searches of junctions, and all levels from what they find. */
static int launch_without_chains(struct run *run, const struct batch &batch, struct grid grid)
{
    const struct state *state = (const struct state *)run->state;
    void (*spread)(struct batch, struct junctions) = state->level_bytes == 1   ? spread_kernel<uint8_t>
                                                     : state->level_bytes == 2 ? spread_kernel<uint16_t>
                                                                               : spread_kernel<uint32_t>;
    unsigned groups = (batch.num_sources + TOGETHER - 1) / TOGETHER;
    struct grid wide = gpu_wide_grid(batch.num_vertices);
    wide.blocks = (wide.blocks + groups - 1) / groups * groups;
    size_t bytes = num_distances(state, batch.num_sources) * sizeof *state->junctions.distances;
    if (gpu_check(cudaMemsetAsync(state->junctions.distances, 0xff, bytes), "clearing the distances", run->error) !=
            STATUS_OK ||
        gpu_launch(junctions_instantiation(state), grid, bytes_of_block(state), run->error, batch,
                   state->junctions) != STATUS_OK)
        return run->error->status;
    return gpu_launch(spread, wide, sizeof(struct spread_shared), run->error, batch, state->junctions);
}

static int launch(struct run *run, const struct batch &batch)
{
    const struct state *state = (const struct state *)run->state;
    struct grid grid = state->grid;
    grid.blocks = grid.blocks < batch.num_sources ? grid.blocks : batch.num_sources;
    if (state->junctions.number > 0)
        return launch_without_chains(run, batch, grid);
    return gpu_launch(instantiation(state), grid, bytes_of_block(state), run->error, batch);
}

/* The highest level of searches from vertices spread over the graph, one a block. */
static int sample_depth(struct run *run, uint32_t *deepest)
{
    struct state *state = (struct state *)run->state;
    struct batch batch = state->batch;
    uint32_t count = state->grid.blocks;
    vertex_t *sources = NULL;
    struct source_sums *sums = NULL;
    batch.num_sources = count;
    batch.level = NULL;
    batch.far = NULL;
    if (allocate(&sources, count, sizeof *sources, "a sample", run->error) == STATUS_OK &&
        allocate(&sums, count, sizeof *sums, "a sample", run->error) == STATUS_OK) {
        for (uint32_t i = 0; i < count; i++)
            sources[i] = (vertex_t)((uint64_t)i * batch.num_vertices / count);
        if (gpu_check(cudaMemcpy(state->sources, sources, count * sizeof *sources, cudaMemcpyHostToDevice),
                      "uploading the sources", run->error) == STATUS_OK &&
            size_kernel(run) == STATUS_OK && reset(run, batch) == STATUS_OK && launch(run, batch) == STATUS_OK)
            gpu_download(sums, batch.sums, count, run->error);
    }
    *deepest = 0;
    for (uint32_t i = 0; i < count && run->error->status == STATUS_OK; i++)
        *deepest = sums[i].eccentricity > *deepest ? sums[i].eccentricity : *deepest;
    free(sources);
    free(sums);
    return run->error->status;
}

/* Levels get the bytes for twice the depth of a sample: in a component that the sample meets, without one-way arcs,
 * no search is deeper. */
static int choose_width(struct run *run)
{
    struct state *state = (struct state *)run->state;
    uint32_t deepest;
    int asked = (int)run->options[BLOCK_LEVEL_BITS];
    state->level_bytes = asked > 0 ? 1u << (asked - 1) : 1;
    if (asked > 0)
        return STATUS_OK;
    if (sample_depth(run, &deepest) != STATUS_OK)
        return run->error->status;
    uint64_t depth = 2 * (uint64_t)deepest, most = state->batch.num_vertices - 1;
    depth = depth < most ? depth : most;
    state->level_bytes = depth < UINT8_MAX ? 1 : depth < UINT16_MAX ? 2 : 4;
    return STATUS_OK;
}

/* Lowers the batch to what levels of its width fit into the memory, to whole rounds of all multiprocessors if it can.
 */
static int allocate_levels(struct run *run)
{
    struct state *state = (struct state *)run->state;
    size_t n = state->batch.num_vertices;
    uint8_t *level = NULL;
    state->free_for_levels = free_memory(run->error);
    double fit = SHARE_OF_FREE * state->free_for_levels / ((double)n * state->level_bytes);
    if (fit < state->batch_size) {
        uint32_t whole = (uint32_t)fit / state->multiprocessors * state->multiprocessors;
        state->batch_size = whole > 0 ? whole : fit >= 1 ? (uint32_t)fit : 1;
    }
    int status = gpu_allocate(&level, state->batch_size * n * state->level_bytes, "the levels", run->error);
    state->batch.level = level;
    return status;
}

static int allocate_results(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct batch *batch = &state->batch;
    struct error *error = run->error;
    size_t n = batch->num_vertices;
    size_t most_sources = state->batch_size > state->grid.blocks ? state->batch_size : state->grid.blocks;
    if (gpu_allocate(&state->sources, most_sources, "the sources", error) != STATUS_OK ||
        gpu_allocate(&batch->sums, most_sources, "the sums", error) != STATUS_OK ||
        gpu_allocate(&batch->progress, 1, "a counter", error) != STATUS_OK ||
        gpu_allocate(&state->first_destination, most_sources + 1, "the destinations", error) != STATUS_OK)
        return error->status;
    batch->sources = state->sources;
    if (state->junctions.number > 0 &&
        gpu_allocate(&state->junctions.distances, num_distances(state, state->batch_size), "the distances", error) !=
            STATUS_OK)
        return error->status;
    if (!(run->outputs & OUTPUT_FAR))
        return STATUS_OK;
    if (gpu_allocate(&batch->far, n, "the far values", error) != STATUS_OK ||
        gpu_allocate(&state->far, n, "the far values", error) != STATUS_OK ||
        gpu_allocate(&state->far_count, n, "the far values", error) != STATUS_OK)
        return error->status;
    gpu_check(cudaMemset(batch->far, 0, n * sizeof *batch->far), "clearing the far values", error);
    gpu_check(cudaMemset(state->far, 0, n * sizeof *state->far), "clearing the far values", error);
    return gpu_check(cudaMemset(state->far_count, 0, n * sizeof *state->far_count), "clearing the far values", error);
}

static void describe(struct run *run, uint32_t wanted)
{
    const struct state *state = (const struct state *)run->state;
    const struct batch *batch = &state->batch;
    char levels[48] = "", lowered[64] = "", searched[56];
    if (batch->level != NULL)
        snprintf(levels, sizeof levels, ", levels of %u bits", 8 * state->level_bytes);
    if (state->batch_size < wanted)
        snprintf(lowered, sizeof lowered, "; batches of %u, not %u: %.1f MB are free", state->batch_size, wanted,
                 1e-6 * state->free_for_levels);
    if (state->junctions.number > 0)
        snprintf(searched, sizeof searched, "%u junctions and the chains between them", state->junctions.number);
    else
        snprintf(searched, sizeof searched, "rows of %u", UNIT * state->units);
    snprintf(run->note, sizeof run->note, "%u searches at once, of %u threads, bitmaps in %s memory, %s%s%s",
             state->grid.blocks, state->grid.threads, batch->bitmaps == NULL ? "shared" : "global", searched, levels,
             lowered);
}

int msbfs_block_prepare(struct run *run, struct gpu_graph *graph)
{
    struct device *device = run->device;
    double kernel_ms;
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK) {
        gpu_graph_free(graph);
        return run->error->status;
    }
    struct state *state = (struct state *)run->state;
    state->graph = *graph;
    *graph = {};
    state->level_bytes = 1;
    unsigned blocks_of_sm = 1;
    if (plan_batch(run, &blocks_of_sm) != STATUS_OK)
        return run->error->status;
    device->mark(device, MARK_BEGIN);
    if ((wants_chains(run, state->batch_size) ? build_junctions(run) : build_rows(run)) != STATUS_OK)
        return run->error->status;
    device->mark(device, MARK_END);
    if (device->elapsed(device, &run->build_ms, &kernel_ms, run->error) != STATUS_OK ||
        plan_blocks(run, blocks_of_sm) != STATUS_OK || allocate_results(run) != STATUS_OK)
        return run->error->status;
    uint32_t wanted = state->batch_size;
    if (run->outputs & OUTPUT_LEVEL && (choose_width(run) != STATUS_OK || allocate_levels(run) != STATUS_OK))
        return run->error->status;
    run->batch_size = state->batch_size;
    describe(run, wanted);
    return size_kernel(run);
}

static int prepare(struct run *run)
{
    struct gpu_graph graph;
    if (gpu_graph_upload(run->graph, run->options[BLOCK_OFFSET_BITS] != 0, &graph, run->error) != STATUS_OK) {
        gpu_graph_free(&graph);
        return run->error->status;
    }
    return msbfs_block_prepare(run, &graph);
}

/* ---- traversing ---- */

/* The destinations as the blocks see them: vertices source by source, and where each source's begin. */
static int upload_destinations(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    struct error *error = run->error;
    uint64_t number = query->num_destinations, d = 0, *first = NULL;
    vertex_t *vertices = NULL;
    gpu_free(state->destinations);
    gpu_free(state->length);
    state->destinations = NULL;
    state->length = NULL;
    if (gpu_allocate(&state->destinations, number, "the destinations", error) != STATUS_OK ||
        gpu_allocate(&state->length, number, "the destinations", error) != STATUS_OK ||
        allocate(&vertices, number, sizeof *vertices, "the destinations", error) != STATUS_OK ||
        allocate(&first, (size_t)query->num_sources + 1, sizeof *first, "the destinations", error) != STATUS_OK)
        goto end;
    for (uint32_t which = 0; which <= query->num_sources; which++) {
        while (d < number && query->destinations[d].which < which)
            d++;
        first[which] = d;
    }
    for (d = 0; d < number; d++)
        vertices[d] = query->destinations[d].vertex;
    gpu_check(cudaMemcpy(state->destinations, vertices, number * sizeof *vertices, cudaMemcpyHostToDevice),
              "uploading the destinations", error);
    gpu_check(cudaMemcpy(state->first_destination, first, ((size_t)query->num_sources + 1) * sizeof *first,
                         cudaMemcpyHostToDevice),
              "uploading the destinations", error);
end:
    free(vertices);
    free(first);
    return error->status;
}

static int upload_query(struct run *run, const struct query *query, struct batch *batch)
{
    struct state *state = (struct state *)run->state;
    *batch = state->batch;
    batch->num_sources = query->num_sources;
    state->num_destinations = query->destinations != NULL ? query->num_destinations : 0;
    if (gpu_check(cudaMemcpy(state->sources, query->sources, query->num_sources * sizeof *query->sources,
                             cudaMemcpyHostToDevice),
                  "uploading the sources", run->error) != STATUS_OK ||
        query->destinations == NULL || upload_destinations(run, query) != STATUS_OK)
        return run->error->status;
    batch->destinations = state->destinations;
    batch->first_destination = state->first_destination;
    batch->length = state->length;
    return STATUS_OK;
}

static int search_batch(struct run *run, const struct batch &batch)
{
    const struct state *state = (const struct state *)run->state;
    if (reset(run, batch) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    if (launch(run, batch) == STATUS_OK && batch.far != NULL)
        gpu_launch(add_far, gpu_wide_grid(batch.num_vertices), 0, run->error, (const struct progress *)batch.progress,
                   batch.num_vertices, batch.far, state->far, state->far_count);
    run_kernel_end(run);
    return run->error->status;
}

/* Whether the searches have ended since levels need more bits than they have. */
static int check_depth(struct run *run, const struct batch &batch, bool *too_deep)
{
    const struct state *state = (const struct state *)run->state;
    uint32_t none = state->level_bytes == 1 ? UINT8_MAX : state->level_bytes == 2 ? UINT16_MAX : UNREACHED;
    struct progress progress = {0, 0};
    if (batch.level != NULL && batch.num_vertices > none) /* as many levels as vertices, at most */
        gpu_download(&progress, batch.progress, 1, run->error);
    *too_deep = progress.too_deep;
    return run->error->status;
}

static int widen_levels(struct run *run, struct batch *batch)
{
    struct state *state = (struct state *)run->state;
    double each = (double)state->batch.num_vertices * 2 * state->level_bytes;
    gpu_free(state->batch.level);
    state->batch.level = NULL;
    if (free_memory(run->error) < each * state->batch_size)
        return error_set(run->error, STATUS_DEVICE,
                         "%s: levels need %u bits, which takes %.1f MB a source, and %.1f MB are free; set a batch "
                         "below %u",
                         run->graph->name, 16 * state->level_bytes, 1e-6 * each, 1e-6 * free_memory(run->error),
                         state->batch_size);
    state->level_bytes *= 2;
    uint8_t *level = NULL;
    int status = gpu_allocate(&level, state->batch_size * (size_t)each, "the levels", run->error);
    batch->level = state->batch.level = level;
    return status == STATUS_OK ? size_kernel(run) : status;
}

int msbfs_block_traverse(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    struct batch batch;
    bool too_deep;
    if (upload_query(run, query, &batch) != STATUS_OK)
        return run->error->status;
    state->num_sources = query->num_sources;
    while (search_batch(run, batch) == STATUS_OK && check_depth(run, batch, &too_deep) == STATUS_OK && too_deep)
        if (widen_levels(run, &batch) != STATUS_OK)
            break;
    return run->error->status;
}

/* The levels of a source arrive at the end of the array that they fill when each has 32 bits: each is read before its
 * place is written. */
static int fetch_levels(struct run *run, uint32_t which, uint32_t *level)
{
    const struct state *state = (const struct state *)run->state;
    size_t n = state->batch.num_vertices, bytes = state->level_bytes;
    uint8_t *narrow = (uint8_t *)level + n * (sizeof *level - bytes);
    if (gpu_download(narrow, (const uint8_t *)state->batch.level + which * n * bytes, n * bytes, run->error) !=
        STATUS_OK)
        return run->error->status;
    uint32_t none = bytes == 1 ? UINT8_MAX : bytes == 2 ? UINT16_MAX : UNREACHED;
    for (size_t v = 0; v < n; v++) {
        uint32_t found = 0;
        memcpy(&found, narrow + v * bytes, bytes); /* little-endian */
        level[v] = found == none ? UNREACHED : found;
    }
    return STATUS_OK;
}

/* Takes the far values and begins anew. */
static int fetch_far(struct run *run, struct traversal *result)
{
    struct state *state = (struct state *)run->state;
    size_t n = state->batch.num_vertices;
    if (gpu_download(result->far, state->far, n, run->error) != STATUS_OK ||
        gpu_download(result->far_count, state->far_count, n, run->error) != STATUS_OK ||
        gpu_check(cudaMemset(state->far, 0, n * sizeof *state->far), "clearing the far values", run->error) !=
            STATUS_OK)
        return run->error->status;
    return gpu_check(cudaMemset(state->far_count, 0, n * sizeof *state->far_count), "clearing the far values",
                     run->error);
}

int msbfs_block_fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    if (result->level != NULL && fetch_levels(run, result->which, result->level) != STATUS_OK)
        return run->error->status;
    if (result->sums != NULL &&
        gpu_download(result->sums, state->batch.sums, state->num_sources, run->error) != STATUS_OK)
        return run->error->status;
    if (result->length != NULL &&
        gpu_download(result->length, state->length, state->num_destinations, run->error) != STATUS_OK)
        return run->error->status;
    return result->far != NULL ? fetch_far(run, result) : STATUS_OK;
}

void msbfs_block_release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct batch *batch = &state->batch;
        const struct junctions *junctions = &state->junctions;
        const void *const arrays[] = {state->sources,       state->rows,          state->far,
                                      state->far_count,     state->destinations,  state->first_destination,
                                      state->length,        batch->progress,      batch->bitmaps,
                                      batch->rings,         batch->level,         batch->sums,
                                      batch->far,           junctions->offsets,   junctions->arcs,
                                      junctions->places,    junctions->positions, junctions->distances,
                                      junctions->first_arcs};
        for (const void *array : arrays)
            gpu_free(array);
        gpu_graph_free(&state->graph);
    }
    free(state);
    run->state = NULL;
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(msbfs_block) = {
    .family = "msbfs",
    .variant = "block",
    .title = "a block to a search, its bitmap in shared memory",
    .citation = "gtrav",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FAR | OUTPUT_LENGTH,
    .options = options,
    .prepare = prepare,
    .traverse = msbfs_block_traverse,
    .fetch = msbfs_block_fetch,
    .release = msbfs_block_release,
};
