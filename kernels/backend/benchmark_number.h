/* benchmark_number.h: numbers on the command lines of the benchmark programs (transfer.c, enqueue.c). */
#ifndef GTRAV_BENCHMARK_NUMBER_H
#define GTRAV_BENCHMARK_NUMBER_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

/* Parses a whole number from 1 to most. Returns 0 if the text is not such a number. */
static inline uint64_t parse_number(const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    return text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number > most ? 0 : number;
}

#endif
