/* enqueue_benchmark.cu: times only the scans that fill a queue (scan.cuh), for figure 5 of XBFS (enqueue.c). A kernel
 * gathers the frontiers of an array of random statuses ROUNDS times, by single or double scans. The host then compares
 * the last queue with the array. */
#include <stdio.h>

#include "scan.cuh"

namespace BACKEND::xbfs
{

#define ROUNDS 16u /* gathers per launch, enough to make the launch's own time negligible */
#define ONE_IN 4   /* one entry in 4 is a frontier */

/* A digest of a queue: the number and the sum of its entries. */
struct enqueued {
    uint64_t number, sum;
};

/* Returns whether this place of the array holds a frontier. A hash of the place selects one place in ONE_IN. */
DEVICE bool is_frontier(uint64_t place)
{
    uint64_t hash = (place + 1) * 0x9e3779b97f4a7c15ull;
    hash = (hash ^ hash >> 32) * 0xd6e8feb86659fd93ull;
    return (hash >> 32) % ONE_IN == 0;
}

__global__ void fill_statuses(uint32_t *status, uint64_t size)
{
    for (uint64_t i = thread_of_grid(); i < size; i += threads_of_grid())
        status[i] = is_frontier(i) ? 0 : UNREACHED;
}

/* Computes the digest of the queue or, if `queue` is NULL, of the frontiers in the array. */
__global__ void sum_up(const vertex_t *queue, uint64_t size, struct enqueued *sums)
{
    uint64_t number = 0, sum = 0;
    for (uint64_t i = thread_of_grid(); i < size; i += threads_of_grid())
        if (queue != NULL || is_frontier(i)) {
            number++;
            sum += queue != NULL ? queue[i] : i;
        }
    atomicAdd(&sums->number, number);
    atomicAdd(&sums->sum, sum);
}

__global__ void __launch_bounds__(MOST_THREADS, BLOCKS)
    enqueue_kernel(struct search search, uint64_t size, bool by_prefix_sum)
{
    struct shared *shared = block_shared<struct shared>();
    auto is = [&](uint64_t place, bool has) { return load_relaxed_if(has, &search.status[place]) == 0 && has; };
    auto put = [&](unsigned, uint64_t place, uint32_t number) { __stcg(&search.frontiers[number], (vertex_t)place); };
    uint32_t total[1] = {};
    for (uint32_t round = 1; round <= ROUNDS; round++) {
        struct counts *counts = count_of(search.counts, round);
        if (is_first_thread())
            *count_of(search.counts, round + 1) = {};
        if (!by_prefix_sum)
            single_scan(size, &counts->spans, is, put);
        else if (!double_scan(
                     search, shared, {size, false}, is, [](uint64_t) { return 0u; }, total, put))
            return;
        else if (is_first_thread())
            __stcg(&counts->spans, total[0]);
        if (!meet(search, shared))
            return;
    }
}

/* A run of the benchmark. */
struct benchmark {
    struct device *device;
    struct gpu_arena memory; /* owns the arrays below */
    struct search search;    /* status, frontiers, counts, barrier and block_sums are set, the rest is NULL */
    struct grid grid;
    uint64_t size;
    struct enqueued *sums; /* 2; digests of the queue and of the array */
};

static void prepare_benchmark(struct benchmark *run, struct error *error)
{
    struct search *search = &run->search;
    struct gpu_arena *memory = &run->memory;
    gpu_plan_grid((const void *)enqueue_kernel, MOST_THREADS, BLOCKS, sizeof(struct shared), &run->grid, error);
    search->status = gpu_take<uint32_t>(memory, run->size, "the statuses", error);
    search->frontiers = gpu_take<vertex_t>(memory, run->size, "the queue", error);
    search->counts = gpu_take<struct counts>(memory, NUM_COUNTS, "the counts", error);
    search->barrier = gpu_take_zeroed<struct grid_barrier>(memory, 1, "the barrier", error);
    search->block_sums = gpu_take<uint32_t>(memory, run->grid.blocks, "the sums", error);
    run->sums = gpu_take<struct enqueued>(memory, 2, "the sums", error);
    gpu_launch(fill_statuses, gpu_wide_grid(run->size), 0, error, search->status, run->size);
}

/* Sets STATUS_WRONG if the last round's queue does not hold exactly the frontiers of the array. *num_frontiers: set
 * to the size of the queue. */
static void check_queue(const struct benchmark *run, uint64_t *num_frontiers, struct error *error)
{
    struct counts counts[NUM_COUNTS];
    struct enqueued found[2];
    struct grid grid = gpu_wide_grid(run->size);
    gpu_check_barrier(run->search.barrier, "enqueue", error);
    gpu_download(counts, run->search.counts, NUM_COUNTS, error);
    gpu_clear(run->sums, 2, error);
    gpu_launch(sum_up, grid, 0, error, run->search.frontiers, counts[ROUNDS % NUM_COUNTS].spans, &run->sums[0]);
    gpu_launch(sum_up, grid, 0, error, NULL, run->size, &run->sums[1]);
    gpu_download(found, run->sums, 2, error);
    *num_frontiers = found[0].number;
    if (found[0].number != found[1].number || found[0].sum != found[1].sum)
        error_set(error, STATUS_WRONG, "enqueue: a queue has %llu entries, but the array has %llu frontiers",
                  (unsigned long long)found[0].number, (unsigned long long)found[1].number);
}

/* Runs the kernel once. Sets *best_ms to the time of a round if this is smaller or *best_ms is 0. */
static void time_enqueue(const struct benchmark *run, bool by_prefix_sum, double *best_ms, struct error *error)
{
    struct device *device = run->device;
    double time_ms, kernel_ms;
    device->mark(device, MARK_BEGIN);
    gpu_clear(run->search.counts, NUM_COUNTS, error);
    device->mark(device, MARK_KERNEL_BEGIN);
    gpu_launch_persistent(enqueue_kernel, run->grid, sizeof(struct shared), error, run->search, run->size,
                          by_prefix_sum);
    device->mark(device, MARK_KERNEL_END);
    device->mark(device, MARK_END);
    device->elapsed(device, &time_ms, &kernel_ms, error);
    *best_ms = *best_ms == 0 || kernel_ms / ROUNDS < *best_ms ? kernel_ms / ROUNDS : *best_ms;
}

} // namespace BACKEND::xbfs

/* Fills an array with `size` random statuses, and prints the times of `runs` runs of each kind. Errors: STATUS_WRONG if
 * a queue does not hold exactly the frontiers of the array; STATUS_DEVICE if the device fails or has too little memory.
 * Frees all its device memory. */
extern "C" int BACKEND_NAME(enqueue_benchmark)(struct device *device, uint64_t size, unsigned runs, struct error *error)
{
    BACKEND::xbfs::benchmark run = {device, {}, {}, {}, size, NULL};
    double atomic_ms = 0, prefix_sum_ms = 0;
    uint64_t found = 0;
    prepare_benchmark(&run, error);
    for (unsigned i = 0; i < runs && error->status == STATUS_OK; i++) {
        time_enqueue(&run, false, &atomic_ms, error);
        check_queue(&run, &found, error);
        time_enqueue(&run, true, &prefix_sum_ms, error);
        check_queue(&run, &found, error);
    }
    gpu_arena_free(&run.memory);
    if (error->status == STATUS_OK)
        printf("%s,%llu,%llu,%.6f,%.6f\n", device->slug, (unsigned long long)size, (unsigned long long)found, atomic_ms,
               prefix_sum_ms);
    return error->status;
}
