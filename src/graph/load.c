/* load.c: loads the graph of a --graph argument: a generator's spec, a .gtrav file, or text in one of the formats. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../device.h"
#include "../new_file.h"
#include "binary.h"
#include "generate.h"
#include "load_options.h"
#include "random.h"
#include "readers.h"
#include "table_layout.h"

#define LEAST_EDGE_BYTES 4u /* of text: "1 2\n", or in METIS "2 " and "1 " */
#define VERTEX_BYTES     16u /* of memory: its offset, and the least that a search takes, such as a level and a place */

/* ---- the formats ---- */

static bool is_matrix_market(const char *text)
{
    static const char banner[] = "%%MatrixMarket";
    text += strspn(text, " \t\r\n");
    return strncasecmp(text, banner, sizeof banner - 1) == 0;
}

/* The first line starts with 'c' or 'p'. */
static bool is_dimacs(const char *text)
{
    text += strspn(text, " \t\r\n");
    return (*text == 'c' || *text == 'p') &&
           (text[1] == ' ' || text[1] == '\t' || text[1] == '\n' || text[1] == '\r');
}

static const char *after_comments(const char *text)
{
    for (text += strspn(text, " \t\r\n"); *text == '#' || *text == '%'; text += strspn(text, " \t\r\n"))
        text += strcspn(text, "\n");
    return text;
}

/* The first line that is no comment is a property of a graph. */
static bool is_graphalytics(const char *text)
{
    return strncmp(after_comments(text), "graph.", strlen("graph.")) == 0;
}

const struct reader readers[] = {
    {"Matrix Market", ".mtx", is_matrix_market, "wrong banner; a Matrix Market file starts with %%MatrixMarket",
     read_matrix_market},
    {"DIMACS", ".gr .dimacs .col", is_dimacs, "wrong start; a DIMACS file starts with 'c' or 'p' lines", read_dimacs},
    {"Graphalytics", ".properties", is_graphalytics, "wrong start; expected 'graph.NAME.vertex-file = FILE'",
     read_graphalytics},
    {"METIS", ".graph .metis", NULL, NULL, read_metis},
    {"edge list", ".txt .e .el .edges .snap .tsv .csv .wel", NULL, NULL, read_edge_list},
    {0},
};

/* Files that other programs read: their first bytes after blanks, whatever the case of letters; what must then stand
 * on the first line, or after blanks if it is "[" or "{"; and what to do with them. */
static const struct foreign {
    const char *start, *then, *what;
} foreign[] = {
    {"\x28\xb5\x2f\xfd", NULL, "packed by zstd; unpack it by zstd -d, or pack it by gzip"},
    {"BZh91AY&SY", NULL, "packed by bzip2; unpack it by bunzip2, or pack it by gzip"},
    {"\xfd"
     "7zXZ",
     NULL, "packed by xz; unpack it by unxz, or pack it by gzip"},
    {"PK\3\4", NULL, "a zip archive, such as .npz; in Python, gtrav.Graph(scipy.sparse.load_npz(FILE))"},
    {"\x93NUMPY", NULL, "an array of NumPy; in Python, gtrav.Graph(numpy.load(FILE))"},
    {"\x89HDF", NULL, "HDF5; in Python, h5py reads it and gtrav.Graph.from_edges() takes its arrays"},
    {"MATLAB ", NULL, "a MATLAB file; in Python, gtrav.Graph(scipy.io.loadmat(FILE)['Problem']['A'][0, 0])"},
    {"PAR1\x15", NULL, "Parquet; in Python, gtrav.Graph.from_parquet(FILE)"},
    {"<?xml", NULL, "XML, such as GraphML; in Python, gtrav.Graph(networkx.read_graphml(FILE))"},
    {"<graphml", NULL, "GraphML; in Python, gtrav.Graph(networkx.read_graphml(FILE))"},
    {"<gexf", NULL, "GEXF; in Python, gtrav.Graph(networkx.read_gexf(FILE))"},
    {">>", NULL, "graph6 or sparse6; in Python, gtrav.Graph(networkx.read_graph6(FILE)) or read_sparse6"},
    {"Creator ", NULL, "GML; in Python, gtrav.Graph(networkx.read_gml(FILE))"},
    {"graph", "[", "GML; in Python, gtrav.Graph(networkx.read_gml(FILE))"},
    {"graph", "{", "DOT; in Python, gtrav.Graph(networkx.nx_pydot.read_dot(FILE))"},
    {"digraph", "{", "DOT; in Python, gtrav.Graph(networkx.nx_pydot.read_dot(FILE))"},
    {"strict ", "{", "DOT; in Python, gtrav.Graph(networkx.nx_pydot.read_dot(FILE))"},
    {"*vertices", NULL, "Pajek; in Python, gtrav.Graph(igraph.Graph.Read_Pajek(FILE))"},
    {"*network", NULL, "Pajek; in Python, gtrav.Graph(igraph.Graph.Read_Pajek(FILE))"},
    {"dl", "n", "DL of UCINET; in Python, gtrav.Graph(igraph.Graph.Read_DL(FILE))"},
    {"{", "\"", "JSON; in Python, gtrav.Graph(networkx.node_link_graph(json.load(open(FILE))))"},
    {"[", "", "JSON or a list of Python; in Python, gtrav.Graph(json.load(open(FILE))) takes a list of pairs"},
};

