/* generate.c: the table of generators, parsing of specs, the loop that runs a generator, and the regular graphs, of
 * which each is a short function. The other generators are in files generate_*.c. */
#include "generators.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../device.h"
#include "../progress.h"
#include "specs.h"

#define MAX_CHUNKS 4096u /* of items; threads take them one by one, for balance and a smooth progress bar */
#define NUMERALS   "0123456789"
#define CAPITALS   "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

/* ---- regular graphs: an item is a vertex with its edges ---- */

static int prepare_vertices(struct generation *generation, UNUSED struct error *error)
{
    generation->num_vertices = generation->num_items = generation->numbers[0];
    generation->num_edges = 2 * (double)generation->num_vertices;
    return STATUS_OK;
}

static int prepare_grid(struct generation *generation, UNUSED struct error *error)
{
    generation->num_vertices = generation->num_items = generation->numbers[0] * generation->numbers[1];
    generation->num_edges = 4 * (double)generation->num_vertices;
    return STATUS_OK;
}

static int prepare_complete(struct generation *generation, struct error *error)
{
    prepare_vertices(generation, error);
    generation->num_edges = (double)generation->num_vertices * (double)generation->num_vertices;
    return STATUS_OK;
}

static void push_grid(const struct generation *generation, struct edge_writer *writer, uint64_t v)
{
    uint64_t width = generation->numbers[0];
    if ((v + 1) % width != 0)
        push_undirected_edge(writer, (vertex_t)v, (vertex_t)(v + 1));
    if (v + width < generation->num_vertices)
        push_undirected_edge(writer, (vertex_t)v, (vertex_t)(v + width));
}

static void push_path(const struct generation *generation, struct edge_writer *writer, uint64_t v)
{
    if (v + 1 < generation->num_vertices)
        push_undirected_edge(writer, (vertex_t)v, (vertex_t)(v + 1));
}

/* With one or two vertices there is no cycle; the graph is a path. */
static void push_cycle(const struct generation *generation, struct edge_writer *writer, uint64_t v)
{
    push_path(generation, writer, v);
    if (v == 0 && generation->num_vertices > 2)
        push_undirected_edge(writer, (vertex_t)(generation->num_vertices - 1), 0);
}

static void push_star(UNUSED const struct generation *generation, struct edge_writer *writer, uint64_t v)
{
    if (v > 0)
        push_undirected_edge(writer, 0, (vertex_t)v);
}

static void push_complete(const struct generation *generation, struct edge_writer *writer, uint64_t v)
{
    for (uint64_t w = v + 1; w < generation->num_vertices; w++)
        push_undirected_edge(writer, (vertex_t)v, (vertex_t)w);
}

static void push_tree(const struct generation *generation, struct edge_writer *writer, uint64_t v)
{
    for (uint64_t child = 2 * v + 1; child <= 2 * v + 2 && child < generation->num_vertices; child++)
        push_undirected_edge(writer, (vertex_t)v, (vertex_t)child);
}

/* ---- mesh: a box of points, each joined to its neighbours, the stencil of a 3-D discretisation ---- */

#define MAX_MESH_SIDE ((uint64_t)1 << 21) /* so that the number of points fits into 64 bits */
#define FACES_STENCIL 7u                  /* a point and the 6 across its faces */
#define FULL_STENCIL  27u                 /* a point and all 26 around it, as in nlpkkt240 */

static int prepare_mesh(struct generation *generation, struct error *error)
{
    uint64_t *side = generation->numbers, *stencil = &generation->numbers[3];
    if (side[1] == 0) /* mesh:X is a cube */
        side[1] = side[2] = side[0];
    if (*stencil == 0)
        *stencil = FULL_STENCIL;
    if (*stencil != FACES_STENCIL && *stencil != FULL_STENCIL)
        return error_set(error, STATUS_INPUT, "bad graph \"%.200s\": STENCIL must be %u or %u", generation->spec,
                         FACES_STENCIL, FULL_STENCIL);
    generation->num_vertices = generation->num_items = side[0] * side[1] * side[2];
    generation->num_edges = (double)(*stencil - 1) * (double)generation->num_vertices;
    return STATUS_OK;
}

