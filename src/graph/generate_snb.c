/* generate_snb.c: makes graphs as large as the person-knows-person graph of the LDBC Social Network Benchmark.
 *
 * The graphs are synthetic. They have as many vertices and undirected edges as SNB at a scale factor (IBFS thesis,
 * table 5.1; an edge is a row of person_knows_person, which is undirected), and degrees that follow a power law.
 * Otherwise the edges are random, while persons in SNB know each other by common places, universities and interests.
 *
 * Both ends of an edge are drawn alike: rank x of n with a density of (x + x0)^(-3/4), x0 = n / 200, which gives an
 * exponent of 7/3 and a highest degree of about 18 times the mean. The inverse of its integral takes only fourth
 * powers and roots, which are the same to the last bit on every machine. Edges drawn twice count once. More edges are
 * drawn than wanted, and the surplus is left out, spread evenly. An item is an edge. */
#include <math.h>

#include "../progress.h"
#include "generators.h"
#include "radix.h"
#include "random.h"

#define DRAWS_A_POLL 65536u      /* draws between two checks whether to stop */
#define FLATTENED    200.0       /* n / x0 */
#define SCATTER      2654435761u /* a prime above every number of vertices: multiplying by it permutes them */

static const struct {
    uint64_t scale, vertices, edges;
} scale_factors[] = {{1, 10620, 219450},    {3, 25870, 668431},      {10, 70800, 2304951},
                     {30, 175950, 6880584}, {100, 487700, 23116805}, {300, 1230500, 68313982}};
#define NUM_SCALE_FACTORS (sizeof scale_factors / sizeof scale_factors[0])

static void release_edges(void *data)
{
    struct radix *edges = data;
    radix_release(edges);
    free(edges);
}

static uint64_t draw_vertex(uint64_t counter, double n, double first_root, double last_root)
{
    double root = first_root + random_unit(counter) * (last_root - first_root), square = root * root;
    double rank = floor(square * square - n / FLATTENED);
    rank = rank < 0 ? 0 : rank >= n ? n - 1 : rank;
    return (uint64_t)rank * SCATTER % (uint64_t)n; /* makes ids independent of degrees */
}

/* Draws edges, sorts them and removes duplicates. Returns the number of keys that are left. */
static uint64_t draw_edges(struct radix *edges, uint64_t num_draws, double n)
{
    double first_root = sqrt(sqrt(n / FLATTENED)), last_root = sqrt(sqrt(n + n / FLATTENED));
    uint64_t kept = 0;
    struct progress_listener *listener = progress_listener;
    bool stopped = false; /* private to each thread */
#pragma omp parallel for firstprivate(stopped)
    for (uint64_t i = 0; i < num_draws; i++) {
        if (i % DRAWS_A_POLL == 0) {
            progress_join(listener);
            stopped = stopped || stop_requested();
        }
        if (stopped)
            continue;
        uint64_t u = draw_vertex(2 * i, n, first_root, last_root), v = draw_vertex(2 * i + 1, n, first_root, last_root);
        edges->keys[i] = u < v ? u << 32 | v : v << 32 | u;
    }
    if (stop_requested())
        return num_draws; /* the caller stops */
    radix_sort(edges, num_draws, 0, 64);
    for (uint64_t i = 0; i < num_draws; i++) {
        uint64_t key = edges->keys[i];
        if (key >> 32 != (uint32_t)key && (kept == 0 || key != edges->keys[kept - 1]))
            edges->keys[kept++] = key;
    }
    return kept;
}

int prepare_snb(struct generation *generation, struct error *error)
{
    uint64_t wanted = 0, n = 0;
    for (size_t i = 0; i < NUM_SCALE_FACTORS; i++)
        if (scale_factors[i].scale == generation->numbers[0]) {
            n = scale_factors[i].vertices;
            wanted = scale_factors[i].edges;
        }
    if (n == 0)
        return error_set(error, STATUS_INPUT,
                         "bad graph \"%.200s\": SNB's counts are known for SCALE 1, 3, 10, 30, 100 and 300",
                         generation->spec);
    generation->num_vertices = n;
    generation->num_items = wanted;
    generation->num_edges = 2 * (double)wanted;
    generation->origin = "generated, synthetic";
    struct radix *edges;
    if (require_room(generation, 2 * 1.25 * (double)wanted * sizeof(uint64_t), error) != STATUS_OK ||
        allocate_zeroed(&edges, 1, sizeof *edges, "the random edges", error) != STATUS_OK)
        return error->status;
    generation->data = edges;
    generation->release_data = release_edges;
    uint64_t drawn = 0;
    for (uint64_t draws = wanted; drawn < wanted; draws += wanted / 16) {
        if (!radix_reserve(edges, draws))
            return error_set(error, STATUS_INPUT, "%.200s: out of memory for the random edges", generation->spec);
        drawn = draw_edges(edges, draws, (double)n);
        if (stop_requested())
            return error_set(error, STATUS_INTERRUPTED, "interrupted");
    }
    uint64_t surplus = drawn - wanted, kept = 0;
    for (uint64_t i = 0; i < drawn; i++)
        if ((i + 1) * surplus / drawn == i * surplus / drawn)
            edges->keys[kept++] = edges->keys[i];
    return STATUS_OK;
}

void push_snb(const struct generation *generation, struct edge_writer *writer, uint64_t edge)
{
    const struct radix *edges = generation->data;
    push_undirected_edge(writer, (vertex_t)(edges->keys[edge] >> 32), (vertex_t)edges->keys[edge]);
}
