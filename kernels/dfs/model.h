/* model.h: the model of `dfs auto`. Predicts the time of a search on an H200 and on 16 cores from the mean size of
 * searches. Plain C, so that tests/unit/test_dfs_model.c can check it on graphs with measured times. */
#pragma once

#include <math.h>

/* An engine is a candidate if its predicted time is at most this multiple of the best one. */
#define UNSURE_FACTOR 8.0

/* Means over sampled searches of a graph. A search has as many levels as a BFS from its source. */
struct reach_of_searches {
    double vertices, edges, levels;
    double degree;  /* mean degree of the graph */
    double threads; /* threads of the CPU */
};

/* Times of a search in milliseconds. A search by hand-off takes about as many dependent steps as it has levels. */
#define HANDOFF_MS         0.01    /* by hand-off: fixed */
#define HANDOFF_LEVEL_MS   1.2e-3  /* per level, on plain lists */
#define HANDOFF_PACKED_MS  0.85e-3 /* per level, on packed lists */
#define HANDOFF_PACKED     4.5     /* mean degree up to which lists are packed */
#define HANDOFF_VERTEX_MS  3e-7    /* per vertex */
#define HANDOFF_EDGE_MS    4e-9    /* per edge */
#define TEAM_MS            7e-3    /* by a team of CPU threads: fixed */
#define TEAM_FIRST_EDGES   5e3     /* edges that one thread follows alone at first */
#define TEAM_FIRST_EDGE_MS 5e-6    /* per such edge */
#define TEAM_VERTEX_MS     1.5e-6  /* per vertex */
#define TEAM_EDGE_MS       2e-7    /* per edge */
#define TEAM_THREADS       16.0    /* threads of the machine on which these were measured */
#define CKL_FACTOR         1.1     /* time of CKL as a multiple of ACR's */
#define SERIAL_MS          1e-3    /* on one CPU thread: fixed */
#define SERIAL_VERTEX_MS   1.2e-5  /* per vertex */
#define SERIAL_EDGE_MS     3e-6    /* per edge */

static inline double handoff_ms(const struct reach_of_searches *reach)
{
    double level_ms = reach->degree <= HANDOFF_PACKED ? HANDOFF_PACKED_MS : HANDOFF_LEVEL_MS;
    return HANDOFF_MS + reach->levels * level_ms + reach->vertices * HANDOFF_VERTEX_MS + reach->edges * HANDOFF_EDGE_MS;
}

static inline double acr_ms(const struct reach_of_searches *reach)
{
    double alone = fmin(reach->edges, TEAM_FIRST_EDGES) * TEAM_FIRST_EDGE_MS;
    double together = reach->vertices * TEAM_VERTEX_MS + reach->edges * TEAM_EDGE_MS;
    return TEAM_MS + alone + together * TEAM_THREADS / fmin(reach->threads, TEAM_THREADS);
}

static inline double ckl_ms(const struct reach_of_searches *reach)
{
    return CKL_FACTOR * acr_ms(reach);
}

static inline double serial_ms(const struct reach_of_searches *reach)
{
    return SERIAL_MS + reach->vertices * SERIAL_VERTEX_MS + reach->edges * SERIAL_EDGE_MS;
}
