/* trials.c: the trial loop of all algorithms. */
#include "trials.h"

#include <math.h>

#include "../cores.h"
#include "../graph/sources.h"
#include "../progress.h"
#include "../records/records.h"
#include "../verify/verify.h"
#include "engine.h"

static unsigned outputs_of(const struct bench_request *request)
{
    const struct algorithm *algorithm = request->algorithm;
    unsigned all = all_outputs(algorithm);
    if (request->aggregates)
        return all & OUTPUT_SUMS ? OUTPUT_SUMS : all & OUTPUT_FARNESS;
    return algorithm->outputs | (request->parents ? algorithm->on_request & OUTPUT_PARENT : 0);
}

/* State of the trial loop. */
struct loop {
    const struct bench_request *request;
    bool of_batch; /* one result covers all sources of a batch; it is fetched with the first source */
    struct trials_result *result;
    struct engine engine;
    struct limits limits;
    struct query query;                     /* the last query */
    struct search_times times[MAX_REPEATS]; /* num_repeats: the repeats of the last query */
    int num_repeats;
    struct reach reach; /* used if results are aggregates */
    double download_ms; /* time to fetch the last result */
};

/* Checks a trial's result, and measures its tree if it is right. Marks a wrong result, which does not end the run. */
static int verify_trial(struct loop *loop, struct trial *trial, struct error *error)
{
    const struct bench_request *request = loop->request;
    struct traversal *last = &loop->result->last;
    struct error found = {0};
    outputs_verify(request->graph, request->algorithm, &loop->query, last, &found);
    trial->verdict = found.status == STATUS_OK ? VERIFIED : VERIFY_FAILED;
    if (found.status == STATUS_OK)
        return tree_quality(request->graph, trial->source, last, &trial->quality, error);
    if (found.status != STATUS_WRONG)
        return error_set(error, found.status, "%s", found.text);
    outputs_note_wrong(loop->result->wrong, request, trial->source, found.text);
    return STATUS_OK;
}

/* Fetches the result of source number `which` of a batch. A whole batch's arrays come with the first one. */
static int fetch_result(struct loop *loop, uint32_t which, uint32_t num_sources)
{
    struct traversal *last = &loop->result->last, wanted = *last;
    wanted.which = which;
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (which > 0 && array->of_batch)
            set_entries(&wanted, array, NULL);
    int status = engine_fetch(&loop->engine, num_sources, &wanted);
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        set_entries(&wanted, array, entries_of(last, array));
    *last = wanted;
    loop->download_ms = loop->of_batch ? loop->engine.download_ms / num_sources : loop->engine.download_ms;
    return status;
}

/* Returns whether to fetch the result of source number `which` of a batch. If not, its edges are counted on the
 * graph: fetching the levels of hundreds of sources takes longer than computing them. */
static bool is_fetched(const struct loop *loop, uint32_t which, bool verify)
{
    const struct bench_request *request = loop->request;
    if (which == 0)
        return true;
    if (loop->of_batch)
        return false;
    return verify || !request->family->has_batches || !request->graph->symmetric || wants_results(request);
}

/* Stores the targets' levels. Subtracts the edges out of the last level, which the search does not read. */
static void end_at_limits(const struct loop *loop, struct trial *trial, int number)
{
    const struct bench_request *request = loop->request;
    const uint32_t *level = loop->result->last.level;
    uint32_t farthest = request->num_targets > 0 ? 0 : UNREACHED, end = loop->limits.max_level;
    for (uint64_t i = 0; i < request->num_targets; i++) {
        uint32_t found = level[request->targets[i].vertex];
        loop->result->target_levels[(size_t)number * request->num_targets + i] = found;
        farthest = found > farthest ? found : farthest; /* UNREACHED exceeds every level */
    }
    end = farthest < end ? farthest : end;
    for (vertex_t v = 0; end != UNREACHED && v < request->graph->num_vertices; v++)
        if (level[v] == end)
            trial->edges -= graph_degree(request->graph, v);
}

