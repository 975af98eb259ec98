/* sparse.cuh: sparse levels. Pairs (vertex, search) are listed and pushed in one persistent kernel.
 *
 * Planes. Words of planes change only by atomics. They are read otherwise only in phases that change none, between
 * grid barriers. Several threads may set the same bit; the one whose atomic returns it clear lists the pair, so a
 * pair is listed once.
 *
 * Counts of pairs and edges rotate (../../device/grid_barrier.cuh). Phase `round` adds to the count of round + 1.
 *
 * The list is a ring. A push starts only if the pairs of all its edges would fit behind the entries that are still
 * needed: those that are not materialised yet, and those of the last level. Otherwise these entries are materialised
 * first, or the level is pulled. */
#pragma once

#include "schedule.cuh"

namespace BACKEND::rows
{

#define UNROLL         4u /* edges that a lane has in flight */
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

/* Lists the pairs of all lanes, with one atomic. All lanes of the warp must call. A pair's place in the list and the
 * number of edges before its own come from the same sum, so they ascend together. */
template <unsigned number, typename offset_t>
static __device__ __forceinline__ void append(const struct search &search, const struct rules &rules,
                                              const struct control &control, const csr<offset_t> &out, uint32_t level,
                                              uint64_t *count, const struct lane_pairs<number> &pairs)
{
    const uint64_t entry = 1ull << EDGE_BITS;
    uint64_t mine[number], sum = 0;
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        offset_t begin = load_if(pairs.has[i], &out.offsets[pairs.row[i]]),
                 end = load_if(pairs.has[i], &out.offsets[(size_t)pairs.row[i] + 1]);
        mine[i] = pairs.has[i] ? entry + min((uint64_t)(end - begin), (uint64_t)MOST_EDGES) : 0;
        sum += mine[i];
    }
    if (!__any_sync(WHOLE_WARP, sum != 0))
        return;
    uint64_t before = sum;
#pragma unroll
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        uint64_t left = __shfl_up_sync(WHOLE_WARP, before, step);
        before += lane_id() >= step ? left : 0;
    }
    uint64_t place = 0;
    if (lane_id() == WARP_SIZE - 1)
        place = atomicAdd((unsigned long long *)count, (unsigned long long)before);
    place = __shfl_sync(WHOLE_WARP, place, WARP_SIZE - 1) + before - sum;
#pragma unroll
    for (unsigned i = 0; i < number; i++)
        if (pairs.has[i]) {
            uint32_t tag =
                pairs.source[i] | control.top << SOURCE_BITS | (level - control.base) << (SOURCE_BITS + PLANE_BITS);
            uint4 pair = {pairs.row[i], tag, (uint32_t)place, 0};
            __stcg(&search.list[(control.head + (place >> EDGE_BITS)) & (rules.list_capacity - 1)], pair);
            place += mine[i];
        }
}

/* Lists the sources, by block 0. Isolated sources have no bits. */
template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void start(const struct relabelled_graph<offset_t> &graph,
                                             const struct search &search, const struct rules &rules,
                                             const struct control &control, uint64_t *count)
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

/* Lists the bits of the top plane that the plane below lacks. */
template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void collect(const struct relabelled_graph<offset_t> &graph,
                                               const struct search &search, const struct rules &rules,
                                               const struct control &control, uint64_t *count)
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

/* The last pair of the frontier that has at most `edge` edges before its own. All lanes of the warp must call. */
static __device__ __forceinline__ uint32_t find_pair(const struct search &search, const struct rules &rules,
                                                     const struct control &control, uint32_t edge)
{
    uint32_t first = 0, number = (uint32_t)control.size;
    while (number > 1) {
        uint32_t stride = (number + WARP_SIZE - 1) / WARP_SIZE, mine = lane_id() * stride;
        bool reaches = mine < number &&
                       __ldcg(&search.list[(control.frontier + first + mine) & (rules.list_capacity - 1)].z) <= edge;
        uint32_t skipped = (uint32_t)(__popc(__ballot_sync(WHOLE_WARP, reaches)) - 1) * stride;
        first += skipped;
        number = min(number - skipped, stride);
    }
    return first;
}

/* Deals the edges of the frontier evenly out to the warps of the grid. Calls use(pairs) with UNROLL edges per lane,
 * as pairs (target, search). All lanes make every call. */
