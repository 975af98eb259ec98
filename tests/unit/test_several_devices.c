/* test_several_devices.c: several devices in one process, with a thread for each. ThreadSanitizer sees these threads,
 * as it cannot see the emulator's: the devices here are the CPU, several times. */
#include "many_sources.h"

#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../src/library/internal.h"
#include "../../src/processes/ranks.h"
#include "../../src/run/closeness.h"
#include "../../src/run/device_threads.h"
#include "../../src/run/pairs.h"

#define TEAM 4
static struct device team[TEAM];

/* ---- one of the devices fails ---- */

#define NUMBERS   500
#define NUMBER_NS 2000000

static struct {
    atomic_int taken;
    int failing; /* the device that fails; -1: none */
    int status;  /* with which */
} work;

/* Takes all numbers one by one, in no less than a second for all devices together. */
static int take_numbers(int number, void *context, struct error *own_error)
{
    if (number == work.failing)
        return error_set(own_error, work.status, "on fire");
    while (ranks_take(1) < NUMBERS) {
        atomic_fetch_add(&work.taken, 1);
        nanosleep(&(struct timespec){.tv_nsec = NUMBER_NS}, NULL);
    }
    return STATUS_OK;
}

static int refuses_use(struct device *device, struct error *failure)
{
    return error_set(failure, STATUS_DEVICE, "gone");
}

static int run_numbers(int failing, int status)
{
    struct device_threads threads;
    atomic_store(&work.taken, 0);
    work.failing = failing;
    work.status = status;
    assert_ok(device_threads_open(&threads, team, TEAM, &error));
    ranks_begin_work(NULL);
    int found = device_threads_run(&threads, take_numbers, NULL, &error);
    ranks_end_work();
    device_threads_close(&threads);
    return found;
}

TEST(a_failure_ends_the_work_of_all)
{
    int (*use)(struct device * device, struct error * failure) = team[1].use;
    assert_ok(run_numbers(-1, STATUS_OK));
    assert_int_equal(work.taken, NUMBERS);
    assert_error(run_numbers(2, STATUS_DEVICE), STATUS_DEVICE, "device 2: on fire");
    assert_in_range(work.taken, 0, NUMBERS / 2);
    assert_error(run_numbers(0, STATUS_INTERRUPTED), STATUS_INTERRUPTED, "on fire");
    assert_in_range(work.taken, 0, NUMBERS / 2);
    team[1].use = refuses_use;
    assert_error(run_numbers(0, STATUS_INTERRUPTED), STATUS_DEVICE, "device 1: gone"); /* outranks an interruption */
    assert_error(run_numbers(-1, STATUS_OK), STATUS_DEVICE, "device 1: gone");
    assert_in_range(work.taken, 0, NUMBERS / 2);
    team[1].use = use;
}

/* ---- what one device finds, several find together ---- */

static const char *const variants[] = {"serial", "then", "pbfs", "adaptive"};

TEST(closeness_of_several)
{
    GRAPH graph = make_graph("kron:9", 0);
    vertex_t n = graph.num_vertices, *sources = malloc(n * sizeof *sources);
    struct closeness_result one, several;
    for (vertex_t v = 0; v < n; v++)
        sources[v] = v;
    for (size_t i = 0; i < 2 * COUNT(variants); i++) {
        struct bench_request bench = request_for(find_algorithm("msbfs", variants[i / 2]), &graph, sources, (int)n);
        struct closeness_request request = {.bench = &bench};
        bench.verify = VERIFY_NONE;
        assert_ok(closeness_run(&request, &one, &error));
        bench.device = team;
        bench.num_devices = TEAM;
        request.checkpoint = i % 2 == 1 ? "state" : NULL;
        assert_ok(closeness_run(&request, &several, &error));
        assert_int_equal(several.num_done, n);
        assert_int_equal(several.edges, one.edges);
        assert_memory_equal(several.closeness, one.closeness, n * sizeof *one.closeness);
        closeness_release(&one);
        closeness_release(&several);
        if (request.checkpoint != NULL)
            remove(request.checkpoint);
    }
    free(sources);
}

static char *lengths_of(const struct bench_request *bench, const struct pair *pairs, uint64_t count)
{
    struct pairs_request request = {bench, pairs, count, true};
    struct pairs_result result;
    assert_ok(pairs_run(&request, &result, &error));
    assert_ok(pairs_write(&request, &result, "lengths.csv", &error));
    pairs_release(&result);
    return get_bytes("lengths.csv", NULL);
}

