/* fuzz_mtx.c: the reader of Matrix Market files. */
#include "fuzz.h"

void fuzz_one(const uint8_t *data, size_t size)
{
    fuzz_reader("Matrix Market", data, size);
}