/* Whether the text goes on like this: after the word and blanks, or if it is a brace, on the word's line. */
static bool goes_on(const char *text, const char *then)
{
    const char *next = text + strspn(text, " \t\r\n");
    const char *brace = *then == '{' ? strchr(text, '{') : NULL;
    return strncasecmp(next, then, strlen(then)) == 0 || (brace != NULL && brace < text + strcspn(text, "\n"));
}

/* sure: only those that can be no table of names. */
static int refuse_foreign(const char *path, const char *text, size_t length, bool sure, struct error *error)
{
    const char *first = after_comments(text);
    if (length > 262 && memcmp(text + 257, "ustar", 5) == 0)
        return error_set(error, STATUS_INPUT, "%s: a tar archive, as of SuiteSparse; tar xf FILE, and take its .mtx",
                         path);
    for (const struct foreign *each = foreign; each < foreign + sizeof foreign / sizeof foreign[0]; each++) {
        size_t size = strlen(each->start);
        if (!(sure && each->then != NULL) && strncasecmp(first, each->start, size) == 0 &&
            (each->then == NULL || goes_on(first + size, each->then)))
            return error_set(error, STATUS_INPUT, "%s: %s", path, each->what);
    }
    return STATUS_OK;
}

static const char packing[] = ".gz";

/* Whether the name has one of the blank-separated endings. */
static bool has_ending(const char *name, size_t length, const char *endings, size_t *ending_length)
{
    for (const char *ending = endings; *ending != '\0'; ending += strspn(ending, " ")) {
        size_t size = strcspn(ending, " ");
        if (length > size && strncasecmp(name + length - size, ending, size) == 0) {
            *ending_length = size;
            return true;
        }
        ending += size;
    }
    return false;
}

static size_t length_unpacked(const char *name)
{
    size_t length = strlen(name), ending;
    return has_ending(name, length, packing, &ending) ? length - ending : length;
}

/* Numbers on a line; -1 if something else is there. */
static int count_numbers(const char *line, const char *end)
{
    int columns = 0;
    while (line < end) {
        line += strspn(line, " \t\r,");
        size_t token = strspn(line, "0123456789.+-eE");
        if (line < end && token == 0)
            return -1;
        columns += line < end;
        line += token;
    }
    return columns;
}

/* Rows of numbers with different lengths are METIS, not an edge list. Looks at the complete lines of text. */
static bool has_ragged_rows(const char *text)
{
    int first = -1;
    for (const char *end; (end = strchr(text, '\n')) != NULL; text = end + 1) {
        const char *start = text + strspn(text, " \t\r");
        if (*start == '%' || *start == '#' || *start == '\n')
            continue;
        int columns = count_numbers(text, end);
        if (columns < 0)
            return false;
        if (first >= 0 && columns != first)
            return true;
        first = columns;
    }
    return false;
}

/* Whether the options are such that only a table can be meant. */
static bool wants_table(const struct load_options *options)
{
    return options->ids == IDS_TEXT || options->columns != NULL;
}

/* Whether the text may be an edge list although neither its name nor a header says so. */
static bool looks_like_edges(const char *start, const struct load_options *options)
{
    bool number = *start >= '0' && *start <= '9';
    bool quoted_or_negative = (*start == '-' || *start == '"') && start[1] >= '0' && start[1] <= '9';
    return *start == '%' || *start == '#' || number || quoted_or_negative || wants_table(options);
}

static const struct reader *reader_of(int (*read)(struct text_input *, const struct load_options *, struct graph *,
                                                  struct error *))
{
    const struct reader *reader = readers;
    while (reader->read != read)
        reader++;
    return reader;
}

