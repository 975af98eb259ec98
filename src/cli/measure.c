/* measure.c: one graph of a job: loads it, reorders it, and runs the algorithms on it. */
#include "measure.h"

#include "../graph/graph500_list.h"
#include "../graph/hash.h"
#include "../graph/reorder.h"
#include "../graph/sources.h"
#include "../graph/specs.h"
#include "../new_file.h"
#include "../processes/ranks.h"
#include "../records/identity.h"
#include "../run/closeness.h"
#include "report.h"
#include "terminal.h"

/* ---- orders ---- */

/* Makes the graph in the wanted order, and prints how long it took. */
static int put_in_order(const struct graph *graph, const char *wanted, struct order *order, struct error *error)
{
    if (order_make(order, graph, wanted, error) == STATUS_OK && order->graph.permutation != NULL)
        notice("%s: reordered by %s in %.3f s", graph->name, order->graph.reordering, order->ms / 1e3);
    return error->status;
}

/* Makes the graph in the order `spec`. shared: all ranks want this order, so rank 0 makes it and sends copies. */
static int make_order(const struct graph *graph, const char *spec, bool shared, struct order *order,
                      struct error *error)
{
    order_release(order);
    if (is_first() || !shared)
        put_in_order(graph, spec, order, error);
    if (shared && ranks_agree(error) == STATUS_OK)
        share_graph(&order->graph, error);
    snprintf(order->spec, sizeof order->spec, "%s", error->status == STATUS_OK ? spec : "");
    return error->status;
}

/* Sets request->reordered to the graph in the order that the algorithm gets; NULL: the graph's own order. *made keeps
 * the graph in an algorithm's order, for the next algorithm that wants the same order. All ranks call it. */
static int arrange(const struct job *job, const struct input *input, const struct choice *run, struct order *made,
                   struct bench_request *request, struct error *error)
{
    const struct order_wish wish = {.of_user = job->settings->reorder,
                                    .of_algorithm = run->order,
                                    .in_file = input->order.graph.permutation != NULL,
                                    .by_own_ids =
                                        job->plan.family->has_sources && run->algorithm->outputs & OUTPUT_ORDER};
    enum order_source source = order_choose(&wish);
    const char *spec = source == ORDER_OF_ALGORITHM ? run->order : NULL;
    bool shared = ranks_have_same(hash_text(hash_text(0, spec), made->spec));
    if (spec != NULL && strcmp(made->spec, spec) != 0)
        make_order(&input->graph, spec, shared, made, error);
    const struct order *order = spec != NULL ? made : &input->order;
    request->reordered = source != ORDER_OWN && order->graph.permutation != NULL ? &order->graph : NULL;
    request->reorder_ms = request->reordered != NULL ? order->ms : 0;
    if (source == ORDER_REFUSED)
        error_set(error, STATUS_INPUT,
                  "%s: the result is ordered by the graph's own ids; search with --reorder natural",
                  request->graph->name);
    error->of_algorithm = error->status != STATUS_OK; /* another algorithm may want another order */
    return error->status;
}

/* ---- loading ---- */

/* Returns the device on which every algorithm can build this graph, so that the host needs no lists; or NULL. */
static struct device *device_that_builds(struct job *job, const char *spec)
{
    const struct settings *settings = job->settings;
    const struct choice *first = &job->plan.choices.items[0];
    if (job->task != &graph500_task || strncmp(spec, "graph500:", strlen("graph500:")) != 0 ||
        graph_spec_kind(spec) != SPEC_GENERATOR || settings->gpus != NULL || settings->write != NULL ||
        settings->reorder != NULL || settings->load.weights != NULL)
        return NULL;
    for (const struct choice *run = first; run < first + job->plan.choices.count; run++)
        if (run->algorithm->builds == NULL || !run->algorithm->builds(run->options) || run->on != first->on)
            return NULL;
    struct device *device = machine_device(&job->machine, first->on);
    return device != NULL && device->mark_ends != NULL ? device : NULL;
}

/* Finds the vertices that have edges, for the search keys. Their time is not the graph's. */
static int mark_ends(struct device *device, struct graph *graph, struct error *error)
{
    struct graph500_list list;
    if (graph500_list_of(graph, &list, error) == STATUS_OK && device->use(device, error) == STATUS_OK &&
        allocate(&graph->has_edges, graph->num_vertices / 32 + 1, sizeof *graph->has_edges, "the search keys", error) ==
            STATUS_OK)
        device->mark_ends(&list, graph->has_edges, error);
    return error->status;
}

