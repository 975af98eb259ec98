/* fake_bfs.h: an algorithm that does what a test asks of it, on a device whose clock is known, and runs of it. What
 * is defined here is a program's own: each test program is one file. */
#pragma once

#include "support.h"

#include <omp.h>
#include <sys/stat.h>

#include "../harness.h"

#define RECORDS     "records"
#define NUM_THREADS 3 /* that OpenMP is to use */

/* ---- a fake algorithm on a path: the level of v is |v - source| ---- */

static struct {
    int prepared, traversals, released; /* repetitions of a traversal are not counted here, but as repeats */
    int repeats;
    vertex_t source;
    bool cold, fetched;           /* cold: the last traversal did not follow directly on one from the same source */
    double long_ms;               /* of a traversal; 0: as fake_elapsed says */
    bool wrong[16];               /* sources whose result is wrong */
    int fail_prepare, fail_fetch; /* a status, or 0 */
    int failing, interrupting;    /* the traversal that fails, or in which Ctrl-C is pressed; 0: none */
    bool builds;                  /* formats, in the device's memory */
} fake;

/* The device's memory: HELD stay in use after preparing, which takes BUILDING more, and a traversal takes RUNNING. */
#define HELD     1000u
#define BUILDING 500u
#define RUNNING  200u
static struct device_memory fake_memory;

static inline void use_memory(uint64_t bytes)
{
    fake_memory.bytes += bytes;
    if (fake_memory.bytes > fake_memory.peak_bytes)
        fake_memory.peak_bytes = fake_memory.bytes;
}

static inline int fake_prepare(struct run *run)
{
    fake.prepared++;
    if (fake.builds) {
        use_memory(HELD + BUILDING);
        fake_memory.bytes -= BUILDING;
        run->build_ms = 2.5;
        snprintf(run->note, sizeof run->note, "%s", "so big, \"so\" good");
        run_add_number(run, "size", 45287);
        run_add_number(run, "share", 0.25);
        run_add_number(run, "size", 1); /* the first one stays */
        run_add_word(run, "way", "lazy");
    }
    return fake.fail_prepare != 0 ? error_set(run->error, fake.fail_prepare, "cannot prepare") : STATUS_OK;
}

static inline int fake_traverse(struct run *run, const struct query *query)
{
    fake.cold = fake.fetched || fake.traversals == 0 || fake.source != query->sources[0];
    fake.fetched = false;
    fake.source = query->sources[0];
    if (!fake.cold) {
        fake.repeats++;
        return STATUS_OK;
    }
    fake.traversals++;
    if (fake.builds) {
        use_memory(RUNNING);
        fake_memory.bytes -= RUNNING;
    }
    ctrl_c_pressed = ctrl_c_pressed || fake.traversals == fake.interrupting;
    return fake.traversals == fake.failing ? error_set(run->error, STATUS_DEVICE, "the device is on fire") : STATUS_OK;
}

static inline int fake_fetch(struct run *run, struct traversal *result)
{
    fake.fetched = true;
    for (vertex_t v = 0; v < run->graph->num_vertices; v++)
        result->level[v] = v > fake.source ? v - fake.source : fake.source - v;
    result->level[2] += fake.wrong[fake.source];
    return fake.fail_fetch != 0 ? error_set(run->error, fake.fail_fetch, "cannot fetch") : STATUS_OK;
}

static inline int fake_fetch_order(struct run *run, struct traversal *result)
{
    fake.fetched = true;
    for (vertex_t v = 0; v < run->graph->num_vertices; v++)
        result->order[v] = v;
    result->num_ordered = run->graph->num_vertices;
    return STATUS_OK;
}

static inline void fake_release(struct run *run)
{
    fake.released++;
    fake_memory.bytes = 0;
}

static const struct option_spec fake_options[] = {
    {"size", 4, 1, 64, NULL, "how large"},
    {"policy", 1, 0, 2, "random|load-aware|none", "which"},
    {0},
};

static const struct algorithm fake_bfs = {.family = "bfs",
                                          .variant = "fake",
                                          .device = DEVICE_CPU,
                                          .outputs = OUTPUT_LEVEL,
                                          .options = fake_options,
                                          .state_bytes = 1,
                                          .prepare = fake_prepare,
                                          .traverse = fake_traverse,
                                          .fetch = fake_fetch,
                                          .release = fake_release};
static const struct algorithm fake_topo = {.family = "topo",
                                           .variant = "fake",
                                           .device = DEVICE_CPU,
                                           .outputs = OUTPUT_ORDER,
                                           .state_bytes = 1,
                                           .prepare = fake_prepare,
                                           .traverse = fake_traverse,
                                           .fetch = fake_fetch_order,
                                           .release = fake_release};

static inline int fake_use(struct device *device, struct error *failure)
{
    return STATUS_OK;
}

static inline void fake_mark(struct device *device, enum mark mark)
{
}

#define COLD 7 /* times as long takes a traversal that does not follow directly on one from the same source */

/* From source s the kernel takes s + 1 microseconds, the reset half as long, and all of the trial twice as long. */
static inline int fake_elapsed(struct device *device, double *time_ms, double *kernel_ms, struct error *failure)
{
    *kernel_ms = (fake.source == NO_VERTEX ? 0.5 : (fake.source + 1) * 1e-3) * (fake.cold ? COLD : 1);
    device->reset_ms = *kernel_ms / 2;
    *time_ms = fake.long_ms > 0 ? fake.long_ms : 2 * *kernel_ms;
    return STATUS_OK;
}

static struct device fake_device = {.name = "Fake",
                                    .slug = "fake",
                                    .memory = &fake_memory,
                                    .mark = fake_mark,
                                    .elapsed = fake_elapsed,
                                    .use = fake_use};

/* ---- one run of it ---- */

static struct graph path_10, dag_4;
static double options[MAX_OPTIONS];

/* Before every test: nothing recorded, the fake at its best. */
static inline int set_up(void **state)
{
    omp_set_num_threads(NUM_THREADS);
    remove_tree(RECORDS);
    memset(&fake, 0, sizeof fake);
    fake_memory = (struct device_memory){0, 1u << 30}; /* a run before this one needed more */
    path_10 = make_graph("path:10", 0);
    dag_4 = make_graph("0>1 1>2 2>3", 4);
    return options_parse(&fake_bfs, NULL, 0, options, &error);
}

static inline int tear_down(void **state)
{
    ctrl_c_pressed = false;
    graph_release(&path_10);
    graph_release(&dag_4);
    return 0;
}

static inline struct bench_request request_of(const vertex_t *sources, int num_sources, enum verify_mode verify)
{
    return (struct bench_request){.algorithm = &fake_bfs,
                                  .family = family_of("bfs"),
                                  .graph = &path_10,
                                  .graph_hash = 0xabc,
                                  .device = &fake_device,
                                  .options = options,
                                  .sources = sources,
                                  .num_sources = num_sources,
                                  .verify = verify,
                                  .load_ms = 1.5,
                                  .records = RECORDS};
}

/* Runs and expects a status, so many trials in the result, and so many traversals for them (a warm-up is one, too;
 * repetitions are not). */
static inline void run_and_expect(const struct bench_request *request, int status, int trials, int traversals)
{
    struct trials_result result;
    fake.traversals = 0;
    assert_fails(trials_run(request, &result, &error), status, "");
    assert_int_equal(result.num_trials, trials);
    assert_int_equal(fake.traversals, traversals);
    assert_int_equal(fake.prepared, fake.released);
    trials_release(&result);
}