/* Fetches the result of one trial of a batch, checks it and counts its edges. */
static int take_result(struct loop *loop, int first, uint32_t which, uint32_t num_sources, bool verify,
                       struct error *error)
{
    const struct bench_request *request = loop->request;
    struct trial *trial = &loop->result->trials[first + (int)which];
    struct traversal *last = &loop->result->last;
    bool fetched = is_fetched(loop, which, verify);
    last->which = which;
    if (fetched && fetch_result(loop, which, num_sources) != STATUS_OK)
        return error->status;
    trial->download_ms = fetched || loop->of_batch ? loop->download_ms : NOT_MEASURED;
    trial->verdict = NOT_VERIFIED;
    if (verify && which > 0 && request->family->sums_sources)
        trial->verdict = loop->result->trials[first].verdict;
    else if (verify && verify_trial(loop, trial, error) != STATUS_OK)
        return error->status;
    if (fetched && !loop->of_batch)
        count_reached(request->graph, last, &trial->reached, &trial->edges);
    else if (reach_count(request->graph, trial->source, &loop->reach, &trial->reached, &trial->edges, error) !=
             STATUS_OK)
        return error->status;
    if (loop->query.limits != NULL)
        end_at_limits(loop, trial, first + (int)which);
    return STATUS_OK;
}

/* Measures the query request->repeats times. A repeat follows a run directly, so it runs once, unless it is cold. */
static int measure(struct loop *loop)
{
    int repeats = loop->request->repeats > 0 ? (int)loop->request->repeats : 1;
    int status = engine_measure(&loop->engine, &loop->query, &loop->times[0]);
    for (loop->num_repeats = 1; loop->num_repeats < repeats && status == STATUS_OK; loop->num_repeats++)
        status = (loop->request->cold ? engine_measure : engine_traverse)(&loop->engine, &loop->query,
                                                                          &loop->times[loop->num_repeats]);
    if (repeats > 1)
        engine_note_after(&loop->engine);
    return status;
}

/* Gives the trials of a batch the times of one repeat. */
static void set_times(struct loop *loop, struct trial *trials, uint32_t num_sources, int repeat)
{
    const struct search_times *times = &loop->times[repeat];
    for (uint32_t which = 0; which < num_sources; which++) {
        struct trial *trial = &trials[which];
        trial->repeat = (uint32_t)repeat + 1;
        trial->step = loop->engine.run.memory_step;
        trial->time_ms = times->time_ms / num_sources;
        trial->reset_ms = times->reset_ms / num_sources;
        trial->kernel_ms = times->kernel_ms / num_sources;
        trial->search_mteps = mteps_of(trial->edges, trial->time_ms);
        trial->mteps = mteps_of(trial->edges, trial->kernel_ms);
    }
}

/* Records every repeat of a batch. Its trials keep the times of the median repeat. */
static int record_repeats(struct loop *loop, struct trial *trials, uint32_t num_sources, struct error *error)
{
    const struct bench_request *request = loop->request;
    for (int repeat = 0; repeat < loop->num_repeats && error->status == STATUS_OK; repeat++) {
        set_times(loop, trials, num_sources, repeat);
        if (request->records != NULL)
            records_append(request, trials, num_sources, error);
    }
    qsort(loop->times, (size_t)loop->num_repeats, sizeof *loop->times, compare_doubles);
    set_times(loop, trials, num_sources, (loop->num_repeats - 1) / 2);
    return error->status;
}

static void set_query(struct loop *loop, int first, uint32_t num_sources)
{
    static const vertex_t none = NO_VERTEX;
    const struct bench_request *request = loop->request;
    bool ends = request->max_depth > 0;
    loop->limits = (struct limits){.max_level = ends ? (uint32_t)request->max_depth : UNREACHED};
    loop->query = (struct query){.sources = request->sources != NULL ? request->sources + first : &none,
                                 .num_sources = num_sources,
                                 .destinations = request->targets,
                                 .num_destinations = request->num_targets,
                                 .limits = ends || request->targets != NULL ? &loop->limits : NULL};
}

/* Gives the result of source number `which` of a batch to the request's sink. */
static void pass_on(const struct loop *loop, uint32_t which)
{
    struct result_sink *sink = loop->request->sink;
    if (!wants_results(loop->request) || (which > 0 && loop->of_batch))
        return;
    sink->num_wanted--;
    sink->put(sink, loop->query.sources[which], &loop->result->last);
}

