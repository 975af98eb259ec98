/* dfs_ckl.c: CKL-PDFS, reachability by depth-first traversal with work stealing in batches that adapt (Cong, Kodali,
 * Krishnamoorthy, Lea, Saraswat, Wen, "Solving large, irregular graph problems using adaptive work-stealing", ICPP
 * 2008): a rival of DiggerBees (Niu et al. 2026, section 4.1).
 *
 * A thread works through `current` as a stack, and puts what it marks into `next`. It shows `next` to thieves, as a
 * chunk in its deque, when it is full, or holds 2^(chunks in the deque) vertices: small chunks while others starve,
 * large ones later. When both are empty it takes the newest chunk of its deque, then the oldest of a random victim's.
 * Here a thread with nothing else to do keeps `next` to itself rather than show it: it would only take it back.
 *
 * A vertex is marked by compare-and-swap when it is pushed, so it is pushed once, and shown once at most: `arena`, in
 * which the shown chunks lie, needs a slot a vertex. A deque's entry is a chunk's place there and its length, in one
 * word. The slots of a chunk that its owner takes back are used again if they are the last ones used: what thieves
 * took is older, and lies before them.
 *
 * The deque is Chase and Lev's (SPAA 2005), sequentially consistent where its proof needs it. Shared words: `top`
 * (everybody, by compare-and-swap, upwards only), `bottom` and the ring's entries (the owner).
 * - Entries top .. bottom - 1 are there. A thief takes entry top by moving top. The owner takes entry bottom - 1 by
 *   lowering bottom, and where that is the only one, by moving top as a thief would.
 * - Taken once: the owner takes entry b without moving top only if it reads a top below b after it lowered bottom to
 *   b. A thief that takes entry b reads a top of b, so later in the total order of these operations, and bottom later
 *   still. So it reads b, and sees no entry b; or what the owner wrote since, and entry b is a new one.
 * - Whole: the owner writes an entry, and the chunk, before it raises bottom (release), and the thief reads bottom
 *   (acquire) before them. The owner writes a slot of the ring again only after top has passed the old entry, since
 *   the ring is never full: a thief that read the slot meanwhile fails to move top. It is never full because a chunk
 *   with i older ones in its deque has min(chunk, 2^i) vertices or more, each vertex is in one, and so n / chunk +
 *   log2(chunk) + 1 entries suffice.
 * - None is left at the end (team.h): a thief is counted before it moves top, and the owner reads that top (acquire)
 *   before it finds its deque empty and is counted no more. */
#include <stdlib.h>

#include "team.h"

#define CHUNK_BITS   10
#define MAX_CHUNK    (1u << CHUNK_BITS)
#define LENGTH_BITS  (CHUNK_BITS + 1) /* of a chunk's length, in a deque's entry */
#define SMALL_CHUNKS 60 /* a deque of so many chunks shows full ones only; below 64, so that 2^length is a number */
#define BLOCK        8192u /* slots of the arena that a thread takes at once */

enum { THREADS, CHUNK };
static const struct option_spec options[] = {
    [THREADS] = {THREADS_OPTION},
    [CHUNK] = {"chunk", 32, 1, MAX_CHUNK, NULL, "most vertices that are stolen at once"},
    {0},
};

struct batch {
    unsigned length;
    vertex_t vertices[MAX_CHUNK];
};

/* A thread's own; others move top, and read bottom and the ring. */
struct worker {
    char apart_1[APART];
    uint64_t bottom;
    uint64_t *ring; /* ring_mask + 1 entries: place in the arena << LENGTH_BITS | length */
    char apart_2[APART];
    uint64_t top;
    char apart_3[APART];
    struct batch batches[2], *current, *next;
    vertex_t *slots, *slots_end; /* what is left of its block of the arena */
    uint64_t draws;
};

struct state {
    struct team team;
    const struct graph *graph;
    vertex_t *arena;
    struct worker *workers; /* team.size */
    uint64_t ring_mask;
    unsigned chunk;
    char apart_1[APART];
    uint64_t arena_used;
    char apart_2[APART];
    uint32_t active;
    char apart_3[APART];
};

static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices;
    struct state *state;
    if (allocate_zeroed(&run->state, 1, sizeof *state, "dfs ckl", run->error) != STATUS_OK)
        return run->error->status;
    state = run->state;
    state->graph = run->graph;
    state->team.size = team_size(run->options[THREADS], run->graph);
    state->chunk = (unsigned)run->options[CHUNK];
    size_t threads = (size_t)state->team.size, entries = n / state->chunk + CHUNK_BITS + 2, ring = 1;
    while (ring < entries)
        ring *= 2;
    state->ring_mask = ring - 1;
    size_t blocks = n / (BLOCK - state->chunk) + threads; /* one is left with fewer than `chunk` slots to spare */
    if (allocate(&state->team.visited, n, sizeof *state->team.visited, "dfs ckl", run->error) != STATUS_OK ||
        allocate(&state->arena, blocks * BLOCK, sizeof *state->arena, "dfs ckl", run->error) != STATUS_OK ||
        allocate_zeroed(&state->workers, threads, sizeof *state->workers, "dfs ckl", run->error) != STATUS_OK)
        return run->error->status;
    for (size_t i = 0; i < threads; i++) {
        struct worker *worker = &state->workers[i];
        if (allocate(&worker->ring, ring, sizeof *worker->ring, "dfs ckl", run->error) != STATUS_OK)
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

/* The newest entry, by the owner. */
static bool pop(const struct state *state, struct worker *owner, uint64_t *entry)
{
    if (deque_length(owner) == 0) /* nobody else adds to it */
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

/* The oldest entry, by anybody. */
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

/* Shows the batch to thieves. */
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

/* Takes back the newest chunk, and its slots if they are the last used. */
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

static bool is_worth_showing(const struct state *state, const struct worker *worker)
{
    unsigned found = worker->next->length;
    if (found == state->chunk)
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
        if (is_worth_showing(state, worker))
            publish(state, worker, worker->next);
    }
}

/* A batch is known before it is worked through: the misses of its adjacency lists overlap. */
static void fetch_lists(const struct graph *graph, const struct batch *batch)
{
    for (unsigned i = batch->length; i-- > 0;)
        __builtin_prefetch(&graph->targets[graph->offsets[batch->vertices[i]]]);
}

/* By a thread that is counted as active, until nothing is left with it. */
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

/* Work for a thread that has none and is not counted; false: the traversal is over. */
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
    state->team.visited[query->source] = 1;
    state->workers[0].current->vertices[0] = query->source;
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

static void release(struct run *run)
{
    struct state *state = run->state;
    if (state != NULL) {
        for (int i = 0; state->workers != NULL && i < state->team.size; i++)
            free(state->workers[i].ring);
        free(state->workers);
        free(state->arena);
        free(state->team.visited);
    }
    free(state);
}

const struct algorithm dfs_ckl = {
    .family = "dfs",
    .variant = "ckl",
    .title = "CKL-PDFS, work stealing in adaptive batches, all cores",
    .citation = "Cong et al., ICPP 2008",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_VISITED,
    .options = options,
    .prepare = prepare,
    .traverse = traverse,
    .fetch = team_fetch,
    .release = release,
};
