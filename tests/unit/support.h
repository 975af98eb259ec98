/* support.h: what several test files need: cmocka, small graphs, a folder to work in, and Ctrl-C at will. Each test
 * program is one file, so what is defined here is defined once. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* cmocka hands every test a state, and few use it. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <assert.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../src/graph/builder.h"
#include "../../src/graph/generate.h"
#include "../../src/progress.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED
#endif
#endif

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Lets malloc fail under AddressSanitizer, like without it. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1";
}

/* A graph, the result of trials, what malloc gave, and text from there: each is released at the end of its block. */
#define GRAPH  __attribute__((cleanup(graph_release))) struct graph
#define RESULT __attribute__((cleanup(trials_release))) struct trials_result
#define FREED  __attribute__((cleanup(free_block)))
#define TEXT   FREED char *
static inline void free_block(void *pointer)
{
    void *block;
    memcpy(&block, pointer, sizeof block);
    free(block);
}

/* ---- errors ---- */

#ifndef TEST_ERROR /* library.h has the library's */
#define TEST_ERROR struct error
#endif

/* Of the calls of a test: empty when the test begins, and after each failure that it expects. */
static TEST_ERROR error;

static inline void assert_ok(int status)
{
    if (status != 0)
        fail_msg("status %d: %s", status, error.text);
}

/* The call failed with this status, and the message has this text. Clears the error. */
static inline void assert_fails(int status, int expected, const char *text)
{
    assert_int_equal(status, expected);
    assert_int_equal(error.status, expected);
    if (strstr(error.text, text) == NULL)
        fail_msg("'%s' is not in '%s'", text, error.text);
    error = (TEST_ERROR){0};
}

/* As assert_fails, with the whole message. */
static inline void assert_error(int status, int expected, const char *message)
{
    assert_string_equal(error.text, message);
    assert_fails(status, expected, message);
}

/* ---- tests ---- */

/* TEST(name) { ... } is a test. TESTS at the end of the file runs them in their order, between a setup and a teardown
 * of the group (or NULL); TESTS_EACH has another pair around each test. */
#define TEST(name)                                                                                                     \
    static void body_##name(void **state);                                                                             \
    static void test_##name(void **state)                                                                              \
    {                                                                                                                  \
        error = (TEST_ERROR){0};                                                                                       \
        body_##name(state);                                                                                            \
    }                                                                                                                  \
    __attribute__((constructor)) static void add_##name(void)                                                          \
    {                                                                                                                  \
        add_test(#name, test_##name);                                                                                  \
    }                                                                                                                  \
    static void body_##name(void **state)
#define TESTS(enter, leave) TESTS_EACH(enter, leave, NULL, NULL)
#define TESTS_EACH(enter, leave, set_up, tear_down)                                                                    \
    int main(void)                                                                                                     \
    {                                                                                                                  \
        for (size_t i = 0; i < num_tests; i++) {                                                                       \
            tests[i].setup_func = set_up;                                                                              \
            tests[i].teardown_func = tear_down;                                                                        \
        }                                                                                                              \
        return cmocka_run_group_tests_name(__FILE__, tests, enter, leave);                                             \
    }

static struct CMUnitTest tests[32]; /* cmocka passes over those without a function */
static size_t num_tests;

static inline void add_test(const char *name, CMUnitTestFunction test)
{
    assert(num_tests < COUNT(tests));
    tests[num_tests++] = (struct CMUnitTest){.name = name, .test_func = test};
}

/* ---- graphs ---- */

/* A generator's spec, or edges written out, "0>1 1>2", between so many vertices. */
static inline struct graph make_graph(const char *text, vertex_t vertices)
{
    struct graph graph;
    struct error own = {0};
    if (is_generator_spec(text)) {
        if (graph_generate(text, false, false, &graph, &own) != STATUS_OK)
            fail_msg("%s", own.text);
    } else {
        struct builder builder;
        assert_int_equal(builder_init(&builder, vertices, &own), STATUS_OK);
        vertex_t source, target;
        const char *edge = text;
        for (int used; sscanf(edge, "%u>%u%n", &source, &target, &used) == 2; edge += used)
            push_edge(&builder.writers[0], source, target);
        assert_int_equal(builder_finish(&builder, vertices, &graph, &own), STATUS_OK);
        graph.symmetric = graph_test_symmetry(&graph);
    }
    graph.name = strdup(text);
    return graph;
}

static inline bool has_edge(const struct graph *graph, vertex_t u, vertex_t v)
{
    for (edge_t e = graph->offsets[u]; e < graph->offsets[u + 1]; e++)
        if (graph->targets[e] == v)
            return true;
    return false;
}

/* Every edge as stored, "0>1 1>2 "; the caller frees. */
static inline char *edges_of(const struct graph *graph)
{
    char *text;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++)
            fprintf(to, "%u>%u ", v, graph->targets[e]);
    fclose(to);
    return text;
}

static inline void assert_edges(const struct graph *graph, const char *expected)
{
    char *edges = edges_of(graph);
    assert_string_equal(edges, expected);
    free(edges);
}

/* ---- files, in a folder that exists during a group of tests ---- */

static inline int enter_folder(void **state)
{
    const char *parent = getenv("TMPDIR");
    char *folder;
    if (asprintf(&folder, "%s/gtrav-test-XXXXXX", parent != NULL ? parent : "/tmp") < 0)
        return -1;
    *state = folder;
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static inline int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    return remove(path);
}

static inline void remove_tree(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static inline int leave_folder(void **state)
{
    int status = chdir("/");
    remove_tree(*state);
    free(*state);
    return status;
}

static inline void put_bytes(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline void put_text(const char *path, const char *text)
{
    put_bytes(path, text, strlen(text));
}

/* The whole file with a NUL after it; the caller frees. length may be NULL. */
static inline char *get_bytes(const char *path, size_t *length)
{
    char *text = NULL;
    size_t capacity = 0;
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        fail_msg("%s is missing", path);
    fseek(file, 0, SEEK_END);
    capacity = (size_t)ftell(file);
    rewind(file);
    text = malloc(capacity + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, capacity, file), capacity);
    text[capacity] = '\0';
    fclose(file);
    if (length != NULL)
        *length = capacity;
    return text;
}

/* No file may grow beyond so many bytes, as on a full disk; give what is returned to setrlimit to lift it. */
static inline struct rlimit limit_file_size(size_t bytes)
{
    struct rlimit before, limit;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    limit.rlim_cur = bytes;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    return before;
}

/* ---- a listener of progress.h in place of the command line's: no bar, and a Ctrl-C that a test can press and take
 * back ---- */

#ifndef REAL_TERMINAL /* defined by a test of the whole command line, which brings its own */

bool ctrl_c_pressed;

static bool test_stops(struct progress_listener *self)
{
    return ctrl_c_pressed;
}

static struct progress_listener test_listener = {.stops = test_stops};

__attribute__((constructor)) static void listen_in_test(void)
{
    progress_of_process = &test_listener;
}

#endif
