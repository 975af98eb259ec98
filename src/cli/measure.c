/* measure.c: one graph of a job: loads it, puts it in order, and runs the algorithms on it. */
#include "measure.h"

#include <stdlib.h>
#include <string.h>

#include "../graph/hash.h"
#include "../new_file.h"
#include "../processes/ranks.h"
#include "../processes/share_graph.h"
#include "../records/identity.h"
#include "../run/closeness.h"
#include "job.h"
#include "report.h"
#include "terminal.h"

/* ---- orders ---- */

#define NATURAL_ORDER "natural" /* the order of the input */

/* Makes a new graph in the wanted order, and prints how long it took. */
static int put_in_order(gtrav_graph *graph, const char *wanted, gtrav_graph **reordered, double *reorder_ms,
                        struct error *error)
{
    gtrav_error public_error = {0};
    double began_ms = now_ms();
    if (gtrav_graph_reorder(graph, wanted, reordered, &public_error) != GTRAV_OK)
        return take_error(error, &public_error);
    *reorder_ms = now_ms() - began_ms;
    notice("%s: reordered by %s in %.3f s", gtrav_graph_name(graph), gtrav_graph_reordering(*reordered),
           *reorder_ms / 1e3);
    return STATUS_OK;
}

/* All ranks, if none has an error: *graph, NULL on ranks other than 0, becomes a copy of rank 0's, which the caller
 * frees; NULL stays NULL. */
static int share_handle(gtrav_context *context, gtrav_graph **graph, struct error *error)
{
    struct graph copy = {0};
    if (ranks()->size == 1)
        return error->status;
    if (*graph != NULL)
        copy = *graph_of(*graph);
    if (share_graph(&copy, error) == STATUS_OK && *graph == NULL && copy.offsets != NULL &&
        graph_adopt(context, &copy, NULL, graph, error) != STATUS_OK)
        graph_release(&copy);
    return ranks_agree(error);
}

/* A graph in the order that an algorithm asks for; zeroed before the first use. The caller frees the graph. */
struct arrangement {
    const char *spec;   /* as gtrav_graph_reorder() takes it; NULL: no order was made yet */
    gtrav_graph *graph; /* NULL: none */
    double ms;          /* time to make it */
};

/* If all ranks want this order, rank 0 makes it and shares it; otherwise each rank makes its own. */
static int make_arrangement(struct job *job, gtrav_graph *graph, const char *spec, bool shared,
                            struct arrangement *own, struct error *error)
{
    own->spec = NULL;
    gtrav_graph_free(own->graph);
    own->graph = NULL;
    if (is_first() || !shared)
        put_in_order(graph, spec, &own->graph, &own->ms, error);
    if (shared && ranks_agree(error) == STATUS_OK)
        share_handle(job->context, &own->graph, error);
    if (error->status == STATUS_OK)
        own->spec = spec;
    return error->status;
}

/* Puts the graph, the request's, into the request in the order that its algorithm asks for, if it asks for one. *own
 * keeps that graph for the next algorithm that asks for the same order. All ranks call it. */
static int arrange(struct job *job, gtrav_graph *graph, struct bench_request *request, struct arrangement *own,
                   struct error *error)
{
    const struct algorithm *algorithm = request->algorithm;
    const char *spec = algorithm->reorder_by != NULL ? algorithm->reorder_by(request->options) : algorithm->reorder;
    bool shared = ranks_have_same(hash_text(hash_text(0, spec), own->spec));
    request->reordered = NULL;
    request->reorder_ms = 0;
    if (spec == NULL)
        return STATUS_OK;
    if ((own->spec == NULL || strcmp(own->spec, spec) != 0) &&
        make_arrangement(job, graph, spec, shared, own, error) != STATUS_OK) {
        error->of_algorithm = true; /* it asks for this order */
        return error->status;
    }
    request->reordered = graph_of(own->graph);
    request->reorder_ms = own->ms;
    return STATUS_OK;
}

/* ---- loading ---- */

static int load(struct job *job, const char *spec, struct input *input, struct error *error)
{
    struct load_options options = job->settings->load;
    gtrav_error public_error = {0};
    const char *folder = getenv("GTRAV_GRAPHS");
    options.kept_in = folder != NULL && folder[0] != '\0' ? folder : NULL;
    options.kept_by = strtoull(build_id(), NULL, 16);
    load_graph(job->context, spec, &options, true, &input->graph, &public_error);
    if (public_error.status != GTRAV_OK)
        return take_error(error, &public_error);
    input->load_ms = graph_of(input->graph)->load_ms;
    char description[512];
    describe_graph(input->graph, input->load_ms, description, sizeof description);
    notice("%s", description);
    const char *read_as = gtrav_graph_read_as(input->graph);
    if (read_as != NULL)
        notice("%s: read as: %s", gtrav_graph_name(input->graph), read_as);
    if (gtrav_graph_weights_ignored(input->graph))
        notice("%s: its edges have weights, which are ignored: every edge counts as 1",
               gtrav_graph_name(input->graph));
    return STATUS_OK;
}

