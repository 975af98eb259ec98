/* bottom_up.cuh: a bottom-up level by all warps of the grid (Beamer et al., SC 2012, bottom-up step).
 *
 * A warp takes chunks of consecutive ids and searches the unvisited vertices among them for a visited in-neighbour.
 *   Stage 1 streams the first packed word of each vertex, with its first neighbours.
 *   Stage 2 reads the next two packed words of the vertices that are left. Compressed lists have none.
 *   Stage 3 reads the rest from the lists, for vertices collected over several chunks (high_degree.cuh).
 * If nothing is packed, all unvisited vertices go to stage 3.
 *
 * The level tests "is the neighbour visited" instead of "is the neighbour in the frontier". This is correct because
 * every level is complete when it ends. When the level that finds distance k + 1 begins, the current bitmap holds
 * exactly the vertices of distance 0 to k. Let v be a vertex outside it with an in-neighbour u inside it. Then
 * dist(v) is at least k + 1 and at most dist(u) + 1, so dist(u) is k and dist(v) is k + 1. The level marks the
 * vertices that it finds in the next bitmap, which no thread tests before the barrier. */
#pragma once

#include "high_degree.cuh"
#include "packed_neighbours.cuh"

namespace BACKEND::dobfs
{

/* The bitmap words first .. first + 2 * pairs - 1, which one warp takes at a time. */
struct chunk {
    uint32_t first;
    uint32_t visited; /* lane i holds word i of the current bitmap */
};

/* Starts loading the first packed word of each vertex in one pair of the chunk's bitmap words. A visited vertex gets
 * a word of all ones instead. */
DEVICE void fetch_pair(const any_graph auto &graph, struct chunk chunk, uint32_t pair, uint4 (&coming)[2])
{
#pragma unroll
    for (unsigned i = 0; i < 2; i++) {
        uint32_t word = __shfl_sync(WHOLE_WARP, chunk.visited, (int)(2 * pair + i));
        uint32_t id = (chunk.first + 2 * pair + i) * WARP_SIZE + lane_id();
        coming[i] = stream_four_if(!(word >> lane_id() & 1), &graph.packed_first[id]);
    }
}

/* Runs stage 1 for a chunk. coming: the packed words of the chunk's first pair of bitmap words; on return, of the
 * next chunk's first pair. While the warp works on a pair, the packed words of the next pair are in flight. Stores
 * the vertices left for stage 2 in scratch.left and their number in num_left. Returns a bitmap of the vertices found:
 * lane i holds word i. */
template <typename format, bool parents, bool windowed>
DEVICE uint32_t run_stage_1(const any_graph auto &graph, const any_pass auto &pass, uint32_t pairs, struct chunk chunk,
                            struct chunk next, uint4 (&coming)[2], uint32_t &num_left)
{
    struct warp_scratch *scratch = scratch_of_warp();
    uint32_t fresh = 0;
    num_left = 0;
    for (uint32_t pair = 0; pair < pairs; pair++) {
        uint4 packed[2] = {coming[0], coming[1]};
        bool last = pair + 1 == pairs;
        fetch_pair(graph, {last ? next.first : chunk.first, last ? next.visited : chunk.visited}, last ? 0 : pair + 1,
                   coming);
        if (__any_sync(WHOLE_WARP, (packed[0].x & packed[1].x) != UINT32_MAX)) { /* some vertex must be searched */
            bool hit[2];
            vertex_t match[2];
            look_up<format, windowed, false, parents>(pass.view, packed, hit, match);
#pragma unroll
            for (unsigned i = 0; i < 2; i++) {
                if (parents && hit[i])
                    pass.parent_by_id[(chunk.first + 2 * pair + i) * WARP_SIZE + lane_id()] = match[i];
                unsigned hits = __ballot_sync(WHOLE_WARP, hit[i]);
                bool stays = !hit[i] && format::more(packed[i]);
                unsigned stay = __ballot_sync(WHOLE_WARP, stays);
                if (lane_id() == 2 * pair + i)
                    fresh = hits;
                if (stays)
                    scratch->left[num_left + __popc(stay & lanes_below(lane_id()))] =
                        (uint8_t)((2 * pair + i) * WARP_SIZE + lane_id());
                num_left += (unsigned)__popc(stay);
            }
        }
    }
    return fresh;
}

/* Runs stage 2 for the num_left vertices of the chunk at bitmap word `first`. fresh: the bitmap of vertices found by
 * stage 1. Returns it with the vertices of stage 2 added. Appends the remaining vertices to scratch.deferred. */
template <typename format, bool parents, bool windowed>
DEVICE uint32_t run_stage_2(const any_graph auto &graph, const any_pass auto &pass, uint32_t first, uint32_t fresh,
                            uint32_t num_left, uint32_t &num_deferred)
{
    struct warp_scratch *scratch = scratch_of_warp();
    const unsigned before_me = (1u << lane_id()) - 1;
    if (lane_id() < CHUNK_WORDS)
        scratch->found[lane_id()] = fresh;
    __syncwarp();
    for (uint32_t base = 0; base < num_left; base += WARP_SIZE) {
        bool has = base + lane_id() < num_left;
        uint32_t place = has ? scratch->left[base + lane_id()] : 0, id = first * WARP_SIZE + place;
        const uint4 *next = &graph.packed_rest[(NUM_PACKED_WORDS - 1) * (size_t)id];
        uint4 packed[2] = {stream_four_if(has, next), stream_four_if(has, next + 1)};
        bool hits[2];
        vertex_t match[2];
        look_up<format, windowed, true, parents>(pass.view, packed, hits, match);
        bool hit = hits[0] || hits[1], stays = !hit && format::more(packed[1]);
        unsigned stay = __ballot_sync(WHOLE_WARP, stays);
        if (hit)
            atomicOr(&scratch->found[place / WARP_SIZE], bit_of(place));
        if (parents && hit)
            pass.parent_by_id[id] = hits[0] ? match[0] : match[1];
        if (stays)
            scratch->deferred[num_deferred + __popc(stay & before_me)] = id;
        num_deferred += (unsigned)__popc(stay);
    }
    __syncwarp();
    fresh = lane_id() < CHUNK_WORDS ? *(volatile uint32_t *)&scratch->found[lane_id()] : 0;
    __syncwarp();
    return fresh;
}

/* Defers the num_left vertices of the chunk at bitmap word `first` to stage 3: for a format without stage 2. */
DEVICE void defer_all(uint32_t first, uint32_t num_left, uint32_t &num_deferred)
{
    struct warp_scratch *scratch = scratch_of_warp();
    __syncwarp();
    for (uint32_t i = lane_id(); i < num_left; i += WARP_SIZE)
        scratch->deferred[num_deferred + i] = first * WARP_SIZE + scratch->left[i];
    num_deferred += num_left;
    __syncwarp();
}

/* Runs the stages on the warp's chunks. Returns the warp's tally (tally_of). While the warp works on a chunk, the
 * bitmap words of the chunk after the next one are in flight. */
template <typename format, bool parents, bool windowed, typename csr_t>
DEVICE uint64_t stream_chunks(const prepared_graph<csr_t> &graph, const bottom_up_pass<csr_t> &pass, uint32_t pairs)
{
    const struct team team = spread_warps();
    const uint32_t words = 2 * pairs, stride = team.size * words, skip = units_packed<format, csr_t>();
    uint32_t num_deferred = 0, found = 0, found_late = 0, unvisited = 0;
    auto chunk_at = [&](uint32_t first) {
        bool has = lane_id() < words && first < graph.num_words;
        return chunk{first, load_relaxed_if(has, &pass.view.bitmap[bitmap_place(graph.in, first) + lane_id()])};
    };
    uint4 coming[2]; /* packed words of the next pair of bitmap words */
    struct chunk current = chunk_at(team.rank * words), next = chunk_at(current.first + stride);
    fetch_pair(graph, current, 0, coming);
    while (current.first < graph.num_words) {
        struct chunk after = chunk_at(next.first + stride);
        uint32_t fresh = 0, num_left = 0;
        bool full = __all_sync(WHOLE_WARP, current.visited == UINT32_MAX);
        if (full)
            fetch_pair(graph, next, 0, coming);
        else
            fresh = run_stage_1<format, parents, windowed>(graph, pass, pairs, current, next, coming, num_left);
        if (num_left > 0) {
            if (num_deferred + num_left > CHUNK_IDS) {
                found_late += search_deferred<windowed, csr_t>(num_deferred, skip);
                num_deferred = 0;
            }
            if constexpr (format::words > 1)
                fresh =
                    run_stage_2<format, parents, windowed>(graph, pass, current.first, fresh, num_left, num_deferred);
            else
                defer_all(current.first, num_left, num_deferred);
        }
#pragma unroll 1
        for (uint32_t word = 0; word < words && !full; word++)
            if (__shfl_sync(WHOLE_WARP, fresh, (int)word) >> lane_id() & 1)
                pass.bytes[(current.first + word) * WARP_SIZE + lane_id()] = pass.byte;
        if (lane_id() < words) {
            publish_word(graph.in, pass.next, bitmap_place(graph.in, current.first) + lane_id(),
                         current.visited | fresh);
            unvisited += (unsigned)__popc(~(current.visited | fresh));
        }
        found += (unsigned)__popc(fresh);
        current = next;
        next = after;
    }
    found_late += search_deferred<windowed, csr_t>(num_deferred, skip);
    return tally_of(found, found_late, unvisited);
}

/* Used if nothing is packed: defers every unvisited vertex to stage 3. Returns the warp's tally. */
template <bool windowed, typename csr_t>
DEVICE uint64_t scan_chunks(const prepared_graph<csr_t> &graph, const bottom_up_pass<csr_t> &pass)
{
    struct warp_scratch *scratch = scratch_of_warp();
    const struct team team = spread_warps();
    const unsigned before_me = (1u << lane_id()) - 1;
    uint32_t num_deferred = 0, found = 0, unvisited = 0;
    for (uint32_t word = team.rank; word < graph.num_words; word += team.size) {
        uint32_t visited = __ldcg(&pass.view.bitmap[word]), num_unvisited = (unsigned)__popc(~visited);
        if (lane_id() == 0)
            __stcg(&pass.next[word], visited);
        if (num_deferred + num_unvisited > CHUNK_IDS) {
            found += search_deferred<windowed, csr_t>(num_deferred, 0);
            num_deferred = 0;
        }
        if (!(visited >> lane_id() & 1))
            scratch->deferred[num_deferred + __popc(~visited & before_me)] = word * WARP_SIZE + lane_id();
        num_deferred += num_unvisited;
        unvisited += lane_id() == 0 ? num_unvisited : 0;
    }
    found += search_deferred<windowed, csr_t>(num_deferred, 0);
    return tally_of(0, found, unvisited);
}

/* Searches the warp's chunks in the way that the format needs. Returns the warp's tally. */
template <typename format, bool parents, bool windowed>
DEVICE uint64_t run_pass(const any_graph auto &graph, const any_pass auto &pass, uint32_t pairs)
{
    if constexpr (format::number > 0)
        return stream_chunks<format, parents, windowed>(graph, pass, pairs);
    else
        return scan_chunks<windowed>(graph, pass);
}

/* Runs the level: stores the pass in shared memory, loads the window, searches the chunks, and adds the tally to
 * *count. The level is complete after the grid barrier, unless high-degree vertices have been queued. */
template <typename format, bool parents, typename csr_t>
DEVICE void go_bottom_up(const prepared_graph<csr_t> &graph, const struct search &search, const struct rules &rules,
                         const struct progress &at, uint64_t *count)
{
    struct shared *shared = block_shared<struct shared>();
    uint32_t *window = window_of_block();
    bool windowed = has_window(rules, at, graph.num_ids);
    bottom_up_pass<csr_t> pass = {
        .view = {visited_bitmap(search, at), rules.window_words},
        .high_degree = next_queue(search, at),
        .next = other_bitmap(search, at),
        .bytes = search.bytes,
        .in = graph.in,
        .parent_by_id = parents ? search.parent_by_id : NULL,
        .high_degree_ids = search.high_degree_ids,
        .high_degree_count = count_of(search.high_degree_counts, at.round + 1),
        .edge_bits = rules.edge_bits,
        .byte = (uint8_t)(at.level + 1 - at.base),
        .queues = rules.high_degree_steps > 0,
    };
    if (threadIdx.x == 0) {
        *pass_of_block<csr_t>() = pass;
        shared->tally = 0;
    }
    if (lane_id() == 0)
        scratch_of_warp()->steps_left = rules.high_degree_steps;
    if (windowed) {
        const uint32_t words = sizeof(uint4) / sizeof(uint32_t);
        for (uint32_t i = threadIdx.x; i < rules.window_words / words; i += blockDim.x) {
            uint4 some = __ldcg((const uint4 *)pass.view.bitmap + i);
            ((uint4 *)window)[i] = {some.x, some.y, some.z, some.w};
        }
        if (threadIdx.x == 0)
            window[rules.window_words] = 0;
    }
    __syncthreads();
    uint64_t tally = windowed ? run_pass<format, parents, true>(graph, pass, rules.pairs)
                              : run_pass<format, parents, false>(graph, pass, rules.pairs);
    add_tally(shared, tally, count);
}

} // namespace BACKEND::dobfs
