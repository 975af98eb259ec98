/* order_neighbours.cuh: renumbers the neighbours of all vertices and orders each list by class, high degrees first.
 *
 * The sort is a stable counting sort by class. Within a class, ids ascend with the input ids, so an ascending list is
 * ascending again after the sort. Short lists are sorted in the registers of a warp, longer ones in two passes over
 * the list by a warp, and the longest by a block. */
#pragma once

#include "degree_classes.cuh"

namespace BACKEND::degree_classes
{

#define UNROLL             4u                   /* neighbours that a lane loads together */
#define SHORT_LIST         (UNROLL * WARP_SIZE) /* a warp sorts a list of at most this many neighbours in registers */
#define HIGH_DEGREE_ROUNDS 2u                   /* neighbours per thread, above which a block sorts a list */
#define PREPARE_THREADS    512u

/* The counting sort. All lanes of the warp must call its functions. */
struct renumbering {
    const vertex_t *id_of; /* NULL: ids are input ids */
    vertex_t starts;       /* in lane c: the first id of class c */

    /* Replaces the input ids of up to UNROLL neighbours by their ids. */
    __device__ __forceinline__ void look_up(vertex_t (&ids)[UNROLL]) const
    {
        if (id_of == NULL)
            return;
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            ids[i] = load_if(ids[i] != NO_VERTEX, &id_of[ids[i]]);
    }

    /* Returns the last class that starts at or before the id. */
    __device__ __forceinline__ unsigned class_of_id(vertex_t id) const
    {
        unsigned mine = 0;
#pragma unroll
        for (unsigned step = NUM_CLASSES / 2; step > 0; step /= 2)
            mine += __shfl_sync(WHOLE_WARP, starts, (int)(mine + step)) <= id ? step : 0;
        return mine;
    }

    /* Writes the sorted ids of up to SHORT_LIST neighbours to `to`. */
    __device__ __forceinline__ void order_short(const vertex_t *targets, unsigned number, vertex_t *to) const
    {
        vertex_t ids[UNROLL];
        unsigned classes[UNROLL];
        struct same_class same[UNROLL];
        uint64_t sum = 0;
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++)
            ids[i] = load_if(i * WARP_SIZE + lane_id() < number, &targets[i * WARP_SIZE + lane_id()]);
        look_up(ids);
#pragma unroll
        for (unsigned i = 0; i < UNROLL && i * WARP_SIZE < number; i++) {
            classes[i] = class_of_id(ids[i]);
            same[i] = match_classes(classes[i], ids[i] != NO_VERTEX);
            sum += (unsigned)__popc(same[i].of_lane);
        }
        uint64_t places = warp_exclusive_sum(sum);
#pragma unroll
        for (unsigned i = 0; i < UNROLL && i * WARP_SIZE < number; i++) {
            uint64_t at = take_place(&places, classes[i], same[i]);
            if (ids[i] != NO_VERTEX)
                to[at] = ids[i];
        }
    }

