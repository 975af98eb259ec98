/* options.cuh: the options of bfs khop. */
#pragma once

#include "common.cuh"
#include "khop.h"

namespace BACKEND::khop
{

enum khop_option { K, INDEX_MB, MAX_BALL, LIST_SIZE, ENTRY_BITS, OFFSET_BITS };
static const struct option_spec options[] = {
    {"k", 0, 0, LARGEST_RADIUS, NULL, "radius of the balls, and levels per round; 0: by a sample of their growth"},
    {"index-mb", -1, -1, 1 << 20, NULL,
     "device memory for the index in MB; 0: none, one cluster traverses; -1: a quarter of the free memory"},
    {"max-ball", LARGEST_BALL, 8, LARGEST_BALL, NULL,
     "the most vertices of a ball; a larger ball gets a smaller radius"},
    {"list-size", MAX_LIST_SIZE, LEAST_LIST_SIZE, MAX_LIST_SIZE, NULL,
     "items in a block's lists, if they fit; more cost a sweep over all levels or, in a cluster, global memory"},
    {"entry-bits", 0, 0, 0, "auto|64", "width of an index entry: 32 if the graph allows it, or always 64"},
    OFFSET_BITS_OPTION,
    {},
};

} // namespace BACKEND::khop
