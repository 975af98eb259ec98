/* main.c: gtrav, from the command line to verified figures. */
#include <fcntl.h>
#include <limits.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../bench/closeness.h"
#include "../bench/identity.h"
#include "../bench/pairs.h"
#include "../bench/ranks.h"
#include "../bench/share_graph.h"
#include "../cores.h"
#include "../graph/reorder.h"
#include "../graph/write.h"
#include "../progress.h"
#include "completion.h"
#include "help.h"
#include "manual.h"
#include "options.h"
#include "output.h"
#include "plan.h"
#include "report.h"
#include "results.h"
#include "streams.h"
#include "terminal.h"
#include "topics.h"
#include "words.h"

/* All that a command needs while it goes through its graphs. */
struct job {
    const struct settings *settings;
    struct machine machine;
    struct plan plan;           /* empty without --algo */
    struct reorder reorder;     /* --reorder; how is NULL: it is not given */
    struct warnings of_machine; /* that hold for all that runs on its CPU */
    FILE *out;                  /* for tables and JSON */
    int documents;              /* JSON documents, or tables, printed so far */
    int worst;                  /* the status to exit with */
};

/* Of several ranks, the one that prints and writes. */
static bool is_first(void)
{
    return ranks()->rank == 0;
}

/* Any rank shall stop, so all do. */
static bool shall_stop(void)
{
    return ranks_sum(stop_requested()) > 0;
}

/* Says what went wrong; the job goes on with what comes next. */
static void job_failed(struct job *job, const struct error *error)
{
    if (is_first())
        report_error(error);
    if (error->status > job->worst)
        job->worst = error->status;
}

/* ---- job->out: tables with a blank line between, or a JSON array; nothing where all has failed ---- */

static void begin_document(struct job *job)
{
    bool first = job->documents++ == 0;
    if (job->settings->json)
        fputs(first ? "[" : ",\n", job->out);
    else if (!first)
        fputc('\n', job->out);
}

static void end_documents(const struct job *job)
{
    if (job->settings->json && job->documents > 0)
        fputs("]\n", job->out);
}

/* The runs on one graph, as table or as JSON. */
static void print_results(struct job *job, struct results *results, const struct graph *graph)
{
    if (results->num_runs == 0)
        return;
    for (int run = 0; results->json && run < results->num_runs; run++) {
        begin_document(job);
        results_print_json(job->out, results, run);
    }
    if (!results->json) {
        begin_document(job);
        results_print_table(job->out, results, graph);
    }
    fflush(job->out);
}

/* ---- the CPU's cores, and what speaks against times that are measured on them ---- */

/* As many threads as there are free cores, unless the user says how many. */
static void choose_threads(const struct settings *settings, int free_cores)
{
    if (settings->threads > 0)
        omp_set_num_threads(settings->threads);
    else if (!cores_threads_are_set() && omp_get_max_threads() > free_cores)
        omp_set_num_threads(free_cores);
}

/* Looks at the machine before the first run on its CPU. */
static void check_machine(struct job *job)
{
    bool on_cpu = false;
    for (int i = 0; i < job->plan.num_runs; i++)
        on_cpu = on_cpu || job->plan.runs[i].on == DEVICE_CPU;
    if (!on_cpu)
        return;
    struct cores cores = cores_find("");
    int threads = omp_get_max_threads(), processes = ranks()->host_size;
    warn_of_threads(&job->of_machine, threads, cores_free(&cores, processes));
    warn_of_load(&job->of_machine, cores_wanted("", processes), processes, threads, cores.online);
    for (int i = 0; i < job->of_machine.count; i++)
        notice("warning: %s", job->of_machine.text[i]);
}

/* ---- sources ---- */

static bool is_closeness(const struct job *job)
{
    return strcmp(job->plan.family->name, "closeness") == 0;
}

/* All vertices, or some drawn from them; 0: all. */
static int choose_for_closeness(const struct graph *graph, int wanted, vertex_t **sources, int *count,
                                struct error *error)
{
    if (wanted == 0 && graph->num_vertices > INT_MAX)
        return error_set(error, STATUS_INPUT, "%s: too many vertices to search from each; add --sources K",
                         graph->name);
    *count = wanted > 0 ? wanted : (int)graph->num_vertices;
    if (allocate(sources, (size_t)*count, sizeof **sources, "the sources", error) != STATUS_OK)
        return error->status;
    if (wanted > 0)
        return sample_vertices(graph, wanted, *sources, error);
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        (*sources)[v] = v;
    return STATUS_OK;
}

