/* test_written_files.c: written graphs read back, the .gtrav form and what damages it, its use as a cache, and
 * writing that leaves all or nothing. */
#include "graph_files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <sys/syscall.h>

#include "../../src/graph/reorder.h"
#include "../../src/new_file.h"

static const struct load_options as_is, cached = {.cache = true},
                                        undirected_cached = {.undirected = true, .cache = true};

/* ---- writing ---- */

TEST(written_graph_reads_back)
{
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
            GRAPH graph = make_graph(graphs[i].graph, graphs[i].vertices);
            snprintf(graph.origin, sizeof graph.origin, "made here");
            write_ok(&graph, files[f]);
            GRAPH back = load_ok(files[f], &as_is);
            char *edges = edges_of(&graph);
            assert_edges(&back, edges);
            free(edges);
            assert_int_equal(back.num_vertices, graph.num_vertices);
            assert_int_equal(back.symmetric, graph.symmetric);
            assert_string_equal(back.name, "out");
            if (f == 1) {
                assert_string_equal(back.origin, graph.origin);
                assert_int_equal(back.self_loops_dropped, graph.self_loops_dropped);
                assert_int_equal(back.duplicates_dropped, graph.duplicates_dropped);
            }
        }
}

/* However writing fails, the old file does not change, and no other file is left. */
TEST(failed_write_leaves_nothing)
{
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
        {"full.mtx", 1 << 30, false, STATUS_INPUT, "full.mtx: cannot write: it is a directory"},
        {"x.txt", 1 << 30, false, STATUS_INPUT,
         "x.txt: cannot tell the format to write; end the name in .mtx or .gtrav"},
        {".mtx", 1 << 30, false, STATUS_INPUT, ".mtx: cannot tell the format to write; end the name in .mtx or .gtrav"},
    };
    GRAPH graph = make_graph("grid:50x50", 0);
    assert_int_equal(mkdir("full.mtx", 0777), 0);
    put_text("x.mtx", "old");
    put_text("x.gtrav", "old");
    int files = count_files();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rlimit before = limit_file_size(cases[i].room);
        ctrl_c_pressed = cases[i].interrupted;
        int status = graph_write(&graph, cases[i].file, &error);
        ctrl_c_pressed = false;
        setrlimit(RLIMIT_FSIZE, &before);
        assert_error(status, cases[i].status, cases[i].message);
        assert_int_equal(count_files(), files);
        TEXT mtx = get_bytes("x.mtx", NULL);
        TEXT gtrav = get_bytes("x.gtrav", NULL);
        assert_string_equal(mtx, "old");
        assert_string_equal(gtrav, "old");
    }
    write_ok(&graph, "x.mtx");
    assert_int_equal(count_files(), files);
}

/* ---- the .gtrav form ---- */

/* Every bit is changed, and every length tried; of a plain graph, and of one with a permutation and ids. */
static int umasks, fsyncs;
static bool fsync_fails;

/* These stand before those of the C library. */
mode_t umask(mode_t mask)
{
    umasks++;
    return (mode_t)syscall(SYS_umask, mask);
}

int fsync(int file)
{
    fsyncs++;
    errno = EIO;
    return fsync_fails ? -1 : 0;
}

/* A new file has the usual permissions, and the process keeps its umask, which other threads use. */
TEST(permissions)
{
    static const mode_t masks[] = {022, 027, 0};
    mode_t before = umask(0);
    for (size_t i = 0; i < COUNT(masks); i++) {
        struct new_file file;
        struct stat facts;
        umask(masks[i]);
        umasks = 0;
        assert_ok(file_create(&file, "new", &error));
        assert_ok(file_commit(&file, &error));
        assert_int_equal(umasks, 0);
        assert_int_equal(stat("new", &facts), 0);
        assert_int_equal(facts.st_mode & 0777, 0666 & ~masks[i]);
        remove("new");
    }
    umask(before);
}