static int load(struct job *job, const char *spec, struct input *input, struct error *error)
{
    struct load_options options = job->settings->load;
    struct graph *graph = &input->graph;
    const char *folder = getenv("GTRAV_GRAPHS");
    options.kept_in = folder != NULL && folder[0] != '\0' ? folder : NULL;
    options.kept_by = strtoull(build_id(), NULL, 16);
    if (options.weights == NULL && job->plan.family != NULL && job->plan.family->weighted)
        options.weights = "auto";
    struct device *device = device_that_builds(job, spec);
    options.without_lists = device != NULL;
    if (check_graph_spec(spec, error) != STATUS_OK || graph_load(spec, &options, graph, error) != STATUS_OK ||
        (device != NULL && mark_ends(device, graph, error) != STATUS_OK))
        return error->status;
    input->load_ms = graph->load_ms;
    char description[512];
    describe_graph(graph, input->load_ms, description, sizeof description);
    notice("%s", description);
    if (graph->read_as != NULL)
        notice("%s: read as: %s", graph->name, graph->read_as);
    if (graph->weights_ignored)
        notice("%s: its edges have weights, which are ignored: every edge counts as 1", graph->name);
    return STATUS_OK;
}

/* Replaces the graph by its reverse. */
static int reverse(struct graph *graph, struct error *error)
{
    struct graph reversed;
    if (graph->symmetric || graph_reverse(graph, &reversed, error) != STATUS_OK)
        return error->status;
    graph_release(graph);
    *graph = reversed;
    return STATUS_OK;
}

static int show_info(struct job *job, const struct input *input, struct error *error)
{
    gtrav_info info = {.size = sizeof info};
    if (graph_statistics(&input->graph, &info, error) != STATUS_OK)
        return error->status;
    job_begin_document(job);
    return report_info(job->out, job->settings, &input->graph, &info, input->load_ms, &job->machine, error);
}

/* For a file that stores its graph in another order: puts input->graph into the graph's own order, and input->order
 * into the order that the user wants, or else the file's. */
static int reorder(const char *wanted, struct input *input, struct error *error)
{
    struct order *order = &input->order;
    if (input->graph.permutation != NULL) {
        order->graph = input->graph;
        input->graph = (struct graph){0};
        if (graph_restore(&order->graph, &input->graph, error) != STATUS_OK || wanted == NULL)
            return error->status;
        order_release(order);
    }
    return wanted != NULL ? put_in_order(&input->graph, wanted, order, error) : STATUS_OK;
}

static int get_graph(struct job *job, const char *spec, struct input *input, struct error *error)
{
    const struct settings *settings = job->settings;
    int status = load(job, spec, input, error);
    if (status == STATUS_OK && settings->reverse)
        status = reverse(&input->graph, error);
    if (status == STATUS_OK && settings->info)
        status = show_info(job, input, error);
    if (status == STATUS_OK && (settings->write != NULL || settings->algo != NULL))
        status = reorder(settings->reorder, input, error);
    return status;
}

static int write_graph(const struct graph *graph, const char *path, struct error *error)
{
    if (graph_write(graph, path, error) != STATUS_OK)
        return error->status;
    bool has_order = graph->permutation != NULL;
    bool loses_ids = (has_order || graph_has_ids(graph)) && !has_suffix(path, ".gtrav");
    notice("%s: written to %s%s%s%s", graph->name, file_is_stdout(path) ? "standard output" : path,
           loses_ids && has_order ? " in the order " : "", loses_ids && has_order ? graph->reordering : "",
           loses_ids ? "; the graph's own ids are lost, a .gtrav would keep them" : "");
    return STATUS_OK;
}

int input_open(struct job *job, const char *spec, struct input *input, struct error *error)
{
    const struct settings *settings = job->settings;
    *input = (struct input){0};
    if (settings->threads == 0)
        ranks_borrow_processors(true);
    if (is_first())
        get_graph(job, spec, input, error);
    if (settings->threads == 0)
        ranks_borrow_processors(false);
    if (ranks_agree(error) != STATUS_OK || share_graph(&input->graph, error) != STATUS_OK ||
        share_graph(&input->order.graph, error) != STATUS_OK || settings->write == NULL)
        return error->status;
    const struct graph *reordered = &input->order.graph; /* in the order of --reorder or of the file */
    return write_graph(reordered->offsets != NULL ? reordered : &input->graph, settings->write, error);
}