/* The sources of one graph, owned by the caller; NULL for a family without sources, whose trials are all alike. */
static int choose_sources(const struct job *job, const struct graph *graph, vertex_t **sources, int *count,
                          struct error *error)
{
    const struct settings *settings = job->settings;
    *sources = NULL;
    *count = settings->sources > 0 ? settings->sources : DEFAULT_SOURCES;
    if (!job->plan.family->has_sources || settings->pairs != NULL)
        return STATUS_OK;
    if (settings->source != NULL)
        return parse_sources(graph, settings->source, sources, count, error);
    if (settings->sources_file != NULL)
        return read_sources(graph, settings->sources_file, sources, count, error);
    if (is_closeness(job))
        return choose_for_closeness(graph, settings->sources, sources, count, error);
    int status = allocate(sources, (size_t)*count, sizeof **sources, "the sources", error);
    return status == STATUS_OK ? pick_sources(graph, *count, *sources, error) : status;
}

/* ---- orders ---- */

static int put_in_order(const struct graph *graph, const struct reorder *wanted, struct graph *reordered,
                        double *reorder_ms, struct error *error)
{
    double began_ms = now_ms();
    if (graph_reorder(graph, wanted, reordered, error) != STATUS_OK)
        return error->status;
    *reorder_ms = now_ms() - began_ms;
    notice("%s: reordered by %s in %.3f s", graph->name, reordered->reordering, *reorder_ms / 1e3);
    return STATUS_OK;
}

/* A graph in the order that an algorithm asks for. */
struct arrangement {
    const char *spec; /* as reorder_parse() takes it; NULL: none yet */
    struct graph graph;
    double ms; /* that making it took */
};

/* Rank 0 makes the order, for all ranks if all want this one; else each makes its own. */
static int make_arrangement(const struct graph *graph, const char *spec, bool shared, struct arrangement *own,
                            struct error *error)
{
    struct reorder wanted;
    bool makes = is_first() || !shared;
    own->spec = NULL;
    graph_release(&own->graph);
    if (makes && reorder_parse(spec, &wanted, error) == STATUS_OK)
        put_in_order(graph, &wanted, &own->graph, &own->ms, error);
    if (shared && ranks_agree(error) == STATUS_OK)
        share_graph(&own->graph, error);
    if (error->status == STATUS_OK)
        own->spec = spec;
    return error->status;
}

/* Where nobody chose an order, the algorithm may: puts the graph as it wants it into the request. It stays in *own,
 * for the next one that wants the same. By all ranks. */
static int arrange(struct bench_request *request, struct arrangement *own, struct error *error)
{
    const char *spec = request->algorithm->reorder;
    bool shared = ranks_have_same(hash_text(hash_text(0, spec), own->spec));
    request->reordered = NULL;
    request->reorder_ms = 0;
    if (spec == NULL)
        return STATUS_OK;
    if ((own->spec == NULL || strcmp(own->spec, spec) != 0) &&
        make_arrangement(request->graph, spec, shared, own, error) != STATUS_OK)
        return error->status;
    request->reordered = own->graph.permutation != NULL ? &own->graph : NULL;
    request->reorder_ms = own->ms;
    return STATUS_OK;
}

/* ---- one algorithm on one graph ---- */

/* The result of the last source goes to --output. Where records answered for it, it is computed once more. */
static int write_last_result(const struct bench_request *request, const struct bench_result *result, const char *path,
                             struct error *error)
{
    int last = request->num_sources - 1;
    vertex_t source = request->sources != NULL ? request->sources[last] : NO_VERTEX;
    if (!result->trials[last].resumed)
        return output_write(path, request->graph, request->algorithm, source, &result->last, request->parents, error);
    struct bench_request again = *request;
    struct bench_result once;
    again.sources = request->sources != NULL ? &request->sources[last] : NULL;
    again.num_sources = 1;
    again.verify = VERIFY_NONE;
    again.records = NULL;
    int status = bench_run(&again, &once, error);
    if (status == STATUS_OK)
        status = output_write(path, request->graph, request->algorithm, source, &once.last, request->parents, error);
    bench_release(&once);
    return status;
}

/* Warnings that are not told yet: those of the machine come first, and have been. */
static void report_warnings(const struct bench_request *request, const struct bench_result *result)
{
    bool has_told = request->algorithm->device == DEVICE_CPU && request->of_machine != NULL;
    for (int i = has_told ? request->of_machine->count : 0; i < result->warnings.count; i++)
        notice("warning: %s %s on %s: %s", request->algorithm->family, request->algorithm->variant,
               request->graph->name, result->warnings.text[i]);
}

