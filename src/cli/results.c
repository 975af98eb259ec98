#include "results.h"

#include <math.h>
#include <omp.h>

#include "../records/json.h"
#include "terminal.h"

/* The table shows a column if a run has a value for it; columns from DEVICE on need --wide. */
/* clang-format off */
enum column {
    ALGORITHM, TRIALS, MEAN, MEDIAN, SPREAD, TIMES_FASTEST, MTEPS, PREPARE, VERIFIED_TRIALS,
    DEVICE, MIN, MAX, RESET, KERNEL, TREE, BATCH = TREE + 2, NUM_COLUMNS = BATCH + 2
};
/* clang-format on */
static const char alignment[] = "wrrrrrrrllrrrrrrrr";
_Static_assert(sizeof alignment == NUM_COLUMNS + 1, "a letter for each column");

const struct result_column result_columns[] = {
    [ALGORITHM] = {"algorithm", "family and variant; (emulated) or (cpu) if a GPU algorithm ran there"},
    [TRIALS] = {"trials", "traversals, one from each source, and how many of them were taken from records"},
    [MEAN] = {"mean ms", "mean time of a search with the graph on the device: resetting what the last search left, "
                         "and the traversal; for closeness, the elapsed time divided by the number of sources"},
    [MEDIAN] = {"median ms", "median time of a search, which a few disturbed searches do not change"},
    [SPREAD] = {"spread %", "standard deviation of the searches' times, divided by their mean; sources that take "
                            "different times add to it"},
    [TIMES_FASTEST] = {"vs fastest",
                       "mean ms divided by the mean ms of the fastest variant of this command; throttled or "
                       "busy: the run was slowed down, as a warning says, and is not compared"},
    [MTEPS] = {"MTEPS", "millions of traversed edges per second: the out-degrees of the vertices that all trials "
                        "reached, over the time of all trials; an undirected edge counts twice, once from each end"},
    [PREPARE] = {"prepare ms", "once per graph: uploading it, building formats"},
    [VERIFIED_TRIALS] = {"verified", "which trials' results were checked; FAILED if one was wrong"},
    [DEVICE] = {"device", "where it ran"},
    [MIN] = {"min ms", "the shortest search"},
    [MAX] = {"max ms", "the longest search"},
    [RESET] = {"reset ms", "mean time of the reset before the traversal; inside: the traversal does it"},
    [KERNEL] = {"kernel ms", "mean time of the traversal alone, as the variant delimits it"},
    [TREE] = {"tree depth", "mean depth of the trees of the verified trials"},
    [TREE + 1] = {"cross share",
                  "mean share of cross edges among the edges outside those trees; 0 for a depth-first tree"},
    [BATCH] = {"batch", "sources searched from at once"},
    [BATCH + 1] = {"batch ms", "mean ms of a whole batch on its device"},
    [NUM_COLUMNS] = {0},
};

const struct result_column *const wide_columns = &result_columns[DEVICE];

int results_begin(struct results *results, const struct settings *settings, int max_runs, struct error *error)
{
    *results = (struct results){
        .json = settings->json, .trials = settings->trials, .num_columns = settings->wide ? NUM_COLUMNS : DEVICE};
    if (allocate_zeroed(&results->runs, (size_t)max_runs, sizeof *results->runs, "the results", error) != STATUS_OK ||
        table_init(&results->table, 1 + max_runs, alignment, error) != STATUS_OK)
        return error->status;
    results->table.num_rows = 1;
    return STATUS_OK;
}

static void free_run(struct held_run *run)
{
    free(run->text);
    table_release(&run->trials);
    *run = (struct held_run){0};
}

void results_release(struct results *results)
{
    for (int i = 0; i < results->num_runs; i++)
        free_run(&results->runs[i]);
    free(results->runs);
    table_release(&results->table);
    *results = (struct results){0};
}

/* ---- a run ---- */

/* Three decimals; five for a small time, because a tiny graph takes microseconds. */
static void milliseconds_cell(struct table *table, int row, int column, double ms)
{
    table_cell(table, row, column, "%.*f", ms < 0.1 ? 5 : 3, ms);
}

/* Fills the columns about single searches, which closeness does not have. */
static void add_searches(struct table *table, int row, const struct summary *summary)
{
    milliseconds_cell(table, row, MEDIAN, summary->time.median_ms);
    milliseconds_cell(table, row, MIN, summary->time.min_ms);
    milliseconds_cell(table, row, MAX, summary->time.max_ms);
    if (summary->trials > 1 && (uint32_t)summary->trials > summary->batch_sources) /* a batch is one measurement */
        table_cell(table, row, SPREAD, "%.1f", 100 * summary->time.deviation);
    if (summary->mean_reset_ms > 0)
        milliseconds_cell(table, row, RESET, summary->mean_reset_ms);
    else
        table_cell(table, row, RESET, "inside");
}

