/* keeper.h: keeps the totals of a closeness run, and on rank 0 writes them to the checkpoint from time to time, in a
 * thread of its own, so that the work goes on meanwhile.
 *
 * A checkpoint is a round. The keeper of rank 0 begins one when it is time. Every worker of every rank then adds what
 * it has summed up so far to its rank's totals, after its batch; the other ranks send theirs to rank 0 (ranks.h); and
 * rank 0 writes a copy of the sum. */
#ifndef GTRAV_KEEPER_H
#define GTRAV_KEEPER_H

#include <pthread.h>

#include "checkpoint.h"
#include "ranks.h"

#define DEFAULT_CHECKPOINT_SECONDS 1

struct keeper {
    struct totals totals; /* guarded by the lock, as all below it is where it changes */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct checkpoint *checkpoint; /* NULL: none, or another rank's */
    double every_ms;
    double began_ms, earlier_ms;  /* when the work began, and what earlier runs took */
    struct parcel copy, incoming; /* what is written or sent; of another rank */
    struct ranks_collection collection;
    uint64_t *added; /* num_workers: up to which round each has added; UINT64_MAX: it has ended */
    int num_workers;
    uint64_t round, parcels; /* the round that is on, as far as this rank knows; parcels of it that have come */
    double held_ms;          /* the longest that it has held up a worker so far */
    double work_ms;          /* of the main thread, adding parcels */
    bool shares_processors;  /* the workers run on the CPU, so what the keeper does holds them up too */
    pthread_t thread;
    bool is_open, started, ending;
    struct error error; /* of the thread */
};

/* All: the totals are set up, with arrays of the caller. checkpoint: on rank 0; keeps: there is one on rank 0.
 * keeper_close() in every case. */
int keeper_open(struct keeper *keeper, const struct totals *totals, struct checkpoint *checkpoint, bool keeps,
                int num_workers, struct error *error);
void keeper_close(struct keeper *keeper);

/* For ranks_begin_taking(). NULL: there is no checkpoint. */
const struct ranks_collection *keeper_collection(const struct keeper *keeper);

/* After ranks_begin_taking(): rounds from now on, at least every_seconds apart (0: the default), and so far apart
 * that they take no more than 1% of the time. STATUS_INPUT: there is no thread for it. */
int keeper_begin(struct keeper *keeper, int every_seconds, struct error *error);

/* After ranks_end_taking(): no rounds any more. What the thread could not write is the error. */
int keeper_end(struct keeper *keeper, struct error *error);

/* Around whatever a worker does to the totals. */
void keeper_lock(struct keeper *keeper);
void keeper_unlock(struct keeper *keeper);

/* Whether a worker shall add what it has to the totals now; it says so when it has, and for how long that held it up,
 * and when it ends. */
bool keeper_wants(struct keeper *keeper, int worker);
void keeper_has_added(struct keeper *keeper, int worker, double held_ms);
void keeper_worker_ends(struct keeper *keeper, int worker);

/* Sets the time of the totals to what the run has taken until now. */
void keeper_take_time(struct keeper *keeper);

/* Writes the totals, on rank 0, where there is a checkpoint. Not while the thread runs. */
int keeper_save(struct keeper *keeper, struct error *error);

/* How long after the begin of a round the next one is due, when the last one cost so much. */
double keeper_pause_ms(double every_ms, double cost_ms);

#endif