static int report_result(struct results *results, const struct bench_request *request,
                         const struct bench_result *result, struct error *error)
{
    if (result->summary.trials == 0)
        return STATUS_OK;
    int resumed = num_resumed(result);
    if (resumed > 0)
        notice("%s %s on %s: %d trial%s reused from %s of %s", request->algorithm->family,
               request->algorithm->variant, request->graph->name, resumed, resumed == 1 ? "" : "s",
               result->resumed_version, result->resumed_date);
    report_warnings(request, result);
    return results_add(results, request, result, error);
}

/* bench_run's message, with the names that it lacks. */
static void report_run_failure(struct job *job, const struct bench_request *request,
                               const struct bench_result *result, const struct error *error)
{
    struct error named = {0};
    const struct algorithm *algorithm = request->algorithm;
    const char *graph = request->graph->name;
    if (error->status == STATUS_WRONG)
        error_set(&named, STATUS_WRONG, "wrong result: %.900s", result->wrong);
    else if (error->status == STATUS_INTERRUPTED)
        error_set(&named, STATUS_INTERRUPTED, "interrupted: %s %s on %s: %d of %d trials measured", algorithm->family,
                  algorithm->variant, graph, result->summary.trials, request->num_sources);
    else if (strstr(error->text, graph) != NULL)
        error_set(&named, error->status, "%s %s: %.900s", algorithm->family, algorithm->variant, error->text);
    else
        error_set(&named, error->status, "%s %s on %s: %.900s", algorithm->family, algorithm->variant, graph,
                  error->text);
    job_failed(job, &named);
}

/* What the algorithm chose for the graph, and what it built. */
static void report_preparation(const struct bench_request *request, const struct bench_result *result)
{
    char built[64] = "";
    if (result->build_ms > 0)
        snprintf(built, sizeof built, "%sbuilt in %.2f ms, %.2f MB on the device",
                 result->note[0] != '\0' ? "; " : "", result->build_ms, 1e-6 * (double)result->device_bytes);
    if (result->note[0] != '\0' || built[0] != '\0')
        notice("%s %s on %s: %s%s", request->algorithm->family, request->algorithm->variant, request->graph->name,
               result->note, built);
}

/* ", on 4 devices", or nothing. */
static const char *describe_devices(const struct bench_request *request, char text[32])
{
    snprintf(text, 32, ", on %d devices", num_devices(request));
    return num_devices(request) > 1 ? text : "";
}

/* --pairs: lengths instead of trials; of several variants, which all give the same, the records or the JSON alone. */
static int answer_pairs(struct job *job, const struct bench_request *bench, struct error *error)
{
    const struct settings *settings = job->settings;
    struct pairs_request request = {.bench = bench};
    struct pairs_result result = {0};
    struct pair *pairs;
    struct error unwritten = {0};
    read_pairs(bench->graph, settings->pairs, &pairs, &request.num_pairs, error);
    request.pairs = pairs;
    int status = ranks_agree(error);
    if (status == STATUS_OK)
        status = pairs_run(&request, &result, error);
    if (is_first() && (status == STATUS_OK || status == STATUS_WRONG)) {
        char devices[32];
        notice("%s %s on %s: %llu pairs, %llu searches%s in %llu batches of up to %u%s: %.3f ms, kernel %.3f ms; "
               "verified: %s%s%s",
               bench->algorithm->family, bench->algorithm->variant, bench->graph->name,
               (unsigned long long)request.num_pairs, (unsigned long long)result.num_sources,
               result.swapped ? " from the destinations" : "", (unsigned long long)result.num_batches,
               result.batch_sources, describe_devices(bench, devices), result.time_ms, result.kernel_ms,
               result.verified, result.note[0] != '\0' ? "; " : "", result.note);
        if (settings->json) {
            begin_document(job);
            json_pairs(job->out, &request, &result);
        }
        bool writes = job->plan.num_runs == 1 && (settings->output != NULL || !settings->json);
        if ((writes && pairs_write(&request, &result, settings->output, &unwritten) != STATUS_OK) ||
            (settings->csv != NULL && records_pairs(&request, &result, &unwritten) != STATUS_OK))
            job_failed(job, &unwritten); /* beside a wrong result, which is told too */
    }
    pairs_release(&result);
    free(pairs);
    return status;
}

