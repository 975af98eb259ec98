/* fuzz_dimacs.c: the reader of DIMACS files. */
#include "fuzz.h"

void fuzz_one(const uint8_t *data, size_t size)
{
    fuzz_reader("DIMACS", data, size);
}
