/* relabel.cuh: whether to relabel the vertices by degree class. */
#pragma once

#include "host_state.cuh"

namespace BACKEND::dobfs
{

/* Blest's first rule for a heavy tail (its section 4, footnote 2): the top 1% and 10% of the vertices have at least
 * 5% and 40% of the sum of degrees. The sums are estimates: each degree counts as the middle of its class. */
static bool is_heavy_tailed(const vertex_t starts[NUM_CLASSES], vertex_t num_vertices)
{
    const double fractions[] = {0.01, 0.10}, least[] = {0.05, 0.40};
    double sum = 0, taken[2] = {0, 0};
    for (unsigned c = 0; c < ONLY_OUT; c++) {
        const unsigned power = HIGHEST_POWER - c;
        double degree = power == 0 ? 1 : 1.5 * (double)(1u << power), number = starts[c + 1] - starts[c];
        sum += degree * number;
        for (unsigned i = 0; i < 2; i++) {
            double room = fractions[i] * num_vertices - starts[c];
            taken[i] += degree * (room < 0 ? 0 : room < number ? room : number);
        }
    }
    return sum > 0 && taken[0] >= least[0] * sum && taken[1] >= least[1] * sum;
}

/* Relabels the graphs of the state if `wanted` or the rule says so. Returns a status and fills run->error. */
static int relabel(struct run *run, enum relabelling wanted)
{
    struct state *state = (struct state *)run->state;
    const struct gpu_graph *in = state->symmetric ? &state->out : &state->in;
    const struct relabelling_policy policy = {wanted, is_heavy_tailed, !state->symmetric};
    degree_order_find(in, &state->out, &policy, &state->memory, &state->order, run->error);
    if (state->order.relabelled) {
        degree_order_apply(&state->order, 1, false, &state->out, run->error);
        if (!state->symmetric)
            degree_order_apply(&state->order, 1, false, &state->in, run->error);
    }
    return run->error->status;
}

} // namespace BACKEND::dobfs
