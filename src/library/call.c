/* call.c: what all long calls share: progress, cancellation, threads, errors. */
#include <omp.h>
#include <unistd.h>

#include "internal.h"

#define REPORT_MS  50.0
#define SMALL_CALL (UINT64_C(1) << 20) /* entries that one thread reads in about 1 ms */

int check_arguments(const char *function, const char *needs, bool given, gtrav_error *public_error)
{
    struct library_call call;
    if (given && (public_error == NULL || public_error->status == GTRAV_OK))
        return STATUS_OK;
    if (call_begin(&call, NULL, NULL, public_error) && !given)
        error_set(&call.error, STATUS_INPUT, "%s needs %s", function, needs);
    return call_end(&call);
}

/* A forked process has none of its parent's threads, neither OpenMP's nor the driver's, so a search would wait for
 * them for ever. OpenMP keeps a team per calling thread, so a new thread of the process gets a new team. */
int refuse_fork(pid_t process_of_context, struct error *error)
{
    static _Thread_local pid_t process_of_thread;
    pid_t process = getpid();
    bool forked = process_of_context != process || (process_of_thread != 0 && process_of_thread != process);
    process_of_thread = process_of_thread != 0 ? process_of_thread : process;
    return forked ? error_set(error, STATUS_INPUT,
                              "this process was forked after its parent used the library, and lacks its threads; "
                              "start a program instead (in Python by the method 'spawn'), or make a context on a new "
                              "thread")
                  : STATUS_OK;
}

/* ---- listening to progress.h ---- */

/* Whether there is a reporter, and this is the thread that called the library, on which it runs. */
static bool may_report(const struct library_call *call)
{
    return call->reporter.report != NULL && pthread_equal(pthread_self(), call->thread);
}

static void report(struct library_call *call)
{
    call->reported_ms = now_ms();
    if (call->reporter.report(call->reporter.context, call->phase, atomic_load(&call->done), call->total))
        atomic_store(&call->stopped, true);
}

static void report_now_and_then(struct library_call *call)
{
    if (may_report(call) && now_ms() - call->reported_ms >= REPORT_MS)
        report(call);
}

static void begin_phase(struct progress_listener *self, const char *phase, uint64_t total)
{
    struct library_call *call = (struct library_call *)self;
    if (!may_report(call))
        return;
    snprintf(call->phase, sizeof call->phase, "%s", phase);
    call->total = total;
    atomic_store(&call->done, 0);
    report(call);
}

static void set_done(struct progress_listener *self, uint64_t done)
{
    struct library_call *call = (struct library_call *)self;
    atomic_store_explicit(&call->done, done, memory_order_relaxed);
    report_now_and_then(call);
}

static bool is_cancelled(const struct library_call *call)
{
    return atomic_load_explicit(&call->stopped, memory_order_relaxed) ||
           (call->cancelled != NULL && atomic_load_explicit(call->cancelled, memory_order_relaxed)) ||
           atomic_load_explicit(call->cancels, memory_order_relaxed) != call->cancels_before;
}

static bool stops(struct progress_listener *self)
{
    struct library_call *call = (struct library_call *)self;
    report_now_and_then(call);
    return is_cancelled(call);
}

/* ---- begin and end ---- */

/* Makes the call listen to progress and to requests to stop. */
static void listen(struct library_call *call, gtrav_context *context, gtrav_query *query)
{
    call->listener = (struct progress_listener){.begin = begin_phase, .set = set_done, .stops = stops};
    call->listens = true;
    call->cancelled = query != NULL ? &query->cancelled : NULL;
    call->cancels = &context->cancels;
    call->cancels_before = atomic_load(&context->cancels);
    call->thread = pthread_self();
    call->outer = progress_listener;
    call->outer_threads = omp_get_max_threads();
    if (query != NULL && query->reporter.report != NULL) {
        call->reporter = query->reporter;
    } else {
        pthread_mutex_lock(&context->lock);
        call->reporter = context->reporter;
        pthread_mutex_unlock(&context->lock);
    }
    progress_listener = &call->listener;
    omp_set_num_threads(context->threads);
}

bool call_begin(struct library_call *call, gtrav_context *context, gtrav_query *query, gtrav_error *public_error)
{
    *call = (struct library_call){.public_error = public_error};
    if (public_error != NULL && public_error->status != GTRAV_OK)
        call->error.status = public_error->status;
    else if (context != NULL && refuse_fork(context->process, &call->error) == STATUS_OK)
        listen(call, context, query);
    return call->error.status == STATUS_OK;
}

void call_expect(uint64_t entries, uint64_t times)
{
    if (times == 0 || entries <= SMALL_CALL / times)
        omp_set_num_threads(1);
}

int call_end(struct library_call *call)
{
    gtrav_error *public_error = call->public_error;
    if (call->listens) {
        bool stopped = is_cancelled(call);
        progress_listener = call->outer;
        omp_set_num_threads(call->outer_threads);
        if (call->cancelled != NULL)
            stopped = atomic_exchange(call->cancelled, false) || stopped;
        if (stopped)
            error_set(&call->error, STATUS_INTERRUPTED, "interrupted");
    }
    if (public_error != NULL && public_error->status == GTRAV_OK && call->error.status != STATUS_OK) {
        public_error->status = call->error.status;
        snprintf(public_error->text, sizeof public_error->text, "%s", call->error.text);
    }
    return call->error.status;
}
