/* dfs_serial.c: lexicographic depth-first search on one thread: the reference for every other DFS.
 *
 * DiggerBees, Algorithm 1 (Niu et al., PPoPP 2026), with a stack instead of recursion. The stack holds each vertex
 * with its next unexplored edge. So neighbours are visited in ascending order, and the result is the same as in the
 * recursive form. The recursive form (WarpNet, listing 4) runs with mode=paper, on a thread whose stack has room for
 * a path through all vertices. */
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

#include "../src/algorithm.h"

struct entry {
    vertex_t vertex;
    uint32_t next; /* index of its first unexplored edge in its list */
};

struct state {
    uint8_t *visited;    /* num_vertices */
    vertex_t *parent;    /* num_vertices; valid only for visited vertices */
    vertex_t *order;     /* num_vertices; the first num_ordered are set */
    vertex_t *finish;    /* the same for finishing order; NULL if not wanted */
    struct entry *stack; /* num_vertices, the longest possible path; NULL with mode=paper */
    uint64_t num_ordered;
    /* mode=paper: */
    void *call_stack; /* stack of the recursing thread: call_stack_bytes of address space; NULL if there is none */
    size_t call_stack_bytes;
    struct run *run; /* the run of the thread */
    const struct query *query;
};

static const struct option_spec options[] = {MODE_OPTION("a recursive function (WarpNet, listing 4)"), {0}};

#define CALL_BYTES  512 /* stack bytes per call of visit(), more than any compiler in use takes */
#define LEAST_STACK (1u << 20)

#define FORGOTTEN_ONE_BY_ONE 64 /* if at most 1 / 64 of the vertices was reached, each is reset by itself */

/* Maps a stack for the recursion. Only the pages that it reaches become memory. */
static int map_call_stack(struct run *run, struct state *state)
{
    state->call_stack_bytes = LEAST_STACK + (size_t)run->graph->num_vertices * CALL_BYTES;
    state->call_stack_bytes = (state->call_stack_bytes + LEAST_STACK - 1) / LEAST_STACK * LEAST_STACK;
    void *stack = mmap(NULL, state->call_stack_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (stack == MAP_FAILED)
        return error_errno(run->error, "dfs serial: a stack of %zu MB for recursion (mode=best needs none)",
                           state->call_stack_bytes >> 20);
    state->call_stack = stack;
    return STATUS_OK;
}

static int prepare(struct run *run)
{
    size_t n = run->graph->num_vertices;
    struct state *state = run->state;
    run_allocate(run, &state->visited, n, sizeof *state->visited);
    run_allocate(run, &state->parent, n, sizeof *state->parent);
    run_allocate(run, &state->order, n, sizeof *state->order);
    bool is_paper = is_paper_mode(run->options[0]);
    if (run->outputs & OUTPUT_FINISH || is_paper)
        run_allocate(run, &state->finish, n, sizeof *state->finish);
    if (is_paper)
        map_call_stack(run, state);
    else
        run_allocate(run, &state->stack, n, sizeof *state->stack);
    return run->error->status;
}

/* ---- mode=paper ---- */

struct recursion {
    const struct graph *graph;
    uint8_t *visited;
    vertex_t *parent, *order, *finish; /* order, finish: where the next vertex is written */
};

/* Listing 4. */
static void visit(struct recursion *to, vertex_t u, vertex_t parent) // NOLINT(misc-no-recursion)
{
    to->visited[u] = 1;
    to->parent[u] = parent;
    *to->order++ = u;
    for (edge_t e = to->graph->offsets[u]; e < to->graph->offsets[u + 1]; e++)
        if (!to->visited[to->graph->targets[e]])
            visit(to, to->graph->targets[e], u);
    *to->finish++ = u;
}

static void *recurse(void *argument)
{
    struct state *state = argument;
    struct recursion to = {state->run->graph, state->visited, state->parent, state->order, state->finish};
    run_kernel_begin(state->run);
    visit(&to, state->query->sources[0], state->query->sources[0]);
    state->num_ordered = (uint64_t)(to.order - state->order);
    run_kernel_end(state->run);
    return NULL;
}

static int traverse_recursively(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    pthread_attr_t attributes;
    pthread_t thread;
    state->run = run;
    state->query = query;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, state->call_stack, state->call_stack_bytes);
    int code = pthread_create(&thread, &attributes, recurse, state);
    pthread_attr_destroy(&attributes);
    if (code != 0)
        return error_set(run->error, STATUS_INPUT, "dfs serial: cannot start a thread with a stack of %zu MB: %s",
                         state->call_stack_bytes >> 20, strerror(code));
    pthread_join(thread, NULL);
    return STATUS_OK;
}

