/* fuzz.h: what the fuzz targets share. A target is a function and its row in the table of fuzz.c; libFuzzer calls it
 * with inputs that it makes up (make fuzz), replay.c with those of past findings (make test).
 *
 * A target aborts, through REQUIRE, where gtrav breaks a promise; a crash, a leak or a sanitizer's report is a
 * finding too. No allocation of more than LARGEST_BLOCK bytes succeeds, so that an input of a few bytes cannot ask
 * for much time and memory, and each target sees how the program does without. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../src/graph/graph.h"
#include "../../src/graph/readers.h"

#define LARGEST_BLOCK ((size_t)5 << 18) /* bytes; what the statistics need for a small graph must fit */

#define REQUIRE(condition)                                                                                             \
    do                                                                                                                 \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                    \
            abort();                                                                                                   \
        }                                                                                                              \
    while (0)

typedef void fuzz_target(const uint8_t *data, size_t size);
fuzz_target fuzz_format, fuzz_gtrav, fuzz_gzip, fuzz_options, fuzz_pairs, fuzz_records, fuzz_sources, fuzz_spec;

/* Gives a target the input. */
void fuzz(const char *target, const uint8_t *data, size_t size);

extern bool allocations_limited;

/* A file in memory with this content, and the path to open it by; the next call writes over it. */
const char *file_of(const void *data, size_t size);

/* A folder of the process's own, removed at the end. */
const char *own_folder(void);

/* What an error must be like: STATUS_OK without a message, or STATUS_INPUT with one line. */
void check_error(int status, const struct error *error);

/* What a graph that was read must be like; it is then released. On failure it must be empty. */
void check_graph(int status, struct graph *graph, const struct error *error);

/* The text in the words of a C string; the next call writes over it. */
char *text_of(const uint8_t *data, size_t size);
