/* test_readers.c: every text format as it is found in the wild, every kind of bad input with its one line, files of
 * many chunks, the .gtrav form, its use as a cache, and writing that leaves all or nothing. */
#include "support.h"

#include <dirent.h>
#include <fcntl.h>
#include <omp.h>
#include <sys/stat.h>
#include <zlib.h>

#include "../../src/graph/binary.h"
#include "../../src/graph/reorder.h"

#define DIRECTED   "0>1 0>4 1>2 2>0 3>1 " /* 5 is isolated in both */
#define UNDIRECTED "0>1 0>2 1>0 1>2 2>0 2>1 3>4 4>3 "

static const struct load_options as_is = {false, false}, undirected = {true, false}, cached = {false, true},
                                 undirected_cached = {true, true};

static struct graph load_ok(const char *path, const struct load_options *options)
{
    struct graph graph;
    struct error error = {0};
    if (graph_load(path, options, &graph, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(graph_validate(&graph, path, &error), STATUS_OK);
    assert_int_equal(graph.symmetric, graph_test_symmetry(&graph));
    return graph;
}

static void assert_refused(const char *path, const struct load_options *options, const char *message)
{
    struct graph graph;
    struct error error = {0};
    assert_int_equal(graph_load(path, options, &graph, &error), STATUS_INPUT);
    assert_string_equal(error.text, message);
    assert_null(graph.offsets);
    assert_null(graph.name);
}

static void put_gzip(const char *path, const char *text, size_t length)
{
    gzFile file = gzopen(path, "wb1");
    assert_non_null(file);
    assert_int_equal(gzwrite(file, text, (unsigned)length), length);
    assert_int_equal(gzclose(file), Z_OK);
}

/* ---- every format x every leniency ---- */

/* The same two graphs in every form: DIRECTED with the self-loop 4>4 and 0>1 twice, or UNDIRECTED. */
static const struct document {
    const char *file, *text, *comment;
    bool rows; /* a line is a vertex, so blank lines stand only before and after */
    const char *arcs;
    uint64_t self_loops, duplicates;
} documents[] = {
    {"pattern.mtx", "%%MatrixMarket matrix coordinate pattern general\n6 6 7\n1 2\n2 3\n3 1\n4 2\n1 5\n5 5\n1 2\n",
     "%", false, DIRECTED, 1, 1},
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
    {"hermitian.mtx",
     "%%MatrixMarket matrix coordinate complex hermitian\n6 6 4\n2 1 1 0\n3 2 1 0\n3 1 1 0\n5 4 1 0\n", "%", false,
     UNDIRECTED, 0, 0},
    {"snap.txt", "# Directed graph\n0\t1\n1\t2\n2\t0\n3\t1\n0\t4\n4\t4\n0\t1\n5\t5\n", "#", false, DIRECTED, 2, 1},
    {"weighted.el", "0 1 0.5 12\n1 2 1 1\n2 0 1 1\n3 1 1 1\n0 4 1 1\n4 4 1 1\n0 1 -1 2\n5 5 1 1\n", "%", false,
     DIRECTED, 2, 1},
    {"comma.csv", "0,1\n1,2\n2,0\n3,1\n0,4\n4,4\n0,1\n5,5\n", "#", false, DIRECTED, 2, 1},
    {"nameless", "0 1\n1 2\n2 0\n3 1\n0 4\n4 4\n0 1\n5 5\n", "#", false, DIRECTED, 2, 1},
    {"road.gr", "p sp 6 7\na 1 2 7\na 2 3 7\na 3 1 7\na 4 2 7\na 1 5 7\na 5 5 0.5\na 1 2 7\n", "c", false, DIRECTED,
     1, 1},
    {"pace.gr", "p tw 6 4\n2 1\n3 2\n3 1\n5 4\n", "c", false, UNDIRECTED, 0, 0},
    {"colour.col", "p edge 6 4\ne 2 1\ne 3 2\ne 3 1\ne 5 4\n", "c", false, UNDIRECTED, 0, 0},
    {"plain.graph", "6 4\n2 3\n1 3\n1 2\n5\n4\n\n", "%", true, UNDIRECTED, 0, 0},
    {"edge-weights.graph", "6 4 1\n2 9 3 9\n1 9 3 8\n1 9 2 8\n5 7\n4 7\n\n", "%", true, UNDIRECTED, 0, 0},
    {"vertex-weights.graph", "6 4 010\n1 2 3\n2 1 3\n3 1 2\n4 5\n5 4\n6\n", "%", true, UNDIRECTED, 0, 0},
    {"sizes.metis", "6 4 100\n1 2 3\n2 1 3\n3 1 2\n4 5\n5 4\n6\n", "%", true, UNDIRECTED, 0, 0},
    {"all-weights.graph", "6 4 111 2\n0 1 1 2 9 3 9\n0 1 1 1 9 3 8\n0 1 1 1 9 2 8\n0 1 1 5 7\n0 1 1 4 7\n0 1 1\n",
     "%", true, UNDIRECTED, 0, 0},
};

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
            fprintf(to, "%s%s 1 2 a comment%s", leniencies & LEADING_BLANKS ? " \t" : "", document->comment,
                    line_end);
        if (leniencies & LEADING_BLANKS)
            fputs(" \t ", to);
        for (const char *c = line; *c != '\n'; c++)
            if (*c == ' ')
                fputs(leniencies & TABS && leniencies & EXTRA_SPACES ? "\t \t"
                      : leniencies & TABS                            ? "\t"
                      : leniencies & EXTRA_SPACES                    ? "   "
                                                                     : " ",
                      to);
            else
                putc(first && mtx && leniencies & UPPER_CASE_BANNER && *c >= 'a' && *c <= 'z' ? *c - 'a' + 'A' : *c,
                     to);
        if (leniencies & TRAILING_BLANKS)
            fputs("\t ", to);
        if (!last || !(leniencies & NO_FINAL_NEWLINE))
            fputs(line_end, to);
        else if (line + 1 == next) /* an empty row is nothing without its end */
            fputs(" ", to);
    }
    if (leniencies & BLANK_LINES && !(leniencies & NO_FINAL_NEWLINE))
        fprintf(to, "%s  %s", line_end, line_end);
    fclose(to);
    return text;
}

