/* test_sources.c: GAP's rejection of draws, and source files that are too large to read. */
#include "support.h"

#include "../../src/bench/bench.h"

/* The last of so many sources on a graph whose vertices all have an arc, by GAP's rule (draws of std::mt19937_64 cut
 * to 32 bits) written apart from gtrav. A single draw that is rejected, or kept, wrongly moves all that follow. */
static const struct {
    vertex_t vertices;
    int count;
    vertex_t last;
} streams[] = {
    {11027, 91745, 10380},    /* draw 91744 is the cutoff itself: it is rejected */
    {181728, 19530, 124490},  /* so is draw 19528 */
    {339053, 100000, 293796}, /* eight draws are rejected */
    {999999, 100000, 993535}, /* two are */
    {1048576, 100000, 906362} /* a power of two: none is, though many reach 2^32 - 2^20 */
};

static void test_rejected_draws(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(streams); i++) {
        char spec[32];
        struct error error = {0};
        vertex_t *sources = malloc((size_t)streams[i].count * sizeof *sources);
        assert_non_null(sources);
        snprintf(spec, sizeof spec, "cycle:%u", streams[i].vertices);
        struct graph graph = make_graph(spec, 0);
        assert_int_equal(pick_sources(&graph, streams[i].count, sources, &error), STATUS_OK);
        assert_int_equal(sources[streams[i].count - 1], streams[i].last);
        graph_release(&graph);
        free(sources);
    }
}

/* A line that does not fit into memory is an error; it must not end the list quietly. */
static void test_line_too_long(void **state)
{
    (void)state;
#ifdef SANITIZED
    skip(); /* sanitizers end the program when they get no memory */
#endif
    const size_t room = (size_t)64 << 20;
    unsigned long pages = 0;
    struct rlimit before, limit;
    FILE *facts = fopen("/proc/self/statm", "r");
    bool known = facts != NULL && fscanf(facts, "%lu", &pages) == 1 && getrlimit(RLIMIT_AS, &before) == 0;
    if (facts != NULL)
        fclose(facts);
    if (!known)
        skip();
    struct graph graph = make_graph("path:10", 0);
    struct error error = {0};
    vertex_t *sources;
    int count;
    FILE *file = fopen("long.txt", "wb");
    assert_non_null(file);
    fprintf(file, "3\n#%0*d", (int)(2 * room), 0);
    assert_int_equal(fclose(file), 0);
    limit = before;
    limit.rlim_cur = pages * (rlim_t)sysconf(_SC_PAGESIZE) + room;
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    int status = read_sources(&graph, "long.txt", &sources, &count, &error);
    setrlimit(RLIMIT_AS, &before);
    assert_int_equal(status, STATUS_INPUT);
    assert_non_null(strstr(error.text, "long.txt: out of memory: a line needs more than "));
    assert_null(sources);
    graph_release(&graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rejected_draws),
        cmocka_unit_test(test_line_too_long),
    };
    return cmocka_run_group_tests_name("sources", tests, enter_folder, leave_folder);
}
