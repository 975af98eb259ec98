/* graph.h: the graph type (CSR) and what can be done with a whole graph. */
#pragma once

#include "../error.h"

C_NAMES_BEGIN

typedef uint32_t vertex_t; /* vertex id, 0-based */
typedef uint64_t edge_t;   /* offset into the adjacency array */

#define NO_VERTEX    UINT32_MAX /* no parent; therefore a graph has fewer than 2^32 vertices */
#define MAX_VERTICES UINT32_MAX /* vertices of the largest graph: ids 0 .. 2^32 - 2 */

#define MAX_REORDERING 24 /* bytes of a reordering's spec, reorder.h */

/* The type of a graph's weights. Weights are not negative, finite, and no NaN, so their bits order as they do. */
enum weight_type { WEIGHTS_NONE, WEIGHTS_UINT32, WEIGHTS_FLOAT, WEIGHTS_DOUBLE };

/* Where weights come from: the input, a hash of each edge's ends, or the rule of a benchmark's generator. */
enum weight_source { WEIGHTS_INPUT, WEIGHTS_HASHED, WEIGHTS_GAP, WEIGHTS_GRAPH500 };

/* A directed graph in compressed sparse rows; an undirected one stores every edge both ways and is symmetric. The
 * out-neighbours of v are targets[offsets[v]] .. targets[offsets[v + 1] - 1], ascending, each once, never v. */
struct graph {
    char *name; /* the file's stem or the generator's spec; "+undirected" is appended if requested */
    vertex_t num_vertices;
    edge_t num_edges;  /* as stored: an undirected edge is two */
    edge_t *offsets;   /* num_vertices + 1; NULL: the graph has no lists in host memory */
    vertex_t *targets; /* num_edges */
    /* Without lists: a bit for each vertex that has edges; num_edges counts duplicates and self-loops, too. Only an
     * algorithm that `builds` takes such a graph. NULL: it has lists. */
    uint32_t *has_edges;
    bool symmetric; /* for every edge u -> v there is v -> u; its weight may be another one */
    enum weight_type weight_type;
    void *weights;          /* num_edges values of that type, beside targets; NULL: none */
    bool symmetric_weights; /* the reverse of every edge has its weight, too; false without weights */
    enum weight_source weight_source;
    char origin[32]; /* where it comes from: "symmetric file", "general file", "generated" */
    double load_ms;  /* time to read or generate it; 0: it came as arrays */
    uint64_t self_loops_dropped, duplicates_dropped; /* edges of the input that are not stored */
    bool weights_ignored;            /* the input's edges have weights that differ; the graph keeps none of them */
    vertex_t *permutation;           /* num_vertices: the input's id of each vertex; NULL: not reordered */
    char reordering[MAX_REORDERING]; /* how the vertices were reordered: "jaccard:65536"; "": not at all */
    /* The ids of the vertices in the file, ascending. They are in the input's order, even if the graph is reordered.
     * Ids are numbers (`ids`), text (`names` and `name_at`), or 0, 1, 2, ... (all NULL). */
    uint64_t *ids;     /* num_vertices */
    bool signed_ids;   /* ids are int64_t values, at least one of them negative */
    uint64_t *name_at; /* num_vertices + 1: the id of v is the text at names + name_at[v], which ends with a NUL */
    char *names;       /* name_at[num_vertices] bytes; texts in ascending order of their bytes */
    char *read_as;     /* what the reader assumed about the input, in one line; NULL: nothing. Owned */
};

/* Returns whether the input has self-loops, which are cycles although they are not stored. Self-loops that a
 * generator drops do not count. */
static inline bool graph_has_loops(const struct graph *graph)
{
    return graph->self_loops_dropped > 0 && strncmp(graph->origin, "generated", strlen("generated")) != 0;
}

static inline bool graph_has_lists(const struct graph *graph)
{
    return graph->offsets != NULL;
}

static inline edge_t graph_degree(const struct graph *graph, vertex_t v)
{
    return graph->offsets[v + 1] - graph->offsets[v];
}

/* ---- weights, in weights.c ---- */

