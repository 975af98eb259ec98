/* dfs_ckl.c: CKL-PDFS, reachability by depth-first traversal with adaptive batches and work stealing (Cong, Kodali,
 * Krishnamoorthy, Lea, Saraswat, Wen, "Solving large, irregular graph problems using adaptive work-stealing", ICPP
 * 2008). DiggerBees is compared with it (Niu et al. 2026, section 4.1).
 *
 * A thread works through `current` as a stack, and puts the vertices that it marks into `next`. It publishes `next`
 * as a chunk in its deque when `next` is full, or holds 2^(chunks in the deque) vertices. So chunks are small while
 * other threads starve, and large later. When both are empty, it takes the newest chunk of its deque, then the oldest
 * chunk of a random victim. A thread with no other work keeps `next` instead of publishing it, since it would only
 * take it back.
 *
 * A vertex is marked by compare-and-swap when it is pushed. So it is pushed once and published at most once, and
 * `arena`, which holds the published chunks, needs one slot per vertex. An entry of a deque is a word with a chunk's
 * place in the arena and its length. When the owner takes back a chunk whose slots are the last ones used, it reuses
 * these slots; chunks that thieves took are older, so their slots come earlier.
 *
 * The deque is that of Chase and Lev (SPAA 2005), sequentially consistent where its proof needs it. Shared words:
 * `top` (all threads advance it by compare-and-swap), `bottom` and the entries of the ring (written by the owner).
 *
 * - The deque holds the entries top .. bottom - 1. A thief takes entry top by advancing top. The owner takes entry
 *   bottom - 1 by lowering bottom and, if that is the only entry, by advancing top like a thief.
 * - Each entry is taken once: the owner takes entry b without advancing top only if it reads a top below b after it
 *   lowered bottom to b. A thief that takes entry b reads that top is b, later in the total order of these
 *   operations, and reads bottom after that. So it reads that bottom is b, which means no entry b, or a newer
 *   bottom and a new entry b.
 * - Entries are complete: the owner writes the chunk and the entry before it raises bottom (release), and a thief
 *   reads bottom (acquire) before them. The ring is never full, so the owner reuses a slot only after top has passed
 *   the old entry; a thief that read the slot in between fails to advance top. It is never full because a chunk with
 *   i older ones in its deque has at least min(CHUNK, 2^i) vertices, and each vertex is in one chunk, so n / CHUNK +
 *   CHUNK_BITS + 1 entries suffice.
 * - No work is left at the end (team.h): a thief is counted before it advances top, and the owner reads that top
 *   (acquire) before it finds its deque empty and leaves. */

#include "team.h"

#define CHUNK_BITS   5
#define CHUNK        (1u << CHUNK_BITS) /* vertices stolen at once, at most */
#define LENGTH_BITS  (CHUNK_BITS + 1)   /* width of a chunk's length in an entry of a deque */
#define SMALL_CHUNKS 60    /* a deque with this many chunks gets only full ones; below 64, so that 2^60 fits a word */
#define BLOCK        8192u /* slots of the arena that a thread reserves at once */

enum { THREADS };
static const struct option_spec options[] = {
    [THREADS] = THREADS_OPTION,
    {0},
};

struct batch {
    unsigned length;
    vertex_t vertices[CHUNK];
};

/* Private to a thread, except that others advance `top`, and read `bottom` and the ring. */
struct worker {
    char apart_1[APART];
    uint64_t bottom;
    uint64_t *ring; /* ring_mask + 1 entries: place in the arena << LENGTH_BITS | length */
    char apart_2[APART];
    uint64_t top;
    char apart_3[APART];
    struct batch batches[2], *current, *next;
    vertex_t *slots, *slots_end; /* the unused slots of its block of the arena */
    uint64_t draws;
};

struct state {
    struct team team;
    const struct graph *graph;
    vertex_t *arena;
    struct worker *workers; /* team.size */
    uint64_t ring_mask;
    char apart_1[APART];
    uint64_t arena_used;
    char apart_2[APART];
    uint32_t active;
    char apart_3[APART];
};

