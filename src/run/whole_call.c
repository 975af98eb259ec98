/* whole_call.c: see whole_call.h. */
#include "whole_call.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "../processes/ranks.h"
#include "options.h"

/* ---- the model ---- */

/* Milliseconds of a batch of so many searches: fixed_ms + vertex_ms * vertices + edge_ms * edges. Between two sizes
 * it is interpolated by the logarithm of the size. */
struct batch_cost {
    double searches, fixed_ms, vertex_ms, edge_ms;
};
#define MAX_BATCHES 5

struct call_cost {
    bool gives_paths;
    double least_degree;                    /* edges a vertex; a graph of fewer may have many levels */
    double build_ms, build_edge_ms;         /* preparing, without copying the graph to the device */
    double fetch_ms;                        /* lengths of a batch */
    struct batch_cost batches[MAX_BATCHES]; /* ascending; the last nonzero one is of the largest batch */
};

/* The bus, from results/nvidia-h200/run_msbfs/pairs: 187 MB in 6.1 ms, 18.7 MB in 0.74, 1.8 MB in 0.16. Where an
 * upload of this process was timed, its rate counts instead. */
#define UPLOAD_GB_PER_S 30.0
#define UPLOAD_FIXED_MS 0.11
#define TIMED_THREADS   16.0 /* of the CPU that the constants are of */

enum { BY_SERIAL, BY_PBFS, BY_IBFS, BY_AUTO, BY_BITPARALLEL };
const struct call_candidate call_candidates[NUM_CALL_CANDIDATES] = {
    [BY_SERIAL] = {"serial", DEVICE_CPU},           [BY_PBFS] = {"pbfs", DEVICE_CPU},
    [BY_IBFS] = {"ibfs-auto", DEVICE_GPU},          [BY_AUTO] = {"auto", DEVICE_GPU},
    [BY_BITPARALLEL] = {"bitparallel", DEVICE_GPU},
};

/* From the same records and those of msbfs/pairs: time_ms of snb:1 to snb:300 (0.44 to 137 million edges, 41 to 111
 * edges a vertex), and prepare_ms - upload_ms. tests/unit/test_whole_call.c holds the choices against all cells. */
#define ROWS_BATCHES                                                                                                 \
    {                                                                                                                \
        {1, 0.09, 0, 3.5e-9}, {10, 0.09, 0, 4.5e-9}, {100, 0.1, 0, 6.7e-9},                                          \
        {                                                                                                            \
            256, 0.115, 0, 9e-9                                                                                      \
        }                                                                                                            \
    }
static const struct call_cost costs[NUM_CALL_CANDIDATES] = {
    /* a search after the other, on one thread: 6 ns a vertex */
    [BY_SERIAL] = {true, 0, 0, 0, 0, {{1, 0.02, 6e-6, 0}}},
    /* one search of up to 512 sources, on all threads */
    [BY_PBFS] = {true,
                 0,
                 0.01,
                 0,
                 0,
                 {{1, 0.09, 6.5e-6, 0}, {10, 0.1, 0, 1.72e-7}, {100, 0.1, 0, 5.6e-7}, {512, 0.2, 0, 1.7e-6}}},
    /* workgroups, then one queue */
    [BY_IBFS] = {false,
                 0,
                 0.3,
                 6e-9,
                 0.02,
                 {{1, 0.1, 0, 1.75e-8}, {10, 0.12, 0, 2.8e-8}, {100, 0.15, 0, 5e-8}, {1024, 0.17, 0, 1.1e-7}}},
    /* rows after a sample of searches, which tells graphs of many levels; without measurements of engines */
    [BY_AUTO] = {true, 0, 1.2, 9e-8, 0.01, ROWS_BATCHES},
    [BY_BITPARALLEL] = {true, 32, 0.9, 2.4e-8, 0.01, ROWS_BATCHES},
};

static double batch_ms(const struct call *call, const struct batch_cost *cost)
{
    return cost->fixed_ms + cost->vertex_ms * (double)call->num_vertices + cost->edge_ms * (double)call->num_edges;
}

/* A batch of at most as many searches as the largest one. */
static double searching_ms(const struct call *call, const struct batch_cost batches[MAX_BATCHES], double searches)
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