static int show_info(struct job *job, const struct input *input, struct error *error)
{
    gtrav_error public_error = {0};
    gtrav_info info = {.size = sizeof info};
    if (gtrav_graph_info(input->graph, &info, &public_error) != GTRAV_OK)
        return take_error(error, &public_error);
    job_begin_document(job);
    report_info(job->out, job->settings->json, input->graph, &info, input->load_ms);
    return STATUS_OK;
}

/* A file may hold the graph in another order than its own. Restores the graph's own order, and makes the order that
 * the user wants, or else keeps the file's. */
static int reorder(const char *wanted, struct input *input, struct error *error)
{
    gtrav_error public_error = {0};
    if (gtrav_graph_reordering(input->graph) != NULL) {
        input->reordered = input->graph;
        if (gtrav_graph_reorder(input->reordered, NATURAL_ORDER, &input->graph, &public_error) != GTRAV_OK ||
            wanted == NULL)
            return take_error(error, &public_error);
        gtrav_graph_free(input->reordered);
        input->reordered = NULL;
    }
    if (wanted == NULL || strcmp(wanted, NATURAL_ORDER) == 0)
        return STATUS_OK;
    return put_in_order(input->graph, wanted, &input->reordered, &input->reorder_ms, error);
}

static int get_graph(struct job *job, const char *spec, struct input *input, struct error *error)
{
    const struct settings *settings = job->settings;
    gtrav_error public_error = {0};
    int status = load(job, spec, input, error);
    gtrav_graph *loaded = input->graph;
    if (status == STATUS_OK && settings->reverse && !gtrav_graph_is_symmetric(loaded)) {
        gtrav_graph_reverse(loaded, &input->graph, &public_error);
        gtrav_graph_free(loaded);
        status = take_error(error, &public_error);
    }
    if (status == STATUS_OK && settings->info)
        status = show_info(job, input, error);
    if (status == STATUS_OK && (settings->write != NULL || settings->algo != NULL))
        status = reorder(settings->reorder, input, error);
    return status;
}

static int write_graph(const gtrav_graph *graph, const char *path, struct error *error)
{
    gtrav_error public_error = {0};
    if (gtrav_graph_write(graph, path, &public_error) != GTRAV_OK)
        return take_error(error, &public_error);
    const char *order = gtrav_graph_reordering(graph);
    bool loses_ids = (order != NULL || graph_has_ids(graph_of(graph))) && !has_suffix(path, ".gtrav");
    notice("%s: written to %s%s%s%s", gtrav_graph_name(graph), file_is_stdout(path) ? "standard output" : path,
           loses_ids && order != NULL ? " in the order " : "", loses_ids && order != NULL ? order : "",
           loses_ids ? "; the graph's own ids are lost, a .gtrav keeps them" : "");
    return STATUS_OK;
}

int input_open(struct job *job, const char *spec, struct input *input, struct error *error)
{
    const struct settings *settings = job->settings;
    *input = (struct input){0};
    if (settings->threads == 0)
        ranks_borrow_processors();
    if (is_first())
        get_graph(job, spec, input, error);
    if (settings->threads == 0)
        ranks_return_processors();
    if (ranks_agree(error) != STATUS_OK || share_handle(job->context, &input->graph, error) != STATUS_OK ||
        share_handle(job->context, &input->reordered, error) != STATUS_OK || settings->write == NULL)
        return error->status;
    return write_graph(input->reordered != NULL ? input->reordered : input->graph, settings->write, error);
}

void input_release(struct input *input)
{
    gtrav_graph_free(input->reordered);
    gtrav_graph_free(input->graph);
}

/* ---- running ---- */

/* The sources of one graph, owned by the caller. NULL: family or task has none; *count is that of trials. */
static int choose_sources(const struct job *job, const struct graph *graph, vertex_t **sources, int *count,
                          struct error *error)
{
    const struct settings *settings = job->settings;
    *sources = NULL;
    *count = settings->sources > 0 ? settings->sources : DEFAULT_SOURCES;
    if (!job->plan.family->has_sources || job->task->draw_sources == NULL)
        return STATUS_OK;
    if (settings->source != NULL)
        return parse_vertices(graph, "--source", settings->source, sources, count, error);
    if (settings->sources_file != NULL)
        return read_sources(graph, settings->sources_file, sources, count, error);
    if (job->plan.family->sums_sources)
        return draw_vertices(graph, settings->sources, sources, count, error);
    return job->task->draw_sources(graph, settings->sources, sources, count, error);
}

