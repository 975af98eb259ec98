/* sparse.cuh: sparse levels. They are short, and there may be thousands of them, so one persistent kernel runs them.
 *
 * Sparse levels work in place on the top plane. They add a pair (vertex, search) to a list for each bit that they
 * set. The pair carries the level, which overrides the plane's level. A push distributes the out-edges of the last
 * level's pairs evenly over the warps: one 64-bit atomic per warp gives a pair both its place and the number of edges
 * before its own. A level of more than push_edges edges is not listed. The first such level, if it has at most
 * mark_edges edges, only marks plane 0; unlisted bits of plane 0 have the plane's level. Later levels are pulled.
 *
 * Planes. Words of planes change only by atomics. Plain reads happen only in phases that change no word, between grid
 * barriers. Several threads may set the same bit. The thread whose atomic returns the bit clear lists the pair, so a
 * pair is listed once.
 *
 * Counts of pairs and edges are used in rotation (../../device/grid_barrier.cuh). Phase `round` adds to the count of
 * round + 1.
 *
 * The list is a ring. Entries are needed until they are materialised and their level is no longer the last one. A
 * push starts only if the pairs of all its edges fit after the needed entries. Otherwise these entries are
 * materialised first, or the level is pulled. */
#pragma once

#include "../../device/edge_queue.cuh"
#include "schedule.cuh"

namespace BACKEND::bitparallel
{

#define UNROLL         4u /* edges that a lane loads together */
#define SPARSE_THREADS 1024u

struct sparse_shared {
    struct shared_words words;
    uint64_t broadcast;
};

/* Up to `number` pairs of a lane. */
template <unsigned number>
struct lane_pairs {
    bool has[number];
    vertex_t row[number];
    uint32_t source[number];
};

/* Returns entry i of the list. Entries are counted from the beginning of the query. */
DEVICE uint4 *listed(const struct search &search, const struct rules &rules, uint64_t i)
{
    return &search.list[i & (rules.list_capacity - 1)];
}

/* Lists the pairs of all lanes. All lanes of the warp must call it. */
template <unsigned number, typename offset_t>
DEVICE void append(const struct search &search, const struct rules &rules, const struct control &control,
                   const csr<offset_t> &out, uint32_t level, uint64_t *count, const struct lane_pairs<number> &pairs)
{
    uint32_t edges[number];
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        offset_t begin = load_if(pairs.has[i], &out.offsets[pairs.row[i]]),
                 end = load_if(pairs.has[i], &out.offsets[(size_t)pairs.row[i] + 1]);
        edges[i] = (uint32_t)min((uint64_t)(end - begin), (uint64_t)MOST_EDGES);
    }
    append_entries(count, EDGE_BITS, pairs.has, edges, [&](unsigned i, uint64_t place, uint64_t before) {
        uint32_t tag =
            pairs.source[i] | control.top << SOURCE_BITS | (level - control.base) << (SOURCE_BITS + PLANE_BITS);
        uint4 pair = {pairs.row[i], tag, (uint32_t)before, 0};
        __stcg(listed(search, rules, control.head + place), pair);
    });
}

/* Block 0 lists the sources. Isolated sources have no bits. */
template <unsigned num_words, typename offset_t>
DEVICE void start(const struct relabelled_graph<offset_t> &graph, const struct search &search,
                  const struct rules &rules, const struct control &control, uint64_t *count)
{
    for (uint32_t base = threadIdx.x - lane_id(); base < rules.num_sources; base += blockDim.x) {
        uint32_t source = base + lane_id();
        bool has = source < rules.num_sources;
        vertex_t row = load_if(has, &search.sources[source]);
        if (graph.id_of != NULL)
            row = load_if(has, &graph.id_of[row]);
        if (has && row < graph.num_rows)
            atomicOr(&plane_of(search, rules, control, 0)[(size_t)row * num_words + source / WARP_SIZE],
                     1u << source % WARP_SIZE);
        append(search, rules, control, graph.out, 0, count, lane_pairs<1>{{has}, {row}, {source}});
    }
}

