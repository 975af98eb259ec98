/* dfs_nvg.cu: lexicographic depth-first search by comparing paths, for directed acyclic graphs (Naumov, Vrielink and
 * Garland, "Parallel Depth-First Search for Directed Acyclic Graphs", IA3 2017; DiggerBees calls it NVG-DFS).
 *
 * A path is the string of its positions: at each vertex, which of the adjacency list's entries it follows. On a DAG,
 * the parent of v in the depth-first search that takes neighbours in their order is the last vertex before v on the
 * smallest path from the source to v. Hence three phases:
 *
 *   1. top-down, the tree: a vertex is expanded in the round after all arcs into it from reached vertices have been
 *      followed. It then knows its own path, and offers it, with the child's position behind, to every child, which
 *      keeps the smallest offer. (Before it, what the source reaches is found, and those arcs are counted.)
 *   2. bottom-up, the rounds backwards: the sizes of the subtrees.
 *   3. top-down: prefix sums of the sizes over the children give pre- and post-order.
 *
 * kernel_ms is phase 1, which is what DiggerBees' evaluation times (section 4.1); time_ms has all three.
 *
 * On a graph with a cycle no vertex of it would ever be expanded. There, as whoever runs the method on undirected
 * graphs must, a vertex is expanded in the round after the first arc into it: the rounds are those of a breadth-first
 * search, the parents a spanning tree of smallest shortest paths. That is no depth-first search, and no order is
 * given; the run's note says so.
 *
 * Paths are what takes the memory. They are strings of bits, each beginning at a word of the pool, the first bit on
 * top of the word: a position among d children takes the ceil(log2 d) bits that tell d apart, and none where there is
 * but one, so that chains cost nothing. Two paths to a vertex agree up to the vertex where they part, which both
 * leave by as many bits but not the same ones: so their words compare as unsigned numbers, neither is a prefix of the
 * other, and what follows that place does not matter. A path is stored once and never changes; a vertex without
 * children stores none, and the only child of a vertex shares its parent's.
 *
 * The offers. best[v] is the only word that threads fight for: parent and position of the smallest offer so far, or
 * NO_OFFER. Any warp that follows an arc into v may replace it by compare-and-swap, with an offer that it has
 * compared with just what it replaces. So best[v] only falls, no value comes back, and of all offers the smallest is
 * left, whatever their order; who loses a swap compares with the winner, and somebody got on. The paths behind the
 * offers compared are those of vertices expanded in this round or before, written before the barrier that the round's
 * offers began behind. best[v] is read as final behind the barrier after the round of the last offer. */
#include <stdio.h>
#include <stdlib.h>

#include "backend/backend.h"

