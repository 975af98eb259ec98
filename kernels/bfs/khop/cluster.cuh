/* cluster.cuh: the traversal without an index. One cluster of blocks runs level by level and keeps its queue in
 * shared memory.
 *
 * A queue entry is a vertex that was reached at the current level, with its record: up to four neighbours. Four lanes
 * process an entry together. Each lane claims one neighbour by compare-and-swap and loads that neighbour's record at
 * the same time. If the claim succeeds, the lane removes the edge back from the record and queues the neighbour with
 * its record for the next level, in an inbox. Each block of the cluster has an inbox in its shared memory; a block
 * puts its entries into the inboxes in rotation. A vertex with more than four neighbours is queued in pieces of
 * EDGES_A_PIECE edges, which warps read from the CSR.
 *
 * Each place of an inbox has one writer, since every block has its own part of every inbox. A block numbers its
 * entries with a counter in its own shared memory, and tells all blocks the count at the end of the level. Inboxes
 * alternate between levels, and the cluster barrier separates writing from reading. Entries that do not fit go to a
 * list in global memory, which has room for all vertices and pieces. */
#pragma once

#include "../../device/grid_barrier.cuh"
#include "index.cuh"

namespace BACKEND::khop
{

#define MAX_CLUSTER_BLOCKS 16u  /* blocks of the largest cluster */
#define NUM_NEIGHBOURS     4u   /* neighbours in a record */
#define EDGES_A_PIECE      128u /* edges in a piece of a vertex with more than NUM_NEIGHBOURS neighbours */
#define LISTS_AN_INBOX     4u   /* places in an inbox, in units of the list size */
#define INBOX_PLACES       (LISTS_AN_INBOX * MAX_LIST_SIZE)
#define FEW_INBOX_PLACES   (INBOX_PLACES / 2) /* for devices with less shared memory than Hopper */
#define CLUSTER_LANES      NUM_NEIGHBOURS     /* lanes that process an entry together */
#define ENTRIES_A_STEP     (WARP_SIZE / CLUSTER_LANES)

/* A record holds the neighbours of a vertex, then NO_VERTEX in unused places. The record of a vertex with too many
 * neighbours is long: NO_VERTEX, NO_VERTEX, the number of pieces (in the queue: the index of this piece), 0. No other
 * record has this form, not even after the edge back is removed. */
DEVICE bool is_long(const uint4 &record)
{
    return record.x == NO_VERTEX && record.y == NO_VERTEX && record.w == 0;
}

template <typename offset_t>
__global__ void make_records(csr<offset_t> graph, uint4 *records)
{
    for (uint64_t v = thread_of_grid(); v < graph.num_vertices; v += threads_of_grid()) {
        offset_t edge = graph.offsets[v], end = graph.offsets[v + 1];
        uint32_t neighbours[NUM_NEIGHBOURS];
        for (unsigned i = 0; i < NUM_NEIGHBOURS; i++)
            neighbours[i] = load_if(edge + i < end, &graph.targets[edge + i]);
        uint32_t pieces = (uint32_t)((end - edge + EDGES_A_PIECE - 1) / EDGES_A_PIECE);
        records[v] = end - edge > NUM_NEIGHBOURS ? uint4{NO_VERTEX, NO_VERTEX, pieces, 0}
                                                 : uint4{neighbours[0], neighbours[1], neighbours[2], neighbours[3]};
    }
}

/* The queues of this level and of the next, by parity. Each block's part of an inbox has inbox / blocks places. */
template <unsigned places>
struct cluster_queue {
    uint4 record[2][places];
    vertex_t vertex[2][places];
    uint32_t queued[2][MAX_CLUSTER_BLOCKS]; /* entries that each block has queued for a level, over all inboxes */
    uint32_t count[2];                      /* entries that this block has queued so far for a level */
};

/* Device memory of a traversal. The counts of spilled entries are used in rotation (../../device/grid_barrier.cuh).
 * Levels end at the cluster's barrier. */
struct cluster_search {
    uint32_t *level;         /* num_vertices */
    const uint4 *records;    /* num_vertices */
    uint2 *spilled;          /* (vertex, piece); room for every vertex and every piece */
    uint32_t *num_spilled;   /* NUM_COUNTS */
    uint32_t inbox;          /* number of places of an inbox that are used */
    struct level_end *trace; /* num_vertices + 2, by level; NULL without --profile */
};

/* The level for which vertices are being claimed. All threads hold the same values. */
struct cluster_step {
    uint32_t level;
    uint64_t spilled; /* index of the first spilled entry of this level, after those of the previous level */
};

/* Returns the number of places in each block's part of an inbox. */
DEVICE uint32_t part_of_inbox(const struct cluster_search &search)
{
    return search.inbox / cluster_size();
}

/* Queues an entry for the next level. place: the entry's number, counted within this block. */
DEVICE void enqueue(const struct cluster_search &search, auto *shared, const struct cluster_step &step, uint32_t place,
                    vertex_t vertex, const uint4 &record)
{
    unsigned parity = step.level % 2, size = cluster_size(), rank = cluster_rank();
    uint32_t to = (place + rank) & (size - 1), at = place / size;
    if (at < part_of_inbox(search)) {
        uint32_t own = rank * part_of_inbox(search) + at;
        *cluster_shared(&shared->record[parity][own], to) = record;
        *cluster_shared(&shared->vertex[parity][own], to) = vertex;
    } else {
        uint32_t number = atomicAdd(count_of(search.num_spilled, step.level), 1u);
        uint2 *spilled = &search.spilled[step.spilled + number];
        __stcg(&spilled->x, vertex);
        __stcg(&spilled->y, record.z);
    }
}

/* Claims `vertex`, a neighbour of `from`, and queues it if the claim succeeds. NO_VERTEX: the lane claims nothing.
 * All lanes of the warp must call this together. */
DEVICE void claim(const struct cluster_search &search, auto *shared, const struct cluster_step &step, vertex_t vertex,
                  vertex_t from)
{
    bool wanted = vertex != NO_VERTEX;
    uint32_t words[NUM_NEIGHBOURS];
    uint32_t old = compare_and_swap_if(wanted, &search.level[vertex], UNREACHED, step.level);
    load_four_if(wanted, (const uint32_t *)&search.records[vertex], words);
    bool won = wanted && old == UNREACHED;
    uint4 record = {words[0], words[1], words[2], words[3]};
    bool longer = won && is_long(record);
#pragma unroll
    for (unsigned i = 0; i < NUM_NEIGHBOURS; i++)
        words[i] = words[i] == from ? NO_VERTEX : words[i];
    record = longer ? record : uint4{words[0], words[1], words[2], words[3]};
    won = won && !longer &&
          (record.x & record.y & record.z & record.w) != NO_VERTEX; /* otherwise `from` was its only neighbour */
    unsigned winners = __ballot_sync(WHOLE_WARP, won), before = (1u << lane_id()) - 1;
    uint32_t *count = &shared->count[step.level % 2], place = 0;
    if (winners != 0) {
        if (lane_id() == 0)
            place = atomicAdd_block(count, (uint32_t)__popc(winners));
        place = __shfl_sync(WHOLE_WARP, place, 0) + __popc(winners & before);
        if (won)
            enqueue(search, shared, step, place, vertex, record);
    }
    if (longer) {
        uint32_t pieces = record.z;
        place = atomicAdd_block(count, pieces);
        for (uint32_t piece = 0; piece < pieces; piece++)
            enqueue(search, shared, step, place + piece, vertex, {NO_VERTEX, NO_VERTEX, piece, 0});
    }
}

/* Each group of CLUSTER_LANES lanes claims the neighbours of its entry, or none if its vertex is NO_VERTEX. All lanes
 * of the warp must call this together. */
template <typename offset_t>
DEVICE void claim_neighbours(const csr<offset_t> &graph, const struct cluster_search &search, auto *shared,
                             const struct cluster_step &step, vertex_t vertex, const uint4 &record)
{
    unsigned place = lane_id() % CLUSTER_LANES;
    bool longer = vertex != NO_VERTEX && is_long(record);
    vertex_t mine = place == 0 ? record.x : place == 1 ? record.y : place == 2 ? record.z : record.w;
    claim(search, shared, step, vertex != NO_VERTEX && !longer ? mine : NO_VERTEX, vertex);
    for (unsigned many = __ballot_sync(WHOLE_WARP, longer && place == 0); many != 0; many &= many - 1) {
        int owner = __ffs((int)many) - 1;
        vertex_t owner_vertex = __shfl_sync(WHOLE_WARP, vertex, owner);
        uint32_t piece = __shfl_sync(WHOLE_WARP, record.z, owner);
        offset_t edge = graph.offsets[owner_vertex] + (offset_t)piece * EDGES_A_PIECE,
                 end = graph.offsets[owner_vertex + 1];
        end = end - edge > EDGES_A_PIECE ? edge + EDGES_A_PIECE : end;
        for (; edge < end; edge += WARP_SIZE)
            claim(search, shared, step, load_if(edge + lane_id() < end, &graph.targets[edge + lane_id()]),
                  owner_vertex);
    }
}

/* Claims the neighbours of the entries in this block's inbox. Warps take the senders' parts of the inbox in rotation,
 * ENTRIES_A_STEP entries at a time. */
template <typename offset_t>
DEVICE void claim_from_inbox(const csr<offset_t> &graph, const struct cluster_search &search, auto *shared,
                             const struct cluster_step &step, uint32_t queued)
{
    unsigned parity = (step.level - 1) % 2, size = cluster_size(), part = part_of_inbox(search);
    /* In lane i: the number of entries of block i in this inbox. Block i puts its entry number e into the inbox of
     * block (i + e) % size. */
    uint32_t first = (cluster_rank() - lane_id()) & (size - 1);
    uint32_t here = queued > first ? (queued - first + size - 1) / size : 0;
    here = min(here, part);
    uint32_t most = __reduce_max_sync(WHOLE_WARP, here);
    for (uint32_t i = threadIdx.x / WARP_SIZE; i / size * ENTRIES_A_STEP < most; i += blockDim.x / WARP_SIZE) {
        uint32_t at = i / size * ENTRIES_A_STEP + lane_id() / CLUSTER_LANES, from = i % size;
        bool present = at < __shfl_sync(WHOLE_WARP, here, (int)from);
        vertex_t vertex = NO_VERTEX;
        uint4 record = {NO_VERTEX, NO_VERTEX, NO_VERTEX, NO_VERTEX};
        if (present) {
            vertex = shared->vertex[parity][from * part + at];
            record = shared->record[parity][from * part + at];
        }
        claim_neighbours(graph, search, shared, step, vertex, record);
    }
}

/* Claims the neighbours of the `number` spilled entries of the previous level, which precede those of this level. */
template <typename offset_t>
DEVICE void claim_spilled(const csr<offset_t> &graph, const struct cluster_search &search, auto *shared,
                          const struct cluster_step &step, uint32_t number)
{
    const uint2 *spilled = search.spilled + step.spilled - number;
    for (uint64_t i = thread_of_grid() / WARP_SIZE * ENTRIES_A_STEP; i < number;
         i += threads_of_grid() / WARP_SIZE * ENTRIES_A_STEP) {
        uint64_t mine = i + lane_id() / CLUSTER_LANES;
        vertex_t vertex = load_relaxed_if(mine < number, &spilled[mine].x);
        uint32_t piece = load_relaxed_if(mine < number, &spilled[mine].y), words[NUM_NEIGHBOURS];
        load_four_if(mine < number, (const uint32_t *)&search.records[vertex], words);
        uint4 record = {words[0], words[1], words[2], words[3]};
        if (is_long(record))
            record.z = piece;
        claim_neighbours(graph, search, shared, step, vertex, record);
    }
}

/* Resets levels and counts, and puts the source on the list of spilled entries. Returns the number of its entries. */
DEVICE uint32_t reset_cluster(const struct cluster_search &search, auto *shared, vertex_t num_vertices, vertex_t source)
{
    uint4 record = search.records[source];
    uint32_t pieces = is_long(record) ? record.z : 1;
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid())
        search.level[v] = v == source ? 0 : UNREACHED;
    for (uint64_t piece = thread_of_grid(); piece < pieces; piece += threads_of_grid())
        search.spilled[piece] = make_uint2(source, (uint32_t)piece);
    if (blockIdx.x == 0 && threadIdx.x < NUM_COUNTS)
        search.num_spilled[threadIdx.x] = threadIdx.x == 0 ? pieces : 0;
    if (threadIdx.x < 2)
        shared->count[threadIdx.x] = 0;
    if (threadIdx.x < MAX_CLUSTER_BLOCKS)
        shared->queued[0][threadIdx.x] = 0;
    __threadfence();
    cluster_wait();
    return pieces;
}

