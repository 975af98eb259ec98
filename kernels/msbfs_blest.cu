/* msbfs_blest.cu: Blest's BFS from many sources (Elbek and Kaya 2026, section 6), as its ablation (table VI) builds
 * it up. kappa sources are searched from at once; a vertex has a row of kappa bits for each thing that bfs_blest.cu
 * has a bit of, so that a virtual slice set (bvss.h) is read once for all of them.
 *
 *   blest-naive  BFSs from one source, `bfs blest` with all it has, one after the other
 *   blest-a      algorithm 5 without reindexing and without tracking of slice sets: a vertex's row stands where its
 *                id says; each VSS is multiplied for all kappa sources, every row looked at at every level's end
 *   blest-ab     section 6.1: with reindexing, rows stand column by column, so that what threads with neighbouring
 *                slice sets look at lies side by side
 *   blest        and with activeSets, the sources that a VSS is multiplied for, and dirtySets, the slice sets that
 *                are looked at at the level's end
 *
 * A level has two stages. The first marks: a warp takes a VSS of the queue and for each source c that its slice set
 * is active for collects the set's SIGMA frontier bits by a ballot, multiplies, and so has bit c of what its rows are
 * to be marked with. The second settles: a thread a slice set, what is marked and was not visited is the new
 * frontier.
 *
 * Where the paper has a queue for this level and one for the next, there is one: the first stage reads it, the second
 * writes it, and a grid barrier lies between them. The counts rotate as in bfs_blest.cu. The rows of a set's columns
 * are spread over the lanes of a warp, SPREAD words of each column side by side, so that they take a register or two.
 *
 * What is written when. Stage 1 changes marked, by reductions that nobody waits for, and dirty, only ever to 1; it
 * reads the queue, frontier and active, which only stage 2 writes. In stage 2 a slice set is one lane's, with all
 * that is kept for it or its vertices: marked, visited, frontier, active, dirty, far, levels. In `blest` only the
 * dirty sets are settled: frontier and active of the others are stale, but those sets are not queued, so nobody reads
 * them; whichever becomes dirty gets them anew. So of two stages that touch a word, one barrier apart, one at most
 * writes it, but for the reductions on marked and the ones in dirty, which may come in any order. A set is queued by
 * its lane, once a level, so that the queue holds num_vss entries at most.
 *
 * Levels are 32 bits, of any depth; they stand source by source, each in the order of the rows, so that lanes write
 * side by side. Instead of them, or with them: the sums of each source, added up in the block and sent at the end,
 * and far (equation 7), which belongs to the slice set's lane. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bfs_blest.h"

namespace BACKEND
{

#define MOST_KAPPA    256u
#define MANY_BLOCKS   2                   /* on a multiprocessor, of MOST_THREADS: 64 registers a thread */
#define SPREAD        (WARP_SIZE / SIGMA) /* words of a column that lanes have side by side */
#define SETTLED_WORDS 16u                 /* of marked, and as many of visited, that a lane has in flight */
#define FREE_SHARE    0.95                /* of the free device memory, that may be planned with */

/* Device memory of a traversal; arrays that a variant or an output does not need are NULL. A row: words = kappa / 32
 * words, a bit for each source; num_rows = num_sets * SIGMA, and where a vertex's row stands row_of says. */
struct search {
    uint32_t *frontier, *visited, *marked; /* num_rows rows: F, V_curr and V_next */
    uint32_t *active;                      /* num_sets rows: activeSets */
    uint8_t *dirty;                        /* num_sets, rounded up to whole warps: dirtySets */
    uint2 *queue;                          /* num_vss: a VSS and its slice set */
    uint64_t *counts;                      /* NUM_COUNTS: VSSs queued */
    vertex_t *sources;                     /* kappa: num_sources of the query */
    uint32_t num_sources;
    uint32_t *level;          /* kappa x num_rows; UNREACHED until found */
    struct source_sums *sums; /* kappa */
    uint64_t *far;            /* num_rows */
    uint32_t *far_count;      /* num_rows */
    struct grid_barrier *barrier;
};

/* found: at this level, by source; the rest at all levels of this block. Entry b is written by thread
 * b % blockDim.x, but for found, which all add to. */
struct shared {
    uint64_t broadcast;
    uint64_t level_sum[MOST_KAPPA];
    uint32_t found[MOST_KAPPA], reached[MOST_KAPPA], eccentricity[MOST_KAPPA];
};

/* The paper's getVI, of vertex set * SIGMA + column. */
static __host__ __device__ __forceinline__ size_t row_of(bool reindexed, uint32_t num_sets, uint32_t set,
                                                         uint32_t column)
{
    return reindexed ? (size_t)column * num_sets + set : (size_t)set * SIGMA + column;
}

