/* families.h: the families of algorithms, and how their results are verified. */
#pragma once

#include "algorithm.h"

/* Checks a result of a family. source: NO_VERTEX for a family without sources. STATUS_OK, STATUS_WRONG with the first
 * bad vertex in error, or STATUS_INPUT if memory is short. */
typedef int verify_result(const struct graph *graph, vertex_t source, const struct algorithm *algorithm,
                          const struct traversal *result, struct error *error);

struct family {
    const char *name;            /* "bfs" */
    const char *title;           /* "breadth-first search" */
    const char *engines;         /* name of the family whose algorithms this family runs; NULL: it has its own */
    const char *default_variant; /* runs without --variant; NULL: the first listed variant that can run here */
    bool has_sources;            /* false: a trial covers the whole graph (topo, wcc, scc) */
    bool has_batches;            /* the family's algorithms take many sources at once */
    bool sums_sources;           /* all sources form one batch, and a result is a sum over them */
    bool weighted;               /* the graph must have weights */
    verify_result *verify;       /* checks a result */
};
extern const struct family families[]; /* ends with a NULL name */

#define MAX_FAMILIES 16
int family_names(const char *names[MAX_FAMILIES]); /* returns the number of families */
const struct family *family_of(const char *name);  /* NULL: no family has that name */

/* Finds a family by name. STATUS_INPUT, with a suggestion, for an unknown name. */
int find_family(const char *name, const struct family **family, struct error *error);

/* Returns whether `--algo FAMILY --variant` may name the algorithm. */
static inline bool is_variant_of(const struct algorithm *algorithm, const struct family *family)
{
    const char *name = family->engines != NULL ? family->engines : family->name;
    return algorithm->family[0] == name[0] && strcmp(algorithm->family, name) == 0;
}
