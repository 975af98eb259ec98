/* job.c: errors of a job, and the documents that it prints. */
#include "job.h"

#include "../processes/ranks.h"
#include "../progress.h"
#include "terminal.h"

int take_error(struct error *error, const gtrav_error *public_error)
{
    return public_error->status == GTRAV_OK ? STATUS_OK
                                            : error_set(error, public_error->status, "%s", public_error->text);
}

bool is_first(void)
{
    return ranks()->rank == 0;
}

bool shall_stop(void)
{
    return ranks_sum(stop_requested()) > 0;
}

void job_failed(struct job *job, const struct error *error)
{
    if (is_first())
        report_error(error);
    if (error->status > job->worst)
        job->worst = error->status;
}

void job_begin_document(struct job *job)
{
    bool first = job->documents++ == 0;
    if (job->settings->json)
        fputs(first ? "[" : ",\n", job->out);
    else if (!first)
        fputc('\n', job->out);
}

void job_end_documents(const struct job *job)
{
    if (job->settings->json && job->documents > 0)
        fputs("]\n", job->out);
}

void job_print_results(struct job *job, struct results *results, const struct graph *graph)
{
    if (results->num_runs == 0)
        return;
    for (int run = 0; results->json && run < results->num_runs; run++) {
        job_begin_document(job);
        results_print_json(job->out, results, run);
    }
    if (!results->json) {
        job_begin_document(job);
        results_print_table(job->out, results, graph);
    }
    fflush(job->out);
}
