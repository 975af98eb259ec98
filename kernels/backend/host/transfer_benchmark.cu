/* transfer_benchmark.cu: see transfer_benchmark.h. */
#include "../transfer_benchmark.h"

#include <stdlib.h>
#include <string.h>

#include <algorithm>

#include "../backend.h"

namespace BACKEND
{

struct benchmark {
    const struct transfer_request *request;
    char *pageable, *pinned, *on_device; /* bytes each */
    double *runs_ms;
};

/* Bytes that differ between neighbours, chunks and runs. */
static char byte_at(uint64_t at, unsigned run)
{
    return (char)((at * 0x9e3779b97f4a7c15u >> 56) + run);
}

static void fill(char *memory, uint64_t bytes, unsigned run)
{
#pragma omp parallel for
    for (uint64_t i = 0; i < bytes; i++)
        memory[i] = byte_at(i, run);
}

static void check_bytes(const char *memory, uint64_t bytes, unsigned run, const char *what, struct error *error)
{
    uint64_t wrong = 0, first = bytes;
#pragma omp parallel for reduction(+ : wrong) reduction(min : first)
    for (uint64_t i = 0; i < bytes; i++)
        if (memory[i] != byte_at(i, run)) {
            wrong++;
            first = std::min(first, i);
        }
    if (wrong > 0)
        error_set(error, STATUS_WRONG,
                  "%s, run %u: %llu of %llu bytes are wrong, first the one at %llu: 0x%02x instead of 0x%02x", what,
                  run, (unsigned long long)wrong, (unsigned long long)bytes, (unsigned long long)first,
                  (unsigned char)memory[first], (unsigned char)byte_at(first, run));
}

/* One copy, either way; returns its milliseconds. The other side is set before it, and checked after it. */
static double copy_once(const struct benchmark *benchmark, char *host, unsigned run, struct error *error)
{
    uint64_t bytes = benchmark->request->bytes;
    bool up = benchmark->request->to_device;
    fill(host, bytes, run);
    if (!up) {
        gpu_upload(benchmark->on_device, host, bytes, error);
        memset(host, 0, bytes);
    }
    gpu_wait("what ran before a copy", error);
    double begin = now_ms();
    if (up)
        gpu_upload(benchmark->on_device, host, bytes, error);
    else
        gpu_download(host, benchmark->on_device, bytes, error);
    double ms = now_ms() - begin;
    if (up) {
        memset(host, 0, bytes);
        gpu_download(host, benchmark->on_device, bytes, error);
    }
    if (error->status == STATUS_OK)
        check_bytes(host, bytes, run, up ? "copies to the device" : "copies to the host", error);
    return ms;
}

/* The median of all runs but the first. */
static double median_of_runs(const struct benchmark *benchmark, char *host, struct error *error)
{
    unsigned runs = benchmark->request->runs;
    copy_once(benchmark, host, 0, error);
    for (unsigned i = 0; i < runs && error->status == STATUS_OK; i++)
        benchmark->runs_ms[i] = copy_once(benchmark, host, i + 1, error);
    if (error->status != STATUS_OK)
        return 0;
    std::sort(benchmark->runs_ms, benchmark->runs_ms + runs);
    return (benchmark->runs_ms[(runs - 1) / 2] + benchmark->runs_ms[runs / 2]) / 2;
}

static void run_all(const struct benchmark *benchmark, struct transfer_times *times, struct error *error)
{
    const struct transfer_request *request = benchmark->request;
    struct stage_plan none = {.chunk_bytes = 1, .num_chunks = 0};
    struct stage_plan staged = {.chunk_bytes = request->chunk_bytes, .num_chunks = request->num_chunks};
    gpu_plan_stage(&none);
    times->ms[TRANSFER_PAGEABLE] = median_of_runs(benchmark, benchmark->pageable, error);
    times->ms[TRANSFER_PINNED] = median_of_runs(benchmark, benchmark->pinned, error);
    double begin = now_ms();
    gpu_plan_stage(&staged);
    times->stage_ms = now_ms() - begin;
    times->ms[TRANSFER_STAGED] = median_of_runs(benchmark, benchmark->pageable, error);
    gpu_plan_stage(NULL);
}

} // namespace BACKEND

extern "C" int BACKEND_NAME(transfer_benchmark)(struct device *device, const struct transfer_request *request,
                                                struct transfer_times *times, struct error *error)
{
    using namespace BACKEND;
    struct benchmark benchmark = {request, NULL, NULL, NULL, NULL};
    (void)device;
    *times = {};
    allocate(&benchmark.pageable, request->bytes, 1, "the host's bytes", error);
    allocate(&benchmark.runs_ms, request->runs, sizeof *benchmark.runs_ms, "the times", error);
    gpu_allocate(&benchmark.on_device, request->bytes, "the device's bytes", error);
    if (error->status == STATUS_OK)
        gpu_check(cudaMallocHost((void **)&benchmark.pinned, request->bytes), "pinning memory", error);
    if (error->status == STATUS_OK)
        run_all(&benchmark, times, error);
    cudaFreeHost(benchmark.pinned);
    gpu_free(benchmark.on_device);
    free(benchmark.pageable);
    free(benchmark.runs_ms);
    return error->status;
}
