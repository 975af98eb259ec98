/* readers.h: the text formats, one row each in a table. */
#ifndef GTRAV_READERS_H
#define GTRAV_READERS_H

#include "text_input.h"

struct reader {
    const char *name;    /* "Matrix Market" */
    const char *endings; /* of file names that mean it, where the content does not tell: ".el .txt" */
    bool (*recognizes)(
        const char *text);      /* by the file's first text (at least a line); NULL: by ending or default only */
    const char *not_recognized; /* what is wrong with a file of such an ending whose content is not so */
    /* Reads the rest of the input into *graph (all but name), as the options say; cache means nothing here. */
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
int read_snb(struct text_input *input, const struct load_options *options, struct graph *graph, struct error *error);

/* Whether the first line names two columns of persons' ids, '|' between. */
bool is_snb(const char *text);

/* What all readers end with: builds the graph, tests its symmetry unless the format promises it. */
int finish_reading(struct builder *builder, uint64_t num_vertices, bool symmetric, const char *origin,
                   struct graph *graph, struct error *error);

/* The header's vertex count, or that of all ids seen, checked: fewer than 2^32, and this machine could hold them. */
int check_vertex_count(const struct text_input *input, uint64_t num_vertices, struct error *error);

/* The reader for an input, by content first, then by the name's ending. */
int pick_reader(struct text_input *input, const struct reader **reader, struct error *error);

#endif
