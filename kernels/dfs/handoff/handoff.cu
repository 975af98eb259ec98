/* handoff.cu: `dfs handoff`, depth-first search by hand-off, the successor of DiggerBees v4 (../diggerbees). A walker
 * claims one neighbour, goes there, and leaves the rest of the list on its warp's stack. A single walker builds an
 * exact DFS tree.
 *
 * DiggerBees' idle warps look for victims and find too few: stacks of high-diameter graphs are short, and a thief
 * that comes between two steps gets nothing. Here no warp steals. A stack belongs to its warp alone, so push and pop
 * are plain accesses to shared memory. A warp that has more entries than it needs hands over its oldest ones. Within
 * its block, it writes them into an idle warp's ring and sets that warp's mailbox. Otherwise it puts them into a
 * queue, from which idle blocks have drawn tickets.
 *
 * A walker is a group of `lanes` lanes. A warp has 32 / lanes walkers, which share one stack. A walker has a batch of
 * edges of its vertex in hand (in registers), a few per lane. In a step it claims the first unvisited of these
 * neighbours by atomicOr on the bitmap of visited vertices, and goes there if the claim succeeds. Lists are packed
 * (packed.cuh, for small degrees) or read in place (plain.cuh).
 *
 *   state.cuh         device memory, shared memory, and the state of a warp
 *   termination.cuh   the count of outstanding work
 *   mailbox.cuh       hand-over within a block
 *   queue.cuh         hand-over between blocks
 *   wait.cuh          how an idle warp waits for entries
 *   stack.cuh         a warp's stack: push, pop, flush, refill, and when to hand over
 *   packed.cuh        steps on packed lists
 *   plain.cuh         steps on plain lists
 *   handoff.cu        the host side */

#include <algorithm>
#include <bit>
#include <utility>

#include "../../../src/graph/random.h"
#include "packed.cuh"
#include "plain.cuh"

