/* test_host.cu: the host side of the backend: sticky errors, arenas, copies, clocks, plans. */
#include <pthread.h>

#include <numeric>

#include "checks.h"

namespace BACKEND
{

#define NUM_WORDS 100u

__global__ void add_one(uint64_t *words)
{
    words[threadIdx.x]++;
}

/* What a sequence of calls makes of the words 0, 1, 2, ... */
static void check_sequence(const struct device_memory *in_use)
{
    struct test_memory memory;
    struct error *error = &memory.error;
    std::vector<uint64_t> words(NUM_WORDS);
    unsigned long long before = in_use->bytes;
    std::iota(words.begin(), words.end(), 0);
    uint64_t *a = memory.put(words), *b = memory.room<uint64_t>(NUM_WORDS);
    gpu_fill(b, 0xff, NUM_WORDS, error);
    gpu_copy(b, a, 3, error);
    gpu_clear(b + 3, 2, error);
    gpu_clear((uint64_t *)NULL, 2, error);
    gpu_launch(add_one, {1, 4}, 0, error, b);
    gpu_wait("adding", error);
    words = memory.get(b, NUM_WORDS);
    memory.check(words[0] == 1 && words[2] == 3 && words[3] == 1 && words[4] == 0 && words[5] == UINT64_MAX,
                 "a sequence of calls", "%llu", (unsigned long long)words[0]);
    check(in_use->bytes == before + 2 * NUM_WORDS * sizeof words[0], "an arena's memory is counted", "%llu, %llu bytes",
          before, (unsigned long long)in_use->bytes);
    gpu_arena_free(&memory.arena);
    gpu_arena_free(&memory.arena);
    check(in_use->bytes == before, "an arena frees all its memory, once", "%llu, %llu bytes", before,
          (unsigned long long)in_use->bytes);
}

/* After an error nothing happens to device memory, and outputs are zero. */
static void check_sticky(const struct device_memory *in_use)
{
    struct test_memory memory;
    struct error error = {};
    struct gpu_arena none = {};
    uint64_t words[NUM_WORDS] = {7, 8, 9};
    const std::vector<uint64_t> kept(words, words + NUM_WORDS);
    uint64_t *a = memory.put(kept), *b = a, *other = a + 1;
    struct gpu_graph gpu_graph;
    struct graph graph = {};
    struct grid grid = {1, 2, 3};
    size_t limit = 1;
    unsigned long long before = in_use->bytes;
    error_set(&error, STATUS_INPUT, "the cause");
    check(gpu_check(cudaErrorInvalidValue, "later", &error) == STATUS_INPUT &&
              gpu_check(cudaSuccess, "later", &error) == STATUS_INPUT,
          "after an error, a check returns its status", "%s", error.text);
    gpu_clear(a, 1, &error);
    gpu_copy(a + 1, a, 1, &error);
    gpu_upload(a, words + 5, 1, &error);
    gpu_launch(add_one, {1, 4}, 0, &error, a);
    gpu_launch_persistent(add_one, {1, 4}, 0, &error, a);
    gpu_exclusive_scan(a, NUM_WORDS, &error);
    gpu_sort(&b, &other, NUM_WORDS, 64, &error);
    gpu_wait("later", &error);
    check(gpu_take<char>(&none, 1, "later", &error) == NULL && none.latest == NULL &&
              gpu_allocate(&b, 1, "later", &error) == STATUS_INPUT && b == NULL &&
              gpu_graph_upload(&graph, false, &gpu_graph, &error) == STATUS_INPUT && gpu_graph.offsets == NULL &&
              in_use->bytes == before,
          "nothing is allocated", "%s", error.text);
    gpu_plan_grid((const void *)add_one, 1, 1, 0, &grid, &error);
    gpu_shared_limit(&limit, &error);
    check(grid.blocks == 0 && grid.threads == 0 && limit == 0 && gpu_memory_left(&error) == 0, "plans are zero", " ");
    gpu_download(words, a, 2, &error);
    check(words[0] == 0 && words[1] == 0 && words[2] == 9, "a download gives zeros", " ");
    gpu_download((uint64_t *)NULL, a, 2, &error);
    memory.check(memory.get(a, NUM_WORDS) == kept, "and device memory is as it was", " ");
    check(strcmp(error.text, "the cause") == 0, "the first message stays", "%s", error.text);
}

static void check_memory(const struct device_memory *in_use)
{
    const size_t bytes = (size_t)64 << 20;
    char *memory = NULL;
    struct error error = {};
    const struct device_memory before = *in_use;
    size_t left = gpu_memory_left(&error);
    gpu_allocate(&memory, bytes, "64 MB", &error);
    check(in_use->peak_bytes >= before.bytes + bytes && gpu_memory_left(&error) + bytes <= left,
          "memory in use is counted", "%llu bytes; %s", (unsigned long long)in_use->peak_bytes, error.text);
    gpu_free(memory);
    gpu_free(NULL);
    gpu_allocate(&memory, (size_t)1 << 50, "a petabyte", &error);
    check(error.status == STATUS_DEVICE && memory == NULL && in_use->bytes == before.bytes &&
              strstr(error.text, "needed for a petabyte") != NULL,
          "memory that does not fit: the message says so", "status %d: %s", error.status, error.text);
    error = {};
    check(gpu_allocate(&memory, 0, "nothing", &error) == STATUS_OK && memory != NULL,
          "an empty allocation, after one that failed", "%s", error.text);
    gpu_free(memory);
}

/* After an error a thread turns to its device to free what it holds there. */
static void check_use(struct device *device)
{
    struct error error = {};
    error_set(&error, STATUS_INPUT, "the cause");
    check(device->use(device, &error) == STATUS_OK, "a device can be used after an error", "%s", error.text);
}

/* A search of which the device works in some of the three parts that four marks make. */
static void check_search(struct device *device, uint64_t *words, bool resets, bool traverses, bool finishes)
{
    struct error error = {};
    double time_ms = -1, kernel_ms = -1;
    device->mark(device, MARK_BEGIN);
    if (resets)
        gpu_clear(words, NUM_WORDS, &error);
    device->mark(device, MARK_KERNEL_BEGIN);
    if (traverses)
        gpu_launch(add_one, {1, NUM_WORDS}, 0, &error, words);
    device->mark(device, MARK_KERNEL_END);
    if (finishes)
        gpu_copy(words, words + NUM_WORDS / 2, NUM_WORDS / 2, &error);
    device->mark(device, MARK_END);
    device->elapsed(device, &time_ms, &kernel_ms, &error);
    double rest_ms = time_ms - device->reset_ms - kernel_ms;
    check(error.status == STATUS_OK, "a timed search", "%s", error.text);
    check(resets ? device->reset_ms > 0 : device->reset_ms == 0, "the reset has a time if there is one", "%g ms",
          device->reset_ms);
    check(traverses ? kernel_ms > 0 : kernel_ms == 0, "so has the traversal", "%g ms", kernel_ms);
    check(finishes ? rest_ms > 0 : rest_ms > -1e-3 && rest_ms < 1e-3, "and what follows it", "%g ms", rest_ms);
}

static void check_clock(struct device *device)
{
    struct test_memory memory;
    double time_ms = -1, kernel_ms = -1;
    uint64_t *words = memory.room<uint64_t>(NUM_WORDS);
    for (unsigned parts = 0; parts < 8; parts++)
        check_search(device, words, parts & 1, parts & 2, parts & 4);
    device->mark(device, MARK_BEGIN);
    gpu_launch(add_one, {1, NUM_WORDS}, 0, &memory.error, words);
    device->mark(device, MARK_END);
    device->elapsed(device, &time_ms, &kernel_ms, &memory.error);
    memory.check(kernel_ms == time_ms && time_ms > 0 && device->reset_ms == 0,
                 "a search without inner marks is all traversal", "%g of %g ms", kernel_ms, time_ms);
}

/* ---- plans ---- */

#define LARGE_SHARED (60u << 10) /* more than a launch may have unless it is asked for */

__global__ void count_blocks(uint64_t *count)
{
    if (threadIdx.x == 0)
        atomicAdd((unsigned long long *)count, 1ull);
}

/* Plans the kernel with shared memory of several sizes, the largest first. */
static void *plan_sizes(void *with)
{
    struct error *error = (struct error *)with;
    struct grid grid;
    for (unsigned i = 0; i < 100; i++)
        for (size_t bytes : {(size_t)LARGE_SHARED, sizeof(uint64_t), (size_t)0})
            gpu_plan_grid((const void *)count_blocks, 32, 1, bytes, &grid, error);
    return NULL;
}

/* The blocks that a launch runs, with all of them at once or not; 0 if it is refused. */
static uint64_t blocks_run(bool persistent, unsigned blocks, size_t shared_bytes, struct error *error)
{
    struct test_memory memory;
    uint64_t *count = memory.room<uint64_t>(1);
    if (persistent)
        gpu_launch_persistent(count_blocks, {blocks, 32}, shared_bytes, error, count);
    else
        gpu_launch(count_blocks, {blocks, 32}, shared_bytes, error, count);
    cudaGetLastError(); /* a refused launch leaves the device usable */
    return memory.get(count, 1)[0];
}

/* A kernel serves several graphs, whose plans differ: a later plan takes nothing from an earlier one. */
static void check_plans(void)
{
    struct error error = {}, refused = {};
    struct grid grid;
    size_t limit;
    for (int device = 0; device < device_count(DEVICE_KIND); device++) {
        gpu_check(cudaSetDevice(device), "selecting the device", &error);
        plan_sizes(&error);
        for (bool persistent : {true, false})
            check(blocks_run(persistent, 2, LARGE_SHARED, &error) == 2, "a plan of less shared memory changes nothing",
                  "device %d: %s", device, error.text);
    }
    cudaSetDevice(0);
    pthread_t threads[4];
    struct error errors[4] = {};
    for (unsigned i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, plan_sizes, &errors[i]);
    for (unsigned i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    check(blocks_run(true, 2, LARGE_SHARED, &error) == 2, "nor do plans of other threads", "%s; %s", error.text,
          errors[0].text);
    gpu_shared_limit(&limit, &error);
    check(blocks_run(true, 1, LARGE_SHARED + 1, &refused) == 0 && refused.status == STATUS_DEVICE,
          "a launch of more shared memory than was planned is refused", "status %d", refused.status);
    refused = {};
    check(blocks_run(true, 1u << 20, 0, &refused) == 0 && strstr(refused.text, "too many blocks") != NULL,
          "and one of more blocks than run at once", "%s", refused.text);
    refused = {};
    check(gpu_plan_grid((const void *)count_blocks, 32, 1, limit + 1, &grid, &refused) == STATUS_DEVICE &&
              grid.blocks == 0 && strstr(refused.text, "too little shared memory: a block needs") != NULL,
          "a plan of more than the device has says so", "%s", refused.text);
    refused = {};
    check(blocks_run(true, 0, 0, &refused) == 0 && refused.status == STATUS_DEVICE, "and a launch of no block",
          "status %d", refused.status);
    check(blocks_run(false, 2, LARGE_SHARED, &error) == 2 && error.status == STATUS_OK, "the device works after that",
          "%s", error.text);
    check(blocks_run(false, 300, 0, &error) == 300, "a plain launch of more blocks than run at once", "%s", error.text);
}

static void check_all(struct device *device)
{
    check_sequence(device->memory);
    check_sticky(device->memory);
    check_memory(device->memory);
    check_use(device);
    check_clock(device);
    check_plans();
}

} // namespace BACKEND