/* The state is kept beside the output, unless that is no file, or somewhere else is named. */
static int name_checkpoint(const struct settings *settings, char **name, struct error *error)
{
    bool beside = settings->output != NULL && !file_is_stream(settings->output);
    *name = NULL;
    if ((settings->checkpoint == NULL && !beside) ||
        asprintf(name, "%s%s", settings->checkpoint != NULL ? settings->checkpoint : settings->output,
                 settings->checkpoint != NULL ? "" : ".checkpoint") >= 0)
        return STATUS_OK;
    *name = NULL;
    return error_set(error, STATUS_INPUT, "out of memory: the checkpoint's name");
}

/* Closeness instead of trials. */
static int measure_closeness(struct job *job, const struct bench_request *bench, struct results *results,
                             struct error *error)
{
    const struct settings *settings = job->settings;
    char *checkpoint, devices[32];
    name_checkpoint(settings, &checkpoint, error);
    struct closeness_request request = {
        .bench = bench, .checkpoint = checkpoint, .checkpoint_seconds = settings->checkpoint_every};
    struct closeness_result result = {0};
    struct error unkept = {0};
    int status = ranks_agree(error);
    if (status == STATUS_OK)
        status = closeness_run(&request, &result, error);
    if (result.num_resumed > 0)
        notice("%s: %llu of %d sources were done, by %s", bench->graph->name, (unsigned long long)result.num_resumed,
               bench->num_sources, checkpoint);
    if (status == STATUS_INTERRUPTED || (status != STATUS_OK && checkpoint != NULL && result.num_done > 0))
        notice("%s: %llu of %d sources done%s%s", bench->graph->name, (unsigned long long)result.num_done,
               bench->num_sources, checkpoint != NULL ? "; the same command goes on from " : "",
               checkpoint != NULL ? checkpoint : "");
    if (is_first() && (status == STATUS_OK || status == STATUS_WRONG)) {
        report_preparation(bench, &result.figures);
        notice("%s: closeness from %d sources%s%s: %.3f s, kernel %.3f s, %.3f GTEPS; verified: %s",
               bench->graph->name, bench->num_sources, describe_devices(bench, devices),
               ranks_have_joined_gpus() ? " joined by NCCL" : "", 1e-3 * result.all_time_ms,
               1e-3 * result.all_kernel_ms, 1e-3 * result.figures.summary.mean_mteps,
               result.figures.summary.verified);
        if (bench->algorithm->device == DEVICE_CPU)
            result.figures.warnings = job->of_machine;
        if (results_add_closeness(results, &request, &result, &unkept) == STATUS_OK &&
            (settings->output == NULL || output_write_reals(settings->output, bench->graph, "closeness",
                                                            result.closeness, &unkept) == STATUS_OK) &&
            (settings->csv == NULL || records_summary(bench, &result.figures, &unkept) == STATUS_OK))
            closeness_forget(&request);
        else
            job_failed(job, &unkept); /* beside a wrong result, which is told too */
    }
    closeness_release(&result);
    free(checkpoint);
    return error->status;
}

static int choose_devices(struct job *job, const struct planned_run *run, struct bench_request *request,
                          struct error *error)
{
    const struct machine *machine = &job->machine;
    request->device = machine->team != NULL ? machine->team : machine_device(&job->machine, run->on);
    request->num_devices = machine->team != NULL ? machine->team_size : 1;
    if (request->device == NULL)
        *error = machine->errors[run->on];
    return error->status;
}

/* own: see arrange(); NULL where the order is chosen already. */
static void run_algorithm(struct job *job, const struct planned_run *run, struct bench_request *request,
                          struct arrangement *own, struct results *results)
{
    struct error error = {0};
    struct bench_result result;
    request->algorithm = run->algorithm;
    request->options = run->options;
    choose_devices(job, run, request, &error);
    if (ranks_agree(&error) == STATUS_OK && own != NULL)
        arrange(request, own, &error);
    if (ranks_agree(&error) != STATUS_OK) {
        job_failed(job, &error);
        return;
    }
    request->all_devices = (int)ranks_sum((uint64_t)request->num_devices);
    if (job->settings->pairs != NULL) {
        if (answer_pairs(job, request, &error) != STATUS_OK)
            job_failed(job, &error);
        return;
    }
    if (is_closeness(job)) {
        request->family = job->plan.family;
        if (measure_closeness(job, request, results, &error) != STATUS_OK)
            job_failed(job, &error);
        return;
    }
    int status = bench_run(request, &result, &error);
    report_preparation(request, &result);
    struct error unwritten = {0};
    if ((status == STATUS_OK || status == STATUS_WRONG || status == STATUS_INTERRUPTED) &&
        report_result(results, request, &result, &unwritten) != STATUS_OK)
        job_failed(job, &unwritten);
    if (status != STATUS_OK)
        report_run_failure(job, request, &result, &error);
    unwritten = (struct error){0};
    if (job->settings->output != NULL && (status == STATUS_OK || status == STATUS_WRONG) &&
        write_last_result(request, &result, job->settings->output, &unwritten) != STATUS_OK)
        job_failed(job, &unwritten);
    bench_release(&result);
}