static void check_document(const struct document *document, unsigned leniencies, bool gzip)
{
    char path[64];
    size_t size;
    char *text = write_leniently(document, leniencies, &size);
    snprintf(path, sizeof path, "%s%s", document->file, gzip ? ".gz" : "");
    if (gzip)
        put_gzip(path, text, size);
    else
        put_bytes(path, text, size);
    struct graph graph;
    struct error error = {0};
    if (graph_load(path, &as_is, &graph, &error) != STATUS_OK)
        fail_msg("%s\n%s", error.text, text);
    assert_arcs(&graph, document->arcs);
    assert_int_equal(graph.num_vertices, 6);
    assert_int_equal(graph.symmetric, strcmp(document->arcs, UNDIRECTED) == 0);
    assert_int_equal(graph.self_loops_dropped, document->self_loops);
    assert_int_equal(graph.duplicates_dropped, document->duplicates);
    assert_true(strncmp(document->file, graph.name, strlen(graph.name)) == 0);
    assert_null(strchr(graph.name, '.'));
    graph_release(&graph);
    remove(path);
    free(text);
}

/* Each alone, every two together, and all at once; plain and gzip. */
static void test_formats_as_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(documents); i++)
        for (int gzip = 0; gzip <= 1; gzip++) {
            check_document(&documents[i], 0, gzip);
            for (int a = 0; a < NUM_LENIENCIES; a++)
                for (int b = a; b < NUM_LENIENCIES; b++)
                    check_document(&documents[i], 1u << a | 1u << b, gzip);
            check_document(&documents[i], (1u << NUM_LENIENCIES) - 1, gzip);
        }
}

/* A missing reverse is added, and the rest stays. */
static void test_undirected_in_every_format(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(documents); i++) {
        put_text(documents[i].file, documents[i].text);
        struct graph graph = load_ok(documents[i].file, &undirected);
        bool was = strcmp(documents[i].arcs, UNDIRECTED) == 0;
        assert_arcs(&graph, was ? UNDIRECTED : "0>1 0>2 0>4 1>0 1>2 1>3 2>0 2>1 3>1 4>0 ");
        assert_true(graph.symmetric);
        const char *suffix = strchr(graph.name, '+');
        assert_non_null(suffix);
        assert_string_equal(suffix, "+undirected");
        graph_release(&graph);
        remove(documents[i].file);
    }
}

/* Symmetric though the format does not say so. */
static void test_symmetry_is_found(void **state)
{
    (void)state;
    put_text("both.el", "0 1\n1 0\n1 2\n2 1\n");
    struct graph graph = load_ok("both.el", &as_is);
    assert_true(graph.symmetric);
    graph_release(&graph);
    put_text("one.graph", "2 1\n2\n\n"); /* an edge listed at one end, made whole on demand */
    assert_refused("one.graph", &as_is,
                   "one.graph:4:1: the header announces 1 edges, so 2 neighbours; the file has 1 "
                   "(truncated file?)");
    put_text("two.graph", "4 1\n2 3\n\n\n\n");
    assert_refused("two.graph", &as_is,
                   "two.graph: an edge is listed at only one of its ends; METIS lists it at both (--undirected adds "
                   "the other)");
    graph = load_ok("two.graph", &undirected);
    assert_arcs(&graph, "0>1 0>2 1>0 2>0 ");
    graph_release(&graph);
}

/* ---- which reader, and what the graph is called ---- */

#define MTX    "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n"
#define GR     "c\np sp 2 1\na 1 2 5\n"
#define METIS  "% three in a row\n3 2\n2\n1 3\n2\n"
#define SQUARE "4 4\n2 4\n1 3\n2 4\n1 3\n" /* looks like an edge list, too */

static void test_detection(void **state)
{
    (void)state;
    static const struct {
        const char *file, *text, *origin, *name;
    } files[] = {
        {"a.mtx", MTX, "general file", "a"},
        {"a", MTX, "general file", "a"},
        {"a.txt", MTX, "general file", "a"},
        {"a.gr", MTX, "general file", "a"},
        {"a.b.mtx", MTX, "general file", "a.b"},
        {"A.MTX", MTX, "general file", "A"},
        {"a.gr", GR, "DIMACS arcs", "a"},
        {"a.mtx", GR, "DIMACS arcs", "a"},
        {"a.dat", "\n  p sp 2 1\na 1 2\n", "DIMACS arcs", "a.dat"},
        {"a.graph", "c\tx\np\ttw\t2\t1\n1 2\n", "undirected DIMACS file", "a"},
        {"a.col", "p col 2 1\ne 1 2\n", "undirected DIMACS file", "a"},
        {"a.graph", METIS, "METIS file", "a"},
        {"a", METIS, "METIS file", "a"},
        {"a.metis", SQUARE, "METIS file", "a"},
        {"a", SQUARE, "edge list", "a"},
        {"a.el", "0 1\n", "edge list", "a"},
        {"a.snap", "0 1 7\n1 2\n", "edge list", "a"},
        {"a", "# x\n% y\n\n 0 1\n\n1 2\n\n", "edge list", "a"},
        {"dir/a.tsv", "0\t1\n", "edge list", "a"},
        {"x:1.el", "0 1\n", "edge list", "x:1"}, /* no generator, since the file exists */
        {".el", "0 1\n", "edge list", ".el"},
    };
    assert_int_equal(mkdir("dir", 0777), 0);
    for (size_t i = 0; i < COUNT(files); i++)
        for (int gzip = 0; gzip <= 1; gzip++) {
            char path[64];
            snprintf(path, sizeof path, "%s%s", files[i].file, gzip ? ".gz" : "");
            if (gzip)
                put_gzip(path, files[i].text, strlen(files[i].text));
            else
                put_text(path, files[i].text);
            struct graph graph = load_ok(path, &as_is);
            assert_string_equal(graph.origin, files[i].origin);
            assert_string_equal(graph.name, files[i].name);
            graph_release(&graph);
            remove(path);
        }
}

static void test_gzip_is_seen_by_content(void **state)
{
    (void)state;
    put_gzip("packed.mtx", MTX, strlen(MTX));
    struct graph graph = load_ok("packed.mtx", &as_is);
    assert_arcs(&graph, "0>1 ");
    graph_release(&graph);
    FILE *file = fopen("packed.mtx", "ab"); /* two members, as cat a.gz b.gz and bgzip make them */
    put_gzip("more", "% more\n", 7);
    size_t length;
    char *member = get_bytes("more", &length);
    fwrite(member, 1, length, file);
    free(member);
    fclose(file);
    graph = load_ok("packed.mtx", &as_is);
    assert_arcs(&graph, "0>1 ");
    graph_release(&graph);
}

/* ---- bad input ---- */

#define BANNER         "%%MatrixMarket matrix coordinate "
#define WRONG_BANNER   "wrong banner; expected %%MatrixMarket matrix coordinate FIELD SYMMETRY"
#define WRONG_PROBLEM  "wrong problem line; expected 'p sp VERTICES ARCS' or 'p tw VERTICES EDGES'"
#define WRONG_HEADER   "wrong header; expected VERTICES EDGES [FMT [NCON]]"
#define UNKNOWN_FORMAT "not a graph format known here (Matrix Market, edge list, DIMACS, METIS, SNB, .gtrav)"

