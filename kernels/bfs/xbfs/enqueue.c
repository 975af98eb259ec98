/* enqueue.c: reproduces figure 5 of XBFS: times the two ways to gather frontiers into a queue, by atomics and by a
 * prefix sum, for arrays of several sizes (enqueue_benchmark.cu). Writes CSV.
 *
 *   enqueue gpu|emulator RUNS SIZE...    the fastest of so many runs counts; sizes in entries
 *
 * Exit status: 0, 1 wrong queue, 2 usage, 3 device. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../src/device.h"

/* Prints the line of an array of this size; `device` must be open. Returns the status of error. */
typedef int benchmark_t(struct device *device, uint64_t size, unsigned runs, struct error *error);
benchmark_t enqueue_benchmark, enqueue_benchmark_emulated;

/* NULL if this build has no GPU code; opening the device then fails. */
#ifdef GTRAV_CUDA
#define ON_GPU enqueue_benchmark
#else
#define ON_GPU NULL
#endif
#ifdef GTRAV_EMULATOR
#define ON_EMULATOR enqueue_benchmark_emulated
#else
#define ON_EMULATOR NULL
#endif

/* Parses a whole number from 1 to 2^32 - 1. Returns 0 if the text is anything else. */
static uint64_t parse_number(const char *text)
{
    char *end;
    unsigned long long number = strtoull(text, &end, 10); /* the greatest one if the text's is greater */
    return text[0] < '0' || text[0] > '9' || *end != '\0' || number > UINT32_MAX ? 0 : number;
}

int main(int argc, char **argv)
{
    bool emulated = argc > 1 && strcmp(argv[1], "emulator") == 0;
    bool right = argc > 3 && (emulated || strcmp(argv[1], "gpu") == 0);
    for (int i = 2; i < argc; i++)
        right = right && parse_number(argv[i]) > 0;
    if (!right) {
        fputs("usage: enqueue gpu|emulator RUNS SIZE...    sizes in entries, 1 to 2^32 - 1\n", stderr);
        return STATUS_INPUT;
    }
    struct device device;
    struct error error = {0};
    if (device_open(emulated ? DEVICE_EMULATOR : DEVICE_GPU, &device, 0, &error) == STATUS_OK) {
        puts("device,size,found,atomic_ms,prefix_sum_ms");
        for (int i = 3; i < argc && error.status == STATUS_OK; i++)
            (emulated ? ON_EMULATOR : ON_GPU)(&device, parse_number(argv[i]), (unsigned)parse_number(argv[2]), &error);
        device.close(&device);
    }
    if (fflush(stdout) != 0)
        error_errno(&error, "cannot write");
    if (error.status != STATUS_OK)
        fprintf(stderr, "enqueue: %s\n", error.text);
    return error.status;
}
