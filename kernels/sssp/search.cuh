/* search.cuh: common parts of the searches for shortest paths: distances, weighted edges, queues, relaxing edges.
 *
 * A distance is kept as the bits of a number of the weights' type. Bits of numbers that are not negative order as the
 * numbers do, so an integer minimum lowers a distance. All bits set (NOT_REACHED) is more than any number.
 *
 * No vertex is forgotten. A thread whose atomicMin lowers a distance below the threshold sets the vertex's stamp to
 * this round. If it was another one, it puts the vertex into the next queue; otherwise another thread does so in this
 * round. A barrier, or the end of the kernel, comes before the queue is read, so the distance that is read there is at
 * most the lowered one. Vertices whose distance stays above the threshold are left to the engine. A thread first looks
 * whether an edge would lower the distance; an old value in L1 is larger and costs an atomic at most.
 *
 * Classes. The edges of a vertex may stand in classes by weight. A class whose edges weigh at least w is due once the
 * distance plus w is below the threshold; before, it lowers nothing below it. Only due classes are queued. If a vertex
 * is lowered again in a round, and more classes are due, these are a further entry. So no edge is twice in a queue.
 *
 * Parents. With each lowered distance of 32 bits, distance and parent are put into a record by a minimum of 64 bits.
 * One thread alone lowers a distance to its last value, and the record keeps its edge (u, v). This is tight: if u falls
 * later, it gives v the same sum, as none is lower. Parents form a tree even if edges weigh 0: around a cycle all
 * distances would be equal, so each u would have had its own before v got it from u, and so before itself. */
#pragma once

#include <cfloat>
#include <cstring>
#include <utility>

#include "../../src/distance.h"
#include "../device/edge_queue.cuh"

