#include "device_threads.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>

#include "../processes/ranks.h"
#include "../progress.h"

struct device_thread {
    struct device *device;
    int number, num_threads; /* number of the device; size of the thread's OpenMP team */
    int (*work)(int number, void *context, struct error *own_error);
    void *context;
    struct progress_listener *listener; /* the listener of the thread that calls device_threads_run() */
    struct work_counter *counter;       /* the work counter of that thread's rank */
    pthread_t thread;
    bool started;
    atomic_bool ended;
    struct error error;
};

int device_threads_open(struct device_threads *threads, struct device *devices, int size, struct error *error)
{
    int share = omp_get_max_threads() / size;
    *threads = (struct device_threads){.size = size};
    if (allocate_zeroed(&threads->members, (size_t)size, sizeof *threads->members, "the devices' threads", error) !=
        STATUS_OK)
        return error->status;
    for (int i = 0; i < size; i++) {
        threads->members[i].device = &devices[i];
        threads->members[i].number = i;
        threads->members[i].num_threads = share > 0 ? share : 1;
    }
    return STATUS_OK;
}

void device_threads_close(struct device_threads *threads)
{
    free(threads->members);
    *threads = (struct device_threads){0};
}

static void work_as(struct device_thread *member)
{
    struct error *error = &member->error;
    if (member->device->use(member->device, error) == STATUS_OK)
        member->work(member->number, member->context, error);
    if (error->status != STATUS_OK)
        ranks_stop();
}

static void *member_main(void *argument)
{
    struct device_thread *member = argument;
    omp_set_num_threads(member->num_threads);
    progress_listener = member->listener;
    ranks_join_work_counter(member->counter);
    work_as(member);
    atomic_store(&member->ended, true);
    return NULL;
}

/* Runs a thread for each device. If a thread cannot be created, the caller does its work. */
static void run_threads(struct device_threads *threads)
{
    for (int i = 0; i < threads->size; i++) {
        struct device_thread *member = &threads->members[i];
        atomic_store(&member->ended, false);
        member->started = pthread_create(&member->thread, NULL, member_main, member) == 0;
    }
    for (int i = 0; i < threads->size; i++)
        if (!threads->members[i].started)
            work_as(&threads->members[i]);
    for (int i = 0; i < threads->size; i++) {
        struct device_thread *member = &threads->members[i];
        while (ranks()->size > 1 && member->started && !atomic_load(&member->ended))
            ranks_answer();
        if (member->started)
            pthread_join(member->thread, NULL);
    }
}

/* Sets *error to the first error of a device, preferably one that is no interruption, with the device's number. */
static void take_error(const struct device_threads *threads, struct error *error)
{
    const struct device_thread *first = NULL;
    for (int i = 0; i < threads->size; i++) {
        const struct device_thread *member = &threads->members[i];
        if (member->error.status != STATUS_OK && (first == NULL || (first->error.status == STATUS_INTERRUPTED &&
                                                                    member->error.status != STATUS_INTERRUPTED)))
            first = member;
    }
    if (first == NULL)
        return;
    error->of_algorithm |= first->error.of_algorithm;
    if (threads->size > 1 && first->error.status != STATUS_INTERRUPTED)
        error_set(error, first->error.status, "device %d: %s", first->device->number, first->error.text);
    else
        error_set(error, first->error.status, "%s", first->error.text);
}

int device_threads_run(struct device_threads *threads, int (*work)(int number, void *context, struct error *own_error),
                       void *context, struct error *error)
{
    for (int i = 0; i < threads->size; i++) {
        threads->members[i].work = work;
        threads->members[i].context = context;
        threads->members[i].listener = progress_listener;
        threads->members[i].counter = ranks_work_counter();
    }
    if (threads->size == 1 && ranks()->size == 1)
        work_as(&threads->members[0]);
    else
        run_threads(threads);
    take_error(threads, error);
    return error->status;
}
