/* words.h: kernels whose one parameter is an array of words, which the host fills before and compares after. */
#pragma once

#include <stdlib.h>

#include <functional>

#include "checks.h"

namespace BACKEND
{

using std::vector;
typedef unsigned long long word_t;              /* as CUDA's atomics and loads want it */
typedef std::function<uint64_t(size_t)> rule_t; /* the value of a word */

enum launch { PERSISTENT, PLAIN };

static inline rule_t zeros(void)
{
    return [](size_t) { return 0; };
}

/* The words after the kernel; empty, with the message in error, if it failed. */
template <typename type>
static vector<type> run_kernel(void (*kernel)(type *), enum launch launch, struct grid grid, size_t shared_bytes,
                               size_t num_words, const rule_t &before, struct error *error)
{
    struct test_memory memory;
    vector<type> words(num_words);
    for (size_t i = 0; i < num_words; i++)
        words[i] = (type)before(i);
    type *on_device = memory.put(words);
    gpu_check(
        cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared_bytes),
        "sizing", &memory.error);
    if (launch == PERSISTENT)
        gpu_launch_persistent(kernel, grid, shared_bytes, &memory.error, on_device);
    else
        gpu_launch(kernel, grid, shared_bytes, &memory.error, on_device);
    words = memory.get(on_device, num_words);
    *error = memory.error;
    return error->status == STATUS_OK ? words : vector<type>();
}

template <typename type>
static void expect(const char *what, void (*kernel)(type *), struct grid grid, size_t shared_bytes, size_t num_words,
                   const rule_t &before, const rule_t &after, enum launch launch = PERSISTENT)
{
    struct error error = {};
    vector<type> words = run_kernel(kernel, launch, grid, shared_bytes, num_words, before, &error);
    size_t i = 0;
    while (i < words.size() && words[i] == (type)after(i))
        i++;
    if (words.empty())
        check(false, what, "%s", error.text);
    else
        check(i == words.size(), what, "word %zu is %llx, not %llx", i, i < words.size() ? (word_t)words[i] : 0,
              i < words.size() ? (word_t)after(i) : 0);
}

/* Some value with bits everywhere: single bits, none, all, then random ones. */
static inline __host__ __device__ word_t sample(uint64_t i)
{
    if (i < 66)
        return i < 64 ? 1ull << i : i == 64 ? 0 : ~0ull;
    word_t bits = (i + 1) * 0x9e3779b97f4a7c15ull;
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
    return bits ^ bits >> 31;
}

static inline __device__ unsigned thread_in_grid(void)
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

} // namespace BACKEND
