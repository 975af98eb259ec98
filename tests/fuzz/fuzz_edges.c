/* fuzz_edges.c: the reader of edge lists. */
#include "fuzz.h"

void fuzz_one(const uint8_t *data, size_t size)
{
    fuzz_reader("edge list", data, size);
}