static const struct bad {
    const char *file, *text, *message; /* behind "FILE:" */
} bad_files[] = {
    /* Matrix Market */
    {"x.mtx", "", " empty file"},
    {"x.mtx", " \n\t\r\n", " empty file"},
    {"x.mtx", "2 2 1\n1 2\n", "1:1: wrong banner; a Matrix Market file starts with %%MatrixMarket"},
    {"x.mtx", "%MatrixMarket matrix coordinate real general\n",
     "1:1: wrong banner; a Matrix Market file starts with %%MatrixMarket"},
    {"x.mtx", "%%MatrixMarket\n2 2 1\n1 2\n", "1:1: " WRONG_BANNER},
    {"x.mtx", "%%MatrixMarketing matrix coordinate pattern general\n2 2 1\n1 2\n", "1:1: " WRONG_BANNER},
    {"x.mtx", "%%MatrixMarket vector coordinate pattern general\n2 2 1\n1 2\n", "1:1: " WRONG_BANNER},
    {"x.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n",
     "1:23: format 'array' is not a graph; only 'coordinate' is read"},
    {"x.mtx", "\n\n  %%MatrixMarket   matrix  array real general\n",
     "3:28: format 'array' is not a graph; only 'coordinate' is read"},
    {"x.mtx", BANNER "quaternion general\n",
     "1:34: unknown field 'quaternion'; expected pattern, integer, real or complex"},
    {"x.mtx", BANNER "real  diagonal\n",
     "1:40: unknown symmetry 'diagonal'; expected general, symmetric, skew-symmetric or hermitian"},
    {"x.mtx", BANNER "real general\n", "2:1: truncated file: no size line"},
    {"x.mtx", BANNER "real general\n% 2 2 1\n\n", "4:1: truncated file: no size line"},
    {"x.mtx", BANNER "real general\n2 2\n", "2:1: wrong size line; expected rows, columns and entries"},
    {"x.mtx", BANNER "real general\n2 2 one\n", "2:1: wrong size line; expected rows, columns and entries"},
    {"x.mtx", BANNER "real general\n%\n2 2 1 1\n", "3:1: wrong size line; expected rows, columns and entries"},
    {"x.mtx", BANNER "real general\n2 2 -1\n", "2:1: wrong size line; expected rows, columns and entries"},
    {"x.mtx", BANNER "real general\n2 2 1.0\n", "2:1: wrong size line; expected rows, columns and entries"},
    {"x.mtx", BANNER "pattern general\n3 2 1\n1 2\n",
     "2:1: a matrix of 3 rows and 2 columns is not a graph; it must be square"},
    {"x.mtx", BANNER "pattern general\n2 3 1\n1 2\n",
     "2:1: a matrix of 2 rows and 3 columns is not a graph; it must be square"},
    {"x.mtx", BANNER "pattern general\n4294967296 4294967296 0\n",
     "2:1: 4294967296 vertices; a graph has fewer than 2^32"},
    {"x.mtx", BANNER "pattern general\n\n99999999999999999999 99999999999999999999 0\n",
     "3:1: 18446744073709551615 vertices; a graph has fewer than 2^32"},
    {"x.mtx", BANNER "pattern general\n3 3 2\n1 2\n",
     "4:1: truncated file: the size line announces 2 entries, the file has 1"},
    {"x.mtx", BANNER "pattern general\n3 3 2\n1 2",
     "4:1: truncated file: the size line announces 2 entries, the file has 1"},
    {"x.mtx", BANNER "pattern general\n3 3 0\n1 2\n",
     "4:1: too many entries: the size line announces 0 entries, the file has 1"},
    {"x.mtx", BANNER "pattern general\n3 3 99999999999999999999\n1 2\n",
     "4:1: truncated file: the size line announces 18446744073709551615 entries, the file has 1"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n0 2\n", "3:1: index 0; indices start at 1"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n2  0\n", "3:4: index 0; indices start at 1"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n 4 2\n", "3:2: index larger than the matrix"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n2 4\n", "3:3: index larger than the matrix"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n2 99999999999999999999\n", "3:3: index larger than the matrix"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1 -2\n", "3:3: expected a row and a column number"},
    {"x.mtx", BANNER "pattern general\n3 3 1\none 2\n", "3:1: expected a row and a column number"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1.0 2\n", "3:1: expected a row and a column number"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1 2x\n", "3:3: expected a row and a column number"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1\n", "3:2: the line ends after one number; expected row and column"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1 2 3\n", "3:5: unexpected text after the entry"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1,2\n", "3:2: expected a row and a column number"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2\n", "3:4: expected a number as value"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 x\n", "3:5: expected a number as value"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 .\n", "3:5: expected a number as value"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 -\n", "3:5: expected a number as value"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 1e\n", "3:5: expected a number as value"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 1e+\n", "3:5: expected a number as value"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 0x1\n", "3:5: expected a number as value"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 infinite\n", "3:5: expected a number as value"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 3 4\n", "3:7: unexpected text after the entry"},
    {"x.mtx", BANNER "complex general\n3 3 1\n1 2 3\n", "3:6: expected a number as value"},
    {"x.mtx", BANNER "complex general\r\n3 3 2\r\n1 2 3 4\r\n1 2 3 i\r\n", "4:7: expected a number as value"},
    /* edge lists */
    {"x.txt", "# nothing\n\n", " no edges in the file"},
    {"x", "# nothing\n", " no edges in the file"},
    {"x.el", "0 1\n1\n", "2:2: the line ends after one number; expected two vertex ids"},
    {"x.el", "0 1\n1 -2\n", "2:3: expected a vertex id"},
    {"x.el", "0 1\na b\n", "2:1: expected a vertex id"},
    {"x.el", "0 1\n1.5 2\n", "2:1: expected a vertex id"},
    {"x.el", "0 1\n \t1 2a\n", "2:5: expected a vertex id"},
    {"x.el", "0 4294967295\n", "1:3: vertex id too large; a graph has fewer than 2^32 vertices"},
    {"x.el", "99999999999999999999 1\n", "1:1: vertex id too large; a graph has fewer than 2^32 vertices"},
    {"x.el", "0 1 0.5 w\n", "1:9: expected a number or the end of the line"},
    {"x.csv", "0;1\n", "1:1: expected a vertex id"},
    {"x.csv", "source,target\n0,1\n", "1:1: expected a vertex id"},
    /* DIMACS */
    {"x.gr", "a 1 2 3\n", "1:1: wrong start; a DIMACS file starts with 'c' or 'p' lines"},
    {"x.gr", "c only\nc comments\n", "3:1: truncated file: no problem line"},
    {"x.gr", "c\na 1 2 3\n", "2:1: " WRONG_PROBLEM},
    {"x.gr", "p sp 3\n", "1:1: " WRONG_PROBLEM},
    {"x.gr", "p sp 3 -1\n", "1:1: " WRONG_PROBLEM},
    {"x.gr", "p sp 3 x\n", "1:1: " WRONG_PROBLEM},
    {"x.gr", "p sp 3 1 9\n", "1:1: " WRONG_PROBLEM},
    {"x.gr", "p max 3 1\n", "1:3: unknown problem 'max'; expected sp, tw, edge or col"},
    {"x.gr", "c\n  p  max 3 1\n", "2:6: unknown problem 'max'; expected sp, tw, edge or col"},
    {"x.gr", "p sp 4294967296 1\n", "1:1: 4294967296 vertices; a graph has fewer than 2^32"},
    {"x.gr", "p sp 3 1\ne 1 2\n", "2:1: expected an arc line, 'a FROM TO WEIGHT'"},
    {"x.gr", "p sp 3 1\na 1\n", "2:4: expected two vertex numbers"},
    {"x.gr", "p sp 3 1\na 1 b 1\n", "2:5: expected two vertex numbers"},
    {"x.gr", "p sp 3 1\na 0 1 1\n", "2:3: vertex 0; numbers start at 1"},
    {"x.gr", "p sp 3 1\na 1 4 1\n", "2:5: vertex number larger than the problem line says"},
    {"x.gr", "p sp 3 1\na 1 2 heavy\n", "2:7: expected a number as weight"},
    {"x.gr", "p sp 3 1\na 1 2 3 4\n", "2:9: unexpected text after the edge"},
    {"x.gr", "p sp 3 2\na 1 2 3\n", "3:1: truncated file: the problem line announces 2 edges, the file has 1"},
    {"x.gr", "p sp 3 0\na 1 2 3\n", "3:1: too many edges: the problem line announces 0 edges, the file has 1"},
    {"x.gr", "p tw 3 1\na 1 2\n", "2:1: expected two vertex numbers"},
    {"x.gr", "p tw 3 1\n1 2 3\n", "2:5: unexpected text after the edge"},
    {"x.col", "p edge 3 1\na 1 2\n", "2:1: expected an edge line, 'e U V'"},
    {"x.col", "p edge 3 1\ne 1 2 3\n", "2:7: unexpected text after the edge"},
    /* METIS */
    {"x.graph", "% nothing\n", "1:1: " WRONG_HEADER},
    {"x.graph", "3\n", "1:1: " WRONG_HEADER},
    {"x.graph", "3 x\n", "1:1: " WRONG_HEADER},
    {"x.graph", "%\n3 2 2\n", "2:1: " WRONG_HEADER},
    {"x.graph", "3 2 1000\n", "1:1: " WRONG_HEADER},
    {"x.graph", "3 2 11 1 1\n", "1:1: " WRONG_HEADER},
    {"x.graph", "3 9223372036854775808\n\n\n\n", "1:1: " WRONG_HEADER},
    {"x.graph", "4294967296 0\n", "1:1: 4294967296 vertices; a graph has fewer than 2^32"},
    {"x.graph", "2 1\n2\nx\n", "3:1: expected a neighbour's number"},
    {"x.graph", "2 1\n2\n1.0\n", "3:1: expected a neighbour's number"},
    {"x.graph", "2 1\n0\n1\n", "2:1: neighbour 0; numbers start at 1"},
    {"x.graph", "2 1\n%\n 3\n1\n", "3:2: neighbour larger than the number of vertices"},
    {"x.graph", "2 1\n2\n1\n2\n", "4:1: more lines than the header says vertices"},
    {"x.graph", "2 1 1\n2 5\n1\n", "3:2: expected the edge's weight after the neighbour"},
    {"x.graph", "2 1 1\n2 5\n1 z\n", "3:3: expected the edge's weight after the neighbour"},
    {"x.graph", "2 1 10\nw 2\n1 1\n", "2:1: expected a vertex weight"},
    {"x.graph", "3 2\n2\n1 3\n",
     "4:1: the header announces 2 edges, so 4 neighbours; the file has 3 (truncated file?)"},
    {"x.graph", "3 1\n2\n1 3\n2\n", "5:1: the header announces 1 edges, so 2 neighbours; the file has 4"},
    {"x.graph", "2 1\n2\n1 1\n", "4:1: the header announces 1 edges, so 2 neighbours; the file has 3"},
    /* nothing of these */
    {"x", "hello\n", "1:1: " UNKNOWN_FORMAT},
    {"x.gtrav", "GTRAVCS", "1:1: " UNKNOWN_FORMAT},
    {"x.png", "\x89PNG\r\n\x1a\n", "1:1: " UNKNOWN_FORMAT},
};

