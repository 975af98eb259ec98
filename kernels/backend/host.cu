/* host.cu: the host's half of the backend, in terms of CUDA's runtime or of what stands for it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

namespace BACKEND
{

/* ---- errors, memory, launches ---- */

int gpu_check(cudaError_t code, const char *what, struct error *error)
{
    if (code == cudaSuccess)
        return STATUS_OK;
    return error_set(error, STATUS_DEVICE, "GPU: %s failed: %s", what, cudaGetErrorString(code));
}

#define MAX_DEVICES 64

struct allocation {
    const void *memory;
    size_t bytes;
    struct allocation *next;
};

/* What is allocated on a device, the latest first. Only the one thread that uses the device touches it. */
struct holdings {
    struct allocation *latest;
    struct device_memory in_use;
};
static struct holdings holdings[MAX_DEVICES];

/* Those of the device that this thread uses. */
static struct holdings *own_holdings(void)
{
    int device = 0;
    cudaGetDevice(&device);
    return &holdings[device];
}

static void note_allocation(struct allocation *allocation, const void *memory, size_t bytes)
{
    struct holdings *own = own_holdings();
    struct device_memory *in_use = &own->in_use;
    *allocation = {memory, bytes, own->latest};
    own->latest = allocation;
    in_use->bytes += bytes;
    in_use->peak_bytes = in_use->bytes > in_use->peak_bytes ? in_use->bytes : in_use->peak_bytes;
}

static void forget_allocation(const void *memory)
{
    struct holdings *own = own_holdings();
    struct allocation **link = &own->latest;
    while (*link != NULL && (*link)->memory != memory)
        link = &(*link)->next;
    struct allocation *found = *link;
    if (found == NULL)
        return;
    own->in_use.bytes -= found->bytes;
    *link = found->next;
    free(found);
}

int gpu_allocate_bytes(void **memory, size_t count, size_t size, const char *what, struct error *error)
{
    size_t bytes = (count > 0 ? count : 1) * size, free_bytes = 0, all_bytes = 0;
    struct allocation *allocation;
    *memory = NULL;
    if (allocate(&allocation, 1, sizeof *allocation, what, error) != STATUS_OK)
        return error->status;
    cudaError_t code = cudaMalloc(memory, bytes);
    if (code == cudaSuccess) {
        note_allocation(allocation, *memory, bytes);
        return STATUS_OK;
    }
    free(allocation);
    *memory = NULL;
    if (code != cudaErrorMemoryAllocation)
        return gpu_check(code, what, error);
    cudaGetLastError(); /* a failed allocation leaves the device usable */
    cudaMemGetInfo(&free_bytes, &all_bytes);
    return error_set(
        error, STATUS_DEVICE,
        "GPU out of memory: %.1f MB needed for %s, %.1f of %.1f MB free; use a smaller graph or a larger GPU",
        1e-6 * (double)bytes, what, 1e-6 * (double)free_bytes, 1e-6 * (double)all_bytes);
}

void gpu_free(const void *memory)
{
    forget_allocation(memory);
    cudaFree((void *)memory);
}

static int attribute(enum cudaDeviceAttr which, struct error *error)
{
    int device = 0, value = 0;
    if (gpu_check(cudaGetDevice(&device), "finding the device", error) == STATUS_OK)
        gpu_check(cudaDeviceGetAttribute(&value, which, device), "asking the device", error);
    return value;
}

int gpu_plan_grid(const void *kernel, unsigned threads, unsigned blocks_per_sm, size_t shared_bytes,
                  struct grid *grid, struct error *error)
{
    int fit = 0;
    unsigned multiprocessors = (unsigned)attribute(cudaDevAttrMultiProcessorCount, error);
    unsigned most_threads = (unsigned)attribute(cudaDevAttrMaxThreadsPerBlock, error);
    threads = threads < most_threads ? threads : most_threads;
    if (error->status != STATUS_OK ||
        gpu_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes),
                  "sizing a kernel", error) != STATUS_OK ||
        gpu_check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, kernel, (int)threads, shared_bytes),
                  "sizing a kernel", error) != STATUS_OK)
        return error->status;
    if (fit == 0)
        return error_set(error, STATUS_DEVICE, "GPU: a block of %u threads does not fit; choose a smaller block-size",
                         threads);
    *grid = {multiprocessors * ((unsigned)fit < blocks_per_sm ? (unsigned)fit : blocks_per_sm), threads};
    return STATUS_OK;
}

