/* test_bad_files.c: every kind of bad input, with the one line that names it. */
#include "graph_files.h"

#include <sys/stat.h>

#include "../../src/cores.h"

static const struct load_options as_is, undirected = {.undirected = true}, cached = {.cache = true};

#define WRONG_BANNER  "wrong banner; expected %%MatrixMarket matrix coordinate FIELD SYMMETRY"
#define WRONG_PROBLEM "wrong problem line; expected 'p sp VERTICES EDGES' or 'p tw VERTICES EDGES'"
#define WRONG_HEADER  "wrong header; expected VERTICES EDGES [FMT [NCON]]"
#define UNKNOWN_FORMAT                                                                                                 \
    "not a graph format known here (Matrix Market, edge list, DIMACS, METIS, .gtrav); "                                \
    "--ids text reads a table of names"

#define NEIGHBOURS                                                                                                     \
    " columns (an adjacency list, which networkx.read_adjlist() reads in Python, or METIS under another name than "    \
    "x.graph?); --columns A,B says which hold the ids"
#define ONE_COLUMN                                                                                                     \
    "not a table of edges: rows of 2 and of 1 columns (another separator?); --columns A,B says which hold the ids"
#define NO_COUNTS                                                                                                      \
    ", and its numbers are no counts of the vertices and edges below; --header-counts no reads it as an edge"
#define NO_NAME(separator)                                                                                             \
    "neither a name nor a whole number, and the separator is " separator                                               \
    "; give each edge a line of its own (--ids text takes any text)"
#define NO_NUMBER                                                                                                      \
    "expected a vertex id, a whole number before a separator as in the first row (--ids text takes any text)"

#define FOUR  "1 2\n2 3\n3 4\n4 5\n"
#define LINES FOUR FOUR FOUR FOUR /* 16, of more bytes than a chunk of SMALL_BLOCKS */

