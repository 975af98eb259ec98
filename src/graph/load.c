/* load.c: loads the graph of a --graph argument: a generator's spec, a .gtrav file, or text in one of the formats. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../device.h"
#include "../new_file.h"
#include "binary.h"
#include "generate.h"
#include "load_options.h"
#include "random.h"
#include "readers.h"

/* ---- loading ---- */

/* Refuses options that are only for edge lists, since other formats define their vertices. */
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

/* Refuses a column of weights; only edge lists have columns. */
static int refuse_weight_column(const char *path, const char *kind, const struct load_options *options,
                                struct error *error)
{
    if (options->weights == NULL || strcmp(options->weights, "auto") == 0)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT, "%s: --weights %s is a column of an edge list; --weights auto is for %s",
                     path, options->weights, kind);
}

static int read_text(const char *path, const struct load_options *options, struct graph *graph, struct error *error)
{
    struct text_input input;
    const struct reader *reader;
    if (text_open(&input, path, error) == STATUS_OK && pick_reader(&input, options, &reader, error) == STATUS_OK &&
        (reader->read == read_edge_list ||
         (refuse_table_options(input.path, reader->name, options, error) == STATUS_OK &&
          refuse_weight_column(input.path, reader->name, options, error) == STATUS_OK)))
        reader->read(&input, options, graph, error);
    if (error->status == STATUS_OK && graph->read_as == NULL)
        graph->read_as = strdup("vertices numbered from 0 on: number 1 of the file is vertex 0");
    text_close(&input);
    return error->status;
}

/* Adds the reverse of every edge, with its weight, to a graph that was loaded from a .gtrav file. */
static int add_reverse_edges(struct graph *graph, struct error *error)
{
    struct graph both;
    if (graph_symmetrize(graph, &both, error) != STATUS_OK)
        return error->status;
    free(graph->offsets);
    free(graph->targets);
    free(graph->weights);
    graph->offsets = both.offsets;
    graph->targets = both.targets;
    graph->weights = both.weights;
    graph->symmetric_weights = both.symmetric_weights;
    graph->num_edges = both.num_edges;
    graph->self_loops_dropped = both.self_loops_dropped;
    graph->duplicates_dropped = both.duplicates_dropped;
    graph->symmetric = true;
    return STATUS_OK;
}

static int read_binary(const char *path, const struct load_options *options, struct graph *graph, struct error *error)
{
    if (binary_read(path, NULL, graph, error) != STATUS_OK)
        return error->status;
    if (options->weights == NULL && graph->weights != NULL)
        graph_drop_weights(graph);
    if (options->weights != NULL && graph->weights == NULL && graph->weights_ignored)
        return error_set(error, STATUS_INPUT, "%s: was written without its input's weights; write it with --weights",
                         path);
    bool one_way = !graph->symmetric || (graph->weights != NULL && !graph->symmetric_weights);
    return options->undirected && one_way ? add_reverse_edges(graph, error) : STATUS_OK;
}

static int generate(const char *spec, const struct load_options *options, struct graph *graph, struct error *error)
{
    return options->without_lists ? graph_generate_without_lists(spec, graph, error)
                                  : graph_generate(spec, options->undirected, options->weights != NULL, graph, error);
}

/* ---- caches and kept graphs ---- */

typedef int make_graph(const char *spec, const struct load_options *options, struct graph *graph, struct error *error);

/* Reads the graph from its .gtrav file if the file has this stamp. Otherwise makes the graph and writes the file,
 * replacing one with another stamp. */
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
    if (make(spec, options, graph, error) == STATUS_OK)
        write_binary_file(graph, stamp, kept, error);
    return error->status;
}

#define READING_RULES 6u /* increases when the meaning of a text changes; caches made by older rules are replaced */

/* Makes the stamp of a text file: a hash of its state, the state of the table of vertices, and the options. */
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

static const char *direction_in_names(const struct load_options *options)
{
    return options->undirected ? "+undirected" : options->directed ? "+directed" : "";
}

