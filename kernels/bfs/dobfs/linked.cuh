/* linked.cuh: what the kernel of a search (kernel.cuh) does otherwise while one of it runs on each GPU of a team.
 *
 * All kernels take the same steps, since each decides from the same sums, which the meeting at the end of a step
 * returns (../../device/team_barrier.cuh). The graph is dealt as dealt.cuh says; own vertices are relabelled by degree
 * class, so low ids have high degrees on all GPUs, and the window works as on one GPU.
 *
 * Bottom-up, a GPU searches its own vertices with its own copy of the visited bitmap. It stores each word of the next
 * bitmap in all copies. One meeting ends the level, and another one the search of lists of high degree.
 *
 * Top-down, each GPU expands its own frontier as in parts.cuh: marks, and messages to the owners of other vertices. The
 * first meeting makes them readable: each GPU then takes the messages to it, over the link, and after a barrier of its
 * own settles its marks: level bytes, the queue of the next frontier, and its words of the visited bitmap in all
 * copies. The second meeting ends the level.
 *
 * Who writes what, and why nobody reads too early. A word of a bitmap belongs to its owner, who alone writes it, in all
 * copies. `next` is written in bottom-up levels only, and read from the meeting on that ends the level. `visited` is
 * written only between the two meetings of a top-down level: there a GPU reads its own words only, and other words
 * before the first or after the second one. So a copy never changes while others read it, although all copies are
 * written in place. A GPU writes messages and their numbers before the first meeting of a level; their receivers
 * read them before the second one; the next ones are written after it. The numbers are counts in rotation, like those
 * of the queues: the step after a top-down level clears them while nobody uses them. Marks stay with their GPU. */
#pragma once

#include "parts.cuh"