namespace BACKEND
{

#define NUM_COUNTS   3u /* rotating: a round's threads add to one while the next is cleared, see warpnet.cu */
#define NO_OFFER     UINT64_MAX
#define WORD_BITS    32u
#define HEAD_WORDS   2u   /* of two paths, that a lane compares alone before its warp takes the rest */
#define UNROLL       4u   /* words that a lane has in flight when a warp compares */
#define MOST_THREADS 1024 /* of a block: so many registers a thread may have */

/* What a round does with an arc. */
enum phase {
    REACH,       /* counts it, to know when its target will be ready; targets counted first are the next frontier */
    OFFER_READY, /* offers; targets with all arcs followed are the next frontier */
    OFFER_ONCE,  /* offers to what no earlier frontier held; targets offered to first are the next frontier */
};

/* Where a vertex's path lies, and how it goes on. */
struct path {
    uint64_t start; /* word of the pool */
    uint32_t bits;  /* 2^32 of them would have 2^27 prefixes in the pool: more than there can be */
    uint32_t width; /* bits of a child's position */
};

/* Words that a phase begins with at zero. */
struct progress {
    uint32_t counts[NUM_COUNTS];
    uint32_t exhausted;               /* 1: the pool is too small; the result is void */
    uint32_t num_rounds, num_reached; /* set when all is done */
    uint64_t pool_used;               /* words */
};

/* Device memory of a search. On a graph with a cycle, those from waiting on are NULL. */
struct search {
    vertex_t *parent;   /* num_vertices; NO_VERTEX until the vertex is expanded; the source's is itself */
    vertex_t *frontier; /* num_vertices: every frontier, one after the other */
    uint64_t *best;     /* num_vertices: parent << 32 | position */
    struct path *paths; /* num_vertices; set where parent is */
    uint32_t *pool;     /* pool_words */
    uint64_t pool_words;
    struct progress *progress;
    struct grid_barrier *barrier;
    uint32_t *waiting;     /* num_vertices: arcs from reached vertices that have not been followed */
    uint32_t *round_begin; /* num_vertices + 1: where in frontier each round begins, and the last one ends */
    uint32_t *below;       /* num_vertices: vertices under each in the tree */
    uint32_t *before;      /* num_vertices: under earlier siblings and they; then all finished before the subtree */
    uint32_t *depth;       /* num_vertices: in the tree */
    vertex_t *order, *finish; /* num_vertices each */
};

struct shared {
    uint32_t broadcast;
};

/* All warps of a grid, numbered through. */
struct team {
    uint32_t warp, num_warps;
    bool first; /* this is the one thread that counts for all */
};

static __device__ __forceinline__ struct team whole_grid(void)
{
    uint32_t thread = blockIdx.x * blockDim.x + threadIdx.x;
    return {thread / WARP_SIZE, gridDim.x * blockDim.x / WARP_SIZE, thread == 0};
}

/* ---- paths ---- */

/* A path, and one more position behind it. */
struct offer {
    struct path path;
    uint32_t position;
};

static __host__ __device__ __forceinline__ uint32_t width_of(uint64_t degree)
{
    uint32_t width = 0;
    while (degree > (uint64_t)1 << width)
        width++;
    return width;
}

static __device__ __forceinline__ struct path path_of(const struct search &search, vertex_t vertex)
{
    const struct path *path = &search.paths[vertex];
    return {__ldcg(&path->start), __ldcg(&path->bits), __ldcg(&path->width)};
}

static __device__ __forceinline__ uint64_t words_of(const struct offer &offer)
{
    return ((uint64_t)offer.path.bits + offer.path.width + WORD_BITS - 1) / WORD_BITS;
}

/* Word `index` of the string; behind its end, zeros. The position's bits may lie across two words. */
static __device__ __forceinline__ uint32_t word_of(const struct search &search, const struct offer &offer,
                                                   uint64_t index)
{
    uint64_t begin = index * WORD_BITS, path_end = offer.path.bits, end = path_end + offer.path.width;
    uint32_t word = begin < path_end ? __ldcg(&search.pool[offer.path.start + index]) : 0;
    if (begin < end && end <= begin + WORD_BITS)
        word |= offer.position << (begin + WORD_BITS - end);
    else if (path_end < begin + WORD_BITS && end > begin + WORD_BITS)
        word |= offer.position >> (end - begin - WORD_BITS);
    return word;
}

/* The first words of two strings: -1 or 1 as the first is smaller or larger, 0 where they agree. */
static __device__ __forceinline__ int compare_heads(const struct search &search, const struct offer &a,
                                                    const struct offer &b)
{
    for (uint32_t i = 0; i < HEAD_WORDS; i++) {
        uint32_t x = word_of(search, a, i), y = word_of(search, b, i);
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* The same for the rest, by the whole warp, with the same arguments in all lanes. */
static __device__ __forceinline__ int compare_tails(const struct search &search, const struct offer &a,
                                                    const struct offer &b)
{
    uint64_t words = min(words_of(a), words_of(b));
    for (uint64_t first = HEAD_WORDS; first < words; first += UNROLL * WARP_SIZE) {
        uint32_t x[UNROLL], y[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            x[i] = word_of(search, a, first + i * WARP_SIZE + lane_id());
            y[i] = word_of(search, b, first + i * WARP_SIZE + lane_id());
        }
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            unsigned differing = __ballot_sync(WHOLE_WARP, x[i] != y[i]);
            if (differing != 0)
                return __shfl_sync(WHOLE_WARP, x[i] < y[i] ? -1 : 1, __ffs((int)differing) - 1);
        }
    }
    return 0;
}

/* ---- phase 1 ---- */

static __device__ __forceinline__ struct offer offer_of(const struct search &search, uint64_t best)
{
    return {path_of(search, (vertex_t)(best >> 32)), (uint32_t)best};
}

/* Makes the best offer to a vertex of the frontier its path, by a whole warp. */
template <typename offset_t>
static __device__ __forceinline__ void accept(const csr<offset_t> &graph, const struct search &search,
                                              vertex_t vertex)
{
    uint64_t best = __ldcg(&search.best[vertex]);
    vertex_t parent = (vertex_t)(best >> 32);
    offset_t degree = graph.offsets[vertex + 1] - graph.offsets[vertex];
    struct path path = {0, 0, width_of(degree)};
    if (parent != vertex && degree > 0) {
        struct offer offer = offer_of(search, best);
        path.start = offer.path.start;
        path.bits = offer.path.bits + offer.path.width;
        if (offer.path.width > 0) {
            uint64_t words = words_of(offer), start = 0;
            if (lane_id() == 0)
                start = atomicAdd((unsigned long long *)&search.progress->pool_used, (unsigned long long)words);
            path.start = __shfl_sync(WHOLE_WARP, start, 0);
            if (path.start + words > search.pool_words) {
                __stcg(&search.progress->exhausted, 1u);
                return;
            }
            for (uint64_t i = lane_id(); i < words; i += WARP_SIZE)
                __stcg(&search.pool[path.start + i], word_of(search, offer, i));
        }
    }
    if (lane_id() == 0) {
        __stcg(&search.paths[vertex].start, path.start);
        __stcg(&search.paths[vertex].bits, path.bits);
        __stcg(&search.paths[vertex].width, path.width);
        __stcg(&search.parent[vertex], parent);
    }
}

/* Offers each lane's child the path of `parent` with the lane's position; NO_VERTEX: the lane has none. Returns
 * whether the child had no offer before. All lanes must come, with the same parent. */
static __device__ __forceinline__ bool make_offers(const struct search &search, vertex_t parent,
                                                   const struct path &path, uint32_t position, vertex_t child)
{
    uint64_t mine = (uint64_t)parent << 32 | position, rival = NO_OFFER;
    unsigned long long *best = (unsigned long long *)&search.best[child];
    bool has = child != NO_VERTEX;
    if (has)
        rival = atomicCAS(best, (unsigned long long)NO_OFFER, (unsigned long long)mine);
    bool first = has && rival == NO_OFFER, disputed = has && !first;
    while (__any_sync(WHOLE_WARP, disputed)) {
        int result = 0;
        if (disputed)
            result = compare_heads(search, {path, position}, offer_of(search, rival));
        for (unsigned open = __ballot_sync(WHOLE_WARP, disputed && result == 0); open != 0; open &= open - 1) {
            int owner = __ffs((int)open) - 1;
            struct offer a = {path, __shfl_sync(WHOLE_WARP, position, owner)};
            struct offer b = offer_of(search, __shfl_sync(WHOLE_WARP, rival, owner));
            int found = compare_tails(search, a, b);
            if ((int)lane_id() == owner)
                result = found;
        }
        if (disputed && result < 0) {
            uint64_t now = atomicCAS(best, (unsigned long long)rival, (unsigned long long)mine);
            disputed = now != rival;
            rival = now;
        } else {
            disputed = false;
        }
    }
    return first;
}

/* Does with each lane's arc what the phase does; returns whether its target is to be in the next frontier. */
static __device__ __forceinline__ bool follow(const struct search &search, enum phase phase, vertex_t parent,
                                              const struct path &path, uint32_t position, vertex_t child)
{
    if (phase == REACH)
        return child != NO_VERTEX && atomicAdd(&search.waiting[child], 1u) == 0;
    if (phase == OFFER_ONCE && child != NO_VERTEX && __ldcg(&search.parent[child]) != NO_VERTEX)
        child = NO_VERTEX;
    bool first = make_offers(search, parent, path, position, child);
    return phase == OFFER_ONCE ? first : child != NO_VERTEX && atomicSub(&search.waiting[child], 1u) == 1;
}

/* How many warps share a vertex of the frontier: so many that none is idle, a power of two. */
static __device__ __forceinline__ uint32_t warps_per_vertex(uint32_t num_warps, uint32_t size)
{
    uint32_t share = num_warps / size;
    return share > 1 ? 1u << (31 - __clz((int)share)) : 1;
}

/* Follows all arcs out of a frontier. Its next are put behind it and counted. A vertex's arcs are dealt first to its
 * warps, then to their lanes: warps compare long paths side by side, lanes one after the other. */
template <typename offset_t>
static __device__ __forceinline__ void expand(const csr<offset_t> &graph, const struct search &search,
                                              enum phase phase, struct team team, vertex_t *frontier, uint32_t size,
                                              uint32_t *count)
{
    uint32_t share = warps_per_vertex(team.num_warps, size);
    for (uint64_t i = team.warp / share; i < size; i += team.num_warps / share) {
        vertex_t u = __ldcg(&frontier[i]);
        offset_t first = graph.offsets[u], degree = graph.offsets[u + 1] - first;
        struct path path = {0, 0, 0};
        if (phase != REACH)
            path = path_of(search, u);
        for (uint64_t base = team.warp % share; base < degree; base += (uint64_t)share * WARP_SIZE) {
            uint64_t position = base + (uint64_t)share * lane_id();
            vertex_t child = position < degree ? graph.targets[first + (offset_t)position] : NO_VERTEX;
            bool next = follow(search, phase, u, path, (uint32_t)position, child);
            unsigned mask = __ballot_sync(WHOLE_WARP, next);
            uint32_t place = lane_id() == 0 && mask != 0 ? atomicAdd(count, (uint32_t)__popc(mask)) : 0;
            place = __shfl_sync(WHOLE_WARP, place, 0) + (uint32_t)__popc(mask & lanes_below(lane_id()));
            if (next)
                __stcg(&frontier[size + place], child);
        }
    }
}

/* All rounds from the source on, which is the first frontier. */
template <typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS)
    nvg_rounds_kernel(csr<offset_t> graph, struct search search, enum phase phase)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = whole_grid();
    struct progress *progress = search.progress;
    vertex_t *frontier = search.frontier;
    uint32_t size = 1, round = 0;
    for (; size > 0; round++) {
        uint32_t *count = &progress->counts[round % NUM_COUNTS];
        if (phase != REACH) {
            for (uint64_t i = team.warp; i < size; i += team.num_warps)
                accept(graph, search, __ldcg(&frontier[i]));
            if (grid_wait(search.barrier, &progress->exhausted, &shared->broadcast) != 0)
                return;
        }
        expand(graph, search, phase, team, frontier, size, count);
        if (team.first)
            progress->counts[(round + 1) % NUM_COUNTS] = 0;
        if (team.first && phase == OFFER_READY)
            __stcg(&search.round_begin[round], (uint32_t)(frontier - search.frontier));
        frontier += size;
        size = grid_wait(search.barrier, count, &shared->broadcast);
        if (size == UINT32_MAX)
            return;
    }
    if (team.first && phase == OFFER_READY) {
        __stcg(&search.round_begin[round], (uint32_t)(frontier - search.frontier));
        progress->num_rounds = round;
        progress->num_reached = (uint32_t)(frontier - search.frontier);
    }
}