/* Searches once more, for the sink, from the sources of trials that were taken from records. */
static int search_again(struct loop *loop, int first, uint32_t num_sources, struct error *error)
{
    struct search_times unused;
    set_query(loop, first, num_sources);
    if (engine_traverse(&loop->engine, &loop->query, &unused) != STATUS_OK)
        return error->status;
    for (uint32_t which = 0; which < (loop->of_batch ? 1 : num_sources) && error->status == STATUS_OK; which++)
        if (fetch_result(loop, which, num_sources) == STATUS_OK)
            pass_on(loop, which);
    return error->status;
}

/* Runs one traversal from num_sources sources, and stores the results in trials first .. first + num_sources - 1.
 * warm_up: fetches only the first result, and does not check it. */
static int run_batch(struct loop *loop, int first, uint32_t num_sources, bool warm_up, struct error *error)
{
    set_query(loop, first, num_sources);
    if ((warm_up ? engine_traverse(&loop->engine, &loop->query, &loop->times[0]) : measure(loop)) != STATUS_OK)
        return error->status;
    for (uint32_t which = 0; which < (warm_up ? 1 : num_sources) && error->status == STATUS_OK; which++) {
        int number = first + (int)which;
        enum verify_mode verify = warm_up ? VERIFY_NONE : loop->request->verify;
        struct trial *trial = &loop->result->trials[number];
        trial->resumed = false;
        trial->batch = loop->request->family->has_batches ? num_sources : 0;
        trial->sm_mhz = loop->engine.setup.state.sm_mhz_after;
        take_result(loop, first, which, num_sources, verify == VERIFY_ALL || (verify == VERIFY_FIRST && number == 0),
                    error);
        if (!warm_up && error->status == STATUS_OK)
            pass_on(loop, which);
        progress_set((uint64_t)number + 1);
    }
    if (!warm_up && error->status == STATUS_OK)
        record_repeats(loop, &loop->result->trials[first], num_sources, error);
    return error->status;
}

/* Returns whether every trial of a batch was resumed from a batch of the same size. */
static bool is_resumed(const struct loop *loop, int first, uint32_t num_sources)
{
    bool batches = loop->request->family->has_batches;
    for (uint32_t which = 0; which < num_sources; which++) {
        const struct trial *trial = &loop->result->trials[first + (int)which];
        if (!trial->resumed || trial->step != loop->engine.run.memory_step || (batches && trial->batch != num_sources))
            return false;
    }
    return true;
}

static uint32_t size_of_batch(const struct loop *loop, int first)
{
    uint32_t left = (uint32_t)(loop->result->num_trials - first);
    return left < loop->engine.batch_size ? left : loop->engine.batch_size;
}

/* Discards the resumed trials of a batch if only a part of it was resumed, or if they come from a batch of another
 * size, since a batch is measured as a whole; and those of runs that had more or less memory. */
static void give_up_parts(struct loop *loop)
{
    uint32_t size;
    for (int first = 0; first < loop->result->num_trials; first += (int)size) {
        size = size_of_batch(loop, first);
        if (is_resumed(loop, first, size))
            continue;
        for (uint32_t which = 0; which < size; which++) {
            struct trial *trial = &loop->result->trials[first + (int)which];
            *trial = (struct trial){.source = trial->source};
        }
    }
}