static __device__ __forceinline__ size_t row_of_vertex(bool reindexed, uint32_t num_sets, vertex_t vertex)
{
    return row_of(reindexed, num_sets, vertex / SIGMA, vertex % SIGMA);
}

/* ---- rows of bits ---- */

template <unsigned words>
static __device__ __forceinline__ void load_row(const uint32_t *row, uint32_t (&bits)[words])
{
    if constexpr (words == 1) {
        bits[0] = __ldcg(row);
    } else if constexpr (words == 2) {
        uint2 both = __ldcg((const uint2 *)row);
        bits[0] = both.x;
        bits[1] = both.y;
    } else {
#pragma unroll
        for (unsigned i = 0; i < words; i += 4) {
            uint4 four = __ldcg((const uint4 *)(row + i));
            bits[i] = four.x;
            bits[i + 1] = four.y;
            bits[i + 2] = four.z;
            bits[i + 3] = four.w;
        }
    }
}

template <unsigned words>
static __device__ __forceinline__ void store_row(uint32_t *row, const uint32_t (&bits)[words])
{
    if constexpr (words == 1) {
        __stcg(row, bits[0]);
    } else if constexpr (words == 2) {
        __stcg((uint2 *)row, make_uint2(bits[0], bits[1]));
    } else {
#pragma unroll
        for (unsigned i = 0; i < words; i += 4)
            __stcg((uint4 *)(row + i), uint4{bits[i], bits[i + 1], bits[i + 2], bits[i + 3]});
    }
}

/* ---- stage 1: lazy marking ---- */

/* What a lane has of a VSS. frontier[i]: of column lane % SIGMA, word lane / SIGMA + SPREAD * i; active: word
 * lane % words of the set's. */
template <unsigned words>
struct tile {
    uint4 rows;
    uint32_t masks, active, frontier[(words + SPREAD - 1) / SPREAD];
};

template <unsigned words, bool reindexed, bool tracked>
static __device__ __forceinline__ struct tile<words> load_tile(const struct bvss &bvss, const struct search &search,
                                                               uint2 entry) {
    struct tile<words> tile = {
    };
    if (entry.y == NO_VERTEX)
        return tile;
    size_t at = (size_t)entry.x * WARP_SIZE + lane_id();
    size_t row = row_of(reindexed, bvss.num_sets, entry.y, lane_id() % SIGMA);
    tile.rows = __ldg(&bvss.row_ids[at]);
    tile.masks = __ldg(&bvss.masks[at]);
    if (tracked)
        tile.active = __ldcg(&search.active[(size_t)entry.y * words + lane_id() % words]);
#pragma unroll
    for (unsigned word = 0; word < words; word += SPREAD) {
        unsigned mine = word + lane_id() / SIGMA;
        tile.frontier[word / SPREAD] = mine < words ? __ldcg(&search.frontier[row * words + mine]) : 0;
    }
    return tile;
}

/* The bits of a word that there are sources for. */
static __device__ __forceinline__ uint32_t
sources_of(uint32_t num_sources, unsigned word)
{
    uint32_t before = word * WARP_SIZE;
    return num_sources >= before + WARP_SIZE ? UINT32_MAX
           : num_sources > before            ? lanes_below(num_sources - before)
                                             : 0;
}

/* The bits of a word of sources that the lane's rows are to be marked with: for each source of the word that the set
 * is active for, or where that is not tracked for each source, one multiplication of the VSS. All lanes of the warp
 * must come. */
template <unsigned words, bool tracked>
static __device__ __forceinline__ void collect(const struct tile<words> &tile, unsigned word, uint32_t num_sources,
                                               uint32_t (&found)[THETA])
{
    uint32_t column = lane_id() / SIGMA == word % SPREAD ? tile.frontier[word / SPREAD] : 0;
    uint32_t sources = tracked ? __shfl_sync(WHOLE_WARP, tile.active, (int)word) : sources_of(num_sources, word);
#pragma unroll
    for (unsigned q = 0; q < THETA; q++)
        found[q] = 0;
    for (; sources != 0; sources &= sources - 1) {
        uint32_t bit = sources & (0u - sources);
        uint32_t alpha = __ballot_sync(WHOLE_WARP, (column & bit) != 0) >> word % SPREAD * SIGMA;
        int products[THETA];
        multiply_by_lanes(tile.masks, alpha, products);
#pragma unroll
        for (unsigned q = 0; q < THETA; q++)
            found[q] |= products[q] > 0 ? bit : 0;
    }
}

