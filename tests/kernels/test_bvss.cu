/* test_bvss.cu: the BVSS built on the GPU, or on the emulator, in its forms, and the BRS, against those built plainly
 * on the host; the scan that they need; and who updates in BerryBees' layout. */
#include <math.h>

#include <map>

#include "../../kernels/bfs/blest/tensor_cores.cuh"
#include "checks.h"
#include "graphs.h"

namespace BACKEND
{

using std::vector;

/* ---- the oracle: section 3.1, word for word ---- */

struct plain_bvss {
    vector<uint32_t> real_ptrs, virtual_to_real;
    vector<uint64_t> tile_ptrs;      /* also with padding */
    vector<uint32_t> row_ids, masks; /* THETA to a tile: those of a lane */
    vector<uint64_t> set_ptrs;       /* of the BRS */
    vector<uint32_t> brs_rows, brs_masks;
    uint64_t num_slices, num_bits;
    double update_divergence, authors_divergence;
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

/* Adds the share of the VSS whose slices are first .. end - 1, of num_vss. */
static void add_divergence(plain_bvss &bvss, size_t first, size_t end, double num_vss)
{
    double sum = 0, columns = 0;
    for (unsigned c = 0; c < THETA; c++) {
        vector<double> rows;
        for (size_t slice = first + c; slice < end; slice += THETA)
            if (bvss.masks[slice] != 0)
                rows.push_back(bvss.row_ids[slice]);
        if (!rows.empty()) {
            sum += standard_deviation(rows);
            columns++;
        }
    }
    bvss.update_divergence += sum / columns / num_vss;
    bvss.authors_divergence += sum / THETA / num_vss;
}

/* Adds a VSS with these slices, (row, mask), of a set. Without padding the authors' code (distributeSlices) gives
 * each lane a slice of every full column, and what is left to one more lane. */
static void add_vss(plain_bvss &bvss, uint32_t set, const vector<std::pair<vertex_t, uint32_t>> &slices, bool unpadded)
{
    size_t first = bvss.masks.size(), lanes = unpadded ? slices.size() / THETA : WARP_SIZE;
    size_t tiles = unpadded ? (slices.size() + THETA - 1) / THETA : WARP_SIZE;
    bvss.row_ids.resize(first + tiles * THETA);
    bvss.masks.resize(first + tiles * THETA);
    for (size_t k = 0; k < slices.size(); k++) {
        bool left = k >= lanes * THETA;
        size_t lane = left ? lanes : k % lanes, column = left ? k - lanes * THETA : k / lanes;
        bvss.row_ids[first + lane * THETA + column] = slices[k].first;
        bvss.masks[first + lane * THETA + column] = slices[k].second;
    }
    bvss.virtual_to_real.push_back(set);
    bvss.tile_ptrs.push_back(bvss.masks.size() / THETA);
}

static plain_bvss build_plainly(const struct graph &graph, bool unpadded)
{
    plain_bvss bvss = {{0}, {}, {0}, {}, {}, {0}, {}, {}, 0, 0, 0, 0};
    for (uint64_t set = 0; set * SIGMA < graph.num_vertices; set++) {
        std::map<vertex_t, uint32_t> slices; /* row -> mask, in the order of the rows */
        for (uint64_t j = set * SIGMA; j < (set + 1) * SIGMA && j < graph.num_vertices; j++)
            for (edge_t e = graph.offsets[j]; e < graph.offsets[j + 1]; e++)
                slices[graph.targets[e]] |= 1u << j % SIGMA;
        vector<std::pair<vertex_t, uint32_t>> vss;
        for (auto [row, mask] : slices) {
            if (vss.size() == TAU) {
                add_vss(bvss, (uint32_t)set, vss, unpadded);
                vss.clear();
            }
            vss.push_back({row, mask});
            bvss.brs_rows.push_back(row);
            bvss.brs_masks.push_back(mask);
            bvss.num_bits += (unsigned)__builtin_popcount(mask);
        }
        if (!vss.empty())
            add_vss(bvss, (uint32_t)set, vss, unpadded);
        bvss.num_slices += slices.size();
        bvss.set_ptrs.push_back(bvss.num_slices);
        bvss.real_ptrs.push_back((uint32_t)bvss.virtual_to_real.size());
    }
    size_t num_vss = bvss.virtual_to_real.size();
    for (size_t vss = 0; vss < num_vss; vss++)
        add_divergence(bvss, bvss.tile_ptrs[vss] * THETA, bvss.tile_ptrs[vss + 1] * THETA, (double)num_vss);
    return bvss;
}

/* ---- comparing ---- */

static double compression_of(const plain_bvss &plain)
{
    return plain.num_slices == 0 ? 0 : (double)plain.num_bits / (double)(plain.num_slices * SIGMA);
}

/* "" or what differs. */
static const char *difference(const struct bvss &bvss, const plain_bvss &plain, struct test_memory *memory)
{
    size_t words = bvss.num_tiles;
    if (bvss.num_sets + 1 != plain.real_ptrs.size() || bvss.num_vss != plain.virtual_to_real.size() ||
        words * THETA != plain.masks.size())
        return "the number of sets, VSSs or tiles";
    if (bvss.virtual_to_real != NULL && memory->get(bvss.virtual_to_real, bvss.num_vss) != plain.virtual_to_real)
        return "virtualToReal";
    if (bvss.tile_ptrs != NULL && memory->get(bvss.tile_ptrs, bvss.num_vss + (size_t)1) != plain.tile_ptrs)
        return "where VSSs begin";
    if (bvss.num_slices != plain.num_slices)
        return "the number of slices";
    vector<uint4> row_ids = memory->get(bvss.row_ids, words);
    vector<uint32_t> masks = memory->get(bvss.masks, words), packed(words);
    if (memory->get(bvss.real_ptrs, bvss.num_sets + 1) != plain.real_ptrs)
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
    if (!close(bvss.compression_ratio, compression_of(plain)))
        return "the compression ratio";
    if (!close(bvss.update_divergence, plain.update_divergence))
        return "the update divergence";
    if (!close(bvss.authors_divergence, plain.authors_divergence))
        return "the update divergence as in the authors' code";
    return "";
}

static const char *difference_of_brs(const struct brs &brs, const plain_bvss &plain, struct test_memory *memory)
{
    if (brs.num_slices != plain.num_slices)
        return "the number of slices";
    if (memory->get(brs.set_ptrs, brs.num_sets + (size_t)1) != plain.set_ptrs)
        return "where sets begin";
    vector<uint8_t> masks = memory->get(brs.masks, brs.num_slices);
    if (memory->get(brs.row_ids, brs.num_slices) != plain.brs_rows ||
        vector<uint32_t>(masks.begin(), masks.end()) != plain.brs_masks)
        return "a slice";
    return close(brs.compression_ratio, compression_of(plain)) ? "" : "the compression ratio";
}

static void check_form(const struct graph &graph, const struct gpu_graph *gpu_graph, bool as_paper, bool unpadded)
{
    char what[128];
    struct test_memory memory;
    struct bvss bvss;
    struct brs brs;
    plain_bvss plain = build_plainly(graph, unpadded);
    bvss_build(gpu_graph, {as_paper, unpadded}, &memory.arena, &bvss, &memory.error);
    const char *wrong = difference(bvss, plain, &memory);
    bool named = (bvss.virtual_to_real != NULL) == as_paper && (bvss.tile_ptrs != NULL) == unpadded;
    snprintf(what, sizeof what, "BVSS of %s, %s offsets, %s", graph.name, gpu_graph->wide ? "64-bit" : "32-bit",
             unpadded ? "not padded" : "padded");
    memory.check(wrong[0] == '\0' && (named || bvss.num_vss == 0), what, "%s differs", wrong);
    brs_build(gpu_graph, &memory.arena, &brs, &memory.error);
    wrong = difference_of_brs(brs, plain, &memory);
    memory.check(wrong[0] == '\0', what, "BRS: %s differs", wrong);
}

static void check_graph(const struct graph &graph, bool wide)
{
    struct error error = {};
    struct gpu_graph gpu_graph = {};
    gpu_graph_upload(&graph, wide, &gpu_graph, &error);
    check(error.status == STATUS_OK, graph.name, "%s", error.text);
    check_form(graph, &gpu_graph, false, false);
    check_form(graph, &gpu_graph, true, false);
    check_form(graph, &gpu_graph, true, true);
    gpu_graph_free(&gpu_graph);
}

/* ---- the scan ---- */

template <typename type>
static void check_scan(const char *what, size_t count)
{
    struct test_memory memory;
    vector<type> values(count), sums(count);
    type sum = 0;
    for (size_t i = 0; i < count; i++) {
        values[i] = (type)(i * 0x9e3779b97f4a7c15ull >> 7) % 1000 << (sizeof(type) == 8 ? 33 : 0);
        sums[i] = sum;
        sum += values[i];
    }
    type *on_device = memory.put(values);
    gpu_exclusive_scan(on_device, count, &memory.error);
    memory.check(memory.get(on_device, count) == sums, what, "%zu values", count);
}

/* ---- BerryBees' layout ---- */

/* order: for each slice of a VSS, lane by lane, the number of those that were updated before it, and their count. */
__global__ void update_in_order(uint32_t *order)
{
    blest::multiply_by_rows(UINT32_MAX, COLUMN_MASK,
                            [&](unsigned c) { order[lane_id() * THETA + c] = atomicAdd(&order[TAU], 1u); });
}

/* Eight lanes hold the products of a multiplication and update before the next one. */
static void check_who_updates(void)
{
    const uint32_t lanes = 8;
    struct test_memory memory;
    uint32_t *order = memory.room<uint32_t>(TAU + 1), wrong = 0;
    gpu_launch(update_in_order, {1, WARP_SIZE}, 0, &memory.error, order);
    vector<uint32_t> got = memory.get(order, TAU);
    for (uint32_t slice = 0; slice < TAU; slice++) {
        uint32_t lane = slice / THETA, column = slice % THETA, multiplication = 4 * column + lane % 4;
        wrong += got[slice] / lanes != multiplication;
    }
    memory.check(wrong == 0, "who updates in BerryBees' layout", "%u slices out of turn", wrong);
}

static void check_all(struct device *)
{
    check_who_updates();
    for (size_t count : {1, 33, 100000}) {
        check_scan<uint32_t>("gpu_exclusive_scan, 32 bits", count);
        check_scan<uint64_t>("gpu_exclusive_scan, 64 bits", count);
    }
    for (unsigned number = 0; number < 8; number++)
        check_graph(random_graph(number, number % 3 == 0 ? 9 : 400).graph, number % 2 == 1);
    /* Sets in one part and in several; slices of one VSS and of more; padding; a last set that is not full. */
    for (const char *spec : {"path:1", "path:9", "star:2100", "complete:140"})
        with_generated(spec, [](const struct graph &graph) { check_graph(graph, false); });
}

} // namespace BACKEND