/* reordered: the graph that the algorithms are given, NULL: graph itself. */
static int run_algorithms(struct job *job, const struct graph *graph, const struct graph *reordered, double load_ms,
                          double reorder_ms, struct error *error)
{
    const struct settings *settings = job->settings;
    struct results results = {0};
    struct arrangement own = {0};
    bool chosen = job->reorder.how != NULL || reordered != NULL;
    vertex_t *sources;
    struct bench_request request = {.graph = graph,
                                    .reordered = reordered,
                                    .reorder_ms = reorder_ms,
                                    .parents = settings->output_parents,
                                    .aggregates = settings->aggregates,
                                    .paths = settings->paths,
                                    .verify = (enum verify_mode)settings->verify,
                                    .load_ms = load_ms,
                                    .records = settings->csv,
                                    .fresh = settings->fresh,
                                    .tasks = settings->tasks,
                                    .of_machine = &job->of_machine};
    int status = choose_sources(job, graph, &sources, &request.num_sources, error);
    request.sources = sources;
    if (status == STATUS_OK)
        results_begin(&results, settings->json, job->plan.num_runs, error);
    status = ranks_agree(error);
    for (int i = 0; i < job->plan.num_runs && status == STATUS_OK && !shall_stop(); i++)
        run_algorithm(job, &job->plan.runs[i], &request, chosen ? NULL : &own, &results);
    if (status == STATUS_OK)
        print_results(job, &results, graph);
    results_release(&results);
    graph_release(&own.graph);
    free(sources);
    return status;
}

/* ---- one graph ---- */

static int load(const char *spec, const struct settings *settings, struct graph *graph, double *load_ms,
                struct error *error)
{
    struct load_options options = {
        .undirected = settings->undirected, .cache = settings->cache, .ids = (enum id_mode)settings->ids};
    if (check_graph_word(spec, error) != STATUS_OK)
        return error->status;
    double began_ms = now_ms();
    int status = graph_load(spec, &options, graph, error);
    *load_ms = now_ms() - began_ms;
    return status;
}

/* Sees to it that *graph is in its own order, and *reordered in the one that is asked for, or that the file had;
 * empty: that is no other. *reorder_ms: what was spent on it here. */
static int reorder(const struct job *job, struct graph *graph, struct graph *reordered, double *reorder_ms,
                   struct error *error)
{
    const struct reorder *wanted = &job->reorder;
    if (graph->permutation != NULL) {
        *reordered = *graph;
        if (graph_restore(reordered, graph, error) != STATUS_OK || wanted->how == NULL)
            return error->status;
        graph_release(reordered);
    }
    if (wanted->how == NULL || !reorder_changes(wanted))
        return STATUS_OK;
    return put_in_order(graph, wanted, reordered, reorder_ms, error);
}

static int show_info(struct job *job, const struct graph *graph, double load_ms, struct error *error)
{
    struct graph_statistics statistics;
    int status = graph_statistics(graph, &statistics, error);
    if (status == STATUS_OK) {
        begin_document(job);
        report_info(job->out, job->settings->json, graph, &statistics, load_ms);
    }
    return status;
}

static int write_graph(const struct graph *graph, const char *path, struct error *error)
{
    int status = graph_write(graph, path, error);
    bool ordered = graph->permutation != NULL;
    bool loses_ids = (ordered || graph->ids != NULL) && !is_binary_name(path);
    if (status == STATUS_OK)
        notice("%s: written to %s%s%s%s", graph->name, file_is_stdout(path) ? "standard output" : path,
               loses_ids && ordered ? " in the order " : "", loses_ids && ordered ? graph->reordering : "",
               loses_ids ? "; the graph's own ids are lost, a .gtrav keeps them" : "");
    return status;
}

