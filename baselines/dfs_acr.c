/* dfs_acr.c: ACR-PDFS, reachability by depth-first traversal that splits its frontier by edges (Acar, Chargueraud,
 * Rainey, "A work-efficient algorithm for parallel unordered depth-first search", SC 2015). DiggerBees is compared
 * with it (Niu et al. 2026, section 4.1).
 *
 * A thread's private frontier is a sequence of edges. First comes `front`, the rest of an adjacency list that a split
 * has cut; then the lists of the vertices in its chunks; last `back`, the rest of the list that the thread is
 * exploring. The thread takes `poll` edges from the back, and then checks whether an idle thread has asked for work.
 * If so, and if it has more than `split` edges, or has explored that many since its last split, it gives away the
 * first half of its edges. A split may cut a list, so the edges of a high-degree vertex can be shared. A chunk knows
 * the number of its edges, so a split steps over whole chunks, not over vertices.
 *
 * A vertex with more than `idempotent-degree` edges is marked by compare-and-swap and taken once. Other vertices are
 * marked by a load and a plain store: at least one thread takes them, but two may, and then explore their few edges
 * twice. So a frontier is only bounded by the number of threads per vertex, and grows as needed.
 *
 * Work is requested as with private deques (Acar, Chargueraud, Rainey, PPoPP 2013). Shared words of a thread:
 * `request` (OPEN: it has work; CLOSED: it has none; otherwise the number of a thread that asks for work), and
 * `answer` to its own request (WAITING, GIVEN, REFUSED).
 *
 * - An idle thread sets its answer to WAITING, changes a victim's request from OPEN to its own number by
 *   compare-and-swap (release), and waits. The victim reads the number (acquire), and from then on owns the idle
 *   thread's answer and frontier. It puts work into that frontier and stores GIVEN (release), or stores REFUSED. The
 *   idle thread reads the answer (acquire) before it accesses its frontier.
 * - Each request is answered once. Only the victim overwrites a number: it reopens its request after it has given
 *   work. When it runs out of work, it exchanges the word for CLOSED, and refuses if it held a number. The word stays
 *   CLOSED until the thread has work again.
 * - No work is left at the end (team.h): the victim, which is counted, counts the idle thread before it stores GIVEN.
 */

#include "team.h"

#define CHUNK          128u  /* vertices per chunk */
#define OFFSETS_AHEAD  6     /* distance from the end of a chunk at which offsets are prefetched, */
#define LISTS_AHEAD    3     /* and adjacency lists */
#define CHUNKS_AT_ONCE 64u   /* chunks that a thread allocates together */
#define SPLIT          1024u /* edges: a thread that has more, or has explored as many, gives work away */
#define POLL           256u  /* edges explored between two checks for requests */
#define IDEMPOTENT     30u   /* edges: a vertex with at most this many is marked by a plain store */

enum { THREADS, FORCE };
enum { FORCE_NOTHING, FORCE_SPLITS, FORCE_ATOMICS };
static const struct option_spec options[] = {
    [THREADS] = THREADS_OPTION,
    [FORCE] = FORCE_OPTION("splits|atomics"),
    {0},
};

enum { CLOSED = -2, OPEN = -1 };  /* values of `request`; otherwise it is the number of the thread that asks */
enum { WAITING, GIVEN, REFUSED }; /* values of `answer` */

struct range {
    edge_t begin, end;
};

struct chunk {
    struct chunk *previous, *next; /* towards the front, towards the back */
    edge_t edges;                  /* number of its vertices' edges */
    unsigned length;
    vertex_t vertices[CHUNK];
};

struct frontier {
    struct range front, back;
    struct chunk *first, *last; /* first is NULL if there is no chunk; no chunk is empty */
    edge_t edges;               /* number of all edges */
};

/* An array of chunks that a worker has allocated together. */
struct slab {
    struct slab *next;
    struct chunk chunks[CHUNKS_AT_ONCE];
};

/* Private to a thread, except `request` and `answer`. While it waits for an answer, its victim owns `frontier`. */
struct worker {
    char apart_1[APART];
    int request;
    char apart_2[APART];
    int answer;
    char apart_3[APART];
    struct frontier frontier;
    struct chunk *unused; /* num_unused chunks, linked by `next` */
    unsigned num_unused;
    struct slab *slabs; /* freed at the end, even if other workers have its chunks */
    edge_t since_split; /* edges explored since the last split */
    uint64_t draws;
    struct error error; /* set if memory is short */
};