/* Lists the bits of the top plane that the plane below does not have. */
template <unsigned num_words, typename offset_t>
DEVICE void collect(const struct relabelled_graph<offset_t> &graph, const struct search &search,
                    const struct rules &rules, const struct control &control, uint64_t *count)
{
    const uint32_t *top = plane_of(search, rules, control, control.top);
    const uint32_t *below = plane_of(search, rules, control, control.top - 1);
    const uint64_t end = (uint64_t)graph.num_rows * num_words;
    for (uint64_t base = thread_of_grid() - lane_id(); base < end; base += UNROLL * threads_of_grid()) {
        uint32_t fresh[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            uint64_t at = base + lane_id() + i * threads_of_grid();
            fresh[i] = at < end ? top[at] & ~below[at] : 0;
        }
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            uint64_t at = base + lane_id() + i * threads_of_grid();
            for (uint32_t left = fresh[i]; __any_sync(WHOLE_WARP, left != 0); left &= left - 1) {
                vertex_t row = (vertex_t)(at / num_words);
                uint32_t source = (uint32_t)(at % num_words) * WARP_SIZE + (uint32_t)__ffs((int)left) - 1;
                append(search, rules, control, graph.out, control.level, count,
                       lane_pairs<1>{{left != 0}, {row}, {source}});
            }
        }
    }
}

/* The pairs of the last level as a queue of their edges. */
template <typename offset_t>
struct pair_queue {
    struct entry {
        uint32_t before;
        offset_t shift;
        uint32_t source;
    };
    const offset_t *offsets;
    const struct search &search;
    const struct rules &rules;
    const struct control &control;

    __device__ __forceinline__ uint32_t before_at(uint32_t i) const
    {
        return __ldcg(&listed(search, rules, control.frontier + i)->z);
    }
    __device__ __forceinline__ entry load(uint32_t i) const
    {
        uint4 pair = __ldcg(listed(search, rules, control.frontier + i));
        return {pair.z, __ldg(&offsets[pair.x]) - pair.z, pair.y & ((1u << SOURCE_BITS) - 1)};
    }
};

/* Distributes the edges of the frontier evenly over the warps of the grid. Calls use(pairs) with UNROLL edges per
 * lane, as pairs (target, search). All lanes take part in every call. */
template <typename offset_t, typename use_t>
DEVICE void for_each_edge(const csr<offset_t> &out, const struct search &search, const struct rules &rules,
                          const struct control &control, use_t use)
{
    const pair_queue<offset_t> queue = {out.offsets, search, rules, control};
    BACKEND::for_each_edge<UNROLL>(
        out.targets, queue, (uint32_t)control.size, (uint32_t)control.edges, spread_warps(),
        [&](const lane_edges<UNROLL> &edges, uint32_t, const typename pair_queue<offset_t>::entry &mine) {
            struct lane_pairs<UNROLL> pairs;
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                pairs.has[i] = edges.has[i];
                pairs.row[i] = edges.target[i];
                pairs.source[i] = __shfl_sync(WHOLE_WARP, mine.source, (int)edges.owner[i]);
            }
            use(pairs);
            return false;
        });
}

