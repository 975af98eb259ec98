/* backend.h: the thin layer between kernels and the GPU: memory, launches, and every line of PTX.
 *
 * A kernel file includes this, puts all its code into namespace BACKEND, and is compiled twice: by nvcc for the GPU,
 * and by the C++ compiler with EMULATED for the CPU, where ../emulator/emulator.h gives CUDA's names their meaning.
 * Neither the kernels nor the host side (host/) know which. Host functions return a status and fill the error; device
 * functions have CUDA's own names or descriptive ones. memory.h has device memory, gpu_graph.h the graph on the
 * device, team.h what concerns several devices; all come with this file. */
#pragma once

#ifdef EMULATED
#include "../emulator/emulator.h"
#define BACKEND            gtrav_emulated
#define BACKEND_NAME(name) name##_emulated
#define DRIVER             emulator_driver
#define DEVICE_KIND        DEVICE_EMULATOR
#else
#include <cuda_runtime.h>
#define BACKEND            gtrav_cuda
#define BACKEND_NAME(name) name
#define DRIVER             gpu_driver
#define DEVICE_KIND        DEVICE_GPU
#endif

#include <type_traits>

#include "../../src/algorithm.h"
#include "../../src/progress.h"

/* Prefixes for functions that are compiled into the kernels that call them. */
#define DEVICE      static __device__ __forceinline__
#define HOST_DEVICE static __host__ __device__ __forceinline__

/* Defines or declares the algorithm that registry.c lists under this name. */
#define GPU_ALGORITHM(name) extern "C" const struct algorithm BACKEND_NAME(name)

