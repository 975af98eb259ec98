/* ranks_mpi.c: implements ranks.h by MPI: starting, ending, agreeing and exchanging. A process that was not started
 * by mpirun or srun is alone and never calls MPI. For the communication while ranks work, see
 * ranks_mpi_work_counter.c.
 *
 * Only the main thread calls MPI (MPI_THREAD_FUNNELED). It uses only two-sided and collective operations, which work
 * over every network that the library supports.
 *
 * Before ranks exchange data they wait in a barrier. The wait consists of short sleeps, so that an early rank leaves
 * the processor to others and notices a request to stop. If a rank was told to stop and its barrier is still
 * incomplete after PATIENCE_MS, it concludes that another rank has died. */
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <unistd.h>

#include "../progress.h"
#include "gpu_sum.h"
#include "ranks.h"
#include "ranks_mpi.h"

#define PATIENCE_MS  10000.0
#define NAP_US       200
#define LONG_NAP_US  2000
#define LONG_WAIT_MS 1000.0            /* a rank that has waited this long takes long naps */
#define MOST_BYTES   ((size_t)1 << 30) /* most bytes of a message */

static struct ranks self = {.rank = 0, .size = 1, .host_rank = 0, .host_size = 1};
static bool initialised;
static atomic_bool broken;               /* the other ranks no longer answer */
static struct error reason;              /* why `broken` was set */
static MPI_Comm on_host = MPI_COMM_NULL, /* the ranks of this machine, */
    leaders = MPI_COMM_NULL;             /* the first rank of each machine */
static struct gpu_sum *gpu_sum;
static bool sums_by_gpus;
static const char *to_say;           /* the text of ranks_warn(); NULL: none, or it was printed */
static pid_t first_on_host;          /* process id of the first rank of this machine */
static int all_threads, own_threads; /* threads of the machine, and this rank's share of them; 0: not shared */

const struct ranks *ranks(void)
{
    return &self;
}

static bool is_alone(void)
{
    return self.size == 1;
}

/* ---- waiting ---- */

/* When a rank dies, mpirun tells the others to stop, and kills them a second later. So rank 0 prints the warning at
 * once. Rank 1 prints it instead if rank 0 ran on this machine and has died. */
void ranks_say_if_stopped(void)
{
    bool speaks = self.rank == 0 || (self.rank == 1 && self.host_rank == 1 && kill(first_on_host, 0) != 0);
    if (to_say == NULL || !stop_requested())
        return;
    if (speaks)
        progress_say(to_say);
    to_say = NULL;
}

void ranks_warn(const char *if_stopped)
{
    to_say = if_stopped;
}

void ranks_give_up(const char *format, ...)
{
    va_list arguments;
    char text[256];
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    error_set(&reason, STATUS_DEVICE, "%s", text);
    atomic_store(&broken, true);
}

bool ranks_have_failed(void)
{
    return atomic_load(&broken);
}

/* Waits until a barrier completes, or this rank concludes that it never will. limit_ms 0: no limit. */
static void wait_for(MPI_Request *request, double limit_ms)
{
    double began_ms = now_ms(), stop_ms = 0;
    while (!broken) {
        int met = 0;
        MPI_Test(request, &met, MPI_STATUS_IGNORE);
        if (met)
            return;
        ranks_say_if_stopped();
        double now = now_ms();
        if (stop_requested() && stop_ms == 0)
            stop_ms = now;
        if ((stop_ms > 0 && now - stop_ms > PATIENCE_MS) || (limit_ms > 0 && now - began_ms > limit_ms))
            ranks_give_up("rank %d was told to stop, and the others do not answer: one of them has died", self.rank);
        usleep(now - began_ms > LONG_WAIT_MS ? LONG_NAP_US : NAP_US);
    }
}

bool ranks_meet(void)
{
    MPI_Request request;
    if (is_alone() || broken)
        return false;
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    wait_for(&request, 0);
    return !broken;
}

/* ---- starting and ending ---- */

/* Recognises Open MPI, MPICH and its descendants, and srun with PMIx. */
static bool was_started_as_one_of_several(void)
{
    const char *open_mpi = getenv("OMPI_COMM_WORLD_SIZE"), *pmi = getenv("PMI_SIZE");
    return (open_mpi != NULL && atoi(open_mpi) > 1) || (pmi != NULL && atoi(pmi) > 1) || getenv("PMIX_RANK") != NULL;
}

/* Divides a machine's processors among its ranks, unless the user has set OMP_NUM_THREADS or bound the processes. */
static void share_processors(void)
{
    cpu_set_t allowed;
    long all = sysconf(_SC_NPROCESSORS_ONLN);
    bool bound = sched_getaffinity(0, sizeof allowed, &allowed) == 0 && CPU_COUNT(&allowed) < all;
    int share = (int)(all / self.host_size);
    if (self.host_size == 1 || bound || getenv("OMP_NUM_THREADS") != NULL)
        return;
    all_threads = omp_get_max_threads();
    own_threads = share > 0 ? share : 1;
    omp_set_num_threads(own_threads);
}

void ranks_borrow_processors(bool all)
{
    if (self.rank == 0 && all_threads > 0)
        omp_set_num_threads(all ? all_threads : own_threads);
}