/* Whether the GPU lowered its clocks, or the kernel stopped the run for its quota, which lengthens times. */
static bool was_throttled(const struct trials_result *result)
{
    return result->setup.state.clock_limits[0] != '\0' || result->throttled > 0;
}

/* Whether other programs needed the run's cores; docs/records.md has the rule. */
static bool was_busy(const struct bench_request *request)
{
    int threads = request->device->kind == DEVICE_CPU ? omp_get_max_threads() : 1;
    return request->busy_cores > 0 && request->busy_cores + threads > request->cores;
}

static void add_row(struct table *table, const struct bench_request *request, const struct trials_result *result,
                    bool of_searches)
{
    const struct summary *summary = &result->summary;
    int row = table->num_rows++;
    char trials[64] = ""; /* "64", "64 (60 resumed)", "12 of 64" */
    int resumed = num_resumed(result);
    text_append(trials, sizeof trials, "", "%d", summary->trials);
    if (summary->trials < request->num_sources)
        text_append(trials, sizeof trials, "", " of %d", request->num_sources);
    if (resumed > 0)
        text_append(trials, sizeof trials, "", " (%d resumed)", resumed);
    const char *family = request->family->name;
    table_cell(table, row, ALGORITHM, "%s %s%s", family, request->algorithm->variant,
               request->device->kind == DEVICE_EMULATOR ? " (emulated)"
               : request->device->is_software           ? " (cpu)"
                                                        : "");
    table_cell(table, row, DEVICE, "%s", request->device->slug);
    table_cell(table, row, TRIALS, "%s", trials);
    milliseconds_cell(table, row, MEAN, summary->time.mean_ms);
    table_cell(table, row, TIMES_FASTEST, "%s", was_throttled(result) ? "throttled" : "");
    table_cell(table, row, MTEPS, "%.1f", summary->total_mteps);
    table_cell(table, row, VERIFIED_TRIALS, "%s", summary->verified);
    if (of_searches)
        add_searches(table, row, summary);
    milliseconds_cell(table, row, KERNEL, summary->kernel.mean_ms);
    table_cell(table, row, PREPARE, "%.1f", result->setup.prepare_ms);
    if (summary->trees > 0) {
        table_cell(table, row, TREE, "%.1f", summary->mean_tree_depth);
        table_cell(table, row, TREE + 1, "%.4g", summary->mean_cross_share);
    }
    if (summary->batch_sources > 0) {
        table_cell(table, row, BATCH, "%u", summary->batch_sources);
        milliseconds_cell(table, row, BATCH + 1, summary->batch_time_ms);
    }
}

/* Makes the table of a run's trials. */
static int add_trials(struct table *table, const struct bench_request *request, const struct trials_result *result,
                      struct error *error)
{
    static const char *const headings[] = {"source", "reached", "time ms", "kernel ms", "MTEPS", "verified"};
    char digits[ID_DIGITS], reached[GROUPED_BYTES];
    if (table_init(table, 1 + result->num_trials, "rrrrrl", error) != STATUS_OK)
        return error->status;
    for (int column = request->sources != NULL ? 0 : 1; column < table->num_columns; column++)
        table_cell(table, 0, column, "%s", headings[column]);
    for (int i = 0; i < result->num_trials; i++) {
        const struct trial *trial = &result->trials[i];
        if (request->sources != NULL)
            table_cell(table, 1 + i, 0, "%s", graph_id(request->graph, trial->source, digits));
        table_cell(table, 1 + i, 1, "%s", grouped(trial->reached, reached));
        milliseconds_cell(table, 1 + i, 2, trial->time_ms);
        milliseconds_cell(table, 1 + i, 3, trial->kernel_ms);
        table_cell(table, 1 + i, 4, "%.1f", trial->search_mteps);
        table_cell(table, 1 + i, 5, "%s", verdict_word(trial->verdict));
    }
    return STATUS_OK;
}

/* Whether a run's mean can be compared with the others'. */
static bool is_comparable(const struct bench_request *request, const struct trials_result *result)
{
    const struct summary *summary = &result->summary;
    return request->device->kind != DEVICE_EMULATOR && !request->device->is_software && !was_throttled(result) &&
           !was_busy(request) && summary->trials == request->num_sources && strcmp(summary->verified, "FAILED") != 0;
}