template <typename offset_t, typename use_t>
static __device__ __forceinline__ void for_each_edge(const csr<offset_t> &out, const struct search &search,
                                                     const struct rules &rules, const struct control &control,
                                                     use_t use)
{
    uint32_t edges = (uint32_t)control.edges, size = (uint32_t)control.size;
    const struct team team = spread_warps();
    uint64_t share = ((uint64_t)edges + team.size - 1) / team.size;
    share = (share + WARP_SIZE - 1) / WARP_SIZE * WARP_SIZE;
    uint64_t begin = share * team.rank;
    if (begin >= edges)
        return;
    uint32_t edge = (uint32_t)begin, end = (uint32_t)min((uint64_t)edges, begin + share);
    for (uint32_t first = find_pair(search, rules, control, edge); edge < end; first += WARP_SIZE) {
        const uint64_t mask = rules.list_capacity - 1, at = control.frontier + first;
        uint4 pair = {0, 0, UINT32_MAX, 0}; /* each lane has one of 32 */
        if (first + lane_id() < size)
            pair = __ldcg(&search.list[(at + lane_id()) & mask]);
        uint32_t until = end;
        if (first + WARP_SIZE < size)
            until = min(end, __ldcg(&search.list[(at + WARP_SIZE) & mask].z));
        offset_t shift = load_if(pair.z != UINT32_MAX, &out.offsets[pair.x]) - pair.z;
        for (; edge < until; edge += UNROLL * WARP_SIZE) {
            struct lane_pairs<UNROLL> pairs;
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                uint32_t place = edge + i * WARP_SIZE + lane_id();
                int owner = 0;
#pragma unroll
                for (int step = WARP_SIZE / 2; step > 0; step /= 2)
                    owner += __shfl_sync(WHOLE_WARP, pair.z, owner + step) <= place ? step : 0;
                pairs.has[i] = place < until;
                pairs.source[i] = __shfl_sync(WHOLE_WARP, pair.y, owner) & ((1u << SOURCE_BITS) - 1);
                pairs.row[i] =
                    load_if(pairs.has[i], &out.targets[(offset_t)(__shfl_sync(WHOLE_WARP, shift, owner) + place)]);
            }
            use(pairs);
        }
        edge = until;
    }
}

/* Finds the next level from the listed one, and lists it. */
template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void push(const struct relabelled_graph<offset_t> &graph,
                                            const struct search &search, const struct rules &rules,
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

/* Finds the next level from the listed one, in the top plane only. */
template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void mark(const struct relabelled_graph<offset_t> &graph,
                                            const struct search &search, const struct rules &rules,
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

/* Makes the bitmap of the non-empty rows of plane 0. */
template <unsigned num_words, typename offset_t>
static __device__ __forceinline__ void map_filled(const struct relabelled_graph<offset_t> &graph,
                                                  const struct search &search, const struct rules &rules,
                                                  const struct control &control)
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

/* After a phase and its barrier, by one thread of each block. All get the same result. */
static __device__ __forceinline__ void close_phase(struct control *control, const struct rules &rules, uint64_t count)
{
    bool marked = control->mode == MODE_MARK;
    control->level += control->mode == MODE_PUSH || marked;
    control->frontier = control->head;
    control->size = count >> EDGE_BITS;
    control->edges = count & ((1ull << EDGE_BITS) - 1);
    control->head += control->size;
    control->round++;
    choose_after_sparse(control, rules, marked);
}

/* Finds levels as long as they are sparse. */
template <unsigned num_words, typename offset_t>
__global__ void __launch_bounds__(SPARSE_THREADS, 1)
    sparse_kernel(struct relabelled_graph<offset_t> graph, struct search search, struct rules rules)
{
    struct sparse_shared *shared = block_shared<struct sparse_shared>();
    struct control *control = &shared->words.control; /* the same in all blocks */
    read_control(search, &shared->words);
    if (control->mode > MODE_COLLECT)
        return;
    while (control->mode <= MODE_COLLECT) {
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
        if (total == UINT64_MAX)
            return;
        if (threadIdx.x == 0)
            close_phase(control, rules, total);
        __syncthreads();
    }
    if (control->mode == MODE_FILTERED)
        map_filled<num_words>(graph, search, rules, *control);
    if (thread_of_grid() == 0) {
        note_step(search, control, STEP_SPARSE);
        *search.control = *control;
    }
}

} // namespace BACKEND::rows
