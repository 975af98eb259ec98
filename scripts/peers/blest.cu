/* blest.cu: drives the BFS of Blest's authors (github.com/delbek/blest), whose own program downloads its graphs and
 * reads Matrix Market only. WORD: natural (the graph's order), or own: their order, JaccardWithWindows with windows
 * of 65,536 on scale-free graphs and RCM on others. The time is what their kernel's host code reports: one kernel,
 * without the reset. */
#include <filesystem>
#include <map>
#include <queue>
#include <random>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "search.hpp"
#define private public // the rule for scale-free graphs is a private function of theirs
#include "CSC.cuh"

#include "BVSS.cuh"
#include "BVSSBFSKernel.cuh"
#undef private

static CSC *csc_of(const peer::Input &input)
{
    CSC *csc = new CSC;
    csc->getN() = (unsigned)input.num_vertices();
    csc->getNNZ() = (unsigned)input.targets.size();
    csc->getColPtrs() = new unsigned[input.offsets.size()];
    csc->getRows() = new unsigned[input.targets.size()];
    std::copy(input.offsets.begin(), input.offsets.end(), csc->getColPtrs());
    std::copy(input.targets.begin(), input.targets.end(), csc->getRows());
    csc->isSocialNetwork() = csc->socialNetworkHelper() || csc->averageDegree() > SOCIAL_THRESHOLD;
    return csc;
}

int main(int argc, char **argv)
{
    peer::Input input(argc, argv);
    if (input.targets.size() >= UNSIGNED_MAX)
        throw std::runtime_error("their edges have numbers of 32 bits: too many edges");
    JACKARD_ON = true;
    WINDOW_SIZE = 65536;
    CSC *csc = csc_of(input);
    FULL_PADDING = !csc->isSocialNetwork();
    std::vector<unsigned> position(input.num_vertices());
    std::iota(position.begin(), position.end(), 0u);
    if (!input.words.empty() && input.words[0] == "own") {
        unsigned *inverse = csc->reorder(8);
        position.assign(inverse, inverse + position.size());
    }
    std::ofstream log("/dev/null");
    BVSS *bvss = new BVSS(8, 4, log);
    bvss->constructFromCSCMatrix(csc);
    BVSSBFSKernel kernel(bvss);
    peer::search_all(input, [&](uint32_t source, std::vector<int32_t> &levels) {
        BFSResult result = kernel.run(position[source]);
        for (size_t v = 0; v < levels.size(); v++)
            levels[v] = (int32_t)result.levels[position[v]];
        delete[] result.levels;
        return result.time * 1000;
    });
}
