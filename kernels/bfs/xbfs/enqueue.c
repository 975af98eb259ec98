/* enqueue.c: reproduces figure 5 of XBFS: times the two ways to gather frontiers into a queue, by atomics and by a
 * prefix sum, for arrays of several sizes (enqueue_benchmark.h). Writes CSV.
 *
 *   enqueue [--emulator] [--runs N] SIZE...    sizes in entries; on the GPU, or on the emulator
 *
 * Exit status: 0, 1 wrong queue, 2 usage, 3 device. */
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "enqueue_benchmark.h"

#define ONE_IN 4 /* one entry in 4 is a frontier */

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

typedef int (*benchmark_t)(struct device *, uint64_t, uint32_t, unsigned, struct enqueue_times *, struct error *);

/* Parses a whole number from 1 to `most`. Returns 0 if the text is anything else. */
static uint64_t parse_number(const char *text, uint64_t most)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 10);
    return text[0] < '0' || text[0] > '9' || *end != '\0' || errno != 0 || number > most ? 0 : number;
}

static int run_sizes(int argc, char **argv, benchmark_t benchmark, struct device *device, unsigned runs,
                     struct error *error)
{
    puts("device,size,found,atomic_ms,prefix_sum_ms");
    for (int i = 0; i < argc; i++) {
        struct enqueue_times times;
        if (benchmark(device, parse_number(argv[i], UINT32_MAX), ONE_IN, runs, &times, error) != STATUS_OK)
            return error->status;
        printf("%s,%s,%" PRIu64 ",%.6f,%.6f\n", device->slug, argv[i], times.found, times.atomic_ms,
               times.prefix_sum_ms);
        fflush(stdout);
    }
    return ferror(stdout) ? error_errno(error, "cannot write") : STATUS_OK;
}

int main(int argc, char **argv)
{
    bool emulated = false, right = true;
    uint64_t runs = 5;
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        if (strcmp(argv[first], "--emulator") == 0)
            emulated = true;
        else if (strcmp(argv[first], "--runs") == 0 && first + 1 < argc)
            runs = parse_number(argv[++first], 1000);
        else
            right = false;
    }
    for (int i = first; i < argc; i++)
        right = right && parse_number(argv[i], UINT32_MAX) > 0;
    if (!right || runs == 0 || first == argc) {
        fputs("usage: enqueue [--emulator] [--runs N] SIZE...    sizes in entries, 1 to 2^32 - 1; N up to 1000\n",
              stderr);
        return STATUS_INPUT;
    }
    struct device device;
    struct error error = {0};
    if (device_open(emulated ? DEVICE_EMULATOR : DEVICE_GPU, &device, 0, &error) == STATUS_OK) {
        run_sizes(argc - first, argv + first, emulated ? ON_EMULATOR : ON_GPU, &device, (unsigned)runs, &error);
        device.close(&device);
    }
    if (error.status != STATUS_OK)
        fprintf(stderr, "enqueue: %s\n", error.text);
    return error.status;
}
