/* test_exit_status.c: which status gtrav exits with when several runs end differently: the whole command line, with
 * algorithms in place of the real ones that end as a test wants. */
#define REAL_TERMINAL
#include "support.h"

#include <fcntl.h>
#include <sys/wait.h>

#pragma GCC diagnostic ignored "-Wshadow" /* by names in support.h */
#define main gtrav_main
#include "../../src/cli/main.c"
#undef main

/* ---- algorithms that end in every way ---- */

static int prepare(struct run *run)
{
    return STATUS_OK;
}

static int prepare_without_room(struct run *run)
{
    return error_set(run->error, STATUS_INPUT, "no room");
}

static int traverse(struct run *run, const struct query *query)
{
    return STATUS_OK;
}

static int traverse_on_fire(struct run *run, const struct query *query)
{
    return error_set(run->error, STATUS_DEVICE, "the device is on fire");
}

static int traverse_and_interrupt(struct run *run, const struct query *query)
{
    raise(SIGINT);
    return STATUS_OK;
}

/* On a path, from vertex 0. */
static int fetch(struct run *run, struct traversal *result)
{
    for (vertex_t v = 0; v < run->graph->num_vertices; v++)
        result->level[v] = v;
    return STATUS_OK;
}

static int fetch_wrong(struct run *run, struct traversal *result)
{
    fetch(run, result);
    result->level[2] = 7;
    return STATUS_OK;
}

static void release(struct run *run)
{
}

static void release_and_interrupt(struct run *run)
{
    raise(SIGINT);
}

#define BFS(name, prepare_, traverse_, fetch_, release_)                                                               \
    {                                                                                                                  \
        .family = "bfs", .variant = name, .title = name, .citation = "", .device = DEVICE_CPU,                         \
        .outputs = OUTPUT_LEVEL, .state_bytes = 1, .prepare = prepare_, .traverse = traverse_, .fetch = fetch_,        \
        .release = release_                                                                                            \
    }
static const struct algorithm right = BFS("right", prepare, traverse, fetch, release);
static const struct algorithm wrong = BFS("wrong", prepare, traverse, fetch_wrong, release);
static const struct algorithm full = BFS("full", prepare_without_room, traverse, fetch, release);
static const struct algorithm burning = BFS("burning", prepare, traverse_on_fire, fetch, release);
static const struct algorithm stopped = BFS("stopped", prepare, traverse_and_interrupt, fetch, release);
static const struct algorithm late = BFS("late", prepare, traverse, fetch, release_and_interrupt);

/* In place of registry.c's. */
const struct algorithm *const algorithms[] = {&right, &wrong, &full, &burning, &stopped, &late};
const int num_algorithms = sizeof algorithms / sizeof algorithms[0];
const struct algorithm *emulated_algorithm(const struct algorithm *algorithm)
{
    return NULL;
}

static const struct {
    const char *variant;
    int status;
} endings[] = {{"right", 0}, {"wrong", 1}, {"full", 2}, {"burning", 3}};
enum { NUM_ENDINGS = sizeof endings / sizeof endings[0] };

/* ---- one run of the program ---- */

/* The exit status of gtrav. Its standard output goes to the file `out`, its messages to `err`. */
static int run_gtrav(int count, char **arguments, const char *out, const char *err)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bool opened = freopen(out, "w", stdout) != NULL && freopen(err, "w", stderr) != NULL;
        status = opened ? gtrav_main(count, arguments) : 99;
        fflush(stderr);
        _exit(status);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* The exit status of breadth-first searches by these variants on these graphs; NULL ends the list. */
