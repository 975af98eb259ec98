/* keeper.c: rounds of a checkpoint.
 *
 * The lock guards the totals. Each critical section is one step: a worker adds the sums of a batch and marks its
 * sources, the main thread of rank 0 adds a parcel, or the thread of rank 0 or the main thread of another rank copies
 * the totals. No thread waits for the disk or for a message while it holds the lock. checkpoint.c states what
 * follows.
 *
 * Every round terminates: each worker adds its sums after its batch, or has ended; a rank sends its parcel once its
 * workers have added theirs; and the thread gives up when a rank no longer answers (ranks_have_failed). */
#include "keeper.h"

#include <omp.h>
#include <stdlib.h>
#include <time.h>

#define MOST_SHARE 0.005 /* of the time may go to rounds; with the final one that stays under 1% */
#define LOOK_MS    100   /* between two checks for failed ranks */
#define NS_PER_MS  1000000L
#define NS_PER_S   1000000000L

double keeper_pause_ms(double every_ms, double cost_ms)
{
    double least_ms = cost_ms / MOST_SHARE;
    return every_ms > least_ms ? every_ms : least_ms;
}

void keeper_lock(struct keeper *keeper)
{
    pthread_mutex_lock(&keeper->lock);
}

void keeper_unlock(struct keeper *keeper)
{
    pthread_mutex_unlock(&keeper->lock);
}

/* Waits until something changes, at most LOOK_MS. The caller holds the lock. */
static void wait_ms(struct keeper *keeper, double milliseconds)
{
    struct timespec until;
    long most = (long)(milliseconds < LOOK_MS ? milliseconds : LOOK_MS) + 1;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += most * NS_PER_MS;
    until.tv_sec += until.tv_nsec / NS_PER_S;
    until.tv_nsec %= NS_PER_S;
    pthread_cond_timedwait(&keeper->changed, &keeper->lock, &until);
}

/* Returns the processor time of the calling thread. */
static double processor_ms(void)
{
    struct timespec spent;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return 1e3 * (double)spent.tv_sec + 1e-6 * (double)spent.tv_nsec;
}

void keeper_take_time(struct keeper *keeper)
{
    keeper->totals.time_ms = keeper->earlier_ms + now_ms() - keeper->began_ms;
}

/* ---- workers ---- */

/* The caller holds the lock. */
static bool workers_have_added(const struct keeper *keeper, uint64_t round)
{
    for (int worker = 0; worker < keeper->num_workers; worker++)
        if (keeper->added[worker] < round)
            return false;
    return true;
}

bool keeper_wants(struct keeper *keeper, int worker)
{
    keeper_lock(keeper);
    bool wants = keeper->added[worker] < keeper->round;
    keeper_unlock(keeper);
    return wants;
}

void keeper_has_added(struct keeper *keeper, int worker, double held_ms)
{
    keeper_lock(keeper);
    keeper->added[worker] = keeper->round;
    keeper->held_ms = held_ms > keeper->held_ms ? held_ms : keeper->held_ms;
    pthread_cond_broadcast(&keeper->changed);
    keeper_unlock(keeper);
}

void keeper_worker_ends(struct keeper *keeper, int worker)
{
    keeper_lock(keeper);
    keeper->added[worker] = UINT64_MAX;
    pthread_cond_broadcast(&keeper->changed);
    keeper_unlock(keeper);
}

/* ---- parcels: callbacks of the main thread (ranks.h) ---- */

static bool parcel_is_ready(void *context, uint64_t round)
{
    struct keeper *keeper = context;
    keeper_lock(keeper);
    keeper->round = round;
    bool ready = workers_have_added(keeper, round);
    keeper_unlock(keeper);
    return ready;
}

static const void *pack_parcel(void *context)
{
    struct keeper *keeper = context;
    keeper_lock(keeper);
    parcel_fill(&keeper->copy, &keeper->totals, keeper->held_ms);
    totals_clear(&keeper->totals);
    keeper->held_ms = 0;
    keeper_unlock(keeper);
    return keeper->copy.block;
}

static void unpack_parcel(void *context)
{
    struct keeper *keeper = context;
    double began_ms = now_ms();
    parcel_read(&keeper->incoming);
    keeper_lock(keeper);
    totals_add(&keeper->totals, &keeper->incoming.totals);
    if (keeper->incoming.held_ms > keeper->held_ms)
        keeper->held_ms = keeper->incoming.held_ms;
    keeper->work_ms += now_ms() - began_ms;
    keeper->parcels++;
    pthread_cond_broadcast(&keeper->changed);
    keeper_unlock(keeper);
}

/* ---- rank 0's thread ---- */

static bool round_is_complete(const struct keeper *keeper)
{
    return workers_have_added(keeper, keeper->round) && keeper->parcels + 1 == (uint64_t)ranks()->size;
}

