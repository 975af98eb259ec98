/* test_several_devices.c: several devices in one process, with a thread for each. ThreadSanitizer sees these threads,
 * as it cannot see the emulator's: the devices here are the CPU, several times. */
#include "many_sources.h"

#include <omp.h>

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
            closeness_forget(&request);
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

static int enter(void **state)
{
    omp_set_num_threads(2 * TEAM);
    for (int i = 0; i < TEAM; i++) {
        if (device_open_cpu(&team[i], i, &error) != STATUS_OK)
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
