/* ranks_mpi.c: ranks.h by MPI. A process that was not started by mpirun (or srun) is alone, and never calls MPI.
 *
 * Workers' threads and the main thread call MPI, one at a time (MPI_THREAD_SERIALIZED, the critical section mpi).
 *
 * What is handed out: one word in rank 0's window, the first number that nobody has. Each rank adds to it by
 * MPI_Fetch_and_op, which is atomic on the word whoever calls and from wherever; what it returns is the first of the
 * numbers that are the caller's alone. Rank 0 takes part as any other does. Where the library needs rank 0's help to
 * do it, rank 0's main thread gives that while its workers search (ranks_answer).
 *
 * Waiting: before ranks exchange anything they meet, in naps, so that who is early leaves the processor to others,
 * and notices that it shall stop. Who has been told to stop and still meets nobody after PATIENCE_MS concludes that a
 * rank has died. */
#include <limits.h>
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../kernels/backend/gpu_sum.h"
#include "../progress.h"
#include "ranks.h"

#define NO_MORE     (1ull << 48) /* numbers: more than there are of anything that is handed out */
#define PATIENCE_MS 10000.0
#define NAP_US      200
#define MOST_BYTES  ((size_t)1 << 30) /* of a message */

static struct ranks self = {.rank = 0, .size = 1, .host_rank = 0, .host_size = 1};
static bool initialised;
static bool broken;               /* the others do not answer */
static MPI_Comm on_host, leaders; /* the ranks of this machine; the first of each machine */
static MPI_Win window;            /* rank 0: the first number that nobody has */
static bool has_window;
static uint64_t *window_memory;
static _Atomic uint64_t next; /* the same of a process that is alone */
static struct gpu_sum *gpu_sum;
static const char *to_say;  /* when told to stop; NULL: nothing, or it has been said */
static pid_t first_on_host; /* the process */

const struct ranks *ranks(void)
{
    return &self;
}

static bool is_alone(void)
{
    return self.size == 1;
}

/* ---- waiting ---- */

/* mpirun tells the ranks to stop when one of them dies, and a second later kills them. Rank 0 says so to the user at
 * once; if it is the one that died, and was on this machine, rank 1 does. */
static void say_if_stopped(void)
{
    bool speaks = self.rank == 0 || (self.rank == 1 && self.host_rank == 1 && kill(first_on_host, 0) != 0);
    if (to_say == NULL || !stop_requested())
        return;
    if (speaks)
        progress_say(to_say);
    to_say = NULL;
}

/* When all of the others have come, or will not. */
static void wait_for(MPI_Request *request, double limit_ms)
{
    double began_ms = now_ms(), stop_ms = 0;
    for (int met = 0; !broken; usleep(NAP_US)) {
#pragma omp critical(mpi)
        MPI_Test(request, &met, MPI_STATUS_IGNORE);
        if (met)
            return;
        say_if_stopped();
        if (stop_requested() && stop_ms == 0)
            stop_ms = now_ms();
        broken =
            (stop_ms > 0 && now_ms() - stop_ms > PATIENCE_MS) || (limit_ms > 0 && now_ms() - began_ms > limit_ms);
    }
}

/* False: nothing can be exchanged. */
static bool meet(void)
{
    MPI_Request request;
    if (is_alone() || broken)
        return false;
#pragma omp critical(mpi)
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_for(&request, 0);
    return !broken;
}

void ranks_answer(void)
{
    int is_there;
    say_if_stopped();
    usleep(NAP_US);
#pragma omp critical(mpi)
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &is_there, MPI_STATUS_IGNORE);
}

/* ---- coming and going ---- */

/* By Open MPI, MPICH and what descends from it, or srun with PMIx. */
static bool was_started_as_one_of_several(void)
{
    const char *open_mpi = getenv("OMPI_COMM_WORLD_SIZE"), *pmi = getenv("PMI_SIZE");
    return (open_mpi != NULL && atoi(open_mpi) > 1) || (pmi != NULL && atoi(pmi) > 1) || getenv("PMIX_RANK") != NULL;
}

/* Where nobody has said how many threads there shall be, and the processes of a machine are not bound to processors
 * of their own, they share them out. */
static void share_processors(void)
{
    cpu_set_t allowed;
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    bool bound = sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) < all;
    int share = (int)(all / self.host_size);
    if (self.host_size > 1 && !bound && getenv("OMP_NUM_THREADS") == NULL)
        omp_set_num_threads(share > 0 ? share : 1);
}