namespace BACKEND::sssp
{

/* ---- distances ---- */

template <typename weight_t>
using bits_of = std::conditional_t<sizeof(weight_t) == sizeof(uint64_t), uint64_t, uint32_t>;

template <typename bits_t>
constexpr bits_t NOT_REACHED = (bits_t)-1;

/* Reads the bits of one type as another one of the same size. */
template <typename to_t, typename from_t>
HOST_DEVICE to_t bits_as(from_t from)
{
    static_assert(sizeof(to_t) == sizeof from);
    to_t to;
    memcpy(&to, &from, sizeof to);
    return to;
}

template <typename weight_t>
constexpr weight_t LARGEST = std::is_same_v<weight_t, float>    ? (weight_t)FLT_MAX
                             : std::is_same_v<weight_t, double> ? (weight_t)DBL_MAX
                                                                : (weight_t)(UINT32_MAX - 1);

/* Returns the distance over one more edge, as distance_sum() does. distance: not NOT_REACHED. */
template <typename weight_t>
DEVICE bits_of<weight_t> sum_of(bits_of<weight_t> distance, bits_of<weight_t> weight)
{
    weight_t one = bits_as<weight_t>(distance), other = bits_as<weight_t>(weight);
    if constexpr (std::is_same_v<weight_t, uint32_t>)
        return other < LARGEST<uint32_t> - one ? one + other : LARGEST<uint32_t>;
    else
        return bits_as<bits_of<weight_t>>(min((weight_t)(one + other), LARGEST<weight_t>));
}

/* Returns the number whose bits these are; infinity for NOT_REACHED. */
template <typename weight_t>
HOST_DEVICE double number_of(bits_of<weight_t> distance)
{
    return distance == NOT_REACHED<bits_of<weight_t>> ? NO_PATH : (double)bits_as<weight_t>(distance);
}

/* Returns a threshold: bits of the number `by` above a distance, but at least the bits that follow the distance's. */
template <typename weight_t>
HOST_DEVICE bits_of<weight_t> raised(bits_of<weight_t> distance, double by)
{
    typedef bits_of<weight_t> bits_t;
    double number = number_of<weight_t>(distance) + by;
    if (distance >= NOT_REACHED<bits_t> - 1 || number >= (double)LARGEST<weight_t>)
        return NOT_REACHED<bits_t>;
    bits_t bits = bits_as<bits_t>((weight_t)number);
    return bits > distance ? bits : distance + 1;
}

/* A distance, perhaps an old one. */
DEVICE uint32_t peek_if(bool condition, const uint32_t *address)
{
    return load_cached_if(condition, address);
}
DEVICE uint64_t peek_if(bool condition, const uint64_t *address)
{
    return condition ? __ldcg(address) : 0;
}

/* atomicMin by the lanes whose condition holds. */
DEVICE uint32_t lower_if(bool condition, uint32_t *address, uint32_t value)
{
    return min_if(condition, address, value);
}
DEVICE uint64_t lower_if(bool condition, uint64_t *address, uint64_t value)
{
    return condition ? atomicMin((unsigned long long *)address, (unsigned long long)value) : 0;
}

/* ---- weighted edges, as for_each_edge() wants them ---- */

template <typename bits_t>
struct weighted_edge {
    vertex_t target;
    bits_t weight;
};

template <typename bits_t>
struct edge_list {
    const vertex_t *targets;
    const bits_t *weights;
    __device__ __forceinline__ edge_list operator+(uint64_t e) const
    {
        return {targets + e, weights + e};
    }
};

using BACKEND::load_if; /* of words */

template <typename bits_t>
DEVICE weighted_edge<bits_t> load_if(bool condition, edge_list<bits_t> edge)
{
    return {load_if(condition, edge.targets), load_if(condition, edge.weights)};
}

/* ---- queues (../device/edge_queue.cuh) ---- */

/* shared: in the shared memory of a block. Otherwise any block may have written the queue, and reads bypass L1. */
template <typename offset_t, typename bits_t, bool shared = false>
struct vertex_queue {
    offset_t *before, *shift;
    vertex_t *ids;
    const bits_t *distances;
    struct entry {
        offset_t before, shift;
        vertex_t id;
        bits_t distance; /* when the entry is read */
    };
    template <typename type>
    static __device__ __forceinline__ type read(const type *from)
    {
        return shared ? *from : __ldcg(from);
    }
    __device__ __forceinline__ offset_t before_at(uint64_t i) const
    {
        return read(&before[i]);
    }
    __device__ __forceinline__ entry load(uint64_t i) const
    {
        vertex_t id = read(&ids[i]);
        return {read(&before[i]), read(&shift[i]), id, __ldcg(&distances[id])};
    }
};

#define MOST_CLASSES 4u

/* A search in device memory. */
template <typename offset_t, typename weight_t>
struct search {
    typedef bits_of<weight_t> bits_t;
    vertex_t num_vertices;  /* those with edges, which come first */
    const offset_t *bounds; /* num_vertices * num_classes + 1: the first edge of each class */
    edge_list<bits_t> edges;
    bits_t *distances;                        /* num_vertices */
    uint64_t *records;                        /* num_vertices: distance << 32 | parent; NULL: not wanted */
    uint32_t *stamps;                         /* num_vertices: see append_once(); 0 before a search */
    vertex_queue<offset_t, bits_t> queues[2]; /* num_vertices * num_classes each; used in turn */
    unsigned edge_bits;                       /* of a count: entries << edge_bits | edges */
    unsigned num_classes;
    bits_t least[MOST_CLASSES]; /* the least weight of each class; the first is 0 */
    const vertex_t *id_of;      /* of vertices of the input; NULL: the same */

