/* load.c: loads the graph of a --graph argument: a generator's spec, a .gtrav file, or text in one of the formats. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "binary.h"
#include "generate.h"
#include "readers.h"
#include "write.h"

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

const struct reader readers[] = {
    {"Matrix Market", ".mtx", is_matrix_market, "wrong banner; a Matrix Market file starts with %%MatrixMarket",
     read_matrix_market},
    {"DIMACS", ".gr .dimacs .col", is_dimacs, "wrong start; a DIMACS file starts with 'c' or 'p' lines", read_dimacs},
    {"SNB", "", is_snb, NULL, read_snb},
    {"METIS", ".graph .metis", NULL, NULL, read_metis},
    {"edge list", ".txt .el .edges .snap .tsv .csv .wel", NULL, NULL, read_edge_list},
    {0},
};

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

/* Numbers on a line. */
static int count_columns(const char *line, const char *end)
{
    int columns = 0;
    while (line < end) {
        line += strspn(line, " \t\r,");
        size_t token = strcspn(line, " \t\r,\n");
        columns += token > 0 && line < end;
        line += token > 0 ? token : 1;
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
        int columns = count_columns(text, end);
        if (first >= 0 && columns != first)
            return true;
        first = columns;
    }
    return false;
}

int pick_reader(struct text_input *input, const struct reader **reader, struct error *error)
{
    const char *text;
    size_t length, ending;
    int status = text_peek(input, &text, &length, error);
    if (status != STATUS_OK)
        return status;
    const char *start = text + strspn(text, " \t\r\n");
    if (*start == '\0' && strlen(text) == length && input->at_end)
        return error_set(error, STATUS_INPUT, "%s: empty file", input->path);
    for (*reader = readers; (*reader)->name != NULL; (*reader)++)
        if ((*reader)->recognizes != NULL && (*reader)->recognizes(text))
            return STATUS_OK;
    for (*reader = readers; (*reader)->name != NULL; (*reader)++)
        if (has_ending(input->path, length_unpacked(input->path), (*reader)->endings, &ending))
            return (*reader)->recognizes == NULL
                       ? STATUS_OK
                       : error_set(error, STATUS_INPUT, "%s:1:1: %s", input->path, (*reader)->not_recognized);
    if (*start != '%' && *start != '#' && !(*start >= '0' && *start <= '9'))
        return error_set(
            error, STATUS_INPUT,
            "%s:1:1: not a graph format known here (Matrix Market, edge list, DIMACS, METIS, SNB, .gtrav)",
            input->path);
    int (*read)(struct text_input *, const struct load_options *, struct graph *, struct error *) =
        has_ragged_rows(text) ? read_metis : read_edge_list;
    for (*reader = readers; (*reader)->read != read; (*reader)++)
        continue;
    return STATUS_OK;
}

int check_vertex_count(const struct text_input *input, uint64_t num_vertices, struct error *error)
{
    char what[512];
    snprintf(what, sizeof what, "%.400s: a graph of %llu vertices", input->path, (unsigned long long)num_vertices);
    if (num_vertices <= MAX_VERTICES)
        return require_memory((double)num_vertices * sizeof(edge_t), what, error);
    return error_set(error, STATUS_INPUT, "%s:%llu:1: %llu vertices; a graph has fewer than 2^32", input->path,
                     (unsigned long long)input->next_line - 1, (unsigned long long)num_vertices);
}

int finish_reading(struct builder *builder, uint64_t num_vertices, bool symmetric, const char *origin,
                   struct graph *graph, struct error *error)
{
    if (error->status == STATUS_OK)
        builder_finish(builder, (vertex_t)num_vertices, graph, error);
    builder_release(builder);
    if (error->status != STATUS_OK)
        return error->status;
    snprintf(graph->origin, sizeof graph->origin, "%s", origin);
    graph->symmetric = symmetric || graph_test_symmetry(graph);
    return STATUS_OK;
}

/* ---- loading ---- */

/* --ids says what the ids of an edge list mean. Other formats define their vertices. */
static int refuse_ids(const char *path, const char *kind, struct error *error)
{
    return error_set(error, STATUS_INPUT, "%s: --ids is for edge lists; this is %s, which says what its vertices are",
                     path, kind);
}

static int read_text(const char *path, const struct load_options *options, struct graph *graph, struct error *error)
{
    struct text_input input;
    const struct reader *reader;
    if (text_open(&input, path, error) == STATUS_OK && pick_reader(&input, &reader, error) == STATUS_OK) {
        if (options->ids != IDS_AUTO && reader->read != read_edge_list)
            refuse_ids(input.path, reader->name, error);
        else
            reader->read(&input, options, graph, error);
    }
    text_close(&input);
    return error->status;
}

