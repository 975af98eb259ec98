/* checkpoint_writer.h: holds the totals of a closeness run. On rank 0 a thread writes them to the checkpoint at
 * intervals, while the workers continue.
 *
 * Each checkpoint is a round, which rank 0's writer begins. Every worker of every rank finishes its batch and adds its
 * sums to the totals of its rank. The other ranks send theirs to rank 0 (ranks.h), which writes a copy of the sum. */
#pragma once

#include <pthread.h>

#include "checkpoint.h"
#include "ranks.h"

#define DEFAULT_CHECKPOINT_SECONDS 1

struct checkpoint_writer {
    struct totals totals; /* guarded by the lock, as are all fields below that change */
    pthread_mutex_t lock; /* a worker holds it while it changes the totals */
    pthread_cond_t changed;
    struct checkpoint *checkpoint; /* NULL: there is none, or another rank has it */
    double every_ms;
    double began_ms, earlier_ms;  /* when the work began; time taken by earlier runs */
    struct totals copy, incoming; /* copy: for writing or sending; incoming: received from another rank */
    struct ranks_collection collection;
    uint64_t *added; /* num_workers: the last round to which each worker has added; UINT64_MAX: it has ended */
    int num_workers;
    uint64_t round, messages; /* the current round, as far as this rank knows; its totals messages that have arrived */
    double held_ms;           /* the longest delay of a worker by the current round */
    double work_ms;           /* time that the main thread spent adding totals messages */
    bool shares_processors;   /* the workers run on the CPU, so the checkpoint writer's work delays them */
    pthread_t thread;
    struct work_counter *counter; /* work counter of the thread that started this writer */
    bool is_open, started, ending;
    struct error error; /* error of `thread` */
};

/* All ranks call it. totals: copied; the caller still owns the memory. checkpoint: NULL except on rank 0. keeps:
 * whether rank 0 has a checkpoint. Call checkpoint_writer_close() in every case. */
int checkpoint_writer_open(struct checkpoint_writer *writer, const struct totals *totals, struct checkpoint *checkpoint,
                           bool keeps, int num_workers, struct error *error);
void checkpoint_writer_close(struct checkpoint_writer *writer);

/* Begins the ranks' work, and the rounds, which send their messages with it. Rounds are at least every_seconds (0:
 * the default) apart, and take at most 1% of the time. STATUS_INPUT if the thread cannot be started. */
int checkpoint_writer_begin(struct checkpoint_writer *writer, int every_seconds, struct error *error);

/* Ends the ranks' work, after the last messages, then the rounds. Fails if the thread could not write. */
int checkpoint_writer_end(struct checkpoint_writer *writer, struct error *error);

/* checkpoint_writer_wants() tells a worker whether to add its sums to the totals now. The worker calls
 * ..._has_added() when it has added them, with its delay in milliseconds, and ..._worker_ends() when it ends. */
bool checkpoint_writer_wants(struct checkpoint_writer *writer, int worker);
void checkpoint_writer_has_added(struct checkpoint_writer *writer, int worker, double held_ms);
void checkpoint_writer_worker_ends(struct checkpoint_writer *writer, int worker);

/* Sets the time of the totals to the time that the run has taken so far. */
void checkpoint_writer_take_time(struct checkpoint_writer *writer);

/* Writes the totals if this rank has the checkpoint. Not to be called between _begin() and _end(). */
int checkpoint_writer_save(struct checkpoint_writer *writer, struct error *error);

/* Returns the time from the start of a round to the start of the next, if the round cost cost_ms. */
double checkpoint_writer_pause_ms(double every_ms, double cost_ms);