int gpu_plan_cluster(const void *kernel, unsigned threads, unsigned most, size_t shared_bytes, struct grid *grid,
                     struct error *error)
{
    if (gpu_plan_grid(kernel, threads, 1, shared_bytes, grid, error) != STATUS_OK)
        return error->status;
    unsigned cluster = largest_cluster(kernel, grid->threads, shared_bytes, most);
    *grid = {cluster, grid->threads, cluster};
    return STATUS_OK;
}

int gpu_shared_limit(size_t *bytes, struct error *error)
{
    *bytes = (size_t)attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, error);
    return error->status;
}

struct grid gpu_wide_grid(uint64_t num_threads)
{
    const unsigned waves = 8;
    struct error ignored = {};
    unsigned most_threads = (unsigned)attribute(cudaDevAttrMaxThreadsPerBlock, &ignored);
    unsigned threads = most_threads < 256 ? most_threads : 256;
    unsigned most_blocks = waves * (unsigned)attribute(cudaDevAttrMultiProcessorCount, &ignored);
    uint64_t blocks = num_threads / threads + (num_threads % threads != 0);
    return {blocks < 1 ? 1 : blocks < most_blocks ? (unsigned)blocks : most_blocks, threads};
}

int gpu_check_barrier(const struct grid_barrier *barrier, const char *kernel, struct error *error)
{
    struct grid_barrier now;
    if (gpu_download(&now, barrier, 1, error) == STATUS_OK && now.broken)
        error_set(error, STATUS_DEVICE, "GPU: %s: a block waited too long at the grid barrier (round %llu); stopped",
                  kernel, (unsigned long long)now.arrived);
    return error->status;
}

/* ---- the graph ---- */

int gpu_graph_upload(const struct graph *graph, bool force_wide, struct gpu_graph *gpu, struct error *error)
{
    size_t num_offsets = (size_t)graph->num_vertices + 1;
    *gpu = {};
    gpu->num_vertices = graph->num_vertices;
    gpu->num_edges = graph->num_edges;
    gpu->wide = force_wide || graph->num_edges > UINT32_MAX - OFFSET_SLACK;
    const void *offsets = graph->offsets;
    uint32_t *narrow = NULL;
    size_t offset_size = gpu->wide ? sizeof(edge_t) : sizeof(uint32_t);
    if (gpu_allocate_bytes(&gpu->offsets, num_offsets, offset_size, "the graph's offsets", error) != STATUS_OK ||
        gpu_allocate(&gpu->targets, graph->num_edges, "the graph's edges", error) != STATUS_OK)
        return error->status;
    if (!gpu->wide) {
        if (allocate(&narrow, num_offsets, sizeof *narrow, "32-bit offsets", error) != STATUS_OK)
            return error->status;
#pragma omp parallel for
        for (size_t v = 0; v < num_offsets; v++)
            narrow[v] = (uint32_t)graph->offsets[v];
        offsets = narrow;
    }
    if (gpu_check(cudaMemcpy(gpu->offsets, offsets, num_offsets * offset_size, cudaMemcpyHostToDevice),
                  "uploading the graph", error) == STATUS_OK)
        gpu_check(
            cudaMemcpy(gpu->targets, graph->targets, graph->num_edges * sizeof(vertex_t), cudaMemcpyHostToDevice),
            "uploading the graph", error);
    free(narrow);
    return error->status;
}

void gpu_graph_free(struct gpu_graph *gpu)
{
    gpu_free(gpu->offsets);
    gpu_free(gpu->targets);
    *gpu = {};
}

/* ---- traces ---- */

int gpu_fetch_trace(struct run *run, const struct level_end *ends_on_device, const char *const *words,
                    struct traversal *result)
{
    struct level_end *ends = NULL;
    vertex_t n = run->graph->num_vertices, most = 0;
    for (vertex_t v = 0; v < n; v++)
        if (result->level[v] != UNREACHED && result->level[v] > most)
            most = result->level[v];
    size_t rows = (size_t)most + 2; /* the start, and a level beyond the last */
    if (allocate(&ends, rows, sizeof *ends, "the trace", run->error) == STATUS_OK &&
        gpu_download(ends, ends_on_device, rows, run->error) == STATUS_OK &&
        allocate_zeroed(&result->trace, rows, sizeof *result->trace, "the trace", run->error) == STATUS_OK) {
        for (vertex_t v = 0; v < n; v++)
            if (result->level[v] != UNREACHED)
                result->trace[result->level[v]].frontier++;
        for (uint32_t level = 1; level < rows && ends[level].at != 0; level++) {
            struct trace_row *row = &result->trace[level - 1];
            row->level = level;
            row->mode = (enum level_mode)ends[level].mode;
            row->ms = 1e-6 * (double)(ends[level].at - ends[level - 1].at);
            row->generation = words != NULL ? words[ends[level].generation] : NULL;
            row->checked = ends[level].checked;
            row->early = ends[level].early;
            result->num_trace = level;
        }
    }
    free(ends);
    return run->error->status;
}