void input_release(struct input *input)
{
    order_release(&input->order);
    graph_release(&input->graph);
}

/* ---- running ---- */

/* Chooses the sources of one graph, which the caller frees. If the family or the task needs no sources, *sources is
 * NULL and *count is the number of trials. */
static int choose_sources(const struct job *job, const struct graph *graph, vertex_t **sources, int *count,
                          struct error *error)
{
    const struct settings *settings = job->settings;
    *sources = NULL;
    *count = settings->sources > 0 ? settings->sources : DEFAULT_SOURCES;
    if (!job->plan.family->has_sources || settings->pairs != NULL)
        return STATUS_OK;
    if (settings->source != NULL)
        return parse_vertices(graph, "--source", settings->source, sources, count, error);
    if (settings->sources_file != NULL)
        return read_sources(graph, settings->sources_file, sources, count, error);
    if (job->plan.family->sums_sources || job->task->pick_sources == NULL)
        return draw_vertices(graph, settings->sources, sources, count, error);
    if (allocate(sources, (size_t)*count, sizeof **sources, "the sources", error) != STATUS_OK)
        return error->status;
    return job->task->pick_sources(graph, *count, *sources, error);
}

/* Parses the targets of one graph, which the caller frees; NULL: there are none. */
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

/* Completes the request for one run: its algorithm, devices and order. */
static int prepare_request(struct job *job, const struct input *input, const struct choice *run, struct order *made,
                           struct bench_request *request, struct error *error)
{
    struct machine *machine = &job->machine;
    request->algorithm = run->algorithm;
    request->options = run->options;
    request->device = machine->team != NULL ? machine->team : machine_device(machine, run->on);
    request->num_devices = machine->team != NULL ? machine->team_size : 1;
    request->splits = request->num_devices > 1 && !job->task->shares_sources;
    if (request->device == NULL)
        *error = machine->errors[run->on];
    if (ranks_agree(error) == STATUS_OK)
        arrange(job, input, run, made, request, error);
    if (ranks_agree(error) == STATUS_OK)
        request->all_devices = (int)ranks_sum((uint64_t)request->num_devices);
    return error->status;
}

static void run_algorithm(struct job *job, const struct input *input, const struct choice *run, struct order *made,
                          struct bench_request *request, struct results *results)
{
    struct work work = {job, run, request, results};
    struct error error = {0};
    if (prepare_request(job, input, run, made, request, &error) == STATUS_OK) {
        job->task->run(&work);
    } else {
        record_failure(request, &error);
        job_failed(job, &error);
    }
}

int measure(struct job *job, const struct input *input, struct error *error)
{
    const struct settings *settings = job->settings;
    const struct graph *graph = &input->graph;
    struct order made = {0};
    struct results results = {0};
    vertex_t *sources;
    struct destination *targets = NULL;
    bool keeps_state = is_first() && (settings->csv != NULL || job->task->has_checkpoint);
    struct bench_request request = {.family = job->plan.family,
                                    .graph = graph,
                                    .graph_hash = keeps_state ? graph_hash(graph) : 0,
                                    .verify = (enum verify_mode)settings->verify,
                                    .time_limit_s = settings->time_limit,
                                    .max_depth = settings->max_depth,
                                    .load_ms = input->load_ms,
                                    .cores = job->cores,
                                    .busy_cores = job->busy_cores,
                                    .of_machine = &job->of_machine,
                                    .parents = settings->output_parents,
                                    .aggregates = settings->aggregates,
                                    .paths = settings->paths,
                                    .profile = settings->profile,
                                    .repeats = (unsigned)settings->repeats,
                                    .cold = settings->cold,
                                    .energy = settings->energy,
                                    .fresh = settings->fresh || settings->repeats > 1,
                                    .records = settings->csv};
    choose_sources(job, graph, &sources, &request.num_sources, error);
    request.sources = sources;
    if (error->status == STATUS_OK)
        choose_targets(settings->targets, graph, &targets, &request.num_targets, error);
    request.targets = targets;
    if (error->status == STATUS_OK)
        results_begin(&results, settings, job->plan.choices.count, error);
    int status = ranks_agree(error);
    for (int i = 0; i < job->plan.choices.count && status == STATUS_OK && !shall_stop(); i++)
        run_algorithm(job, input, &job->plan.choices.items[i], &made, &request, &results);
    if (status == STATUS_OK)
        job_print_results(job, &results, graph);
    results_release(&results);
    order_release(&made);
    free(sources);
    free(targets);
    return status;
}
