/* generate_traffic.c: makes graphs like those of internet traffic (MAWI), in which hosts are joined if they exchanged
 * packets.
 *
 * Nearly all hosts are leaves of one host, vertex 0. Then come 2^(SCALE/2) servers, all of them joined to vertex 0,
 * and the leaves. Seven eighths of the leaves are joined to vertex 0. The others are joined to a server, to server s
 * with a probability of about 1/s. But one leaf in 256 is joined to another leaf. One in 16 has a second server. */
#include "generators.h"

#include "random.h"

#define HOST_DRAWS 4u  /* random numbers reserved for a host */
#define OF_SERVERS 32u /* how many of 256 leaves are leaves of servers */
#define OF_LEAVES  1u  /* how many of 256 leaves are leaves of other leaves */
#define TWICE      16u /* how many of 256 leaves have a second server */

int prepare_mawi(struct generation *generation, UNUSED struct error *error)
{
    generation->num_vertices = generation->num_items = (uint64_t)1 << generation->numbers[0];
    generation->num_edges = 2.125 * (double)generation->num_vertices;
    return STATUS_OK;
}

/* Draws server s = 1, 2, ... with a probability of about 1/s: the number of binary digits of s is uniform. */
static vertex_t draw_server(const struct generation *generation, uint64_t counter)
{
    uint64_t draw = random_bits(counter), first = (uint64_t)1 << draw % (generation->numbers[0] / 2);
    return (vertex_t)(first + (draw >> 32) % first);
}

/* Pushes an item: the edges from a host to hosts before it. */
void push_mawi(const struct generation *generation, struct edge_writer *writer, uint64_t v)
{
    uint64_t servers = (uint64_t)1 << generation->numbers[0] / 2;
    uint64_t counter = v * HOST_DRAWS, draw = random_bits(counter), chance = draw % 256;
    if (v == 0)
        return;
    if (v <= servers || chance >= OF_SERVERS + OF_LEAVES)
        push_undirected_edge(writer, 0, (vertex_t)v);
    else if (chance >= OF_LEAVES)
        push_undirected_edge(writer, draw_server(generation, counter + 1), (vertex_t)v);
    else
        push_undirected_edge(writer, (vertex_t)(random_bits(counter + 1) % v), (vertex_t)v);
    if (v > servers && (draw >> 8) % 256 < TWICE)
        push_undirected_edge(writer, draw_server(generation, counter + 2), (vertex_t)v);
}