/* Marks the rows of a VSS, two words of sources at a time where there are as many. */
template <unsigned words, bool reindexed, bool tracked>
static __device__ __forceinline__ void mark(const struct bvss &bvss, const struct search &search,
                                            const struct tile<words> &tile)
{
    const vertex_t row[THETA] = {tile.rows.x, tile.rows.y, tile.rows.z, tile.rows.w};
    bool any[THETA] = {};
#pragma unroll
    for (unsigned word = 0; word < words; word += 2) {
        uint32_t low[THETA], high[THETA] = {};
        collect<words, tracked>(tile, word, search.num_sources, low);
        if constexpr (words > 1)
            collect<words, tracked>(tile, word + 1, search.num_sources, high);
#pragma unroll
        for (unsigned q = 0; q < THETA; q++) {
            if ((low[q] | high[q]) == 0)
                continue;
            uint32_t *marked = &search.marked[row_of_vertex(reindexed, bvss.num_sets, row[q]) * words + word];
            if constexpr (words > 1)
                atomicOr((unsigned long long *)marked, (unsigned long long)high[q] << 32 | low[q]);
            else
                atomicOr(marked, low[q]);
            any[q] = true;
        }
    }
#pragma unroll
    for (unsigned q = 0; q < THETA; q++)
        if (tracked && any[q])
            __stcg(&search.dirty[row[q] / SIGMA], (uint8_t)1);
}

/* ---- stage 2: frontier finalization ---- */

/* Gives the level to what a row has newly found, and counts it by source. The lanes have a row each; all lanes of the
 * warp must come. */
template <unsigned words>
static __device__ __forceinline__ void note_found(const struct search &search, struct shared *shared, size_t num_rows,
                                                  size_t row, const uint32_t (&fresh)[words], uint32_t level)
{
#pragma unroll
    for (unsigned word = 0; word < words; word++)
        for (uint32_t left = __reduce_or_sync(WHOLE_WARP, fresh[word]); left != 0; left &= left - 1) {
            unsigned bit = (unsigned)__ffs((int)left) - 1, source = word * WARP_SIZE + bit;
            bool found = fresh[word] >> bit & 1;
            if (found && search.level != NULL)
                __stcg(&search.level[source * num_rows + row], level);
            if (search.sums == NULL)
                continue;
            uint32_t count = (uint32_t)__popc(__ballot_sync(WHOLE_WARP, found));
            if (lane_id() == 0)
                atomicAdd(&shared->found[source], count);
        }
}

template <unsigned words>
static __device__ __forceinline__ void add_far(const struct search &search, size_t row,
                                               const uint32_t (&fresh)[words], uint32_t level)
{
    uint32_t count = 0;
#pragma unroll
    for (unsigned word = 0; word < words; word++)
        count += (uint32_t)__popc(fresh[word]);
    __stcg(&search.far[row], __ldcg(&search.far[row]) + (uint64_t)level * count);
    __stcg(&search.far_count[row], __ldcg(&search.far_count[row]) + count);
}

/* Settles a row, for a lane that has one, and adds what is new to the set's active sources. All lanes must come. */
template <unsigned words>
static __device__ __forceinline__ void settle_row(const struct search &search, struct shared *shared, size_t num_rows,
                                                  bool has, size_t row, const uint32_t (&marked)[words],
                                                  uint32_t (&fresh)[words], uint32_t level, uint32_t (&active)[words])
{
    uint32_t any = 0;
#pragma unroll
    for (unsigned word = 0; word < words; word++) {
        fresh[word] ^= marked[word]; /* what was visited, until here */
        any |= fresh[word];
        active[word] |= fresh[word];
    }
    if (has)
        store_row<words>(search.frontier + row * words, fresh);
    if (any != 0)
        store_row<words>(search.visited + row * words, marked);
    if (any != 0 && search.far != NULL)
        add_far<words>(search, row, fresh, level);
    if (search.level != NULL || search.sums != NULL)
        note_found<words>(search, shared, num_rows, row, fresh, level);
}

/* Settles a group of slice sets, a lane each, and queues those that are active. */
template <unsigned words, bool reindexed, bool tracked>
static __device__ __forceinline__ void settle_group(const struct bvss &bvss, const struct search &search,
                                                    struct shared *shared, uint32_t group, uint32_t level,
                                                    uint64_t *count)
{
    constexpr unsigned at_once = SETTLED_WORDS / words < SIGMA ? SETTLED_WORDS / words : SIGMA;
    uint32_t set = group * WARP_SIZE + lane_id(), num_sets = bvss.num_sets;
    bool has = set < num_sets && (!tracked || __ldcg(&search.dirty[set]) != 0);
    uint32_t active[words] = {};
    if (tracked && has)
        __stcg(&search.dirty[set], (uint8_t)0);
    for (unsigned column = 0; column < SIGMA; column += at_once) {
        uint32_t marked[at_once][words] = {}, visited[at_once][words] = {};
#pragma unroll
        for (unsigned i = 0; i < at_once; i++) {
            size_t row = row_of(reindexed, num_sets, set, column + i);
            if (has) {
                load_row<words>(search.marked + row * words, marked[i]);
                load_row<words>(search.visited + row * words, visited[i]);
            }
        }
#pragma unroll
        for (unsigned i = 0; i < at_once; i++)
            settle_row<words>(search, shared, (size_t)num_sets * SIGMA, has,
                              row_of(reindexed, num_sets, set, column + i), marked[i], visited[i], level, active);
    }
    uint32_t any = 0;
#pragma unroll
    for (unsigned word = 0; word < words; word++)
        any |= active[word];
    if (tracked && has)
        store_row<words>(search.active + (size_t)set * words, active);
    const struct range ranges[1] = {
        {set, load_if(any != 0, &bvss.real_ptrs[set]), load_if(any != 0, &bvss.real_ptrs[set + 1])}};
    enqueue(search.queue, count, 0, ranges);
}

