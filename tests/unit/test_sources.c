/* test_sources.c: GAP's rejection of draws, and a source file with too long a line. */
#include "graph_files.h"

#include "../../src/run/run.h"

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
        struct error error = {0};
        FREED vertex_t *sources = malloc((size_t)streams[i].count * sizeof *sources);
        assert_non_null(sources);
        snprintf(spec, sizeof spec, "cycle:%u", streams[i].vertices);
        GRAPH graph = make_graph(spec, 0);
        assert_int_equal(pick_sources(&graph, streams[i].count, sources, &error), STATUS_OK);
        assert_int_equal(sources[streams[i].count - 1], streams[i].last);
    }
}

/* A line that is too long is an error; it must not end the list quietly. */
TEST(line_too_long)
{
    const size_t room = (size_t)17 << 20;
    GRAPH graph = make_graph("path:10", 0);
    struct error error = {0};
    vertex_t *sources;
    int count;
    char *text = malloc(room + 3);
    assert_non_null(text);
    memset(text, ' ', room + 2);
    memcpy(text, "3\n", 2);
    put_bytes("long.txt", text, room + 2);
    free(text);
    assert_int_equal(read_sources(&graph, "long.txt", &sources, &count, &error), STATUS_INPUT);
    assert_string_equal(error.text,
                        "long.txt:2:1: a line of more than 16 MB; this is no text file of those known here");
    assert_null(sources);
}

TESTS(enter_folder, leave_folder)
