/* ranks_alone.c: ranks.h without MPI, for a single process. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"

#define NO_MORE (1ull << 48) /* exceeds any count of work items */

static const struct ranks alone = {.rank = 0, .size = 1, .host_rank = 0, .host_size = 1};

struct taking {
    _Atomic uint64_t next, round_number;
    atomic_bool ended;
};

static _Thread_local struct taking own;
static _Thread_local struct taking *joined; /* another thread's; NULL: own */

struct taking *ranks_taking(void)
{
    return joined != NULL ? joined : &own;
}

void ranks_join_taking(struct taking *taking)
{
    joined = taking;
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
            return error_set(
                error, STATUS_INPUT,
                "this gtrav was built without MPI; install it (libopenmpi-dev) and run make, or start one "
                "process with --gpus all");
    }
    return STATUS_OK;
}

void ranks_close(int status)
{
    (void)status;
}

int ranks_agree(struct error *error)
{
    return error->status;
}

void ranks_share(void *data, size_t bytes)
{
    (void)data;
    (void)bytes;
}

bool ranks_have_failed(void)
{
    return false;
}

void ranks_warn(const char *if_stopped)
{
    (void)if_stopped;
}

uint64_t ranks_sum(uint64_t value)
{
    return value;
}

double ranks_most(double value)
{
    return value;
}

bool ranks_have_same(uint64_t value)
{
    (void)value;
    return true;
}

void ranks_borrow_processors(void)
{
}

void ranks_return_processors(void)
{
}

void ranks_join_gpus(const struct device *device)
{
    (void)device;
}

void ranks_leave_gpus(void)
{
}

bool ranks_have_joined_gpus(void)
{
    return false;
}

void ranks_add_wide(uint64_t *values, size_t count)
{
    (void)values;
    (void)count;
}

void ranks_add(uint32_t *values, size_t count)
{
    (void)values;
    (void)count;
}

void ranks_least(uint32_t *values, size_t count)
{
    (void)values;
    (void)count;
}

int ranks_gather(const void *data, size_t bytes, void **gathered, size_t *gathered_bytes, struct error *error)
{
    *gathered_bytes = bytes;
    if (allocate(gathered, bytes, 1, "what the ranks found", error) == STATUS_OK && bytes > 0)
        memcpy(*gathered, data, bytes);
    return error->status;
}

void ranks_begin_taking(const struct ranks_collection *collection)
{
    (void)collection;
    struct taking *taking = ranks_taking();
    atomic_store(&taking->next, 0);
    atomic_store(&taking->ended, false);
    atomic_store(&taking->round_number, 0);
}

void ranks_end_taking(void)
{
    atomic_store(&ranks_taking()->ended, true);
}

uint64_t ranks_take(uint64_t count)
{
    return atomic_fetch_add(&ranks_taking()->next, count);
}

void ranks_stop(void)
{
    atomic_fetch_add(&ranks_taking()->next, NO_MORE);
}

void ranks_answer(void)
{
}

uint64_t ranks_taken(void)
{
    return atomic_load(&ranks_taking()->next);
}

uint64_t ranks_begin_round(void)
{
    struct taking *taking = ranks_taking();
    return atomic_load(&taking->ended) ? 0 : atomic_fetch_add(&taking->round_number, 1) + 1;
}