namespace BACKEND::handoff
{

/* Empties the queue. position: the position of the first chunk to be given. */
__global__ void empty_queue(uint32_t *sequence, uint32_t capacity, struct queue_words *words, uint32_t position)
{
    struct team team = grid_threads();
    for (uint32_t slot = team.rank; slot < capacity; slot += team.size)
        sequence[slot] = position + ((slot - position) & (capacity - 1));
    if (team.rank == 0)
        begin_at(words, position);
}

enum { LANES, LISTS, WARPS_PER_BLOCK, RING_SIZE, COLD_SIZE, FIRST_POSITION, OFFSET_BITS };
static const struct option_spec options[] = {
    NUMBER_OPTION("lanes", 0, 0, 32, "lanes of a walker, a power of two; 0: by the mean degree; packed lists: 4",
                  .for_tests = true),
    CHOICE_OPTION("lists", 0, "auto|plain|packed",
                  "how neighbour lists are read: from the graph, or packed into records", .for_tests = true),
    NUMBER_OPTION("warps-per-block", 0, 0, MAX_WARPS,
                  "warps of a block, one block on each multiprocessor; 0: by the mean degree", .for_tests = true),
    NUMBER_OPTION("ring-size", 256, 128, 1024, "entries of a warp's stack in shared memory, a power of two",
                  .for_tests = true),
    NUMBER_OPTION("cold-size", 0, 0, 1 << 12,
                  "entries of a warp's stack in global memory; 0: twice its share of the graph", .for_tests = true),
    NUMBER_OPTION("first-position", 0, 0, UINT32_MAX, "position of the first chunk in the queue", .for_tests = true),
    OFFSET_BITS_OPTION,
    {},
};

struct state {
    struct gpu_graph graph;
    struct gpu_arena memory; /* owns all device arrays */
    uint32_t *visited[2];    /* bitmaps of visited vertices; searches alternate between them */
    uint32_t num_words;      /* words of a bitmap */
    unsigned turn;
    vertex_t *parent, *records;
    uint32_t lanes, leaf, ring_size, cold_size, capacity;
    void *cold, *chunks; /* arrays of entries, whose type depends on the lists */
    uint32_t *sequence;
    struct queue_words *words; /* 2 */
    uint32_t *broken;
    struct grid grid;
    size_t shared_bytes;
};

#define SPARSE      4.5  /* mean degree up to which most lists fit into a record */
#define LESS_SPARSE 8.0  /* mean degree up to which most lists fit into a batch of four lanes with two edges each */
#define DENSE       16.0 /* mean degree above which all warps have work */

#define FEW_LEAVES 0.125 /* up to this share of leaves, claiming leaves one by one costs little */
#define SAMPLED    1024u

#define SPARSE_WARPS 8u  /* warps per block: more would only wait and slow each other down */
#define LARGE_WARPS  12u /* warps per block in a graph of LARGE vertices or more, which has more work */
#define LARGE        (8u << 20)

enum lists { LISTS_AUTO, LISTS_PLAIN, LISTS_PACKED };

/* Returns the least length of a list that may lead to a new vertex. In a symmetric graph, one edge leads back. */
static uint32_t least_list(const struct graph *graph)
{
    return graph->symmetric ? 2 : 1;
}

/* Returns whether lists fit into records: they are short and, in a directed graph, few sampled ones are empty. */
static bool suits_records(const struct graph *graph)
{
    uint32_t leaves = 0;
    for (uint32_t i = 0; i < SAMPLED && !graph->symmetric; i++)
        leaves += graph_degree(graph, (vertex_t)((random_bits(i) >> 32) * graph->num_vertices >> 32)) == 0;
    return (double)graph->num_edges <= SPARSE * graph->num_vertices && leaves <= FEW_LEAVES * SAMPLED;
}

/* Chooses lists, lanes and warps, from the options or by the graph's mean degree. */
static int choose(struct run *run, struct state *state, uint32_t *warps)
{
    const struct graph *graph = run->graph;
    double degree = (double)graph->num_edges / graph->num_vertices;
    uint32_t lanes = (uint32_t)run->options[LANES];
    enum lists lists = (enum lists)run->options[LISTS];
    if (lists == LISTS_AUTO)
        lists = suits_records(graph) && (lanes == 0 || lanes == PACKED_LANES) ? LISTS_PACKED : LISTS_PLAIN;
    if (lanes == 0)
        lanes = lists == LISTS_PACKED ? PACKED_LANES : degree <= LESS_SPARSE ? 4 : 8;
    if (!std::has_single_bit(lanes))
        return error_set(run->error, STATUS_INPUT, "--set lanes=%u: expected a power of two", lanes);
    if (lists == LISTS_PACKED && lanes != PACKED_LANES)
        return error_set(run->error, STATUS_INPUT, "--set lanes=%u: packed lists need %u", lanes, PACKED_LANES);
    *warps = (uint32_t)run->options[WARPS_PER_BLOCK];
    if (*warps == 0)
        *warps = lists == LISTS_PACKED ? (graph->num_vertices < LARGE ? SPARSE_WARPS : LARGE_WARPS)
                 : degree <= DENSE     ? MAX_WARPS / 2
                                       : MAX_WARPS;
    state->lanes = lanes;
    snprintf(run->note, sizeof run->note,
             "mean degree %.1f: walkers of %u lanes, %u warps per multiprocessor, lists %s", degree, lanes, *warps,
             lists == LISTS_PLAIN ? "read in place" : "packed in records");
    if (lists == LISTS_PLAIN)
        return STATUS_OK;
    size_t number = (size_t)graph->num_vertices * PACKED_LANES;
    state->records = gpu_take<vertex_t>(&state->memory, number, "the records", run->error);
    return run->error->status;
}

static void prepare_records(struct run *run, const struct state *state)
{
    with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        gpu_launch(pack_records<offset_t>, gpu_wide_grid(), 0, run->error, graph, state->records);
    });
    gpu_wait("packing records", run->error);
}

/* Flags the leaves among the targets, on the device. Does nothing if ids have no free bit. */
static void prepare_leaves(struct run *run, struct state *state)
{
    struct gpu_arena memory = {};
    vertex_t n = run->graph->num_vertices;
    if (n >= LEAF)
        return;
    state->leaf = LEAF;
    uint32_t *leaves = gpu_take<uint32_t>(&memory, bitmap_words(n), "the leaves", run->error);
    with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        gpu_launch(find_leaves<offset_t>, gpu_wide_grid(), 0, run->error, graph, least_list(run->graph), leaves);
    });
    gpu_launch(flag_leaves, gpu_wide_grid(), 0, run->error, state->graph.targets, state->graph.num_edges, leaves);
    gpu_wait("flagging leaves", run->error);
    gpu_arena_free(&memory);
}

#define SPLIT_ABOVE 128u /* longer edge lists are split, so that idle walkers can take half; 512 is slower */

/* Returns the number of edges above which a range is split. With plain lists, the half that stays must contain the
 * batch in hand, whose neighbours may still be unclaimed. */
