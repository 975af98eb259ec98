/* edge_source.cuh: the vertex that an edge of a CSR starts from. */
#pragma once

#include "../backend/backend.h"

namespace BACKEND
{

/* Returns the source of an edge, which must be between the vertices first and last: the last vertex whose edges begin
 * at or before the edge. */
template <typename offset_t>
DEVICE uint64_t source_between(const csr<offset_t> &graph, edge_t edge, uint64_t first, uint64_t last)
{
    while (first < last) {
        uint64_t middle = first + (last - first + 1) / 2;
        if (graph.offsets[middle] <= edge)
            first = middle;
        else
            last = middle - 1;
    }
    return first;
}

/* Returns the source of an edge of the graph, which must have at least one vertex. */
template <typename offset_t>
DEVICE uint64_t source_of(const csr<offset_t> &graph, edge_t edge)
{
    return source_between(graph, edge, 0, (uint64_t)graph.num_vertices - 1);
}

} // namespace BACKEND
