/* parts.cuh: the kernels of a search in parts, each of which may be on a GPU of its own (parts_search.cuh).
 *
 * Ids are input ids. Turns of consecutive ids are dealt to the parts in order. A part has the lists, the levels and
 * the parents of its own vertices, and a bitmap of all visited vertices. A level consists of kernels on every part,
 * between which the host copies from part to part:
 *
 *   expand             top-down: marks the unvisited neighbours of the frontier's own vertices. The part keeps the
 *                      parent of an own vertex, and sends (vertex, parent) to the owner of another vertex
 *   take               marks the own vertices that another part has sent
 *   search_unvisited   bottom-up, instead of these two: own vertices look for a visited neighbour
 *   settle             own vertices that are marked and not visited get the level; they are the next frontier
 *   spread             adds what another part has settled to the visited bitmap
 *
 * Who writes what. The marks of own vertices are final before settle; only settle and spread write `visited`. So all
 * parts search a level with the same visited vertices: those of the levels so far. In top-down levels the thread
 * whose atomic sets a mark acts for it: if the mark is of an own vertex, it writes the parent; otherwise it sends, so
 * a part sends a vertex at most once. The owner's first mark decides, so exactly one thread writes the parent, which
 * is in the frontier. In bottom-up levels one warp alone has each word of own vertices. A mark of a vertex that was
 * sent stays set; the vertex is visited from the end of the level on, and nobody looks at the mark again. */
#pragma once

#include "../../device/find_neighbour.cuh"
#include "top_down.cuh"

namespace BACKEND::dobfs::parts
{

/* The arrays of a part in a search, in the memory of its device. Places are numbers among the own words or vertices;
 * there are own_words and own_words * 32 of them in every part, also beyond the last id. */
struct part {
    struct deal deal;
    uint32_t own_words;
    uint32_t *visited, *marks; /* bitmaps of all ids: parts * own_words */
    uint32_t *settled;         /* the visited bitmap of own vertices, by place; what other parts get */
    uint32_t *coming;          /* own_words; `settled` of another part */
    uint32_t *level;           /* by place */
    vertex_t *parent;          /* by place; NULL unless parents are wanted */
    struct queue frontier;     /* own vertices; own_words * 32 entries */
    vertex_t *frontier_ids;
    uint64_t *count; /* of the frontier: entries << edge_bits | edges */
    unsigned edge_bits;
    message *sent, *received; /* sent: (parts - 1) * room; received: room messages, which are own_words * 32 */
    uint32_t *num_sent;       /* parts: number of messages to each */
};

/* Returns the messages to another part. */
HOST_DEVICE message *messages_to(const struct part &part, uint32_t other)
{
    const uint32_t before = other - (other > part.deal.part);
    return part.sent + (size_t)before * part.own_words * BITMAP_BITS;
}

/* Begins a search after the arrays are reset: the owner marks the source. */
static __global__ void begin_search(struct part part, vertex_t source)
{
    if (owner_of_word(part.deal, source / BITMAP_BITS) != part.deal.part)
        return;
    *bitmap_word(part.marks, source) = bit_of(source);
    if (part.parent != NULL)
        part.parent[place_of(part.deal, source)] = source;
}

/* Appends the vertex of each lane that has one to the messages to its owner. All lanes of the warp must call it. */
DEVICE void send(const struct part &part, bool has, uint32_t owner, message what)
{
    for (unsigned all = __ballot_sync(WHOLE_WARP, has); all != 0;) {
        const uint32_t to = __shfl_sync(WHOLE_WARP, owner, __ffs((int)all) - 1);
        const unsigned same = __ballot_sync(WHOLE_WARP, has && owner == to);
        uint32_t first = 0;
        if (lane_id() == 0)
            first = atomicAdd(&part.num_sent[to], (uint32_t)__popc(same));
        first = __shfl_sync(WHOLE_WARP, first, 0);
        if (has && owner == to)
            messages_to(part, to)[first + lanes_before(same)] = what;
        all &= ~same;
    }
}

/* Marks the unvisited neighbours at the end of the lanes' edges. mine: the entry that this lane holds. All lanes of the
 * warp must call it. */
DEVICE void find(const struct part &part, const lane_edges<UNROLL> &edges, const auto &mine)
{
    const vertex_t(&ids)[UNROLL] = edges.target;
    uint32_t word[UNROLL];
    bool fresh[UNROLL];
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++)
        word[i] = load_cached_if(edges.has[i], bitmap_word(part.visited, ids[i]));
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        fresh[i] = edges.has[i] && !has_bit(word[i], ids[i]);
        word[i] = set_bit_if(fresh[i], part.marks, ids[i]);
    }
