/* test_readers.c: every text format as it is found in the wild, how a format is recognised, and people who know each
 * other. */
#include "graph_files.h"

#include <sys/stat.h>

#define DIRECTED   "0>1 0>4 1>2 2>0 3>1 " /* 5 is isolated in both */
#define UNDIRECTED "0>1 0>2 1>0 1>2 2>0 2>1 3>4 4>3 "

static const struct load_options as_is, undirected = {.undirected = true};

/* ---- every format x every leniency ---- */

/* The same two graphs in every form: DIRECTED with the self-loop 4>4 and 0>1 twice, or UNDIRECTED. */
static const struct document {
    const char *file, *text, *comment;
    bool rows; /* a line is a vertex, so blank lines stand only before and after */
    const char *edges;
    uint64_t self_loops, duplicates;
} documents[] = {
    {"pattern.mtx", "%%MatrixMarket matrix coordinate pattern general\n6 6 7\n1 2\n2 3\n3 1\n4 2\n1 5\n5 5\n1 2\n", "%",
     false, DIRECTED, 1, 1},
    {"integer.mtx",
     "%%MatrixMarket matrix coordinate integer general\n6 6 7\n1 2 -1\n2 3 +2\n3 1 0\n4 2 7\n1 5 7\n5 5 7\n1 2 7\n",
     "%", false, DIRECTED, 1, 1},
    {"real.mtx",
     "%%MatrixMarket matrix coordinate real general\n6 6 7\n1 2 1.5\n2 3 -2\n3 1 3e-4\n4 2 +.5E2\n1 5 nan\n"
     "5 5 -Infinity\n1 2 0.\n",
     "%", false, DIRECTED, 1, 1},
    {"complex.mtx",
     "%%MatrixMarket matrix coordinate complex general\n6 6 7\n1 2 1 2\n2 3 -1.5 3e2\n3 1 0 -0.0\n4 2 1 1\n"
     "1 5 inf 1d0\n5 5 1 1\n1 2 1 1\n",
     "%", false, DIRECTED, 1, 1},
    {"symmetric.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n6 6 5\n2 1\n3 2\n3 1\n5 4\n5 5\n", "%",
     false, UNDIRECTED, 1, 0},
    {"skew.mtx", "%%MatrixMarket matrix coordinate real skew-symmetric\n6 6 4\n2 1 1\n3 2 1\n3 1 1\n5 4 1.25D+00\n",
     "%", false, UNDIRECTED, 0, 0},
    {"hermitian.mtx", "%%MatrixMarket matrix coordinate complex hermitian\n6 6 4\n2 1 1 0\n3 2 1 0\n3 1 1 0\n5 4 1 0\n",
     "%", false, UNDIRECTED, 0, 0},
    {"snap.txt", "# Directed graph\n0\t1\n1\t2\n2\t0\n3\t1\n0\t4\n4\t4\n0\t1\n5\t5\n", "#", false, DIRECTED, 2, 1},
    {"weighted.el", "0 1 0.5 12\n1 2 1 1\n2 0 1 1\n3 1 1 1\n0 4 1 1\n4 4 1 1\n0 1 -1 2\n5 5 1 1\n", "%", false,
     DIRECTED, 2, 1},
    {"comma.csv", "0,1\n1,2\n2,0\n3,1\n0,4\n4,4\n0,1\n5,5\n", "#", false, DIRECTED, 2, 1},
    {"nameless", "0 1\n1 2\n2 0\n3 1\n0 4\n4 4\n0 1\n5 5\n", "#", false, DIRECTED, 2, 1},
    {"road.gr", "p sp 6 7\na 1 2 7\na 2 3 7\na 3 1 7\na 4 2 7\na 1 5 7\na 5 5 0.5\na 1 2 7\n", "c", false, DIRECTED, 1,
     1},
    {"pace.gr", "p tw 6 4\n2 1\n3 2\n3 1\n5 4\n", "c", false, UNDIRECTED, 0, 0},
    {"colour.col", "p edge 6 4\ne 2 1\ne 3 2\ne 3 1\ne 5 4\n", "c", false, UNDIRECTED, 0, 0},
    {"plain.graph", "6 4\n2 3\n1 3\n1 2\n5\n4\n\n", "%", true, UNDIRECTED, 0, 0},
    {"edge-weights.graph", "6 4 1\n2 9 3 9\n1 9 3 8\n1 9 2 8\n5 7\n4 7\n\n", "%", true, UNDIRECTED, 0, 0},
    {"vertex-weights.graph", "6 4 010\n1 2 3\n2 1 3\n3 1 2\n4 5\n5 4\n6\n", "%", true, UNDIRECTED, 0, 0},
    {"sizes.metis", "6 4 100\n1 2 3\n2 1 3\n3 1 2\n4 5\n5 4\n6\n", "%", true, UNDIRECTED, 0, 0},
    {"all-weights.graph", "6 4 111 2\n0 1 1 2 9 3 9\n0 1 1 1 9 3 8\n0 1 1 1 9 2 8\n0 1 1 5 7\n0 1 1 4 7\n0 1 1\n", "%",
     true, UNDIRECTED, 0, 0},
};