/* A name never stands for a file that is not on the disk yet. */
TEST(synced_before_the_rename)
{
    struct new_file file;
    put_text("kept", "old");
    for (int fails = 0; fails < 2; fails++) {
        fsyncs = 0;
        fsync_fails = fails;
        assert_ok(file_create(&file, "kept", &error));
        fputs(fails ? "newer" : "new", file.file);
        int status = file_commit(&file, &error);
        assert_int_equal(fsyncs, 1);
        assert_fails(status, fails ? STATUS_INPUT : STATUS_OK, "");
        error = (struct error){0};
        TEXT text = get_bytes("kept", NULL);
        assert_string_equal(text, "new");
    }
    fsync_fails = false;
    remove("kept");
}

TEST(damaged_binary)
{
    put_text("ids.csv", "Person1Id|Person2Id\n40|10\n10|30\n30|20\n");
    struct reorder rcm;
    GRAPH named = load_ok("ids.csv", &as_is);
    struct graph graphs[] = {make_graph("0>1 1>2 2>0 3>1 0>4", 6), {0}};
    assert_ok(reorder_parse("rcm", &rcm, &error));
    assert_ok(graph_reorder(&named, &rcm, &graphs[1], &error));
    const size_t lengths[] = {128 + 7 * sizeof(edge_t) + 5 * sizeof(vertex_t),
                              128 + (5 + 4) * sizeof(edge_t) + (6 + 4) * sizeof(vertex_t)};
    for (int i = 0; i < 2; i++) {
        struct graph back;
        size_t length;
        write_ok(&graphs[i], "x.gtrav");
        graph_release(&graphs[i]);
        TEXT whole = get_bytes("x.gtrav", &length);
        assert_int_equal(length, lengths[i]);
        for (size_t bit = 0; bit < 8 * length; bit++) {
            whole[bit / 8] ^= (char)(1 << bit % 8);
            put_bytes("x.gtrav", whole, length);
            whole[bit / 8] ^= (char)(1 << bit % 8);
            assert_fails(graph_load("x.gtrav", &as_is, &back, &error), STATUS_INPUT, "");
            assert_error(binary_read("x.gtrav", NULL, &back, &error), STATUS_INPUT,
                         bit / 8 < 128 ? "x.gtrav: damaged header; write the file anew"
                                       : "x.gtrav: damaged file (its checksum is wrong); write it anew");
            assert_true(back.offsets == NULL && back.permutation == NULL && back.ids == NULL);
        }
        for (size_t size = 0; size <= length + 8; size++) {
            put_bytes("x.gtrav", whole, size < length ? size : length);
            assert_int_equal(truncate("x.gtrav", (off_t)size), 0);
            assert_fails(graph_load("x.gtrav", &as_is, &back, &error), size == length ? STATUS_OK : STATUS_INPUT,
                         size >= 8 && size != length ? "x.gtrav: truncated file" : "");
            graph_release(&back);
        }
    }
}

/* Files that are well-formed, with correct checksums, but not a graph. */
TEST(binary_of_nonsense)
{
    static const struct {
        size_t at; /* of 32 bits in the header */
        uint32_t value;
        const char *message;
    } headers[] = {
        {8, 3, "x.gtrav: version 3 of the .gtrav form; this program reads version 2"},
        {8, 2, "x.gtrav: damaged header; write the file anew"},  /* a version with weights, and there are none */
        {12, 2, "x.gtrav: truncated file; write it anew"},       /* a permutation is expected */
        {12, 4, "x.gtrav: truncated file; write it anew"},       /* ids are */
        {12, 8, "x.gtrav: damaged header; write the file anew"}, /* negative ids without ids */
        {12, 20, "x.gtrav: damaged header; write the file anew"},
        {12, 64, "x.gtrav: damaged header; write the file anew"},
        {16, 0xffffffff, "x.gtrav: truncated file; write it anew"}, /* vertices */
        {20, 1, "x.gtrav: truncated file; write it anew"},
        {24, 3, "x.gtrav: truncated file; write it anew"}, /* edges */
        {28, 0x40000000, "x.gtrav: truncated file; write it anew"},
    };
    struct graph graph = make_graph("0>1 0>2", 3), back, reordered;
    struct reorder rcm;
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
    assert_ok(reorder_parse("rcm", &rcm, &error));
    assert_ok(graph_reorder(&graph, &rcm, &reordered, &error));
    reordered.permutation[1] = reordered.permutation[0];
    write_ok(&reordered, "x.gtrav");
    assert_refused("x.gtrav", &as_is, "x.gtrav: not a valid graph (a vertex of the input is missing); write it anew");
    strcpy(reordered.reordering, "rcm2");
    write_ok(&reordered, "x.gtrav");
    assert_refused("x.gtrav", &as_is, "x.gtrav: reordered in a way that is not known here; write it anew");
    graph_release(&reordered);
    graph.targets[1] = 3; /* not a vertex */
    write_ok(&graph, "x.gtrav");
    assert_refused("x.gtrav", &as_is, "x.gtrav: not a valid graph (offsets or neighbours out of order); write it anew");
    graph_release(&graph);
    assert_error(binary_read("none.gtrav", NULL, &back, &error), STATUS_INPUT,
                 "none.gtrav: cannot open: No such file or directory");
}