/* Runs every trial that was not resumed. *done: the number of leading trials that have a result. */
static int run_trials(struct loop *loop, int *done, struct error *error)
{
    const struct bench_request *request = loop->request;
    struct trials_result *result = loop->result;
    bool warm = false;
    double end_ms = INFINITY; /* set when the first trial has ended and is checked */
    char phase[128];
    snprintf(phase, sizeof phase, "%s %s", request->algorithm->family, request->algorithm->variant);
    progress_begin(phase, (uint64_t)result->num_trials);
    for (*done = 0; *done < result->num_trials && error->status == STATUS_OK; progress_set((uint64_t)*done)) {
        struct trial *trial = &result->trials[*done];
        uint32_t size = size_of_batch(loop, *done);
        if (trial->resumed && !wants_results(request)) {
            *done += (int)size;
        } else if (stop_requested()) {
            error_set(error, STATUS_INTERRUPTED, "interrupted");
        } else if (now_ms() > end_ms) {
            result->time_limit_s = request->time_limit_s;
            break;
        } else if (trial->resumed) {
            if (search_again(loop, *done, size, error) == STATUS_OK)
                *done += (int)size;
        } else if (!warm) {
            bool is_long = request->family->sums_sources && size > DEFAULT_SOURCES;
            run_batch(loop, *done, is_long ? DEFAULT_SOURCES : size, true, error);
            warm = true;
        } else if (run_batch(loop, *done, size, false, error) == STATUS_OK) {
            *done += (int)size;
            if (request->time_limit_s > 0 && end_ms == INFINITY)
                end_ms = now_ms() + 1e3 * request->time_limit_s;
            if (request->records != NULL)
                trace_append(request, trial, &result->last, error);
        }
    }
    progress_end();
    return error->status;
}

/* ---- energy ---- */

#define ENERGY_MS    5e3 /* energy is measured at least so long, since meters count in steps of up to 0.1 s */
#define IDLE_SECONDS 1

/* Reads the device's meter. Sets *joules to the energy since it showed `before`, and returns what it shows now. */
static uint64_t read_meter(const struct loop *loop, uint64_t before, double *joules, struct error *error)
{
    struct device *device = loop->request->device;
    uint64_t now = device->millijoules != NULL ? device->millijoules(device) : 0;
    *joules = 1e-3 * (double)(now - before);
    if (now <= before)
        error_set(error, STATUS_DEVICE, "%s: its energy meter has stopped; leave out --energy", device->name);
    return now;
}

/* Searches from the sources of all trials in turn, without fetching or checking, until a round ends after ENERGY_MS
 * or more. Returns the number of rounds. */
static int repeat_searches(struct loop *loop, int num_trials, struct error *error)
{
    double end_ms = now_ms() + ENERGY_MS;
    int rounds = 0;
    uint32_t size;
    for (; error->status == STATUS_OK && now_ms() < end_ms; rounds++)
        for (int first = 0; first < num_trials && error->status == STATUS_OK; first += (int)size) {
            size = size_of_batch(loop, first);
            set_query(loop, first, size);
            if (stop_requested())
                error_set(error, STATUS_INTERRUPTED, "interrupted");
            else
                engine_traverse(&loop->engine, &loop->query, &loop->times[0]);
        }
    return rounds;
}

/* Measures the power of the idle device, then the energy of the searches. */
static int measure_energy(struct loop *loop, int num_trials, struct error *error)
{
    struct energy *energy = &loop->result->energy;
    double joules, idle_ms = now_ms(), edges = 0;
    uint64_t begin = read_meter(loop, 0, &joules, error);
    nanosleep(&(struct timespec){.tv_sec = IDLE_SECONDS}, NULL);
    begin = read_meter(loop, begin, &joules, error);
    double begin_ms = now_ms();
    energy->idle_watts = 1e3 * joules / (begin_ms - idle_ms);
    progress_begin("energy", 0);
    int rounds = repeat_searches(loop, num_trials, error);
    progress_end();
    read_meter(loop, begin, &joules, error);
    if (error->status != STATUS_OK)
        return error->status;
    energy->seconds = 1e-3 * (now_ms() - begin_ms);
    energy->searches = (double)rounds * num_trials;
    energy->joules_per_search = joules / energy->searches;
    for (int i = 0; i < num_trials; i++)
        edges += (double)loop->result->trials[i].edges;
    energy->mteps_per_watt = 1e-6 * edges * rounds / joules;
    run_add_number(&loop->engine.run, ENERGY_FACT, energy->joules_per_search);
    run_add_number(&loop->engine.run, "mteps_per_watt", energy->mteps_per_watt);
    run_add_number(&loop->engine.run, "idle_watts", energy->idle_watts);
    run_add_number(&loop->engine.run, "energy_searches", energy->searches);
    run_add_number(&loop->engine.run, "energy_seconds", energy->seconds);
    return error->status;
}

