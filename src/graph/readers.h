/* readers.h: the text formats: a table of them, a reader for each, and what these share. */
#pragma once

#include "text_input.h"

/* Reads the rest of the input into *graph (every field except name), by the options; cache is ignored here. */
typedef int read_format(struct text_input *input, const struct load_options *options, struct graph *graph,
                        struct error *error);
read_format read_matrix_market, read_edge_list, read_dimacs, read_metis, read_graphalytics;

struct reader {
    const char *name;                     /* "Matrix Market" */
    const char *endings;                  /* endings of file names, used if the content does not decide: "|.el|.txt|" */
    bool (*recognizes)(const char *text); /* by the file's first text, at least a line; NULL: it cannot */
    read_format *read;
};
extern const struct reader readers[]; /* ends with a NULL name */

/* Chooses the reader of an input: by its content, else by its name's ending. Options that only edge lists have decide
 * where the content leaves a choice. STATUS_INPUT for formats of other programs, with how to read them. */
int pick_reader(struct text_input *input, const struct load_options *options, const struct reader **reader,
                struct error *error);

/* The length of a file's name without the ending of its format and .gz. */
size_t stem_length(const char *name);

/* Files of a header and a line "[LETTER] U V [NUMBER...]" for each edge, with vertices from 1 on. */
struct entry_format {
    uint64_t num_vertices, num_entries; /* as the header announces */
    char comment, letter;               /* the first characters of a comment and of an edge; letter 0: none */
    int num_values;                     /* numbers after U and V */
    bool lacks_values;                  /* some lines end before these numbers */
    bool weighted;                      /* the number after U and V becomes the edge's weight */
    bool mirror;                        /* each edge is undirected */
    /* For messages: what an edge looks like, the name of the header, and what it counts. */
    const char *expected, *header, *entries;
};

/* Reads the lines behind the header into a graph, which is symmetric if `mirror` is set. In read_entries.c. */
int read_entries(struct text_input *input, const struct entry_format *format, const char *origin, struct graph *graph,
                 struct error *error);

/* Removes vertex 0, which has no edges, and gives the others the ids 1, 2, ... On failure the graph is empty. */
int number_from_one(struct graph *graph, struct error *error);

/* STATUS_INPUT with --directed, for a file that says that its graph is undirected. */
int refuse_directed(const struct text_input *input, const struct load_options *options, const char *kind,
                    struct error *error);

/* Builds the graph, and tests its symmetry unless the format guarantees it. If the builder has weights, all of which
 * are whole numbers of 32 bits, that becomes their type. Every reader ends with this. */
int finish_reading(struct builder *builder, uint64_t num_vertices, bool symmetric, const char *origin,
                   struct graph *graph, struct error *error);

/* Checks the numbers of a header, or of the ids read (num_edges 0), before memory is taken for them: fewer than 2^32
 * vertices, and as many as fit into the free memory; no more edges than the file has room for. */
int check_counts(const struct text_input *input, uint64_t num_vertices, uint64_t num_edges, struct error *error);