static const char *weights_in_names(const struct load_options *options)
{
    return options->weights != NULL ? "+weights" : "";
}

int graph_cache_name(const char *path, const struct load_options *options, char **name, struct error *error)
{
    const char *ids = options->ids == IDS_ANY ? "+renumbered" : options->ids == IDS_TEXT ? "+text" : "";
    if (asprintf(name, "%s%s%s%s.gtrav", path, direction_in_names(options), ids, weights_in_names(options)) >= 0)
        return STATUS_OK;
    *name = NULL;
    return error_set(error, STATUS_INPUT, "%s: out of memory", path);
}

static int read_through_cache(const char *path, const struct load_options *options, struct graph *graph,
                              struct error *error)
{
    struct file_stamp stamp;
    char *cache;
    if (!stamp_input(path, options, &stamp)) /* without a stamp no cache can be trusted */
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
    if (asprintf(&kept, "%s/%s%s%s.gtrav", options->kept_in, spec, options->undirected ? "+undirected" : "",
                 weights_in_names(options)) < 0)
        return error_set(error, STATUS_INPUT, "%s: out of memory", spec);
    read_or_make(kept, &stamp, generate, spec, options, graph, error);
    free(kept);
    return error->status;
}

/* ---- all kinds of graphs ---- */

/* Sets the graph's name: the file's stem or the spec, with "+undirected" or "+directed" if requested. */
static int name_graph(const char *spec, enum spec_kind kind, const struct load_options *options, struct graph *graph,
                      struct error *error)
{
    bool generated = kind == SPEC_GENERATOR;
    const char *slash = generated ? NULL : strrchr(spec, '/');
    const char *stem = kind == SPEC_STDIN ? "stdin" : slash != NULL ? slash + 1 : spec;
    size_t length = generated ? strlen(stem) : stem_length(stem);
    if (asprintf(&graph->name, "%.*s%s", (int)length, stem, direction_in_names(options)) < 0) {
        graph->name = NULL;
        return error_set(error, STATUS_INPUT, "%s: out of memory", spec);
    }
    text_clean(graph->name, '_');
    return STATUS_OK;
}

static int check_options(const struct load_options *options, struct error *error)
{
    if (options->directed && options->undirected)
        return error_set(error, STATUS_INPUT, "give one of --directed and --undirected");
    if (options->vertex_column != NULL && options->vertices == NULL)
        return error_set(error, STATUS_INPUT, "--vertex-column needs --vertices FILE");
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
    if (options->cache && kind == SPEC_STDIN)
        return error_set(error, STATUS_INPUT, "--cache keeps a graph beside its file; standard input has none");
    if (!generated && !binary)
        return (options->cache ? read_through_cache : read_text)(spec, options, graph, error);
    const char *what = generated ? "a generator" : "gtrav's own format";
    if (refuse_table_options(spec, what, options, error) != STATUS_OK ||
        refuse_weight_column(spec, what, options, error) != STATUS_OK)
        return error->status;
    make_graph *make = binary                                                ? read_binary
                       : options->kept_in != NULL && !options->without_lists ? generate_through_folder
                                                                             : generate;
    if (make(spec, options, graph, error) == STATUS_OK && options->directed && graph->symmetric)
        error_set(error, STATUS_INPUT, "%s: --directed: this graph is undirected", spec);
    return error->status;
}

int graph_load(const char *spec, const struct load_options *options, struct graph *graph, struct error *error)
{
    enum spec_kind kind = graph_spec_kind(spec);
    double began_ms = now_ms();
    *graph = (struct graph){0};
    if (check_options(options, error) != STATUS_OK)
        return error->status;
    if (load_kind(spec, kind, options, graph, error) == STATUS_OK &&
        name_graph(spec, kind, options, graph, error) == STATUS_OK && options->weights != NULL &&
        graph->weights == NULL)
        graph_add_hashed_weights(graph, error);
    graph->load_ms = now_ms() - began_ms;
    if (error->status != STATUS_OK)
        graph_release(graph);
    return error->status;
}