/* Loads the graph, shows it if that is asked for, and puts it in order. */
static int get_graph(struct job *job, const char *spec, struct graph *graph, struct graph *reordered, double *load_ms,
                     double *reorder_ms, struct error *error)
{
    const struct settings *settings = job->settings;
    int status = load(spec, settings, graph, load_ms, error);
    if (status == STATUS_OK) {
        char description[512];
        describe_graph(graph, *load_ms, description, sizeof description);
        notice("%s", description);
    }
    if (status == STATUS_OK && settings->info)
        status = show_info(job, graph, *load_ms, error);
    if (status == STATUS_OK && (settings->write != NULL || settings->algo != NULL))
        status = reorder(job, graph, reordered, reorder_ms, error);
    return status;
}

/* Of several ranks, rank 0 gets the graph, with all processors of its machine, and the others get copies. */
static void work_on_graph(struct job *job, const char *spec)
{
    const struct settings *settings = job->settings;
    struct graph graph = {0}, reordered = {0};
    struct error error = {0};
    double load_ms = 0, reorder_ms = 0;
    if (settings->threads == 0)
        ranks_borrow_processors();
    if (is_first())
        get_graph(job, spec, &graph, &reordered, &load_ms, &reorder_ms, &error);
    if (settings->threads == 0)
        ranks_return_processors();
    int status = ranks_agree(&error);
    if (status == STATUS_OK && share_graph(&graph, &error) == STATUS_OK)
        status = share_graph(&reordered, &error);
    else
        status = error.status;
    const struct graph *in_use = reordered.permutation != NULL ? &reordered : NULL;
    if (status == STATUS_OK && settings->write != NULL)
        status = write_graph(in_use != NULL ? in_use : &graph, settings->write, &error);
    if (status == STATUS_OK && settings->algo != NULL)
        status = run_algorithms(job, &graph, in_use, load_ms, reorder_ms, &error);
    if (status != STATUS_OK)
        job_failed(job, &error);
    graph_release(&reordered);
    graph_release(&graph);
}

/* ---- the command ---- */

static int check_tasks(const struct plan *plan, struct error *error)
{
    const struct algorithm *algorithm = plan->runs[0].algorithm;
    if (plan->num_runs > 1)
        return error_set(error, STATUS_INPUT, "--tasks takes one variant, not %d", plan->num_runs);
    if (!(algorithm->outputs & OUTPUT_TASKS))
        return error_set(error, STATUS_INPUT, "%s %s: this build does not count tasks; make balance",
                         algorithm->family, algorithm->variant);
    return STATUS_OK;
}

static int check_parents(const struct plan *plan, struct error *error)
{
    for (int i = 0; i < plan->num_runs; i++) {
        const struct algorithm *algorithm = plan->runs[i].algorithm;
        if (!((algorithm->outputs | algorithm->on_request) & OUTPUT_PARENT))
            return error_set(error, STATUS_INPUT,
                             "--output-parents: %s %s has none to give; gtrav --list tells who has",
                             algorithm->family, algorithm->variant);
    }
    return STATUS_OK;
}

static int check_aggregates(const struct plan *plan, struct error *error)
{
    for (int i = 0; i < plan->num_runs; i++) {
        const struct algorithm *algorithm = plan->runs[i].algorithm;
        if (!((algorithm->outputs | algorithm->on_request) & (OUTPUT_SUMS | OUTPUT_FAR)))
            return error_set(error, STATUS_INPUT,
                             "--aggregates: %s %s gives none; gtrav --list tells who gives sums or far",
                             algorithm->family, algorithm->variant);
    }
    return STATUS_OK;
}

static int check_pairs(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    int num_runs = job->plan.num_runs;
    if (settings->graphs.count > 1 || (num_runs > 1 && settings->csv == NULL))
        return error_set(error, STATUS_INPUT,
                         "--pairs takes one graph and one variant, or with --csv several, for their times alone; not "
                         "%d graphs by %d variants",
                         settings->graphs.count, num_runs);
    for (int i = 0; i < num_runs; i++) {
        const struct algorithm *algorithm = job->plan.runs[i].algorithm;
        if (!((algorithm->outputs | algorithm->on_request) & (OUTPUT_LEVEL | OUTPUT_LENGTH)))
            return error_set(error, STATUS_INPUT,
                             "--pairs: %s %s gives no levels; --algo msbfs does, and --algo bfs, a source at a time",
                             algorithm->family, algorithm->variant);
    }
    return STATUS_OK;
}