/* ---- phases 2 and 3 ---- */

/* A vertex's children come in later rounds, so its count is complete when its own round is. */
static __device__ __forceinline__ bool add_sizes(const struct search &search, struct shared *shared,
                                                 uint32_t num_rounds, uint32_t thread, uint32_t num_threads)
{
    for (uint32_t round = num_rounds; round-- > 0;) {
        uint32_t end = __ldcg(&search.round_begin[round + 1]);
        for (uint64_t i = (uint64_t)__ldcg(&search.round_begin[round]) + thread; i < end && round > 0;
             i += num_threads) {
            vertex_t v = __ldcg(&search.frontier[i]);
            atomicAdd(&search.below[search.parent[v]], __ldcg(&search.below[v]) + 1);
        }
        if (grid_wait(search.barrier, &search.progress->num_rounds, &shared->broadcast) == UINT32_MAX)
            return false;
    }
    return true;
}

/* Sums up, for each child of a vertex, the subtrees of the children that stand before it in the adjacency list. By a
 * whole warp. */
template <typename offset_t>
static __device__ __forceinline__ void sum_siblings(const csr<offset_t> &graph, const struct search &search,
                                                    vertex_t vertex)
{
    uint32_t sum = 0;
    offset_t end = graph.offsets[vertex + 1];
    for (offset_t base = graph.offsets[vertex]; base < end; base += WARP_SIZE) {
        vertex_t child = base + lane_id() < end ? graph.targets[base + lane_id()] : NO_VERTEX;
        bool in_tree = child != NO_VERTEX && search.parent[child] == vertex;
        uint32_t size = in_tree ? __ldcg(&search.below[child]) + 1 : 0, upto = size;
        for (unsigned reach = 1; reach < WARP_SIZE; reach *= 2) {
            uint32_t left = __shfl_up_sync(WHOLE_WARP, upto, reach);
            upto += lane_id() >= reach ? left : 0;
        }
        if (in_tree)
            __stcg(&search.before[child], sum + upto - size);
        sum += __shfl_sync(WHOLE_WARP, upto, (int)WARP_SIZE - 1);
    }
}

