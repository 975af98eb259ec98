/* test_sources.c: sources that are picked, by GAP's rule, listed on the command line, and read from a file. */
#include "fake_bfs.h"

#define FACTS "tests/data/graph_facts.csv" /* from the root of the repository, where `make unit` runs */

/* Whether the row lists sources; if so, they are checked. */
static bool check_facts(char *row)
{
    enum { SPEC, FIRST_SOURCES = 6 };
    vertex_t sources[64];
    char *fields[FIRST_SOURCES + 1];
    for (int i = 0; i <= FIRST_SOURCES; i++)
        fields[i] = strsep(&row, ",");
    if (fields[FIRST_SOURCES][0] == '\0')
        return false;
    struct graph graph = make_graph(fields[SPEC], 0);
    assert_ok(pick_sources(&graph, 64, sources, &error));
    char found[128] = "";
    for (int i = 0; i < 8; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%s%u", i > 0 ? " " : "", sources[i]);
    assert_string_equal(found, fields[FIRST_SOURCES]);
    for (int i = 0; i < 64; i++)
        assert_true(sources[i] < graph.num_vertices && graph_degree(&graph, sources[i]) > 0);
    graph_release(&graph);
    return true;
}

static char *facts; /* read before the folder is left */

TEST(sources_of_facts)
{
    int checked = 0;
    char *rest = facts;
    strsep(&rest, "\n"); /* the names of the columns */
    for (char *row; (row = strsep(&rest, "\n")) != NULL && *row != '\0';)
        checked += check_facts(row);
    assert_true(checked >= 3);
}

/* Where few vertices have edges, only these are drawn. */
TEST(sources_have_edges)
{
    vertex_t sources[10];
    GRAPH graph = make_graph("77>3 5>77", 100), bare = make_graph("", 3);
    assert_ok(pick_sources(&graph, 10, sources, &error));
    for (int i = 0; i < 10; i++)
        assert_true(sources[i] == 77 || sources[i] == 5);
    free(bare.name);
    bare.name = strdup("bare");
    assert_error(pick_sources(&bare, 1, sources, &error), STATUS_INPUT,
                 "bare: no vertex has an out-neighbour to start from; name a start with --source");
}

/* A list of sources, or a file of them. */
struct source_case {
    const char *text;
    int count;
    vertex_t sources[5];
    const char *message; /* NULL: it is good */
};

static void check_sources(const struct source_case *one, const char *option, const char *what)
{
    FREED vertex_t *sources;
    int count;
    bool good = one->message == NULL;
    int status = option != NULL ? parse_vertices(&path_10, option, what, &sources, &count, &error)
                                : read_sources(&path_10, what, &sources, &count, &error);
    assert_error(status, good ? STATUS_OK : STATUS_INPUT, good ? "" : one->message);
    if (good) {
        assert_int_equal(count, one->count);
        assert_memory_equal(sources, one->sources, (size_t)count * sizeof *sources);
    } else {
        assert_null(sources);
    }
}

TEST(parse_sources)
{
    static const struct source_case lists[] = {
        {"0", 1, {0}, NULL},
        {"5,9,5", 3, {5, 9, 5}, NULL},
        {"1,2,3,4,5", 5, {1, 2, 3, 4, 5}, NULL},
        {"007", 1, {7}, NULL},
        {"", 0, {0}, "--source: '' is not a vertex number"},
        {"x", 0, {0}, "--source: 'x' is not a vertex number"},
        {"1, \"2\" ", 2, {1, 2}, NULL},
        {"-1", 0, {0}, "--source: -1 is not a vertex of path:10, which has 10 (numbered from 0)"},
        {"1,", 0, {0}, "--source: '' is not a vertex number"},
        {"1,,2", 0, {0}, "--source: '' is not a vertex number"},
        {"1;2", 0, {0}, "--source: '1;2' is not a vertex number"},
        {"1.5", 0, {0}, "--source: '1.5' is not a vertex number"},
        {"1,\"2", 0, {0}, "--source 1,\"2: this quote is not closed on its line"},
        {"3,10", 0, {0}, "--source: 10 is not a vertex of path:10, which has 10 (numbered from 0)"},
        {"99999999999999999999",
         0,
         {0},
         "--source: 99999999999999999999 is not a vertex of path:10, which has 10 (numbered from 0)"},
    };
    for (size_t i = 0; i < COUNT(lists); i++)
        check_sources(&lists[i], "--source", lists[i].text);
}

#define LONG_TEXT "0123456789012345678901234567890123456789012345678901234567890123456789"

TEST(read_sources)
{
    static const struct source_case files[] = {
        {"3\n", 1, {3}, NULL},
        {"3\n1\n3", 3, {3, 1, 3}, NULL},
        {"# three\r\n\r\n \t3 \r\n1 # one\r\n", 2, {3, 1}, NULL},
        {"# " LONG_TEXT LONG_TEXT LONG_TEXT "\n4\n", 1, {4}, NULL},
        {"", 0, {0}, "s.txt: no sources in the file"},
        {"# 3\n\n", 0, {0}, "s.txt: no sources in the file"},
        {"3\nfour\n", 0, {0}, "s.txt:2: 'four' is not a vertex number"},
        {"3 4\n", 0, {0}, "s.txt:1: '3 4' is not a vertex number"},
        {"3\n# " LONG_TEXT LONG_TEXT "\n10\n",
         0,
         {0},
         "s.txt:3: 10 is not a vertex of path:10, which has 10 (numbered from 0)"},
    };
    static const struct source_case none = {.message = "none.txt: cannot open: No such file or directory"};
    static const struct source_case folder = {.message = ".: is a directory; name a file in it"};
    for (size_t i = 0; i < COUNT(files); i++) {
        put_text("s.txt", files[i].text);
        check_sources(&files[i], NULL, "s.txt");
    }
    check_sources(&none, NULL, "none.txt");
    check_sources(&folder, NULL, ".");
}

/* The last of so many sources on a graph whose vertices all have an edge, by GAP's rule (draws of std::mt19937_64 cut
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

TEST(rejected_draws)
{
    for (size_t i = 0; i < COUNT(streams); i++) {
        char spec[32];
        FREED vertex_t *sources = malloc((size_t)streams[i].count * sizeof *sources);
        assert_non_null(sources);
        snprintf(spec, sizeof spec, "cycle:%u", streams[i].vertices);
        GRAPH graph = make_graph(spec, 0);
        assert_ok(pick_sources(&graph, streams[i].count, sources, &error));
        assert_int_equal(sources[streams[i].count - 1], streams[i].last);
    }
}

/* A line that is too long is an error; it must not end the list quietly. */
TEST(line_too_long)
{
    static const struct source_case longer = {
        .message = "long.txt:2:1: a line of more than 16 MB; this is no text file of those known here"};
    const size_t room = (size_t)17 << 20;
    TEXT text = malloc(room + 3);
    assert_non_null(text);
    memset(text, ' ', room + 2);
    memcpy(text, "3\n", 2);
    put_bytes("long.txt", text, room + 2);
    check_sources(&longer, NULL, "long.txt");
}

static int enter(void **state)
{
    facts = get_bytes(FACTS, NULL);
    return enter_folder(state);
}

static int leave(void **state)
{
    free(facts);
    return leave_folder(state);
}

TESTS_EACH(enter, leave, set_up, tear_down)