    __device__ __forceinline__ vertex_t id(vertex_t input) const
    {
        return id_of != NULL ? id_of[input] : input;
    }
    /* Returns where the first edge of a class is; class num_classes is class 0 of the next vertex. */
    __device__ __forceinline__ const offset_t *bound(uint64_t vertex, unsigned number) const
    {
        return bounds + vertex * num_classes + number;
    }
    /* Returns how many classes are due. */
    __device__ __forceinline__ unsigned due(bits_t distance, bits_t threshold) const
    {
        unsigned number = distance < threshold;
        while (number > 0 && number < num_classes && sum_of<weight_t>(distance, least[number]) < threshold)
            number++;
        return number;
    }
};

/* What a queue holds. */
struct extent {
    uint64_t size, edges;
};

HOST_DEVICE extent extent_of(uint64_t count, unsigned edge_bits)
{
    return {count >> edge_bits, count & ((1ull << edge_bits) - 1)};
}

/* Where vertices are queued. */
template <typename queue_t>
struct sink {
    const queue_t &queue;
    uint64_t *count;    /* what is added to the queue */
    extent behind = {}; /* what the queue holds already */
};

/* Appends vertices that have edges. All lanes of the warp must call it. */
template <unsigned number, typename offset_t>
DEVICE void append(const auto &search, const auto &to, const auto(&wanted)[number], const vertex_t (&ids)[number],
                   const offset_t (&first)[number], const offset_t (&end)[number])
{
    bool has[number];
    offset_t edges[number];
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        edges[i] = end[i] - first[i];
        has[i] = wanted[i] && edges[i] > 0;
    }
    append_entries(to.count, search.edge_bits, has, edges, [&](unsigned i, uint64_t place, uint64_t before) {
        place += to.behind.size, before += to.behind.edges;
        to.queue.before[place] = (offset_t)before;
        to.queue.shift[place] = (offset_t)(first[i] - before);
        to.queue.ids[place] = ids[i];
    });
}

/* ---- relaxing ---- */

#define UNROLL 4u /* edges that a lane relaxes together */

/* Appends vertices of which some classes are due, but no class twice in a round. A stamp is the round times num_classes
 * plus the number of classes that have been appended, less one. Rounds begin with 1. */
template <unsigned number, typename offset_t>
DEVICE void append_once(const auto &search, uint32_t round, const auto &to, const unsigned (&due)[number],
                        const vertex_t (&ids)[number], offset_t (&first)[number], const offset_t (&end)[number])
{
    bool has[number];
#pragma unroll
    for (unsigned i = 0; i < number; i++) {
        uint32_t begin = round * search.num_classes, stamp = begin + due[i] - 1;
        uint32_t old = due[i] > 0 ? atomicMax(&search.stamps[ids[i]], stamp) : 0;
        has[i] = due[i] > 0 && old < stamp;
        if (has[i] && old >= begin)
            first[i] = *search.bound(ids[i], old - begin + 1);
    }
    append(search, to, has, ids, first, end);
}

/* Records who has lowered a distance. */
template <typename bits_t>
DEVICE void record(uint64_t *records, bool lowered, vertex_t vertex, bits_t distance, vertex_t parent)
{
    if constexpr (sizeof(bits_t) == sizeof(uint32_t))
        if (lowered)
            atomicMin((unsigned long long *)&records[vertex], (unsigned long long)distance << 32 | parent);
}

/* Relaxes edges of the queue's entry `mine` of each lane: lowers distances of the targets. Calls put(due, far, target,
 * first, end) with the number of classes that are due of each target whose distance was lowered, whether the distance
 * was lowered but is not below the threshold, and the edges that are due. All lanes of the warp call it. */
template <typename offset_t, typename weight_t>
DEVICE void relax(const search<offset_t, weight_t> &search, const auto &some, const auto &mine,
                  bits_of<weight_t> threshold, auto put)
{
    typedef bits_of<weight_t> bits_t;
    bits_t sum[UNROLL], old[UNROLL];
    vertex_t target[UNROLL];
    bool far[UNROLL];
    unsigned due[UNROLL];
    offset_t first[UNROLL], end[UNROLL];
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        bits_t distance = __shfl_sync(WHOLE_WARP, mine.distance, (int)some.owner[i]);
        far[i] = some.has[i] && distance != NOT_REACHED<bits_t>;
        target[i] = some.has[i] ? some.target[i].target : 0;
        sum[i] = sum_of<weight_t>(distance, some.target[i].weight);
        old[i] = peek_if(far[i], &search.distances[target[i]]);
    }
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) { /* loads bounds while the atomics are in flight */
        far[i] = far[i] && sum[i] < old[i];
        old[i] = lower_if(far[i], &search.distances[target[i]], sum[i]);
        due[i] = far[i] ? search.due(sum[i], threshold) : 0;
        first[i] = load_if(far[i], search.bound(target[i], 0));
        end[i] = load_if(far[i], search.bound(target[i], due[i]));
    }
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        bool lowered = far[i] && sum[i] < old[i];
        due[i] = lowered ? due[i] : 0;
        far[i] = lowered && due[i] == 0;
        if (search.records != NULL)
            record(search.records, lowered, target[i], sum[i], __shfl_sync(WHOLE_WARP, mine.id, (int)some.owner[i]));
    }
    put(due, far, target, first, end);
}

