/* fuzz_metis.c: the reader of METIS files. */
#include "fuzz.h"

void fuzz_one(const uint8_t *data, size_t size)
{
    fuzz_reader("METIS", data, size);
}