/* ---- ids ---- */

/* Ids survive the cache, a reordering and its reverse; those that do not ascend are refused. */
TEST(ids_are_kept)
{
    struct reorder wanted;
    put_text("ids.csv", "Person1Id|Person2Id\n40|10\n10|30\n30|20\n");
    GRAPH graph = load_ok("ids.csv", &cached), reordered, restored;
    graph_release(&graph);
    graph = load_ok("ids.csv", &cached);
    assert_null(graph.read_as); /* the cache was used */
    assert_ok(reorder_parse("random", &wanted, &error));
    assert_ok(graph_reorder(&graph, &wanted, &reordered, &error));
    write_ok(&reordered, "ids.gtrav");
    GRAPH back = load_ok("ids.gtrav", &as_is);
    assert_ok(graph_restore(&back, &restored, &error));
    assert_edges(&restored, "0>2 0>3 1>2 2>0 2>1 3>0 ");
    assert_memory_equal(restored.ids, ((uint64_t[]){10, 20, 30, 40}), 4 * sizeof *restored.ids);
    for (uint64_t id = 5; id <= 10; id += 5) { /* below the first id, and equal to it */
        reordered.ids[1] = id;
        write_ok(&reordered, "ids.gtrav");
        assert_refused("ids.gtrav", &as_is, "ids.gtrav: not a valid graph (its ids do not ascend); write it anew");
    }
}

/* Ids that are text, or of which some are negative, come back from a file; damaged ones do not. */
TEST(text_ids_are_kept)
{
    static const char *const names[] = {"ann", "bob", "eve"};
    static const struct {
        size_t at; /* of what is changed: an entry of name_at, or a byte of names */
        bool is_place;
        uint64_t value;
        const char *message;
    } damages[] = {
        {8, false, 'a', "t.gtrav: not a valid graph (its ids do not ascend); write it anew"}, /* ave */
        {4, false, 'f', "t.gtrav: not a valid graph (its ids do not ascend); write it anew"},
        {7, false, 'b', "t.gtrav: truncated file, or its ids are damaged; write it anew"}, /* bob has no end */
        {1, true, 0, "t.gtrav: truncated file, or its ids are damaged; write it anew"},
        {2, true, 13, "t.gtrav: truncated file, or its ids are damaged; write it anew"},
        {0, true, 4, "t.gtrav: truncated file, or its ids are damaged; write it anew"},
    };
    put_text("t.csv", "bob,eve\nann,bob\n");
    GRAPH graph = load_ok("t.csv", &as_is), back;
    write_ok(&graph, "t.gtrav");
    back = load_ok("t.gtrav", &as_is);
    for (vertex_t v = 0; v < 3; v++)
        assert_string_equal(graph_id(&back, v, NULL), names[v]);
    graph_release(&back);
    for (size_t i = 0; i < COUNT(damages); i++) {
        uint64_t place = graph.name_at[damages[i].at % 4];
        char byte = graph.names[damages[i].at];
        if (damages[i].is_place)
            graph.name_at[damages[i].at] = damages[i].value;
        else
            graph.names[damages[i].at] = (char)damages[i].value;
        write_ok(&graph, "t.gtrav");
        assert_refused("t.gtrav", &as_is, damages[i].message);
        graph.name_at[damages[i].at % 4] = place;
        graph.names[damages[i].at] = byte;
    }
    graph_release(&graph);
    put_text("t.csv", "-7,4\n4,-9223372036854775808\n");
    graph = load_ok("t.csv", &as_is);
    write_ok(&graph, "t.gtrav");
    back = load_ok("t.gtrav", &as_is);
    assert_true(back.signed_ids);
    assert_memory_equal(back.ids, graph.ids, 3 * sizeof *back.ids);
    graph.ids[1] = (uint64_t)-8;
    write_ok(&graph, "t.gtrav");
    back = (graph_release(&back), load_ok("t.gtrav", &as_is));
    for (uint64_t id = graph.ids[0]; id != graph.ids[0] - 2; id--) { /* the lowest one again, and one above all */
        graph.ids[1] = id;
        write_ok(&graph, "t.gtrav");
        assert_refused("t.gtrav", &as_is, "t.gtrav: not a valid graph (its ids do not ascend); write it anew");
    }
}