/* Prints a line for each trial: "bfs gap from 0: 5 on level 5, 8 not reached". */
static void put_targets(FILE *file, const struct bench_request *request, const struct trials_result *result)
{
    const uint32_t *level = result->target_levels;
    char digits[ID_DIGITS];
    for (int trial = 0; trial < result->num_trials; trial++) {
        fprintf(file, "%s %s from %s", request->algorithm->family, request->algorithm->variant,
                graph_id(request->graph, result->trials[trial].source, digits));
        for (uint64_t i = 0; i < request->num_targets; i++, level++) {
            fprintf(file, "%s %s ", i > 0 ? "," : ":", graph_id(request->graph, request->targets[i].vertex, digits));
            fprintf(file, *level == UNREACHED ? "not reached" : "on level %u", *level);
        }
        fputc('\n', file);
    }
}

/* Keeps the text that a run prints besides its row of the table. */
static int hold_text(struct held_run *run, const struct bench_request *request, const struct trials_result *result,
                     bool json, const struct closeness_request *closeness, const struct closeness_result *found,
                     struct error *error)
{
    size_t size;
    FILE *text = open_memstream(&run->text, &size);
    if (text == NULL)
        return error_set(error, STATUS_INPUT, "out of memory: the results");
    if (!json)
        put_targets(text, request, result);
    else if (closeness != NULL)
        json_closeness(text, closeness, found);
    else
        json_run(text, request, result);
    return memory_close(text, &run->text, "the results", error);
}

int results_add(struct results *results, const struct bench_request *request, const struct trials_result *result,
                const struct closeness_request *closeness, const struct closeness_result *found, struct error *error)
{
    struct held_run *run = &results->runs[results->num_runs];
    double mean_time_ms = is_comparable(request, result) ? result->summary.time.mean_ms : 0;
    *run = (struct held_run){.mean_time_ms = mean_time_ms, .is_busy = was_busy(request) && !was_throttled(result)};
    if (results->trials)
        add_trials(&run->trials, request, result, error);
    if (error->status == STATUS_OK && (results->json || request->num_targets > 0))
        hold_text(run, request, result, results->json, closeness, found, error);
    if (error->status != STATUS_OK) {
        free_run(run);
        return error->status;
    }
    if (!results->json)
        add_row(&results->table, request, result, closeness == NULL);
    results->num_runs++;
    return STATUS_OK;
}

/* ---- all of them ---- */

/* Returns a run's mean time divided by the fastest run's. 0: this run is not compared, or no other is. */
static double times_fastest(const struct results *results, int run)
{
    double fastest = INFINITY;
    int count = 0;
    for (int i = 0; i < results->num_runs; i++)
        if (results->runs[i].mean_time_ms > 0) {
            fastest = fmin(fastest, results->runs[i].mean_time_ms);
            count++;
        }
    return count > 1 ? results->runs[run].mean_time_ms / fastest : 0;
}

/* Names the columns that have values, and empties those that are not shown. */
static void choose_columns(struct results *results)
{
    struct table *table = &results->table;
    for (int column = 0; column < NUM_COLUMNS; column++)
        for (int row = 1; row < table->num_rows; row++)
            if (column >= results->num_columns)
                table_cell(table, row, column, "%s", "");
            else if (table->cells[row * NUM_COLUMNS + column][0] != '\0')
                table_cell(table, 0, column, "%s", result_columns[column].heading);
}

void results_print_table(FILE *file, struct results *results, const struct graph *graph)
{
    char vertices[VERTICES_BYTES], edges[EDGES_BYTES];
    int columns = terminal_columns(fileno(file));
    for (int run = 0; run < results->num_runs; run++) {
        double times = times_fastest(results, run);
        if (times > 0)
            table_cell(&results->table, 1 + run, TIMES_FASTEST, "%.2f", times);
        else if (results->runs[run].is_busy && results->num_runs > 1)
            table_cell(&results->table, 1 + run, TIMES_FASTEST, "busy");
    }
    choose_columns(results);
    fprintf(file, "%s: %s, %s\n", graph->name, vertices_in_words(graph->num_vertices, vertices),
            edges_in_words(graph->num_edges, graph->symmetric, edges));
    table_print(file, &results->table, columns);
    for (int run = 0; run < results->num_runs; run++)
        if (results->runs[run].text != NULL)
            fputs(results->runs[run].text, file);
    for (int run = 0; run < results->num_runs; run++) {
        if (results->runs[run].trials.cells == NULL)
            continue;
        fprintf(file, "\n%s\n", results->table.cells[(1 + run) * NUM_COLUMNS + ALGORITHM]);
        table_print(file, &results->runs[run].trials, columns);
    }
}

void results_print_json(FILE *file, const struct results *results, int run)
{
    double times = times_fastest(results, run);
    fputs(results->runs[run].text, file);
    if (times > 0)
        fprintf(file, ",\n  \"times_fastest\": %.6f\n}", times);
    else
        fputs(",\n  \"times_fastest\": null\n}", file);
}