/* Adds the reverse of every arc to a directed graph that was loaded from a .gtrav file. */
static int add_reverse_arcs(struct graph *graph, struct error *error)
{
    struct graph directed = *graph;
    if (graph_symmetrize(&directed, graph, error) == STATUS_OK) {
        memcpy(graph->origin, directed.origin, sizeof graph->origin);
        memcpy(graph->reordering, directed.reordering, sizeof graph->reordering);
        size_t bytes = directed.num_vertices * sizeof *graph->permutation;
        if (directed.permutation != NULL &&
            allocate(&graph->permutation, directed.num_vertices, sizeof *graph->permutation, "the permutation",
                     error) == STATUS_OK)
            memcpy(graph->permutation, directed.permutation, bytes);
        graph_copy_ids(&directed, graph, error);
    }
    if (error->status != STATUS_OK)
        graph_release(graph);
    graph_release(&directed);
    return error->status;
}

static int read_binary(const char *path, bool undirected, struct graph *graph, struct error *error)
{
    int status = binary_read(path, NULL, graph, error);
    return status == STATUS_OK && undirected && !graph->symmetric ? add_reverse_arcs(graph, error) : status;
}

/* The cache of a text file lies beside it: NAME.mtx.gtrav, NAME.mtx+undirected.gtrav; with --ids any,
 * NAME.txt+renumbered.gtrav. */
static int read_through_cache(const char *path, const struct load_options *options, struct graph *graph,
                              struct error *error)
{
    char *cache;
    struct file_stamp stamp;
    struct error unusable = {0};
    if (asprintf(&cache, "%s%s%s.gtrav", path, options->undirected ? "+undirected" : "",
                 options->ids == IDS_ANY ? "+renumbered" : "") < 0)
        return error_set(error, STATUS_INPUT, "%s: out of memory", path);
    bool stamped = stamp_file(path, &stamp);
    int status = STATUS_OK;
    if (!stamped || !is_binary_graph(cache) || binary_read(cache, &stamp, graph, &unusable) != STATUS_OK) {
        status = read_text(path, options, graph, error);
        if (status == STATUS_OK && (status = write_binary_file(graph, &stamp, cache, error)) != STATUS_OK)
            graph_release(graph);
    }
    free(cache);
    return status;
}

/* A generated graph is kept as FOLDER/SPEC.gtrav or FOLDER/SPEC+undirected.gtrav, stamped with the build. */
static int generate_through_folder(const char *spec, const struct load_options *options, struct graph *graph,
                                   struct error *error)
{
    char *kept;
    struct file_stamp stamp = {.bytes = options->kept_by};
    struct error unusable = {0};
    if (asprintf(&kept, "%s/%s%s.gtrav", options->kept_in, spec, options->undirected ? "+undirected" : "") < 0)
        return error_set(error, STATUS_INPUT, "%s: out of memory", spec);
    int status = STATUS_OK;
    if (!is_binary_graph(kept) || binary_read(kept, &stamp, graph, &unusable) != STATUS_OK) {
        status = graph_generate(spec, options->undirected, graph, error);
        if (status == STATUS_OK && (status = write_binary_file(graph, &stamp, kept, error)) != STATUS_OK)
            graph_release(graph);
    }
    free(kept);
    return status;
}

/* Sets the graph's name: the file's stem or the spec, with "+undirected" if requested. */
static int name_graph(const char *spec, bool generated, bool undirected, struct graph *graph, struct error *error)
{
    const char *slash = generated ? NULL : strrchr(spec, '/');
    const char *stem = is_stdin(spec) ? "stdin" : slash != NULL ? slash + 1 : spec;
    size_t length = generated ? strlen(stem) : length_unpacked(stem), ending;
    if (!generated && has_ending(stem, length, ".gtrav", &ending))
        length -= ending;
    for (const struct reader *reader = readers; !generated && reader->name != NULL; reader++)
        if (has_ending(stem, length, reader->endings, &ending)) {
            length -= ending;
            break;
        }
    if (asprintf(&graph->name, "%.*s%s", (int)length, stem, undirected ? "+undirected" : "") >= 0)
        return STATUS_OK;
    graph->name = NULL;
    graph_release(graph);
    return error_set(error, STATUS_INPUT, "%s: out of memory", spec);
}

static int load_as_named(const char *spec, bool generated, const struct load_options *options, struct graph *graph,
                         struct error *error)
{
    bool binary = !generated && !is_stdin(spec) && is_binary_graph(spec);
    if (options->ids != IDS_AUTO && (generated || binary))
        return refuse_ids(spec, generated ? "a generator" : "gtrav's own format", error);
    if (generated)
        return options->kept_in != NULL ? generate_through_folder(spec, options, graph, error)
                                        : graph_generate(spec, options->undirected, graph, error);
    if (binary)
        return read_binary(spec, options->undirected, graph, error);
    if (options->cache && is_stdin(spec))
        return error_set(error, STATUS_INPUT, "--cache keeps a graph beside its file; standard input has none");
    return options->cache ? read_through_cache(spec, options, graph, error) : read_text(spec, options, graph, error);
}

int graph_load(const char *spec, const struct load_options *options, struct graph *graph, struct error *error)
{
    bool generated = is_generator_spec(spec) && access(spec, F_OK) != 0;
    *graph = (struct graph){0};
    int status = load_as_named(spec, generated, options, graph, error);
    return status == STATUS_OK ? name_graph(spec, generated, options->undirected, graph, error) : status;
}