/* ---- the cache ---- */

/* Loads with a cache and says whether it was used: only what is read from text has a read_as. */
static bool load_cached(const char *path, const struct load_options *options, const char *edges)
{
    struct graph graph = load_ok(path, options);
    bool used = graph.read_as == NULL;
    assert_edges(&graph, edges);
    assert_string_equal(graph.name, options->undirected ? "c+undirected" : "c");
    assert_string_equal(graph.origin, "edge list");
    assert_int_equal(graph.self_loops_dropped, 1);
    assert_int_equal(graph.duplicates_dropped, options->undirected ? 2 : 1);
    graph_release(&graph);
    return used;
}

static void set_time(const char *path, long seconds)
{
    struct timespec times[2] = {{seconds, 0}, {seconds, 0}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
}

TEST(cache)
{
    put_text("c.el", "0 1\n1 1\n0 1\n");
    set_time("c.el", 1000000000);
    assert_false(load_cached("c.el", &as_is, "0>1 "));
    assert_int_equal(access("c.el.gtrav", F_OK), -1); /* only written if requested */
    assert_false(load_cached("c.el", &cached, "0>1 "));
    assert_true(load_cached("c.el", &cached, "0>1 "));
    assert_false(load_cached("c.el", &as_is, "0>1 ")); /* only used if requested */
    assert_false(load_cached("c.el", &undirected_cached, "0>1 1>0 "));
    assert_true(load_cached("c.el", &undirected_cached, "0>1 1>0 "));
    assert_true(load_cached("c.el", &cached, "0>1 "));

    put_text("c.el", "0 2\n1 1\n0 2\n"); /* same length, another time */
    set_time("c.el", 1000000001);
    assert_false(load_cached("c.el", &cached, "0>2 "));
    assert_true(load_cached("c.el", &cached, "0>2 "));
    put_text("c.el", "0 13\n1 1\n0 13\n"); /* same time, but longer */
    set_time("c.el", 1000000001);
    assert_false(load_cached("c.el", &cached, "0>13 "));

    static const char *const damages[] = {"", "GTRAVCSR", "GTRAVCSR and no more than this, which is not enough"};
    for (size_t i = 0; i < COUNT(damages); i++) {
        put_text("c.el.gtrav", damages[i]);
        assert_false(load_cached("c.el", &cached, "0>13 "));
        assert_true(load_cached("c.el", &cached, "0>13 "));
    }
    remove("c.el");
    assert_refused("c.el", &cached, "c.el: cannot open: No such file or directory");
}

TEST(cache_that_cannot_be_written)
{
    put_text("c2.el", "0 1\n");
    int files = count_files();
    struct rlimit before = limit_file_size(100);
    assert_refused("c2.el", &cached, "c2.el.gtrav: cannot write: File too large");
    setrlimit(RLIMIT_FSIZE, &before);
    assert_int_equal(count_files(), files);
}

TESTS(enter_folder_on_few_threads, leave_folder)
