#include "graph500_run.h"

#include <math.h>

#include "../new_file.h"
#include "../progress.h"
#include "../verify/graph500_tree.h"
#include "engine.h"

struct benchmark {
    struct engine engine;
    struct graph500_list list;
    struct traversal tree; /* the tree of the last search */
    struct new_file trees; /* output file for the trees; .file NULL: none */
    int count;             /* number of searches, and of entries in each array */
    double *times_s, *num_edges, *seconds_per_edge, *validation_s;
};

/* Runs one search once, as the reference does, with caches and clocks as the previous work has left them. */
static int search(struct benchmark *run, int i, struct error *error)
{
    const struct bench_request *request = run->engine.request;
    struct query query = {.sources = &request->sources[i], .num_sources = 1};
    struct graph500_findings findings;
    struct search_times times;
    graph500_validation *validate = request->device->validate != NULL ? request->device->validate : graph500_validate;
    if (stop_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    if (engine_traverse(&run->engine, &query, &times) != STATUS_OK ||
        engine_fetch(&run->engine, 1, &run->tree) != STATUS_OK)
        return error->status;
    double begin = now_ms();
    if (validate(&run->list, *query.sources, run->tree.parent, run->tree.distance, &findings, error) != STATUS_OK ||
        graph500_judge(&findings, *query.sources, error) != STATUS_OK)
        return error->status;
    run->validation_s[i] = 1e-3 * (now_ms() - begin);
    run->times_s[i] = 1e-3 * times.time_ms;
    run->num_edges[i] = (double)findings.num_edges;
    run->seconds_per_edge[i] = run->times_s[i] / run->num_edges[i];
    return STATUS_OK;
}

static int run_searches(struct benchmark *run, const char *trees, struct error *error)
{
    vertex_t n = run->engine.request->graph->num_vertices;
    char shape[118]; /* the header of a file in NumPy's format 1.0 has 128 bytes */
    if (trees != NULL && file_create(&run->trees, trees, error) == STATUS_OK) {
        snprintf(shape, sizeof shape, "{'descr': '<u4', 'fortran_order': False, 'shape': (%d, %u), }", run->count, n);
        fprintf(run->trees.file, "\x93NUMPY\x01%c%c%c%-117s\n", 0, 118, 0, shape);
    }
    if (error->status == STATUS_OK)
        search(run, 0, error); /* warm-up; the same search is measured again */
    progress_begin("graph500", (uint64_t)run->count);
    for (int i = 0; i < run->count && error->status == STATUS_OK; i++) {
        if (search(run, i, error) == STATUS_OK && run->trees.file != NULL)
            fwrite(run->tree.parent, sizeof *run->tree.parent, n, run->trees.file);
        progress_set((uint64_t)i + 1);
    }
    progress_end();
    if (run->trees.file != NULL && error->status == STATUS_OK)
        file_commit(&run->trees, error);
    else if (run->trees.file != NULL)
        file_discard(&run->trees);
    return error->status;
}

/* ---- the block ---- */

/* Prints a line such as "bfs min_time: 0.0123", with all values in one column. */
static void print_value(FILE *file, const char *group, const char *name, const char *unit, double value)
{
    char label[64];
    snprintf(label, sizeof label, "%s%s%s", group, name, unit);
    fprintf(file, "%-32s%.*g\n", label, group[0] == '\0' ? 11 : 6, value); /* without a group: numbers of edges */
}

/* Sorts the values and prints their statistics. rates: the printed values are reciprocals of the given ones, in
 * reverse order; their mean is the harmonic one, and its deviation is Norris's (Annals of Mathematical Statistics
 * 11(4), 1940), as the specification requires. A quartile between two values is their mean. */
static void print_statistics(FILE *file, const char *group, const char *unit, double *values, int count, bool rates)
{
    static const char *const names[] = {"min", "firstquartile", "median", "thirdquartile", "max"};
    double mean = 0, squares = 0;
    median_of(values, count); /* sorts them */
    for (int i = 0; i < count; i++)
        mean += values[i] / count;
    for (int i = 0; i < count; i++)
        squares += (values[i] - mean) * (values[i] - mean);
    double deviation = count > 1 ? sqrt(squares / (count - 1)) : 0;
    for (int i = 0; i <= 4; i++) {
        int quarter = rates ? 4 - i : i;
        double value = (values[(count - 1) * quarter / 4] + values[count - 1 - (count - 1) * (4 - quarter) / 4]) / 2;
        print_value(file, group, names[i], unit, rates ? 1 / value : value);
    }
    print_value(file, group, rates ? "harmonic_mean_TEPS:     !" : "mean", rates ? "" : unit, rates ? 1 / mean : mean);
    print_value(file, group, rates ? "harmonic_stddev" : "stddev", unit,
                rates ? deviation / (mean * mean * sqrt(count > 1 ? count - 1 : 1)) : deviation);
}

/* Prints the results. Generating and building the graph are one step, so kernel 1 (construction) includes both. */
static void print_block(FILE *file, const struct benchmark *run, double construction_s)
{
    int count = run->count;
    const char *search = run->tree.distance != NULL ? "sssp " : "bfs  ";
    fprintf(file, "%-32s%u\n%-32s%u\n%-32s%d\n", "SCALE:", run->list.scale, "edgefactor:", run->list.edge_factor,
            "NBFS:", count);
    fprintf(file, "%-32s%g\n%-32s1\n%-32s%g\n", "graph_generation:", 1e-3 * run->engine.request->load_ms,
            "num_mpi_processes:", "construction_time:", construction_s);
    print_statistics(file, search, "_time:", run->times_s, count, false);
    print_statistics(file, "", "_nedge:", run->num_edges, count, false);
    print_statistics(file, search, "_TEPS:", run->seconds_per_edge, count, true);
    print_statistics(file, search, "_validate:", run->validation_s, count, false);
}

int graph500_run(const struct bench_request *request, const char *trees, struct setup *setup, FILE *file,
                 struct error *error)
{
    struct benchmark run = {.count = request->num_sources};
    struct bench_request validated = *request;
    unsigned outputs = request->algorithm->outputs | (request->algorithm->on_request & OUTPUT_PARENT);
    size_t count = (size_t)run.count;
    if (graph500_list_of(request->graph, &run.list, error) != STATUS_OK ||
        allocate_zeroed(&run.times_s, 4 * count, sizeof *run.times_s, "the times", error) != STATUS_OK)
        return error->status;
    run.num_edges = run.times_s + count;
    run.seconds_per_edge = run.num_edges + count;
    run.validation_s = run.seconds_per_edge + count;
    if (request->device->validate != NULL)
        validated.device_bytes = graph500_validation_bytes(request->graph->num_vertices, outputs & OUTPUT_DISTANCE);
    if (engine_open(&run.engine, &validated, request->device, outputs, run.count, error) == STATUS_OK &&
        outputs_allocate(request->graph, outputs, 1, &run.tree, error) == STATUS_OK &&
        run_searches(&run, trees, error) == STATUS_OK)
        print_block(file, &run, 1e-3 * (request->load_ms + request->reorder_ms + run.engine.setup.prepare_ms));
    engine_close(&run.engine);
    *setup = run.engine.setup;
    outputs_release(&run.tree);
    free(run.times_s);
    return error->status;
}