static double largest_batch(const struct call_cost *cost)
{
    int last = 0;
    while (last + 1 < MAX_BATCHES && cost->batches[last + 1].searches > 0)
        last++;
    return cost->batches[last].searches;
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

/* What one thread does takes the same time on any number of them. */
static double slower_by_threads(const struct call *call, int index)
{
    return index == BY_PBFS ? TIMED_THREADS / fmin(call->threads, TIMED_THREADS) : 1;
}

double call_ms(const struct call *call, int index)
{
    const struct call_cost *cost = &costs[index];
    enum device_kind on = call_candidates[index].on;
    double searches = fmax((double)call->num_searches, 1), most = largest_batch(cost);
    if ((call->paths && !cost->gives_paths) ||
        (double)call->num_edges < cost->least_degree * (double)call->num_vertices)
        return HUGE_VAL;
    double whole = floor(searches / most), rest = searches - whole * most;
    double ms = whole * (searching_ms(call, cost->batches, most) + cost->fetch_ms);
    if (rest > 0)
        ms += searching_ms(call, cost->batches, rest) + cost->fetch_ms;
    double levels = call->paths && on == DEVICE_GPU
                        ? searches * 1e-6 * (double)sizeof(uint32_t) * (double)call->num_vertices / upload_rate(call)
                        : 0;
    return prepare_ms(call, cost, on) + ms * slower_by_threads(call, index) + levels;
}

int call_fastest(const struct call *call, unsigned on)
{
    int best = BY_AUTO;
    for (int i = 0; i < NUM_CALL_CANDIDATES; i++)
        if (on >> call_candidates[i].on & 1 &&
            (!(on >> call_candidates[best].on & 1) || call_ms(call, i) < call_ms(call, best)))
            best = i;
    return best;
}

/* ---- choosing for a request ---- */

/* The value of an option of the algorithm; NULL if it has none of that name. */
static double *option_of(const struct algorithm *algorithm, double *options, const char *name)
{
    for (int i = 0; algorithm->options != NULL && algorithm->options[i].name != NULL; i++)
        if (strcmp(algorithm->options[i].name, name) == 0)
            return &options[i];
    return NULL;
}

static const struct algorithm *algorithm_of(const struct call_candidate *candidate, enum device_kind gpu)
{
    for (int i = 0; i < num_algorithms; i++)
        if (strcmp(algorithms[i]->family, "msbfs") == 0 && strcmp(algorithms[i]->variant, candidate->variant) == 0)
            return candidate->on == DEVICE_GPU && gpu == DEVICE_EMULATOR ? emulated_algorithm(algorithms[i])
                                                                         : algorithms[i];
    return NULL;
}

static void explain(const struct call *call, int best, unsigned on, char note[NOTE_BYTES])
{
    int second = -1;
    for (int i = 0; i < NUM_CALL_CANDIDATES; i++)
        if (i != best && on >> call_candidates[i].on & 1 && call_ms(call, i) < HUGE_VAL &&
            (second < 0 || call_ms(call, i) < call_ms(call, second)))
            second = i;
    int length =
        snprintf(note, NOTE_BYTES, "auto: %llu search%s, graph %s: %s on the %s, predicted %.3g ms in all",
                 (unsigned long long)call->num_searches, call->num_searches == 1 ? "" : "es",
                 call->warm ? "taken to be on the device" : "not on the device", call_candidates[best].variant,
                 call_candidates[best].on == DEVICE_CPU ? "CPU" : "GPU", call_ms(call, best));
    if (second >= 0)
        snprintf(note + length, NOTE_BYTES - (size_t)length, ", %s %.3g", call_candidates[second].variant,
                 call_ms(call, second));
}

/* Makes the request one for the candidate. */
static int become(struct chosen_call *chosen, const struct call_candidate *candidate, struct error *error)
{
    struct bench_request *request = &chosen->request;
    const struct algorithm *algorithm = algorithm_of(candidate, request->device->kind);
    if (algorithm == NULL || algorithm == request->algorithm)
        return STATUS_OK;
    if (candidate->on == DEVICE_CPU) {
        if (device_open_cpu(&chosen->cpu, 0, error) != STATUS_OK)
            return error->status;
        request->device = &chosen->cpu;
    }
    request->algorithm = algorithm;
    request->options = chosen->options;
    return options_parse(algorithm, NULL, 0, chosen->options, error);
}

/* Values of the options `call` and `measure` of msbfs auto. */
enum { CALL_COLD, CALL_WARM, CALL_GPU };
enum { MEASURE_AUTO, MEASURE_NONE, MEASURE_ALL };

int call_choose(const struct bench_request *asked, uint64_t num_searches, bool paths, bool device_is_given,
                struct chosen_call *chosen, struct error *error)
{
    const struct algorithm *algorithm = asked->algorithm;
    const struct graph *graph = asked->graph;
    *chosen = (struct chosen_call){.request = *asked};
    memcpy(chosen->options, asked->options, sizeof chosen->options);
    double *how = option_of(algorithm, chosen->options, "call"), *engine, *measure;
    if (strcmp(algorithm->variant, "auto") != 0 || how == NULL || (int)*how == CALL_GPU || num_devices(asked) > 1 ||
        ranks()->size > 1)
        return STATUS_OK;
    if ((engine = option_of(algorithm, chosen->options, "engine")) != NULL && *engine != 0) /* the user has chosen */
        return STATUS_OK;
    unsigned on = 1u << DEVICE_GPU | (device_is_given ? 0u : 1u << DEVICE_CPU);
    struct call call = {.num_vertices = graph->num_vertices,
                        .num_edges = graph->num_edges,
                        .num_searches = num_searches,
                        .paths = paths,
                        .warm = (int)*how == CALL_WARM,
                        .threads = omp_get_max_threads(),
                        .upload_gb_per_s =
                            asked->device->memory != NULL ? asked->device->memory->upload_gb_per_s : 0};
    int best = call_fastest(&call, on);
    explain(&call, best, on, chosen->note);
    measure = option_of(algorithm, chosen->options, "measure");
    if (best == BY_AUTO && measure != NULL && *measure == MEASURE_AUTO) {
        *measure = call.warm ? MEASURE_ALL : MEASURE_NONE; /* that takes some ms, which count if preparing does */
        chosen->request.options = chosen->options;
    }
    return become(chosen, &call_candidates[best], error);
}

void call_report(const struct chosen_call *chosen, char note[NOTE_BYTES])
{
    char of_algorithm[NOTE_BYTES];
    if (chosen->note[0] == '\0')
        return;
    memcpy(of_algorithm, note, sizeof of_algorithm);
    size_t length = strlen(chosen->note), room = NOTE_BYTES - length;
    memcpy(note, chosen->note, length + 1);
    if (of_algorithm[0] != '\0' && snprintf(note + length, room, "; %s", of_algorithm) >= (int)room)
        note[NOTE_BYTES - 1] = '\0'; /* cut off */
}

void call_close(struct chosen_call *chosen)
{
    if (chosen->cpu.close != NULL)
        chosen->cpu.close(&chosen->cpu);
}
