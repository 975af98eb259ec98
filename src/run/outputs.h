/* outputs.h: one table of all outputs of algorithms: their arrays in struct traversal, their names, and how they
 * are checked, translated to the input's vertex ids, and written. */
#pragma once

#include "../records/result.h"

/* What each entry of an array belongs to. */
enum extent {
    PER_VERTEX,
    PER_EDGE,
    PER_PLACE, /* an entry for each place in an order of the vertices */
    PER_SOURCE,
    PER_DESTINATION
};

struct output_array {
    enum output output;
    const char *name;   /* name of the output in --list; NULL: a further array of the output in the row above */
    size_t field;       /* offset of the array in struct traversal */
    size_t entry_bytes; /* size of a uint8_t, uint32_t, uint64_t or struct */
    enum extent extent;
    bool holds_vertices;        /* entries are vertex ids or NO_VERTEX */
    bool of_batch;              /* one array covers all sources of a batch */
    const char *title, *column; /* name of the values in text files and CSV; NULL: --output does not write them */
    /* Checks the result of a batch from these sources. NULL: verify of struct family does it. */
    int (*verify)(const struct graph *graph, const vertex_t *sources, uint32_t num_sources,
                  const struct traversal *result, struct error *error);
};
extern const struct output_array output_arrays[]; /* the table ends with a row whose entry_bytes is 0 */

uint64_t outputs_bytes(const struct graph *graph, unsigned wanted); /* of the arrays for one source */

/* Returns this array of a result; NULL if the result does not have it. */
static inline void *entries_of(const struct traversal *result, const struct output_array *array)
{
    void *entries;
    memcpy(&entries, (const char *)result + array->field, sizeof entries);
    return entries;
}
static inline void set_entries(struct traversal *result, const struct output_array *array, void *entries)
{
    memcpy((char *)result + array->field, &entries, sizeof entries);
}

/* Returns whether reordering the graph changes the array, so that it must be translated. */
static inline bool is_translated(const struct output_array *array)
{
    return array->extent == PER_VERTEX || array->holds_vertices;
}

/* Allocates the arrays of these outputs, except length, for batches of up to batch_size sources. The caller frees
 * them by outputs_release(), even after a failure. */
int outputs_allocate(const struct graph *graph, unsigned wanted, uint32_t batch_size, struct traversal *outputs,
                     struct error *error);
void outputs_release(struct traversal *outputs);

/* Checks a result for source number result->which: by an output's own function, by that for limits, or by the
 * family's. STATUS_WRONG, with what is wrong in error. */
int outputs_verify(const struct graph *graph, const struct algorithm *algorithm, const struct query *query,
                   const struct traversal *result, struct error *error);

/* Notes the first wrong result of a run: "bfs gap on path:10 from source 3: ..."; source NO_VERTEX: there is none. */
void outputs_note_wrong(char wrong[WRONG_BYTES], const struct bench_request *request, vertex_t source,
                        const char *what);

/* Frees the side tables that fetch has made. */
void outputs_free_tables(struct traversal *outputs);

/* Prepares the arrays for a fetch of a result of num_sources sources and num_destinations destinations. poisons:
 * fills them with garbage, so that verification finds entries that the algorithm does not write. */
void outputs_begin(const struct graph *graph, uint32_t num_sources, uint64_t num_destinations, bool poisons,
                   struct traversal *outputs);