static __device__ __forceinline__ bool has_dirty(const struct search &search, uint32_t group)
{
    const uint4 *flags = (const uint4 *)(search.dirty + (size_t)group * WARP_SIZE);
    uint4 low = __ldcg(&flags[0]), high = __ldcg(&flags[1]);
    return (low.x | low.y | low.z | low.w | high.x | high.y | high.z | high.w) != 0;
}

/* All groups, or all with dirty sets. A warp finds out about up to 32 groups at once, fewer where there would not be
 * enough for all warps; they lie apart, since what is dirty lies in clusters. */
template <unsigned words, bool reindexed, bool tracked>
static __device__ __forceinline__ void settle(const struct bvss &bvss, const struct search &search,
                                              struct shared *shared, struct team team, uint32_t level,
                                              uint64_t *count)
{
    uint32_t num_groups = (bvss.num_sets + WARP_SIZE - 1) / WARP_SIZE;
    uint32_t groups_of_warp = min(max(num_groups / team.num_warps, 1u), WARP_SIZE);
    uint32_t stride = (num_groups + groups_of_warp - 1) / groups_of_warp;
    for (uint32_t first = team.warp; first < stride; first += team.num_warps) {
        uint64_t mine = first + (uint64_t)lane_id() * stride;
        bool has = lane_id() < groups_of_warp && mine < num_groups;
        if (tracked && has)
            has = has_dirty(search, (uint32_t)mine);
        for (unsigned left = __ballot_sync(WHOLE_WARP, has); left != 0; left &= left - 1)
            settle_group<words, reindexed, tracked>(bvss, search, shared,
                                                    first + ((unsigned)__ffs((int)left) - 1) * stride, level, count);
    }
}

/* ---- sums of the sources ---- */

static __device__ __forceinline__ void clear_sums(struct shared *shared, unsigned kappa)
{
    for (unsigned source = threadIdx.x; source < kappa; source += blockDim.x) {
        shared->level_sum[source] = 0;
        shared->found[source] = shared->reached[source] = shared->eccentricity[source] = 0;
    }
    __syncthreads();
}

/* After a level. All threads of the block must come. */
static __device__ __forceinline__ void add_level(struct shared *shared, unsigned kappa, uint32_t level)
{
    __syncthreads();
    for (unsigned source = threadIdx.x; source < kappa; source += blockDim.x) {
        uint32_t found = shared->found[source];
        if (found == 0)
            continue;
        shared->found[source] = 0;
        shared->reached[source] += found;
        shared->level_sum[source] += (uint64_t)level * found;
        shared->eccentricity[source] = level;
    }
}

static __device__ __forceinline__ void send_sums(const struct shared *shared, struct source_sums *sums,
                                                 unsigned kappa)
{
    for (unsigned source = threadIdx.x; source < kappa; source += blockDim.x) {
        if (shared->reached[source] == 0)
            continue;
        atomicAdd((unsigned long long *)&sums[source].reached, (unsigned long long)shared->reached[source]);
        atomicAdd((unsigned long long *)&sums[source].level_sum, (unsigned long long)shared->level_sum[source]);
        atomicMax(&sums[source].eccentricity, shared->eccentricity[source]);
    }
}

/* ---- algorithm 5 ---- */

template <unsigned words, bool reindexed, bool tracked>
__global__ void __launch_bounds__(MOST_THREADS, MANY_BLOCKS)
    msbfs_blest_kernel(struct bvss bvss, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = warps_of_grid();
    const unsigned kappa = words * WARP_SIZE;
    if (search.sums != NULL)
        clear_sums(shared, kappa);
    uint64_t size = __ldcg(&search.counts[0]);
    for (uint32_t level = 1; size != 0; level++) {
        uint64_t *count = &search.counts[level % NUM_COUNTS];
        for_each_entry(
            search.queue, (uint32_t)size, team,
            [&](uint2 entry) { return load_tile<words, reindexed, tracked>(bvss, search, entry); },
            [&](const struct tile<words> &tile) { mark<words, reindexed, tracked>(bvss, search, tile); });
        if (grid_wait(search.barrier, &search.counts[(level - 1) % NUM_COUNTS], &shared->broadcast) == UINT64_MAX)
            return;
        settle<words, reindexed, tracked>(bvss, search, shared, team, level, count);
        if (is_first_thread())
            search.counts[(level + 1) % NUM_COUNTS] = 0;
        if (search.sums != NULL)
            add_level(shared, kappa, level);
        size = grid_wait(search.barrier, count, &shared->broadcast);
        if (size == UINT64_MAX)
            return;
    }
    if (search.sums != NULL)
        send_sums(shared, search.sums, kappa);
}

