/* test_bvss.cu: the BVSS built on the GPU, or on the emulator, against one built plainly on the host; and the scan
 * that it needs.
 *
 *     test_bvss_emulated [SEED]    SEED: of the schedule, 0: round-robin
 *     test_bvss_cuda */
#include <math.h>
#include <stdlib.h>

#include <map>
#include <vector>

#include "../../kernels/graph/bvss.h"
#include "checks.h"
#include "graphs.h"
#include "run_checks.h"

namespace BACKEND
{

using std::vector;

/* ---- the oracle: section 3.1, word for word ---- */

struct plain_bvss {
    vector<uint32_t> real_ptrs, row_ids, masks; /* TAU row_ids and masks to a VSS, in the order of k = lane, column */
    uint64_t num_slices, num_bits;
    double update_divergence;
};

static double standard_deviation(const vector<double> &values)
{
    double mean = 0, squares = 0;
    for (double value : values)
        mean += value / (double)values.size();
    for (double value : values)
        squares += (value - mean) * (value - mean);
    return sqrt(squares / (double)values.size());
}

/* Of the VSS whose slices begin at `first`. */
static double set_divergence(const plain_bvss &bvss, size_t first)
{
    double sum = 0;
    unsigned columns = 0;
    for (unsigned c = 0; c < THETA; c++) {
        vector<double> rows;
        for (unsigned lane = 0; lane < WARP_SIZE; lane++)
            if (bvss.masks[first + lane * THETA + c] != 0)
                rows.push_back(bvss.row_ids[first + lane * THETA + c]);
        if (!rows.empty()) {
            sum += standard_deviation(rows);
            columns++;
        }
    }
    return sum / columns;
}

static plain_bvss build_plainly(const struct graph &graph)
{
    plain_bvss bvss = {{0}, {}, {}, 0, 0, 0};
    for (uint64_t set = 0; set * SIGMA < graph.num_vertices; set++) {
        std::map<vertex_t, uint32_t> slices; /* row -> mask, in the order of the rows */
        for (uint64_t j = set * SIGMA; j < (set + 1) * SIGMA && j < graph.num_vertices; j++)
            for (edge_t e = graph.offsets[j]; e < graph.offsets[j + 1]; e++)
                slices[graph.targets[e]] |= 1u << j % SIGMA;
        size_t first = bvss.masks.size(), slice = 0, vss = (slices.size() + TAU - 1) / TAU;
        bvss.row_ids.resize(first + vss * TAU);
        bvss.masks.resize(first + vss * TAU);
        for (auto [row, mask] : slices) {
            size_t place = first + slice / TAU * TAU + slice % WARP_SIZE * THETA + slice % TAU / WARP_SIZE;
            bvss.row_ids[place] = row;
            bvss.masks[place] = mask;
            bvss.num_bits += (unsigned)__builtin_popcount(mask);
            slice++;
        }
        bvss.num_slices += slices.size();
        bvss.real_ptrs.push_back((uint32_t)(bvss.masks.size() / TAU));
    }
    for (size_t first = 0; first < bvss.masks.size(); first += TAU)
        bvss.update_divergence += set_divergence(bvss, first) / (double)(bvss.masks.size() / TAU);
    return bvss;
}

/* ---- comparing ---- */

static bool close(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

/* "" or what differs. */
static const char *difference(const struct bvss &bvss, const plain_bvss &plain, struct error *error)
{
    size_t words = (size_t)bvss.num_vss * WARP_SIZE;
    if (bvss.num_sets + 1 != plain.real_ptrs.size() || words * THETA != plain.masks.size())
        return "the number of sets or VSSs";
    if (bvss.num_slices != plain.num_slices)
        return "the number of slices";
    vector<uint4> row_ids = downloaded(bvss.row_ids, words, error);
    vector<uint32_t> masks = downloaded(bvss.masks, words, error), packed(words);
    if (downloaded(bvss.real_ptrs, bvss.num_sets + 1, error) != plain.real_ptrs)
        return "realPtrs";
    for (size_t i = 0; i < plain.masks.size(); i++)
        packed[i / THETA] |= plain.masks[i] << i % THETA * SIGMA;
    for (size_t i = 0; i < words; i++) {
        const uint32_t row[THETA] = {row_ids[i].x, row_ids[i].y, row_ids[i].z, row_ids[i].w};
        for (unsigned c = 0; c < THETA; c++)
            if (row[c] != plain.row_ids[i * THETA + c])
                return "a row";
    }
    if (masks != packed)
        return "a mask";
    double ratio = plain.num_slices == 0 ? 0 : (double)plain.num_bits / (double)(plain.num_slices * SIGMA);
    if (!close(bvss.compression_ratio, ratio))
        return "the compression ratio";
    if (!close(bvss.update_divergence, plain.update_divergence))
        return "the update divergence";
    return "";
}

static void check_graph(const struct graph &graph, bool wide)
{
    char what[128];
    struct error error = {};
    struct gpu_graph gpu_graph = {};
    struct gpu_arena arena = {};
    struct bvss bvss;
    const char *wrong = "";
    gpu_graph_upload(&graph, wide, &gpu_graph, &error);
    if (bvss_build(&gpu_graph, &arena, &bvss, &error) == STATUS_OK)
        wrong = difference(bvss, build_plainly(graph), &error);
    snprintf(what, sizeof what, "BVSS of %s, %s offsets", graph.name, wide ? "64-bit" : "32-bit");
    check(error.status == STATUS_OK && wrong[0] == '\0', what, "%s differs; %s", wrong, error.text);
    gpu_arena_free(&arena);
    gpu_graph_free(&gpu_graph);
}

/* ---- graphs ---- */

static void check_random(unsigned number)
{
    const random_graph random(number, number % 3 == 0 ? 9 : 400);
    check_graph(random.graph, number % 2 == 1);
}

static void check_generated(const char *spec)
{
    struct graph graph;
    struct error error = {};
    struct load_options options = {};
    if (!check(graph_load(spec, &options, &graph, &error) == STATUS_OK, spec, "%s", error.text))
        return;
    check_graph(graph, false);
    graph_release(&graph);
}

/* ---- the scan ---- */

template <typename type>
static void check_scan(const char *what, size_t count)
{
    vector<type> values(count), sums(count);
    type *memory = NULL, sum = 0;
    struct error error = {};
    for (size_t i = 0; i < count; i++) {
        values[i] = (type)(i * 0x9e3779b97f4a7c15ull >> 7) % 1000 << (sizeof(type) == 8 ? 33 : 0);
        sums[i] = sum;
        sum += values[i];
    }
    if (gpu_allocate(&memory, count, "the values", &error) == STATUS_OK &&
        gpu_check(cudaMemcpy(memory, values.data(), count * sizeof sum, cudaMemcpyHostToDevice), "filling", &error) ==
            STATUS_OK &&
        gpu_exclusive_scan(memory, count, &error) == STATUS_OK)
        values = downloaded(memory, count, &error);
    check(error.status == STATUS_OK && values == sums, what, "%zu values: %s", count, error.text);
    gpu_free(memory);
}

static void check_all(const struct device *)
{
    for (size_t count : {1, 33, 100000}) {
        check_scan<uint32_t>("gpu_exclusive_scan, 32 bits", count);
        check_scan<uint64_t>("gpu_exclusive_scan, 64 bits", count);
    }
    for (unsigned number = 0; number < 8; number++)
        check_random(number);
    /* Sets in one part and in several; slices of one VSS and of more; padding; a last set that is not full. */
    for (const char *spec : {"path:1", "path:9", "star:2100", "complete:140"})
        check_generated(spec);
}

} // namespace BACKEND

int main(int argc, char **argv)
{
    return BACKEND::run_checks(argc, argv, BACKEND::check_all);
}