static inline size_t weight_bytes(enum weight_type type)
{
    return type == WEIGHTS_NONE ? 0 : type == WEIGHTS_DOUBLE ? sizeof(double) : sizeof(uint32_t);
}

/* Returns the weight of edge e of a graph with weights. A double holds every weight exactly. */
static inline double graph_weight(const struct graph *graph, edge_t e)
{
    return graph->weight_type == WEIGHTS_UINT32  ? ((const uint32_t *)graph->weights)[e]
           : graph->weight_type == WEIGHTS_FLOAT ? ((const float *)graph->weights)[e]
                                                 : ((const double *)graph->weights)[e];
}

/* Gives a graph without weights symmetric ones: 1 + random_bits(LOW << 32 | HIGH) % 255 for the edge between the
 * input's vertices LOW <= HIGH, counted from 0. */
int graph_add_hashed_weights(struct graph *graph, struct error *error);

/* Frees the weights. Sets weights_ignored if they differ. */
void graph_drop_weights(struct graph *graph);

/* "hashed", as in records */
const char *weight_source_name(enum weight_source source);

/* Describes a graph's weights: "uint32, hashed, symmetric". Returns the text. */
#define WEIGHTS_BYTES 32
const char *weights_in_words(const struct graph *graph, char text[WEIGHTS_BYTES]);

/* Returns whether the vertex has out-neighbours. */
static inline bool graph_has_edges(const struct graph *graph, vertex_t v)
{
    return graph_has_lists(graph) ? graph_degree(graph, v) > 0 : graph->has_edges[v / 32] >> v % 32 & 1;
}

/* ---- ids, in vertex_ids.c ---- */

#define ID_DIGITS 24 /* bytes of a number's text */

/* Returns whether the vertices have other ids than 0, 1, 2, ... */
static inline bool graph_has_ids(const struct graph *graph)
{
    return graph->ids != NULL || graph->names != NULL;
}

/* Returns the id of the input's vertex v as text, in `digits` or in the graph. v must be a vertex. */
const char *graph_id(const struct graph *graph, vertex_t v, char digits[ID_DIGITS]);

/* Copies the id to `text`, cut to size bytes including the NUL. Returns the length of the whole id without the NUL,
 * or 0 if there is no such vertex. */
size_t graph_put_id(const struct graph *graph, vertex_t v, char *text, size_t size);

/* Finds the vertex with an id, which is given as text. Returns false if there is none. */
bool graph_find_text(const struct graph *graph, const char *text, size_t length, vertex_t *vertex);

/* Returns whether the text is a whole number of any size, perhaps negative. */
bool is_whole_number(const char *text, size_t length);

/* Copies the ids of a graph to a graph of the same vertices without ids. */
int graph_copy_ids(const struct graph *from, struct graph *to, struct error *error);

/* Returns the bytes of the two CSR arrays. */
static inline uint64_t graph_bytes(const struct graph *graph)
{
    return ((uint64_t)graph->num_vertices + 1) * sizeof(edge_t) + graph->num_edges * sizeof(vertex_t);
}

/* What the ids of an edge list are. dense: vertex numbers, so the graph has all vertices up to the largest id. any:
 * numbers as names, so the vertices are the distinct ids (see struct graph). text: names of any text. auto: decided
 * from the first lines; if these are dense but the file's ids are sparse, it is rejected (read_edges.c). */
enum id_mode { IDS_AUTO, IDS_ANY, IDS_DENSE, IDS_TEXT };

/* Whether the first row of an edge list names the columns. auto: it does if it cannot be an edge. */
enum header_row { HEADER_AUTO, HEADER_YES, HEADER_NO };

/* Whether the first line of an edge list holds the numbers of vertices and edges. auto: it does if they are right. */
enum header_counts { COUNTS_AUTO, COUNTS_YES, COUNTS_NO };

/* Options for loading a graph; all zero: the defaults. load_options.h lists those that users set, with their help. */
struct load_options {
    bool undirected, directed, cache;
    bool without_lists; /* only for generators: makes a graph without lists in host memory and without has_edges */
    int ids;            /* enum id_mode; up to vertex_column, only for edge lists */
    int header;         /* enum header_row */
    int header_counts;  /* enum header_counts */
    const char *columns, *vertices, *vertex_column; /* NULL: not given; not owned */
    const char *weights;                            /* NULL: none; "auto", or a column of an edge list; not owned */
    const char *kept_in;                            /* NULL, or a folder in which generated graphs are kept */
    uint64_t kept_by;                               /* stamp of this build; other builds' graphs are not used */
};