int pick_reader(struct text_input *input, const struct load_options *options, const struct reader **reader,
                struct error *error)
{
    const char *text;
    size_t length, ending;
    unsigned column[2];
    int status = text_peek(input, &text, &length, error);
    if (status != STATUS_OK)
        return status;
    if (refuse_foreign(input->path, text, length, wants_table(options), error) != STATUS_OK)
        return error->status;
    const char *start = text + strspn(text, " \t\r\n");
    if (*start == '\0' && strlen(text) == length && input->at_end)
        return error_set(error, STATUS_INPUT, "%s: empty file", input->path);
    for (*reader = readers; (*reader)->name != NULL; (*reader)++)
        if ((*reader)->recognizes != NULL && (*reader)->recognizes(text) &&
            !(wants_table(options) && (*reader)->read == read_dimacs))
            return STATUS_OK;
    *reader = reader_of(read_edge_list);
    if (table_has_known_header(text, column))
        return STATUS_OK;
    for (*reader = readers; (*reader)->name != NULL; (*reader)++)
        if (has_ending(input->path, length_unpacked(input->path), (*reader)->endings, &ending))
            return (*reader)->recognizes == NULL ? STATUS_OK
                                                 : text_error(input, 1, 1, error, "%s", (*reader)->not_recognized);
    if (!looks_like_edges(start, options))
        return text_error(input, 1, 1, error,
                          "not a graph format known here (Matrix Market, edge list, DIMACS, METIS, .gtrav); --ids "
                          "text reads a table of names");
    bool ragged = !wants_table(options) && has_ragged_rows(text);
    if (ragged && *start == '#') /* METIS has other comments */
        return error_set(error, STATUS_INPUT,
                         "%s: an adjacency list; in Python, gtrav.Graph(networkx.read_adjlist(FILE))", input->path);
    *reader = reader_of(ragged ? read_metis : read_edge_list);
    return STATUS_OK;
}

int refuse_directed(const struct text_input *input, const struct load_options *options, const char *kind,
                    struct error *error)
{
    if (!options->directed)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT, "%s: --directed: %s has no directions", input->path, kind);
}

int check_counts(const struct text_input *input, uint64_t num_vertices, uint64_t num_edges, struct error *error)
{
    char what[512];
    uint64_t most_bytes = text_most_bytes(input), file_bytes = input->bytes.file_bytes;
    if (num_vertices > MAX_VERTICES)
        return text_error(input, input->next_line - 1, 1, error, "%" PRIu64 " vertices; a graph has fewer than 2^32",
                          num_vertices);
    if (most_bytes > 0 && num_edges > most_bytes / LEAST_EDGE_BYTES + 1)
        return text_error(input, input->next_line - 1, 1, error,
                          "truncated or damaged file: %" PRIu64 " edges announced, and its %" PRIu64
                          " bytes%s hold fewer",
                          num_edges, file_bytes, most_bytes > file_bytes ? ", unpacked," : "");
    int length = snprintf(what, sizeof what, "%.300s: a graph of %" PRIu64 " vertices", input->path, num_vertices);
    if (most_bytes > 0)
        snprintf(what + length, sizeof what - (size_t)length, ", from a file of %" PRIu64 " bytes,", file_bytes);
    return require_memory((double)num_vertices * VERTEX_BYTES, what, error);
}

int finish_reading(struct builder *builder, uint64_t num_vertices, bool symmetric, const char *origin,
                   struct graph *graph, struct error *error)
{
    bool weights_differ = builder_weights_differ(builder);
    if (error->status == STATUS_OK)
        builder_finish(builder, (vertex_t)num_vertices, graph, error);
    builder_release(builder);
    if (error->status != STATUS_OK)
        return error->status;
    snprintf(graph->origin, sizeof graph->origin, "%s", origin);
    graph->symmetric = symmetric || graph_test_symmetry(graph);
    graph->weights_ignored = weights_differ;
    return STATUS_OK;
}

/* ---- loading ---- */

/* Some options are for edge lists. Other formats define their vertices. */
static int refuse_table_options(const char *path, const char *kind, const struct load_options *options,
                                struct error *error)
{
    const char *given = options->ids != IDS_AUTO                ? "ids"
                        : options->columns != NULL              ? "columns"
                        : options->vertices != NULL             ? "vertices"
                        : options->header != HEADER_AUTO        ? "header"
                        : options->header_counts != COUNTS_AUTO ? "header-counts"
                                                                : NULL;
    if (given == NULL)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT, "%s: --%s is for edge lists; this is %s, which says what its vertices are",
                     path, given, kind);
}

