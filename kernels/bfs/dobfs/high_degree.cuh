/* high_degree.cuh: stage 3 of a bottom-up level, and the search of high-degree vertices' neighbour lists by all
 * warps.
 *
 * Stage 3 reads from the CSR the neighbours that are not packed. All high-degree vertices of a level may belong to
 * one warp. So each warp takes at most rules.high_degree_steps steps per level. It queues the remaining edges, and
 * after the grid barrier all warps share them, as in a top-down level. */
#pragma once

#include "../../device/find_neighbour.cuh"
#include "queues.cuh"
#include "visited_window.cuh"

namespace BACKEND::dobfs
{

/* Runs stage 3: searches the neighbour lists of the `number` deferred vertices from unit `skip` on. Once the
 * warp has no steps left, it queues the remaining edges. Returns the number of vertices that this lane found. The
 * warp has already written its chunks' words of the next bitmap, so this function only sets bits. It is not inlined,
 * because stage 1 needs the registers that it would take. */
template <bool windowed, typename csr_t>
static __device__ __attribute__((noinline)) uint32_t search_deferred(uint32_t number, unsigned skip)
{
    typedef offset_of<csr_t> offset_t;
    const bottom_up_pass<csr_t> &pass = *pass_of_block<csr_t>();
    const global_queue<offset_t, true> queue{pass.high_degree, pass.high_degree_ids};
    struct warp_scratch *scratch = scratch_of_warp();
    uint32_t found = 0;
    __syncwarp();
    uint32_t steps = pass.queues ? scratch->steps_left : UINT32_MAX;
    for (uint32_t base = 0; base < number; base += WARP_SIZE) {
        bool has = base + lane_id() < number;
        uint32_t id = has ? scratch->deferred[base + lane_id()] : 0;
        offset_t end = has ? pass.in.offsets[(size_t)id + 1] : 0, edge = has ? pass.in.offsets[id] + skip : 0;
        vertex_t match = find_neighbour(
            pass.in.targets, edge, end, 0, steps,
            [&](vertex_t neighbour) { return word_of<windowed>(pass.view, neighbour); },
            [](vertex_t neighbour, uint32_t word, uint32_t) { return word >> neighbour % WARP_SIZE & 1; });
        if (match != NO_VERTEX) {
            publish_bit(pass.in, pass.next, id);
            pass.bytes[id] = pass.byte;
            if (pass.parent_by_id != NULL)
                pass.parent_by_id[id] = match;
            found++;
        }
        bool rest[1] = {pass.queues && match == NO_VERTEX && edge < end};
        if (__any_sync(WHOLE_WARP, rest[0])) {
            append<1>(queue, pass.high_degree_count, pass.edge_bits, rest, {id}, {edge}, {end});
            if (lane_id() == 0)
                atomicOr((unsigned long long *)&block_shared<struct shared>()->tally, HIGH_DEGREE_QUEUED);
        }
    }
    __syncwarp();
    if (lane_id() == 0)
        scratch->steps_left = steps;
    __syncwarp();
    return found;
}

/* Marks the vertices that have a visited neighbour among the edges of the lanes. first: the entry that lane 0 holds.
 * Adds their number to *found. Returns whether the vertex of the last lane's last edge has such a neighbour. */
template <bool windowed>
DEVICE bool mark_owners(const any_pass auto &pass, const struct lane_edges<UNROLL> &edges, uint64_t first,
                        uint32_t *found)
{
    unsigned last = __shfl_sync(WHOLE_WARP, edges.owner[UNROLL - 1], WARP_SIZE - 1);
    uint32_t words[UNROLL];
    bool ends = false;
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        words[i] = word_of<windowed>(pass.view, edges.target[i]);
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) { /* the first lane with a hit in a list marks its vertex */
        unsigned owner = edges.owner[i];
        bool hit = edges.has[i] && (words[i] >> edges.target[i] % WARP_SIZE & 1);
        unsigned hits = __ballot_sync(WHOLE_WARP, hit), before = hits & lanes_below(lane_id());
        unsigned other = __shfl_sync(WHOLE_WARP, owner, before == 0 ? 0 : 31 - __clz((int)before));
        ends = ends || (hit && owner == last);
        if (!hit || (before != 0 && other == owner))
            continue;
        uint32_t id = __ldcg(&pass.high_degree_ids[first + owner]);
        if (publish_bit(pass.in, pass.next, id)) {
            pass.bytes[id] = pass.byte;
            if (pass.parent_by_id != NULL)
                pass.parent_by_id[id] = edges.target[i];
            *found += 1;
        }
    }
    return __any_sync(WHOLE_WARP, ends);
}

/* Searches the lists that stage 3 queued. All warps share their edges evenly. A warp skips the rest of a list once it
 * has found a visited neighbour in it. Returns the number of vertices that this lane found. */
template <bool windowed, typename csr_t>
static __device__ __attribute__((noinline)) uint32_t search_high_degree(uint64_t high_degree_count)
{
    typedef offset_of<csr_t> offset_t;
    const bottom_up_pass<csr_t> &pass = *pass_of_block<csr_t>();
    const global_queue<offset_t, false> queue{pass.high_degree, NULL};
    const uint64_t size = high_degree_count >> pass.edge_bits;
    uint32_t found = 0;
    for_each_edge<UNROLL>(pass.in.targets, queue, size, (offset_t)(high_degree_count & ((1ull << pass.edge_bits) - 1)),
                          spread_warps(), [&](const lane_edges<UNROLL> &some, uint64_t first, const auto &) {
                              return mark_owners<windowed>(pass, some, first, &found);
                          });
    return found;
}

/* Runs search_high_degree() as a step. The pass and the window of the level are still in shared memory. Adds the
 * number of vertices found to *count. */
template <typename csr_t>
DEVICE void finish_high_degree(const prepared_graph<csr_t> &graph, const struct search &search,
                               const struct rules &rules, const struct progress &at, uint64_t *count)
{
    struct shared *shared = block_shared<struct shared>();
    uint64_t high_degree_count = __ldcg(count_of(search.high_degree_counts, at.round));
    if (threadIdx.x == 0)
        shared->tally = 0;
    __syncthreads();
    uint32_t found = has_window(rules, at, graph.num_ids) ? search_high_degree<true, csr_t>(high_degree_count)
                                                          : search_high_degree<false, csr_t>(high_degree_count);
    add_tally(shared, __reduce_add_sync(WHOLE_WARP, found), count);
}

} // namespace BACKEND::dobfs