/* Point (x, y, z) is vertex x + X (y + Y z). Pushes its edges to the points that come after it. */
static void push_mesh(const struct generation *generation, struct edge_writer *writer, uint64_t v)
{
    const uint64_t *side = generation->numbers;
    const uint64_t x = v % side[0], y = v / side[0] % side[1], z = v / side[0] / side[1];
    for (int step = 14; step < 27; step++) { /* 13 is the point itself; steps of -1, 0, 1 in each direction */
        int dx = step % 3 - 1, dy = step / 3 % 3 - 1, dz = step / 9 - 1;
        bool inside = x + (uint64_t)dx < side[0] && y + (uint64_t)dy < side[1] && z + (uint64_t)dz < side[2];
        if (inside && (side[3] == FULL_STENCIL || abs(dx) + abs(dy) + abs(dz) == 1))
            push_undirected_edge(
                writer, (vertex_t)v,
                (vertex_t)(x + (uint64_t)dx + side[0] * (y + (uint64_t)dy + side[1] * (z + (uint64_t)dz))));
    }
}

/* ---- the table ---- */

#define MAX_GAP_SCALE      31 /* 2^31 vertices are the most that 32-bit ids hold */
#define MAX_ROAD_SCALE     28 /* 11.5 * 2^28 vertices still fit */
#define MAX_KMER_SCALE     29 /* 6.2 * 2^29 vertices still fit */
#define MAX_DELAUNAY_SCALE 27 /* up to this scale no two random points coincide, as tests have shown */

/* clang-format off */
const struct generator generators[] = {
    {"kron", "kron:SCALE[:EDGEFACTOR]",
     "Graph500's Kronecker graph, 2^SCALE vertices, 16 undirected edges each by default",
     {{0, MAX_GAP_SCALE}, {1, UINT32_MAX}}, false, prepare_gap, push_kron, WEIGHTS_GAP},
    {"urand", "urand:SCALE[:EDGEFACTOR]",
     "uniformly random edges, 2^SCALE vertices, 16 undirected edges each by default",
     {{0, MAX_GAP_SCALE}, {1, UINT32_MAX}}, false, prepare_gap, push_urand, WEIGHTS_GAP},
    {"graph500", "graph500:SCALE[:EDGEFACTOR]",
     "like kron, with exactly the edges that the Graph500 benchmark's program makes",
     {{1, MAX_GAP_SCALE}, {1, UINT32_MAX}}, false, prepare_graph500, push_graph500, WEIGHTS_GRAPH500},
    {"grid", "grid:WxH", "grid of W columns and H rows",
     {{1, MAX_VERTICES}, {1, MAX_VERTICES}}, false, prepare_grid, push_grid},
    {"road", "road:SCALE", "road-like: a thinned grid of 2^SCALE crossings joined by chains",
     {{0, MAX_ROAD_SCALE}}, false, prepare_road, push_road},
    {"rgg", "rgg:SCALE", "2^SCALE random points in a square, joined when close (DIMACS10 rgg_n_2_SCALE)",
     {{0, MAX_GAP_SCALE}}, false, prepare_rgg, push_rgg},
    {"delaunay", "delaunay:SCALE", "Delaunay triangulation of 2^SCALE random points (DIMACS10 delaunay_nSCALE)",
     {{0, MAX_DELAUNAY_SCALE}}, false, prepare_delaunay, push_delaunay},
    {"mesh", "mesh:X[xYxZ][:STENCIL]",
     "box of X * Y * Z points (only X: a cube), each joined to all 26 around it, or with :7 to the 6 nearest; "
     "like nlpkkt240",
     {{1, MAX_MESH_SIDE}, {1, MAX_MESH_SIDE}, {1, MAX_MESH_SIDE}, {FACES_STENCIL, FULL_STENCIL}}, false, prepare_mesh,
     push_mesh},
    {"web", "web:SCALE[:EDGEFACTOR]",
     "directed, like a crawl of the web: 2^SCALE pages of sites, 24 links each by default, many of them copied from "
     "earlier pages; like uk-2005, webbase-2001",
     {{0, MAX_GAP_SCALE}, {1, 1024}}, true, prepare_web, push_web},
    {"kmer", "kmer:SCALE", "k-mers of genomes: 2^SCALE branches joined by chains, 6.2 * 2^SCALE vertices (kmer_V1r)",
     {{0, MAX_KMER_SCALE}}, false, prepare_kmer, push_kmer},
    {"mawi", "mawi:SCALE", "traffic: 2^SCALE hosts, most of them joined only to vertex 0; like mawi_201512020330",
     {{0, MAX_GAP_SCALE}}, false, prepare_mawi, push_mawi},
    {"snb", "snb:SCALE",
     "synthetic: as many vertices and undirected edges as LDBC SNB's persons at scale factor 1, 3, 10, 30, 100 or 300, "
     "power-law-like degrees",
     {{1, 300}}, false, prepare_snb, push_snb},
    {"dag", "dag:N:P", "acyclic: every pair i < j of N vertices is an edge with probability P",
     {{0, MAX_VERTICES}}, true, prepare_dag, push_dag},
    {"path", "path:N", "path of N vertices", {{0, MAX_VERTICES}}, false, prepare_vertices, push_path},
    {"cycle", "cycle:N", "cycle of N vertices", {{0, MAX_VERTICES}}, false, prepare_vertices, push_cycle},
    {"star", "star:N", "vertex 0 joined to N - 1 others", {{0, MAX_VERTICES}}, false, prepare_vertices, push_star},
    {"complete", "complete:N", "every pair of N vertices joined",
     {{0, MAX_VERTICES}}, false, prepare_complete, push_complete},
    {"tree", "tree:N", "complete binary tree: i joined to 2i + 1 and 2i + 2, N vertices",
     {{0, MAX_VERTICES}}, false, prepare_vertices, push_tree},
    {0},
};
/* clang-format on */

