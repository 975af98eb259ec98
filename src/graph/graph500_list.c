/* graph500_list.c: makes the edge list of Graph500 (graph500_list.h), many edges at once, and its search keys. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators.h"
#include "graph500_list.h"

/* The streams of random numbers begin some steps after the reference's seeds: edge i after i 2^64 steps, the
 * constants of the scrambling after 50 2^128 + 7 2^64, the search keys after 2 2^128. */
#define LOG_EDGE   64
#define LOG_STREAM 128
#define NUM_POWERS (LOG_STREAM + 6)

/* Fills powers[k] with the matrix of 2^k steps. Returns the state of the seeds 2 and 3. */
static struct graph500_state begin(struct graph500_matrix powers[NUM_POWERS])
{
    powers[0] = (struct graph500_matrix){{{GRAPH500_X, 0, 0, 0, GRAPH500_Y}}};
    for (int i = 1; i < GRAPH500_WORDS; i++)
        powers[0].row[i][i - 1] = 1;
    for (int k = 1; k < NUM_POWERS; k++)
        for (int column = 0; column < GRAPH500_WORDS; column++) {
            struct graph500_state state;
            for (int i = 0; i < GRAPH500_WORDS; i++)
                state.z[i] = powers[k - 1].row[i][column];
            state = graph500_product(&powers[k - 1], state);
            for (int i = 0; i < GRAPH500_WORDS; i++)
                powers[k].row[i][column] = state.z[i];
        }
    return (struct graph500_state){{2 + 1, 0 + 1, 3 + 1, 0 + 1, 0 + 1}};
}

int graph500_list_init(struct graph500_list *list, unsigned scale, unsigned edge_factor, struct error *error)
{
    struct graph500_matrix powers[NUM_POWERS];
    *list = (struct graph500_list){.scale = scale, .edge_factor = edge_factor > 0 ? edge_factor : 16};
    list->num_edges = (uint64_t)list->edge_factor << scale;
    if (list->num_edges >> GRAPH500_LOG_MOST > 0)
        return error_set(error, STATUS_INPUT, "graph500:%u:%u would have 2^%d undirected edges or more", scale,
                         edge_factor, GRAPH500_LOG_MOST);
    list->start = begin(powers);
    memcpy(list->jump, &powers[LOG_EDGE], sizeof list->jump);
    struct graph500_state state = graph500_skip(&powers[LOG_STREAM], graph500_skip(list->jump, list->start, 7), 50);
    for (int i = 0; i < 2; i++) { /* the lower halves of the reference's constants */
        uint32_t high = graph500_draw(&state), constant = high * UINT32_MAX + graph500_draw(&state);
        list->addend += constant;
        list->factors[i] = constant | (i == 0 ? 0x11493211u : 0x02c843a5u);
    }
    return STATUS_OK;
}

int graph500_list_of(const struct graph *graph, struct graph500_list *list, struct error *error)
{
    unsigned scale, edge_factor = 0;
    if (strcmp(graph->origin, "generated") != 0 || sscanf(graph->name, "graph500:%u:%u", &scale, &edge_factor) < 1)
        return error_set(error, STATUS_INPUT, "the benchmark needs the graph of its own generator, graph500:SCALE");
    return graph500_list_init(list, scale, edge_factor, error);
}

/* ---- many edges at once ---- */

/* Compiled with and without AVX2. Not under a sanitizer, which is not ready when the program chooses one of them. */
#if defined __x86_64__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
#define VECTORISED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORISED
#endif

#define LOG_LANES 4
#define LANES     (1u << LOG_LANES) /* number of edges that vector instructions make at once */

struct lanes {
    uint32_t z[GRAPH500_WORDS][LANES]; /* the states of consecutive edges */
};

static inline struct graph500_state get_lane(const struct lanes *lanes, unsigned lane)
{
    struct graph500_state state;
    for (int k = 0; k < GRAPH500_WORDS; k++)
        state.z[k] = lanes->z[k][lane];
    return state;
}

static inline void set_lane(struct lanes *lanes, unsigned lane, struct graph500_state state)
{
    for (int k = 0; k < GRAPH500_WORDS; k++)
        lanes->z[k][lane] = state.z[k];
}

VECTORISED static void advance(const struct graph500_matrix *matrix, struct lanes *lanes)
{
    for (unsigned lane = 0; lane < LANES; lane++)
        set_lane(lanes, lane, graph500_product(matrix, get_lane(lanes, lane)));
}

/* The newest word of a state overwrites the oldest one, so no word is moved. An edge that needs a second draw, which
 * is rare, is made alone. */
VECTORISED static void make_edges(const struct graph500_list *list, const struct lanes *lanes,
                                  struct graph500_edge edges[LANES])
{
    struct lanes state = *lanes;
    uint32_t u[LANES] = {0}, v[LANES] = {0}, redrawn[LANES] = {0};
    unsigned newest = 0, oldest = GRAPH500_WORDS - 1;
    for (unsigned bit = 0; bit < list->scale; bit++) {
        uint32_t *restrict from = state.z[newest], *restrict to = state.z[oldest];
        for (unsigned lane = 0; lane < LANES; lane++) {
            uint32_t draw = to[lane] = graph500_next(from[lane], to[lane]);
            redrawn[lane] |= draw < GRAPH500_REDRAWN;
            graph500_descend(draw, &u[lane], &v[lane]);
        }
        newest = oldest;
        oldest = newest == 0 ? GRAPH500_WORDS - 1 : newest - 1;
    }
    for (unsigned lane = 0; lane < LANES; lane++)
        edges[lane] = (struct graph500_edge){graph500_scramble(list, u[lane]), graph500_scramble(list, v[lane]),
                                             graph500_next(state.z[newest][lane], state.z[oldest][lane])};
    for (unsigned lane = 0; lane < LANES; lane++)
        if (redrawn[lane])
            edges[lane] = graph500_edge_from(list, get_lane(lanes, lane));
}

