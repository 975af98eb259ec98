/* copy.c: see copy.h. */
#include "copy.h"

#include <string.h>

#define PIECE_BYTES ((size_t)256 << 10) /* that a thread copies in one go */

void copy_by_all_threads(void *to, const void *from, size_t bytes)
{
#pragma omp parallel for schedule(static) if (bytes > PIECE_BYTES)
    for (size_t at = 0; at < bytes; at += PIECE_BYTES)
        memcpy((char *)to + at, (const char *)from + at, bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
}
