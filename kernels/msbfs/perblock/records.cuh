/* records.cuh: the records of neighbours, and the farness of a batch.
 *
 * A record holds up to 4 or 16 neighbours, followed by NO_VERTEX. If the vertex has more, the last four
 * words of the record are (low half of an edge, high half, NO_VERTEX, number): `number` further neighbours
 * stand in the CSR, from that edge on. Such a record is long. In all other records only NO_VERTEX follows
 * NO_VERTEX. A warp puts such vertices aside until it has several, and visits their further neighbours side
 * by side (level.cuh): SPAN_LANES lanes share a vertex, or the whole warp takes it, or the whole block after
 * the barrier of the level. */
#pragma once

#include "batch.cuh"

namespace BACKEND::perblock
{

/* Makes the records, with a thread per unit. */
template <typename offset_t>
__global__ void make_records(csr<offset_t> graph, unsigned units, uint4 *records)
{
    uint64_t all = (uint64_t)graph.num_vertices * units;
    for (uint64_t i = thread_of_grid(); i < all; i += threads_of_grid()) {
        uint64_t vertex = i / units, first = i % units * UNIT, words = units * UNIT;
        edge_t edge = graph.offsets[vertex], degree = graph.offsets[vertex + 1] - edge;
        edge_t kept = degree <= words ? degree : words - UNIT, rest = edge + kept;
        uint32_t word[UNIT];
        for (unsigned k = 0; k < UNIT; k++)
            word[k] = load_if(first + k < kept, &graph.targets[edge + first + k]);
        if (degree > words && first == words - UNIT)
            records[i] = {(uint32_t)rest, (uint32_t)(rest >> WORD_BITS), NO_VERTEX, (uint32_t)(degree - kept)};
        else
            records[i] = {word[0], word[1], word[2], word[3]};
    }
}

/* Adds the farness of a batch to that of all batches, unless the batch will be repeated. Clears it. */
__global__ void add_farness(const struct progress *progress, vertex_t num_vertices, uint64_t *batch,
                            uint64_t *farness, uint32_t *farness_count)
{
    bool counts = !progress->too_deep;
    for (uint64_t v = thread_of_grid(); v < num_vertices; v += threads_of_grid()) {
        uint64_t found = batch[v];
        batch[v] = 0;
        if (counts) {
            farness[v] += found >> COUNT_BITS;
            farness_count[v] += (uint32_t)(found & ((1u << COUNT_BITS) - 1));
        }
    }
}

} // namespace BACKEND::perblock