static int exit_status(const char *out, const char *variants, const char *const *graphs)
{
    char program[] = "gtrav", algo[] = "--algo=bfs", source[] = "--source=0", quiet[] = "--quiet", variant[64];
    char graph[4][64], *arguments[16] = {program, algo, source, quiet, variant};
    int count = 5;
    snprintf(variant, sizeof variant, "--variant=%s", variants);
    for (int i = 0; graphs[i] != NULL; i++) {
        snprintf(graph[i], sizeof graph[i], "--graph=%s", graphs[i]);
        arguments[count++] = graph[i];
    }
    return run_gtrav(count, arguments, out, "/dev/null");
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static const char *const path[] = {"path:5", NULL};

/* ---- tests ---- */

TEST(one_run)
{
    for (int i = 0; i < NUM_ENDINGS; i++)
        assert_int_equal(exit_status("/dev/null", endings[i].variant, path), endings[i].status);
    assert_int_equal(exit_status("/dev/null", "stopped", path), STATUS_INTERRUPTED);
}

/* The highest status wins, whatever the order. */
TEST(several_variants)
{
    for (int a = 0; a < NUM_ENDINGS; a++)
        for (int b = 0; b < NUM_ENDINGS; b++)
            for (int c = 0; c < NUM_ENDINGS; c++) {
                char variants[64];
                if (a == b || b == c || a == c)
                    continue;
                snprintf(variants, sizeof variants, "%s,%s,%s", endings[a].variant, endings[b].variant,
                         endings[c].variant);
                int expected = larger(endings[a].status, larger(endings[b].status, endings[c].status));
                if (exit_status("/dev/null", variants, path) != expected)
                    fail_msg("%s: not %d", variants, expected);
            }
}

/* A graph that cannot be read (2), before and after one that can. */
TEST(several_graphs)
{
    static const char *const first[] = {"none.mtx", "path:5", NULL}, *const last[] = {"path:5", "none.mtx", NULL};
    for (int i = 0; i < NUM_ENDINGS; i++) {
        assert_int_equal(exit_status("/dev/null", endings[i].variant, first), larger(STATUS_INPUT, endings[i].status));
        assert_int_equal(exit_status("/dev/null", endings[i].variant, last), larger(STATUS_INPUT, endings[i].status));
    }
}

/* Ctrl-C ends the job, and the exit status says so even if a run failed before. */
TEST(interrupted)
{
    assert_int_equal(exit_status("/dev/null", "wrong,stopped,right", path), STATUS_INTERRUPTED);
    assert_int_equal(exit_status("/dev/null", "burning,stopped,wrong", path), STATUS_INTERRUPTED);
    assert_int_equal(exit_status("/dev/null", "stopped,burning", path), STATUS_INTERRUPTED);
    assert_int_equal(exit_status("/dev/null", "late", path), STATUS_INTERRUPTED); /* after all trials */
    assert_int_equal(exit_status("/dev/null", "wrong,late,right", path), STATUS_INTERRUPTED);
}

/* Lost output (2) counts as another failure. */
TEST(lost_output)
{
    if (access("/dev/full", W_OK) != 0)
        skip();
    assert_int_equal(exit_status("/dev/full", "right", path), STATUS_INPUT);
    assert_int_equal(exit_status("/dev/full", "wrong,right", path), STATUS_INPUT);
    assert_int_equal(exit_status("/dev/full", "burning,right", path), STATUS_DEVICE);
}

/* Wrong lengths, and a record of them that cannot be written: both are reported. */
TEST(wrong_and_unwritten)
{
    char *arguments[] = {"gtrav",   "--algo=bfs",   "--variant=wrong",        "--graph=path:5", "--pairs=pairs.csv",
                         "--quiet", "--verify=all", "--csv=pairs.csv/records"};
    put_text("pairs.csv", "0,2\n");
    assert_int_equal(run_gtrav(COUNT(arguments), arguments, "/dev/null", "err"), STATUS_INPUT);
    TEXT text = get_bytes("err", NULL);
    assert_non_null(strstr(text, "the length to vertex 2 is 7"));
    assert_non_null(strstr(text, "cannot make the folder for records"));
}

TESTS(enter_folder, leave_folder)
