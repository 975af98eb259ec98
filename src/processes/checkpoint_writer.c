/* checkpoint_writer.c: rounds of a checkpoint.
 *
 * The lock guards the totals. Each critical section is one step: a worker adds the sums of a batch and marks its
 * sources; rank 0's main thread adds a totals message; rank 0's writer thread, or another rank's main thread, copies
 * the totals. No thread waits for the disk or for a message while it holds the lock. checkpoint.c proves from this
 * that no source is lost or counted twice.
 *
 * Every round terminates: each worker adds its sums after its batch, or has ended; a rank sends its totals message
 * once its workers have added their sums; the writer thread gives up when ranks_have_failed(). */
#include "checkpoint_writer.h"

#include <math.h>
#include <omp.h>
#include <time.h>

#define MOST_SHARE 0.005 /* largest share of the time for rounds; with the final round the share stays under 1% */
#define LOOK_MS    100   /* between two checks for failed ranks */
#define NS_PER_MS  1000000L

double checkpoint_writer_pause_ms(double every_ms, double cost_ms)
{
    return fmax(every_ms, cost_ms / MOST_SHARE);
}

/* Waits until something changes, at most LOOK_MS. The caller holds the lock. */
static void wait_ms(struct checkpoint_writer *writer, double milliseconds)
{
    long most = (long)(milliseconds < LOOK_MS ? milliseconds : LOOK_MS) + 1;
    struct timespec until = time_after(CLOCK_REALTIME, most * NS_PER_MS);
    pthread_cond_timedwait(&writer->changed, &writer->lock, &until);
}

/* Returns the processor time of the calling thread. */
static double processor_ms(void)
{
    struct timespec spent;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return 1e3 * (double)spent.tv_sec + 1e-6 * (double)spent.tv_nsec;
}

void checkpoint_writer_take_time(struct checkpoint_writer *writer)
{
    writer->totals.head->time_ms = writer->earlier_ms + now_ms() - writer->began_ms;
}

/* ---- workers ---- */

/* The caller holds the lock. */
static bool workers_have_added(const struct checkpoint_writer *writer, uint64_t round)
{
    for (int worker = 0; worker < writer->num_workers; worker++)
        if (writer->added[worker] < round)
            return false;
    return true;
}

bool checkpoint_writer_wants(struct checkpoint_writer *writer, int worker)
{
    pthread_mutex_lock(&writer->lock);
    bool wants = writer->added[worker] < writer->round;
    pthread_mutex_unlock(&writer->lock);
    return wants;
}