/* ---- specs ---- */

bool is_generator_spec(const char *spec)
{
    size_t name_length = strcspn(spec, ":/");
    return name_length > 0 && spec[name_length] == ':';
}

static bool parse_probability(const char **text, double *probability)
{
    bool plain = strspn(*text, NUMERALS ".eE+-") == strlen(*text); /* strtod would also take "nan" and "0x1" */
    char *end;
    *probability = strtod(*text, &end);
    bool valid = plain && end != *text && *probability >= 0 && *probability <= 1;
    *text = end;
    return valid;
}

/* Skips an optional group of the form, which begins at [. Adds the count of its numbers to *number. */
static const char *skip_group(const char *form, int *number)
{
    for (; *form != ']'; form++)
        *number += strchr(CAPITALS, *form) != NULL && strchr(CAPITALS, form[1]) == NULL;
    return form + 1;
}

/* Parses the spec by the generator's syntax, in which capitals name a number, [ ] enclose an optional group, and any
 * other character matches itself. */
static int parse_spec(const struct generator *generator, struct generation *generation, struct error *error)
{
    const char *form = generator->syntax + strlen(generator->name);
    const char *text = generation->spec + strlen(generator->name);
    for (int i = 0; *form != '\0';) {
        if (*form == '[' && *text != form[1]) {
            form = skip_group(form, &i);
            continue;
        }
        form += *form == '[';
        bool matches = *text++ == *form++;
        if (*form == 'P') {
            if (!matches || !parse_probability(&text, &generation->probability))
                return error_set(error, STATUS_INPUT, "bad graph \"%.200s\": P must be a number from 0 to 1 in %s",
                                 generation->spec, generator->syntax);
        } else {
            uint64_t minimum = generator->ranges[i].minimum, maximum = generator->ranges[i].maximum;
            if (!matches || !spec_number(&text, minimum, maximum, &generation->numbers[i]))
                return error_set(error, STATUS_INPUT,
                                 "bad graph \"%.200s\": %.*s must be a whole number from %llu to %llu in %s",
                                 generation->spec, (int)strspn(form, CAPITALS), form, (unsigned long long)minimum,
                                 (unsigned long long)maximum, generator->syntax);
            i++;
        }
        form += strspn(form, CAPITALS);
        form += *form == ']';
    }
    if (*text != '\0')
        return error_set(error, STATUS_INPUT, "bad graph \"%.200s\": \"%.100s\" has no place in %s", generation->spec,
                         text, generator->syntax);
    return STATUS_OK;
}

/* ---- making the graph ---- */

int require_room(const struct generation *generation, double extra_bytes, struct error *error)
{
    char what[256];
    snprintf(what, sizeof what, "%.200s", generation->spec);
    double in_buckets = generation->num_edges / generation->num_parts; /* of the last part; the others are in rows */
    double edges = in_buckets * sizeof(struct edge) + (generation->num_edges - in_buckets) * sizeof(vertex_t);
    double graph = (generation->weighted ? 2 : 1) * edges + (double)generation->num_vertices * sizeof(edge_t);
    return require_memory(graph + extra_bytes, what, error);
}