static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices;
    struct state *state = run->state;
    state->graph = run->graph;
    state->team.size = team_size(run->options[THREADS], run->graph);
    size_t threads = (size_t)state->team.size, entries = n / CHUNK + CHUNK_BITS + 2, ring = 1;
    while (ring < entries)
        ring *= 2;
    state->ring_mask = ring - 1;
    size_t blocks = n / (BLOCK - CHUNK) + threads; /* a block may end with almost CHUNK free slots */
    if (run_allocate(run, &state->team.visited, n, sizeof *state->team.visited) != STATUS_OK ||
        run_allocate(run, &state->arena, blocks * BLOCK, sizeof *state->arena) != STATUS_OK ||
        run_allocate(run, &state->workers, threads, sizeof *state->workers) != STATUS_OK)
        return run->error->status;
    for (size_t i = 0; i < threads; i++) {
        struct worker *worker = &state->workers[i];
        if (run_allocate(run, &worker->ring, ring, sizeof *worker->ring) != STATUS_OK)
            return run->error->status;
        worker->current = &worker->batches[0];
        worker->next = &worker->batches[1];
        worker->draws = (uint64_t)i << 32;
    }
    return STATUS_OK;
}

/* ---- the deque ---- */

static uint64_t deque_length(const struct worker *owner)
{
    uint64_t top = __atomic_load_n(&owner->top, __ATOMIC_ACQUIRE);
    uint64_t bottom = __atomic_load_n(&owner->bottom, __ATOMIC_RELAXED);
    return bottom > top ? bottom - top : 0;
}

static void push(const struct state *state, struct worker *owner, uint64_t entry)
{
    uint64_t bottom = owner->bottom;
    __atomic_store_n(&owner->ring[bottom & state->ring_mask], entry, __ATOMIC_RELAXED);
    __atomic_store_n(&owner->bottom, bottom + 1, __ATOMIC_RELEASE);
}

