/* library.h: what the tests of the library's interface share. */
#pragma once

#include "../../include/gtrav.h"

#define REAL_TERMINAL /* the library has listeners of its own */
#define TEST_ERROR    gtrav_error
#include "support.h"

/* A handle that is freed at the end of its block. */
#define OWN(type) __attribute__((cleanup(release_##type))) type
static inline void release_gtrav_context(gtrav_context **context)
{
    gtrav_context_free(*context);
}
static inline void release_gtrav_graph(gtrav_graph **graph)
{
    gtrav_graph_free(*graph);
}
static inline void release_gtrav_query(gtrav_query **query)
{
    gtrav_query_free(*query);
}

static inline gtrav_context *open_context(const char *device, int threads)
{
    gtrav_context *context;
    assert_ok(gtrav_context_new(&context, device, threads, &error));
    assert_non_null(context);
    return context;
}

/* Keeps its context alive. */
static inline gtrav_graph *load_with(const char *device, int threads, const char *spec)
{
    gtrav_context *context = open_context(device, threads);
    gtrav_graph *graph;
    assert_ok(gtrav_graph_load(context, spec, NULL, &graph, &error));
    gtrav_context_free(context);
    return graph;
}

static inline gtrav_graph *load(const char *spec)
{
    return load_with("cpu", 2, spec);
}

static inline gtrav_query *query_of(const char *name, const char *value)
{
    gtrav_query *query;
    assert_ok(gtrav_query_new(&query, &error));
    if (name != NULL)
        assert_ok(gtrav_query_set(query, name, value, &error));
    return query;
}

static inline uint32_t *array_of(const gtrav_graph *graph)
{
    uint32_t *array = malloc((gtrav_graph_num_vertices(graph) + (size_t)1) * sizeof *array);
    assert_non_null(array);
    return array;
}

/* 0 -> 1 -> 2 -> 3, 0 -> 2, 4 alone */
static const uint64_t wide_offsets[] = {0, 2, 3, 4, 4, 4};
static const uint32_t narrow_targets[] = {1, 2, 2, 3};
static const uint32_t levels[] = {0, 1, 1, 2, GTRAV_UNREACHED};

static inline gtrav_graph *make_small(gtrav_context *context, unsigned flags)
{
    gtrav_graph *graph;
    assert_ok(gtrav_graph_from_csr(context, 5, wide_offsets, 64, narrow_targets, 32, flags, &graph, &error));
    return graph;
}

static inline void assert_levels(gtrav_graph *graph)
{
    uint32_t level[5];
    assert_ok(gtrav_bfs(graph, NULL, 0, level, NULL, &error));
    assert_memory_equal(level, levels, sizeof level);
}
