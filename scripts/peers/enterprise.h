/* enterprise.h: makes Enterprise (github.com/iHeartGraph/Enterprise, written for CUDA 7.5) compile with today's CUDA,
 * and gives it the sources in the file that ENTERPRISE_SOURCES names, a vertex on each line. programs.ini includes it
 * before their code. */
#pragma once

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <vector>

#define cudaThreadSynchronize cudaDeviceSynchronize

/* Stands for a texture reference: a pointer to its elements, in device memory. */
template <typename Element, int dimensions, int mode>
struct texture {
    const Element *elements;
};

template <typename Element, int dimensions, int mode>
static __device__ __forceinline__ Element tex1Dfetch(const texture<Element, dimensions, mode> &reference, int i)
{
    return reference.elements[i];
}

#define cudaBindTexture(offset, reference, pointer, bytes)                                                             \
    [&] {                                                                                                              \
        const void *elements = (pointer);                                                                              \
        return cudaMemcpyToSymbol(reference, &elements, sizeof elements);                                              \
    }()

static const std::vector<int> &given_sources()
{
    static const std::vector<int> sources = [] {
        std::ifstream lines(std::getenv("ENTERPRISE_SOURCES"));
        return std::vector<int>(std::istream_iterator<int>(lines), {});
    }();
    return sources;
}

static inline int num_sources()
{
    return (int)given_sources().size();
}

static inline int next_source()
{
    static int next = 0;
    return given_sources()[next++ % num_sources()];
}