/* Puts the sources into the first frontier, and their sets' VSSs, each once, into the first queue; one block, a
 * thread a source. Several sources may be one vertex. */
__global__ void seed_sources(struct bvss bvss, struct search search, unsigned words, bool reindexed)
{
    uint32_t source = threadIdx.x, word = source / WARP_SIZE, bit = 1u << source % WARP_SIZE, set = 0;
    bool first = source < search.num_sources;
    if (first) {
        set = search.sources[source] / SIGMA;
        size_t row = row_of_vertex(reindexed, bvss.num_sets, search.sources[source]);
        atomicOr(&search.frontier[row * words + word], bit);
        atomicOr(&search.visited[row * words + word], bit);
        atomicOr(&search.marked[row * words + word], bit);
        if (search.active != NULL)
            atomicOr(&search.active[(size_t)set * words + word], bit);
        if (search.level != NULL)
            search.level[source * (size_t)bvss.num_sets * SIGMA + row] = 0;
        if (search.sums != NULL)
            search.sums[source] = {1, 0, 0};
        if (search.far != NULL)
            atomicAdd(&search.far_count[row], 1u);
    }
    for (uint32_t other = 0; other < source && first; other++)
        first = search.sources[other] / SIGMA != set;
    const struct range ranges[1] = {
        {set, load_if(first, &bvss.real_ptrs[set]), load_if(first, &bvss.real_ptrs[set + 1])}};
    enqueue(search.queue, &search.counts[0], 0, ranges);
}

/* ---- levels of one source, for blest-naive ---- */

/* Adds a source's levels to its sums and to far. */
__global__ void add_levels(struct search search, const uint32_t *levels, vertex_t num_vertices, uint32_t source)
{
    uint64_t sum = 0, num_threads = (uint64_t)gridDim.x * blockDim.x;
    uint32_t reached = 0, most = 0;
    for (uint64_t v = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; v < num_vertices; v += num_threads) {
        uint32_t level = levels[v];
        if (level == UNREACHED)
            continue;
        sum += level;
        reached++;
        most = max(most, level);
        if (search.far != NULL) {
            search.far[v] += level;
            search.far_count[v]++;
        }
    }
    if (search.sums == NULL)
        return;
    reached = __reduce_add_sync(WHOLE_WARP, reached);
    most = __reduce_max_sync(WHOLE_WARP, most);
    for (int step = WARP_SIZE / 2; step > 0; step /= 2)
        sum += __shfl_xor_sync(WHOLE_WARP, sum, step);
    if (lane_id() == 0 && reached > 0) {
        atomicAdd((unsigned long long *)&search.sums[source].reached, (unsigned long long)reached);
        atomicAdd((unsigned long long *)&search.sums[source].level_sum, (unsigned long long)sum);
        atomicMax(&search.sums[source].eccentricity, most);
    }
}

/* ---- host side ---- */

/* What a variant adds to the one before it. */
struct features {
    bool many; /* sources at once */
    bool reindexed, tracked;
};
static const struct features naive = {false, false, false}, variant_a = {true, false, false},
                             variant_ab = {true, true, false}, variant_full = {true, true, true};

enum { KAPPA, BLOCK_SIZE, BLOCKS_PER_SM };
#define KAPPA_OPTION                                                                                                 \
    {                                                                                                                \
        "kappa", 3, 0, 0, "32|64|128|256", "sources of a batch; fewer where memory is short"                         \
    }
static const struct option_spec naive_options[] = {KAPPA_OPTION, {}};
static const struct option_spec many_options[] = {
    KAPPA_OPTION,
    {"block-size", MOST_THREADS, 32, MOST_THREADS, NULL, "threads of a block, a multiple of 32"},
    {"blocks-per-sm", MANY_BLOCKS, 1, 32, NULL, "blocks on each multiprocessor, as far as they fit"},
    {},
};

struct state {
    const struct features *features;
    struct bvss bvss;     /* blest-naive: none */
    struct run single;    /* blest-naive: of `bfs blest` */
    uint32_t *own_levels; /* blest-naive: of one source, where levels are no output */
    struct search search;
    size_t num_rows;
    uint32_t kappa;
    void *fetched; /* num_vertices words of 64 bits: what is fetched, by vertex */
    struct grid grid;
};