int ranks_open(struct error *error)
{
    int level;
    if (!was_started_as_one_of_several())
        return STATUS_OK;
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS)
        return error_set(error, STATUS_INPUT, "MPI cannot be initialised; run one process with --gpus all instead");
    initialised = true;
    MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.size);
    if (level < MPI_THREAD_FUNNELED)
        return error_set(error, STATUS_INPUT,
                         "this MPI library does not allow threads (MPI_THREAD_FUNNELED); use another one");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &on_host);
    MPI_Comm_rank(on_host, &self.host_rank);
    MPI_Comm_size(on_host, &self.host_size);
    MPI_Comm_split(MPI_COMM_WORLD, self.host_rank == 0 ? 0 : MPI_UNDEFINED, 0, &leaders);
    first_on_host = getpid();
    MPI_Bcast(&first_on_host, (int)sizeof first_on_host, MPI_BYTE, 0, on_host);
    share_processors();
    return ranks_work_counter_open(error);
}

/* MPI_Finalize() waits for all ranks, so a rank that has failed waits in a bounded barrier first. */
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
    ranks_work_counter_close();
    if (on_host != MPI_COMM_NULL)
        MPI_Comm_free(&on_host);
    if (leaders != MPI_COMM_NULL)
        MPI_Comm_free(&leaders);
    MPI_Finalize();
}

/* ---- agreeing ---- */

/* The error with the highest severity is reported. An interruption has the lowest. */
static int severity(const struct error *error)
{
    return error->status == STATUS_OK ? 0 : error->status == STATUS_INTERRUPTED ? 1 : 1 + error->status;
}

int ranks_agree(struct error *error)
{
    struct {
        int severity, rank;
    } own = {severity(error), self.rank}, worst;
    struct error reported = *error;
    if (is_alone())
        return error->status;
    if (!ranks_meet())
        return error_set(error, reason.status, "%s", reason.text);
    MPI_Allreduce(&own, &worst, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD);
    if (worst.severity == 0)
        return STATUS_OK;
    if (worst.rank == self.rank && self.rank > 0 && error->status != STATUS_INTERRUPTED) {
        char host[64] = "";
        gethostname(host, sizeof host - 1);
        reported.status = STATUS_OK;
        error_set(&reported, error->status, "rank %d on %s: %s", self.rank, host, error->text);
    }
    MPI_Bcast(&reported, (int)sizeof reported, MPI_BYTE, worst.rank, MPI_COMM_WORLD);
    *error = reported;
    return error->status;
}

/* ---- exchanging ---- */

void ranks_share(void *data, size_t bytes)
{
    char *at = data;
    if (!ranks_meet())
        return;
    for (size_t part; bytes > 0; at += part, bytes -= part) {
        part = bytes < MOST_BYTES ? bytes : MOST_BYTES;
        MPI_Bcast(at, (int)part, MPI_BYTE, 0, MPI_COMM_WORLD);
    }
}

uint64_t ranks_sum(uint64_t value)
{
    uint64_t sum = value;
    if (ranks_meet())
        MPI_Allreduce(&value, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

double ranks_most(double value)
{
    double most = value;
    if (ranks_meet())
        MPI_Allreduce(&value, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

bool ranks_have_same(uint64_t value)
{
    uint64_t ends[2] = {value, ~value}, least[2] = {value, ~value};
    if (ranks_meet())
        MPI_Allreduce(ends, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD);
    return least[0] == ~least[1];
}

/* Reduces to the first rank of a communicator, in place. */
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

/* Adds within each machine, by NCCL if its GPUs are joined, then across machines. */
void ranks_add(void *values, size_t count, size_t size)
{
    struct error error = {0};
    MPI_Datatype type = size == sizeof(uint64_t) ? MPI_UINT64_T : MPI_UINT32_T;
    if (!ranks_meet())
        return;
    if (!sums_by_gpus) {
        reduce(on_host, values, count, size, type, MPI_SUM);
    } else if (gpu_sum_add(gpu_sum, values, count, size, &error) != STATUS_OK) { /* other ranks would wait for ever */
        fprintf(stderr, "gtrav: rank %d: %s\n", self.rank, error.text);
        MPI_Abort(MPI_COMM_WORLD, error.status);
    }
    if (self.host_rank == 0)
        reduce(leaders, values, count, size, type, MPI_SUM);
}

void ranks_least(uint32_t *values, size_t count)
{
    if (ranks_meet())
        reduce(MPI_COMM_WORLD, values, count, sizeof *values, MPI_UINT32_T, MPI_MIN);
}

/* Sends to rank 0; on rank 0, receives. */
static void move_bytes(char *data, size_t bytes, int from)
{
    for (size_t part; bytes > 0; data += part, bytes -= part) {
        part = bytes < MOST_BYTES ? bytes : MOST_BYTES;
        if (self.rank > 0)
            MPI_Send(data, (int)part, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
        else
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
        move_bytes((char *)data, bytes, self.rank);
        goto end;
    }
    char *at = *gathered;
    if (bytes > 0)
        memcpy(at, data, bytes);
    for (int rank = 1; rank < self.size; rank++)
        move_bytes(at += each[rank - 1], each[rank], rank);
end:
    free(each);
    return error->status;
}

/* ---- GPUs ---- */

void ranks_join_gpus(const struct device *device)
{
    unsigned char id[GPU_SUM_ID_BYTES] = {0};
    struct error error = {0}; /* ignored: if NCCL fails, MPI adds up */
    int ready = device != NULL && device->kind == DEVICE_GPU && self.host_size > 1 &&
                self.host_size <= device_count(DEVICE_GPU);
    int all;
    sums_by_gpus = false;
    if (!ranks_have_same(device != NULL) || device == NULL || !ranks_meet())
        return;
    sums_by_gpus = gpu_sum != NULL;
    if (sums_by_gpus)
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
    sums_by_gpus = gpu_sum != NULL;
}

void ranks_leave_gpus(void)
{
    sums_by_gpus = false;
}

bool ranks_have_joined_gpus(void)
{
    return sums_by_gpus;
}