static void test_bad_files(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(bad_files); i++)
        for (int gzip = 0; gzip <= 1; gzip++) {
            char path[64], message[512];
            snprintf(path, sizeof path, "%s%s", bad_files[i].file, gzip ? ".gz" : "");
            snprintf(message, sizeof message, "%s:%s", path, bad_files[i].message);
            if (gzip)
                put_gzip(path, bad_files[i].text, strlen(bad_files[i].text));
            else
                put_text(path, bad_files[i].text);
            assert_refused(path, &as_is, message);
            assert_refused(path, &undirected, message);
            remove(path);
        }
}

/* A NUL among the entries is an error, not the end. */
static void test_nul_bytes(void **state)
{
    (void)state;
    static const struct {
        const char *file, *message, *text;
        size_t length;
    } files[] = {
#define BYTES(text) text, sizeof text - 1
        {"x.mtx", "x.mtx:4:1: expected a row and a column number",
         BYTES(BANNER "pattern general\n3 3 2\n1 2\n\0 1 3\n")},
        {"x.el", "x.el:2:3: expected a vertex id", BYTES("0 1\n1 \0002\n")},
        {"x.gr", "x.gr:2:7: expected a number as weight", BYTES("p sp 3 1\na 1 2 \0\n")},
        {"x.graph", "x.graph:2:1: expected a neighbour's number", BYTES("2 1\n\0002\n1\n")},
#undef BYTES
    };
    for (size_t i = 0; i < COUNT(files); i++) {
        put_bytes(files[i].file, files[i].text, files[i].length);
        assert_refused(files[i].file, &as_is, files[i].message);
    }
}