static int prepare_and_run(const struct bench_request *request, struct trials_result *result, int *done,
                           struct error *error)
{
    struct loop loop = {.request = request, .result = result};
    loop.of_batch = request->aggregates || request->family->sums_sources;
    bool batches = request->family->has_batches;
    int num_trials = 0;
    for (int i = 0; i < result->num_trials; i++) /* batch sizes must not depend on the records */
        num_trials += batches || wants_results(request) || !result->trials[i].resumed ||
                      result->trials[i].step != MEMORY_SUFFICES;
    int status = engine_open(&loop.engine, request, request->device, outputs_of(request), num_trials, error);
    loop.engine.setup.state = result->setup.state; /* of the summary, if all trials are resumed */
    if (status == STATUS_OK &&
        outputs_allocate(request->graph, loop.engine.run.outputs, size_of_batch(&loop, 0), &result->last, error) ==
            STATUS_OK &&
        (request->records == NULL || records_begin(request, error) == STATUS_OK)) {
        give_up_parts(&loop);
        if (run_trials(&loop, done, error) == STATUS_OK && request->energy && *done > 0)
            measure_energy(&loop, *done, error);
    }
    engine_close(&loop.engine);
    result->setup = loop.engine.setup;
    reach_release(&loop.reach);
    return error->status;
}

/* Runs the trials and collects warnings about their times. */
static void run_with_warnings(const struct bench_request *request, struct trials_result *result, int *done,
                              struct error *error)
{
    bool on_cpu = request->algorithm->device == DEVICE_CPU;
    uint64_t throttled = on_cpu ? cores_throttled("") : 0;
    prepare_and_run(request, result, done, error);
    warn_of_clocks(&result->warnings, result->setup.state.clock_limits);
    if (request->device->kind == DEVICE_EMULATOR)
        return;
    if (on_cpu && request->of_machine != NULL)
        result->warnings = *request->of_machine;
    if (on_cpu)
        result->throttled = cores_throttled("") - throttled;
    warn_of_throttling(&result->warnings, result->throttled);
    warn_of_trials(&result->warnings, result->trials, *done);
}

static double whole_call_ms(const struct trials_result *result)
{
    const struct summary *summary = &result->summary;
    uint32_t sources = summary->batch_sources;
    if (summary->download_ms < 0)
        return NOT_MEASURED;
    return result->setup.prepare_ms + (sources > 0 ? summary->batch_time_ms : summary->time.median_ms) +
           (sources > 0 ? sources : 1) * summary->download_ms;
}

int trials_run(const struct bench_request *request, struct trials_result *result, struct error *error)
{
    int done = 0;
    bool complete = false, recorded = request->records != NULL;
    *result = (struct trials_result){0};
    if (request->family->has_sources && request->graph->num_vertices == 0)
        return error_set(error, STATUS_INPUT, "%s: the graph has no vertices; nothing to traverse",
                         request->graph->name);
    if (allocate_zeroed(&result->trials, (size_t)request->num_sources, sizeof *result->trials, "the trials", error) !=
            STATUS_OK ||
        (request->targets != NULL &&
         allocate_zeroed(&result->target_levels, (size_t)request->num_sources * request->num_targets,
                         sizeof *result->target_levels, "the targets' levels", error) != STATUS_OK))
        return error->status;
    result->num_trials = request->num_sources;
    for (int i = 0; i < result->num_trials; i++)
        result->trials[i].source = request->sources != NULL ? request->sources[i] : NO_VERTEX;
    if (recorded && records_resume(request, result, &complete, error) != STATUS_OK)
        result->num_trials = 0;
    else if (complete && !wants_results(request))
        done = num_leading(result);
    else
        run_with_warnings(request, result, &done, error);
    result->num_trials = done;
    summarize(result->trials, result->num_trials, &result->summary, error);
    result->total_ms = whole_call_ms(result);
    if (error->status == STATUS_OK && recorded && !complete)
        records_summary(request, result, error);
    if (error->status == STATUS_OK && result->wrong[0] != '\0')
        return error_set(error, STATUS_WRONG, "%s", result->wrong);
    return error->status;
}

void trials_release(struct trials_result *result)
{
    free(result->trials);
    free(result->target_levels);
    outputs_release(&result->last);
    *result = (struct trials_result){0};
}
