/* test_trial_lists.c: the columns of a summary that tell its trials one by one. */
#include "support.h"

#include "../../src/graph/sources.h"
#include "../../src/records/columns.h"

#define NUM_TRIALS 6

#define MOST_LISTED 256 /* the columns list no more trials */

static struct trial trials[MOST_LISTED + 1];

/* The five lists, a comma after each; the caller frees them. */
static char *lists_of(const struct bench_request *request, int num_trials)
{
    struct trials_result result = {.trials = trials, .num_trials = num_trials};
    struct record_run run = {.request = request};
    char *text;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    for (const struct column *column = summary_columns; column->name != NULL; column++)
        if (column->type >= COLUMN_LIST) {
            record_put_fields(file, column, 1, &run, &result);
            putc(',', file);
        }
    fclose(file);
    return text;
}

static void assert_lists(const struct bench_request *request, int num_trials, const char *expected)
{
    TEXT lists = lists_of(request, num_trials);
    assert_string_equal(lists, expected);
}

TEST(equal_times_and_sources_are_counted)
{
    static const double ms[NUM_TRIALS] = {0.51234, 0.51236, 0.51, 0.51, 12345.6, 12345.6};
    static const vertex_t from[NUM_TRIALS] = {3, 3, 3, 1, 1, 2};
    struct graph graph = {.num_vertices = 9, .num_edges = 0};
    struct bench_request request = {
        .graph = &graph, .family = family_of("bfs"), .sources = from, .num_sources = NUM_TRIALS};
    for (int i = 0; i < NUM_TRIALS; i++)
        trials[i] =
            (struct trial){.time_ms = ms[i], .kernel_ms = 0.25, .source = from[i], .reached = 5, .edges = 4u + (i > 4)};
    assert_lists(&request, NUM_TRIALS, "0.5123 0.5124 0.51*2 1.235e+04*2,0.25*6,4*5 5,3*3 1*2 2,,");
    assert_lists(&request, 1, "0.5123,0.25,4,3,,");
    assert_lists(&request, 0, ",,,,,");
    request.sources = NULL; /* a family without sources */
    assert_lists(&request, 2, "0.5123 0.5124,0.25*2,4*2,,,");
}

TEST(long_lists_end)
{
    struct graph graph = {.num_vertices = 9, .num_edges = 0};
    struct bench_request request = {.graph = &graph, .family = family_of("bfs"), .num_sources = MOST_LISTED + 1};
    for (int i = 0; i <= MOST_LISTED; i++)
        trials[i] = (struct trial){.time_ms = 1, .kernel_ms = 1, .reached = 1, .edges = (uint64_t)i / MOST_LISTED};
    trials[MOST_LISTED - 1].edges = 7;
    assert_lists(&request, MOST_LISTED, "1*256,1*256,0*255 7,,,");
    assert_lists(&request, MOST_LISTED + 1, "1*256,1*256,0*255 7,,,");
}

/* One vertex in a hundred is not small, fewer are. */
TEST(small_reach)
{
    static const uint64_t reached[NUM_TRIALS] = {9, 1000, 10, 9, 1, 5};
    struct graph graph = {.num_vertices = 9, .num_edges = 0};
    struct bench_request request = {.graph = &graph, .family = family_of("bfs"), .num_sources = NUM_TRIALS};
    for (int i = 0; i < NUM_TRIALS; i++)
        trials[i] = (struct trial){.time_ms = 1, .kernel_ms = 1, .reached = reached[i]};
    assert_lists(&request, NUM_TRIALS, "1*6,1*6,0*6,,0 3-5,");
    assert_lists(&request, 3, "1*3,1*3,0*3,,0,");
    assert_lists(&request, 1, "1,1,0,,,"); /* alone it reaches most */
}

/* GAP's sources have a name, so that a run from fewer of them is seen to have the first of the same list. */
TEST(gaps_sources)
{
    static vertex_t targets[] = {1, 0, 1};
    static edge_t offsets[] = {0, 1, 2, 3};
    struct graph graph = {.num_vertices = 3, .num_edges = 3, .offsets = offsets, .targets = targets};
    vertex_t picks[NUM_TRIALS];
    struct bench_request request = {
        .graph = &graph, .family = family_of("bfs"), .sources = picks, .num_sources = NUM_TRIALS};
    assert_ok(pick_sources(&graph, NUM_TRIALS, picks, &error));
    for (int i = 0; i < NUM_TRIALS; i++)
        trials[i] = (struct trial){.time_ms = 2, .kernel_ms = 1, .reached = 3, .source = picks[i]};
    assert_lists(&request, NUM_TRIALS, "2*6,1*6,0*6,gap,,");
    assert_lists(&request, 2, "2*2,1*2,0*2,gap,,");
    for (int i = 0; i < NUM_TRIALS; i++)
        trials[i].source = 2 - trials[i].source;
    TEXT lists = lists_of(&request, NUM_TRIALS);
    assert_null(strstr(lists, "gap"));
}

TESTS(NULL, NULL)