void checkpoint_writer_has_added(struct checkpoint_writer *writer, int worker, double held_ms)
{
    pthread_mutex_lock(&writer->lock);
    writer->added[worker] = writer->round;
    writer->held_ms = fmax(writer->held_ms, held_ms);
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

void checkpoint_writer_worker_ends(struct checkpoint_writer *writer, int worker)
{
    pthread_mutex_lock(&writer->lock);
    writer->added[worker] = UINT64_MAX;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

/* ---- totals messages: callbacks of the main thread (ranks.h) ---- */

static bool message_is_ready(void *context, uint64_t round)
{
    struct checkpoint_writer *writer = context;
    pthread_mutex_lock(&writer->lock);
    writer->round = round;
    bool ready = workers_have_added(writer, round);
    pthread_mutex_unlock(&writer->lock);
    return ready;
}

static const void *pack_message(void *context)
{
    struct checkpoint_writer *writer = context;
    pthread_mutex_lock(&writer->lock);
    totals_copy(&writer->copy, &writer->totals);
    writer->copy.head->held_ms = writer->held_ms;
    totals_clear(&writer->totals);
    writer->held_ms = 0;
    pthread_mutex_unlock(&writer->lock);
    return writer->copy.head;
}

static void unpack_message(void *context)
{
    struct checkpoint_writer *writer = context;
    double began_ms = now_ms();
    pthread_mutex_lock(&writer->lock);
    totals_add(&writer->totals, &writer->incoming);
    writer->held_ms = fmax(writer->held_ms, writer->incoming.head->held_ms);
    writer->work_ms += now_ms() - began_ms;
    writer->messages++;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

/* ---- rank 0's thread ---- */

static bool round_is_complete(const struct checkpoint_writer *writer)
{
    return workers_have_added(writer, writer->round) && writer->messages + 1 == (uint64_t)ranks()->size;
}

/* Runs one round. The caller holds the lock, which is released while the file is written. False: it was the last. */
static bool write_round(struct checkpoint_writer *writer)
{
    writer->messages = 0;
    writer->held_ms = writer->work_ms = 0;
    writer->round = ranks_begin_round();
    if (writer->round == 0)
        return false;
    while (!round_is_complete(writer) && !writer->ending && !ranks_have_failed())
        wait_ms(writer, LOOK_MS);
    if (!round_is_complete(writer))
        return false;
    checkpoint_writer_take_time(writer);
    totals_copy(&writer->copy, &writer->totals);
    pthread_mutex_unlock(&writer->lock);
    checkpoint_save(writer->checkpoint, &writer->copy, &writer->error);
    pthread_mutex_lock(&writer->lock);
    if (writer->error.status != STATUS_OK)
        ranks_stop();
    return writer->error.status == STATUS_OK;
}

static void *write_rounds(void *context)
{
    struct checkpoint_writer *writer = context;
    double due_ms = writer->began_ms + writer->every_ms;
    omp_set_num_threads(1);
    ranks_join_work_counter(writer->counter);
    pthread_mutex_lock(&writer->lock);
    while (!writer->ending) {
        double now = now_ms(), spent_ms = processor_ms();
        if (now < due_ms) {
            wait_ms(writer, due_ms - now);
            continue;
        }
        if (!write_round(writer))
            break;
        double own_ms = processor_ms() - spent_ms + writer->work_ms;
        double cost_ms = writer->held_ms + (writer->shares_processors ? own_ms : 0);
        due_ms = now + checkpoint_writer_pause_ms(writer->every_ms, cost_ms);
    }
    pthread_mutex_unlock(&writer->lock);
    return NULL;
}

/* ---- opening and closing ---- */

int checkpoint_writer_open(struct checkpoint_writer *writer, const struct totals *totals, struct checkpoint *checkpoint,
                           bool keeps, int num_workers, struct error *error)
{
    bool is_first = ranks()->rank == 0, is_alone = ranks()->size == 1;
    *writer = (struct checkpoint_writer){.totals = *totals,
                                         .checkpoint = checkpoint,
                                         .num_workers = num_workers,
                                         .is_open = true,
                                         .lock = PTHREAD_MUTEX_INITIALIZER,
                                         .changed = PTHREAD_COND_INITIALIZER};
    allocate_zeroed(&writer->added, (size_t)num_workers, sizeof *writer->added, "closeness", error);
    if (!keeps)
        return error->status;
    totals_open(&writer->copy, totals->num_sources, totals->num_vertices, error);
    if (is_first && !is_alone)
        totals_open(&writer->incoming, totals->num_sources, totals->num_vertices, error);
    writer->collection = (struct ranks_collection){.context = writer,
                                                   .bytes = writer->copy.bytes,
                                                   .ready = message_is_ready,
                                                   .pack = pack_message,
                                                   .incoming = writer->incoming.head,
                                                   .unpack = unpack_message};
    return error->status;
}

void checkpoint_writer_close(struct checkpoint_writer *writer)
{
    if (!writer->is_open)
        return;
    totals_close(&writer->copy);
    totals_close(&writer->incoming);
    free(writer->added);
    pthread_mutex_destroy(&writer->lock);
    pthread_cond_destroy(&writer->changed);
    *writer = (struct checkpoint_writer){0};
}

int checkpoint_writer_begin(struct checkpoint_writer *writer, int every_seconds, struct error *error)
{
    ranks_begin_work(writer->copy.head != NULL ? &writer->collection : NULL);
    writer->every_ms = 1e3 * (every_seconds > 0 ? every_seconds : DEFAULT_CHECKPOINT_SECONDS);
    writer->began_ms = now_ms();
    writer->earlier_ms = writer->totals.head->time_ms;
    if (writer->checkpoint == NULL)
        return STATUS_OK;
    writer->counter = ranks_work_counter();
    writer->started = pthread_create(&writer->thread, NULL, write_rounds, writer) == 0;
    return writer->started
               ? STATUS_OK
               : error_set(error, STATUS_INPUT, "cannot start a thread to write the checkpoint: too many processes");
}

int checkpoint_writer_end(struct checkpoint_writer *writer, struct error *error)
{
    ranks_end_work();
    pthread_mutex_lock(&writer->lock);
    writer->ending = true;
    pthread_cond_broadcast(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    if (writer->started)
        pthread_join(writer->thread, NULL);
    writer->started = false;
    if (writer->error.status != STATUS_OK)
        error_set(error, writer->error.status, "%s", writer->error.text);
    return error->status;
}

int checkpoint_writer_save(struct checkpoint_writer *writer, struct error *error)
{
    if (writer->checkpoint == NULL)
        return error->status;
    checkpoint_writer_take_time(writer);
    return checkpoint_save(writer->checkpoint, &writer->totals, error);
}
