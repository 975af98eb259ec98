/* graph500_list.h: the edge list of the Graph500 benchmark, each edge by its number.
 *
 * Bit for bit the list of the reference program (github.com/graph500/graph500, generator/) with its seeds 2 and 3:
 * EDGEFACTOR * 2^SCALE undirected edges, with self-loops and duplicates. The random numbers are those of the multiple
 * recursive generator of L'Ecuyer, Blouin and Couture (1993): z[n] = (X z[n-1] + Y z[n-5]) mod 2^31 - 1. Edge i
 * begins at z[i 2^64]. A step is a product with a matrix. Powers of the matrix lead to any edge, so the list need not
 * be stored. Kernels also include this file. */
#pragma once

#include "graph.h"

#ifdef __CUDACC__
#define GRAPH500_INLINE static __host__ __device__ __forceinline__
#else
#define GRAPH500_INLINE static inline
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define GRAPH500_WORDS    5           /* words of the generator's state, newest first */
#define GRAPH500_MODULUS  0x7fffffffu /* 2^31 - 1 */
#define GRAPH500_X        107374182u
#define GRAPH500_Y        104480u
#define GRAPH500_LOG_MOST 36 /* a list has fewer than 2^36 edges */

/* A draw, modulo 10,000, chooses a quarter of the adjacency matrix: below 1,900 source low and target high, below
 * 3,800 the reverse, below 9,500 both low, else both high. Draws below REDRAWN would favour some remainders. */
#define GRAPH500_PARTS   10000u
#define GRAPH500_OFF     1900u
#define GRAPH500_BOTH    9500u
#define GRAPH500_REDRAWN (GRAPH500_MODULUS % GRAPH500_PARTS)

struct graph500_state {
    uint32_t z[GRAPH500_WORDS];
};
struct graph500_matrix {
    uint32_t row[GRAPH500_WORDS][GRAPH500_WORDS];
};
struct graph500_edge {
    vertex_t u, v;
    uint32_t draw; /* the next draw of its stream; graph500_weight() makes its weight of it */
};

struct graph500_list {
    unsigned scale; /* 1 to 31: 2^scale vertices */
    unsigned edge_factor;
    uint64_t num_edges;                             /* undirected */
    uint32_t addend, factors[2];                    /* constants of the scrambling of ids */
    struct graph500_state start;                    /* state at edge 0 */
    struct graph500_matrix jump[GRAPH500_LOG_MOST]; /* jump[k] moves a state 2^k edges forward */
};

/* edge_factor: 0 means 16. STATUS_INPUT if the list has 2^36 edges or more. */
int graph500_list_init(struct graph500_list *list, unsigned scale, unsigned edge_factor, struct error *error);

/* Makes the list from which a graph was generated, by the graph's name. STATUS_INPUT for other graphs. */
int graph500_list_of(const struct graph *graph, struct graph500_list *list, struct error *error);

/* Calls use(edges, count, context) for the edges begin .. end - 1 in their order, a few at a time, on this thread.
 * Returns the sum of what it returns. */
typedef unsigned graph500_use(const struct graph500_edge *edges, unsigned count, void *context);
uint64_t graph500_visit(const struct graph500_list *list, uint64_t begin, uint64_t end, graph500_use *use,
                        void *context);

extern unsigned graph500_least_parts; /* fewest parts into which the generator cuts its work; tests set it */

/* Draws count search keys by the reference's rule: a stream of its own; no vertex twice, and none that has only
 * self-loops. STATUS_INPUT if there are too few. */
int graph500_keys(const struct graph *graph, int count, vertex_t *keys, struct error *error);

GRAPH500_INLINE uint32_t graph500_reduce(uint64_t x)
{
    x = (x & GRAPH500_MODULUS) + (x >> 31); /* below 2^31 + 2^33 */
    x = (x & GRAPH500_MODULUS) + (x >> 31);
    return (uint32_t)(x >= GRAPH500_MODULUS ? x - GRAPH500_MODULUS : x);
}