static int check_closeness(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (settings->pairs != NULL || settings->aggregates || settings->output_parents || settings->tasks != NULL)
        return error_set(
            error, STATUS_INPUT,
            "closeness gives a value a vertex; leave out --pairs, --aggregates, --output-parents, --tasks");
    for (int i = 0; i < job->plan.num_runs; i++) {
        const struct algorithm *algorithm = job->plan.runs[i].algorithm;
        if (!((algorithm->outputs | algorithm->on_request) & (OUTPUT_SUMS | OUTPUT_FAR)))
            return error_set(error, STATUS_INPUT, "closeness: %s %s gives no far values; gtrav --list tells who does",
                             algorithm->family, algorithm->variant);
    }
    return STATUS_OK;
}

/* Several GPUs share one run's sources; whoever has but one thread of work gives it to one. */
static int open_gpus(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (!is_closeness(job) && settings->pairs == NULL)
        return error_set(error, STATUS_INPUT,
                         "--gpus is for --algo closeness and --pairs: a trial of %s runs on one GPU",
                         job->plan.family->name);
    for (int i = 0; i < job->plan.num_runs; i++) {
        const struct planned_run *run = &job->plan.runs[i];
        if (run->on == DEVICE_CPU)
            return error_set(
                error, STATUS_INPUT,
                "--gpus: %s %s runs on the CPU, on all its cores; leave out --gpus, or name a variant for "
                "the GPU (gtrav --list)",
                job->plan.family->name, run->algorithm->variant);
        if (run->on != job->plan.runs[0].on)
            return error_set(error, STATUS_INPUT, "--gpus: not all variants run on one kind of device here");
    }
    return machine_open_team(&job->machine, job->plan.runs[0].on, settings->gpus, error);
}

static int check_plan(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (!job->plan.family->has_sources && (settings->source != NULL || settings->sources_file != NULL))
        return error_set(error, STATUS_INPUT,
                         "%s covers the whole graph and takes no sources; --sources K sets the number of trials",
                         settings->algo);
    if (settings->tasks != NULL && check_tasks(&job->plan, error) != STATUS_OK)
        return error->status;
    if (settings->output_parents && check_parents(&job->plan, error) != STATUS_OK)
        return error->status;
    if (is_closeness(job) && check_closeness(job, error) != STATUS_OK)
        return error->status;
    if (settings->checkpoint != NULL && (!is_closeness(job) || settings->graphs.count * job->plan.num_runs > 1))
        return error_set(error, STATUS_INPUT, "--checkpoint is for closeness, of one graph by one variant");
    if (settings->checkpoint_every > 0 &&
        (!is_closeness(job) || (settings->checkpoint == NULL && settings->output == NULL)))
        return error_set(error, STATUS_INPUT,
                         "--checkpoint-every is for closeness with --output or --checkpoint, which name the file");
    if (settings->aggregates && check_aggregates(&job->plan, error) != STATUS_OK)
        return error->status;
    if (settings->pairs != NULL && check_pairs(job, error) != STATUS_OK)
        return error->status;
    if (settings->gpus != NULL && open_gpus(job, error) != STATUS_OK)
        return error->status;
    if (settings->output == NULL)
        return STATUS_OK;
    int num_results = settings->graphs.count * job->plan.num_runs;
    if (num_results > 1)
        return error_set(error, STATUS_INPUT, "--output takes one result, and %d graphs by %d variants give %d",
                         settings->graphs.count, job->plan.num_runs, num_results);
    return output_check(settings->output, settings->pairs != NULL, error);
}

/* Of what must be the same for all ranks: which device each uses may differ. */
static uint64_t hash_task(const struct job *job)
{
    const struct settings *settings = job->settings;
    const char *const texts[] = {settings->algo,  settings->reorder, settings->source,    settings->sources_file,
                                 settings->pairs, settings->output,  settings->checkpoint};
    char numbers[128];
    snprintf(numbers, sizeof numbers, "%d %d %d %d %d %d %d", settings->sources, settings->undirected, settings->ids,
             settings->paths, settings->verify, settings->graphs.count, job->plan.num_runs);
    uint64_t hash = hash_text(0, numbers);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        hash = hash_text(hash, texts[i]);
    for (int i = 0; i < settings->graphs.count; i++)
        hash = hash_text(hash, settings->graphs.items[i]);
    return hash;
}