namespace BACKEND
{

/* The shape of a kernel's launch. */
struct grid {
    unsigned blocks, threads; /* threads: per block */
    unsigned cluster = 1;     /* blocks per cluster; 1: no clusters */
};

#ifdef EMULATED
#include "../emulator/instructions.h"
#else
#include "cuda/instructions.h"
#endif

/* ---- host: errors, launches ---- */

/* Errors are sticky. If *error already holds one, every host function that takes it does nothing, sets its outputs to
 * zero and returns the error's status. So a sequence of calls needs one test at its end, and a test in between only
 * before host code that uses a result. */

/* Records a failed call (STATUS_DEVICE), unless code is cudaSuccess. what: the call, for the message. */
int gpu_check(cudaError_t code, const char *what, struct error *error);

/* Waits for all earlier work. what: the work, for the message if it failed. */
int gpu_wait(const char *what, struct error *error);

/* Returns the threads per block for the value of --set block-size. STATUS_INPUT if it is not a multiple of a warp. */
unsigned gpu_block_size(double value, struct error *error);

/* Plans a grid whose blocks all fit on the device at once. Each multiprocessor gets blocks_per_sm blocks of `threads`
 * threads, or as many as it can run. shared_bytes: dynamic shared memory per block. */
int gpu_plan_blocks(const void *kernel, unsigned threads, unsigned blocks_per_sm, size_t shared_bytes,
                    struct grid *grid, struct error *error);

/* The same for a persistent kernel: all blocks run at once, so they may wait for each other. Returns STATUS_DEVICE if
 * the device has no such (cooperative) launches. */
int gpu_plan_grid(const void *kernel, unsigned threads, unsigned blocks_per_sm, size_t shared_bytes, struct grid *grid,
                  struct error *error);

/* Plans a grid of one cluster. Its number of blocks is the largest power of two, up to `most`, that the device allows
 * in a cluster; 1 on a device without clusters. */
int gpu_plan_cluster(const void *kernel, unsigned threads, unsigned most, size_t shared_bytes, struct grid *grid,
                     struct error *error);

/* Sets *bytes to the largest possible shared memory of a block. */
int gpu_shared_limit(size_t *bytes, struct error *error);

unsigned gpu_multiprocessors(struct error *error); /* Returns their number; 0 if it is not known. */

/* Returns a grid that fills the GPU, for kernels that stride over their data, or fewer threads if these suffice. */
struct grid gpu_wide_grid(uint64_t num_threads = UINT64_MAX);

struct device_memory *gpu_counting(void); /* memory.h */

/* Returns the counter of kernels, fills and copies that this thread has given to its device. If it is the same at two
 * marks of the device's clock, there was no work between them (device.cu). */
uint64_t *gpu_work(void);

/* Launches a kernel. Returns STATUS_INTERRUPTED if the user wants to stop, so loops of launches need no check. */
template <bool persistent = false, typename... parameters>
static int gpu_launch(void (*kernel)(parameters...), struct grid grid, size_t shared_bytes, struct error *error,
                      std::type_identity_t<parameters>... arguments)
{
    if (error->status != STATUS_OK || gpu_counting())
        return error->status;
    if (stop_requested())
        return error_set(error, STATUS_INTERRUPTED, "interrupted");
    ++*gpu_work();
    return gpu_check(start_kernel(persistent, kernel, grid, shared_bytes, arguments...), "a kernel", error);
}

/* Launches a persistent kernel, whose blocks all run at once. */
template <typename... parameters>
static int gpu_launch_persistent(void (*kernel)(parameters...), struct grid grid, size_t shared_bytes,
                                 struct error *error, std::type_identity_t<parameters>... arguments)
{
    return gpu_launch<true>(kernel, grid, shared_bytes, error, arguments...);
}

/* ---- host: device-wide primitives (primitives.cu) ---- */

/* Replaces each of the `count` values in device memory by the sum of the values before it. */
int gpu_exclusive_scan(uint32_t *values, size_t count, struct error *error);
int gpu_exclusive_scan(uint64_t *values, size_t count, struct error *error);

/* Sorts `count` keys by their lowest `bits` bits, in ascending order. The sort is stable. *other has room for as many
 * keys. If the sorted keys end up there, the two pointers are swapped. */
int gpu_sort(uint64_t **keys, uint64_t **other, size_t count, unsigned bits, struct error *error);

/* ---- device: warps ---- */

#define WARP_SIZE  32u
#define WHOLE_WARP 0xffffffffu

DEVICE unsigned lane_id(void)
{
    return threadIdx.x % WARP_SIZE;
}

/* Returns the mask of the lanes before this one. */
DEVICE unsigned lanes_below(unsigned lane)
{
    return (1u << lane) - 1;
}

/* ---- device: words that other threads may write at the same time ---- */

/* Volatile accesses bypass L1 and are never optimised away. They do not order other accesses. */

template <typename type>
DEVICE type load_volatile(const type *address)
{
    return *(const volatile type *)address;
}

template <typename type>
DEVICE void store_volatile(type *address, type value)
{
    *(volatile type *)address = value;
}

/* ---- traces ---- */

enum level_mode { LEVEL_TOP_DOWN, LEVEL_BOTTOM_UP };

/* What a kernel records at the end of a level. */
struct level_end {
    uint64_t at;             /* ns */
    uint32_t mode;           /* enum level_mode */
    uint32_t generation;     /* index into the algorithm's names of generations, the ways to run a level */
    uint64_t checked, early; /* edges read, and vertices found a level early; NOT_COUNTED: unknown */
};
#define NOT_COUNTED UINT64_MAX

/* Records the end of a level, if there is a trace. One thread calls it after all work of the level. The end of level
 * 0 is the start of the search. */
DEVICE void end_level(struct level_end *trace, uint32_t level, enum level_mode mode, unsigned generation = 0)
{
    if (trace != NULL)
        trace[level] = {nanoseconds(), (uint32_t)mode, generation, NOT_COUNTED, NOT_COUNTED};
}

struct gpu_arena;

/* Returns memory for the ends of num_vertices + 2 levels; NULL unless the run is profiled. A search need not clear
 * it. */
struct level_end *gpu_take_trace(struct run *run, struct gpu_arena *memory);

/* Calls use(trace), or use() if there is no trace, and returns what it returns:
 *     with_trace(trace, [&](auto... trace) { ... kernel<decltype(trace)...> ... })
 * So a kernel with parameters `trace_t... trace` is the same without a profile as if it had none of them. */
template <typename use_t>
static auto with_trace(struct level_end *trace, use_t use)
{
    return trace != NULL ? use(trace) : use();
}

/* Calls end_level() on the device, for searches whose levels the host launches. */
int gpu_end_level(struct level_end *trace, uint32_t level, struct error *error, enum level_mode mode = LEVEL_TOP_DOWN);

/* Adds a table with a row for every level that ran, if there is a trace; the last level may have found no vertex.
 * result->level must be filled. ends: in device memory. words: the names of the generations; NULL: none. width:
 * number of levels that share an end and a row, level / width being the index of the end. */
int gpu_fetch_trace(struct run *run, const struct level_end *ends, const char *const *words, struct traversal *result,
                    uint32_t width = 1);

/* The same for a search from many sources, with the first of them. A row has the sums of the frontiers of all
 * sources. fetch_levels: downloads the levels of a source; called only if they are an output of the run. */
int gpu_fetch_batch_trace(struct run *run, const struct level_end *ends, const char *const *words,
                          struct traversal *result, uint32_t num_sources,
                          void (*fetch_levels)(struct run *run, uint32_t which, uint32_t *level));

} // namespace BACKEND

#include "memory.h"

#include "gpu_graph.h"

#include "team.h"