uint64_t graph500_visit(const struct graph500_list *list, uint64_t begin, uint64_t end, graph500_use *use,
                        void *context)
{
    struct lanes lanes;
    struct graph500_edge edges[LANES];
    struct graph500_state state = graph500_skip(list->jump, list->start, begin);
    uint64_t sum = 0;
    for (unsigned lane = 0; lane < LANES; lane++, state = graph500_product(list->jump, state))
        set_lane(&lanes, lane, state);
    for (; begin < end; begin += LANES, advance(&list->jump[LOG_LANES], &lanes)) {
        make_edges(list, &lanes, edges);
        sum += use(edges, end - begin < LANES ? (unsigned)(end - begin) : LANES, context);
    }
    return sum;
}

/* ---- the generator ---- */

#define ITEM_EDGES    ((uint64_t)1 << 14)
#define MOST_PARTS    16u
#define SORTING_BYTES 0.8 /* bytes per edge that the builder's threads need for sorting, besides the buckets */

unsigned graph500_least_parts = 1;

/* Generating is cheap compared to sorting, so a list too large to be sorted at once is generated for each part. */
int prepare_graph500(struct generation *generation, struct error *error)
{
    struct graph500_list *list;
    if (allocate(&list, 1, sizeof *list, "the generator", error) != STATUS_OK)
        return error->status;
    generation->data = list;
    generation->release_data = free;
    graph500_list_init(list, (unsigned)generation->numbers[0], (unsigned)generation->numbers[1], error);
    generation->num_vertices = (uint64_t)1 << list->scale;
    generation->num_items = (list->num_edges + ITEM_EDGES - 1) / ITEM_EDGES;
    generation->num_edges = 2 * (double)list->num_edges;
    generation->num_parts = graph500_least_parts;
    for (struct error full = {0}; generation->num_parts < MOST_PARTS;
         full.status = STATUS_OK, generation->num_parts *= 2)
        if (require_room(generation, SORTING_BYTES * generation->num_edges, &full) == STATUS_OK)
            break;
    return error->status;
}

struct sink {
    struct edge_writer *writer;
    vertex_t first, number; /* first vertex and number of vertices of the part */
    bool weighted;
};

static void push_half(const struct sink *sink, vertex_t from, vertex_t to, struct graph500_edge edge)
{
    if (from - sink->first >= sink->number)
        return;
    if (sink->weighted)
        push_weighted_edge(sink->writer, from, to, graph500_weight(edge), false);
    else
        push_edge(sink->writer, from, to);
}

static unsigned push_wanted(const struct graph500_edge *edges, unsigned count, void *context)
{
    const struct sink *sink = context;
    for (unsigned i = 0; i < count; i++) {
        push_half(sink, edges[i].u, edges[i].v, edges[i]);
        if (edges[i].u != edges[i].v)
            push_half(sink, edges[i].v, edges[i].u, edges[i]);
    }
    return 0;
}

void push_graph500(const struct generation *generation, struct edge_writer *writer, uint64_t item)
{
    const struct graph500_list *list = generation->data;
    vertex_t number = (vertex_t)(generation->num_vertices / generation->num_parts);
    struct sink sink = {writer, number * generation->part, number, generation->weighted};
    uint64_t first = item * ITEM_EDGES, rest = list->num_edges - first;
    graph500_visit(list, first, first + (rest < ITEM_EDGES ? rest : ITEM_EDGES), push_wanted, &sink);
}

/* Returns a number in [0, 1), from two draws. The reference's constants: 1 / (2^31 - 1) and its square. */
static double draw_unit(struct graph500_state *state)
{
    double high = graph500_draw(state) * .000000000465661287524579692;
    return high + graph500_draw(state) * .0000000000000000002168404346990492787;
}

int graph500_keys(const struct graph *graph, int count, vertex_t *keys, struct error *error)
{
    struct graph500_matrix powers[NUM_POWERS];
    struct graph500_state state = begin(powers);
    uint64_t n = graph->num_vertices, draws = 0;
    state = graph500_skip(&powers[LOG_STREAM], state, 2);
    for (int found = 0, i; found < count; found += i == found && graph_has_edges(graph, keys[i])) {
        if (draws++ > n)
            return error_set(error, STATUS_INPUT, "%s: has fewer than %d search keys; add --sources K", graph->name,
                             count);
        double first = draw_unit(&state);
        keys[found] = (vertex_t)((uint64_t)((first + draw_unit(&state)) * (double)n) % n);
        for (i = 0; keys[i] != keys[found];) /* it is new if no earlier key equals it */
            i++;
    }
    return STATUS_OK;
}
