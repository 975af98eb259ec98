/* device.h: what the harness needs to know of the machine an algorithm runs on: its name, and its clock. */
#ifndef GTRAV_DEVICE_H
#define GTRAV_DEVICE_H

#include <stdint.h>

#include "error.h"

#ifdef __cplusplus
extern "C" {
#endif

enum device_kind { DEVICE_CPU, DEVICE_GPU, DEVICE_EMULATOR, NUM_DEVICES };

/* The four moments of a trial. The harness marks the outer two, the algorithm the inner two (run_kernel_begin/end).
 */
enum mark { MARK_BEGIN, MARK_KERNEL_BEGIN, MARK_KERNEL_END, MARK_END, NUM_MARKS };

/* Bytes that algorithms hold on a device, now and at most. Who watches a stretch of time sets the peak back. */
struct device_memory {
    uint64_t bytes, peak_bytes;
};

struct device {
    enum device_kind kind;
    int number;                   /* of its kind on this machine, from 0 */
    char name[128];               /* "NVIDIA H200" */
    char slug[128];               /* "nvidia-h200": the folder its records go to */
    uint64_t seed;                /* of the emulator's schedule; 0: round-robin. Other devices ignore it */
    void *clock;                  /* of the backend: host times, or device events */
    struct device_memory *memory; /* of the backend; NULL: algorithms have the host's, which nobody counts */
    /* Makes it the calling thread's: before anything else that a thread has to do with it, and until it turns to
     * another. Two threads never use one device at a time. */
    int (*use)(struct device *device, struct error *error);
    void (*mark)(struct device *device, enum mark mark);
    /* Waits for the trial's end; between which marks lie how many milliseconds. */
    int (*elapsed)(struct device *device, double *time_ms, double *kernel_ms, struct error *error);
    void (*close)(struct device *device);
};

/* Each opens the device of that number, and makes it the calling thread's. The CPU is all of the machine: number 0.
 */
int device_open_cpu(struct device *device, int number, struct error *error);

/* STATUS_DEVICE where there is no such GPU, or where this build has no GPU code; the message says which. */
int device_open_gpu(struct device *device, int number, struct error *error);
int device_count_gpu(void); /* 0: none, or no GPU code */

/* The kernels of the GPU on the CPU (kernels/backend/emulator/emulator.h); STATUS_DEVICE if this build has no
 * emulator. */
int device_open_emulator(struct device *device, int number, struct error *error);
int device_count_emulator(void);

/* Turns a device's name into a slug: lower case, every run of other characters one '-'. */
void device_slug(const char *prefix, const char *name, char *slug, size_t size);

/* Milliseconds on the host's monotonic clock. */
double now_ms(void);

#ifdef __cplusplus
}
#endif
#endif