static bool move_top(struct worker *owner, uint64_t top)
{
    return __atomic_compare_exchange_n(&owner->top, &top, top + 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* Takes the newest entry; only the owner calls it. */
static bool pop(const struct state *state, struct worker *owner, uint64_t *entry)
{
    if (deque_length(owner) == 0) /* safe, since only the owner adds entries */
        return false;
    uint64_t bottom = owner->bottom - 1;
    __atomic_store_n(&owner->bottom, bottom, __ATOMIC_SEQ_CST);
    uint64_t top = __atomic_load_n(&owner->top, __ATOMIC_SEQ_CST);
    *entry = owner->ring[bottom & state->ring_mask];
    if (top < bottom)
        return true;
    bool taken = top == bottom && move_top(owner, top);
    __atomic_store_n(&owner->bottom, bottom + 1, __ATOMIC_RELAXED);
    return taken;
}

/* Takes the oldest entry; any thread may call it. */
static bool steal(const struct state *state, struct worker *victim, uint64_t *entry)
{
    uint64_t top = __atomic_load_n(&victim->top, __ATOMIC_SEQ_CST);
    uint64_t bottom = __atomic_load_n(&victim->bottom, __ATOMIC_SEQ_CST);
    if (top >= bottom)
        return false;
    *entry = __atomic_load_n(&victim->ring[top & state->ring_mask], __ATOMIC_RELAXED);
    return move_top(victim, top);
}

/* ---- chunks ---- */

static void publish(struct state *state, struct worker *worker, struct batch *batch)
{
    if ((size_t)(worker->slots_end - worker->slots) < batch->length) {
        worker->slots = state->arena + __atomic_fetch_add(&state->arena_used, BLOCK, __ATOMIC_RELAXED);
        worker->slots_end = worker->slots + BLOCK;
    }
    memcpy(worker->slots, batch->vertices, batch->length * sizeof *batch->vertices);
    push(state, worker, (uint64_t)(worker->slots - state->arena) << LENGTH_BITS | batch->length);
    worker->slots += batch->length;
    batch->length = 0;
}

static const vertex_t *load_chunk(const struct state *state, struct batch *batch, uint64_t entry)
{
    const vertex_t *chunk = state->arena + (entry >> LENGTH_BITS);
    batch->length = entry & ((1u << LENGTH_BITS) - 1);
    memcpy(batch->vertices, chunk, batch->length * sizeof *chunk);
    return chunk;
}

/* Takes back the newest chunk, and frees its slots if they are the last ones used. */
static bool take_own(const struct state *state, struct worker *worker)
{
    uint64_t entry;
    if (!pop(state, worker, &entry))
        return false;
    const vertex_t *chunk = load_chunk(state, worker->current, entry);
    if (chunk + worker->current->length == worker->slots)
        worker->slots -= worker->current->length;
    return true;
}

/* ---- the traversal ---- */

static bool is_worth_showing(const struct worker *worker)
{
    unsigned found = worker->next->length;
    if (found == CHUNK)
        return true;
    uint64_t shown = deque_length(worker);
    return worker->current->length > 0 && shown < SMALL_CHUNKS && (uint64_t)found >> shown > 0;
}

static void expand(struct state *state, struct worker *worker, vertex_t u)
{
    const struct graph *graph = state->graph;
    for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++) {
        vertex_t v = graph->targets[e];
        if (is_visited(state->team.visited, v) || !claim(state->team.visited, v))
            continue;
        __builtin_prefetch(&graph->offsets[v]); /* for fetch_lists */
        worker->next->vertices[worker->next->length++] = v;
        if (is_worth_showing(worker))
            publish(state, worker, worker->next);
    }
}

/* Prefetches the adjacency lists of a batch together, so that their cache misses overlap. */
static void fetch_lists(const struct graph *graph, const struct batch *batch)
{
    for (unsigned i = batch->length; i-- > 0;)
        __builtin_prefetch(&graph->targets[graph->offsets[batch->vertices[i]]]);
}

/* Works until this thread has no work left. It is counted as active. */
static void work(struct state *state, struct worker *worker)
{
    do {
        fetch_lists(state->graph, worker->current);
        while (worker->current->length > 0)
            expand(state, worker, worker->current->vertices[--worker->current->length]);
        struct batch *empty = worker->current;
        worker->current = worker->next;
        worker->next = empty;
    } while (worker->current->length > 0 || take_own(state, worker));
    team_leave(&state->active);
}

/* Finds work for a thread that has none and is not counted. Returns false if the traversal is over. */
static bool steal_work(struct state *state, struct worker *thief, int team)
{
    while (!team_is_idle(&state->active)) {
        for (int tries = 0; tries < team; tries++) {
            struct worker *victim = &state->workers[team_draw(&thief->draws, team)];
            uint64_t entry;
            if (deque_length(victim) == 0)
                continue;
            team_join(&state->active);
            if (steal(state, victim, &entry)) {
                load_chunk(state, thief->current, entry);
                return true;
            }
            team_leave(&state->active);
        }
        sched_yield();
    }
    return false;
}

static int traverse(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    team_reset(&state->team, run->graph->num_vertices);

    run_kernel_begin(run);
    state->arena_used = 0;
    state->active = 1;
    state->team.visited[query->sources[0]] = 1;
    state->workers[0].current->vertices[0] = query->sources[0];
    state->workers[0].current->length = 1;
#pragma omp parallel num_threads(state->team.size)
    {
        struct worker *worker = &state->workers[omp_get_thread_num()];
        int team = omp_get_num_threads();
        worker->slots = worker->slots_end = NULL;
        if (omp_get_thread_num() == 0)
            work(state, worker);
        while (steal_work(state, worker, team))
            work(state, worker);
    }
    run_kernel_end(run);
    return STATUS_OK;
}

const struct algorithm dfs_ckl = {
    .family = "dfs",
    .variant = "ckl",
    .title = "CKL-PDFS, work stealing in adaptive batches, all cores",
    .citation = "Cong et al., ICPP 2008",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_VISITED,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = team_fetch,
};
