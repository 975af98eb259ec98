#include "input.h"

#include <stdlib.h>

#include "../bench/identity.h"
#include "../bench/ranks.h"
#include "../bench/share_graph.h"
#include "../graph/write.h"
#include "arrange.h"
#include "report.h"
#include "terminal.h"
#include "words.h"

static int load(const char *spec, const struct settings *settings, struct input *input, struct error *error)
{
    struct load_options options = settings->load;
    options.kept_in = getenv("GTRAV_GRAPHS");
    options.kept_by = strtoull(build_id(), NULL, 16);
    if (check_graph_word(spec, error) != STATUS_OK)
        return error->status;
    double began_ms = now_ms();
    int status = graph_load(spec, &options, &input->graph, error);
    input->load_ms = now_ms() - began_ms;
    if (status == STATUS_OK) {
        char description[512];
        describe_graph(&input->graph, input->load_ms, description, sizeof description);
        notice("%s", description);
        if (input->graph.read_as != NULL)
            notice("%s: read as: %s", input->graph.name, input->graph.read_as);
    }
    return status;
}

static int show_info(struct job *job, const struct input *input, struct error *error)
{
    struct graph_statistics statistics;
    int status = graph_statistics(&input->graph, &statistics, error);
    if (status == STATUS_OK) {
        job_begin_document(job);
        report_info(job->out, job->settings->json, &input->graph, &statistics, input->load_ms);
    }
    return status;
}

/* A file may hold the graph in another order than its own. Restores the graph's own order, and makes the order that
 * the user wants, or else keeps the file's. */
static int reorder(const struct reorder *wanted, struct input *input, struct error *error)
{
    struct graph *graph = &input->graph, *reordered = &input->reordered;
    if (graph->permutation != NULL) {
        *reordered = *graph;
        if (graph_restore(reordered, graph, error) != STATUS_OK || wanted->how == NULL)
            return error->status;
        graph_release(reordered);
    }
    if (wanted->how == NULL || !reorder_changes(wanted))
        return STATUS_OK;
    return put_in_order(graph, wanted, reordered, &input->reorder_ms, error);
}

static int get_graph(struct job *job, const char *spec, struct input *input, struct error *error)
{
    const struct settings *settings = job->settings;
    int status = load(spec, settings, input, error);
    if (status == STATUS_OK && settings->info)
        status = show_info(job, input, error);
    if (status == STATUS_OK && (settings->write != NULL || settings->algo != NULL))
        status = reorder(&job->reorder, input, error);
    return status;
}

static int write_graph(const struct graph *graph, const char *path, struct error *error)
{
    int status = graph_write(graph, path, error);
    bool ordered = graph->permutation != NULL;
    bool loses_ids = (ordered || graph_has_ids(graph)) && !is_binary_name(path);
    if (status == STATUS_OK)
        notice("%s: written to %s%s%s%s", graph->name, file_is_stdout(path) ? "standard output" : path,
               loses_ids && ordered ? " in the order " : "", loses_ids && ordered ? graph->reordering : "",
               loses_ids ? "; the graph's own ids are lost, a .gtrav keeps them" : "");
    return status;
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
    if (ranks_agree(error) != STATUS_OK || share_graph(&input->graph, error) != STATUS_OK ||
        share_graph(&input->reordered, error) != STATUS_OK)
        return error->status;
    return settings->write != NULL ? write_graph(input_in_use(input), settings->write, error) : STATUS_OK;
}

void input_release(struct input *input)
{
    graph_release(&input->reordered);
    graph_release(&input->graph);
}

const struct graph *input_in_use(const struct input *input)
{
    return input->reordered.permutation != NULL ? &input->reordered : &input->graph;
}