/* Traverses the graph from the source. The grid is one cluster. places: number of places in an inbox. profiled:
 * records the ends of levels. */
template <typename offset_t, unsigned places, bool profiled>
__global__ void __launch_bounds__(THREADS, 1)
    cluster_kernel(csr<offset_t> graph, struct cluster_search search, vertex_t source)
{
    struct cluster_queue<places> *shared = block_shared<struct cluster_queue<places>>();
    struct cluster_step step = {1, 0};
    step.spilled = reset_cluster(search, shared, graph.num_vertices, source);
    if (profiled && is_first_thread())
        end_level(search.trace, 0, LEVEL_TOP_DOWN);
    for (;; step.level++) {
        unsigned current = (step.level - 1) % 2, next = step.level % 2;
        uint32_t queued = lane_id() < cluster_size() ? shared->queued[current][lane_id()] : 0;
        uint32_t spilled = __ldcg(count_of(search.num_spilled, step.level - 1));
        spilled = __shfl_sync(WHOLE_WARP, spilled, 0);
        if (__reduce_add_sync(WHOLE_WARP, queued) == 0 && spilled == 0)
            return;
        if (step.level > 1)
            step.spilled += spilled;
        if (thread_of_grid() == 0)
            __stcg(count_of(search.num_spilled, step.level + 1), 0u);
        claim_from_inbox(graph, search, shared, step, queued);
        claim_spilled(graph, search, shared, step, spilled);
        __syncthreads();
        if (threadIdx.x < cluster_size())
            *cluster_shared(&shared->queued[next][cluster_rank()], threadIdx.x) = shared->count[next];
        if (threadIdx.x == 0)
            shared->count[current] = 0;
        cluster_wait();
        if (profiled && is_first_thread())
            end_level(search.trace, step.level, LEVEL_TOP_DOWN);
    }
}

} // namespace BACKEND::khop