int ranks_open(struct error *error)
{
    int level;
    if (!was_started_as_one_of_several())
        return STATUS_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS)
        return error_set(error, STATUS_INPUT, "MPI does not start; run one process with --gpus all instead");
    initialised = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.size);
    if (level < MPI_THREAD_SERIALIZED)
        return error_set(error, STATUS_INPUT,
                         "this MPI library cannot be called from threads (MPI_THREAD_SERIALIZED); use another one");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &on_host);
    MPI_Comm_rank(on_host, &self.host_rank);
    MPI_Comm_size(on_host, &self.host_size);
    MPI_Comm_split(MPI_COMM_WORLD, self.host_rank == 0 ? 0 : MPI_UNDEFINED, 0, &leaders);
    first_on_host = getpid();
    MPI_Bcast(&first_on_host, (int)sizeof first_on_host, MPI_BYTE, 0, on_host);
    share_processors();
    return STATUS_OK;
}

/* MPI_Finalize() waits for everyone: who has failed does not wait for ever. */
void ranks_close(int status)
{
    MPI_Request request;
    if (!initialised)
        return;
    gpu_sum_close(gpu_sum);
    gpu_sum = NULL;
    if (!broken) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        wait_for(&request, status != STATUS_OK ? PATIENCE_MS : 0);
    }
    if (broken)
        MPI_Abort(MPI_COMM_WORLD, status != STATUS_OK ? status : STATUS_DEVICE);
    if (has_window) {
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
    }
    MPI_Comm_free(&on_host);
    if (leaders != MPI_COMM_NULL)
        MPI_Comm_free(&leaders);
    MPI_Finalize();
}

/* ---- agreeing ---- */

/* The worst error is the one to tell: an interruption is none beside any other. */
static int severity(const struct error *error)
{
    return error->status == STATUS_OK ? 0 : error->status == STATUS_INTERRUPTED ? 1 : 1 + error->status;
}