/* What is finished before a subtree is entered has been entered before it too, and so have the vertex's ancestors,
 * which are still open. */
static __device__ __forceinline__ bool place(const struct search &search, struct shared *shared, uint32_t num_rounds,
                                             uint32_t thread, uint32_t num_threads)
{
    for (uint32_t round = 0; round < num_rounds; round++) {
        uint32_t end = __ldcg(&search.round_begin[round + 1]);
        for (uint64_t i = (uint64_t)__ldcg(&search.round_begin[round]) + thread; i < end; i += num_threads) {
            vertex_t v = __ldcg(&search.frontier[i]), parent = search.parent[v];
            uint32_t before = 0, depth = 0;
            if (parent != v) {
                before = __ldcg(&search.before[v]) + __ldcg(&search.before[parent]);
                depth = __ldcg(&search.depth[parent]) + 1;
            }
            __stcg(&search.before[v], before);
            __stcg(&search.depth[v], depth);
            search.order[before + depth] = v;
            search.finish[before + __ldcg(&search.below[v])] = v;
        }
        if (grid_wait(search.barrier, &search.progress->num_rounds, &shared->broadcast) == UINT32_MAX)
            return false;
    }
    return true;
}

template <typename offset_t>
__global__ void __launch_bounds__(MOST_THREADS) nvg_order_kernel(csr<offset_t> graph, struct search search)
{
    struct shared *shared = block_shared<struct shared>();
    struct team team = whole_grid();
    uint32_t thread = team.warp * WARP_SIZE + lane_id(), num_threads = team.num_warps * WARP_SIZE;
    uint32_t num_rounds = search.progress->num_rounds; /* 0: phase 1 was broken off */
    if (num_rounds == 0 || !add_sizes(search, shared, num_rounds, thread, num_threads))
        return;
    for (uint64_t i = team.warp; i < search.progress->num_reached; i += team.num_warps)
        sum_siblings(graph, search, __ldcg(&search.frontier[i]));
    if (grid_wait(search.barrier, &search.progress->num_rounds, &shared->broadcast) != UINT32_MAX)
        place(search, shared, num_rounds, thread, num_threads);
}

