/* call_model.c: which algorithm answers path lengths in the least time of a whole call, for `msbfs auto`.
 *
 * On a graph that is not on the GPU, copying it there takes longer than a CPU takes for a few searches. So the time
 * of each algorithm that may be the fastest is predicted: preparing, searching and fetching the lengths. The model is
 * of graphs with few levels, and was fitted to the records of an H200, and to CPU times of one thread. */
#include "call_model.h"

#include <math.h>

/* Milliseconds of a batch of so many searches: fixed_ms + vertex_ms * vertices + edge_ms * edges. Between two sizes
 * it is interpolated by the logarithm of the size. */
struct batch_cost {
    double searches, fixed_ms, vertex_ms, edge_ms;
};

struct call_cost {
    bool gives_paths;
    double least_degree;              /* edges a vertex; a graph of fewer may have many levels */
    double build_ms, build_edge_ms;   /* preparing, without copying the graph to the device */
    double fetch_ms;                  /* lengths of a batch */
    const struct batch_cost *batches; /* ascending; the last one is of the largest batch, and zeros follow */
};

/* The bus, from results/nvidia-h200/run_msbfs/pairs: 187 MB in 6.1 ms, 18.7 MB in 0.74, 1.8 MB in 0.16. Where an
 * upload of this process was timed, its rate counts instead. */
#define UPLOAD_GB_PER_S 30.0
#define UPLOAD_FIXED_MS 0.11
#define ALONE_MS        2.0 /* of less work, msbfs adaptive leaves all to one thread */

/* Graphs of fewer edges a vertex may have many levels. There searches from both ends meet late, and ibfs takes 95 ms
 * for 1,024 pairs of road:15, 113 times what the model says. */
#define FEW_EDGES 8.0

enum { BY_ADAPTIVE, BY_IBFS, BY_AUTO, BY_BITPARALLEL, NUM_CANDIDATES };
static const struct call_candidate candidates[] = {
    [BY_ADAPTIVE] = {"adaptive", DEVICE_CPU},
    [BY_IBFS] = {"ibfs-auto", DEVICE_GPU},
    [BY_AUTO] = {"auto", DEVICE_GPU},
    [BY_BITPARALLEL] = {"bitparallel", DEVICE_GPU},
};

/* From the same records and those of msbfs/pairs: time_ms of snb:1 to snb:300 (0.44 to 137 million edges, 41 to 111
 * edges a vertex), and prepare_ms - upload_ms. tests/unit/test_call_model.c holds the choices against all cells.
 *
 * both_ends: msbfs adaptive, a pair each search: CPU ms of one thread of an AMD EPYC (Turin), the least of several,
 * of snb:1 to snb:30 and kron:16 (NOTES.md). whole: the same where a search reads most of the
 * graph, by grid:300x300 (2 ns a vertex) and road:16 (5). ibfs: workgroups, then one queue. */
static const struct batch_cost
    both_ends[] = {{1, 0.05, 0, 1e-10}, {10, 0.06, 0, 2e-9}, {100, 0.08, 0, 2.1e-8}, {512, 0.2, 0, 9e-8}, {0}},
    whole[] = {{1, 0.05, 5e-6, 0}, {0}},
    ibfs[] = {{1, 0.1, 0, 1.75e-8}, {10, 0.12, 0, 2.8e-8}, {100, 0.15, 0, 5e-8}, {1024, 0.17, 0, 1.1e-7}, {0}},
    bitparallel[] = {{1, 0.09, 0, 3.5e-9}, {10, 0.09, 0, 4.5e-9}, {100, 0.1, 0, 6.7e-9}, {256, 0.115, 0, 9e-9}, {0}};

/* auto: bitparallel after a sample of searches, which tells graphs of many levels; without measurements of engines.
 */
