#include "crew.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../progress.h"
#include "ranks.h"

struct crew_member {
    struct device *device;
    int number, num_threads; /* num_threads: size of its OpenMP team */
    int (*work)(int number, void *context, struct error *own_error);
    void *context;
    struct progress_listener *listener; /* of the thread that runs the crew */
    struct taking *taking;              /* its numbers */
    pthread_t thread;
    bool started;
    atomic_bool ended;
    struct error error;
};

int crew_open(struct crew *crew, struct device *devices, int size, struct error *error)
{
    int share = omp_get_max_threads() / size;
    *crew = (struct crew){.size = size};
    if (allocate_zeroed(&crew->members, (size_t)size, sizeof *crew->members, "the devices' threads", error) !=
        STATUS_OK)
        return error->status;
    for (int i = 0; i < size; i++) {
        crew->members[i].device = &devices[i];
        crew->members[i].number = i;
        crew->members[i].num_threads = share > 0 ? share : 1;
    }
    return STATUS_OK;
}

void crew_close(struct crew *crew)
{
    free(crew->members);
    *crew = (struct crew){0};
}

static void work_as(struct crew_member *member)
{
    struct error *error = &member->error;
    if (member->device->use(member->device, error) == STATUS_OK)
        member->work(member->number, member->context, error);
    if (error->status != STATUS_OK)
        ranks_stop();
}

static void *member_main(void *argument)
{
    struct crew_member *member = argument;
    omp_set_num_threads(member->num_threads);
    progress_listener = member->listener;
    ranks_join_taking(member->taking);
    work_as(member);
    atomic_store(&member->ended, true);
    return NULL;
}

/* If a thread cannot be created, the caller does its work. */
static void run_threads(struct crew *crew)
{
    for (int i = 0; i < crew->size; i++) {
        struct crew_member *member = &crew->members[i];
        atomic_store(&member->ended, false);
        member->started = pthread_create(&member->thread, NULL, member_main, member) == 0;
    }
    for (int i = 0; i < crew->size; i++)
        if (!crew->members[i].started)
            work_as(&crew->members[i]);
    for (int i = 0; i < crew->size; i++) {
        struct crew_member *member = &crew->members[i];
        while (ranks()->size > 1 && member->started && !atomic_load(&member->ended))
            ranks_answer();
        if (member->started)
            pthread_join(member->thread, NULL);
    }
}

/* Any other error outranks an interruption. The message of a device's error gets the device's number. */
static void take_error(const struct crew *crew, struct error *error)
{
    const struct crew_member *first = NULL;
    for (int i = 0; i < crew->size; i++) {
        const struct crew_member *member = &crew->members[i];
        if (member->error.status != STATUS_OK && (first == NULL || (first->error.status == STATUS_INTERRUPTED &&
                                                                    member->error.status != STATUS_INTERRUPTED)))
            first = member;
    }
    if (first == NULL)
        return;
    error->of_algorithm |= first->error.of_algorithm;
    if (crew->size > 1 && first->error.status != STATUS_INTERRUPTED)
        error_set(error, first->error.status, "device %d: %s", first->device->number, first->error.text);
    else
        error_set(error, first->error.status, "%s", first->error.text);
}

int crew_run(struct crew *crew, int (*work)(int number, void *context, struct error *own_error), void *context,
             struct error *error)
{
    for (int i = 0; i < crew->size; i++) {
        crew->members[i].work = work;
        crew->members[i].context = context;
        crew->members[i].listener = progress_listener;
        crew->members[i].taking = ranks_taking();
    }
    if (crew->size == 1 && ranks()->size == 1)
        work_as(&crew->members[0]);
    else
        run_threads(crew);
    take_error(crew, error);
    return error->status;
}