typedef void (*kernel_t)(struct bvss, struct search);

template <unsigned words>
static kernel_t kernel_of(const struct features *features)
{
    if (!features->reindexed)
        return msbfs_blest_kernel<words, false, false>;
    return features->tracked ? msbfs_blest_kernel<words, true, true> : msbfs_blest_kernel<words, true, false>;
}

static kernel_t kernel_of(const struct state *state)
{
    switch (state->kappa / WARP_SIZE) {
    case 1:
        return kernel_of<1>(state->features);
    case 2:
        return kernel_of<2>(state->features);
    case 4:
        return kernel_of<4>(state->features);
    default:
        return kernel_of<MOST_KAPPA / WARP_SIZE>(state->features);
    }
}

/* ---- preparing ---- */

static int build_bvss(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct device *device = run->device;
    struct gpu_graph out_edges = {};
    double kernel_ms;
    if (gpu_graph_upload(run->graph, false, &out_edges, run->error) == STATUS_OK) {
        device->mark(device, MARK_BEGIN);
        bvss_build(&out_edges, &state->bvss, run->error);
        device->mark(device, MARK_END);
        if (run->error->status == STATUS_OK)
            device->elapsed(device, &run->build_ms, &kernel_ms, run->error);
    }
    gpu_graph_free(&out_edges);
    state->num_rows = (size_t)state->bvss.num_sets * SIGMA;
    return run->error->status;
}

static int prepare_single(struct run *run)
{
    struct state *state = (struct state *)run->state;
    state->single = *run;
    state->single.state = NULL;
    if (blest_prepare(&state->single) != STATUS_OK)
        return run->error->status;
    run->build_ms = state->single.build_ms;
    state->num_rows = blest_row_length(&state->single);
    return STATUS_OK;
}

/* Of what grows with kappa. */
static double bytes_for(const struct run *run, double kappa)
{
    const struct state *state = (const struct state *)run->state;
    double bits = 0, rows = (double)state->num_rows;
    if (state->features->many)
        bits = 3 * rows + (state->features->tracked ? rows / SIGMA : 0);
    return kappa * (bits / 8 + (run->outputs & OUTPUT_LEVEL ? rows * sizeof *state->search.level : 0));
}