static const struct bad {
    const char *file, *text, *message; /* after "FILE:" */
} bad_files[] = {
    /* Matrix Market */
    {"x.mtx", "", " empty file"},
    {"x.mtx", " \n\t\r\n", " empty file"},
    {"x.mtx", "2 2 1\n1 2\n", "1:1: " WRONG_BANNER},
    {"x.mtx", "%MatrixMarket matrix coordinate real general\n", "1:1: " WRONG_BANNER},
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
    {"x.mtx", BANNER "real general\n%\n2 2 1 1\n", "3:1: wrong size line; expected rows, columns and entries"},
    {"x.mtx", BANNER "real general\n2 2 -1\n", "2:1: wrong size line; expected rows, columns and entries"},
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
    {"x.mtx", BANNER "pattern general\n3 3 1\n0 2\n", "3:1: number 0; numbers start at 1"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n 4 2\n", "3:2: a number larger than the header says vertices"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n2 4\n", "3:3: a number larger than the header says vertices"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n2 99999999999999999999\n",
     "3:3: a number larger than the header says vertices"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1 -2\n", "3:3: expected a row and a column number"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1.0 2\n", "3:1: expected a row and a column number"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1 2x\n", "3:3: expected a row and a column number"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1\n", "3:2: expected a row and a column number"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1 2 3\n", "3:5: unexpected text after the numbers"},
    {"x.mtx", BANNER "pattern general\n3 3 1\n1,2\n", "3:2: expected a row and a column number"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2\n", "3:4: expected a number after the two of the edge"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 .\n", "3:5: expected a number after the two of the edge"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 -\n", "3:5: expected a number after the two of the edge"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 1e\n", "3:5: expected a number after the two of the edge"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 0x1\n", "3:5: expected a number after the two of the edge"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 infinite\n", "3:5: expected a number after the two of the edge"},
    {"x.mtx", BANNER "real general\n3 3 1\n1 2 3 4\n", "3:7: unexpected text after the numbers"},
    {"x.mtx", BANNER "complex general\n3 3 1\n1 2 3\n", "3:6: expected a number after the two of the edge"},
    {"x.mtx", BANNER "complex general\r\n3 3 2\r\n1 2 3 4\r\n1 2 3 i\r\n",
     "4:7: expected a number after the two of the edge"},
    {"x.mtx", BANNER "pattern general\n9 9 20\n" LINES "2 y\n" LINES, "19:3: expected a row and a column number"},
    {"x.mtx", BANNER "pattern general\n9 9 65\n" LINES "%\n" LINES LINES LINES,
     "68:1: truncated file: the size line announces 65 entries, the file has 64"},
    /* edge lists */
    {"x.txt", "# nothing\n\n", " no edges in the file"},
    {"x", "# nothing\n", " no edges in the file"},
    {"x.el", "0 1\n1\n", "2:1: not a table of edges: rows of 2 and of 1" NEIGHBOURS},
    {"x.el", "0 1\na b\n", "2:1: " NO_NUMBER},
    {"x.el", "0 1\n1.5 2\n", "2:1: " NO_NUMBER},
    {"x.el", "0 1\n \t1 2a\n", "2:5: " NO_NUMBER},
    {"x.el", "99999999999999999999 1\n", "1:1: a vertex id of more than 64 bits (--ids text takes any text)"},
    {"x.el", "1 -9223372036854775809\n", "1:3: a vertex id of more than 64 bits (--ids text takes any text)"},
    {"x.el", "-1 18446744073709551615\n", " ids below 0 and above 2^63 - 1 in one file; --ids text takes both"},
    {"x.el", "+1 +2\n2 3\n3 4\n", "1:1: '+1' is " NO_NAME("blank")},
    {"x.el", "1.5 2.5\n2 3\n3 4\n", "1:1: '1.5' is " NO_NAME("blank")},
    {"x.csv", "0,1;1,2", "1:1: '1;1' is " NO_NAME("comma")},
    {"x.el", "0 1 2\n1 2\n2 0 1\n", "3:1: not a table of edges: rows of 2 and of 3" NEIGHBOURS},
    {"x.el", "0 1\n1 2 3\n2 3 4\n", "1:1: the first row has 2 columns, the others have 3" NO_COUNTS},
    {"x.el", "0 1 2\n1 2\n2 0\n", "1:1: the first row has 3 columns, the others have 2" NO_COUNTS},
    {"x.zst", "\x28\xb5\x2f\xfd", " packed by zstd; unpack it by zstd -d, or pack it by gzip"},
    {"x.xz",
     "\xfd"
     "7zXZ",
     " packed by xz; unpack it by unxz, or pack it by gzip"},
    {"x.xml", "<?xml version='1.0'?>\n",
     " XML, such as GraphML; in Python, gtrav.Graph(networkx.read_graphml(FILE)), or read_gexf"},
    {"x.csv", "0;1\n2,3\n", "2:1: " ONE_COLUMN},
    {"x.csv", "0,1\n,2\n", "2:1: " NO_NUMBER},
    {"x.csv", "0,1\n2,\n", "2:1: " ONE_COLUMN},
    {"x.csv", "0,1\n2\n", "2:1: " ONE_COLUMN},
    {"x.csv", "src,dst\n0,1\n2\n", "3:2: the line ends after one id; expected two"},
    {"x.csv", "source,target\n", " no edges in the file"},
    {"x.csv", "source,weight,target\n1,2\n", "2:4: the line has too few columns"},
    {"x.csv", "\"0\",1\n\"0,1\n", "2:1: this quote is not closed on its line"},
    {"x.csv", "a,b\nc,\"d\n", "2:3: this quote is not closed on its line"},
    {"x.csv", "a,b\nc,\"d\" e\n", "2:6: expected the end of the field after its closing quote"},
    {"x.csv", "a,b\n,d\n", "2:1: expected a vertex id; the field is empty"},
    {"x.csv", "0,1,\"comment\nof two lines\"\n", "1:5: this quote is not closed on its line"},
    {"x.csv", "\xff\xfe,\n", "1:1: text in UTF-16; save it as UTF-8"},
    {"x.csv", "\xfe\xff,\n", "1:1: text in UTF-16; save it as UTF-8"},
    {"k.csv", "Person1|x|Person2\n1|2\n", "2:4: the line has too few columns"},
    {"k.csv", "Person1|Person2\n1|2\n\n3|x\n", "4:3: " NO_NUMBER},
    {"k.csv", "Person1|date|Person2\n1|2|99999999999999999999\n",
     "2:5: a vertex id of more than 64 bits (--ids text takes any text)"},
    /* DIMACS */
    {"x.gr", "a 1 2 3\n", "1:1: " WRONG_PROBLEM},
    {"x.gr", "c only\nc comments\n", "3:1: truncated file: no problem line"},
    {"x.gr", "c\na 1 2 3\n", "2:1: " WRONG_PROBLEM},
    {"x.gr", "p sp 3\n", "1:1: " WRONG_PROBLEM},
    {"x.gr", "p sp 3 -1\n", "1:1: " WRONG_PROBLEM},
    {"x.gr", "p sp 3 1 9\n", "1:1: " WRONG_PROBLEM},
    {"x.gr", "p max 3 1\n", "1:3: unknown problem 'max'; expected sp, tw, edge or col"},
    {"x.gr", "c\n  p  max 3 1\n", "2:6: unknown problem 'max'; expected sp, tw, edge or col"},
    {"x.gr", "p sp 4294967296 1\n", "1:1: 4294967296 vertices; a graph has fewer than 2^32"},
    {"x.gr", "p sp 3 1\ne 1 2\n", "2:1: expected an edge line, 'a FROM TO WEIGHT'"},
    {"x.gr", "p sp 3 1\na 1\n", "2:4: expected an edge line, 'a FROM TO WEIGHT'"},
    {"x.gr", "p sp 3 1\na 1 b 1\n", "2:5: expected an edge line, 'a FROM TO WEIGHT'"},
    {"x.gr", "p sp 3 1\na 0 1 1\n", "2:3: number 0; numbers start at 1"},
    {"x.gr", "p sp 3 1\na 1 4 1\n", "2:5: a number larger than the header says vertices"},
    {"x.gr", "p sp 3 1\na 1 2 heavy\n", "2:7: expected a number after the two of the edge"},
    {"x.gr", "p sp 3 1\na 1 2 3 4\n", "2:9: unexpected text after the numbers"},
    {"x.gr", "p sp 3 2\na 1 2 3\n", "3:1: truncated file: the problem line announces 2 edges, the file has 1"},
    {"x.gr", "p sp 3 0\na 1 2 3\n", "3:1: too many entries: the problem line announces 0 edges, the file has 1"},
    {"x.gr", "p tw 3 1\na 1 2\n", "2:1: expected an edge line, 'U V'"},
    {"x.gr", "p tw 3 1\n1 2 3\n", "2:5: unexpected text after the numbers"},
    {"x.col", "p edge 3 1\na 1 2\n", "2:1: expected an edge line, 'e U V'"},
    {"x.col", "p edge 3 1\ne 1 2 3\n", "2:7: unexpected text after the numbers"},
    /* METIS */
    {"x.graph", "% nothing\n", "1:1: " WRONG_HEADER},
    {"x.graph", "3\n", "1:1: " WRONG_HEADER},
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
    /* no known format */
    {"x", "hello\n", "1:1: " UNKNOWN_FORMAT},
    {"x.gtrav", "GTRAVCS", "1:1: " UNKNOWN_FORMAT},
    {"x.png", "\x89PNG\r\n\x1a\n", "1:1: " UNKNOWN_FORMAT},
};

TEST(bad_files)
{
    for (size_t i = 0; i < COUNT(bad_files); i++)
        for (int gzip = 0; gzip <= 1; gzip++) {
            char message[512];
            const char *path = put_packed(bad_files[i].file, bad_files[i].text, strlen(bad_files[i].text), gzip);
            snprintf(message, sizeof message, "%s:%s", path, bad_files[i].message);
            assert_refused(path, &as_is, message);
            assert_refused(path, &undirected, message);
            remove(path);
        }
}

/* Of two bad lines the first is reported, though the second, in the next of SMALL_BLOCKS, is found before it. */
TEST(two_bad_lines)
{
    TEXT text;
    assert_true(asprintf(&text, "%s1 2\n3%*s\n%sy\n", BANNER "pattern general\n9 9 99999\n", 2000000, "x", LINES) > 0);
    put_text("x.mtx", text);
    assert_refused("x.mtx", &as_is, "x.mtx:4:2000001: expected a row and a column number");
}

/* Parsers took a NUL, or a carriage return alone, for the end of a row or of the file, and lost what follows. */
TEST(false_ends)
{
    static const struct {
        const char *file, *where, *text;
        size_t length;
    } files[] = {
#define BYTES(text) text, sizeof text - 1
        {"x.mtx", "4:1", BYTES(BANNER "pattern general\n3 3 2\n1 2\n\0 1 3\n")},
        {"x.mtx", "2:7", BYTES(BANNER "pattern general\n3 3 2 \0\n1 2\n1 3\n")},
        {"x.mtx", "2:2", BYTES(BANNER "pattern general\n%\0\n3 3 1\n1 2\n")},
        {"x.el", "2:3", BYTES("0 1\n1 \0002\n")},
        {"x.el", "1:4", BYTES("0 1\0")},
        {"x.el", "3:1", BYTES("0 1\n2 3\n\0\0\0\0")},
        {"x.el", "2:3", BYTES("0 1\n# \0 \n2 3\n")},
        {"x.el", "2:5", BYTES("0 1\n1 2 \0\n2 3\n")},
        {"x.csv", "2:2", BYTES("a,b\nc\0,d\ne,f\n")},
        {"x.csv", "1:8", BYTES("src,dst\0\n0,1\n")},
        {"x.gr", "2:7", BYTES("p sp 3 1\na 1 2 \0\n")},
        {"x.gr", "1:3", BYTES("c \0\np sp 3 1\na 1 2 1\n")},
        {"x.graph", "2:1", BYTES("2 1\n\0002\n1\n")},
        {"x.graph", "3:2", BYTES("2 1\n2\n1\0\n")},
        {"x.mtx", "3:4", BYTES(BANNER "pattern general\n3 3 2\n1 2\r1 3\n")},
        {"x.el", "1:4", BYTES("0 1\r2 3\r4 5\r")},
        {"x.csv", "2:4", BYTES("0,1\r\n0,1\r2,3\r\n")},
        {"x.gr", "1:9", BYTES("p sp 3 1\ra 1 2 1\n")},
        {"x.graph", "2:2", BYTES("2 1\n2\r1\n")},
#undef BYTES
    };
    for (size_t i = 0; i < COUNT(files); i++)
        for (int gzip = 0; gzip <= 1; gzip++) {
            char message[512];
            const char *path = put_packed(files[i].file, files[i].text, files[i].length, gzip);
            bool nul = memchr(files[i].text, '\0', files[i].length) != NULL;
            snprintf(message, sizeof message, "%s:%s: %s", path, files[i].where,
                     nul ? "a NUL byte; this is no text, or it is damaged"
                         : "a carriage return inside a line; convert the line ends: tr '\\r' '\\n' <FILE");
            assert_refused(path, &as_is, message);
            remove(path);
        }
}

/* Nothing is allocated, and no edge is read, for numbers that the file or the memory cannot hold. */
TEST(claims)
{
    static const struct {
        const char *file, *text, *message;
    } claims[] = {
        {"x.mtx", BANNER "pattern general\n3 3 20\n1 2\n",
         "x.mtx:2:1: truncated or damaged file: 20 edges announced, and its 60 bytes hold fewer"},
        {"x.mtx", BANNER "pattern general\n3 3 99999999999999999999\n1 2\n",
         "x.mtx:2:1: truncated or damaged file: 18446744073709551615 edges announced, and its 78 bytes hold fewer"},
        {"x.gr", "p sp 3 3000000000\na 1 2 1\n",
         "x.gr:1:1: truncated or damaged file: 3000000000 edges announced, and its 26 bytes hold fewer"},
        {"x.graph", "2 4\n2\n1\n",
         "x.graph:1:1: truncated or damaged file: 4 edges announced, and its 8 bytes hold fewer"},
        {"x.mtx", BANNER "pattern general\n3 3 99999999\n1 2\n",
         "x.mtx.gz:2:1: truncated or damaged file: 99999999 edges announced, and its "},
        {"x.mtx", BANNER "pattern general\n2147483648 2147483648 1\n1 2\n",
         "x.mtx: a graph of 2147483648 vertices, from a file of 77 bytes, needs about 34.4 GB of memory, and "},
        {"x.mtx", BANNER "pattern general\n2147483648 2147483648 1\n1 2\n",
         "x.mtx.gz: a graph of 2147483648 vertices, from a file of "},
        {"x.gr", "p sp 2147483648 1\na 1 2 1\n",
         "x.gr: a graph of 2147483648 vertices, from a file of 26 bytes, needs about 34.4 GB of memory, and "},
        {"x.graph", "2147483648 1\n2\n1\n",
         "x.graph: a graph of 2147483648 vertices, from a file of 17 bytes, needs about 34.4 GB of memory, and "},
        {"x.el", "3000000000 3000000000 1\n0 1",
         "x.el: a graph of 3000000000 vertices, from a file of 27 bytes, needs about 48 GB of memory, and "},
    };
    struct rlimit before, limit;
    assert_int_equal(getrlimit(RLIMIT_AS, &before), 0);
    limit = before;
#ifndef SANITIZED /* sanitizers reserve more, and never use it */
    limit.rlim_cur = (rlim_t)12 << 30;
#endif
    if (limit.rlim_cur == RLIM_INFINITY && memory_free("") > 34e9)
        skip();
    assert_int_equal(setrlimit(RLIMIT_AS, &limit), 0);
    for (size_t i = 0; i < COUNT(claims); i++) {
        struct graph graph;
        bool gzip = strstr(claims[i].message, ".gz") != NULL;
        const char *path = put_packed(claims[i].file, claims[i].text, strlen(claims[i].text), gzip);
        assert_fails(graph_load(path, &as_is, &graph, &error), STATUS_INPUT, claims[i].message);
    }
    setrlimit(RLIMIT_AS, &before);
}

/* A third column is found on any line, in short numbers, long ones and texts; a comment there is none. */
TEST(third_column)
{
    static const char *const rows[] = {"7 8", "7 8000000000", "ann bob"};
    for (size_t i = 0; i < 2 * COUNT(rows); i++) {
        struct graph graph;
        char text[20000] = "", *end = text;
        for (int line = 0; line < 1500; line++)
            end += sprintf(end, "%s\n", rows[i / 2]);
        sprintf(end, "%s %s\n", rows[i / 2], i % 2 ? "9" : "# 9");
        put_text("x.el", text);
        int status = graph_load("x.el", &as_is, &graph, &error);
        if (i % 2)
            assert_fails(status, STATUS_INPUT, "1501:");
        else {
            assert_ok(status);
            graph_release(&graph);
        }
    }
}

/* Most vertices may be isolated. */
TEST(claims_that_are_true)
{
    put_text("x.mtx", BANNER "pattern general\n10000000 10000000 3\n1 2\n2 3\n9999999 4\n");
    put_text("x.el", "10000000 10000000 3\n0 1\n1 2\n9999998 3\n");
    for (int i = 0; i < 2; i++) {
        GRAPH graph;
        assert_ok(graph_load(i ? "x.el" : "x.mtx", &as_is, &graph, &error));
        assert_int_equal(graph.num_vertices, 10000000);
        assert_int_equal(graph.num_edges, 3);
    }
}

TEST(no_file_to_read)
{
    assert_refused("none.mtx", &as_is, "none.mtx: cannot open: No such file or directory");
    assert_refused("none.mtx", &cached, "none.mtx: cannot open: No such file or directory");
    assert_int_equal(mkdir("folder.mtx", 0777), 0);
    assert_refused("folder.mtx", &as_is, "folder.mtx: is a directory; name a file in it");
    put_text("secret.mtx", MTX);
    put_bytes("secret.gtrav", "GTRAVCSR", 8);
    bool root = geteuid() == 0; /* root may read any file */
    assert_int_equal(chmod("secret.mtx", 0), 0);
    assert_int_equal(chmod("secret.gtrav", 0), 0);
    assert_int_equal(chmod(".", 0755), 0);
    assert_int_equal(root ? seteuid(65534) : 0, 0);
    assert_refused("secret.mtx", &as_is, "secret.mtx: cannot open: Permission denied");
    assert_refused("secret.gtrav", &as_is, "secret.gtrav: cannot open: Permission denied");
    assert_int_equal(root ? seteuid(0) : 0, 0);
}

/* A gzip file that is cut anywhere, or has any byte after its header changed. */
TEST(damaged_gzip)
{
    size_t length;
    put_packed("x.el", "0 1\n1 2\n2 3\n", 12, true);
    TEXT whole = get_bytes("x.el.gz", &length);
    for (size_t cut = 2; cut < length; cut++) { /* two bytes make it gzip */
        put_bytes("x.el.gz", whole, cut);
        assert_refused("x.el.gz", &as_is, "x.el.gz: truncated gzip file; fetch it again");
    }
    for (size_t i = 10; i < length; i++) { /* 10: the header's length */
        struct graph graph;
        whole[i] ^= 0x55;
        put_bytes("x.el.gz", whole, length);
        whole[i] ^= 0x55;
        assert_fails(graph_load("x.el.gz", &as_is, &graph, &error), STATUS_INPUT, "gzip file");
    }
}

TESTS(enter_folder_on_few_threads, leave_folder)