#define MANY_BLANKS 150 /* more than two chunks of SMALL_BLOCKS */

enum leniency {
    CR_LF = 1 << 0,
    LEADING_BLANKS = 1 << 1,
    TRAILING_BLANKS = 1 << 2,
    EXTRA_SPACES = 1 << 3,
    TABS = 1 << 4,
    COMMENT_LINES = 1 << 5,
    BLANK_LINES = 1 << 6,
    NO_FINAL_NEWLINE = 1 << 7,
    UPPER_CASE_BANNER = 1 << 8,
    NUM_LENIENCIES = 9
};

/* A document's text with some of the leniencies taken; the caller frees. */
static char *write_leniently(const struct document *document, unsigned leniencies, size_t *size)
{
    char *text;
    FILE *to = open_memstream(&text, size);
    const char *line_end = leniencies & CR_LF ? "\r\n" : "\n";
    bool mtx = document->text[0] == '%';
    for (const char *line = document->text, *next; *line != '\0'; line = next) {
        next = strchr(line, '\n') + 1;
        bool first = line == document->text, last = *next == '\0';
        if (leniencies & BLANK_LINES && (first || !document->rows))
            fprintf(to, "%s \t%s", line_end, line_end);
        if (leniencies & COMMENT_LINES && !(first && mtx))
            fprintf(to, "%s%s 1 2 a comment%*s%s", leniencies & LEADING_BLANKS ? " \t" : "", document->comment,
                    MANY_BLANKS, ".", line_end);
        if (leniencies & LEADING_BLANKS)
            fputs(" \t ", to);
        for (const char *c = line; *c != '\n'; c++)
            if (*c == ' ')
                fprintf(to, "%*s", leniencies & EXTRA_SPACES ? MANY_BLANKS : 1, leniencies & TABS ? "\t" : " ");
            else
                putc(first && mtx && leniencies & UPPER_CASE_BANNER && *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c,
                     to);
        if (leniencies & TRAILING_BLANKS)
            fputs("\t ", to);
        if (!last || !(leniencies & NO_FINAL_NEWLINE))
            fputs(line_end, to);
        else if (line + 1 == next) /* without its line end, an empty row would not exist */
            fputs(" ", to);
    }
    if (leniencies & BLANK_LINES && !(leniencies & NO_FINAL_NEWLINE))
        fprintf(to, "%s  %s", line_end, line_end);
    fclose(to);
    return text;
}