#pragma unroll
    for (unsigned i = 0; i < UNROLL; i++) {
        const vertex_t parent = owner_of(edges, i, mine);
        const uint32_t owner = owner_of_word(part.deal, ids[i] / BITMAP_BITS);
        const bool is_own = owner == part.deal.part;
        fresh[i] = fresh[i] && !has_bit(word[i], ids[i]);
        if (fresh[i] && is_own && part.parent != NULL)
            part.parent[place_of(part.deal, ids[i])] = parent;
        send(part, fresh[i] && !is_own, owner, {ids[i], parent});
    }
}

/* size, edges: of the frontier. */
template <typename offset_t>
__global__ void expand(csr<offset_t> out, struct part part, uint64_t size, offset_t edges)
{
    const global_queue<offset_t, true> frontier{part.frontier, part.frontier_ids};
    for_each_edge<UNROLL>(out.targets, frontier, size, edges, spread_warps(),
                          [&](const lane_edges<UNROLL> &some, uint64_t, const auto &mine) {
                              find(part, some, mine);
                              return false;
                          });
}

/* Marks the own vertices of `number` messages, which may be in another GPU's memory. */
DEVICE void take_messages(const struct part &part, const message *messages, uint32_t number)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid()) {
        const message what = __ldcg(&messages[i]);
        const uint32_t before = atomicOr(bitmap_word(part.marks, what.x), bit_of(what.x));
        if (!has_bit(before, what.x) && part.parent != NULL)
            part.parent[place_of(part.deal, what.x)] = what.y;
    }
}

static __global__ void take(struct part part, uint32_t number)
{
    take_messages(part, part.received, number);
}

/* A warp takes a word of own vertices at a time. Why "visited" suffices as a test: bottom_up.cuh. */
template <typename offset_t>
__global__ void search_unvisited(csr<offset_t> in, struct part part)
{
    const struct team team = spread_warps();
    for (uint64_t own = team.rank; own < part.own_words; own += team.size) {
        const uint32_t word = word_at(part.deal, part.deal.part, (uint32_t)own), visited = part.visited[word];
        if (visited == UINT32_MAX)
            continue;
        const uint64_t place = own * WARP_SIZE + lane_id();
        const bool searches = !has_bit(visited, lane_id());
        offset_t edge = searches ? in.offsets[place] : 0, end = searches ? in.offsets[place + 1] : 0;
        uint32_t steps = UINT32_MAX;
        const vertex_t match = find_neighbour(
            in.targets, edge, end, 0, steps,
            [&](vertex_t neighbour) { return load_if(neighbour != NO_VERTEX, bitmap_word(part.visited, neighbour)); },
            [](vertex_t neighbour, uint32_t theirs, uint32_t) { return has_bit(theirs, neighbour); });
        const unsigned found = __ballot_sync(WHOLE_WARP, match != NO_VERTEX);
        if (match != NO_VERTEX && part.parent != NULL)
            part.parent[place] = match;
        if (lane_id() == 0 && found != 0)
            part.marks[word] |= found;
    }
}

/* Settles the own vertices that are marked and not visited, and appends them to a queue. Calls
 * publish(place, word, visited, fresh) for each word of own vertices, where `word` is its place in the bitmaps, and
 * found(place) for each of the vertices. */
DEVICE void settle_words(const auto &to, const struct part &part, auto publish, auto found)
{
    queue_bits(
        to, part.own_words, [&](uint32_t own) { return word_at(part.deal, part.deal.part, own); },
        [&](uint32_t own, uint32_t word) {
            const uint32_t visited = __ldcg(&part.visited[word]), fresh = __ldcg(&part.marks[word]) & ~visited;
            publish(own, word, visited, fresh);
            return fresh;
        },
        found);
}

template <typename offset_t>
__global__ void settle(csr<offset_t> out, struct part part, uint32_t level)
{
    const global_queue<offset_t, true> frontier{part.frontier, part.frontier_ids};
    settle_words(
        filling{out.offsets, frontier, part.count, part.edge_bits, true}, part,
        [&](uint32_t place, uint32_t word, uint32_t visited, uint32_t fresh) {
            part.visited[word] = part.settled[place] = visited | fresh;
        },
        [&](size_t place) { part.level[place] = level; });
}

/* Takes over `coming`, which is from part `other`. */
static __global__ void spread(struct part part, uint32_t other)
{
    for (uint64_t i = thread_of_grid(); i < part.own_words; i += threads_of_grid())
        part.visited[word_at(part.deal, other, (uint32_t)i)] = part.coming[i];
}

} // namespace BACKEND::dobfs::parts
