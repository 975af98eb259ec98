/* relabel.cuh: relabels the graph by in-degree, high degrees first, if that pays off, and pads the neighbour lists
 * that pulls read. */
#pragma once

#include <utility>

#include "../../graph/transpose.h"
#include "host.cuh"

namespace BACKEND::bitparallel
{

#define HEAVY_FACTOR 4.0 /* times the mean degree */
#define HEAVY_SHARE  0.25

/* The first id after those of degree 2^power and above. */
static vertex_t end_of_power(const struct degree_order *order, unsigned power)
{
    return order->relabelled ? order->starts[CLASS_OF_POWER(power) + 1] : 0;
}

/* True if vertices of at least HEAVY_FACTOR times the mean degree have HEAVY_SHARE of the edges. Assumes
 * that each degree lies in the middle of the range of its class. */
static bool is_heavy_tailed(const vertex_t starts[NUM_CLASSES])
{
    double edges = 0, heavy = 0, vertices = starts[ONLY_OUT];
    for (unsigned c = 0; c < ONLY_OUT; c++)
        edges += (starts[c + 1] - starts[c]) * 1.5 * (double)(1ull << (HIGHEST_POWER - c));
    for (unsigned c = 0; c < ONLY_OUT; c++) {
        double lowest = (double)(1ull << (HIGHEST_POWER - c));
        heavy += lowest * vertices >= HEAVY_FACTOR * edges ? (starts[c + 1] - starts[c]) * 1.5 * lowest : 0;
    }
    return edges > 0 && heavy >= HEAVY_SHARE * edges;
}

/* Relabelling also pays off if there are high-degree vertices: a row of thousands of edges delays all others unless
 * it gets more lanes. */
static bool pays_off(const vertex_t starts[NUM_CLASSES], vertex_t)
{
    return starts[CLASS_OF_POWER(HIGH_DEGREE_POWER) + 1] > 0 || is_heavy_tailed(starts);
}

/* Prepares the graph of the state. Takes ownership of *graph, which is empty afterwards, even after an
 * error. */
static void relabel(struct run *run, struct gpu_graph *graph)
{
    struct state *state = (struct state *)run->state;
    const struct relabelling_policy policy = {(enum relabelling)run->options[RELABEL], pays_off, false};
    state->symmetric = run->graph->symmetric;
    (state->symmetric ? state->in : state->out) = std::exchange(*graph, {});
    if (!state->symmetric)
        gpu_transpose(&state->out, &state->in, run->error);
    degree_order_find(&state->in, state->symmetric ? &state->in : &state->out, &policy, &state->memory, &state->order,
                      run->error);
    degree_order_apply(&state->order, LIST_ALIGNMENT, false, &state->in, run->error);
    if (!state->symmetric)
        degree_order_apply(&state->order, 1, state->in.wide, &state->out, run->error);
    state->num_high_degree = end_of_power(&state->order, HIGH_DEGREE_POWER);
    state->num_not_small = end_of_power(&state->order, MEDIUM_POWER);
}

} // namespace BACKEND::bitparallel
