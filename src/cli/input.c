#include "input.h"

#include <stdlib.h>
#include <string.h>

#include "../new_file.h"
#include "../processes/ranks.h"
#include "../records/identity.h"
#include "arrange.h"
#include "report.h"
#include "terminal.h"

static int load(struct job *job, const char *spec, struct input *input, struct error *error)
{
    struct load_options options = job->settings->load;
    gtrav_error public_error = {0};
    const char *folder = getenv("GTRAV_GRAPHS");
    options.kept_in = folder != NULL && folder[0] != '\0' ? folder : NULL;
    options.kept_by = strtoull(build_id(), NULL, 16);
    double began_ms = now_ms();
    load_graph(job->context, spec, &options, true, &input->graph, &public_error);
    input->load_ms = now_ms() - began_ms;
    if (public_error.status != GTRAV_OK)
        return take_error(error, &public_error);
    char description[512];
    describe_graph(input->graph, input->load_ms, description, sizeof description);
    notice("%s", description);
    const char *read_as = gtrav_graph_read_as(input->graph);
    if (read_as != NULL)
        notice("%s: read as: %s", gtrav_graph_name(input->graph), read_as);
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
    int status = load(job, spec, input, error);
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
