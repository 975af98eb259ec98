/* host.cuh: the options, the host's state, and the kernels for each width. */
#pragma once

#include "../../device/narrow_levels.cuh"
#include "../../graph/degree_order.h"
#include "materialise.cuh"
#include "pull.cuh"
#include "sparse.cuh"

namespace BACKEND::bitparallel
{

#define PUSH_EDGES  1000000
#define LIST_PAIRS  (1 << 22)
#define LEAST_PAIRS 256u
#define MOST_RANGES 16u
#define BYTE_LEVELS 254

enum { BATCH, RELABEL, PUSH_OPTION, MARK_OPTION, RANGES_OPTION, PLANES, LIST_OPTION, LEVELS_OPTION, OFFSET_BITS };
enum { BATCH_AUTO, BATCH_32 };
static const struct option_spec options[] = {
    CHOICE_OPTION("batch", BATCH_AUTO, "auto|32|64|128|256",
                  "sources of a batch; auto: 256, or fewer if there are fewer sources"),
    CHOICE_OPTION("relabel", RELABEL_AUTO, "auto|0|1",
                  "relabel vertices by degree, high degrees first; auto: if degrees are heavy-tailed, or there are "
                  "high-degree vertices",
                  .for_tests = true),
    NUMBER_OPTION("push-edges", PUSH_EDGES, 0, MOST_PAIRS, "most edges of a level that is pushed and listed",
                  .for_tests = true),
    NUMBER_OPTION("mark-edges", -1, -1, MOST_EDGES - 1,
                  "most edges of the first level that is pushed but not listed; -1: by the graph", .for_tests = true),
    NUMBER_OPTION("blocks", 0, 0, MOST_RANGES, "ranges of rows that heavy pulls take one after the other; 0: by L2",
                  .for_tests = true),
    NUMBER_OPTION("planes", MOST_PLANES, LEAST_PLANES, MOST_PLANES,
                  "levels whose rows are kept, as far as memory allows", .for_tests = true),
    NUMBER_OPTION("list-pairs", LIST_PAIRS, LEAST_PAIRS, 1 << 28,
                  "capacity of the list, rounded up to a power of two; less if memory is short", .for_tests = true),
    NUMBER_OPTION("byte-levels", BYTE_LEVELS, 2, BYTE_LEVELS,
                  "the highest level that a byte holds; two bytes hold its square, four bytes any level",
                  .for_tests = true),
    OFFSET_BITS_OPTION,
    {},
};

struct state {
    bool symmetric;
    struct gpu_arena memory;       /* owns the order and all arrays except those of the next two */
    struct gpu_arena wide_memory;  /* owns `wide` */
    struct gpu_arena query_memory; /* owns the destinations and their lengths */
    struct degree_order order;     /* relabels vertices; a row's number is a relabelled id */
    struct gpu_graph in, out;      /* by id; the lists of `in` are padded; `out` is empty if the graph is symmetric */
    vertex_t num_high_degree;      /* number of ids with at least 2^HIGH_DEGREE_POWER in-edges; 0 if not relabelled */
    vertex_t num_not_small;        /* number of ids with at least 2^MEDIUM_POWER in-edges; 0 if not relabelled */
    double free_bytes;             /* free memory before the memory of the searches was planned */
    uint32_t num_words;
    struct search search;
    struct rules rules;
    struct level_end *trace; /* num_vertices + 2, by level; NULL without --profile */
    uint2 *high_degree_parts;
    uint32_t num_high_degree_parts;
    void *splits;
    struct beginning *beginning; /* points into `search` */
    uint8_t *narrow;             /* byte levels; search.levels is this or `wide` */
    void *wide;
    uint32_t level_bytes, wide_bytes; /* bytes per level: in search.levels, in wide */
    uint32_t *picked;                 /* num_vertices */
    struct destination *destinations;
    uint32_t *lengths;
    uint64_t num_destinations, destination_room;
    uint32_t num_sources; /* number of sources of the last query */
    struct grid sparse_grid, pull_grid, range_grid, write_grid;
    uint32_t steps[MOST_STEPS], num_steps; /* steps of the last query; the next query launches them first */
};

template <typename offset_t>
static struct relabelled_graph<offset_t> graph_of(const struct state *state) {
    return {state->in.num_vertices,
            state->order.num_ids,
            state->num_high_degree,
            state->num_not_small,
            csr_of<offset_t>(&state->in),
            csr_of<offset_t>(state->symmetric ? &state->in : &state->out),
            state->order.id_of,
            state->order.input_of,
            state->high_degree_parts,
            state->num_high_degree_parts,
            (const offset_t *)state->splits};
}

/* The kernels for one width of rows and of offsets. */
template <unsigned num_words, typename offset_t>
struct kernels {
    typedef void (*kernel)(struct relabelled_graph<offset_t>, struct search, struct rules);
    static constexpr kernel sparse = sparse_kernel<num_words, offset_t>;
    static constexpr kernel filtered = pull_kernel<num_words, offset_t, true>;
    static constexpr kernel pull = pull_kernel<num_words, offset_t, false>;
    static constexpr kernel range = pull_range_kernel<num_words, offset_t>;
    static constexpr kernel write = write_levels<num_words, offset_t>;
    static constexpr kernel farness = add_farness<num_words, offset_t>;
    static constexpr kernel count = count_planes<num_words, offset_t>;
    static kernel merge(uint32_t level_bytes)
    {
        return with_levels(NULL, level_bytes, []<typename level_t>(const level_t *) {
            return (kernel)merge_levels<num_words, offset_t, level_t>;
        });
    }
    static kernel list(uint32_t level_bytes)
    {
        return with_levels(NULL, level_bytes, []<typename level_t>(const level_t *) {
            return (kernel)materialise_list<num_words, offset_t, level_t>;
        });
    }
};

/* Calls use(kernels) with the kernels for the widths of the state. */
template <typename use_t>
static auto with_kernels(const struct state *state, use_t use)
{
    return with_width(state->in.wide, [&]<typename offset_t>() {
        return with_power_of_two<MOST_WORDS>(state->num_words,
                                             [&]<unsigned num_words>() { return use(kernels<num_words, offset_t>()); });
    });
}

static uint32_t num_searches(const struct state *state)
{
    return state->num_words * WARP_SIZE;
}

} // namespace BACKEND::bitparallel
