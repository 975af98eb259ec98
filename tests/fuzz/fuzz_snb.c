/* fuzz_snb.c: the reader of who knows whom. */
#include "fuzz.h"

void fuzz_one(const uint8_t *data, size_t size)
{
    fuzz_reader("SNB", data, size);
}
