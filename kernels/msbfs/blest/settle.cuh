/* settle.cuh: stage 2 of a level, frontier finalization (algorithm 5). Each lane takes a slice set. Bits that are
 * marked and not yet visited form the new frontier. */
#pragma once

#include "search.cuh"

namespace BACKEND::msbfs_blest
{

#define SETTLED_WORDS 16u /* words of `marked` and of `visited` that a lane loads together */

/* Who writes what. Stage 1 changes `marked`, by reductions whose results no thread waits for, and `dirty`, to which
 * it writes only ones. It reads the queue, frontier and active, which only stage 2 writes. In stage 2 one lane owns a
 * slice set and all data of the set and its vertices: marked, visited, frontier, active, dirty, farness and levels.
 * So there is a barrier between two stages that touch the same word, and within a stage only one thread writes a
 * word. The exceptions are the reductions on `marked` and the ones written to `dirty`, whose order does not matter.
 *
 * With tracking (`blest`), only dirty sets are settled. `frontier` and `active` of the other sets are outdated. But
 * those sets are not queued, so no thread reads them, and a set that becomes dirty gets new values.
 *
 * The paper has a queue for this level and another for the next one. Here there is one queue: stage 1 reads it, stage
 * 2 writes it, and a grid barrier separates them. The lane of a set queues it at most once in a level, so the queue
 * holds at most num_vss entries. */

/* Parameters of settling a row, in addition to the search. */
struct settling {
    struct shared *shared;
    size_t num_rows;
    uint32_t level;
};

/* Writes the level of the lane's vertex for the searches that have newly found it, and counts the vertex for each of
 * these sources. Each lane has a row. All lanes of the warp must call it. */
template <unsigned words>
DEVICE void note_found(const struct search &search, const struct settling &with, size_t row,
                       const uint32_t (&fresh)[words])
{
#pragma unroll
    for (unsigned word = 0; word < words; word++)
        for (uint32_t left = __reduce_or_sync(WHOLE_WARP, fresh[word]); left != 0; left &= left - 1) {
            unsigned bit = (unsigned)__ffs((int)left) - 1, source = word * WARP_SIZE + bit;
            bool found = fresh[word] >> bit & 1;
            if (found && search.level != NULL)
                __stcg(&search.level[source * with.num_rows + row], with.level);
            if (search.sums == NULL)
                continue;
            uint32_t count = (uint32_t)__popc(__ballot_sync(WHOLE_WARP, found));
            if (lane_id() == 0)
                atomicAdd(&with.shared->found[source], count);
        }
}

/* Adds the level to the farness of a row's vertex, once for each source in `fresh`. */
template <unsigned words>
DEVICE void add_farness(const struct search &search, size_t row, const uint32_t (&fresh)[words], uint32_t level)
{
    uint32_t count = 0;
#pragma unroll
    for (unsigned word = 0; word < words; word++)
        count += (uint32_t)__popc(fresh[word]);
    __stcg(&search.farness[row], __ldcg(&search.farness[row]) + (uint64_t)level * count);
    __stcg(&search.farness_count[row], __ldcg(&search.farness_count[row]) + count);
}

/* Settles a row, if the lane has one. fresh: on entry the visited bits, on return the newly found bits. Adds the new
 * bits to the set's active sources. All lanes of the warp must call it. */
template <unsigned words>
DEVICE void settle_row(const struct search &search, const struct settling &with, bool has, size_t row,
                       const uint32_t (&marked)[words], uint32_t (&fresh)[words], uint32_t (&active)[words])
{
    uint32_t any = 0;
#pragma unroll
    for (unsigned word = 0; word < words; word++) {
        fresh[word] ^= marked[word];
        any |= fresh[word];
        active[word] |= fresh[word];
    }
    if (has)
        store_row<words>(search.frontier + row * words, fresh);
    if (any != 0)
        store_row<words>(search.visited + row * words, marked);
    if (any != 0 && search.farness != NULL)
        add_farness<words>(search, row, fresh, with.level);
    if (search.level != NULL || search.sums != NULL)
        note_found<words>(search, with, row, fresh);
}

/* Settles a group of WARP_SIZE slice sets, one per lane, and queues the sets that are active. */
template <unsigned words, bool reindexed, bool tracked>
DEVICE void settle_group(const struct bvss &bvss, const struct search &search, struct shared *shared, uint32_t group,
                         uint32_t level, uint64_t *count)
{
    constexpr unsigned at_once = SETTLED_WORDS / words < SIGMA ? SETTLED_WORDS / words : SIGMA;
    uint32_t set = group * WARP_SIZE + lane_id(), num_sets = bvss.num_sets;
    bool has = set < num_sets && (!tracked || __ldcg(&search.dirty[set]) != 0);
    const struct settling with = {shared, (size_t)num_sets * SIGMA, level};
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
            settle_row<words>(search, with, has, row_of(reindexed, num_sets, set, column + i), marked[i], visited[i],
                              active);
    }
    uint32_t any = 0;
#pragma unroll
    for (unsigned word = 0; word < words; word++)
        any |= active[word];
    if (tracked && has)
        store_row<words>(search.active + (size_t)set * words, active);
    const struct blest::range ranges[1] = {
        {set, load_if(any != 0, &bvss.real_ptrs[set]), load_if(any != 0, &bvss.real_ptrs[set + 1])}};
    blest::enqueue(search.queue, count, 0, ranges);
}

/* Returns whether a group has a dirty set. */
DEVICE bool has_dirty(const struct search &search, uint32_t group)
{
    const uint4 *flags = (const uint4 *)(search.dirty + (size_t)group * WARP_SIZE);
    uint4 low = __ldcg(&flags[0]), high = __ldcg(&flags[1]);
    return (low.x | low.y | low.z | low.w | high.x | high.y | high.z | high.w) != 0;
}

/* Settles all groups or, with tracking, the groups with dirty sets. A warp checks up to 32 groups at once, or fewer
 * if there are not enough for all warps. The groups of a warp are far apart, since dirty sets form clusters. */
template <unsigned words, bool reindexed, bool tracked>
DEVICE void settle(const struct bvss &bvss, const struct search &search, struct shared *shared, struct team team,
                   uint32_t level, uint64_t *count)
{
    uint32_t num_groups = (bvss.num_sets + WARP_SIZE - 1) / WARP_SIZE;
    uint32_t groups_of_warp = min(max(num_groups / team.size, 1u), WARP_SIZE);
    uint32_t stride = (num_groups + groups_of_warp - 1) / groups_of_warp;
    for (uint32_t first = team.rank; first < stride; first += team.size) {
        uint64_t mine = first + (uint64_t)lane_id() * stride;
        bool has = lane_id() < groups_of_warp && mine < num_groups;
        if (tracked && has)
            has = has_dirty(search, (uint32_t)mine);
        unsigned left = __ballot_sync(WHOLE_WARP, has);
        __syncwarp(); /* ballots do not order memory: 16 flags are read together and then cleared one by one */
        for (; left != 0; left &= left - 1)
            settle_group<words, reindexed, tracked>(bvss, search, shared,
                                                    first + ((unsigned)__ffs((int)left) - 1) * stride, level, count);
    }
}

} // namespace BACKEND::msbfs_blest