struct state {
    struct team team;
    const struct graph *graph;
    struct worker *workers; /* team.size */
    edge_t split, poll, idempotent;
    bool failed; /* a thread is out of memory, so all threads end; stays set */
    char apart_1[APART];
    uint32_t active;
    char apart_2[APART];
};

static int prepare(struct run *run)
{
    struct state *state = run->state;
    state->graph = run->graph;
    state->team.size = team_size(run->options[THREADS], run->graph);
    const int forced = (int)run->options[FORCE];
    state->split = forced == FORCE_SPLITS ? 1 : SPLIT;
    state->poll = forced == FORCE_SPLITS ? 1 : POLL;
    state->idempotent = forced == FORCE_ATOMICS ? 0 : IDEMPOTENT;
    size_t n = run->graph->num_vertices, threads = (size_t)state->team.size;
    if (run_allocate(run, &state->team.visited, n, sizeof *state->team.visited) != STATUS_OK ||
        run_allocate(run, &state->workers, threads, sizeof *state->workers) != STATUS_OK)
        return run->error->status;
    for (size_t i = 0; i < threads; i++) {
        state->workers[i].request = CLOSED;
        state->workers[i].draws = (uint64_t)i << 32;
    }
    return STATUS_OK;
}

/* ---- chunks ---- */

/* Ensures enough chunks for `pushes` pushes and a split. Returns false if memory is short. */
static bool reserve(struct worker *worker, edge_t pushes)
{
    while (worker->num_unused < pushes / CHUNK + 2) { /* plus two: one partly filled, one that a split cuts */
        struct slab *slab;
        if (allocate(&slab, 1, sizeof *slab, "dfs acr", &worker->error) != STATUS_OK)
            return false;
        slab->next = worker->slabs;
        worker->slabs = slab;
        for (unsigned i = 0; i < CHUNKS_AT_ONCE; i++) {
            slab->chunks[i].next = worker->unused;
            worker->unused = &slab->chunks[i];
        }
        worker->num_unused += CHUNKS_AT_ONCE;
    }
    return true;
}

static struct chunk *add_chunk(struct worker *worker, struct frontier *frontier)
{
    struct chunk *chunk = worker->unused;
    worker->unused = chunk->next;
    worker->num_unused--;
    chunk->previous = frontier->last;
    chunk->next = NULL;
    chunk->edges = chunk->length = 0;
    *(frontier->last != NULL ? &frontier->last->next : &frontier->first) = chunk;
    frontier->last = chunk;
    return chunk;
}

/* Removes an empty chunk, the first or the last, from the frontier. */
static void drop_chunk(struct worker *worker, struct frontier *frontier, struct chunk *chunk)
{
    *(chunk->previous != NULL ? &chunk->previous->next : &frontier->first) = chunk->next;
    *(chunk->next != NULL ? &chunk->next->previous : &frontier->last) = chunk->previous;
    chunk->next = worker->unused;
    worker->unused = chunk;
    worker->num_unused++;
}

/* ---- the frontier ---- */

static struct range edges_of(const struct graph *graph, vertex_t v)
{
    return (struct range){graph->offsets[v], graph->offsets[v + 1]};
}

static void push(struct worker *worker, vertex_t v, edge_t degree)
{
    struct frontier *frontier = &worker->frontier;
    struct chunk *chunk = frontier->last;
    if (chunk == NULL || chunk->length == CHUNK)
        chunk = add_chunk(worker, frontier);
    chunk->vertices[chunk->length++] = v;
    chunk->edges += degree;
    frontier->edges += degree;
}

/* Prefetches what will be taken next if nothing is pushed: adjacency lists, and the offsets of later ones. */
static void fetch_ahead(const struct graph *graph, const struct chunk *chunk)
{
    const vertex_t *end = chunk->vertices + chunk->length;
    if (chunk->length >= OFFSETS_AHEAD)
        __builtin_prefetch(&graph->offsets[end[-OFFSETS_AHEAD]]);
    if (chunk->length >= LISTS_AHEAD)
        __builtin_prefetch(&graph->targets[graph->offsets[end[-LISTS_AHEAD]]]);
}