/* ---- mode=best ---- */

static void traverse_with_stack(struct run *run, const struct query *query)
{
    const edge_t *offsets = run->graph->offsets;
    const vertex_t *targets = run->graph->targets;
    struct state *state = run->state;
    run_kernel_begin(run);
    struct entry *top = state->stack - 1; /* the top of the stack; `u` and its edges from `e` on are above it */
    vertex_t *order = state->order, *finish = state->finish, *parent = state->parent, u = query->sources[0];
    uint8_t *visited = state->visited;
    *order++ = parent[u] = u;
    visited[u] = 1;
    for (edge_t e = offsets[u], end = offsets[u + 1];;) {
        while (e < end && visited[targets[e]])
            e++;
        if (e < end) {
            vertex_t child = targets[e++];
            *++top = (struct entry){u, (uint32_t)(e - offsets[u])};
            visited[child] = 1;
            parent[child] = u;
            *order++ = u = child;
            e = offsets[u];
        } else {
            if (finish != NULL)
                *finish++ = u;
            if (top < state->stack)
                break;
            u = top->vertex;
            e = offsets[u] + top->next;
            top--;
        }
        end = offsets[u + 1];
    }
    state->num_ordered = (uint64_t)(order - state->order);
    run_kernel_end(run);
}

/* Resets the arrays: single entries if the last search reached few vertices, otherwise all. */
static void forget_last_search(struct state *state, vertex_t num_vertices)
{
    if (state->num_ordered > num_vertices / FORGOTTEN_ONE_BY_ONE)
        memset(state->visited, 0, num_vertices);
    else
        for (uint64_t i = 0; i < state->num_ordered; i++)
            state->visited[state->order[i]] = 0;
}

static int traverse(struct run *run, const struct query *query)
{
    struct state *state = run->state;
    forget_last_search(state, run->graph->num_vertices);
    if (is_paper_mode(run->options[0]))
        return traverse_recursively(run, query);
    traverse_with_stack(run, query);
    return STATUS_OK;
}

static int fetch(struct run *run, struct traversal *result)
{
    const struct state *state = run->state;
    size_t n = run->graph->num_vertices;
    copy_wanted(result->visited, state->visited, n);
    if (result->parent != NULL && state->num_ordered == n)
        memcpy(result->parent, state->parent, n * sizeof *result->parent);
    else
        for (size_t v = 0; result->parent != NULL && v < n; v++)
            result->parent[v] = state->visited[v] ? state->parent[v] : NO_VERTEX;
    copy_wanted(result->order, state->order, state->num_ordered * sizeof *result->order);
    copy_wanted(result->finish, state->finish, state->num_ordered * sizeof *result->finish);
    result->num_ordered = state->num_ordered;
    return STATUS_OK;
}

static void release(struct run *run)
{
    const struct state *state = run->state;
    if (state->call_stack != NULL)
        munmap(state->call_stack, state->call_stack_bytes);
}

const struct algorithm dfs_serial = {
    .family = "dfs",
    .variant = "serial",
    .title = "Lexicographic DFS with a stack, one thread",
    .citation = "DiggerBees, algorithm 1 (Niu et al. 2026)",
    .device = DEVICE_CPU,
    .serial = true,
    .outputs = OUTPUT_VISITED | OUTPUT_PARENT | OUTPUT_ORDER | OUTPUT_FINISH,
    .options = options,
    .state_bytes = sizeof(struct state),
    .prepare = prepare,
    .traverse = traverse,
    .fetch = fetch,
    .release = release,
};
