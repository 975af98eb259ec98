/* hash.c: hashes of bytes, arrays and graphs. Hashes of arrays are sums, so threads can add in any order. */
#include "hash.h"

#include "random.h"

uint64_t hash_bytes(uint64_t hash, const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hash = random_bits(hash ^ (unsigned char)bytes[i]);
    return hash;
}

uint64_t hash_text(uint64_t hash, const char *text)
{
    hash = random_bits(hash + (text != NULL));
    return text != NULL ? hash_bytes(hash, text, strlen(text)) : hash;
}

uint64_t hash_array(const void *numbers, size_t bytes_each, uint64_t count)
{
    const uint32_t *narrow = numbers;
    const uint64_t *wide = numbers;
    uint64_t hash = 0;
#pragma omp parallel for reduction(+ : hash)
    for (uint64_t i = 0; i < count; i++)
        hash += random_bits(random_bits(bytes_each == sizeof *wide ? wide[i] : narrow[i]) + i);
    return hash;
}

uint64_t graph_hash(const struct graph *graph)
{
    uint64_t stored = hash_array(graph->offsets, sizeof *graph->offsets, (uint64_t)graph->num_vertices + 1) ^
                      hash_array(graph->targets, sizeof *graph->targets, graph->num_edges);
    if (graph->weights != NULL)
        stored += random_bits(hash_array(graph->weights, weight_bytes(graph->weight_type), graph->num_edges));
    return stored + graph_has_loops(graph); /* self-loops are not stored, but they are cycles */
}
