/* transfer.c: times copies between the memories of the host and the device, of many sizes: straight from ordinary
 * memory, through the stage of pinned buffers (host/transfer.cu), and from pinned memory. Writes CSV.
 *
 *   transfer [--emulator] [--runs N] [--chunk BYTES] [--chunks N] [SIZE...]    sizes in bytes; 1 KB to 1 GB
 *
 * Exit status: 0, 1 wrong bytes, 2 usage or no memory, 3 device. */
#include <inttypes.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "benchmark_program.h"
#include "transfer_benchmark.h"

#define LEAST_SIZE (1ull << 10)
#define MOST_SIZE  (1ull << 30)

typedef int benchmark_of(struct device *, const struct transfer_request *, struct transfer_times *, struct error *);

/* Both directions of one size: a row each way. */
static int run_size(benchmark_of *benchmark, struct device *device, struct transfer_request *request,
                    struct error *error)
{
    static const char *const ways[] = {
        [TRANSFER_PAGEABLE] = "pageable", [TRANSFER_STAGED] = "staged", [TRANSFER_PINNED] = "pinned"};
    for (int down = 0; down < 2; down++) {
        struct transfer_times times;
        request->to_device = !down;
        if (benchmark(device, request, &times, error) != STATUS_OK)
            return error->status;
        for (int way = 0; way < NUM_TRANSFER_WAYS; way++) {
            bool staged = way == TRANSFER_STAGED;
            printf("%s,%s,%s,%" PRIu64 ",%.6f,%.6g,%" PRIu64 ",%u,%.6f,%d,%u\n", device->slug, down ? "down" : "up",
                   ways[way], request->bytes, times.ms[way], 1e-6 * (double)request->bytes / times.ms[way],
                   staged ? request->chunk_bytes : 0, staged ? request->num_chunks : 0, staged ? times.stage_ms : 0,
                   omp_get_max_threads(), request->runs);
        }
        fflush(stdout);
    }
    return ferror(stdout) ? error_errno(error, "cannot write") : STATUS_OK;
}

static void run_sizes(benchmark_of *benchmark, struct device *device, struct transfer_request *request, char **sizes,
                      struct error *error)
{
    puts("device,direction,way,bytes,ms,gb_per_s,chunk_bytes,chunks,stage_ms,threads,runs");
    for (char **size = sizes; *size != NULL && error->status == STATUS_OK; size++) {
        request->bytes = parse_number(*size, UINT64_MAX);
        run_size(benchmark, device, request, error);
    }
    for (uint64_t bytes = LEAST_SIZE; *sizes == NULL && bytes <= MOST_SIZE && error->status == STATUS_OK;
         bytes *= 4) {
        request->bytes = bytes;
        run_size(benchmark, device, request, error);
    }
}

int main(int argc, char **argv)
{
    struct transfer_request request = {.chunk_bytes = 4u << 20, .num_chunks = 3, .runs = 9};
    bool emulated = false, right = true;
    int first = 1;
    for (; first < argc && argv[first][0] == '-'; first++) {
        bool more = first + 1 < argc;
        if (strcmp(argv[first], "--emulator") == 0)
            emulated = true;
        else if (strcmp(argv[first], "--runs") == 0 && more)
            request.runs = (unsigned)parse_number(argv[++first], 1000);
        else if (strcmp(argv[first], "--chunk") == 0 && more)
            request.chunk_bytes = parse_number(argv[++first], MOST_SIZE);
        else if (strcmp(argv[first], "--chunks") == 0 && more)
            request.num_chunks = (unsigned)parse_number(argv[++first], 8);
        else
            right = false;
    }
    for (int i = first; i < argc; i++)
        right = right && parse_number(argv[i], UINT64_MAX) > 0;
    if (!right || request.runs == 0 || request.chunk_bytes == 0 || request.num_chunks == 0) {
        fputs("usage: transfer [--emulator] [--runs N] [--chunk BYTES] [--chunks N] [SIZE...]    sizes in bytes; "
              "without them 1 KB to 1 GB; runs up to 1000, chunks up to 8\n",
              stderr);
        return STATUS_INPUT;
    }
    struct device device;
    struct error error = {0};
    benchmark_of *benchmark = emulated ? ON_EMULATOR(transfer_benchmark) : ON_GPU(transfer_benchmark);
    if (open_device(emulated, &device, &error) == STATUS_OK) {
        run_sizes(benchmark, &device, &request, argv + first, &error);
        device.close(&device);
    }
    if (error.status != STATUS_OK)
        fprintf(stderr, "transfer: %s\n", error.text);
    return error.status;
}