/* Runs one round. The caller holds the lock; it is released while the file is written. Returns false if this was the
 * last round. */
static bool write_round(struct keeper *keeper)
{
    keeper->parcels = 0;
    keeper->held_ms = keeper->work_ms = 0;
    keeper->round = ranks_begin_round();
    if (keeper->round == 0)
        return false;
    while (!round_is_complete(keeper) && !keeper->ending && !ranks_have_failed())
        wait_ms(keeper, LOOK_MS);
    if (!round_is_complete(keeper))
        return false;
    keeper_take_time(keeper);
    parcel_fill(&keeper->copy, &keeper->totals, 0);
    keeper_unlock(keeper);
    checkpoint_save(keeper->checkpoint, &keeper->copy.totals, &keeper->error);
    keeper_lock(keeper);
    if (keeper->error.status != STATUS_OK)
        ranks_stop();
    return keeper->error.status == STATUS_OK;
}

static void *write_rounds(void *context)
{
    struct keeper *keeper = context;
    double due_ms = keeper->began_ms + keeper->every_ms;
    omp_set_num_threads(1);
    ranks_join_taking(keeper->taking);
    keeper_lock(keeper);
    while (!keeper->ending) {
        double now = now_ms(), spent_ms = processor_ms();
        if (now < due_ms) {
            wait_ms(keeper, due_ms - now);
            continue;
        }
        if (!write_round(keeper))
            break;
        double own_ms = processor_ms() - spent_ms + keeper->work_ms;
        double cost_ms = keeper->held_ms + (keeper->shares_processors ? own_ms : 0);
        due_ms = now + keeper_pause_ms(keeper->every_ms, cost_ms);
    }
    keeper_unlock(keeper);
    return NULL;
}

/* ---- opening and closing ---- */

int keeper_open(struct keeper *keeper, const struct totals *totals, struct checkpoint *checkpoint, bool keeps,
                int num_workers, struct error *error)
{
    bool is_first = ranks()->rank == 0, is_alone = ranks()->size == 1;
    *keeper = (struct keeper){.totals = *totals,
                              .checkpoint = checkpoint,
                              .num_workers = num_workers,
                              .is_open = true,
                              .lock = PTHREAD_MUTEX_INITIALIZER,
                              .changed = PTHREAD_COND_INITIALIZER};
    allocate_zeroed(&keeper->added, (size_t)num_workers, sizeof *keeper->added, "closeness", error);
    if (!keeps)
        return error->status;
    parcel_open(&keeper->copy, totals, error);
    if (is_first && !is_alone)
        parcel_open(&keeper->incoming, totals, error);
    keeper->collection = (struct ranks_collection){.context = keeper,
                                                   .bytes = keeper->copy.bytes,
                                                   .ready = parcel_is_ready,
                                                   .pack = pack_parcel,
                                                   .incoming = keeper->incoming.block,
                                                   .unpack = unpack_parcel};
    return error->status;
}

void keeper_close(struct keeper *keeper)
{
    if (!keeper->is_open)
        return;
    parcel_close(&keeper->copy);
    parcel_close(&keeper->incoming);
    free(keeper->added);
    pthread_mutex_destroy(&keeper->lock);
    pthread_cond_destroy(&keeper->changed);
    *keeper = (struct keeper){0};
}

const struct ranks_collection *keeper_collection(const struct keeper *keeper)
{
    return keeper->copy.block != NULL ? &keeper->collection : NULL;
}

int keeper_begin(struct keeper *keeper, int every_seconds, struct error *error)
{
    keeper->every_ms = 1e3 * (every_seconds > 0 ? every_seconds : DEFAULT_CHECKPOINT_SECONDS);
    keeper->began_ms = now_ms();
    keeper->earlier_ms = keeper->totals.time_ms;
    if (keeper->checkpoint == NULL)
        return STATUS_OK;
    keeper->taking = ranks_taking();
    keeper->started = pthread_create(&keeper->thread, NULL, write_rounds, keeper) == 0;
    return keeper->started
               ? STATUS_OK
               : error_set(error, STATUS_INPUT, "cannot start a thread to write the checkpoint: too many processes");
}

int keeper_end(struct keeper *keeper, struct error *error)
{
    keeper_lock(keeper);
    keeper->ending = true;
    pthread_cond_broadcast(&keeper->changed);
    keeper_unlock(keeper);
    if (keeper->started)
        pthread_join(keeper->thread, NULL);
    keeper->started = false;
    if (keeper->error.status != STATUS_OK)
        error_set(error, keeper->error.status, "%s", keeper->error.text);
    return error->status;
}

int keeper_save(struct keeper *keeper, struct error *error)
{
    if (keeper->checkpoint == NULL)
        return error->status;
    keeper_take_time(keeper);
    return checkpoint_save(keeper->checkpoint, &keeper->totals, error);
}