/* The targets of one graph, owned by the caller; NULL: there are none. */
static int choose_targets(const char *list, const struct graph *graph, struct destination **targets,
                          uint64_t *num_targets, struct error *error)
{
    vertex_t *vertices = NULL;
    int count = 0;
    if (list != NULL && parse_vertices(graph, "--targets", list, &vertices, &count, error) == STATUS_OK)
        allocate_zeroed(targets, (size_t)count, sizeof **targets, "the targets", error);
    for (int i = 0; i < count && *targets != NULL; i++)
        (*targets)[i].vertex = vertices[i];
    *num_targets = (uint64_t)count;
    free(vertices);
    return error->status;
}

/* The graph that all runs get, and its order if that is not chosen yet. */
struct supply {
    gtrav_graph *graph;
    bool chosen;            /* the user or the file has named an order */
    struct arrangement own; /* else see arrange() */
};

/* Sets the request's devices to those that the run uses on this rank. */
static int choose_devices(struct job *job, const struct planned_run *run, struct bench_request *request,
                          struct error *error)
{
    struct machine *machine = &job->machine;
    request->device = machine->team != NULL ? machine->team : machine_device(machine, run->on);
    request->num_devices = machine->team != NULL ? machine->team_size : 1;
    if (request->device == NULL)
        *error = machine->errors[run->on];
    return error->status;
}

/* Completes the request for one run: its algorithm, devices and order. */
static int prepare_request(struct job *job, const struct planned_run *run, struct supply *supply,
                           struct bench_request *request, struct error *error)
{
    request->algorithm = run->algorithm;
    request->options = run->options;
    choose_devices(job, run, request, error);
    if (ranks_agree(error) == STATUS_OK && !supply->chosen)
        arrange(job, supply->graph, request, &supply->own, error);
    if (ranks_agree(error) == STATUS_OK)
        request->all_devices = (int)ranks_sum((uint64_t)request->num_devices);
    return error->status;
}

/* Records that an algorithm failed. That the record cannot be written is not reported beside it. */
static void record_failure(const struct bench_request *request, const struct error *error)
{
    struct error unwritten = {0};
    if (error->of_algorithm && request->records != NULL && is_first())
        records_failure(request, error, &unwritten);
}

static void run_algorithm(struct job *job, const struct planned_run *run, struct supply *supply,
                          struct bench_request *request, struct results *results)
{
    const struct task *task = job->task;
    struct work work = {job, request, results};
    struct error error = {0};
    void *state = NULL;
    allocate_zeroed(&state, 1, task->state_bytes, "the task", &error);
    if (prepare_request(job, run, supply, request, &error) == STATUS_OK) {
        task->run(&work, state, &error);
        request->num_pairs = task->num_pairs != NULL ? task->num_pairs(state) : 0;
        record_failure(request, &error);
        task->report(&work, state, &error);
        if (task->release != NULL)
            task->release(state);
    } else {
        record_failure(request, &error);
        job_failed(job, &error);
    }
    free(state);
}

int measure(struct job *job, const struct input *input, struct error *error)
{
    const struct settings *settings = job->settings;
    const struct graph *graph = graph_of(input->graph);
    struct supply supply = {.graph = input->graph, .chosen = settings->reorder != NULL || input->reordered != NULL};
    struct results results = {0};
    vertex_t *sources;
    struct destination *targets = NULL;
    bool keeps_state = is_first() && (settings->csv != NULL || job->task->has_checkpoint);
    struct bench_request request = {.family = job->plan.family,
                                    .graph = graph,
                                    .graph_hash = keeps_state ? graph_hash(graph) : 0,
                                    .reordered = input->reordered != NULL ? graph_of(input->reordered) : NULL,
                                    .reorder_ms = input->reorder_ms,
                                    .verify = (enum verify_mode)settings->verify,
                                    .time_limit_s = settings->time_limit,
                                    .max_depth = settings->max_depth,
                                    .load_ms = input->load_ms,
                                    .records = settings->csv};
    choose_sources(job, graph, &sources, &request.num_sources, error);
    request.sources = sources;
    if (error->status == STATUS_OK)
        choose_targets(settings->targets, graph, &targets, &request.num_targets, error);
    request.targets = targets;
    if (error->status == STATUS_OK)
        results_begin(&results, settings->json, settings->wide, job->plan.num_runs, error);
    int status = ranks_agree(error);
    for (int i = 0; i < job->plan.num_runs && status == STATUS_OK && !shall_stop(); i++)
        run_algorithm(job, &job->plan.runs[i], &supply, &request, &results);
    if (status == STATUS_OK)
        job_print_results(job, &results, graph);
    results_release(&results);
    gtrav_graph_free(supply.own.graph);
    free(sources);
    free(targets);
    return status;
}
