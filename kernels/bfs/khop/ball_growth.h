/* ball_growth.h: statistics of the balls of a graph. Plain C, for the model of `bfs auto` and its test. */
#pragma once

#include <stdint.h>

#define LARGEST_RADIUS 31u   /* largest radius of a ball in an index */
#define SAMPLED_RADIUS 32u   /* largest radius of a ball in the sample */
#define LARGEST_BALL   1000u /* maximal number of vertices in a ball of an index */

/* Statistics of balls, the sets of vertices within r steps of a centre, over a sample of centres. Arrays are indexed
 * by r; [0] is unused. A ball does not count its centre. Counting a ball stops beyond `bound` vertices, and the ball
 * counts as bound + 1. */
struct ball_growth {
    uint32_t num_samples, bound;
    double mean_entries[SAMPLED_RADIUS + 1];
    double share_over[SAMPLED_RADIUS + 1]; /* fraction of the sample whose balls exceed `bound` */
};