static int push_items(const struct generator *generator, const struct generation *generation, struct builder *builder,
                      struct error *error)
{
    uint64_t chunk_items = generation->num_items / MAX_CHUNKS + 1;
    uint64_t num_chunks = (generation->num_items + chunk_items - 1) / chunk_items, finished = 0;
    struct progress_listener *listener = progress_listener;
    progress_begin("generating", num_chunks);
#pragma omp parallel for schedule(dynamic, 1)
    for (uint64_t c = 0; c < num_chunks; c++) {
        progress_join(listener);
        struct edge_writer *writer = &builder->writers[omp_get_thread_num()];
        if (stop_requested() || writer->failed)
            continue;
        for (uint64_t item = c * chunk_items; item < (c + 1) * chunk_items && item < generation->num_items; item++)
            generator->push(generation, writer, item);
        progress_set(__atomic_add_fetch(&finished, 1, __ATOMIC_RELAXED));
    }
    progress_end();
    return stop_requested() ? error_set(error, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

static int prepare_checked(const struct generator *generator, struct generation *generation, struct error *error)
{
    if (generator->prepare(generation, error) != STATUS_OK)
        return error->status;
    if (generation->num_vertices > MAX_VERTICES)
        return error_set(error, STATUS_INPUT, "%.200s has %llu vertices; a graph has fewer than 2^32", generation->spec,
                         (unsigned long long)generation->num_vertices);
    return require_room(generation, 0, error);
}

/* Appends the rows of a part, and empties the part. Its vertices follow those that already have rows. */
static int append_rows(struct graph *graph, struct graph *part, struct error *error)
{
    if (graph->offsets == NULL) {
        *graph = *part;
        return STATUS_OK;
    }
    edge_t end = graph->num_edges + part->num_edges;
    const size_t bytes = weight_bytes(graph->weight_type);
    vertex_t *targets = realloc(graph->targets, (end + 1) * sizeof *targets);
    graph->targets = targets != NULL ? targets : graph->targets;
    char *weights = bytes > 0 && targets != NULL ? realloc(graph->weights, (end + 1) * bytes) : NULL;
    graph->weights = weights != NULL ? weights : graph->weights;
    bool complete = targets != NULL && (bytes == 0 || weights != NULL);
    if (complete) {
        if (bytes > 0)
            copy_by_all_threads(weights + graph->num_edges * bytes, part->weights, part->num_edges * bytes);
        copy_by_all_threads(targets + graph->num_edges, part->targets, part->num_edges * sizeof *targets);
        for (uint64_t v = 0; v <= graph->num_vertices; v++)
            graph->offsets[v] += part->offsets[v];
        graph->num_edges = end;
        graph->self_loops_dropped += part->self_loops_dropped;
        graph->duplicates_dropped += part->duplicates_dropped;
    }
    graph_release(part);
    return complete ? STATUS_OK : error_set(error, STATUS_INPUT, "out of memory: the edges of a part");
}

/* Generates a part. Frees the generator's data before the builder of the last part needs memory. */
static int generate_part(const struct generator *generator, const struct generation *generation, struct graph *graph,
                         struct error *error)
{
    struct builder builder = {0};
    struct graph rows;
    if (error->status == STATUS_OK && builder_init(&builder, generation->num_vertices, error) == STATUS_OK) {
        if (generation->weighted)
            builder.weight_type = generator->weights == WEIGHTS_GAP ? WEIGHTS_UINT32 : WEIGHTS_FLOAT;
        push_items(generator, generation, &builder, error);
    }
    if (generation->release_data != NULL && generation->part + 1 == generation->num_parts)
        generation->release_data(generation->data);
    if (builder_finish(&builder, (vertex_t)generation->num_vertices, &rows, error) == STATUS_OK)
        append_rows(graph, &rows, error);
    return error->status;
}

int graph_generate_without_lists(const char *spec, struct graph *graph, struct error *error)
{
    struct generation generation = {.spec = spec, .num_parts = 1};
    *graph = (struct graph){0};
    const struct generator *generator = find_generator(spec, error);
    if (generator == NULL || parse_spec(generator, &generation, error) != STATUS_OK ||
        generator->prepare(&generation, error) != STATUS_OK)
        return error->status;
    if (generation.release_data != NULL)
        generation.release_data(generation.data);
    *graph = (struct graph){.num_vertices = (vertex_t)generation.num_vertices,
                            .num_edges = (edge_t)generation.num_edges,
                            .symmetric = !generator->directed,
                            .origin = "generated"};
    return STATUS_OK;
}

int graph_generate(const char *spec, bool undirected, bool weighted, struct graph *graph, struct error *error)
{
    struct generation generation = {.spec = spec, .undirected = undirected, .num_parts = 1};
    *graph = (struct graph){0};
    const struct generator *generator = find_generator(spec, error);
    if (generator == NULL || parse_spec(generator, &generation, error) != STATUS_OK)
        return error->status;
    generation.weighted = weighted && generator->weights != WEIGHTS_INPUT;
    prepare_checked(generator, &generation, error);
    for (; generation.part < generation.num_parts; generation.part++)
        generate_part(generator, &generation, graph, error);
    graph->symmetric = !generator->directed || undirected;
    graph->symmetric_weights = generation.weighted && graph->symmetric;
    graph->weight_source = generator->weights;
    snprintf(graph->origin, sizeof graph->origin, "%s", generation.origin != NULL ? generation.origin : "generated");
    if (error->status != STATUS_OK)
        graph_release(graph);
    return error->status;
}
