/* order_neighbours.cuh: order. */
#pragma once

#include "degree_classes.cuh"

namespace BACKEND::stream
{

#define SHORT_LIST      (UNROLL * WARP_SIZE) /* neighbours of a row that a warp keeps in registers to order them */
#define LONG_LIST       2u /* times a block's threads: neighbours of a row that the block orders together */
#define PREPARE_THREADS 512u

/* ---- preparing: ordering the neighbours ---- */

/* The sum of the values of the lanes before this one. */
static __device__ __forceinline__ uint64_t sum_before(uint64_t value)
{
    uint64_t sum = value;
#pragma unroll
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        uint64_t left = __shfl_up_sync(WHOLE_WARP, sum, step);
        sum += lane_id() >= step ? left : 0;
    }
    return sum - value;
}

/* A counting sort by class of a row's neighbours, given their rows' numbers. starts: lane c has class c's first row.
 */
struct renumbering {
    const vertex_t *id_of;
    vertex_t starts; /* of the lane's class */

    /* The last class that starts at or before the row. */
    __device__ __forceinline__ unsigned class_of_id(vertex_t id) const
    {
        unsigned mine = 0;
#pragma unroll
        for (unsigned step = NUM_CLASSES / 2; step > 0; step /= 2)
            mine += __shfl_sync(WHOLE_WARP, starts, (int)(mine + step)) <= id ? step : 0;
        return mine;
    }

    /* The rows of up to SHORT_ROW targets, put in order. */
    __device__ __forceinline__ void order_short(const vertex_t *targets, unsigned number, vertex_t *to) const
    {
        vertex_t ids[UNROLL];
        unsigned classes[UNROLL];
        struct same_class same[UNROLL];
        uint64_t sum = 0;
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            ids[i] = load_if(i * WARP_SIZE + lane_id() < number, &targets[i * WARP_SIZE + lane_id()]);
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            ids[i] = load_if(ids[i] != NO_VERTEX, &id_of[ids[i]]);
#pragma unroll
        for (unsigned i = 0; i < UNROLL && i * WARP_SIZE < number; i++) {
            classes[i] = class_of_id(ids[i]);
            same[i] = match_classes(classes[i], ids[i] != NO_VERTEX);
            sum += (unsigned)__popc(same[i].of_lane);
        }
        uint64_t places = sum_before(sum);
#pragma unroll
        for (unsigned i = 0; i < UNROLL && i * WARP_SIZE < number; i++) {
            uint64_t at = take_place(&places, classes[i], same[i]);
            if (ids[i] != NO_VERTEX)
                to[at] = ids[i];
        }
    }

    /* Calls use(row, class, lanes of the classes) with a row a lane; those of several turns are loaded together.
     * first: the targets are vertices yet, and their rows replace them. */
    template <bool first, typename use_t>
    __device__ __forceinline__ void for_each_id(vertex_t *targets, uint64_t number, use_t use) const
    {
        for (uint64_t base = lane_id(); base - lane_id() < number; base += UNROLL * WARP_SIZE) {
            vertex_t ids[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++)
                ids[i] = look_if(base + i * WARP_SIZE < number, &targets[base + i * WARP_SIZE]);
            if (first) {
#pragma unroll
                for (unsigned i = 0; i < UNROLL; i++)
                    ids[i] = load_if(ids[i] != NO_VERTEX, &id_of[ids[i]]);
#pragma unroll
                for (unsigned i = 0; i < UNROLL; i++)
                    if (ids[i] != NO_VERTEX)
                        __stcg(&targets[base + i * WARP_SIZE], ids[i]);
            }
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++) {
                unsigned mine = class_of_id(ids[i]);
                use(ids[i], mine, match_classes(mine, ids[i] != NO_VERTEX));
            }
        }
    }

    /* Replaces targets by their rows; how many are of the lane's class. */
    __device__ __forceinline__ uint64_t count(vertex_t *targets, uint64_t number) const
    {
        uint64_t sum = 0;
        for_each_id<true>(targets, number,
                          [&](vertex_t, unsigned, struct same_class same) { sum += (unsigned)__popc(same.of_lane); });
        return sum;
    }

    /* After count: puts the rows where their classes' places in `to` are: lane c's, class c's. */
    __device__ __forceinline__ void place(vertex_t *targets, uint64_t number, uint64_t places, vertex_t *to) const
    {
        for_each_id<false>(targets, number, [&](vertex_t id, unsigned mine, struct same_class same) {
            uint64_t at = take_place(&places, mine, same);
            if (id != NO_VERTEX)
                to[at] = id;
        });
    }
};

/* Renumbers and orders the neighbours of all rows: a warp a row, but the block together those that are long; these
 * are few and, if there are classes, in the first of them. The graph that it takes them from is void afterwards. */
struct order_shared {
    uint64_t counts[PREPARE_THREADS / WARP_SIZE][NUM_CLASSES];
};

template <typename offset_t>
__global__ void __launch_bounds__(PREPARE_THREADS)
    order_neighbours(const offset_t *from_offsets, vertex_t *from_targets, const vertex_t *id_of,
                     const vertex_t *input_of, const vertex_t *starts, vertex_t num_ids, const offset_t *offsets,
                     vertex_t *targets)
{
    struct order_shared *shared = block_shared<struct order_shared>();
    struct renumbering renumbering = {id_of, starts[lane_id()]};
    const uint64_t long_list = (uint64_t)LONG_LIST * blockDim.x;
    for (uint64_t id = thread_of_grid() / WARP_SIZE; id < num_ids; id += threads_of_grid() / WARP_SIZE) {
        uint64_t first = offsets[id], number = offsets[id + 1] - first;
        vertex_t *source = from_targets + from_offsets[input_of[id]];
        if (number <= SHORT_LIST)
            renumbering.order_short(source, (unsigned)number, targets + first);
        else if (number <= long_list)
            renumbering.place(source, number, sum_before(renumbering.count(source, number)), targets + first);
    }
    unsigned warp = threadIdx.x / WARP_SIZE, num_warps = blockDim.x / WARP_SIZE;
    for (uint64_t base = blockIdx.x; base < num_ids; base += (uint64_t)gridDim.x * WARP_SIZE) {
        uint64_t mine = base + (uint64_t)lane_id() * gridDim.x; /* long rows are neighbours: to a block each */
        unsigned long_lists =
            __ballot_sync(WHOLE_WARP, mine < num_ids && offsets[mine + 1] - offsets[mine] > long_list);
        for (; long_lists != 0; long_lists &= long_lists - 1) { /* the same in all warps of the block */
            uint64_t id = base + (uint64_t)(__ffs((int)long_lists) - 1) * gridDim.x, first = offsets[id];
            uint64_t number = offsets[id + 1] - first, begin = number * warp / num_warps;
            uint64_t share = number * (warp + 1) / num_warps - begin;
            vertex_t *source = from_targets + from_offsets[input_of[id]] + begin;
            shared->counts[warp][lane_id()] = renumbering.count(source, share);
            __syncthreads();
            uint64_t all = 0, before = 0; /* of the lane's class: in the row, in the shares of earlier warps */
            for (unsigned w = 0; w < num_warps; w++) {
                before = w == warp ? all : before;
                all += shared->counts[w][lane_id()];
            }
            renumbering.place(source, share, sum_before(all) + before, targets + first);
            __syncthreads();
        }
    }
}

} // namespace BACKEND::stream
