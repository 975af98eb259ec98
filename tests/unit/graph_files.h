/* graph_files.h: what the tests of graph files share: loading that must succeed, or fail with one line; writing. */
#pragma once

#include "support.h"

#include <dirent.h>
#include <omp.h>
#include <zlib.h>

#include "../../src/graph/binary.h"

#define BANNER "%%MatrixMarket matrix coordinate "
#define MTX    BANNER "pattern general\n2 2 1\n1 2\n" /* a whole file: one edge */

static inline struct graph load_ok(const char *path, const struct load_options *options)
{
    struct graph graph;
    assert_ok(graph_load(path, options, &graph, &error));
    assert_ok(graph_validate(&graph, path, &error));
    assert_int_equal(graph.symmetric, graph_test_symmetry(&graph));
    return graph;
}

static inline void assert_refused(const char *path, const struct load_options *options, const char *message)
{
    struct graph graph;
    assert_error(graph_load(path, options, &graph, &error), STATUS_INPUT, message);
    assert_null(graph.offsets);
    assert_null(graph.name);
}

/* Writes a file, or one packed by gzip with ".gz" behind its name, and returns its path. */
static inline const char *put_packed(const char *name, const char *text, size_t length, bool gzip)
{
    static char path[64];
    snprintf(path, sizeof path, "%s%s", name, gzip ? ".gz" : "");
    if (!gzip) {
        put_bytes(path, text, length);
        return path;
    }
    gzFile file = gzopen(path, "wb1");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)length), length);
    assert_int_equal(gzclose(file), Z_OK);
    return path;
}

static inline void write_ok(const struct graph *graph, const char *path)
{
    assert_ok(graph_write(graph, path, &error));
}

/* For tests of thousands of tiny files: one thread, or several where such a file has several chunks. */
static inline int enter_folder_on_few_threads(void **state)
{
#ifdef CHUNK_BYTES
    omp_set_num_threads(3);
#else
    omp_set_num_threads(1);
#endif
    return enter_folder(state);
}

/* Entries of the current folder. */
static inline int count_files(void)
{
    struct dirent **entries;
    int count = scandir(".", &entries, NULL, NULL);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return count;
}