static void check_document(const struct document *document, unsigned leniencies, bool gzip)
{
    size_t size;
    TEXT text = write_leniently(document, leniencies, &size);
    const char *path = put_packed(document->file, text, size, gzip);
    struct graph graph;
    if (graph_load(path, &as_is, &graph, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text);
    assert_edges(&graph, document->edges);
    assert_int_equal(graph.num_vertices, 6);
    assert_int_equal(graph.symmetric, strcmp(document->edges, UNDIRECTED) == 0);
    assert_int_equal(graph.self_loops_dropped, document->self_loops);
    assert_int_equal(graph.duplicates_dropped, document->duplicates);
    assert_true(strncmp(document->file, graph.name, strlen(graph.name)) == 0);
    assert_null(strchr(graph.name, '.'));
    graph_release(&graph);
    remove(path);
}

/* Each leniency alone, every two together, and all at once; plain and gzip. */
TEST(formats_as_found)
{
    for (size_t i = 0; i < COUNT(documents); i++)
        for (int gzip = 0; gzip <= 1; gzip++) {
            check_document(&documents[i], 0, gzip);
            for (int a = 0; a < NUM_LENIENCIES; a++)
                for (int b = a; b < NUM_LENIENCIES; b++)
                    check_document(&documents[i], 1u << a | 1u << b, gzip);
            check_document(&documents[i], (1u << NUM_LENIENCIES) - 1, gzip);
        }
}

/* Symmetry is found even if the format does not guarantee it. */
TEST(symmetry_is_found)
{
    put_text("both.el", "0 1\n1 0\n1 2\n2 1\n");
    GRAPH graph = load_ok("both.el", &as_is);
    assert_true(graph.symmetric);
    graph_release(&graph);
    put_text("one.graph", "2 1\n2\n\n"); /* an edge that is listed at one end only */
    assert_refused("one.graph", &as_is,
                   "one.graph:4:1: the header announces 1 edges, so 2 neighbours; the file has 1 "
                   "(truncated file?)");
    put_text("two.graph", "4 1\n2 3\n\n\n\n");
    assert_refused("two.graph", &as_is,
                   "two.graph: vertex 1 lists an edge to 2, but not the other way; METIS lists it at both ends "
                   "(--undirected adds the other)");
    graph = load_ok("two.graph", &undirected);
    assert_edges(&graph, "0>1 0>2 1>0 2>0 ");
}

/* ---- which reader, and what the graph is called ---- */

#define GR     "c\np sp 2 1\na 1 2 5\n"
#define METIS  "% three in a row\n3 2\n2\n1 3\n2\n"
#define SQUARE "4 4\n2 4\n1 3\n2 4\n1 3\n" /* looks like an edge list as well */

TEST(detection)
{
    static const struct {
        const char *file, *text, *origin, *name;
    } files[] = {
        {"a.mtx", MTX, "general file", "a"},
        {"a", MTX, "general file", "a"},
        {"a.txt", MTX, "general file", "a"},
        {"a.gr", MTX, "general file", "a"},
        {"a.b.mtx", MTX, "general file", "a.b"},
        {"A.MTX", MTX, "general file", "A"},
        {"a.gr", GR, "directed DIMACS file", "a"},
        {"a.mtx", GR, "directed DIMACS file", "a"},
        {"a.dat", "\n  p sp 2 1\na 1 2\n", "directed DIMACS file", "a.dat"},
        {"a.graph", "c\tx\np\ttw\t2\t1\n1 2\n", "undirected DIMACS file", "a"},
        {"a.col", "p col 2 1\ne 1 2\n", "undirected DIMACS file", "a"},
        {"a.graph", METIS, "METIS file", "a"},
        {"a.metis", SQUARE, "METIS file", "a"},
        {"a", "5 4\n2 4\n1 3\n2 4\n1 3\n", "edge list", "a"},
        {"a.el", "0 1\n", "edge list", "a"},
        {"a.snap", "0 1 7\n1 2 3\n", "edge list", "a"},
        {"a", "# x\n% y\n\n 0 1\n\n1 2\n\n", "edge list", "a"},
        {"dir/a.tsv", "0\t1\n", "edge list", "a"},
        {"x:1.el", "0 1\n", "edge list", "x:1"}, /* no generator, since the file exists */
        {".el", "0 1\n", "edge list", ".el"},
    };
    assert_int_equal(mkdir("dir", 0777), 0);
    for (size_t i = 0; i < COUNT(files); i++)
        for (int gzip = 0; gzip <= 1; gzip++) {
            const char *path = put_packed(files[i].file, files[i].text, strlen(files[i].text), gzip);
            struct graph graph = load_ok(path, &as_is);
            assert_string_equal(graph.origin, files[i].origin);
            assert_string_equal(graph.name, files[i].name);
            graph_release(&graph);
            remove(path);
        }
}

/* By its content, and of two members, as cat a.gz b.gz and bgzip make it. */
TEST(gzip_is_seen_by_content)
{
    size_t length;
    put_packed("more", "% more\n", 7, true);
    TEXT member = get_bytes("more.gz", &length);
    rename(put_packed("packed", MTX, strlen(MTX), true), "packed.mtx");
    for (int members = 1; members <= 2; members++) {
        GRAPH graph = load_ok("packed.mtx", &as_is);
        assert_edges(&graph, "0>1 ");
        FILE *file = fopen("packed.mtx", "ab");
        fwrite(member, 1, length, file);
        fclose(file);
    }
}

/* ---- SNB ---- */

/* Ids become vertices in ascending order, whatever the order of lines; edges are undirected. */
TEST(snb)
{
    static const struct {
        const char *text, *edges, *ids;
        uint64_t self_loops, duplicates;
    } files[] = {
        {"Person1Id|Person2Id|creationDate\n933|77|1\n77|9999999999999999999|2\n", "0>1 0>2 1>0 2>0 ",
         "77 933 9999999999999999999 ", 0, 0},
        {"Person1Id|Person2Id\n5|7\n", "0>1 1>0 ", "5 7 ", 0, 0},
        {"created|deleted|Person1Id|Person2Id\r\n2010|false|5|7\r\n\r\n2011|false|7|7\r\n", "0>1 1>0 ", "5 7 ", 1, 0},
        {":START_ID(Person)|:END_ID(Person)|on:DATETIME\n3|4|x\n4|3|y\n2|3|", "0>1 1>0 1>2 2>1 ", "2 3 4 ", 0, 2},
        {"Person.id|since|Person.id\n3||4\n", "0>1 1>0 ", "3 4 ", 0, 0},
        {"person1Id,since,person2Id\n\"4\",\"2010, May\",3\n", "0>1 1>0 ", "3 4 ", 0, 0},
    };
    for (size_t i = 0; i < COUNT(files); i++)
        for (int mode = 0; mode < 2; mode++) {
            char ids[64] = "", digits[ID_DIGITS];
            put_text("knows.csv", files[i].text);
            GRAPH graph = load_ok("knows.csv", mode == 0 ? &as_is : &undirected);
            assert_edges(&graph, files[i].edges);
            assert_true(graph.symmetric);
            assert_string_equal(graph.origin, "SNB, mutual");
            assert_int_equal(graph.self_loops_dropped, files[i].self_loops);
            assert_int_equal(graph.duplicates_dropped, files[i].duplicates);
            for (vertex_t v = 0; v < graph.num_vertices; v++)
                strcat(strcat(ids, graph_id(&graph, v, digits)), " ");
            assert_string_equal(ids, files[i].ids);
            vertex_t vertex;
            assert_false(graph_find_text(&graph, "0", 1, &vertex) || graph_find_text(&graph, "78", 2, &vertex));
        }
}

TESTS(enter_folder_on_few_threads, leave_folder)
