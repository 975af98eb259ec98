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

/* How words of 32 ids are dealt. */
struct deal {
    uint32_t parts, part; /* number of parts, number of this part */
    uint32_t turn_words;  /* words of a turn; a power of two */
};

/* Returns the part that owns a word. */
HOST_DEVICE uint32_t owner_of_word(const struct deal &deal, uint32_t word)
{
    return word / deal.turn_words % deal.parts;
}

/* Returns the word with number `place` among those of a part. */
HOST_DEVICE uint32_t word_at(const struct deal &deal, uint32_t part, uint32_t place)
{
    return (place / deal.turn_words * deal.parts + part) * deal.turn_words + place % deal.turn_words;
}

/* Returns the place of a vertex among those of its owner. */
HOST_DEVICE uint32_t place_of(const struct deal &deal, vertex_t id)
{
    const uint32_t turn = deal.turn_words * BITMAP_BITS;
    return id / turn / deal.parts * turn + id % turn;
}

/* A vertex that a part has found for its owner. */
typedef uint2 message; /* x: the vertex, y: its parent */

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
        word[i] = load_if(edges.has[i], bitmap_word(part.visited, ids[i]));
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

static __global__ void take(struct part part, uint32_t number)
{
    for (uint64_t i = thread_of_grid(); i < number; i += threads_of_grid()) {
        const message what = part.received[i];
        const uint32_t before = atomicOr(bitmap_word(part.marks, what.x), bit_of(what.x));
        if (!has_bit(before, what.x) && part.parent != NULL)
            part.parent[place_of(part.deal, what.x)] = what.y;
    }
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

/* A warp takes UNROLL words at a time; own_words is a multiple of UNROLL. */
template <typename offset_t>
__global__ void settle(csr<offset_t> out, struct part part, uint32_t level)
{
    const struct team team = grid_warps();
    const global_queue<offset_t, true> frontier{part.frontier, part.frontier_ids};
    for (uint64_t first = (uint64_t)team.rank * UNROLL; first < part.own_words; first += (uint64_t)team.size * UNROLL) {
        bool has[UNROLL];
        vertex_t ids[UNROLL];
        offset_t edge[UNROLL], end[UNROLL];
#pragma unroll
        for (unsigned i = 0; i < UNROLL; i++) {
            const uint32_t word = word_at(part.deal, part.deal.part, (uint32_t)first + i);
            const uint32_t visited = part.visited[word], fresh = part.marks[word] & ~visited;
            const uint64_t place = (first + i) * WARP_SIZE + lane_id();
            __syncwarp(); /* all lanes have read the word */
            if (lane_id() == 0)
                part.visited[word] = part.settled[first + i] = visited | fresh;
            has[i] = has_bit(fresh, lane_id());
            ids[i] = word * WARP_SIZE + lane_id();
            edge[i] = load_if(has[i], &out.offsets[place]);
            end[i] = load_if(has[i], &out.offsets[place + 1]);
            if (has[i])
                part.level[place] = level;
        }
        append(frontier, part.count, part.edge_bits, has, ids, edge, end);
    }
}

/* Takes over `coming`, which is from part `other`. */
static __global__ void spread(struct part part, uint32_t other)
{
    for (uint64_t i = thread_of_grid(); i < part.own_words; i += threads_of_grid())
        part.visited[word_at(part.deal, other, (uint32_t)i)] = part.coming[i];
}

} // namespace BACKEND::dobfs::parts