/* Moves the last range of the frontier, which is not empty, to `back`. */
static void refill_back(struct worker *worker, const struct graph *graph)
{
    struct frontier *frontier = &worker->frontier;
    struct chunk *chunk = frontier->last;
    if (chunk == NULL) {
        frontier->back = frontier->front;
        frontier->front = (struct range){0, 0};
        return;
    }
    frontier->back = edges_of(graph, chunk->vertices[--chunk->length]);
    chunk->edges -= frontier->back.end - frontier->back.begin;
    fetch_ahead(graph, chunk);
    if (chunk->length == 0)
        drop_chunk(worker, frontier, chunk);
}

/* Cuts the first *wanted edges off a range, or all of them. Subtracts their number from *wanted. */
static struct range cut(struct range *range, edge_t *wanted)
{
    edge_t there = range->end - range->begin, taken = there < *wanted ? there : *wanted;
    struct range first = {range->begin, range->begin + taken};
    range->begin += taken;
    *wanted -= taken;
    return first;
}

/* Moves the first chunks of a frontier, with at most *wanted edges in total, to a frontier without chunks. */
static void move_chunks(struct frontier *from, struct frontier *to, edge_t *wanted)
{
    struct chunk *rest = from->first;
    for (; rest != NULL && rest->edges <= *wanted; rest = rest->next)
        *wanted -= rest->edges;
    if (rest == from->first)
        return;
    to->first = from->first;
    to->last = rest != NULL ? rest->previous : from->last;
    to->last->next = NULL;
    from->first = rest;
    *(rest != NULL ? &rest->previous : &from->last) = NULL;
}

/* Splits the first chunk, which has more edges than *wanted. Moves its first vertices and the first edges of the next
 * vertex; the rest of that vertex's list becomes `front`. */
static void split_chunk(struct worker *giver, const struct graph *graph, struct frontier *to, edge_t *wanted)
{
    struct frontier *from = &giver->frontier;
    struct chunk *chunk = from->first, *given = add_chunk(giver, to);
    unsigned gone = 0;
    while (*wanted > 0) {
        vertex_t v = chunk->vertices[gone++];
        struct range list = edges_of(graph, v);
        edge_t degree = list.end - list.begin;
        chunk->edges -= degree;
        if (degree > *wanted) {
            to->back = cut(&list, wanted);
            from->front = list;
        } else {
            given->vertices[given->length++] = v;
            given->edges += degree;
            *wanted -= degree;
        }
    }
    chunk->length -= gone;
    memmove(chunk->vertices, chunk->vertices + gone, chunk->length * sizeof *chunk->vertices);
    if (given->length == 0)
        drop_chunk(giver, to, given);
    if (chunk->length == 0)
        drop_chunk(giver, from, chunk);
}

/* Moves the first `wanted` edges of the giver's frontier, which has more edges, to an empty frontier. */
static void split(struct worker *giver, const struct graph *graph, struct frontier *to, edge_t wanted)
{
    struct frontier *from = &giver->frontier;
    to->edges = wanted;
    from->edges -= wanted;
    to->front = cut(&from->front, &wanted);
    move_chunks(from, to, &wanted);
    if (wanted > 0 && from->first != NULL)
        split_chunk(giver, graph, to, &wanted);
    else
        to->back = cut(&from->back, &wanted);
}

/* ---- the traversal ---- */

static bool mark(const struct state *state, vertex_t v, edge_t degree)
{
    if (degree > state->idempotent)
        return claim(state->team.visited, v);
    __atomic_store_n(&state->team.visited[v], 1, __ATOMIC_RELAXED);
    return true;
}

/* Explores up to `count` edges of the back. Returns their number. */
static edge_t look_at_edges(const struct state *state, struct worker *worker, edge_t count)
{
    const struct graph *graph = state->graph;
    struct frontier *frontier = &worker->frontier;
    if (frontier->back.begin == frontier->back.end)
        refill_back(worker, graph);
    struct range edges = cut(&frontier->back, &count);
    for (edge_t e = edges.begin; e < edges.end; e++) {
        vertex_t v = graph->targets[e];
        if (is_visited(state->team.visited, v))
            continue;
        edge_t degree = graph_degree(graph, v);
        if (mark(state, v, degree) && degree > 0)
            push(worker, v, degree);
    }
    frontier->edges -= edges.end - edges.begin;
    return edges.end - edges.begin;
}

static void answer(struct worker *asker, int what)
{
    __atomic_store_n(&asker->answer, what, __ATOMIC_RELEASE);
}

