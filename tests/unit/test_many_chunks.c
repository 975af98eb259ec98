/* test_many_chunks.c: text files of many chunks, read by several threads: bad lines deep inside, lines longer than a
 * chunk, ends at a chunk, Ctrl-C. */
#include "graph_files.h"

static const struct load_options as_is;

#define CHUNK     ((size_t)1 << 20) /* of text_input.c */
#define NUM_LINES 250000u           /* more than 3 chunks in every format */

static const int thread_counts[] = {1, 2, 4};

/* A large file: a head, then NUM_LINES lines. */
static const struct big {
    const char *file;
    unsigned head_lines;
    const char *head, *line; /* printf: 3 times NUM_LINES; source and target */
    unsigned base;           /* number of the first vertex */
    const char *comment, *bad_line;
    unsigned bad_column;
    const char *reason;
} bigs[] = {
    {"big.mtx", 3, "%%" BANNER "integer general\n%%\n%u %u %u\n", "%u %u 5\n", 1, "% 1 2\n", "1 2 \tfive\n", 6,
     "expected a number as value"},
    {"big.el", 1, "# as the others have it: %u %u %u\n", "%u\t%u\n", 0, " # 1 2\n", "17 x\n", 4,
     "expected a vertex id, a whole number (--ids text takes any text)"},
    {"big.gr", 1, "p sp %u %u\n", "a %u %u 1\n", 1, "\tc 1 2\n", " b 1 2 1\n", 2,
     "expected an edge line, 'a FROM TO WEIGHT'"},
    {"big.graph", 1, "%u %u\n", "%u %u\n", 1, " % 1 2\n", "  1 0\n", 5, "neighbour 0; numbers start at 1"},
};

/* Line i holds vertex i's edge to 7 i + 1; in METIS, where a line is a vertex, its two neighbours on a circle. */
static struct edge edge_of_line(const struct big *big, vertex_t i)
{
    if (strcmp(big->file, "big.graph") == 0)
        return (struct edge){(i + NUM_LINES - 1) % NUM_LINES, (i + 1) % NUM_LINES};
    return (struct edge){i, (7 * i + 1) % NUM_LINES};
}

static char *big_text(const struct big *big, size_t *size)
{
    char *text;
    FILE *to = open_memstream(&text, size);
    fprintf(to, big->head, NUM_LINES, NUM_LINES, NUM_LINES);
    for (vertex_t i = 0; i < NUM_LINES; i++) {
        struct edge edge = edge_of_line(big, i);
        fprintf(to, big->line, edge.source + big->base, edge.target + big->base);
    }
    fclose(to);
    assert_true(*size > 3 * CHUNK);
    return text;
}

static const char *next_line(const char *at)
{
    return strchr(at, '\n') + 1;
}

/* Number of the line that begins at `at`, from 1. */
static unsigned line_number(const char *text, const char *at)
{
    unsigned number = 1;
    for (; text < at; text = next_line(text))
        number++;
    return number;
}

/* Writes the text with one more line in two places, each the beginning of a line. */
static void put_with(const char *path, const char *text, const char *line, const char *first, const char *second)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    fwrite(text, 1, (size_t)(first - text), file);
    fputs(line, file);
    fwrite(first, 1, (size_t)(second - first), file);
    fputs(line, file);
    fputs(second, file);
    assert_int_equal(fclose(file), 0);
}

static void assert_refused_by_all(const char *path, const char *message)
{
    int all_threads = omp_get_max_threads();
    for (size_t t = 0; t < COUNT(thread_counts); t++) {
        omp_set_num_threads(thread_counts[t]);
        assert_refused(path, &as_is, message);
    }
    omp_set_num_threads(all_threads);
}

/* Of two bad lines, the first is reported. The second pair of places is the end of one chunk and the beginning of the
 * next (the first has two megabytes), so that the second mistake is found before the first is. */
TEST(bad_line_deep_inside)
{
    for (size_t i = 0; i < COUNT(bigs); i++) {
        const struct big *big = &bigs[i];
        size_t size;
        char *text = big_text(big, &size), message[256];
        const char *body = text, *last = text + size - 2;
        for (unsigned line = 0; line < big->head_lines; line++)
            body = next_line(body);
        while (last[-1] != '\n')
            last--;
        const char *const places[][2] = {
            {body, last},
            {next_line(text + 2 * CHUNK - 2000), next_line(text + 2 * CHUNK + 2000)},
            {next_line(text + size / 4 * 3), last},
            {last, last},
        };
        for (size_t p = 0; p < COUNT(places); p++) {
            snprintf(message, sizeof message, "%s:%u:%u: %s", big->file, line_number(text, places[p][0]),
                     big->bad_column, big->reason);
            put_with(big->file, text, big->bad_line, places[p][0], places[p][1]);
            assert_refused_by_all(big->file, message);
        }
        free(text);
    }
}