/* The largest kappa, as far as it is wanted, that memory is there for; after all else is allocated. */
static int choose_kappa(struct run *run)
{
    struct state *state = (struct state *)run->state;
    uint32_t wanted = WARP_SIZE << (unsigned)run->options[KAPPA];
    size_t free_bytes = 0, all_bytes = 0, told = strlen(run->note);
    if (gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory", run->error) != STATUS_OK)
        return run->error->status;
    state->kappa = wanted;
    while (state->kappa > WARP_SIZE && bytes_for(run, state->kappa) > FREE_SHARE * (double)free_bytes)
        state->kappa /= 2;
    run->batch_size = state->kappa;
    if (state->kappa < wanted)
        snprintf(run->note + told, sizeof run->note - told, "; kappa %u, since %u needs %.1f MB and %.1f MB are free",
                 state->kappa, wanted, 1e-6 * bytes_for(run, wanted), 1e-6 * (double)free_bytes);
    else
        snprintf(run->note + told, sizeof run->note - told, "; kappa %u", state->kappa);
    return STATUS_OK;
}

/* Whose size does not depend on kappa. */
static int allocate_fixed(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct error *error = run->error;
    uint64_t *fetched = NULL;
    size_t rows = state->num_rows, groups = (state->bvss.num_sets + (size_t)WARP_SIZE - 1) / WARP_SIZE;
    gpu_allocate(&fetched, run->graph->num_vertices, "the result", error);
    state->fetched = fetched;
    if (error->status == STATUS_OK && run->outputs & OUTPUT_SUMS)
        gpu_allocate(&search->sums, MOST_KAPPA, "the sums", error);
    if (error->status == STATUS_OK && run->outputs & OUTPUT_FAR &&
        gpu_allocate(&search->far, rows, "the closeness", error) == STATUS_OK &&
        gpu_allocate(&search->far_count, rows, "the closeness", error) == STATUS_OK) {
        cudaMemset(search->far, 0, rows * sizeof *search->far);
        cudaMemset(search->far_count, 0, rows * sizeof *search->far_count);
    }
    if (error->status != STATUS_OK)
        return error->status;
    if (!state->features->many)
        return run->outputs & OUTPUT_LEVEL ? STATUS_OK : gpu_allocate(&state->own_levels, rows, "the levels", error);
    if (gpu_allocate(&search->queue, state->bvss.num_vss, "the queue of VSSs", error) != STATUS_OK ||
        gpu_allocate(&search->counts, NUM_COUNTS, "the counts", error) != STATUS_OK ||
        gpu_allocate(&search->sources, MOST_KAPPA, "the sources", error) != STATUS_OK ||
        gpu_allocate(&search->barrier, 1, "the barrier", error) != STATUS_OK || !state->features->tracked)
        return error->status;
    return gpu_allocate(&search->dirty, groups * WARP_SIZE, "the dirty sets", error);
}

static int allocate_by_kappa(struct run *run)
{
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    struct error *error = run->error;
    size_t words = state->kappa / WARP_SIZE, bits = state->num_rows * words;
    if (run->outputs & OUTPUT_LEVEL &&
        gpu_allocate(&search->level, state->kappa * state->num_rows, "the levels", error) != STATUS_OK)
        return error->status;
    if (!state->features->many)
        return STATUS_OK;
    if (gpu_allocate(&search->frontier, bits, "the frontier", error) != STATUS_OK ||
        gpu_allocate(&search->visited, bits, "the visited bits", error) != STATUS_OK ||
        gpu_allocate(&search->marked, bits, "the visited bits", error) != STATUS_OK || !state->features->tracked)
        return error->status;
    return gpu_allocate(&search->active, state->bvss.num_sets * words, "the active sets", error);
}

static int prepare_many(struct run *run)
{
    struct state *state = (struct state *)run->state;
    unsigned threads = (unsigned)run->options[BLOCK_SIZE];
    if (threads % WARP_SIZE != 0)
        return error_set(run->error, STATUS_INPUT, "--set block-size=%u: expected a multiple of 32", threads);
    if (build_bvss(run) != STATUS_OK || allocate_fixed(run) != STATUS_OK)
        return run->error->status;
    snprintf(run->note, sizeof run->note, "BVSS: %u VSSs of %llu slices, compression ratio %.3f", state->bvss.num_vss,
             (unsigned long long)state->bvss.num_slices, state->bvss.compression_ratio);
    if (choose_kappa(run) != STATUS_OK || allocate_by_kappa(run) != STATUS_OK)
        return run->error->status;
    return gpu_plan_grid((const void *)kernel_of(state), threads, (unsigned)run->options[BLOCKS_PER_SM],
                         sizeof(struct shared), &state->grid, run->error);
}

static int prepare(struct run *run, const struct features *features)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    ((struct state *)run->state)->features = features;
    if (features->many)
        return prepare_many(run);
    if (prepare_single(run) != STATUS_OK || allocate_fixed(run) != STATUS_OK)
        return run->error->status;
    snprintf(run->note, sizeof run->note, "%.150s", ((const struct state *)run->state)->single.note);
    return choose_kappa(run) == STATUS_OK ? allocate_by_kappa(run) : run->error->status;
}

static int prepare_naive(struct run *run)
{
    return prepare(run, &naive);
}
static int prepare_a(struct run *run)
{
    return prepare(run, &variant_a);
}
static int prepare_ab(struct run *run)
{
    return prepare(run, &variant_ab);
}
static int prepare_full(struct run *run)
{
    return prepare(run, &variant_full);
}

/* ---- traversing ---- */