    /* Calls use(id, class, masks of equal classes) with one neighbour per lane. The neighbours for UNROLL calls are
     * loaded together. first: the targets are still input ids, and are replaced by ids. */
    template <bool first, typename use_t>
    __device__ __forceinline__ void for_each_id(vertex_t *targets, uint64_t number, use_t use) const
    {
        for (uint64_t base = lane_id(); base - lane_id() < number; base += UNROLL * WARP_SIZE) {
            vertex_t ids[UNROLL];
#pragma unroll
            for (unsigned i = 0; i < UNROLL; i++)
                ids[i] = load_relaxed_if(base + i * WARP_SIZE < number, &targets[base + i * WARP_SIZE]);
            if (first) {
                look_up(ids);
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

    /* Replaces the targets by their ids. Returns how many are in class lane_id(). */
    __device__ __forceinline__ uint64_t count(vertex_t *targets, uint64_t number) const
    {
        uint64_t sum = 0;
        for_each_id<true>(targets, number,
                          [&](vertex_t, unsigned, struct same_class same) { sum += (unsigned)__popc(same.of_lane); });
        return sum;
    }

    /* Writes the sorted ids, after count(). In lane c, `places` is the first place in `to` for class c. */
    __device__ __forceinline__ void place(vertex_t *targets, uint64_t number, uint64_t places, vertex_t *to) const
    {
        for_each_id<false>(targets, number, [&](vertex_t id, unsigned mine, struct same_class same) {
            uint64_t at = take_place(&places, mine, same);
            if (id != NO_VERTEX)
                to[at] = id;
        });
    }
};

struct order_shared {
    uint64_t counts[PREPARE_THREADS / WARP_SIZE][NUM_CLASSES];
};

template <typename offset_t>
struct neighbour_order {
    const offset_t *from_offsets;
    vertex_t *from_targets;           /* targets of the input; overwritten */
    const vertex_t *id_of, *input_of; /* NULL: ids are input ids */
    const vertex_t *starts;           /* NUM_CLASSES: the first id of each class */
    vertex_t num_ids;
    const edge_t *places; /* offsets of the result, which may leave room after each list */
    vertex_t *targets;    /* the result */

    struct list {
        vertex_t *from, *to;
        uint64_t number, room;
    };

    __device__ __forceinline__ struct list list_of(uint64_t id) const
    {
        uint64_t vertex = input_of != NULL ? input_of[id] : id;
        offset_t first = from_offsets[vertex];
        return {from_targets + first, targets + places[id], from_offsets[vertex + 1] - first,
                places[id + 1] - places[id]};
    }
};

/* Fills the rest of a list's room with the vertex's own id. */
DEVICE void pad(vertex_t *to, uint64_t number, uint64_t room, uint64_t id)
{
    for (uint64_t i = number + lane_id(); i < room; i += WARP_SIZE)
        to[i] = (vertex_t)id;
}

/* All warps of the block sort one list. */
template <typename offset_t>
DEVICE void order_high_degree(const struct renumbering &renumbering, typename neighbour_order<offset_t>::list list,
                              struct order_shared *shared)
{
    unsigned warp = threadIdx.x / WARP_SIZE, num_warps = blockDim.x / WARP_SIZE;
    uint64_t begin = list.number * warp / num_warps, share = list.number * (warp + 1) / num_warps - begin;
    shared->counts[warp][lane_id()] = renumbering.count(list.from + begin, share);
    __syncthreads();
    uint64_t all = 0, before = 0; /* neighbours of class lane_id(): in the list; in the shares of earlier warps */
    for (unsigned w = 0; w < num_warps; w++) {
        before = w == warp ? all : before;
        all += shared->counts[w][lane_id()];
    }
    renumbering.place(list.from + begin, share, warp_exclusive_sum(all) + before, list.to);
    __syncthreads();
}

/* Fills `targets`. A warp takes a list at a time; a block takes the list of a high-degree vertex. These are few and,
 * if the graph is relabelled, have the first ids. */
template <typename offset_t>
__global__ void __launch_bounds__(PREPARE_THREADS) order_neighbours(neighbour_order<offset_t> with)
{
    struct order_shared *shared = block_shared<struct order_shared>();
    struct renumbering renumbering = {with.id_of, with.starts[lane_id()]};
    const uint64_t high_degree_room = (uint64_t)HIGH_DEGREE_ROUNDS * blockDim.x;
    for (uint64_t id = thread_of_grid() / WARP_SIZE; id < with.num_ids; id += threads_of_grid() / WARP_SIZE) {
        auto list = with.list_of(id);
        if (list.number <= SHORT_LIST)
            renumbering.order_short(list.from, (unsigned)list.number, list.to);
        else if (list.room <= high_degree_room)
            renumbering.place(list.from, list.number, warp_exclusive_sum(renumbering.count(list.from, list.number)),
                              list.to);
        pad(list.to, list.number, list.room, id);
    }
    for (uint64_t base = blockIdx.x; base < with.num_ids; base += (uint64_t)gridDim.x * WARP_SIZE) {
        /* High-degree vertices have consecutive ids, so spread them over the blocks. */
        uint64_t mine = base + (uint64_t)lane_id() * gridDim.x;
        bool is_high_degree = mine < with.num_ids && with.places[mine + 1] - with.places[mine] > high_degree_room;
        unsigned high_degree = __ballot_sync(WHOLE_WARP, is_high_degree);
        for (; high_degree != 0; high_degree &= high_degree - 1) /* all warps of the block have the same mask */
            order_high_degree<offset_t>(
                renumbering, with.list_of(base + (uint64_t)(__ffs((int)high_degree) - 1) * gridDim.x), shared);
    }
}

} // namespace BACKEND::degree_classes