static uint32_t split_above(const struct state *state)
{
    return std::max(SPLIT_ABOVE, 2 * UNROLL * state->lanes);
}

/* Returns the number of chunks in the queue. There is room for all entries that can exist at once: one per vertex and
 * one per half of a split list, in full chunks, and one partly filled chunk per warp. */
static uint32_t queue_capacity(const struct run *run, uint32_t num_warps)
{
    uint64_t halves = run->graph->num_edges / split_above((const struct state *)run->state) * 2;
    uint64_t chunks = run->graph->num_vertices / CHUNK + halves / CHUNK + 2 * num_warps + 1;
    return (uint32_t)std::bit_ceil(chunks);
}

/* The kernel and the sizes that depend on how lists are stored. */
struct kind {
    const void *kernel;
    size_t entry_size;
};

static struct kind kind_of(const struct state *state)
{
    if (state->records != NULL)
        return {(const void *)packed_kernel, sizeof(struct packed_entry)};
    return with_width(
        state->graph.wide, [&]<typename offset_t>() -> struct kind {
            return {(const void *)plain_kernel<offset_t>, sizeof(struct plain_entry<offset_t>)};
        });
}

/* Plans the grid, and the largest ring that its blocks have room for. */
static int plan_grid(struct run *run, struct kind kind, uint32_t warps)
{
    struct state *state = (struct state *)run->state;
    size_t shared_limit;
    gpu_shared_limit(&shared_limit, run->error);
    for (;; state->ring_size /= 2) {
        state->shared_bytes = sizeof(struct post) + warps * state->ring_size * kind.entry_size;
        if (state->shared_bytes <= shared_limit || state->ring_size <= 128)
            break;
    }
    return gpu_plan_grid(kind.kernel, warps * WARP_SIZE, 1, state->shared_bytes, &state->grid, run->error);
}

static void allocate_search(struct run *run, size_t entry_size)
{
    struct state *state = (struct state *)run->state;
    struct gpu_arena *memory = &state->memory;
    size_t n = run->graph->num_vertices;
    uint32_t num_warps = state->grid.blocks * (state->grid.threads / WARP_SIZE);
    state->cold_size = (uint32_t)run->options[COLD_SIZE];
    if (state->cold_size == 0)
        state->cold_size = (uint32_t)(2 * n / num_warps + 4 * CHUNK);
    state->capacity = queue_capacity(run, num_warps);
    state->num_words = (bitmap_words(run->graph->num_vertices) + 3) / 4 * 4;
    size_t num_entries = (size_t)state->capacity * CHUNK, num_cold = (size_t)num_warps * state->cold_size;
    for (uint32_t *&visited : state->visited)
        visited = gpu_take_zeroed<uint32_t>(memory, state->num_words, "the visited vertices", run->error);
    state->parent = gpu_take<vertex_t>(memory, n, "the parents", run->error);
    state->sequence = gpu_take<uint32_t>(memory, state->capacity, "the queue", run->error);
    state->words = gpu_take_zeroed<struct queue_words>(memory, 2, "the queue", run->error);
    state->broken = gpu_take_zeroed<uint32_t>(memory, 1, "the queue", run->error);
    state->chunks = gpu_take_bytes(memory, num_entries, entry_size, "the queue", run->error);
    state->cold = gpu_take_bytes(memory, num_cold, entry_size, "the stacks", run->error);
    /* Both get NO_VERTEX: unused entries of chunks are read, and parents of unvisited vertices are downloaded. */
    gpu_fill_bytes(state->chunks, 0xff, num_entries * entry_size, run->error);
    gpu_fill(state->parent, 0xff, n, run->error);
    gpu_launch(empty_queue, gpu_wide_grid(), 0, run->error, state->sequence, state->capacity, &state->words[0],
               (uint32_t)run->options[FIRST_POSITION]);
    state->turn = 1;
}

/* Also called by `dfs auto`. */
int prepare(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    uint32_t warps = 0;
    state->graph = std::exchange(*graph, {});
    state->ring_size = (uint32_t)run->options[RING_SIZE];
    if (!std::has_single_bit(state->ring_size))
        return error_set(run->error, STATUS_INPUT, "--set ring-size=%u: expected a power of two", state->ring_size);
    if (choose(run, state, &warps) != STATUS_OK)
        return run->error->status;
    if (state->records != NULL)
        prepare_records(run, state);
    else
        prepare_leaves(run, state);
    struct kind kind = kind_of(state);
    if (plan_grid(run, kind, warps) == STATUS_OK)
        allocate_search(run, kind.entry_size);
    return run->error->status;
}

