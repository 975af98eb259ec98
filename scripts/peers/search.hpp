/* search.hpp: what the drivers of other authors' programs share. A driver reads a graph and sources that the campaign
 * peers wrote (scripts/measure.py), runs the other program's search from each source, and prints the results.
 *
 * Arguments of every driver: OFFSETS TARGETS SOURCES RESULTS [WORD...]
 *   OFFSETS  num_vertices + 1 numbers of 64 bits: where each vertex's neighbours start in TARGETS
 *   TARGETS  vertices, 32 bits each
 *   SOURCES  text, a vertex on each line
 *   RESULTS  a folder for the levels of the first source: SOURCE.npy
 * Output: for each source the lines `time_ms`, `reached` and `depth`. A search shorter than LONG_MS runs
 * twice in a row, and the second run is timed, as in gtrav. */
#pragma once

#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace peer
{

constexpr double LONG_MS = 50; // LONG_SEARCH_MS of src/run/engine.h
constexpr int32_t UNREACHED = -1;

template <class Number>
std::vector<Number> read_array(const std::string &path)
{
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file)
        throw std::runtime_error("cannot read " + path);
    std::vector<Number> array((size_t)file.tellg() / sizeof(Number));
    file.seekg(0);
    file.read(reinterpret_cast<char *>(array.data()), (std::streamsize)(array.size() * sizeof(Number)));
    return array;
}

struct Input {
    std::vector<uint64_t> offsets;
    std::vector<uint32_t> targets;
    std::vector<uint32_t> sources;
    std::string results;
    std::vector<std::string> words;

    Input(int argc, char **argv)
    {
        if (argc < 5)
            throw std::runtime_error("usage: driver OFFSETS TARGETS SOURCES RESULTS [WORD...]");
        offsets = read_array<uint64_t>(argv[1]);
        targets = read_array<uint32_t>(argv[2]);
        std::ifstream lines(argv[3]);
        sources.assign(std::istream_iterator<uint32_t>(lines), {});
        results = argv[4];
        words.assign(argv + 5, argv + argc);
    }

    size_t num_vertices() const
    {
        return offsets.size() - 1;
    }

    /* Returns offsets and neighbours of the graph with all edges reversed; the neighbours of a vertex ascend. */
    std::pair<std::vector<uint64_t>, std::vector<uint32_t>> transposed() const
    {
        std::vector<uint64_t> in_offsets(offsets.size() + 1);
        for (uint32_t target : targets)
            in_offsets[target + 2]++;
        std::partial_sum(in_offsets.begin(), in_offsets.end(), in_offsets.begin());
        std::vector<uint32_t> in_neighbours(targets.size());
        for (size_t v = 0; v < num_vertices(); v++)
            for (uint64_t e = offsets[v]; e < offsets[v + 1]; e++)
                in_neighbours[in_offsets[targets[e] + 1]++] = (uint32_t)v;
        in_offsets.pop_back();
        return {std::move(in_offsets), std::move(in_neighbours)};
    }
};

/* Throws an error of CUDA, so that a search whose kernels could not run does not count as one that reaches nothing.
 */
#ifdef __CUDACC__
inline void check_cuda()
{
    cudaError_t status = cudaDeviceSynchronize();
    status = status == cudaSuccess ? cudaGetLastError() : status;
    if (status != cudaSuccess)
        throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(status));
}
#endif

template <class Call>
double milliseconds_of(Call call)
{
    auto began = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count();
}

/* Fills the levels from an array in which the vertex names[i] has the number i. If there are parents, a vertex counts
 * as reached only if its parent is one level nearer to the source. */
template <class Names, class Array>
void name_levels(const Names &names, const Array &found, const Array &parent_of, std::vector<int32_t> &levels)
{
    for (size_t i = 0; i < names.size(); i++) {
        bool is_right =
            found[i] <= 0 || !parent_of.size() || (parent_of[i] >= 0 && found[parent_of[i]] == found[i] - 1);
        levels[names[i]] = found[i] != INT_MAX && is_right ? found[i] : UNREACHED;
    }
}

/* Writes levels as an array of int32 that NumPy reads. */
inline void write_npy(const std::string &path, const std::vector<int32_t> &levels)
{
    std::string header =
        "{'descr': '<i4', 'fortran_order': False, 'shape': (" + std::to_string(levels.size()) + ",), }";
    header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10, ' ');
    header.back() = '\n';
    uint16_t length = (uint16_t)header.size();
    std::ofstream file(path, std::ios::binary);
    file.write("\x93NUMPY\x01\x00", 8);
    file.write(reinterpret_cast<const char *>(&length), sizeof length);
    file << header;
    file.write(reinterpret_cast<const char *>(levels.data()), (std::streamsize)(levels.size() * sizeof levels[0]));
}

/* Searches from all sources, and prints and writes the results. search(source, levels) runs one search, fills the
 * levels (UNREACHED where there is none) and returns its ms. */
template <class Search>
void search_all(const Input &input, Search search)
{
    std::vector<int32_t> levels(input.num_vertices());
    for (uint32_t source : input.sources) {
        double ms = search(source, levels);
        if (ms < LONG_MS)
            ms = search(source, levels);
        size_t reached = 0;
        int32_t depth = 0;
        for (int32_t level : levels) {
            reached += level != UNREACHED;
            depth = level > depth ? level : depth;
        }
        std::printf("time_ms %.6f\nreached %zu\ndepth %d\n", ms, reached, depth);
        if (source == input.sources.front())
            write_npy(input.results + "/" + std::to_string(source) + ".npy", levels);
    }
}

} // namespace peer