static void give_work(struct state *state, struct worker *giver, int asker)
{
    struct worker *receiver = &state->workers[asker];
    split(giver, state->graph, &receiver->frontier, giver->frontier.edges / 2);
    giver->since_split = 0;
    team_join(&state->active); /* on behalf of the receiver */
    answer(receiver, GIVEN);
    __atomic_store_n(&giver->request, OPEN, __ATOMIC_RELAXED);
}

/* Works until there is no work left. The thread is counted as active and has work. */
static void work(struct state *state, struct worker *worker)
{
    __atomic_store_n(&worker->request, OPEN, __ATOMIC_RELAXED);
    worker->since_split = 0;
    while (worker->frontier.edges > 0 && !__atomic_load_n(&state->failed, __ATOMIC_RELAXED)) {
        if (!reserve(worker, state->poll)) {
            __atomic_store_n(&state->failed, true, __ATOMIC_RELAXED);
            break;
        }
        edge_t left = state->poll;
        while (left > 0 && worker->frontier.edges > 0)
            left -= look_at_edges(state, worker, left);
        worker->since_split += state->poll - left;
        int asker = __atomic_load_n(&worker->request, __ATOMIC_ACQUIRE);
        edge_t edges = worker->frontier.edges;
        if (asker != OPEN && (edges > state->split || (edges > 1 && worker->since_split >= state->split)))
            give_work(state, worker, asker);
    }
    int asker = __atomic_exchange_n(&worker->request, CLOSED, __ATOMIC_ACQ_REL);
    if (asker != OPEN)
        answer(&state->workers[asker], REFUSED);
    team_leave(&state->active);
}

/* Asks a random thread for work. Returns whether it gave any. */
static bool ask_for_work(struct state *state, struct worker *asker, int team)
{
    struct worker *victim = &state->workers[team_draw(&asker->draws, team)];
    int open = OPEN, number = (int)(asker - state->workers), what;
    if (__atomic_load_n(&victim->request, __ATOMIC_RELAXED) != OPEN)
        return false;
    __atomic_store_n(&asker->answer, WAITING, __ATOMIC_RELAXED);
    if (!__atomic_compare_exchange_n(&victim->request, &open, number, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
        return false;
    while ((what = __atomic_load_n(&asker->answer, __ATOMIC_ACQUIRE)) == WAITING)
        sched_yield();
    return what == GIVEN;
}

/* Waits until the thread has work. Returns false if the traversal is over. */
static bool find_work(struct state *state, struct worker *worker, int team)
{
    while (!team_is_idle(&state->active)) {
        for (int tries = 0; tries < team; tries++)
            if (ask_for_work(state, worker, team))
                return true;
        sched_yield();
    }
    return false;
}

static int traverse(struct run *run, const struct query *query)
{
    const struct graph *graph = run->graph;
    struct state *state = run->state;
    team_reset(&state->team, graph->num_vertices);

    run_kernel_begin(run);
    struct frontier *start = &state->workers[0].frontier;
    start->back = edges_of(graph, query->sources[0]);
    start->edges = graph_degree(graph, query->sources[0]);
    state->team.visited[query->sources[0]] = 1;
    state->active = 1;
#pragma omp parallel num_threads(state->team.size)
    {
        struct worker *worker = &state->workers[omp_get_thread_num()];
        int team = omp_get_num_threads();
        if (omp_get_thread_num() == 0)
            work(state, worker);
        while (find_work(state, worker, team))
            work(state, worker);
    }
    run_kernel_end(run);
    for (int i = 0; state->failed && i < state->team.size; i++)
        if (state->workers[i].error.status != STATUS_OK)
            return error_set(run->error, state->workers[i].error.status, "%s", state->workers[i].error.text);
    return STATUS_OK;
}

static void release(struct run *run)
{
    struct state *state = run->state;
    for (int i = 0; state->workers != NULL && i < state->team.size; i++)
        for (struct slab *slab = state->workers[i].slabs, *next; slab != NULL; slab = next) {
            next = slab->next;
            free(slab);
        }
}

const struct algorithm dfs_acr = {
    .family = "dfs",
    .variant = "acr",
    .title = "ACR-PDFS, frontiers split in halves by edges, all cores",
    .citation = "Acar et al., SC 2015",
    .device = DEVICE_CPU,
    .outputs = OUTPUT_VISITED,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = team_fetch,
    .release = release,
};