/* Returns the ns between two polls. They grow with the square of the warps: 50 for 8, 200 for 16, 800 for 32. */
static uint32_t poll_ns(uint32_t warps)
{
    return 50 * warps * warps / 64;
}

#define POLLS_PER_EDGE 32u /* several times as many as a single walker needs */

template <typename entry_t>
static search<entry_t> search_of(const struct run *run)
{
    const struct state *state = (const struct state *)run->state;
    unsigned turn = state->turn, next = 1 - turn;
    return {
        .visited = state->visited[turn],
        .before = state->visited[next],
        .num_words = state->num_words,
        .parent = state->parent,
        .records = state->records,
        .lanes = state->lanes,
        .least_list = least_list(run->graph),
        .leaf = state->leaf,
        .split_above = split_above(state),
        .poll_ns = poll_ns(state->grid.threads / WARP_SIZE),
        .patience = MOST_POLLS + (run->graph->num_vertices + run->graph->num_edges) * POLLS_PER_EDGE,
        .cold = (entry_t *)state->cold,
        .cold_size = state->cold_size,
        .ring_size = state->ring_size,
        .queue = {&state->words[turn], &state->words[next], state->broken, state->sequence, (entry_t *)state->chunks,
                  state->capacity},
    };
}

template <typename entry_t, typename lists_t>
static int launch(struct run *run, void (*kernel)(lists_t, struct search<entry_t>, vertex_t), lists_t lists,
                  vertex_t source)
{
    const struct state *state = (const struct state *)run->state;
    return gpu_launch_persistent(kernel, state->grid, state->shared_bytes, run->error, lists, search_of<entry_t>(run),
                                 source);
}

static int traverse(struct run *run, const struct query *query)
{
    struct state *state = (struct state *)run->state;
    const vertex_t *targets = state->graph.targets;
    vertex_t source = query->sources[0];
    state->turn = 1 - state->turn;
    if (state->records != NULL)
        return launch(run, packed_kernel, targets, source);
    return with_offsets(&state->graph, [&]<typename offset_t>(csr<offset_t> graph) {
        return launch(run, plain_kernel<offset_t>, graph, source);
    });
}

/* Fails if a wait of this search or of an earlier one took too long. */
static int check_waits(struct run *run)
{
    static const char *const waits[] = {"", "a warp waited too long for work", "a warp waited too long for the queue"};
    const struct state *state = (const struct state *)run->state;
    struct queue_words words;
    uint32_t broken;
    gpu_download(&broken, state->broken, 1, run->error);
    if (gpu_download(&words, &state->words[state->turn], 1, run->error) == STATUS_OK && broken != 0)
        error_set(run->error, STATUS_DEVICE,
                  "GPU: hand-off: %s (%u chunks given, %u drawn, %u units of work outstanding); stopped", waits[broken],
                  (uint32_t)(words.tail_outstanding >> 32), words.head, (uint32_t)words.tail_outstanding);
    return run->error->status;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = (const struct state *)run->state;
    vertex_t n = run->graph->num_vertices, *parent = result->parent;
    uint32_t *bits = NULL, num_words = bitmap_words(n);
    if (check_waits(run) != STATUS_OK ||
        allocate(&bits, num_words, sizeof *bits, "the visited vertices", run->error) != STATUS_OK)
        return run->error->status;
    gpu_download(bits, state->visited[state->turn], num_words, run->error);
    gpu_download(parent, state->parent, n, run->error);
#pragma omp parallel for
    for (vertex_t v = 0; v < n; v++) {
        bool visited = has_bit(bits[v / BITMAP_BITS], v);
        if (result->visited != NULL)
            result->visited[v] = visited;
        if (parent != NULL && !visited)
            parent[v] = NO_VERTEX; /* left over from an earlier search */
    }
    free(bits);
    return run->error->status;
}

GPU_ALGORITHM(dfs_handoff) = {
    .family = "dfs",
    .variant = "handoff",
    .title = "DFS by hand-off, one claim per step",
    .citation = "gtrav, after DiggerBees (Niu et al. 2026)",
    .device = DEVICE_GPU,
    .outputs = OUTPUT_VISITED | OUTPUT_PARENT,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = uploaded<prepare, OFFSET_BITS>,
    .traverse = traverse,
    .fetch = fetch,
    .release = release_state<struct state, &state::memory, &state::graph>,
};

} // namespace BACKEND::handoff
