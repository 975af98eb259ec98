/* ranks_alone.c: ranks.h without MPI, for a single process. */
#include <stdatomic.h>

#include "ranks.h"

#define NO_MORE (1ull << 48) /* exceeds any count of work items */

static const struct ranks alone = {.rank = 0, .size = 1, .host_rank = 0, .host_size = 1};

struct work_counter {
    _Atomic uint64_t next, round_number;
    atomic_bool ended;
};

static _Thread_local struct work_counter own;
static _Thread_local struct work_counter *joined; /* another thread's counter; NULL: this thread's own */

struct work_counter *ranks_work_counter(void)
{
    return joined != NULL ? joined : &own;
}

void ranks_join_work_counter(struct work_counter *counter)
{
    joined = counter;
}

const struct ranks *ranks(void)
{
    return &alone;
}

int ranks_open(struct error *error)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}; /* Open MPI's and MPICH's mpirun */
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const char *size = getenv(sizes[i]);
        if (size != NULL && atoi(size) > 1)
            return error_set(error, STATUS_INPUT,
                             "this gtrav was built without MPI; install it (libopenmpi-dev) and run make, or start "
                             "one process with --gpus all");
    }
    return STATUS_OK;
}

/* Define functions that have nothing to do if there is one rank. */
#define NOTHING(call)                                                                                                  \
    void call                                                                                                          \
    {                                                                                                                  \
    }
#define ANSWER(type, call, value)                                                                                      \
    type call                                                                                                          \
    {                                                                                                                  \
        return value;                                                                                                  \
    }

NOTHING(ranks_close(UNUSED int status))
ANSWER(int, ranks_agree(struct error *error), error->status)
NOTHING(ranks_share(UNUSED void *data, UNUSED size_t bytes))
ANSWER(bool, ranks_have_failed(void), false)
NOTHING(ranks_warn(UNUSED const char *if_stopped))
ANSWER(uint64_t, ranks_sum(uint64_t value), value)
ANSWER(double, ranks_most(double value), value)
ANSWER(bool, ranks_have_same(UNUSED uint64_t value), true)
NOTHING(ranks_borrow_processors(UNUSED bool all))
NOTHING(ranks_join_gpus(UNUSED const struct device *device))
NOTHING(ranks_leave_gpus(void))
ANSWER(bool, ranks_have_joined_gpus(void), false)
NOTHING(ranks_add(UNUSED void *values, UNUSED size_t count, UNUSED size_t size))
NOTHING(ranks_least(UNUSED uint32_t *values, UNUSED size_t count))
NOTHING(ranks_answer(void))

int ranks_gather(const void *data, size_t bytes, void **gathered, size_t *gathered_bytes, struct error *error)
{
    *gathered_bytes = bytes;
    if (allocate(gathered, bytes, 1, "what the ranks found", error) == STATUS_OK && bytes > 0)
        memcpy(*gathered, data, bytes);
    return error->status;
}

void ranks_begin_work(UNUSED const struct ranks_collection *collection)
{
    struct work_counter *counter = ranks_work_counter();
    atomic_store(&counter->next, 0);
    atomic_store(&counter->ended, false);
    atomic_store(&counter->round_number, 0);
}

void ranks_end_work(void)
{
    atomic_store(&ranks_work_counter()->ended, true);
}

uint64_t ranks_take(uint64_t count)
{
    return atomic_fetch_add(&ranks_work_counter()->next, count);
}

void ranks_stop(void)
{
    atomic_fetch_add(&ranks_work_counter()->next, NO_MORE);
}

uint64_t ranks_taken(void)
{
    return atomic_load(&ranks_work_counter()->next);
}

uint64_t ranks_begin_round(void)
{
    struct work_counter *counter = ranks_work_counter();
    return atomic_load(&counter->ended) ? 0 : atomic_fetch_add(&counter->round_number, 1) + 1;
}