/* What a --graph argument names. */
enum spec_kind { SPEC_STDIN, SPEC_FILE, SPEC_GENERATOR, SPEC_NOTHING };
enum spec_kind graph_spec_kind(const char *spec);

/* Loads the graph that a --graph argument names: a file in any supported format, standard input ("-") with text in
 * such a format, or a generator's spec (rules: load.c). On failure *graph is empty. graph_release() frees it. */
int graph_load(const char *spec, const struct load_options *options, struct graph *graph, struct error *error);

/* Makes the name of a text file's cache, which lies next to it: NAME.mtx.gtrav, NAME.mtx+undirected.gtrav; with --ids
 * any, NAME.txt+renumbered.gtrav; with weights, NAME.mtx+weights.gtrav. The caller frees *name, which is NULL on
 * failure. */
int graph_cache_name(const char *path, const struct load_options *options, char **name, struct error *error);

/* Frees the memory of a graph and empties it. An empty graph stays empty. */
void graph_release(struct graph *graph);

/* Counts the vertices of each degree, 0 .. *max_degree. The caller frees *counts. */
int graph_count_degrees(const struct graph *graph, vertex_t **counts, edge_t *max_degree, struct error *error);

/* Makes a new graph with all edges reversed, and their weights, without name and counts. */
int graph_transpose(const struct graph *graph, struct graph *transpose, struct error *error);

/* Makes a graph with all edges reversed and with the ids, order and counts of `graph`. Its name gets "+reversed"
 * unless the graph is symmetric. On failure *reversed is empty. */
int graph_reverse(const struct graph *graph, struct graph *reversed, struct error *error);

/* Copies ids, counts and facts from another graph with the same vertices, and its name with this ending. */
int graph_describe(struct graph *graph, const struct graph *other, const char *ending, struct error *error);

/* Makes a new graph of all edges and their reverses, without name and counts. Of the weights of an edge and of its
 * reverse, both get the smaller. */
int graph_symmetrize(const struct graph *graph, struct graph *both, struct error *error);

/* Returns whether every edge has its reverse. Compares the sum of 64-bit hashes of the edges with that of the
 * reversed edges, in one pass without random access. Different edge sets have the same sum with probability 2^-64. */
bool graph_test_symmetry(const struct graph *graph);
/* The same of edges with their weights; false without weights. */
bool graph_test_symmetric_weights(const struct graph *graph);

/* Sets *acyclic to whether the graph has no directed cycle (an undirected edge is a cycle). Parallel; takes 8 bytes
 * per vertex if the graph is directed. STATUS_INTERRUPTED on Ctrl-C. In statistics.c. */
int graph_test_acyclic(const struct graph *graph, bool *acyclic, struct error *error);

/* Sets label[v] to the smallest vertex of v's weak component. in: the transpose of out, or out itself if symmetric;
 * NULL: no transpose, so all edges are read. Parallel; undefined after stop_requested(). In components.c. */
void label_components(const struct graph *out, const struct graph *in, vertex_t *label);

/* Checks the invariants of struct graph in data from files: offsets ascend, targets are in range and ascend, there
 * are no self-loops, weights are valid, and a graph or weights marked symmetric are symmetric. */
int graph_validate(const struct graph *graph, const char *path, struct error *error);

/* Writes the graph in the format of the name's ending: .mtx (Matrix Market, symmetric if the graph is) or .gtrav. Only
 * .gtrav keeps a permutation. The file gets its name when it is complete. */
int graph_write(const struct graph *graph, const char *path, struct error *error);

/* Returns STATUS_INPUT if graph_write() would reject the name or could not write there. Needs no graph. */
int graph_write_check(const char *path, struct error *error);

/* Returns whether graph_write() writes a .gtrav file under this name. */
bool is_binary_name(const char *path);

C_NAMES_END