/* Several processes share sources out, and nothing else. */
static int check_ranks(const struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    if (ranks()->size > 1 && error->status == STATUS_OK &&
        (settings->algo == NULL || settings->write != NULL || (!is_closeness(job) && settings->pairs == NULL)))
        error_set(error, STATUS_INPUT,
                  "%d processes: only --algo closeness and --pairs share work out among several; leave out mpirun",
                  ranks()->size);
    if (ranks()->size > 1 && streams_use_stdin(settings))
        error_set(error, STATUS_INPUT, "%d processes cannot share standard input; name a file instead of -",
                  ranks()->size);
    bool emulated = job->machine.team != NULL && job->machine.team->kind == DEVICE_EMULATOR; /* each has its own */
    if (ranks()->host_size > 1 && settings->gpus != NULL && !emulated)
        error_set(
            error, STATUS_INPUT,
            "--gpus under mpirun is for one process a machine, and here are %d; leave it out: each takes a GPU of "
            "its own",
            ranks()->host_size);
    if (ranks_agree(error) == STATUS_OK && !ranks_have_same(hash_task(job)))
        error_set(error, STATUS_INPUT,
                  "the processes were started for different tasks; --algo, --graph, --reorder, sources, --pairs, "
                  "--output and the number of variants must be the same for all");
    return error->status;
}

static int work_on_graphs(struct job *job, struct error *error)
{
    const struct settings *settings = job->settings;
    job->out = streams_report(settings);
    if (streams_check(settings, error) != STATUS_OK ||
        (settings->write != NULL && graph_write_check(settings->write, error) != STATUS_OK))
        return error->status;
    if (settings->reorder != NULL && read_order_word(settings->reorder, &job->reorder, error) != STATUS_OK)
        return error->status;
    if (settings->algo != NULL && plan_make(settings, &job->machine, &job->plan, error) == STATUS_OK)
        check_plan(job, error);
    if (check_ranks(job, error) != STATUS_OK)
        return error->status;
    if (settings->algo != NULL && settings->variants.count == 0)
        notice("%s: running the variant %s", settings->algo, job->plan.runs[0].algorithm->variant);
    check_machine(job);
    for (int i = 0; i < settings->graphs.count && !shall_stop(); i++)
        work_on_graph(job, settings->graphs.items[i]);
    end_documents(job);
    if (shall_stop() && job->worst != STATUS_INTERRUPTED) /* between two pieces of work: nobody has said so yet */
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    return job->worst;
}

static int list(const struct settings *settings, struct machine *machine, struct error *error)
{
    const struct family *family = NULL;
    if (settings->algo != NULL && find_family(settings->algo, &family, error) != STATUS_OK)
        return error->status;
    return report_list(stdout, settings->json, family, machine, error);
}

static int obey(const struct settings *settings, struct error *error)
{
    struct job job = {.settings = settings};
    int status = STATUS_OK;
    struct cores cores = cores_find("");
    choose_threads(settings, cores_free(&cores, ranks()->host_size));
    if (settings->help != NULL)
        status = print_topic(stdout, settings->help, error);
    else if (settings->manual)
        print_manual(stdout, gtrav_version());
    else if (settings->version)
        print_version(stdout, gtrav_version(), gtrav_build());
    else if (settings->completion != NO_SHELL)
        print_completion(stdout, (enum shell)settings->completion);
    else if (settings->list)
        status = list(settings, &job.machine, error);
    else
        status = work_on_graphs(&job, error);
    plan_release(&job.plan);
    machine_close(&job.machine);
    return status;
}

/* A standard stream that the caller closed must not become the next file that is opened. Standard output becomes one
 * that cannot be written to, so that what is lost is noticed. */
static void occupy_standard_streams(void)
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0)
            open("/dev/null", descriptor == STDOUT_FILENO ? O_RDONLY : O_RDWR);
}

static int close_stdout(struct error *error)
{
    if (fflush(stdout) != 0 || ferror(stdout) || fclose(stdout) != 0)
        return error_errno(error, "cannot write to standard output");
    return STATUS_OK;
}

int main(int argc, char **argv)
{
    struct settings settings = {0};
    struct error error = {0}, lost = {0};
    cores_bound_spinning(argv);
    occupy_standard_streams();
    int status = ranks_open(&error);
    if (!is_first() && freopen("/dev/null", "w", stdout) == NULL)
        status = error_errno(&error, "/dev/null: cannot open");
    if (status == STATUS_OK)
        status = settings_parse(argc, argv, &settings, &error);
    if (status == STATUS_OK) {
        terminal_open(settings.quiet || !is_first());
        status = obey(&settings, &error);
        terminal_close();
    }
    settings_release(&settings);
    if (error.status != STATUS_OK && is_first())
        report_error(&error);
    if (close_stdout(&lost) != STATUS_OK) {
        report_error(&lost);
        status = status > lost.status ? status : lost.status;
    }
    ranks_close(status);
    return status;
}