/* ---- host side ---- */

enum { BLOCK_SIZE, BLOCKS_PER_SM, OFFSET_BITS, PATH_MB };
static const struct option_spec options[] = {
    {"block-size", 512, 32, MOST_THREADS, NULL, "threads of a block, a multiple of 32"},
    {"blocks-per-sm", 2, 1, 32, NULL, "blocks on each multiprocessor, as far as they fit"},
    {"offset-bits", 0, 0, 0, "auto|64", "width of edge offsets: 32 where the graph allows it, or always 64"},
    {"path-mb", 0, 0, 1 << 20, NULL, "device memory for paths in MB; 0: what is free"},
    {},
};

#define MEGABYTE   1e6
#define FREE_SHARE 0.95 /* of the free device memory, that paths may take */

struct state {
    struct gpu_graph graph;
    struct search search;
    struct grid grid;
    bool acyclic;
};

/* Words that all paths together cannot exceed: each has a position of any vertex at most. */
static double most_path_words(const struct graph *graph)
{
    uint64_t bits = 0;
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        bits += width_of(graph_degree(graph, v));
    return (double)graph->num_vertices * ((double)(bits / WORD_BITS) + 1);
}

/* The pool gets what it may need, what is free or what the user allows, whichever is least. After all else. */
static int allocate_pool(struct run *run, struct search *search)
{
    size_t free_bytes = 0, all_bytes = 0;
    if (gpu_check(cudaMemGetInfo(&free_bytes, &all_bytes), "asking for free memory", run->error) != STATUS_OK)
        return run->error->status;
    double words = most_path_words(run->graph), room = FREE_SHARE * (double)free_bytes;
    if (run->options[PATH_MB] > 0 && run->options[PATH_MB] * MEGABYTE < room)
        room = run->options[PATH_MB] * MEGABYTE;
    if (words > room / sizeof *search->pool)
        words = room / sizeof *search->pool;
    search->pool_words = (uint64_t)words;
    return gpu_allocate(&search->pool, search->pool_words, "the paths", run->error);
}