static int reset(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t words = state->kappa / WARP_SIZE, num_sets = state->bvss.num_sets;
    uint32_t *const rows[] = {search->frontier, search->visited, search->marked};
    for (uint32_t *row : rows)
        cudaMemsetAsync(row, 0, state->num_rows * words * sizeof *row);
    if (search->active != NULL) {
        cudaMemsetAsync(search->active, 0, num_sets * words * sizeof *search->active);
        cudaMemsetAsync(search->dirty, 0, (num_sets + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE);
    }
    if (search->level != NULL) /* UNREACHED */
        cudaMemsetAsync(search->level, 0xff, query->num_sources * state->num_rows * sizeof *search->level);
    if (search->sums != NULL)
        cudaMemsetAsync(search->sums, 0, query->num_sources * sizeof *search->sums);
    cudaMemsetAsync(search->counts, 0, NUM_COUNTS * sizeof *search->counts);
    cudaMemsetAsync(search->barrier, 0, sizeof *search->barrier);
    cudaMemcpyAsync(search->sources, query->sources, query->num_sources * sizeof *search->sources,
                    cudaMemcpyHostToDevice);
    gpu_check(cudaGetLastError(), "resetting a traversal", run->error);
    return gpu_launch(seed_sources, {1, state->kappa}, 0, run->error, state->bvss, *search, (unsigned)words,
                      state->features->reindexed);
}

static int traverse_many(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    state->search.num_sources = query->num_sources;
    if (reset(run, query) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    gpu_launch_persistent(kernel_of(state), state->grid, sizeof(struct shared), run->error, state->bvss,
                          state->search);
    run_kernel_end(run);
    return run->error->status;
}

/* A source after the other; each one's resetting lies between them, and so in the kernel time. */
static int traverse_naive(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    const struct search *search = &state->search;
    vertex_t n = run->graph->num_vertices;
    state->search.num_sources = query->num_sources;
    if (search->sums != NULL)
        cudaMemsetAsync(search->sums, 0, query->num_sources * sizeof *search->sums);
    run_kernel_begin(run);
    for (uint32_t source = 0; source < query->num_sources && run->error->status == STATUS_OK; source++) {
        uint32_t *levels = search->level != NULL ? search->level + source * state->num_rows : state->own_levels;
        if (blest_search(&state->single, query->sources[source], levels) == STATUS_OK &&
            (search->sums != NULL || search->far != NULL))
            gpu_launch(add_levels, gpu_wide_grid(n), 0, run->error, *search, (const uint32_t *)levels, n, source);
    }
    run_kernel_end(run);
    return run->error->status;
}

/* ---- results ---- */

/* What stands by row, by vertex. */
template <typename type>
__global__ void by_vertex(const type *rows, type *vertices, vertex_t num_vertices, uint32_t num_sets, bool reindexed)
{
    uint64_t num_threads = (uint64_t)gridDim.x * blockDim.x;
    for (uint64_t v = (uint64_t)blockIdx.x * blockDim.x + threadIdx.x; v < num_vertices; v += num_threads)
        vertices[v] = rows[row_of_vertex(reindexed, num_sets, (vertex_t)v)];
}

template <typename type>
static int fetch_rows(struct run *run, const type *rows, type *result)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t n = run->graph->num_vertices;
    if (gpu_launch(by_vertex<type>, gpu_wide_grid(n), 0, run->error, rows, (type *)state->fetched, n,
                   (uint32_t)(state->num_rows / SIGMA), state->features->reindexed) != STATUS_OK)
        return run->error->status;
    return gpu_download(result, (const type *)state->fetched, n, run->error);
}

static int fetch(struct run *run, struct traversal *result)
{
    struct state *state = (struct state *)run->state;
    const struct search *search = &state->search;
    int status = state->features->many ? gpu_check_barrier(search->barrier, "msbfs blest", run->error)
                                       : blest_check(&state->single);
    if (status == STATUS_OK && result->level != NULL)
        status = fetch_rows(run, search->level + result->which * state->num_rows, result->level);
    if (status == STATUS_OK && result->sums != NULL)
        status = gpu_download(result->sums, search->sums, state->search.num_sources, run->error);
    if (status != STATUS_OK || result->far == NULL)
        return status;
    if (fetch_rows(run, search->far, result->far) != STATUS_OK ||
        fetch_rows(run, search->far_count, result->far_count) != STATUS_OK)
        return run->error->status;
    cudaMemset(search->far, 0, state->num_rows * sizeof *search->far);
    return gpu_check(cudaMemset(search->far_count, 0, state->num_rows * sizeof *search->far_count),
                     "clearing the closeness", run->error);
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const void *const arrays[] = {search->frontier, search->visited, search->marked,   search->active,
                                      search->dirty,    search->queue,   search->counts,   search->sources,
                                      search->level,    search->sums,    search->far,      search->far_count,
                                      search->barrier,  state->fetched,  state->own_levels};
        for (const void *array : arrays)
            gpu_free(array);
        bvss_free(&state->bvss);
        blest_release(&state->single);
    }
    free(state);
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(msbfs_blest) = {
    .family = "msbfs",
    .variant = "blest",
    .title = "Blest, full: rows reindexed, slice sets tracked",
    .citation = "Elbek and Kaya 2026, 6.1",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FAR,
    .options = many_options,
    .reorder = REORDER,
    .prepare = prepare_full,
    .traverse = traverse_many,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(msbfs_blest_ab) = {
    .family = "msbfs",
    .variant = "blest-ab",
    .title = "Blest, A + reindexing",
    .citation = "Elbek and Kaya 2026, 6.1",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FAR,
    .options = many_options,
    .reorder = REORDER,
    .prepare = prepare_ab,
    .traverse = traverse_many,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(msbfs_blest_a) = {
    .family = "msbfs",
    .variant = "blest-a",
    .title = "Blest, algorithm 5 without reindexing or tracking",
    .citation = "Elbek and Kaya 2026, 6.1",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FAR,
    .options = many_options,
    .reorder = REORDER,
    .prepare = prepare_a,
    .traverse = traverse_many,
    .fetch = fetch,
    .release = release,
};

GPU_ALGORITHM(msbfs_blest_naive) = {
    .family = "msbfs",
    .variant = "blest-naive",
    .title = "Blest, source after source",
    .citation = "Elbek and Kaya 2026, 7.1",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_LEVEL,
    .on_request = OUTPUT_SUMS | OUTPUT_FAR,
    .options = naive_options,
    .reorder = REORDER,
    .prepare = prepare_naive,
    .traverse = traverse_naive,
    .fetch = fetch,
    .release = release,
};