/* Finds the next level from the listed level, and lists it. */
template <unsigned num_words, typename offset_t>
DEVICE void push(const struct relabelled_graph<offset_t> &graph, const struct search &search, const struct rules &rules,
                 const struct control &control, uint64_t *count)
{
    uint32_t *top = plane_of(search, rules, control, control.top);
    for_each_edge(graph.out, search, rules, control, [&](struct lane_pairs<UNROLL> pairs) {
        uint32_t old[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            old[i] = or_if(pairs.has[i], &top[(size_t)pairs.row[i] * num_words + pairs.source[i] / WARP_SIZE],
                           1u << pairs.source[i] % WARP_SIZE);
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            pairs.has[i] = pairs.has[i] && !(old[i] >> pairs.source[i] % WARP_SIZE & 1);
        append(search, rules, control, graph.out, control.level + 1, count, pairs);
    });
}

/* Finds the next level from the listed level, but only sets its bits in the top plane. */
template <unsigned num_words, typename offset_t>
DEVICE void mark(const struct relabelled_graph<offset_t> &graph, const struct search &search, const struct rules &rules,
                 const struct control &control)
{
    uint32_t *top = plane_of(search, rules, control, control.top);
    for_each_edge(graph.out, search, rules, control, [&](const struct lane_pairs<UNROLL> &pairs) {
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            if (pairs.has[i])
                atomicOr(&top[(size_t)pairs.row[i] * num_words + pairs.source[i] / WARP_SIZE],
                         1u << pairs.source[i] % WARP_SIZE);
    });
}

/* Makes the bitmap of non-empty rows of plane 0. */
template <unsigned num_words, typename offset_t>
DEVICE void map_filled(const struct relabelled_graph<offset_t> &graph, const struct search &search,
                       const struct rules &rules, const struct control &control)
{
    const uint32_t *plane = plane_of(search, rules, control, 0);
    for (uint64_t base = thread_of_grid() - lane_id(); base < graph.num_rows; base += threads_of_grid()) {
        uint64_t row = base + lane_id();
        uint32_t any = 0;
#pragma unroll
        for (unsigned w = 0; w < num_words; w++)
            any |= row < graph.num_rows ? plane[row * num_words + w] : 0;
        unsigned filled = __ballot_sync(WHOLE_WARP, any != 0);
        if (lane_id() == 0)
            search.filled[base / WARP_SIZE] = filled;
    }
}

/* Ends a phase, after its barrier. One thread of each block calls it; all get the same result. */
DEVICE void close_phase(struct control *control, const struct rules &rules, uint64_t count)
{
    bool marked = control->mode == MODE_MARK;
    control->level += control->mode == MODE_PUSH || marked;
    control->frontier = control->head;
    control->size = count >> EDGE_BITS;
    control->edges = count & ((1ull << EDGE_BITS) - 1);
    control->head += control->size;
    control->round++;
    if (marked)
        choose_first_pull(control, rules);
    else
        choose_after_listed(control, rules);
}

DEVICE bool is_sparse(const struct control &control)
{
    return control.phase == PHASE_SEARCH && control.mode <= MODE_COLLECT;
}

/* Finds levels while they are sparse. trace: one pointer to the ends of levels, or none. */
template <unsigned num_words, typename offset_t, typename... trace_t>
__global__ void __launch_bounds__(SPARSE_THREADS, 1)
    sparse_kernel(struct relabelled_graph<offset_t> graph, struct search search, struct rules rules, trace_t... trace)
{
    struct sparse_shared *shared = block_shared<struct sparse_shared>();
    struct control *control = &shared->words.control; /* all blocks have the same values */
    read_control(search, &shared->words);
    if (!is_sparse(*control))
        return;
    while (is_sparse(*control)) {
        uint64_t *count = count_of(search.counts, control->round + 1);
        if (thread_of_grid() == 0)
            __stcg(count_of(search.counts, control->round + 2), 0ull);
        if (control->mode == MODE_PUSH)
            push<num_words>(graph, search, rules, *control, count);
        else if (control->mode == MODE_MARK)
            mark<num_words>(graph, search, rules, *control);
        else if (control->mode == MODE_COLLECT)
            collect<num_words>(graph, search, rules, *control, count);
        else if (blockIdx.x == 0)
            start<num_words>(graph, search, rules, *control, count);
        uint64_t total = grid_wait(search.barrier, count, &shared->broadcast);
        if (total == UINT64_MAX) {
            if (threadIdx.x == 0) /* the level is half done and must not be repeated by a later launch */
                __stcg(&search.control->phase, (uint32_t)PHASE_FINISHED);
            return;
        }
        if (threadIdx.x == 0)
            close_phase(control, rules, total);
        if (thread_of_grid() == 0)
            (end_last_level(trace, *control, LEVEL_TOP_DOWN, STEP_SPARSE), ...);
        __syncthreads();
    }
    if (control->mode == MODE_FILTERED)
        map_filled<num_words>(graph, search, rules, *control);
    if (thread_of_grid() == 0) {
        note_step(search, control, STEP_SPARSE);
        *search.control = *control;
    }
}

} // namespace BACKEND::bitparallel