static int plan_grid(struct run *run, struct state *state)
{
    bool wide = state->graph.wide;
    const void *const kernels[] = {
        wide ? (const void *)nvg_rounds_kernel<edge_t> : (const void *)nvg_rounds_kernel<uint32_t>,
        wide ? (const void *)nvg_order_kernel<edge_t> : (const void *)nvg_order_kernel<uint32_t>};
    for (const void *kernel : kernels) { /* one barrier serves both, so their grids are the same */
        struct grid grid;
        if (gpu_plan_grid(kernel, (unsigned)run->options[BLOCK_SIZE], (unsigned)run->options[BLOCKS_PER_SM],
                          sizeof(struct shared), &grid, run->error) != STATUS_OK)
            return run->error->status;
        if (state->grid.blocks == 0 || grid.blocks < state->grid.blocks)
            state->grid = grid;
    }
    return STATUS_OK;
}

static int prepare(struct run *run)
{
    if (allocate_zeroed(&run->state, 1, sizeof(struct state), "the GPU's state", run->error) != STATUS_OK)
        return run->error->status;
    struct state *state = (struct state *)run->state;
    struct search *search = &state->search;
    size_t n = run->graph->num_vertices;
    if ((unsigned)run->options[BLOCK_SIZE] % WARP_SIZE != 0)
        return error_set(run->error, STATUS_INPUT, "--set block-size=%u: expected a multiple of 32",
                         (unsigned)run->options[BLOCK_SIZE]);
    if (graph_test_acyclic(run->graph, &state->acyclic, run->error) != STATUS_OK ||
        gpu_graph_upload(run->graph, run->options[OFFSET_BITS] != 0, &state->graph, run->error) != STATUS_OK ||
        plan_grid(run, state) != STATUS_OK ||
        gpu_allocate(&search->parent, n, "the parents", run->error) != STATUS_OK ||
        gpu_allocate(&search->frontier, n, "the frontiers", run->error) != STATUS_OK ||
        gpu_allocate(&search->best, n, "the offers", run->error) != STATUS_OK ||
        gpu_allocate(&search->paths, n, "where paths lie", run->error) != STATUS_OK ||
        gpu_allocate(&search->progress, 1, "the progress", run->error) != STATUS_OK ||
        gpu_allocate(&search->barrier, 1, "the barrier", run->error) != STATUS_OK)
        return run->error->status;
    if (state->acyclic && (gpu_allocate(&search->waiting, n, "the in-degrees", run->error) != STATUS_OK ||
                           gpu_allocate(&search->round_begin, n + 1, "the rounds", run->error) != STATUS_OK ||
                           gpu_allocate(&search->below, n, "the subtrees' sizes", run->error) != STATUS_OK ||
                           gpu_allocate(&search->before, n, "the prefix sums", run->error) != STATUS_OK ||
                           gpu_allocate(&search->depth, n, "the depths", run->error) != STATUS_OK ||
                           gpu_allocate(&search->order, n, "the pre-order", run->error) != STATUS_OK ||
                           gpu_allocate(&search->finish, n, "the post-order", run->error) != STATUS_OK))
        return run->error->status;
    if (!state->acyclic)
        snprintf(run->note, sizeof run->note,
                 "the graph has a cycle and the method is for acyclic ones: this is a spanning tree found in "
                 "breadth-first rounds, by smallest paths; no depth-first order is given");
    return allocate_pool(run, search);
}

/* Makes the source the first frontier. */
__global__ void nvg_seed(struct search search, vertex_t source)
{
    search.frontier[0] = source;
    search.best[source] = (uint64_t)source << 32;
}

static int run_rounds(struct run *run, enum phase phase)
{
    const struct state *state = (const struct state *)run->state;
    cudaMemsetAsync(state->search.progress, 0, sizeof *state->search.progress);
    if (state->graph.wide)
        return gpu_launch_persistent(nvg_rounds_kernel<edge_t>, state->grid, sizeof(struct shared), run->error,
                                     csr_of<edge_t>(&state->graph), state->search, phase);
    return gpu_launch_persistent(nvg_rounds_kernel<uint32_t>, state->grid, sizeof(struct shared), run->error,
                                 csr_of<uint32_t>(&state->graph), state->search, phase);
}