/* Relaxes all edges of a queue, shared among the team's warps. */
template <typename offset_t, typename weight_t>
DEVICE void relax_all(const search<offset_t, weight_t> &search, const auto &queue, extent held, struct team team,
                      bits_of<weight_t> threshold, auto put)
{
    for_each_edge<UNROLL>(search.edges, queue, held.size, (offset_t)held.edges, team,
                          [&](const auto &some, uint64_t, const auto &mine) {
                              relax(search, some, mine, threshold, put);
                              return false;
                          });
}

/* Returns whether the lane has the least value among the lanes with the same owner, which are in a row; of equal ones,
 * the first. All lanes of the warp must call it. */
template <typename bits_t>
DEVICE bool is_least_of_owner(unsigned owner, bits_t value)
{
    bits_t least = NOT_REACHED<bits_t>; /* of the lanes before */
    for (unsigned step = 1; step < WARP_SIZE; step *= 2) {
        bits_t other = min(__shfl_up_sync(WHOLE_WARP, least, step), __shfl_up_sync(WHOLE_WARP, value, step));
        bool same = __shfl_up_sync(WHOLE_WARP, owner, step) == owner && lane_id() >= step;
        least = same ? min(least, other) : least;
    }
    bits_t whole = min(least, value); /* up to this lane */
    unsigned next = __shfl_down_sync(WHOLE_WARP, owner, 1);
    unsigned ends = __ballot_sync(WHOLE_WARP, lane_id() == WARP_SIZE - 1 || next != owner);
    whole = __shfl_sync(WHOLE_WARP, whole, __ffs((int)(ends >> lane_id())) - 1 + (int)lane_id());
    return value == whole && value < least;
}

/* Lowers the distances of the queue's own vertices from `low` on, over edges that have equal reverse edges. */
template <typename offset_t, typename weight_t>
DEVICE void pull_all(const search<offset_t, weight_t> &search, const auto &queue, extent held, struct team team,
                     bits_of<weight_t> low)
{
    typedef bits_of<weight_t> bits_t;
    auto pull = [&](const auto &some, uint64_t, const auto &mine) {
        for (unsigned i = 0; i < UNROLL; i++) {
            vertex_t vertex = __shfl_sync(WHOLE_WARP, mine.id, (int)some.owner[i]), from = some.target[i].target;
            bits_t distance = __shfl_sync(WHOLE_WARP, mine.distance, (int)some.owner[i]);
            bool has = some.has[i] && distance >= low;
            bits_t before = has ? __ldcg(&search.distances[from]) : NOT_REACHED<bits_t>;
            bits_t sum = sum_of<weight_t>(before, some.target[i].weight);
            sum = before != NOT_REACHED<bits_t> ? sum : before;
            bool lowers = is_least_of_owner(some.owner[i], sum) && sum < distance;
            bool lowered = sum < lower_if(lowers, &search.distances[vertex], sum) && lowers;
            if (search.records != NULL)
                record(search.records, lowered, vertex, sum, from);
        }
        return false;
    };
    for_each_edge<UNROLL>(search.edges, queue, held.size, (offset_t)held.edges, team, pull);
}

/* ---- all lists of a graph, read as a queue ---- */

template <typename offset_t>
struct all_lists {
    const offset_t *bounds;
    unsigned num_classes;
    struct entry {
        offset_t before, shift;
    };
    __device__ __forceinline__ offset_t before_at(uint64_t i) const
    {
        return bounds[i * num_classes];
    }
    __device__ __forceinline__ entry load(uint64_t i) const
    {
        return {before_at(i), 0};
    }
};

} // namespace BACKEND::sssp