TEST(pairs_of_several)
{
    GRAPH graph = make_graph("kron:9", 0);
    struct pair pairs[2000];
    for (size_t i = 0; i < COUNT(pairs); i++)
        pairs[i] = (struct pair){(vertex_t)(i * 7 % graph.num_vertices), (vertex_t)(i * 13 % graph.num_vertices)};
    for (size_t i = 0; i < COUNT(variants); i++) {
        struct bench_request bench = request_for(find_algorithm("msbfs", variants[i]), &graph, NULL, 0);
        TEXT one = lengths_of(&bench, pairs, COUNT(pairs));
        bench.device = team;
        bench.num_devices = TEAM;
        TEXT several = lengths_of(&bench, pairs, COUNT(pairs));
        assert_string_equal(several, one);
    }
}

/* ---- what several add up is exact ---- */

static atomic_int met; /* the devices that have come */

/* Waits until all devices are here, so that they go on at the same moment; not for ever if one does not come. */
static void meet(int devices)
{
    double last_ms = now_ms() + 5000;
    for (atomic_fetch_add(&met, 1); atomic_load(&met) < devices && now_ms() < last_ms;)
        sched_yield();
}

static int prepare_ones(struct run *run)
{
    run->batch_size = 1;
    return STATUS_OK;
}

/* Adding takes at least ADD_NS, as it comes to a page that is not accessible before. */
#define PAGE   ((size_t)sysconf(_SC_PAGESIZE))
#define ADD_NS 100000000
static atomic_int adding;       /* devices */
static atomic_bool add_at_once; /* two of them did */

static void *page_of(const void *address)
{
    return (void *)((uintptr_t)address / PAGE * PAGE);
}

static void add_slowly(int number, siginfo_t *fault, void *context)
{
    if (atomic_fetch_add(&adding, 1) > 0)
        atomic_store(&add_at_once, true);
    nanosleep(&(struct timespec){.tv_nsec = ADD_NS}, NULL);
    atomic_fetch_sub(&adding, 1);
    if (mprotect(page_of(fault->si_addr), PAGE, PROT_READ | PROT_WRITE) != 0)
        signal(number, SIG_DFL); /* a fault of another kind */
}

static _Thread_local vertex_t searched_from;

/* Each device takes one source. */
static int traverse_ones(struct run *run, const struct query *query)
{
    searched_from = query->sources[0];
    meet(TEAM);
    return STATUS_OK;
}

static int fetch_ones(struct run *run, struct traversal *result)
{
    vertex_t n = run->graph->num_vertices;
    for (vertex_t v = 0; result->farness != NULL && v < n; v++)
        result->farness[v] = result->farness_count[v] = 1;
    if (result->farness != NULL && mprotect(page_of(result->farness + PAGE), PAGE, PROT_NONE) != 0)
        return error_set(run->error, STATUS_DEVICE, "mprotect");
    for (vertex_t v = 0; result->path != NULL && v < n; v++)
        result->path[v] = searched_from;
    if (result->length != NULL)
        result->length[0] = n - 1;
    else
        meet(2 * TEAM);
    return STATUS_OK;
}

/* All devices have a result at the same moment: every distance is 1; a path has the source n times. */
static const struct algorithm ones = {.family = "msbfs",
                                      .variant = "ones",
                                      .outputs = OUTPUT_FARNESS,
                                      .on_request = OUTPUT_LENGTH | OUTPUT_PATH,
                                      .state_bytes = 1,
                                      .prepare = prepare_ones,
                                      .traverse = traverse_ones,
                                      .fetch = fetch_ones,
                                      .release = fake_release};

static struct bench_request request_for_ones(const struct graph *graph, const vertex_t *sources, int num_sources)
{
    struct bench_request bench = request_for(&ones, graph, sources, num_sources);
    bench.device = team;
    bench.num_devices = TEAM;
    bench.verify = VERIFY_NONE;
    return bench;
}

#define MANY (1u << 20)

TEST(sums_of_closeness_are_added_one_by_one)
{
    static const vertex_t sources[TEAM] = {0, 1, 2, 3};
    GRAPH graph = make_graph("0>1", MANY);
    struct bench_request bench = request_for_ones(&graph, sources, TEAM);
    struct closeness_request request = {.bench = &bench};
    struct closeness_result result;
    struct sigaction before, slowly = {.sa_sigaction = add_slowly, .sa_flags = SA_SIGINFO};
    vertex_t wrong = 0;
    atomic_store(&met, 0);
    sigaction(SIGSEGV, &slowly, &before);
    assert_ok(closeness_run(&request, &result, &error));
    sigaction(SIGSEGV, &before, NULL);
    assert_int_equal(met, 2 * TEAM);
    assert_false(add_at_once);
    for (vertex_t v = 0; v < MANY; v++)
        wrong += result.totals.farness[v] != TEAM || result.totals.farness_count[v] != TEAM;
    assert_int_equal(wrong, 0);
    closeness_release(&result);
}

