/* job.h: one command that loads graphs: its settings, its devices, its output, and the worst status so far. */
#pragma once

#include "../library/harness.h"
#include "plan.h"
#include "results.h"

struct task;

struct job {
    const struct settings *settings;
    const struct task *task; /* the task for which the algorithms run; NULL without --algo */
    gtrav_context *context;  /* of the graphs; algorithms run on the devices of the machine, which count their work */
    struct machine machine;
    struct plan plan;           /* empty without --algo */
    struct warnings of_machine; /* warnings about the machine that hold for every run on its CPU */
    FILE *out;                  /* for tables and JSON; not owned */
    int documents;              /* JSON documents, or tables, printed so far */
    int worst;                  /* the highest status so far; the command exits with it */
};

/* Fills *error (if it holds no message yet) with what the library told. Returns the status. */
int take_error(struct error *error, const gtrav_error *public_error);

/* Whether this rank is the one that prints and writes. */
bool is_first(void);

/* Whether any rank was interrupted. Then all ranks stop. All ranks call it. */
bool shall_stop(void);

/* Reports an error and keeps its status. The job continues with its next piece of work. */
void job_failed(struct job *job, const struct error *error);

/* job->out holds tables with a blank line between them, or one JSON array; nothing if everything failed. Call
 * job_begin_document() before each table or JSON object, and job_end_documents() after the last. */
void job_begin_document(struct job *job);
void job_end_documents(const struct job *job);

/* Prints the runs on one graph, as a table or as JSON. */
void job_print_results(struct job *job, struct results *results, const struct graph *graph);
