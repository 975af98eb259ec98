/* test_autotune.cu: which of several candidates stays, by algorithms and a clock that follow a script. */
#include "../../kernels/autotune/autotune.h"

#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checks.h"
#include "graphs.h"

namespace BACKEND
{

using std::vector;

#define TRIALS   40 /* to come; or MANY */
#define MANY     600
#define BUILD_MS 3.0
#define COLD_MS  0.01 /* of a search that is not timed */

/* What an algorithm does. */
struct part {
    vector<double> ms = {1};       /* of its timed searches; the last one goes on */
    double build_ms = 0;           /* predicted */
    unsigned sleep_ms = 0;         /* in its preparation */
    bool fails = false;            /* to prepare */
    bool gets_lost = false;        /* fails in a search */
    bool runs_once = false;        /* expected: each search is timed in its first run */
    bool ends_prepared = false;    /* expected */
    unsigned searches = 0;         /* timed ones, expected */
    vector<vertex_t> sources = {}; /* of all its searches so far */
    bool prepared = false;
};

static struct {
    vector<struct part> parts;
    double elapsed_ms, total_ms; /* of the last search; of all preparations and searches */
    bool graph_is_right;
    unsigned prepared, most_prepared; /* parts, at the same time */
} script;

/* ---- the algorithm and the clock ---- */

static struct part *part_of(const struct run *run)
{
    return &script.parts[(size_t)run->options[0]];
}

/* Overwrites the graph, as a relabelling does. */
static int fake_prepare(struct run *run, struct gpu_graph *graph)
{
    struct part *part = part_of(run);
    vector<vertex_t> targets(graph->num_edges);
    gpu_download(targets.data(), graph->targets, graph->num_edges, run->error);
    script.graph_is_right = script.graph_is_right && graph->num_vertices == run->graph->num_vertices &&
                            memcmp(targets.data(), run->graph->targets, targets.size() * sizeof(vertex_t)) == 0;
    gpu_clear(graph->targets, graph->num_edges, run->error);
    usleep(1000 * part->sleep_ms);
    part->prepared = true;
    script.most_prepared = std::max(script.most_prepared, ++script.prepared);
    run->build_ms = BUILD_MS;
    script.total_ms += BUILD_MS;
    snprintf(run->note, sizeof run->note, "part %g", run->options[0]);
    if (part->fails)
        error_set(run->error, STATUS_DEVICE, "%sno memory: for part %g", run->options[0] == 2 ? "GPU: " : "",
                  run->options[0]);
    return run->error->status;
}

/* What gtrav counts the memory of (memory_fit): a part takes none. */
static int fake_prepare_from_host(struct run *run)
{
    return run->error->status;
}

static int fake_traverse(struct run *run, const struct query *query)
{
    struct part *part = part_of(run);
    size_t runs = part->runs_once ? 1 : 2, number = part->sources.size() / runs;
    bool is_timed = part->sources.size() % runs == runs - 1;
    part->sources.push_back(query->sources[0]);
    script.elapsed_ms = is_timed ? part->ms[std::min(number, part->ms.size() - 1)] : COLD_MS;
    script.total_ms += script.elapsed_ms;
    if (part->gets_lost)
        error_set(run->error, STATUS_DEVICE, "lost");
    return run->error->status;
}

static void fake_release(struct run *run)
{
    script.prepared -= part_of(run)->prepared;
    part_of(run)->prepared = false;
}

static void fake_mark(struct device *, enum mark)
{
}

static int fake_elapsed(struct device *, double *time_ms, double *kernel_ms, struct error *error)
{
    *time_ms = script.elapsed_ms;
    *kernel_ms = 1 / script.elapsed_ms; /* whole searches count */
    return error->status;
}

static const struct option_spec fake_options[] = {{"which", 0, 0, MOST_CANDIDATES, NULL, "which part"}, {}};

static struct algorithm fake_algorithm(void)
{
    struct algorithm fake = {};
    fake.options = fake_options;
    fake.prepare = fake_prepare_from_host;
    fake.traverse = fake_traverse;
    fake.state_bytes = 1;
    fake.release = fake_release;
    return fake;
}

/* ---- cases ---- */

enum { MANY_TRIALS = 1, UNLIMITED = 2, FAILS = 4, UNMEASURED = 8, FORESEES_FEW = 16 };

struct trial {
    const char *what;
    vector<struct part> parts;
    const char *text; /* of the note, or of the error */
    unsigned flags = 0;
};

static bool is_as_expected(const struct trial &trial, const struct graph &graph, int status)
{
    bool right = status == (trial.flags & FAILS ? STATUS_DEVICE : STATUS_OK) && script.graph_is_right &&
                 script.most_prepared <= 2;
    for (size_t i = 0; i < trial.parts.size(); i++) {
        const struct part &part = script.parts[i], &first = script.parts[script.parts[0].sources.empty()];
        const size_t runs = part.runs_once ? 1 : 2, first_runs = first.runs_once ? 1 : 2;
        right = right && part.prepared == trial.parts[i].ends_prepared &&
                part.sources.size() == runs * trial.parts[i].searches;
        for (size_t s = 0; right && s < part.sources.size(); s++)
            right =
                part.sources[s] == first.sources[s / runs * first_runs] && graph_degree(&graph, part.sources[s]) > 0;
    }
    return right;
}

/* Whether a later search of the winner reports to the error of its call, since the one of preparing may be gone. */
static bool reports_to_the_call(struct autotune *tuning, struct run run)
{
    struct error later = {};
    vertex_t source = 0;
    struct query query = {&source, 1};
    script.parts[tuning->best].gets_lost = true;
    run.state = tuning;
    run.error = &later;
    return autotune_traverse(&run, &query) == STATUS_DEVICE && strcmp(later.text, "lost") == 0;
}

static void check_autotune(const struct trial &trial, const struct graph &graph, bool wide, struct device *device)
{
    const struct algorithm fake = fake_algorithm();
    struct error error = {};
    struct gpu_graph gpu_graph;
    struct run run = {
        .graph = &graph, .device = device, .num_sources = trial.flags & MANY_TRIALS ? MANY : TRIALS, .error = &error};
    struct autotune tuning = {};
    char text[256] = "";
    unsigned long long before = device->memory->bytes;
    script = {trial.parts, 0, 0, true, 0, 0};
    tuning.sources_to_come = run.num_sources;
    tuning.foreseen = trial.flags & FORESEES_FEW ? TRIALS : INFINITY;
    tuning.budget_ms = trial.flags & UNLIMITED ? INFINITY : 30;
    tuning.measures = !(trial.flags & UNMEASURED);
    for (const struct part &part : trial.parts) {
        struct candidate *candidate = &tuning.candidates[tuning.number];
        const char *name = (const char *const[]){"a", "b", "c"}[tuning.number];
        delegate_begin(&candidate->delegate, name, &fake, fake_prepare);
        delegate_set(&candidate->delegate, "which", tuning.number++);
        candidate->build_ms = part.build_ms;
    }
    gpu_graph_upload(&graph, wide, &gpu_graph, &error);
    int status = autotune_run(&tuning, &run, &gpu_graph);
    if (status == STATUS_OK)
        autotune_print(&tuning, text, sizeof text);
    else
        snprintf(text, sizeof text, "%.255s", error.text);
    bool right = is_as_expected(trial, graph, status) && fabs(run.build_ms - script.total_ms) < 1e-9 &&
                 strcmp(text, trial.text) == 0 &&
                 (status != STATUS_OK || (reports_to_the_call(&tuning, run) && error.status == STATUS_OK));
    std::string searches;
    for (const struct part &part : script.parts)
        searches.append(" ").append(std::to_string(part.sources.size())).append(part.prepared ? " (prepared)" : "");
    autotune_release(&tuning);
    check(right && script.prepared == 0 && device->memory->bytes == before, trial.what, "'%s', searches%s; %s", text,
          searches.c_str(), error.text);
}

/* Parts that are prepared and take so long in their timed searches, of which there are so many. */
static struct part loses(const vector<double> &ms, unsigned searches = 3, unsigned sleep_ms = 0)
{
    return {.ms = ms, .sleep_ms = sleep_ms, .searches = searches};
}
static struct part wins(const vector<double> &ms, unsigned searches = 3, double build_ms = 0)
{
    return {.ms = ms, .build_ms = build_ms, .ends_prepared = true, .searches = searches};
}
/* A part whose searches are long or far behind. */
static struct part runs_once(struct part part)
{
    part.runs_once = true;
    return part;
}
/* Parts that are not tried because of what they are predicted to take; and that fail to be prepared. */
static struct part untried(double build_ms, double ms = 1)
{
    return {.ms = {ms}, .build_ms = build_ms};
}
static struct part fails(unsigned sleep_ms = 0, double build_ms = 0)
{
    return {.build_ms = build_ms, .sleep_ms = sleep_ms, .fails = true};
}

static const struct trial CASES[] = {
    {"a single plan", {wins({1}, 0)}, ""},
    {"as many searches as take 0.5 ms", {wins({0.125}, 4), loses({0.125}, 4)}, "0.125 ms per search; b 0.125"},
    {"at least three", {loses({3.5}), wins({3})}, "3 ms per search; a 3.5"},
    {"at most sixteen", {loses({0.025}, 16), wins({0.0125}, 16)}, "0.0125 ms per search; a 0.025"},
    {"long searches run once", {runs_once(loses({9})), runs_once(wins({8}))}, "8 ms per search; a 9"},
    {"the mean counts", {loses({1}), wins({1.9, 0.1})}, "0.7 ms per search; a 1"},
    {"behind before the end", {wins({1}), loses({3.5}, 2)}, "1 ms per search; b over 2"},
    {"behind after one run", {wins({1}), runs_once(loses({50}, 1))}, "1 ms per search; b over 2"},
    {"short searches do not tell", {loses({0.01, 2}), wins({0.1, 1})}, "0.7 ms per search; a 1.34"},
    {"behind after two", {wins({1}), loses({1, 5.5}, 2)}, "1 ms per search; b over 2"},
    {"not behind after one", {loses({1}), wins({2.5, 0.2})}, "0.967 ms per search; a 1"},
    {"the last is the fastest", {loses({1}), loses({0.8}), wins({0.7})}, "0.7 ms per search; a 1, b 0.8"},
    {"the second is the best, and the third is behind it",
     {loses({1}), wins({0.4}), loses({0.9})},
     "0.4 ms per search; a 1, c over 0.8"},
    {"what costs more than 30 ms is not tried",
     {wins({1}), untried(26, 0.1), {.ms = {1.5}, .build_ms = 20, .searches = 3}},
     "1 ms per search; b not tried (32 ms), c 1.5"},
    {"half of what can be saved",
     {loses({1}), wins({0.1}, 3, 290), untried(40, 0.1)},
     "0.1 ms per search; a 1, c not tried (41 ms)",
     MANY_TRIALS},
    {"half of what can be saved in searches that are foreseen",
     {wins({0.125}, 4), untried(2)},
     "0.125 ms per search; b not tried (3 ms)",
     FORESEES_FEW},
    {"no budget", {loses({1}), wins({0.5}, 3, 1e6)}, "0.5 ms per search; a 1", UNLIMITED},
    {"what losers took counts",
     {wins({0.125}, 4), loses({0.2}, 4, 16), untried(14, 0.05)},
     "0.125 ms per search; b 0.2, c not tried (15 ms)"},
    {"what the first took does not count",
     {loses({0.125}, 4, 16), loses({0.1}, 4), wins({0.05}, 4, 15)},
     "0.05 ms per search; a 0.125, b 0.1"},
    {"what the winner took does not",
     {loses({0.125}, 4), loses({0.1}, 4, 40), wins({0.05}, 4, 3)},
     "0.05 ms per search; a 0.125, b 0.1"},
    {"one that fails drops out", {loses({1}), fails(), wins({0.5})}, "0.5 ms per search; a 1, b failed (no memory)"},
    {"all others fail", {wins({1}), fails(), fails()}, "1 ms per search; b failed (no memory), c failed (no memory)"},
    {"the first fails, and the next takes its place",
     {fails(), loses({1}), wins({0.5})},
     "0.5 ms per search; a failed (no memory), b 1"},
    {"the first fails in its first search",
     {{.gets_lost = true, .searches = 3}, wins({9})},
     "9 ms per search; a failed (lost)"},
    {"what failed counts as lost",
     {wins({0.125}, 4), fails(16), untried(14)},
     "0.125 ms per search; b failed (no memory), c not tried (15 ms)"},
    {"all fail",
     {fails(), fails(0, 1e6), fails()},
     "no engine can be prepared: a: no memory: for part 0; b: no memory: for part 1; c: GPU: no memory: for part 2",
     FAILS},
    {"a single one fails", {fails()}, "no memory: for part 0", FAILS},
    {"nothing to measure", {wins({1}, 0), {}}, "", UNMEASURED},
    {"nothing to measure, and the first fails",
     {fails(), fails(), wins({1}, 0)},
     "a failed (no memory), b failed (no memory)",
     UNMEASURED},
    {"nothing to measure, and all fail",
     {fails(), fails()},
     "no engine can be prepared: a: no memory: for part 0; b: no memory: for part 1",
     UNMEASURED | FAILS},
};

static void check_all(struct device *device)
{
    struct device fake = *device;
    struct random_graph graph(3, 60);
    fake.kind = DEVICE_GPU;
    fake.mark = fake_mark;
    fake.elapsed = fake_elapsed;
    for (const struct trial &trial : CASES)
        for (bool wide : {false, true})
            check_autotune(trial, graph.graph, wide, &fake);
}

} // namespace BACKEND
