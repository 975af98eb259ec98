/* generate_random.c: makes graphs whose edges are drawn at random.
 *
 * kron and urand are the GAP Benchmark Suite's (Beamer, Asanovic, Patterson 2015), draw for draw: 2^SCALE *
 * EDGEFACTOR undirected edges, drawn in blocks of 2^18, which are the items of a generation. Block b has its own
 * Mersenne Twister, seeded with GAP_SEED + b, and another with the same seed for weights. */
#include "generators.h"

#include <math.h>

#include "random.h"

#define BLOCK_EDGES         ((uint64_t)1 << 18)
#define DEFAULT_EDGE_FACTOR 16u

static uint64_t gap_edges(const struct generation *generation)
{
    uint64_t edge_factor = generation->numbers[1] > 0 ? generation->numbers[1] : DEFAULT_EDGE_FACTOR;
    return edge_factor << generation->numbers[0];
}

int prepare_gap(struct generation *generation, UNUSED struct error *error)
{
    uint64_t num_undirected = gap_edges(generation);
    generation->num_vertices = (uint64_t)1 << generation->numbers[0];
    generation->num_items = (num_undirected + BLOCK_EDGES - 1) / BLOCK_EDGES;
    generation->num_edges = 2 * (double)num_undirected;
    return STATUS_OK;
}

/* Seeds the block's twisters, of edges and of weights. Returns the number of undirected edges to draw. */
static uint64_t open_block(const struct generation *generation, uint64_t block, struct mt32 mt[2])
{
    mt32_seed(&mt[0], GAP_SEED + (uint32_t)block);
    mt[1] = mt[0];
    uint64_t rest = gap_edges(generation) - block * BLOCK_EDGES;
    return rest < BLOCK_EDGES ? rest : BLOCK_EDGES;
}

#define MOST_WEIGHT 255u /* weights are 1 to 255 */

/* Pushes an undirected edge, with the block's next weight if the graph is weighted. Every edge of the list takes one,
 * also a self-loop or a duplicate. The largest draw is rejected, since 255 divides the number of all others. */
static void push_drawn(const struct generation *generation, struct edge_writer *writer, vertex_t u, vertex_t v,
                       struct mt32 *weights)
{
    uint32_t draw = UINT32_MAX;
    while (generation->weighted && draw == UINT32_MAX)
        draw = mt32_draw(weights);
    if (generation->weighted)
        push_weighted_edge(writer, u, v, 1 + draw % MOST_WEIGHT, true);
    else
        push_undirected_edge(writer, u, v);
}

/* The number of vertices is a power of two. So an id is the low bits of a draw, and no draw is rejected. */
void push_urand(const struct generation *generation, struct edge_writer *writer, uint64_t block)
{
    uint32_t mask = (uint32_t)(generation->num_vertices - 1);
    struct mt32 mt[2];
    for (uint64_t edges = open_block(generation, block, mt); edges > 0; edges--) {
        vertex_t u = mt32_draw(&mt[0]) & mask;
        push_drawn(generation, writer, u, mt32_draw(&mt[0]) & mask, &mt[1]);
    }
}

/* R-MAT's probabilities (Graph500's), as thresholds for a 32-bit draw. The casts to uint32_t truncate, like GAP's. */
#define KRON_A   ((uint32_t)(0.57 * UINT32_MAX))
#define KRON_AB  (KRON_A + (uint32_t)(0.19 * UINT32_MAX))
#define KRON_ABC (KRON_AB + (uint32_t)(0.19 * UINT32_MAX))

void push_kron(const struct generation *generation, struct edge_writer *writer, uint64_t block)
{
    unsigned scale = (unsigned)generation->numbers[0];
    struct mt32 mt[2];
    for (uint64_t edges = open_block(generation, block, mt); edges > 0; edges--) {
        vertex_t u = 0, v = 0;
        for (unsigned bit = 0; bit < scale; bit++) { /* without branches, which would be mispredicted */
            uint32_t draw = mt32_draw(&mt[0]);
            uint32_t in_u = draw >= KRON_AB;
            uint32_t in_v = ((draw > KRON_A) & !in_u) | (draw > KRON_ABC);
            u = u << 1 | in_u;
            v = v << 1 | in_v;
        }
        push_drawn(generation, writer, scatter_id(u, scale), scatter_id(v, scale), &mt[1]);
    }
}

/* ---- dag ---- */

/* Returns ln((1 + s) / (1 - s)) for |s| <= 0.172, by its series. The C library's log may differ in the last bit
 * between machines; sums and products of doubles do not. */
static double log_ratio(double s)
{
    double square = s * s, sum = 0;
    for (int k = 23; k >= 1; k -= 2) /* 0.172^24 is below a double's last bit */
        sum = sum * square + 1.0 / k;
    return 2 * s * sum;
}

static double portable_log(double x)
{
    int exponent;
    double mantissa = frexp(x, &exponent); /* in [1/2, 1) */
    if (mantissa < 0.70710678) {           /* to [sqrt(1/2), sqrt(2)), about */
        mantissa *= 2;
        exponent--;
    }
    return exponent * M_LN2 + log_ratio((mantissa - 1) / (mantissa + 1));
}

/* Returns ln(1 - p), without losing the digits of a small p. */
static double log_complement(double p)
{
    if (p >= 1)
        return -INFINITY;
    return p <= 0.25 ? log_ratio(-p / (2 - p)) : portable_log(1 - p);
}

int prepare_dag(struct generation *generation, UNUSED struct error *error)
{
    double n = (double)generation->numbers[0];
    generation->num_vertices = generation->numbers[0];
    generation->num_items = generation->probability > 0 ? generation->numbers[0] : 0;
    generation->num_edges = generation->probability * n * (n - 1) / (generation->undirected ? 1 : 2);
    generation->log_absent = log_complement(generation->probability);
    return STATUS_OK;
}

/* Pushes an item, a row of the adjacency matrix. The gaps between a row's edges have a geometric distribution, so the
 * cost of a row is proportional to its edges. Row i draws the numbers i * 2^32, i * 2^32 + 1, ... */
void push_dag(const struct generation *generation, struct edge_writer *writer, uint64_t i)
{
    double n = (double)generation->num_vertices;
    uint64_t counter = i << 32;
    for (uint64_t j = i + 1;; j++) {
        double gap = portable_log(1 - random_unit(counter++)) / generation->log_absent;
        if (gap >= n)
            break;
        j += (uint64_t)gap;
        if (j >= generation->num_vertices)
            break;
        push_edge_as(writer, (vertex_t)i, (vertex_t)j, generation->undirected);
    }
}