GRAPH500_INLINE struct graph500_state graph500_product(const struct graph500_matrix *matrix,
                                                       struct graph500_state state)
{
    struct graph500_state product;
    for (int i = 0; i < GRAPH500_WORDS; i++) {
        const uint32_t *row = matrix->row[i];
        uint64_t sum = 0;
        for (int k = 0; k < GRAPH500_WORDS - 1; k++)
            sum += (uint64_t)row[k] * state.z[k]; /* four products fit into 64 bits */
        sum = (sum & GRAPH500_MODULUS) + (sum >> 31);
        product.z[i] = graph500_reduce(sum + (uint64_t)row[GRAPH500_WORDS - 1] * state.z[GRAPH500_WORDS - 1]);
    }
    return product;
}

/* Takes `steps` steps. powers[0] is one step; each further matrix is the square of the previous one. */
GRAPH500_INLINE struct graph500_state graph500_skip(const struct graph500_matrix *powers, struct graph500_state state,
                                                    uint64_t steps)
{
    for (int k = 0; steps >> k > 0; k++)
        if (steps >> k & 1)
            state = graph500_product(&powers[k], state);
    return state;
}

/* Returns X a + Y b modulo 2^31 - 1, for a and b below 2^31 - 1. */
GRAPH500_INLINE uint32_t graph500_next(uint32_t a, uint32_t b)
{
    uint64_t x = (uint64_t)GRAPH500_X * a + (uint64_t)GRAPH500_Y * b; /* below 2^59 */
    uint32_t z = (uint32_t)(x & GRAPH500_MODULUS) + (uint32_t)(x >> 31);
    return z >= GRAPH500_MODULUS ? z - GRAPH500_MODULUS : z;
}

GRAPH500_INLINE uint32_t graph500_draw(struct graph500_state *state)
{
    uint32_t z = graph500_next(state->z[0], state->z[GRAPH500_WORDS - 1]);
    for (int k = GRAPH500_WORDS - 1; k > 0; k--)
        state->z[k] = state->z[k - 1];
    return state->z[0] = z;
}

/* Appends a bit to both ids, chosen by a draw. The edge stays above the diagonal until its ids differ. */
GRAPH500_INLINE void graph500_descend(uint32_t draw, uint32_t *u, uint32_t *v)
{
    uint32_t part = draw % GRAPH500_PARTS;
    uint32_t both = part >= GRAPH500_BOTH, off = part < 2 * GRAPH500_OFF;
    uint32_t lower = off & (part >= GRAPH500_OFF) & (*u != *v);
    *u = *u << 1 | both | lower;
    *v = *v << 1 | both | (off & (lower ^ 1));
}

GRAPH500_INLINE uint32_t graph500_reverse_bits(uint32_t x)
{
#ifdef __CUDA_ARCH__
    return __brev(x);
#else
    x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
    x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
    x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(x);
#endif
}

/* The reference does this in 64 bits, but only the lowest `scale` bits of its numbers have any influence. */
GRAPH500_INLINE vertex_t graph500_scramble(const struct graph500_list *list, uint32_t id)
{
    id = (id + list->addend) * list->factors[0];
    id = (graph500_reverse_bits(id) >> (32 - list->scale)) * list->factors[1];
    return graph500_reverse_bits(id) >> (32 - list->scale);
}

/* Returns the edge that is drawn from this state on. */
GRAPH500_INLINE struct graph500_edge graph500_edge_from(const struct graph500_list *list, struct graph500_state state)
{
    uint32_t u = 0, v = 0;
    for (unsigned bit = 0; bit < list->scale; bit++) {
        uint32_t draw;
        do
            draw = graph500_draw(&state);
        while (draw < GRAPH500_REDRAWN);
        graph500_descend(draw, &u, &v);
    }
    struct graph500_edge edge = {graph500_scramble(list, u), graph500_scramble(list, v), graph500_draw(&state)};
    return edge;
}

/* Returns the weight of an edge, from 0 to 1: rounded to float twice, as by the reference. The constant is its
 * 1 / (2^31 - 1). */
GRAPH500_INLINE float graph500_weight(struct graph500_edge edge)
{
    return (float)((float)edge.draw * .000000000465661287524579692);
}

#ifdef __cplusplus
}
#endif