static int read_text(const char *path, const struct load_options *options, struct graph *graph, struct error *error)
{
    struct text_input input;
    const struct reader *reader;
    if (text_open(&input, path, error) == STATUS_OK && pick_reader(&input, options, &reader, error) == STATUS_OK &&
        (reader->read == read_edge_list ||
         refuse_table_options(input.path, reader->name, options, error) == STATUS_OK))
        reader->read(&input, options, graph, error);
    if (error->status == STATUS_OK && graph->read_as == NULL)
        graph->read_as = strdup("vertices numbered from 0 on: number 1 of the file is vertex 0");
    text_close(&input);
    return error->status;
}

/* Adds the reverse of every edge to a directed graph that was loaded from a .gtrav file. Nothing else changes. */
static int add_reverse_edges(struct graph *graph, struct error *error)
{
    struct graph both;
    if (graph_symmetrize(graph, &both, error) != STATUS_OK) {
        graph_release(graph);
        return error->status;
    }
    free(graph->offsets);
    free(graph->targets);
    graph->offsets = both.offsets;
    graph->targets = both.targets;
    graph->num_edges = both.num_edges;
    graph->self_loops_dropped = both.self_loops_dropped;
    graph->duplicates_dropped = both.duplicates_dropped;
    graph->symmetric = true;
    return STATUS_OK;
}

/* A graph that is not read from text knows whether it is directed. */
static int check_directed(const char *spec, const struct load_options *options, struct graph *graph,
                          struct error *error)
{
    if (!options->directed || !graph->symmetric)
        return STATUS_OK;
    graph_release(graph);
    return error_set(error, STATUS_INPUT, "%s: --directed: this graph is undirected", spec);
}

static int read_binary(const char *path, const struct load_options *options, struct graph *graph, struct error *error)
{
    if (binary_read(path, NULL, graph, error) != STATUS_OK ||
        check_directed(path, options, graph, error) != STATUS_OK)
        return error->status;
    return options->undirected && !graph->symmetric ? add_reverse_edges(graph, error) : STATUS_OK;
}

static int generate(const char *spec, const struct load_options *options, struct graph *graph, struct error *error)
{
    int status = graph_generate(spec, options->undirected, graph, error);
    return status == STATUS_OK ? check_directed(spec, options, graph, error) : status;
}

/* ---- graphs that are kept ---- */

typedef int make_graph(const char *spec, const struct load_options *options, struct graph *graph,
                       struct error *error);

/* Reads the graph from the .gtrav file in which it is kept, if that has this stamp; else makes the graph and the
 * file, in the place of one with another stamp. */
static int read_or_make(const char *kept, const struct file_stamp *stamp, make_graph *make, const char *spec,
                        const struct load_options *options, struct graph *graph, struct error *error)
{
    struct error unusable = {0};
    if (is_binary_graph(kept) && binary_read(kept, stamp, graph, &unusable) == STATUS_OK)
        return STATUS_OK;
    if (unusable.status == STATUS_INTERRUPTED)
        return error_set(error, unusable.status, "%s", unusable.text);
    if (!binary_may_replace(kept))
        return error_set(error, STATUS_INPUT,
                         "%s: this is not a cache that gtrav made, and it would be overwritten; rename it", kept);
    int status = make(spec, options, graph, error);
    if (status == STATUS_OK && (status = write_binary_file(graph, stamp, kept, error)) != STATUS_OK)
        graph_release(graph);
    return status;
}

#define READING_RULES 5u /* counts changes of what a text means; caches of older rules are made anew */

/* The stamp of a text file: its state, that of the table of vertices, and all that says how it is read. */
static bool stamp_input(const char *path, const struct load_options *options, struct file_stamp *stamp)
{
    struct file_stamp vertices = {0};
    if (!stamp_file(path, stamp) || (options->vertices != NULL && !stamp_file(options->vertices, &vertices)))
        return false;
    uint64_t how = random_bits(load_options_hash(options) + READING_RULES) ^ random_bits(vertices.bytes) ^
                   random_bits(~(uint64_t)vertices.modified_ns);
    stamp->modified_ns ^= (int64_t)how;
    return true;
}

int graph_cache_name(const char *path, const struct load_options *options, char **name, struct error *error)
{
    const char *direction = options->undirected ? "+undirected" : options->directed ? "+directed" : "";
    const char *ids = options->ids == IDS_ANY ? "+renumbered" : options->ids == IDS_TEXT ? "+text" : "";
    if (asprintf(name, "%s%s%s.gtrav", path, direction, ids) >= 0)
        return STATUS_OK;
    *name = NULL;
    return error_set(error, STATUS_INPUT, "%s: out of memory", path);
}