static const struct call_cost costs[] = {
    [BY_ADAPTIVE] = {.gives_paths = true, .build_ms = 0.1, .batches = both_ends},
    [BY_IBFS] =
        {.least_degree = FEW_EDGES, .build_ms = 0.3, .build_edge_ms = 6e-9, .fetch_ms = 0.02, .batches = ibfs},
    [BY_AUTO] =
        {.gives_paths = true, .build_ms = 1.2, .build_edge_ms = 9e-8, .fetch_ms = 0.01, .batches = bitparallel},
    [BY_BITPARALLEL] = {.gives_paths = true,
                        .least_degree = 32,
                        .build_ms = 0.9,
                        .build_edge_ms = 2.4e-8,
                        .fetch_ms = 0.01,
                        .batches = bitparallel},
};

static double batch_ms(const struct call *call, const struct batch_cost *cost)
{
    return cost->fixed_ms + cost->vertex_ms * (double)call->num_vertices + cost->edge_ms * (double)call->num_edges;
}

/* The milliseconds of a batch of so many searches, at most as many as the largest one has. */
static double searching_ms(const struct call *call, const struct batch_cost *batches, double searches)
{
    int above = 0;
    while (batches[above].searches < searches)
        above++;
    double ms = batch_ms(call, &batches[above]);
    if (above == 0)
        return ms;
    const struct batch_cost *below = &batches[above - 1];
    double share = log(searches / below->searches) / log(batches[above].searches / below->searches);
    return (1 - share) * batch_ms(call, below) + share * ms;
}

static double largest_batch(const struct batch_cost *last)
{
    while (last[1].searches > 0)
        last++;
    return last->searches;
}

static double megabytes(const struct call *call)
{
    return 1e-6 * (double)sizeof(vertex_t) * ((double)call->num_edges + (double)call->num_vertices);
}

static double upload_rate(const struct call *call)
{
    return call->upload_gb_per_s > 0 ? call->upload_gb_per_s : UPLOAD_GB_PER_S;
}

static double prepare_ms(const struct call *call, const struct call_cost *cost, enum device_kind on)
{
    double upload = on == DEVICE_GPU ? UPLOAD_FIXED_MS + megabytes(call) / upload_rate(call) : 0;
    return call->warm ? 0 : cost->build_ms + cost->build_edge_ms * (double)call->num_edges + upload;
}

/* The time on all threads of what takes so long on one. */
static double on_threads(const struct call *call, double ms)
{
    return fmin(ms, ALONE_MS) + fmax(ms - ALONE_MS, 0) / call->threads;
}

static double call_ms(const struct call *call, int index)
{
    const struct call_cost *cost = &costs[index];
    enum device_kind on = candidates[index].on;
    const struct batch_cost *batches = cost->batches;
    if (index == BY_ADAPTIVE && (double)call->num_edges < FEW_EDGES * (double)call->num_vertices)
        batches = whole;
    double searches = fmax((double)call->num_searches, 1), most = largest_batch(batches);
    if ((call->paths && !cost->gives_paths) ||
        (double)call->num_edges < cost->least_degree * (double)call->num_vertices)
        return HUGE_VAL;
    double full = floor(searches / most), rest = searches - full * most;
    double ms = full * (searching_ms(call, batches, most) + cost->fetch_ms);
    if (rest > 0)
        ms += searching_ms(call, batches, rest) + cost->fetch_ms;
    double levels = call->paths && on == DEVICE_GPU
                        ? searches * 1e-6 * (double)sizeof(uint32_t) * (double)call->num_vertices / upload_rate(call)
                        : 0;
    return prepare_ms(call, cost, on) + (on == DEVICE_CPU ? on_threads(call, ms) : ms) + levels;
}

static int call_fastest(const struct call *call, unsigned on)
{
    int best = BY_AUTO;
    for (int i = 0; i < NUM_CANDIDATES; i++)
        if (on >> candidates[i].on & 1 &&
            (!(on >> candidates[best].on & 1) || call_ms(call, i) < call_ms(call, best)))
            best = i;
    return best;
}

const struct call_model msbfs_call_model = {
    .candidates = candidates, .num_candidates = NUM_CANDIDATES, .ms = call_ms, .fastest = call_fastest};