/* ---- the device as the harness sees it ---- */

struct gpu_clock {
    cudaEvent_t at[NUM_MARKS];
    bool kernel_marked;
};

static void gpu_mark(struct device *device, enum mark mark)
{
    struct gpu_clock *clock = (struct gpu_clock *)device->clock;
    if (mark == MARK_BEGIN) {
        clock->kernel_marked = false;
        set_schedule(device->seed);
    }
    if (mark == MARK_KERNEL_END)
        clock->kernel_marked = true;
    cudaEventRecord(clock->at[mark], 0);
}

static int gpu_elapsed(struct device *device, double *time_ms, double *kernel_ms, struct error *error)
{
    struct gpu_clock *clock = (struct gpu_clock *)device->clock;
    float whole = 0, kernel = 0;
    if (gpu_check(cudaEventSynchronize(clock->at[MARK_END]), "the traversal", error) != STATUS_OK ||
        gpu_check(cudaEventElapsedTime(&whole, clock->at[MARK_BEGIN], clock->at[MARK_END]), "timing", error) !=
            STATUS_OK)
        return error->status;
    kernel = whole;
    if (clock->kernel_marked)
        gpu_check(cudaEventElapsedTime(&kernel, clock->at[MARK_KERNEL_BEGIN], clock->at[MARK_KERNEL_END]), "timing",
                  error);
    *time_ms = whole;
    *kernel_ms = kernel;
    return error->status;
}

static int gpu_use(struct device *device, struct error *error)
{
    return gpu_check(cudaSetDevice(device->number), "turning to the device", error);
}

static void gpu_close(struct device *device)
{
    struct gpu_clock *clock = (struct gpu_clock *)device->clock;
    for (int mark = 0; mark < NUM_MARKS; mark++)
        cudaEventDestroy(clock->at[mark]);
    free(clock);
    *device = {};
}

} // namespace BACKEND

using namespace BACKEND;

int COUNT_DEVICES(void)
{
    int count = 0;
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        return 0;
    return count < MAX_DEVICES ? count : MAX_DEVICES;
}

int OPEN_DEVICE(struct device *device, int number, struct error *error)
{
    int count = 0;
    cudaDeviceProp facts;
    *device = {};
    cudaError_t code = cudaGetDeviceCount(&count);
    if (code != cudaSuccess || count == 0)
        return error_set(error, STATUS_DEVICE, "no GPU found (%s); GPU algorithms need an NVIDIA GPU and its driver",
                         code != cudaSuccess ? cudaGetErrorString(code) : "the driver lists none");
    if (number >= COUNT_DEVICES())
        return error_set(error, STATUS_DEVICE, "no GPU %d: there are %d here, the first is 0", number, count);
    struct gpu_clock *clock;
    device->number = number;
    if (gpu_use(device, error) != STATUS_OK ||
        gpu_check(cudaGetDeviceProperties(&facts, number), "asking the device", error) != STATUS_OK ||
        allocate_zeroed(&clock, 1, sizeof *clock, "the clock", error) != STATUS_OK)
        return error->status;
    device->kind = DEVICE_KIND;
    snprintf(device->name, sizeof device->name, "%.127s", facts.name);
    device_slug("", facts.name, device->slug, sizeof device->slug);
    device->clock = clock;
    device->memory = &holdings[number].in_use;
    device->use = gpu_use;
    device->mark = gpu_mark;
    device->elapsed = gpu_elapsed;
    device->close = gpu_close;
    for (int mark = 0; mark < NUM_MARKS; mark++)
        gpu_check(cudaEventCreate(&clock->at[mark]), "making an event", error);
    if (error->status != STATUS_OK)
        gpu_close(device);
    return error->status;
}