static void test_no_file_to_read(void **state)
{
    (void)state;
    assert_refused("none.mtx", &as_is, "none.mtx: cannot open: No such file or directory");
    assert_refused("none.mtx", &cached, "none.mtx: cannot open: No such file or directory");
    assert_int_equal(mkdir("folder.mtx", 0777), 0);
    assert_refused("folder.mtx", &as_is, "folder.mtx: is a directory; name a graph file in it");
    put_text("secret.mtx", MTX);
    put_bytes("secret.gtrav", "GTRAVCSR", 8);
    bool root = geteuid() == 0; /* who may read anything */
    assert_int_equal(chmod("secret.mtx", 0), 0);
    assert_int_equal(chmod("secret.gtrav", 0), 0);
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(root ? seteuid(65534) : 0, 0);
    assert_refused("secret.mtx", &as_is, "secret.mtx: cannot open: Permission denied");
    assert_refused("secret.gtrav", &as_is, "secret.gtrav: cannot open: Permission denied");
    assert_int_equal(root ? seteuid(0) : 0, 0);
}

/* Cut anywhere, or with any byte behind its header changed. */
static void test_damaged_gzip(void **state)
{
    (void)state;
    size_t length;
    put_gzip("x.el.gz", "0 1\n1 2\n2 3\n", 12);
    char *whole = get_bytes("x.el.gz", &length);
    for (size_t cut = 2; cut < length; cut++) { /* two bytes make it gzip */
        put_bytes("x.el.gz", whole, cut);
        assert_refused("x.el.gz", &as_is, "x.el.gz: truncated gzip file; fetch it again");
    }
    for (size_t i = 10; i < length; i++) { /* 10: the header's length */
        struct graph graph;
        struct error error = {0};
        whole[i] ^= 0x55;
        put_bytes("x.el.gz", whole, length);
        whole[i] ^= 0x55;
        assert_int_equal(graph_load("x.el.gz", &as_is, &graph, &error), STATUS_INPUT);
        assert_non_null(strstr(error.text, "x.el.gz: "));
        assert_non_null(strstr(error.text, "gzip file"));
    }
    free(whole);
}

/* ---- files of many chunks ---- */

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
     "expected a vertex id"},
    {"big.gr", 1, "p sp %u %u\n", "a %u %u 1\n", 1, "\tc 1 2\n", " b 1 2 1\n", 2,
     "expected an arc line, 'a FROM TO WEIGHT'"},
    {"big.graph", 1, "%u %u\n", "%u %u\n", 1, " % 1 2\n", "  1 0\n", 5, "neighbour 0; numbers start at 1"},
};

/* Line i holds vertex i's arc to 7 i + 1; in METIS, where a line is a vertex, its two neighbours on a circle. */
static struct arc arc_of_line(const struct big *big, vertex_t i)
{
    if (strcmp(big->file, "big.graph") == 0)
        return (struct arc){(i + NUM_LINES - 1) % NUM_LINES, (i + 1) % NUM_LINES};
    return (struct arc){i, (7 * i + 1) % NUM_LINES};
}