static int read_through_cache(const char *path, const struct load_options *options, struct graph *graph,
                              struct error *error)
{
    struct file_stamp stamp;
    char *cache;
    if (!stamp_input(path, options, &stamp)) /* then no cache could be trusted */
        return read_text(path, options, graph, error);
    if (graph_cache_name(path, options, &cache, error) == STATUS_OK)
        read_or_make(cache, &stamp, read_text, path, options, graph, error);
    free(cache);
    return error->status;
}

/* A generated graph is kept as FOLDER/SPEC.gtrav or FOLDER/SPEC+undirected.gtrav, stamped with the build. */
static int generate_through_folder(const char *spec, const struct load_options *options, struct graph *graph,
                                   struct error *error)
{
    struct file_stamp stamp = {.bytes = options->kept_by};
    char *kept;
    if (asprintf(&kept, "%s/%s%s.gtrav", options->kept_in, spec, options->undirected ? "+undirected" : "") < 0)
        return error_set(error, STATUS_INPUT, "%s: out of memory", spec);
    int status = read_or_make(kept, &stamp, generate, spec, options, graph, error);
    free(kept);
    return status == STATUS_OK ? check_directed(spec, options, graph, error) : status;
}

/* ---- any of them ---- */

/* Sets the graph's name: the file's stem or the spec, with "+undirected" or "+directed" if requested. */
static int name_graph(const char *spec, enum spec_kind kind, const struct load_options *options, struct graph *graph,
                      struct error *error)
{
    bool generated = kind == SPEC_GENERATOR;
    const char *slash = generated ? NULL : strrchr(spec, '/');
    const char *stem = kind == SPEC_STDIN ? "stdin" : slash != NULL ? slash + 1 : spec;
    const char *direction = options->undirected ? "+undirected" : options->directed ? "+directed" : "";
    size_t length = generated ? strlen(stem) : length_unpacked(stem), ending;
    if (!generated && has_ending(stem, length, ".gtrav", &ending))
        length -= ending;
    for (const struct reader *reader = readers; !generated && reader->name != NULL; reader++)
        if (has_ending(stem, length, reader->endings, &ending)) {
            length -= ending;
            break;
        }
    if (asprintf(&graph->name, "%.*s%s", (int)length, stem, direction) >= 0) {
        text_clean(graph->name, '_');
        return STATUS_OK;
    }
    graph->name = NULL;
    graph_release(graph);
    return error_set(error, STATUS_INPUT, "%s: out of memory", spec);
}

static int check_options(const struct load_options *options, struct error *error)
{
    if (options->directed && options->undirected)
        return error_set(error, STATUS_INPUT, "give one of --directed and --undirected");
    if (options->vertex_column != NULL && options->vertices == NULL)
        return error_set(error, STATUS_INPUT, "--vertex-column is of the file that --vertices names; add that");
    return STATUS_OK;
}

enum spec_kind graph_spec_kind(const char *spec)
{
    return is_stdin(spec)                              ? SPEC_STDIN
           : access(spec, F_OK) == 0 || errno == ELOOP ? SPEC_FILE
           : is_generator_spec(spec)                   ? SPEC_GENERATOR
                                                       : SPEC_NOTHING;
}

static int load_kind(const char *spec, enum spec_kind kind, const struct load_options *options, struct graph *graph,
                     struct error *error)
{
    bool generated = kind == SPEC_GENERATOR, binary = kind == SPEC_FILE && is_binary_graph(spec);
    if ((generated || binary) &&
        refuse_table_options(spec, generated ? "a generator" : "gtrav's own format", options, error) != STATUS_OK)
        return error->status;
    if (generated)
        return (options->kept_in != NULL ? generate_through_folder : generate)(spec, options, graph, error);
    if (binary)
        return read_binary(spec, options, graph, error);
    if (options->cache && kind == SPEC_STDIN)
        return error_set(error, STATUS_INPUT, "--cache keeps a graph beside its file; standard input has none");
    return (options->cache ? read_through_cache : read_text)(spec, options, graph, error);
}

int graph_load(const char *spec, const struct load_options *options, struct graph *graph, struct error *error)
{
    enum spec_kind kind = graph_spec_kind(spec);
    double began_ms = now_ms();
    *graph = (struct graph){0};
    if (check_options(options, error) != STATUS_OK)
        return error->status;
    int status = load_kind(spec, kind, options, graph, error);
    graph->load_ms = now_ms() - began_ms;
    return status == STATUS_OK ? name_graph(spec, kind, options, graph, error) : status;
}