static int run_order(struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    if (state->graph.wide)
        return gpu_launch_persistent(nvg_order_kernel<edge_t>, state->grid, sizeof(struct shared), run->error,
                                     csr_of<edge_t>(&state->graph), state->search);
    return gpu_launch_persistent(nvg_order_kernel<uint32_t>, state->grid, sizeof(struct shared), run->error,
                                 csr_of<uint32_t>(&state->graph), state->search);
}

static int traverse(struct run *run, const struct query *query)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t n = run->graph->num_vertices;
    cudaMemsetAsync(search->parent, 0xff, n * sizeof *search->parent); /* NO_VERTEX */
    cudaMemsetAsync(search->best, 0xff, n * sizeof *search->best);     /* NO_OFFER */
    cudaMemsetAsync(search->barrier, 0, sizeof *search->barrier);
    if (state->acyclic) {
        cudaMemsetAsync(search->waiting, 0, n * sizeof *search->waiting);
        cudaMemsetAsync(search->below, 0, n * sizeof *search->below);
    }
    if (gpu_check(cudaGetLastError(), "resetting a search", run->error) != STATUS_OK ||
        gpu_launch(nvg_seed, {1, 1}, 0, run->error, *search, query->source) != STATUS_OK)
        return run->error->status;
    run_kernel_begin(run);
    if (state->acyclic)
        run_rounds(run, REACH);
    if (run->error->status == STATUS_OK)
        run_rounds(run, state->acyclic ? OFFER_READY : OFFER_ONCE);
    run_kernel_end(run);
    return run->error->status == STATUS_OK && state->acyclic ? run_order(run) : run->error->status;
}

static int download_progress(struct run *run, struct progress *progress)
{
    const struct search *search = &((const struct state *)run->state)->search;
    if (gpu_download(progress, search->progress, 1, run->error) == STATUS_OK && progress->exhausted)
        error_set(run->error, STATUS_DEVICE,
                  "%s: the paths need more than %.0f MB of device memory%s (the method's known limit: it fails "
                  "so on 44 of 234 graphs in DiggerBees, section 4.2); use --variant v4 or serial",
                  run->graph->name, (double)(search->pool_words * sizeof *search->pool) / MEGABYTE,
                  run->options[PATH_MB] > 0 ? ", as allowed by --set path-mb" : "");
    return run->error->status;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    const struct search *search = &state->search;
    size_t n = run->graph->num_vertices;
    struct progress progress;
    if (gpu_check_barrier(search->barrier, "dfs nvg", run->error) != STATUS_OK ||
        download_progress(run, &progress) != STATUS_OK ||
        gpu_download(result->parent, search->parent, n, run->error) != STATUS_OK)
        return run->error->status;
#pragma omp parallel for
    for (size_t v = 0; v < n; v++)
        result->visited[v] = result->parent[v] != NO_VERTEX;
    result->unordered = !state->acyclic;
    if (result->unordered)
        return STATUS_OK;
    result->num_ordered = progress.num_reached;
    if (gpu_download(result->order, search->order, progress.num_reached, run->error) == STATUS_OK)
        gpu_download(result->finish, search->finish, progress.num_reached, run->error);
    return run->error->status;
}

static void release(struct run *run)
{
    struct state *state = (struct state *)run->state;
    if (state != NULL) {
        const struct search *search = &state->search;
        const void *const arrays[] = {search->parent,      search->frontier, search->best,     search->paths,
                                      search->pool,        search->barrier,  search->progress, search->waiting,
                                      search->below,       search->before,   search->depth,    search->order,
                                      search->round_begin, search->finish};
        for (const void *array : arrays)
            gpu_free(array);
        gpu_graph_free(&state->graph);
    }
    free(state);
}

} // namespace BACKEND

using namespace BACKEND;

GPU_ALGORITHM(dfs_nvg) = {
    .family = "dfs",
    .variant = "nvg",
    .title = "NVG-DFS: path comparison on DAGs; kernel ms is phase 1",
    .citation = "Naumov, Vrielink, Garland, IA3 2017",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_VISITED | OUTPUT_PARENT | OUTPUT_ORDER | OUTPUT_FINISH,
    .options = options,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
