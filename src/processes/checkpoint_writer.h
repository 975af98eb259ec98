/* checkpoint_writer.h: holds the totals of a closeness run. On rank 0 a thread writes them to the checkpoint at
 * intervals, while the workers continue.
 *
 * Each checkpoint is a round, which the checkpoint writer of rank 0 begins. Every worker of every rank finishes its
 * batch and adds its sums to the totals of its rank. The other ranks send their totals to rank 0 (ranks.h), and rank
 * 0 writes a copy of the sum. */
#pragma once

#include <pthread.h>

#include "checkpoint.h"
#include "ranks.h"

#define DEFAULT_CHECKPOINT_SECONDS 1

struct checkpoint_writer {
    struct totals totals; /* guarded by the lock, as are all fields below that change */
    pthread_mutex_t lock; /* a worker holds it while it changes the totals */
    pthread_cond_t changed;
    struct checkpoint *checkpoint; /* NULL: none, or another rank's */
    double every_ms;
    double began_ms, earlier_ms;  /* when the work began, and how long earlier runs took */
    struct totals copy, incoming; /* copy: to be written or sent; incoming: from another rank */
    struct ranks_collection collection;
    uint64_t *added; /* num_workers: the last round to which each has added; UINT64_MAX: it has ended */
    int num_workers;
    uint64_t round,
        messages;   /* the current round, as far as this rank knows; totals messages of it that have arrived */
    double held_ms; /* the longest time for which the round has delayed a worker */
    double work_ms; /* that the main thread spent adding totals messages */
    bool shares_processors; /* the workers run on the CPU, so the checkpoint writer's work delays them */
    pthread_t thread;
    struct work_counter *counter; /* work counter of the thread that started this writer */
    bool is_open, started, ending;
    struct error error; /* error of the thread */
};

/* Called on all ranks. The totals belong to the caller. checkpoint: NULL except on rank 0; keeps:
 * whether rank 0 has one. Call checkpoint_writer_close() in every case. */
int checkpoint_writer_open(struct checkpoint_writer *writer, const struct totals *totals,
                           struct checkpoint *checkpoint, bool keeps, int num_workers, struct error *error);
void checkpoint_writer_close(struct checkpoint_writer *writer);

/* The argument for ranks_begin_work(); NULL without a checkpoint. */
const struct ranks_collection *checkpoint_writer_collection(const struct checkpoint_writer *writer);

/* Starts the rounds, after ranks_begin_work(). They are at least every_seconds (0: the default) apart, and take at
 * most 1% of the time. STATUS_INPUT if the thread cannot be started. */
int checkpoint_writer_begin(struct checkpoint_writer *writer, int every_seconds, struct error *error);

/* Ends the rounds, after ranks_end_work(). Returns the error of the thread, if it could not write. */
int checkpoint_writer_end(struct checkpoint_writer *writer, struct error *error);

/* checkpoint_writer_wants() tells a worker whether to add its sums to the totals now. The worker reports when it has
 * added them, and for how long that delayed it, and when it ends. */
bool checkpoint_writer_wants(struct checkpoint_writer *writer, int worker);
void checkpoint_writer_has_added(struct checkpoint_writer *writer, int worker, double held_ms);
void checkpoint_writer_worker_ends(struct checkpoint_writer *writer, int worker);

/* Sets the time of the totals to the time that the run has taken so far. */
void checkpoint_writer_take_time(struct checkpoint_writer *writer);

/* Writes the totals if this rank has the checkpoint. Must not be called while the thread runs. */
int checkpoint_writer_save(struct checkpoint_writer *writer, struct error *error);

/* Returns the time from the start of a round to the next one, given what the round cost. */
double checkpoint_writer_pause_ms(double every_ms, double cost_ms);