int ranks_agree(struct error *error)
{
    struct {
        int severity, rank;
    } own = {severity(error), self.rank}, worst;
    struct error told = *error;
    if (is_alone())
        return error->status;
    if (!meet())
        return error_set(error, STATUS_DEVICE,
                         "rank %d was told to stop, and the others do not answer: one of them has died", self.rank);
    MPI_Allreduce(&own, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (worst.severity == 0)
        return STATUS_OK;
    if (worst.rank == self.rank && self.rank > 0 && error->status != STATUS_INTERRUPTED) {
        char host[64] = "";
        gethostname(host, sizeof host - 1);
        told.status = STATUS_OK;
        error_set(&told, error->status, "rank %d on %s: %s", self.rank, host, error->text);
    }
    MPI_Bcast(&told, (int)sizeof told, MPI_BYTE, worst.rank, MPI_COMM_WORLD);
    *error = told;
    return error->status;
}

/* ---- exchanging ---- */

void ranks_share(void *data, size_t bytes)
{
    char *at = data;
    if (!meet())
        return;
    for (size_t part; bytes > 0; at += part, bytes -= part) {
        part = bytes < MOST_BYTES ? bytes : MOST_BYTES;
        MPI_Bcast(at, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

uint64_t ranks_sum(uint64_t value)
{
    uint64_t sum = value;
    if (meet())
        MPI_Allreduce(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

double ranks_most(double value)
{
    double most = value;
    if (meet())
        MPI_Allreduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

/* To the first rank of a communicator, in place. */
static void reduce(MPI_Comm among, void *values, size_t count, size_t size, MPI_Datatype type, MPI_Op op)
{
    int rank;
    MPI_Comm_rank(among, &rank);
    for (size_t first = 0, part; first < count; first += part) {
        part = count - first < MOST_BYTES / size ? count - first : MOST_BYTES / size;
        void *at = (char *)values + first * size;
        MPI_Reduce(rank == 0 ? MPI_IN_PLACE : at, at, (int)part, type, op, 0, among);
    }
}

/* Within each machine, by its GPUs where they are joined; then from machine to machine. */
static void add_all(void *values, size_t count, size_t size, MPI_Datatype type)
{
    struct error error = {0};
    if (!meet())
        return;
    if (gpu_sum == NULL) {
        reduce(on_host, values, count, size, type, MPI_SUM);
    } else if (gpu_sum_add(gpu_sum, values, count, size, &error) != STATUS_OK) { /* the others hang in there */
        fprintf(stderr, "gtrav: rank %d: %s\n", self.rank, error.text);
        MPI_Abort(MPI_COMM_WORLD, error.status);
    }
    if (self.host_rank == 0)
        reduce(leaders, values, count, size, type, MPI_SUM);
}

void ranks_add_wide(uint64_t *values, size_t count)
{
    add_all(values, count, sizeof *values, MPI_UINT64_T);
}

void ranks_add(uint32_t *values, size_t count)
{
    add_all(values, count, sizeof *values, MPI_UINT32_T);
}

void ranks_least(uint32_t *values, size_t count)
{
    if (meet())
        reduce(MPI_COMM_WORLD, values, count, sizeof *values, MPI_UINT32_T, MPI_MIN);
}

static void send_bytes(const char *data, size_t bytes)
{
    for (size_t part; bytes > 0; data += part, bytes -= part) {
        part = bytes < MOST_BYTES ? bytes : MOST_BYTES;
        MPI_Send(data, (int)part, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

static void receive_bytes(char *data, size_t bytes, int from)
{
    for (size_t part; bytes > 0; data += part, bytes -= part) {
        part = bytes < MOST_BYTES ? bytes : MOST_BYTES;
        MPI_Recv(data, (int)part, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int ranks_gather(const void *data, size_t bytes, void **gathered, size_t *gathered_bytes, struct error *error)
{
    uint64_t own = bytes, *each = NULL;
    *gathered = NULL;
    *gathered_bytes = 0;
    if (self.rank == 0)
        allocate(&each, (size_t)self.size, sizeof *each, "what the ranks found", error);
    if (ranks_agree(error) != STATUS_OK)
        goto end;
    if (is_alone())
        *each = own;
    else
        MPI_Gather(&own, 1, MPI_UINT64_T, each, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    for (int rank = 0; self.rank == 0 && rank < self.size; rank++)
        *gathered_bytes += each[rank];
    if (self.rank == 0)
        allocate(gathered, *gathered_bytes, 1, "what the ranks found", error);
    if (ranks_agree(error) != STATUS_OK)
        goto end;
    if (self.rank > 0) {
        send_bytes(data, bytes);
        goto end;
    }
    char *at = *gathered;
    if (bytes > 0)
        memcpy(at, data, bytes);
    for (int rank = 1; rank < self.size; rank++)
        receive_bytes(at += each[rank - 1], each[rank], rank);
end:
    free(each);
    return error->status;
}

/* ---- GPUs ---- */

void ranks_join_gpus(const struct device *device)
{
    unsigned char id[GPU_SUM_ID_BYTES] = {0};
    struct error error = {0}; /* the sums go by MPI then */
    int ready = device->kind == DEVICE_GPU && self.host_size > 1 && self.host_size <= device_count_gpu(), all;
    if (gpu_sum != NULL || !meet())
        return;
    if (ready && self.host_rank == 0)
        ready = gpu_sum_make_id(id, &error) == STATUS_OK;
    MPI_Bcast(id, (int)sizeof id, MPI_BYTE, 0, on_host);
    MPI_Allreduce(&ready, &all, 1, MPI_INT, MPI_MIN, on_host);
    if (!all)
        return;
    ready = gpu_sum_open(&gpu_sum, id, device->number, self.host_rank, self.host_size, &error) == STATUS_OK;
    MPI_Allreduce(&ready, &all, 1, MPI_INT, MPI_MIN, on_host);
    if (!all) {
        gpu_sum_close(gpu_sum);
        gpu_sum = NULL;
    }
}

bool ranks_have_joined_gpus(void)
{
    return gpu_sum != NULL;
}

/* ---- handing out ---- */

static uint64_t fetch_and(MPI_Op op, uint64_t operand)
{
    uint64_t before = 0;
#pragma omp critical(mpi)
    {
        MPI_Fetch_and_op(&operand, &before, MPI_UINT64_T, 0, 0, op, window);
        MPI_Win_flush(0, window);
    }
    return before;
}

void ranks_begin_taking(const char *if_stopped)
{
    atomic_store(&next, 0);
    if (!meet())
        return;
    to_say = if_stopped;
    if (!has_window) {
        MPI_Aint bytes = self.rank == 0 ? (MPI_Aint)sizeof *window_memory : 0;
        MPI_Win_allocate(bytes, sizeof *window_memory, MPI_INFO_NULL, MPI_COMM_WORLD, &window_memory, &window);
        MPI_Win_lock_all(0, window);
        has_window = true;
    }
    if (self.rank == 0)
        fetch_and(MPI_REPLACE, 0);
    meet();
}

void ranks_end_taking(void)
{
    to_say = NULL;
}

uint64_t ranks_take(uint64_t count)
{
    return is_alone() ? atomic_fetch_add(&next, count) : fetch_and(MPI_SUM, count);
}

void ranks_stop(void)
{
    if (is_alone() || has_window)
        ranks_take(NO_MORE);
}

uint64_t ranks_taken(void)
{
    return is_alone() ? atomic_load(&next) : self.rank == 0 ? fetch_and(MPI_NO_OP, 0) : 0;
}