TEST(no_path_is_lost)
{
    static const struct pair pairs[TEAM] = {{0, 9}, {1, 9}, {2, 9}, {3, 9}};
    GRAPH graph = make_graph("0>1", MANY);
    struct bench_request bench = request_for_ones(&graph, NULL, 0);
    struct pairs_request request = {&bench, pairs, TEAM, true};
    for (int round = 0; round < 5; round++) {
        struct pairs_result result;
        vertex_t wrong = 0;
        atomic_store(&met, 0);
        assert_ok(pairs_run(&request, &result, &error));
        assert_int_equal(met, 2 * TEAM);
        assert_int_equal(result.num_batches, TEAM);
        assert_int_equal(result.path_length, TEAM * MANY);
        for (vertex_t source = 0; source < TEAM; source++)
            for (vertex_t i = 0; i < MANY; i++)
                wrong += result.path[result.path_at[source] + i] != source;
        assert_int_equal(wrong, 0);
        pairs_release(&result);
    }
}

/* ---- a device that threads take in turn ---- */

TEST(a_turn_that_failed_is_given_back)
{
    struct shared_gpu *gpu = shared_gpu_take(0, &error);
    gpu->machine.devices[DEVICE_GPU] = gpu->machine.devices[DEVICE_EMULATOR] = team[0];
    for (enum device_kind kind = DEVICE_GPU; kind <= DEVICE_EMULATOR; kind++) {
        gpu->machine.devices[kind].use = refuses_use;
        assert_error(shared_gpu_enter(gpu, kind, &error), STATUS_DEVICE, "gone");
        gpu->machine.devices[kind].use = team[0].use;
        ctrl_c_pressed = true; /* so that waiting for a turn that never comes would end */
        assert_ok(shared_gpu_enter(gpu, kind, &error));
        ctrl_c_pressed = false;
        shared_gpu_leave(gpu, kind);
    }
    shared_gpu_put(gpu);
}

/* ---- edges in arrays ---- */

/* The device and the host make the same graph of edges with duplicates and a self-loop. */
TEST(a_device_builds_many_edges)
{
    const uint64_t sources[] = {3, 0, 0, 1, 1, 2, 0}, targets[] = {2, 1, 1, 0, 1, 3, 5}, count = COUNT(sources);
    gtrav_context *contexts[2];
    gtrav_graph *graphs[2];
    gtrav_error failure = {0};
    if (gtrav_context_new(&contexts[0], "emulator", 0, NULL) != GTRAV_OK)
        skip();
    assert_int_equal(gtrav_context_new(&contexts[1], "cpu", 0, &failure), GTRAV_OK);
    for (unsigned flags = GTRAV_DIRECTED; flags <= GTRAV_UNDIRECTED; flags++) {
        least_edges_on[DEVICE_EMULATOR] = count;
        for (int i = 0; i < 2; i++)
            gtrav_graph_from_edges(contexts[i], 0, sources, targets, 64, count, flags, &graphs[i], &failure);
        least_edges_on[DEVICE_EMULATOR] = UINT64_MAX;
        assert_int_equal(failure.status, GTRAV_OK);
        const struct graph *built = &graphs[0]->graph, *expected = &graphs[1]->graph;
        assert_int_equal(built->num_edges, expected->num_edges);
        assert_memory_equal(built->offsets, expected->offsets, 7 * sizeof *built->offsets);
        assert_memory_equal(built->targets, expected->targets, built->num_edges * sizeof *built->targets);
        assert_int_equal(built->symmetric, expected->symmetric);
        assert_int_equal(built->self_loops_dropped, expected->self_loops_dropped);
        assert_int_equal(built->duplicates_dropped, expected->duplicates_dropped);
        for (int i = 0; i < 2; i++)
            gtrav_graph_free(graphs[i]);
    }
    for (int i = 0; i < 2; i++)
        gtrav_context_free(contexts[i]);
}

static int enter(void **state)
{
    omp_set_num_threads(2 * TEAM);
    for (int i = 0; i < TEAM; i++) {
        if (device_open(DEVICE_CPU, &team[i], i, &error) != STATUS_OK)
            return 1;
        team[i].number = i;
    }
    return enter_with_cpu(state);
}

static int leave(void **state)
{
    for (int i = 0; i < TEAM; i++)
        team[i].close(&team[i]);
    return leave_with_cpu(state);
}

TESTS(enter, leave)