namespace BACKEND::dobfs
{

/* Resets a GPU's own copies of the bitmaps, and its numbers of messages. id: the source's id, of all ids. */
DEVICE void reset_links(const struct links &links, const struct deal &deal, uint32_t *visited, vertex_t id)
{
    for (uint64_t i = thread_of_grid(); i < (uint64_t)links.own_words * deal.parts; i += threads_of_grid()) {
        const uint32_t owner = owner_of_word(deal, (uint32_t)i), num_ids = links.num_ids[owner];
        const uint32_t first = place_of(deal, (vertex_t)(i * WARP_SIZE));
        const uint32_t used = first >= num_ids ? 0 : min(WARP_SIZE, num_ids - first);
        const uint32_t beyond = used == WARP_SIZE ? 0 : UINT32_MAX << used;
        visited[i] = beyond | (id / WARP_SIZE == i ? bit_of(id) : 0);
        links.marks[deal.part][i] = 0;
    }
    if (thread_of_grid() < NUM_COUNTS * MOST_IN_TEAM)
        links.num_sent[deal.part][thread_of_grid()] = 0;
}

/* Returns the id of an input id: a place of its owner. Reads the owner's memory. */
DEVICE vertex_t dealt_id(const struct links &links, const struct deal &deal, vertex_t input)
{
    const uint32_t owner = owner_of_word(deal, input / WARP_SIZE);
    return vertex_at(deal, owner, __ldcg(&links.places[owner][place_of(deal, input)]));
}

/* ---- for both kinds of graphs ---- */

template <typename csr_t>
DEVICE vertex_t id_of_input(const prepared_graph<csr_t> &graph, vertex_t input)
{
    if constexpr (is_dealt<csr_t>)
        return dealt_id(*graph.out.links, graph.out.deal, input);
    else
        return graph.id_of != NULL ? graph.id_of[input] : input;
}

/* Returns how many ids the search cannot reach, if its source is in the giant component; otherwise 0: unknown. */
template <typename csr_t>
DEVICE uint32_t count_unreachable(const prepared_graph<csr_t> &graph, vertex_t source)
{
    const uint32_t *giant = graph.giant;
    if constexpr (is_dealt<csr_t>) {
        const struct links &links = *graph.out.links;
        giant = links.giant[owner_of_word(graph.out.deal, source / WARP_SIZE)];
        source = place_of(graph.out.deal, source);
        return giant != NULL && has_bit(__ldcg(bitmap_word(giant, source)), source) ? links.outside_giant : 0;
    }
    return giant != NULL && has_bit(__ldg(bitmap_word(giant, source)), source) ? graph.outside_giant : 0;
}

/* Returns the number of ids with edges, on all GPUs. */
template <typename csr_t>
DEVICE vertex_t all_ids(const prepared_graph<csr_t> &graph)
{
    if constexpr (is_dealt<csr_t>)
        return graph.out.links->all_ids;
    else
        return graph.num_ids;
}

template <typename csr_t>
DEVICE vertex_t id_at_place(const csr_t &lists, vertex_t place)
{
    return bitmap_place(lists, place / WARP_SIZE) * WARP_SIZE + place % WARP_SIZE;
}

/* ---- messages and meetings ---- */

/* Returns the numbers of messages that step `round` sends. */
DEVICE uint32_t *num_sent_of(const struct links &links, uint32_t gpu, uint32_t round)
{
    return links.num_sent[gpu] + round % NUM_COUNTS * MOST_IN_TEAM;
}

/* Adds up a step's count over all GPUs. All threads of all GPUs must call it, and all get the sum. Counts have 63 bits,
 * and one more for HIGH_DEGREE_QUEUED, which the sum has if one of them has it. */
DEVICE uint64_t meet(struct team_barrier *barrier, const uint64_t *count)
{
    const uint64_t flag = HIGH_DEGREE_QUEUED;
    auto *broadcast = (struct team_sums *)block_shared<struct shared>()->counts; /* linked searches use no counts */
    const struct team_sums sums = team_wait(
        barrier,
        [&]() {
            const uint64_t own = __ldcg(count);
            return (struct team_sums){own & ~flag, own >> 63};
        },
        broadcast);
    return sums.first == UINT64_MAX ? UINT64_MAX : sums.first | (sums.second > 0 ? flag : 0);
}

/* Ends a step: waits for all threads of the grid, or of all GPUs. Returns the count of `round`, or its sum over all
 * GPUs; UINT64_MAX if a wait took too long. */
template <typename csr_t>
DEVICE uint64_t wait_for_all(const prepared_graph<csr_t> &graph, const struct search &search, uint32_t round)
{
    const uint64_t *count = count_of(search.counts, round);
    if constexpr (is_dealt<csr_t>)
        return meet(graph.out.links->barriers[graph.out.deal.part], count);
    else
        return grid_wait(search.barrier, count, &block_shared<struct shared>()->broadcast);
}

/* Runs a top-down level, up to its second meeting. marks: the level's vertices are not queued. count: what it adds to.
 * Returns false if a wait took too long. */
template <bool parents, typename csr_t>
DEVICE bool go_top_down_linked(const prepared_graph<csr_t> &graph, const struct search &search,
                               const struct rules &rules, const struct progress &at, bool marks, uint64_t *count)
{
    typedef offset_of<csr_t> offset_t;
    const struct deal deal = graph.out.deal;
    const struct links &links = *graph.out.links;
    const uint64_t own = __ldcg(count_of(search.counts, at.round));
    const auto current = typed<offset_t, parents>(current_queue(search, at), rules);
    const auto next = typed<offset_t, parents>(next_queue(search, at), rules);
    uint32_t *visited = visited_bitmap(search, at);
    const struct parts::part part = {.deal = deal,
                                     .own_words = links.own_words,
                                     .visited = visited,
                                     .marks = links.marks[deal.part],
                                     .parent = parents ? search.parent_by_id : NULL,
                                     .edge_bits = rules.edge_bits,
                                     .sent = links.sent[deal.part],
                                     .num_sent = num_sent_of(links, deal.part, at.round)};
    for_each_edge<UNROLL>(graph.out.targets, current, own >> rules.edge_bits,
                          (offset_t)(own & ((1ull << rules.edge_bits) - 1)), spread_warps(),
                          [&](const lane_edges<UNROLL> &some, uint64_t, const auto &mine) {
                              parts::find(part, some, mine);
                              return false;
                          });
    if (wait_for_all(graph, search, at.round) == UINT64_MAX)
        return false;
    for (uint32_t from = 0; from < deal.parts; from++) {
        struct parts::part sender = {.deal = deal, .own_words = links.own_words, .sent = links.sent[from]};
        sender.deal.part = from;
        if (from != deal.part)
            take_messages(part, messages_to(sender, deal.part), __ldcg(&num_sent_of(links, from, at.round)[deal.part]));
    }
    if (grid_wait(search.barrier, count_of(search.counts, at.round), &block_shared<struct shared>()->broadcast) ==
        UINT64_MAX)
        return false;
    settle_words(
        filling{graph.out.offsets, next, count, rules.edge_bits, !marks}, part,
        [&](uint32_t, uint32_t word, uint32_t before, uint32_t fresh) {
            if (fresh != 0)
                publish_word(graph.out, visited, word, before | fresh);
        },
        [&](size_t place) { search.bytes[place] = (uint8_t)(at.level + 1 - at.base); });
    return true;
}

} // namespace BACKEND::dobfs