/* With comments deep inside, which count as lines and not as METIS rows. */
TEST(many_chunks)
{
    int all_threads = omp_get_max_threads();
    for (size_t i = 0; i < COUNT(bigs); i++) {
        struct builder builder;
        GRAPH expected;
        bool rows = strcmp(bigs[i].file, "big.graph") == 0;
        assert_ok(builder_init(&builder, NUM_LINES, &error));
        for (vertex_t v = 0; v < NUM_LINES; v++) {
            struct edge edge = edge_of_line(&bigs[i], v);
            push_edge(&builder.writers[0], rows ? v : edge.source, edge.target);
            if (rows)
                push_edge(&builder.writers[0], v, edge.source);
        }
        assert_ok(builder_finish(&builder, NUM_LINES, &expected, &error));
        size_t size;
        char *text = big_text(&bigs[i], &size);
        put_with(bigs[i].file, text, bigs[i].comment, next_line(text + size / 3), next_line(text + size / 3 * 2));
        free(text);
        for (size_t t = 0; t < COUNT(thread_counts); t++) {
            omp_set_num_threads(thread_counts[t]);
            GRAPH graph = load_ok(bigs[i].file, &as_is);
            assert_int_equal(graph.num_vertices, expected.num_vertices);
            assert_int_equal(graph.num_edges, expected.num_edges);
            assert_memory_equal(graph.offsets, expected.offsets, (NUM_LINES + 1) * sizeof *graph.offsets);
            assert_memory_equal(graph.targets, expected.targets, graph.num_edges * sizeof *graph.targets);
            assert_int_equal(graph.symmetric, rows);
        }
        omp_set_num_threads(all_threads);
    }
}

/* Lines that are missing at the end of a large file are counted exactly. */
TEST(large_truncated_file)
{
    size_t size;
    char *text = big_text(&bigs[0], &size), message[256];
    while (text[--size - 1] != '\n') /* removes the last line, and then the line end before it */
        continue;
    text[size - 1] = '\0';
    put_text(bigs[0].file, text);
    snprintf(message, sizeof message,
             "big.mtx:%u:1: truncated file: the size line announces %u entries, the file has %u",
             bigs[0].head_lines + NUM_LINES, NUM_LINES, NUM_LINES - 1);
    assert_refused_by_all(bigs[0].file, message);
    free(text);
}

static void put_many(FILE *to, char c, size_t times)
{
    for (; times > 0; times--)
        putc(c, to);
}

/* A comment, an entry, and the blanks before a mistake, each longer than two chunks. */
TEST(lines_longer_than_a_chunk)
{
    static const size_t many = 2 * CHUNK + 1000;
    static const struct {
        const char *file, *head, *comment, *reason;
    } files[] = {
        {"long.el", "", "#", "expected a vertex id, a whole number (--ids text takes any text)"},
        {"long.mtx", BANNER "pattern general\n%\n9 9 9\n", "%", "expected a row and a column number"},
        {"long.gr", "p tw 9 9\n", "c", "expected two vertex numbers"},
    };
    for (size_t i = 0; i < COUNT(files); i++) {
        FILE *to = fopen(files[i].file, "wb");
        assert_non_null(to);
        fprintf(to, "%s1 2\n%s", files[i].head, files[i].comment);
        put_many(to, 'x', many);
        fputs("\n1", to);
        put_many(to, ' ', many);
        fputs("2\n3", to);
        put_many(to, '\t', many);
        fputs("x\n", to);
        assert_int_equal(fclose(to), 0);
        unsigned head_lines = 0;
        for (const char *c = files[i].head; *c != '\0'; c++)
            head_lines += *c == '\n';
        char message[256];
        snprintf(message, sizeof message, "%s:%u:%zu: %s", files[i].file, head_lines + 4, many + 2, files[i].reason);
        assert_refused_by_all(files[i].file, message);
    }
}

/* The high-degree vertex's row of a METIS file, and a comment before the size line of a Matrix Market file. */
TEST(long_lines_that_are_right)
{
    static const unsigned leaves = 350000;
    FILE *to = fopen("star.graph", "wb");
    assert_non_null(to);
    fprintf(to, "%u %u\n", leaves + 1, leaves);
    for (unsigned leaf = 0; leaf < leaves; leaf++)
        fprintf(to, "%u ", leaf + 2);
    for (unsigned leaf = 0; leaf < leaves; leaf++)
        fputs("\n1", to);
    assert_true(ftell(to) > (long)(2 * CHUNK));
    fclose(to);
    GRAPH graph = load_ok("star.graph", &as_is);
    assert_int_equal(graph.num_edges, 2 * leaves);
    assert_int_equal(graph_degree(&graph, 0), leaves);
    assert_int_equal(graph.duplicates_dropped, 0);
    graph_release(&graph);

    to = fopen("wordy.mtx", "wb");
    assert_non_null(to);
    fputs(BANNER "pattern general\n%", to);
    put_many(to, '-', 2 * CHUNK);
    fputs("\n2 2 1\n1 2", to);
    fclose(to);
    graph = load_ok("wordy.mtx", &as_is);
    assert_edges(&graph, "0>1 ");
}

/* Files that end where a chunk does, and around it. */
TEST(ends_at_a_chunk)
{
    for (size_t size = 2 * CHUNK - 2; size <= 2 * CHUNK + 2; size++)
        for (int newline = 0; newline <= 1; newline++) {
            FILE *to = fopen("edge.el", "wb");
            assert_non_null(to);
            fputs("0 1\n#", to);
            put_many(to, '.', size - strlen("0 1\n#\n1 2") - (newline ? 1 : 0));
            fputs(newline ? "\n1 2\n" : "\n1 2", to);
            assert_int_equal(ftell(to), size);
            fclose(to);
            GRAPH graph = load_ok("edge.el", &as_is);
            assert_edges(&graph, "0>1 1>2 ");
        }
}

TEST(ctrl_c_while_reading)
{
    struct graph graph;
    put_text("x.mtx", MTX);
    ctrl_c_pressed = true;
    int status = graph_load("x.mtx", &as_is, &graph, &error);
    ctrl_c_pressed = false;
    assert_fails(status, STATUS_INTERRUPTED, "");
    assert_null(graph.offsets);
}

TESTS(enter_folder_on_one_thread, leave_folder)
