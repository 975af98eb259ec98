#include "crew.h"

#include <omp.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "ranks.h"

struct member {
    struct device *device;
    int number, num_threads; /* num_threads: of its OpenMP team */
    int (*work)(int number, void *context, struct error *error);
    void *context;
    pthread_t thread;
    bool started;
    atomic_bool ended;
    struct error *error;
};

static void *member_main(void *argument)
{
    struct member *member = argument;
    struct error *error = member->error;
    omp_set_num_threads(member->num_threads);
    if (member->device->use(member->device, error) == STATUS_OK)
        member->work(member->number, member->context, error);
    if (error->status != STATUS_OK)
        ranks_stop();
    atomic_store(&member->ended, true);
    return NULL;
}

/* An interruption is told only where nothing else is; what a device says goes with its number. */
static void take_error(const struct member *members, int num_members, struct error *error)
{
    const struct member *first = NULL;
    for (int i = 0; i < num_members; i++)
        if (members[i].error->status != STATUS_OK &&
            (first == NULL ||
             (first->error->status == STATUS_INTERRUPTED && members[i].error->status != STATUS_INTERRUPTED)))
            first = &members[i];
    if (first == NULL)
        return;
    if (num_members > 1 && first->error->status != STATUS_INTERRUPTED)
        error_set(error, first->error->status, "device %d: %s", first->device->number, first->error->text);
    else
        error_set(error, first->error->status, "%s", first->error->text);
}

static void run_threads(struct member *members, int num_members)
{
    for (int i = 0; i < num_members; i++) {
        members[i].started = pthread_create(&members[i].thread, NULL, member_main, &members[i]) == 0;
        if (members[i].started)
            continue;
        error_set(members[i].error, STATUS_INPUT, "cannot start a thread for it");
        ranks_stop();
    }
    for (int i = 0; i < num_members; i++) {
        while (ranks()->size > 1 && members[i].started && !atomic_load(&members[i].ended))
            ranks_answer();
        if (members[i].started)
            pthread_join(members[i].thread, NULL);
    }
}

int crew_open(struct crew *crew, struct device *devices, int size, struct error *error)
{
    *crew = (struct crew){.devices = devices, .size = size};
    return allocate_zeroed(&crew->errors, (size_t)size, sizeof *crew->errors, "the devices' threads", error);
}

void crew_close(struct crew *crew)
{
    free(crew->errors);
    *crew = (struct crew){0};
}

int crew_run(struct crew *crew, int (*work)(int number, void *context, struct error *error), void *context,
             struct error *error)
{
    struct member *members;
    int share = omp_get_max_threads() / crew->size;
    if (allocate_zeroed(&members, (size_t)crew->size, sizeof *members, "the devices' threads", error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < crew->size; i++) {
        members[i].device = &crew->devices[i];
        members[i].number = i;
        members[i].num_threads = share > 0 ? share : 1;
        members[i].work = work;
        members[i].context = context;
        members[i].error = &crew->errors[i];
    }
    if (crew->size == 1 && ranks()->size == 1)
        member_main(&members[0]);
    else
        run_threads(members, crew->size);
    take_error(members, crew->size, error);
    free(members);
    return error->status;
}
