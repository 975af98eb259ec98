/* hash.c: hashes of bytes, arrays and graphs. Those of arrays are sums, so that threads can add in any order. */
#include "hash.h"

#include <string.h>

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

uint64_t hash_words(const uint64_t *words, uint64_t count)
{
    uint64_t hash = 0;
#pragma omp parallel for reduction(+ : hash)
    for (uint64_t i = 0; i < count; i++)
        hash += random_bits(random_bits(words[i]) + i);
    return hash;
}

uint64_t hash_vertices(const vertex_t *vertices, uint64_t count)
{
    uint64_t hash = 0;
#pragma omp parallel for reduction(+ : hash)
    for (uint64_t i = 0; i < count; i++)
        hash += random_bits(random_bits(vertices[i]) + i);
    return hash;
}

uint64_t graph_hash(const struct graph *graph)
{
    uint64_t stored = hash_words(graph->offsets, (uint64_t)graph->num_vertices + 1) ^
                      hash_vertices(graph->targets, graph->num_edges);
    return stored + graph_has_loops(graph); /* loops of the input are not stored, but cycles */
}
