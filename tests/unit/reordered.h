/* reordered.h: what the tests of orders share: graphs of every kind, and a graph put into an order. */
#pragma once

#include "support.h"

#include "../../src/graph/reorder.h"

/* Edges written out have that many vertices. Several components, isolated vertices, twins, directed and undirected.
 */
static const struct {
    const char *text;
    vertex_t vertices;
} graphs[] = {
    {"", 0},
    {"", 1},
    {"", 5},
    {"0>1 1>0", 2},
    {"0>1", 4},
    {"3>0 0>2 2>3 1>2", 6},
    {"0>1 1>0 2>3 3>2 4>5 5>4", 7},
    {"0>9 9>0 1>9 9>1 2>9 9>2 3>8 8>3 4>8 8>4 8>9 9>8", 10}, /* twins 0 1 2, twins 3 4 */
    {"0>2 1>2 0>3 1>3 4>2 4>3 5>0 6>0 7>1", 9},
    {"path:1", 0},
    {"path:40", 0},
    {"cycle:17", 0},
    {"star:30", 0},
    {"star:600", 0}, /* a degree above 255 */
    {"complete:12", 0},
    {"complete:300", 0}, /* all degrees are above 255, and every level is shared */
    {"tree:100", 0},
    {"grid:9x7", 0},
    {"grid:40x3", 0},
    {"road:4", 0},
    {"rgg:8", 0},
    {"urand:7", 0},
    {"kron:8", 0},
    {"kron:10", 0},
    {"dag:60:0.3", 0},
    {"dag:200:0.02", 0},
};

static inline struct reorder parse(const char *spec)
{
    struct reorder reorder;
    assert_ok(reorder_parse(spec, &reorder, &error));
    return reorder;
}

static inline struct graph reordered_by(const struct graph *graph, const char *spec)
{
    struct graph reordered;
    struct reorder reorder = parse(spec);
    if (graph_reorder(graph, &reorder, &reordered, &error) != STATUS_OK)
        fail_msg("%s by %s: %s", graph->name, spec, error.text);
    return reordered;
}
