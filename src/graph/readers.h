/* readers.h: the table of text formats, with a row for each. */
#pragma once

#include "text_input.h"

struct reader {
    const char *name;    /* "Matrix Market" */
    const char *endings; /* of file names, used if the content does not decide: ".el .txt" */
    bool (*recognizes)(
        const char *text); /* by the file's first text (at least a line); NULL: by its ending or by default only */
    const char *not_recognized; /* the message for a file with such an ending whose content is not in the format */
    /* Reads the rest of the input into *graph (every field except name), by the options; cache is ignored here. */
    int (*read)(struct text_input *input, const struct load_options *options, struct graph *graph,
                struct error *error);
};
extern const struct reader readers[]; /* ends with a NULL name */

int read_matrix_market(struct text_input *input, const struct load_options *options, struct graph *graph,
                       struct error *error);
int read_edge_list(struct text_input *input, const struct load_options *options, struct graph *graph,
                   struct error *error);
int read_dimacs(struct text_input *input, const struct load_options *options, struct graph *graph,
                struct error *error);
int read_metis(struct text_input *input, const struct load_options *options, struct graph *graph,
               struct error *error);

/* STATUS_INPUT with --directed, for a file that says that its graph is undirected. */
int refuse_directed(const struct text_input *input, const struct load_options *options, const char *kind,
                    struct error *error);

/* Builds the graph, and tests its symmetry unless the format guarantees it. Every reader ends with this. */
int finish_reading(struct builder *builder, uint64_t num_vertices, bool symmetric, const char *origin,
                   struct graph *graph, struct error *error);

/* Checks the numbers of a header, or of the ids read (num_edges 0), before memory is taken for them: fewer than 2^32
 * vertices, and as many as fit into the free memory; no more edges than the file has room for. */
int check_counts(const struct text_input *input, uint64_t num_vertices, uint64_t num_edges, struct error *error);

/* The reader for an input, by content first, then by the name's ending. Options that only edge lists have decide
 * where the content leaves a choice. */
int pick_reader(struct text_input *input, const struct load_options *options, const struct reader **reader,
                struct error *error);