static char *big_text(const struct big *big, size_t *size)
{
    char *text;
    FILE *to = open_memstream(&text, size);
    fprintf(to, big->head, NUM_LINES, NUM_LINES, NUM_LINES);
    for (vertex_t i = 0; i < NUM_LINES; i++) {
        struct arc arc = arc_of_line(big, i);
        fprintf(to, big->line, arc.source + big->base, arc.target + big->base);
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

/* Of two bad lines the first is told. The second pair of places is the end of one chunk and the beginning of the
 * next (the first has two megabytes), so that the second mistake is found before the first is. */
static void test_bad_line_deep_inside(void **state)
{
    (void)state;
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
static void test_many_chunks(void **state)
{
    (void)state;
    int all_threads = omp_get_max_threads();
    for (size_t i = 0; i < COUNT(bigs); i++) {
        struct builder builder;
        struct graph expected;
        struct error error = {0};
        bool rows = strcmp(bigs[i].file, "big.graph") == 0;
        assert_int_equal(builder_init(&builder, NUM_LINES, &error), STATUS_OK);
        for (vertex_t v = 0; v < NUM_LINES; v++) {
            struct arc arc = arc_of_line(&bigs[i], v);
            push_arc(&builder.writers[0], rows ? v : arc.source, arc.target);
            if (rows)
                push_arc(&builder.writers[0], v, arc.source);
        }
        assert_int_equal(builder_finish(&builder, NUM_LINES, &expected, &error), STATUS_OK);
        size_t size;
        char *text = big_text(&bigs[i], &size);
        put_with(bigs[i].file, text, bigs[i].comment, next_line(text + size / 3), next_line(text + size / 3 * 2));
        free(text);
        for (size_t t = 0; t < COUNT(thread_counts); t++) {
            omp_set_num_threads(thread_counts[t]);
            struct graph graph = load_ok(bigs[i].file, &as_is);
            assert_int_equal(graph.num_vertices, expected.num_vertices);
            assert_int_equal(graph.num_edges, expected.num_edges);
            assert_memory_equal(graph.offsets, expected.offsets, (NUM_LINES + 1) * sizeof *graph.offsets);
            assert_memory_equal(graph.targets, expected.targets, graph.num_edges * sizeof *graph.targets);
            assert_int_equal(graph.symmetric, rows);
            graph_release(&graph);
        }
        omp_set_num_threads(all_threads);
        graph_release(&expected);
    }
}

/* What is missing at the end of a large file is counted to the line. */
static void test_large_truncated_file(void **state)
{
    (void)state;
    size_t size;
    char *text = big_text(&bigs[0], &size), message[256];
    while (text[--size - 1] != '\n') /* the last line goes, and then the end of the one before */
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
static void test_lines_longer_than_a_chunk(void **state)
{
    (void)state;
    static const size_t many = 2 * CHUNK + 1000;
    static const struct {
        const char *file, *head, *comment, *reason;
    } files[] = {
        {"long.el", "", "#", "expected a vertex id"},
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

/* The hub's row of a METIS file, and a comment before the size line of a Matrix Market file. */
static void test_long_lines_that_are_right(void **state)
{
    (void)state;
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
    struct graph graph = load_ok("star.graph", &as_is);
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
    assert_arcs(&graph, "0>1 ");
    graph_release(&graph);
}

/* Files that end where a chunk does, and around it. */
static void test_ends_at_a_chunk(void **state)
{
    (void)state;
    for (size_t size = 2 * CHUNK - 2; size <= 2 * CHUNK + 2; size++)
        for (int newline = 0; newline <= 1; newline++) {
            FILE *to = fopen("edge.el", "wb");
            assert_non_null(to);
            fputs("0 1\n#", to);
            put_many(to, '.', size - strlen("0 1\n#\n1 2") - (newline ? 1 : 0));
            fputs(newline ? "\n1 2\n" : "\n1 2", to);
            assert_int_equal(ftell(to), size);
            fclose(to);
            struct graph graph = load_ok("edge.el", &as_is);
            assert_arcs(&graph, "0>1 1>2 ");
            graph_release(&graph);
        }
}

static void test_ctrl_c_while_reading(void **state)
{
    (void)state;
    struct graph graph;
    struct error error = {0};
    put_text("x.mtx", MTX);
    ctrl_c_pressed = true;
    int status = graph_load("x.mtx", &as_is, &graph, &error);
    ctrl_c_pressed = false;
    assert_int_equal(status, STATUS_INTERRUPTED);
    assert_null(graph.offsets);
}

/* ---- writing ---- */

static void write_ok(const struct graph *graph, const char *path)
{
    struct error error = {0};
    if (graph_write(graph, path, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void test_written_graph_reads_back(void **state)
{
    (void)state;
    static const struct {
        const char *graph;
        vertex_t vertices;
    } graphs[] = {
        {"", 0},
        {"", 3},
        {"0>1", 4},
        {"0>1 1>0 2>2", 3},
        {"0>1 0>1 3>1 2>0", 5},
        {"kron:9", 0},
        {"dag:300:0.1", 0},
        {"path:9000", 0}, /* written in several pieces */
    };
    static const char *const files[] = {"out.mtx", "out.gtrav"};
    for (size_t i = 0; i < COUNT(graphs); i++)
        for (size_t f = 0; f < COUNT(files); f++) {
            struct graph graph = make_graph(graphs[i].graph, graphs[i].vertices);
            snprintf(graph.origin, sizeof graph.origin, "made here");
            write_ok(&graph, files[f]);
            struct graph back = load_ok(files[f], &as_is);
            char *arcs = arcs_of(&graph);
            assert_arcs(&back, arcs);
            free(arcs);
            assert_int_equal(back.num_vertices, graph.num_vertices);
            assert_int_equal(back.symmetric, graph.symmetric);
            assert_string_equal(back.name, "out");
            if (f == 1) {
                assert_string_equal(back.origin, graph.origin);
                assert_int_equal(back.self_loops_dropped, graph.self_loops_dropped);
                assert_int_equal(back.duplicates_dropped, graph.duplicates_dropped);
            }
            graph_release(&graph);
            graph_release(&back);
        }
}

static void test_binary_made_undirected(void **state)
{
    (void)state;
    struct graph graph = make_graph("0>1 2>0 1>2 2>1", 4);
    write_ok(&graph, "x.gtrav");
    graph_release(&graph);
    graph = load_ok("x.gtrav", &undirected);
    assert_arcs(&graph, "0>1 0>2 1>0 1>2 2>0 2>1 ");
    assert_true(graph.symmetric);
    assert_string_equal(graph.name, "x+undirected");
    graph_release(&graph);
}

static void test_matrix_market_as_written(void **state)
{
    (void)state;
    static const struct {
        const char *graph, *text;
    } graphs[] = {
        {"0>1 2>0", BANNER "pattern general\n3 3 2\n1 2\n3 1\n"},
        {"0>1 2>0 1>0 0>2", BANNER "pattern symmetric\n3 3 2\n2 1\n3 1\n"},
    };
    for (size_t i = 0; i < COUNT(graphs); i++) {
        struct graph graph = make_graph(graphs[i].graph, 3);
        write_ok(&graph, "x.mtx");
        char *text = get_bytes("x.mtx", NULL);
        assert_string_equal(text, graphs[i].text);
        free(text);
        graph_release(&graph);
    }
}

static int count_files(void)
{
    struct dirent **entries;
    int count = scandir(".", &entries, NULL, NULL);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    return count;
}

/* Writing fails in each way there is: the old file stays as it was, and nothing else is left. */
static void test_failed_write_leaves_nothing(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        size_t room; /* bytes that a file may have */
        bool interrupted;
        int status;
        const char *message;
    } cases[] = {
        {"x.mtx", 1000, false, STATUS_INPUT, "x.mtx: cannot write: File too large"},
        {"x.mtx", 9000, false, STATUS_INPUT, "x.mtx: cannot write: File too large"},
        {"x.gtrav", 100, false, STATUS_INPUT, "x.gtrav: cannot write: File too large"},
        {"x.gtrav", 20000, false, STATUS_INPUT, "x.gtrav: cannot write: File too large"},
        {"x.mtx", 1 << 30, true, STATUS_INTERRUPTED, "interrupted"},
        {"none/x.mtx", 1 << 30, false, STATUS_INPUT, "none/x.mtx: cannot write: No such file or directory"},
        {"none/x.gtrav", 1 << 30, false, STATUS_INPUT, "none/x.gtrav: cannot write: No such file or directory"},
        {"full.mtx", 1 << 30, false, STATUS_INPUT, "full.mtx: cannot rename the finished file: Is a directory"},
        {"x.txt", 1 << 30, false, STATUS_INPUT,
         "x.txt: cannot tell the format to write; end the name in .mtx or .gtrav"},
        {".mtx", 1 << 30, false, STATUS_INPUT,
         ".mtx: cannot tell the format to write; end the name in .mtx or .gtrav"},
    };
    struct graph graph = make_graph("grid:50x50", 0);
    assert_int_equal(mkdir("full.mtx", 0777), 0);
    put_text("x.mtx", "old");
    put_text("x.gtrav", "old");
    int files = count_files();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct error error = {0};
        struct rlimit before = limit_file_size(cases[i].room);
        ctrl_c_pressed = cases[i].interrupted;
        int status = graph_write(&graph, cases[i].file, &error);
        ctrl_c_pressed = false;
        setrlimit(RLIMIT_FSIZE, &before);
        assert_int_equal(status, cases[i].status);
        assert_string_equal(error.text, cases[i].message);
        assert_int_equal(count_files(), files);
        char *mtx = get_bytes("x.mtx", NULL), *gtrav = get_bytes("x.gtrav", NULL);
        assert_string_equal(mtx, "old");
        assert_string_equal(gtrav, "old");
        free(mtx);
        free(gtrav);
    }
    write_ok(&graph, "x.mtx");
    assert_int_equal(count_files(), files);
    struct stat facts;
    mode_t mask = umask(0);
    umask(mask);
    assert_int_equal(stat("x.mtx", &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0666 & ~mask);
    graph_release(&graph);
}

/* ---- the .gtrav form ---- */

static void test_damaged_binary(void **state)
{
    (void)state;
    struct graph graph = make_graph("0>1 1>2 2>0 3>1 0>4", 6), back;
    size_t length;
    write_ok(&graph, "x.gtrav");
    graph_release(&graph);
    char *whole = get_bytes("x.gtrav", &length);
    assert_int_equal(length, 128 + 7 * sizeof(edge_t) + 5 * sizeof(vertex_t));
    for (size_t bit = 0; bit < 8 * length; bit++) {
        struct error loaded = {0}, read = {0};
        whole[bit / 8] ^= (char)(1 << bit % 8);
        put_bytes("x.gtrav", whole, length);
        whole[bit / 8] ^= (char)(1 << bit % 8);
        assert_int_equal(graph_load("x.gtrav", &as_is, &back, &loaded), STATUS_INPUT);
        assert_int_equal(binary_read("x.gtrav", NULL, &back, &read), STATUS_INPUT);
        assert_string_equal(read.text, bit / 8 < 128
                                           ? "x.gtrav: damaged header; write the file anew"
                                           : "x.gtrav: damaged file (its checksum is wrong); write it anew");
        assert_null(back.offsets);
    }
    for (size_t cut = 0; cut <= length + 8; cut++) {
        struct error error = {0};
        put_bytes("x.gtrav", whole, cut < length ? cut : length);
        assert_int_equal(truncate("x.gtrav", (off_t)cut), 0);
        assert_int_equal(graph_load("x.gtrav", &as_is, &back, &error), cut == length ? STATUS_OK : STATUS_INPUT);
        if (cut >= 8 && cut != length)
            assert_non_null(strstr(error.text, "x.gtrav: truncated file"));
        graph_release(&back);
    }
    free(whole);
}

/* Well-formed files, checksums and all, of what is no graph. */
static void test_binary_of_nonsense(void **state)
{
    (void)state;
    static const struct {
        size_t at; /* of 32 bits in the header */
        uint32_t value;
        const char *message;
    } headers[] = {
        {8, 2, "x.gtrav: truncated file; write it anew"}, /* a permutation is expected */
        {8, 3, "x.gtrav: truncated file; write it anew"}, /* ids are */
        {8, 4, "x.gtrav: version 4 of the .gtrav form; this program reads versions 1 to 3"},
        {16, 0xffffffff, "x.gtrav: truncated file; write it anew"}, /* vertices */
        {20, 1, "x.gtrav: truncated file; write it anew"},
        {24, 3, "x.gtrav: truncated file; write it anew"}, /* edges */
        {28, 0x40000000, "x.gtrav: truncated file; write it anew"},
    };
    struct graph graph = make_graph("0>1 0>2", 3), back;
    size_t length;
    write_ok(&graph, "x.gtrav");
    char *whole = get_bytes("x.gtrav", &length);
    for (size_t i = 0; i < COUNT(headers); i++) {
        uint32_t before, crc;
        memcpy(&before, whole + headers[i].at, sizeof before);
        memcpy(whole + headers[i].at, &headers[i].value, sizeof before);
        crc = (uint32_t)crc32(0, (const unsigned char *)whole, 124);
        memcpy(whole + 124, &crc, sizeof crc);
        put_bytes("x.gtrav", whole, length);
        memcpy(whole + headers[i].at, &before, sizeof before);
        assert_refused("x.gtrav", &as_is, headers[i].message);
    }
    free(whole);
    graph.targets[1] = 3; /* no vertex */
    write_ok(&graph, "x.gtrav");
    assert_refused("x.gtrav", &as_is,
                   "x.gtrav: not a valid graph (offsets or neighbours out of order); write it anew");
    graph_release(&graph);
    struct error error = {0};
    assert_int_equal(binary_read("none.gtrav", NULL, &back, &error), STATUS_INPUT);
    assert_string_equal(error.text, "none.gtrav: cannot open: No such file or directory");
}

/* ---- who knows whom ---- */

/* Ids are mapped in ascending order, whichever line they stand on; knowing is mutual. */
static void test_snb(void **state)
{
    (void)state;
    static const struct {
        const char *text, *arcs;
        uint64_t ids[4];
        uint64_t self_loops, duplicates;
    } files[] = {
        {"Person1Id|Person2Id|creationDate\n933|77|1\n77|9999999999999999999|2\n",
         "0>1 1>0 0>2 2>0 ",
         {77, 933},
         0,
         0},
        {"Person1Id|Person2Id\n5|7\n", "0>1 1>0 ", {5, 7}, 0, 0},
        {"creationDate|explicitlyDeleted|Person1Id|Person2Id\r\n2010|false|5|7\r\n\r\n2011|false|7|7\r\n",
         "0>1 1>0 ",
         {5, 7},
         1,
         0},
        {":START_ID(Person)|:END_ID(Person)|creationDate:DATETIME\n3|4|x\n4|3|y\n2|3|",
         "0>1 1>0 1>2 2>1 ",
         {2, 3, 4},
         0,
         2},
        {"Person.id|since|Person.id\n3||4\n", "0>1 1>0 ", {3, 4}, 0, 0},
        {"src|dst\n0|1\n", "0>1 1>0 ", {0, 1}, 0, 0},
        {"from|weight|to\n8|1.5|6\n", "0>1 1>0 ", {6, 8}, 0, 0},
    };
    static const uint64_t longest[] = {77, 933, UINT64_MAX};
    for (size_t i = 0; i < COUNT(files); i++) {
        vertex_t v;
        put_text("knows.csv", files[i].text);
        if (i == 0) { /* 19 digits are the most that a number is read of; these are as many */
            struct graph graph = load_ok("knows.csv", &as_is);
            assert_int_equal(graph.ids[2], 9999999999999999999u);
            assert_true(graph.ids[2] < longest[2]);
            assert_int_equal(graph_id(&graph, 1), 933);
            assert_true(graph_find(&graph, 77, &v) && v == 0);
            assert_false(graph_find(&graph, 0, &v) || graph_find(&graph, 78, &v) ||
                         graph_find(&graph, UINT64_MAX, &v));
            graph_release(&graph);
            continue;
        }
        for (int mode = 0; mode < 2; mode++) {
            struct graph graph = load_ok("knows.csv", mode == 0 ? &as_is : &undirected);
            assert_arcs(&graph, files[i].arcs);
            assert_true(graph.symmetric);
            assert_string_equal(graph.origin, "SNB, mutual");
            assert_int_equal(graph.self_loops_dropped, files[i].self_loops);
            assert_int_equal(graph.duplicates_dropped, files[i].duplicates);
            for (vertex_t k = 0; k < graph.num_vertices; k++)
                assert_int_equal(graph.ids[k], files[i].ids[k]);
            graph_release(&graph);
        }
    }
}

static void test_bad_snb(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } files[] = {
        {"src|dst\n", "knows.csv: no edges in the file"},
        {"src|dst\n1\n", "knows.csv:2:1: the line has fewer columns than the first line names"},
        {"src|dst\n1|2\n\n3|x\n", "knows.csv:4:3: expected a person's id, a whole number"},
        {"src|dst\n|2\n", "knows.csv:2:1: expected a person's id, a whole number"},
        {"src|dst\n1|-2\n", "knows.csv:2:3: expected a person's id, a whole number"},
        {"src|dst\n1|2 \n", "knows.csv:2:3: expected a person's id, a whole number"},
        {"src|date|dst\n1|2|99999999999999999999\n", "knows.csv:2:5: a person's id of more than 19 digits"},
        {"src|date\n1|2\n",
         "knows.csv:1:1: expected a vertex id"}, /* by the name's ending an edge list, whose ids are not there */
        {"Person1Id|Person2Id|Person3Id\n1|2|3\n", "knows.csv:1:1: expected a vertex id"},
    };
    for (size_t i = 0; i < COUNT(files); i++) {
        put_text("knows.csv", files[i].text);
        assert_refused("knows.csv", &as_is, files[i].message);
    }
}

/* The ids go into the binary form, and through an order and back. */
static void test_ids_are_kept(void **state)
{
    (void)state;
    struct reorder wanted;
    struct error error = {0};
    put_text("ids.csv", "src|dst\n40|10\n10|30\n30|20\n");
    struct graph graph = load_ok("ids.csv", &cached), reordered, back, restored;
    graph_release(&graph);
    graph = load_ok("ids.csv", &cached);
    assert_non_null(graph.mapping);
    assert_int_equal(graph.ids[3], 40);
    assert_int_equal(reorder_parse("random", &wanted, &error), STATUS_OK);
    assert_int_equal(graph_reorder(&graph, &wanted, &reordered, &error), STATUS_OK);
    write_ok(&reordered, "ids.gtrav");
    back = load_ok("ids.gtrav", &as_is);
    assert_string_equal(back.reordering, reordered.reordering);
    assert_int_equal(graph_restore(&back, &restored, &error), STATUS_OK);
    assert_arcs(&restored, "0>2 0>3 1>2 2>0 2>1 3>0 ");
    for (vertex_t v = 0; v < 4; v++) {
        assert_int_equal(back.ids[v], 10 * (v + 1));
        assert_int_equal(restored.ids[v], 10 * (v + 1));
    }
    graph_release(&restored);
    graph_release(&back);
    for (uint64_t id = 5; id <= 10; id += 5) { /* below the first id, and the same again */
        reordered.ids[1] = id;
        write_ok(&reordered, "ids.gtrav");
        assert_refused("ids.gtrav", &as_is, "ids.gtrav: not a valid graph (its ids do not ascend); write it anew");
    }
    graph_release(&reordered);
    graph_release(&graph);
}

/* ---- the cache ---- */

/* Loads with a cache and says whether it was used: a cached graph is a mapped file. */
static bool load_cached(const char *path, const struct load_options *options, const char *arcs)
{
    struct graph graph = load_ok(path, options);
    bool mapped = graph.mapping != NULL;
    assert_arcs(&graph, arcs);
    assert_string_equal(graph.name, options->undirected ? "c+undirected" : "c");
    assert_string_equal(graph.origin, "edge list");
    assert_int_equal(graph.self_loops_dropped, 1);
    assert_int_equal(graph.duplicates_dropped, options->undirected ? 2 : 1);
    graph_release(&graph);
    return mapped;
}

static void set_time(const char *path, long seconds)
{
    struct timespec times[2] = {{seconds, 0}, {seconds, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

static void test_cache(void **state)
{
    (void)state;
    put_text("c.el", "0 1\n1 1\n0 1\n");
    set_time("c.el", 1000000000);
    assert_false(load_cached("c.el", &as_is, "0>1 "));
    assert_int_equal(access("c.el.gtrav", F_OK), -1); /* only made when asked for */
    assert_false(load_cached("c.el", &cached, "0>1 "));
    assert_true(load_cached("c.el", &cached, "0>1 "));
    assert_false(load_cached("c.el", &as_is, "0>1 ")); /* only used when asked for */
    assert_false(load_cached("c.el", &undirected_cached, "0>1 1>0 "));
    assert_true(load_cached("c.el", &undirected_cached, "0>1 1>0 "));
    assert_true(load_cached("c.el", &cached, "0>1 "));

    put_text("c.el", "0 2\n1 1\n0 2\n"); /* as long, but of another second */
    set_time("c.el", 1000000001);
    assert_false(load_cached("c.el", &cached, "0>2 "));
    assert_true(load_cached("c.el", &cached, "0>2 "));
    put_text("c.el", "0 13\n1 1\n0 13\n"); /* of the same second, but longer */
    set_time("c.el", 1000000001);
    assert_false(load_cached("c.el", &cached, "0>13 "));

    static const char *const damages[] = {"", "GTRAVCSR", "GTRAVCSR and no more than this, which is not enough",
                                          "0 1\n"};
    for (size_t i = 0; i < COUNT(damages); i++) {
        put_text("c.el.gtrav", damages[i]);
        assert_false(load_cached("c.el", &cached, "0>13 "));
        assert_true(load_cached("c.el", &cached, "0>13 "));
    }
    remove("c.el");
    assert_refused("c.el", &cached, "c.el: cannot open: No such file or directory");
}

static void test_cache_that_cannot_be_written(void **state)
{
    (void)state;
    put_text("c2.el", "0 1\n");
    int files = count_files();
    struct rlimit before = limit_file_size(100);
    assert_refused("c2.el", &cached, "c2.el.gtrav: cannot write: File too large");
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(count_files(), files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formats_as_found),
        cmocka_unit_test(test_undirected_in_every_format),
        cmocka_unit_test(test_symmetry_is_found),
        cmocka_unit_test(test_detection),
        cmocka_unit_test(test_gzip_is_seen_by_content),
        cmocka_unit_test(test_bad_files),
        cmocka_unit_test(test_nul_bytes),
        cmocka_unit_test(test_no_file_to_read),
        cmocka_unit_test(test_damaged_gzip),
        cmocka_unit_test(test_bad_line_deep_inside),
        cmocka_unit_test(test_many_chunks),
        cmocka_unit_test(test_large_truncated_file),
        cmocka_unit_test(test_lines_longer_than_a_chunk),
        cmocka_unit_test(test_long_lines_that_are_right),
        cmocka_unit_test(test_ends_at_a_chunk),
        cmocka_unit_test(test_ctrl_c_while_reading),
        cmocka_unit_test(test_written_graph_reads_back),
        cmocka_unit_test(test_binary_made_undirected),
        cmocka_unit_test(test_matrix_market_as_written),
        cmocka_unit_test(test_failed_write_leaves_nothing),
        cmocka_unit_test(test_damaged_binary),
        cmocka_unit_test(test_binary_of_nonsense),
        cmocka_unit_test(test_snb),
        cmocka_unit_test(test_bad_snb),
        cmocka_unit_test(test_ids_are_kept),
        cmocka_unit_test(test_cache),
        cmocka_unit_test(test_cache_that_cannot_be_written),
    };
    omp_set_num_threads(1); /* for thousands of tiny files; those of many chunks try several */
    return cmocka_run_group_tests_name("readers", tests, enter_folder, leave_folder);
}
