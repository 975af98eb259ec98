/* transfer_benchmark.h: times copies between the memories of the host and the device; transfer.c is the program. */
#pragma once

#include "../../src/device.h"

C_NAMES_BEGIN

/* The ways to copy: straight from ordinary memory; through the stage of pinned buffers (host/transfer.cu); and
 * straight from pinned memory, which is what the bus allows. */
enum transfer_way { TRANSFER_PAGEABLE, TRANSFER_STAGED, TRANSFER_PINNED, NUM_TRANSFER_WAYS };

struct transfer_request {
    uint64_t bytes; /* of a copy, at least 1 */
    bool to_device;
    uint64_t chunk_bytes; /* of a buffer of the stage, at least 1 */
    unsigned num_chunks;  /* buffers, 1 to 8 */
    unsigned runs;        /* copies of each way, at least 1; one before them is not timed */
};

struct transfer_times {
    double ms[NUM_TRANSFER_WAYS]; /* medians of the host's clock, by enum transfer_way */
    double stage_ms;              /* allocating and pinning the buffers of the stage */
};

/* Copies with each way and checks what arrives. Errors: STATUS_WRONG if other bytes arrive, STATUS_DEVICE if the
 * device fails or has too little memory, STATUS_INPUT if the host has. Frees all its memory; the device's stage is
 * the default one afterwards. */
int transfer_benchmark(struct device *device, const struct transfer_request *request, struct transfer_times *times,
                       struct error *error);
int transfer_benchmark_emulated(struct device *device, const struct transfer_request *request,
                                struct transfer_times *times, struct error *error);

C_NAMES_END
