/* device.h: the device on which an algorithm runs: its name, clock and memory. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "error.h"

C_NAMES_BEGIN

enum device_kind { DEVICE_CPU, DEVICE_GPU, DEVICE_EMULATOR, DEVICE_WEBGPU, NUM_DEVICES };

/* The device that the user chose. auto: each algorithm runs where it belongs. */
enum device_choice { CHOICE_AUTO, CHOICE_GPU, CHOICE_CPU, CHOICE_EMULATOR, CHOICE_WEBGPU };

/* The four moments of a trial. The harness marks the outer two, algorithms the inner two (run_kernel_begin/end). */
enum mark { MARK_BEGIN, MARK_KERNEL_BEGIN, MARK_KERNEL_END, MARK_END, NUM_MARKS };

/* Bytes that algorithms hold on a device: now, and at the peak; and the time of copying to it while times_uploads is
 * set. A caller that measures an interval resets peak_bytes and upload_ms. */
struct device_memory {
    uint64_t bytes, peak_bytes;
    bool times_uploads;
    double upload_ms;
    double upload_gb_per_s; /* bandwidth of the last large upload that was timed; 0: there was none */
};

/* Memory for results: of the device, or the host's, pinned. The thread uses the device. */
struct device_arrays {
    void *(*take)(size_t bytes, bool on_device, struct error *error);
    void (*give)(void *memory, bool on_device);
    /* From the device to any memory, after all work on the device. */
    int (*fetch)(void *to, const void *from, size_t bytes, struct error *error);
    /* Levels as bytes, of UNREACHED 255. levels: count entries on the device, and memory for one more and count
     * bytes. *highest: the highest level, or 254 if that is more; the bytes of levels above 254 are wrong. */
    int (*narrow)(uint8_t *to, uint32_t *levels, size_t count, uint32_t *highest, struct error *error);
};

/* As graph500_validate() of verify/graph500_tree.h. */
struct graph500_list;
struct graph500_findings;
typedef int graph500_validation(const struct graph500_list *list, uint32_t root, const uint32_t *parent,
                                struct graph500_findings *findings, struct error *error);

struct device {
    enum device_kind kind;
    int number;                   /* index among the devices of its kind on this machine, from 0 */
    char name[128];               /* "NVIDIA H200" */
    char slug[128];               /* "nvidia-h200": the folder its records go to */
    uint64_t seed;                /* for the emulator's schedule; 0: round-robin. Other devices ignore it */
    bool is_software;             /* WebGPU: the adapter runs on the CPU, so its times are no GPU times */
    void *backend;                /* WebGPU: its device; owned by the backend */
    void *clock;                  /* owned by the backend: host times, or device events */
    struct device_memory *memory; /* owned by the backend; NULL: algorithms use host memory, which is not counted */
    const struct device_arrays *arrays; /* NULL: there is only ordinary memory */
    unsigned generation; /* grows when use() makes it anew; what was prepared before can only be released */
    /* Makes it the calling thread's current device, and makes a lost one anew. A thread calls this before any other
     * use of the device. Two threads never use one device at the same time. */
    int (*use)(struct device *device, struct error *error);
    void (*mark)(struct device *device, enum mark mark);
    /* Waits for the end of the trial, then returns the milliseconds between the outer and between the inner marks
     * (without inner ones, those between the outer marks twice), and sets reset_ms. */
    int (*elapsed)(struct device *device, double *time_ms, double *kernel_ms, struct error *error);
    double reset_ms; /* from the first outer to the first inner mark; 0 if the device did nothing between them, or
                        if there is no inner one */
    uint64_t (*millijoules)(struct device *device); /* used since some moment; 0, or NULL: unknown */
    void (*close)(struct device *device);
    graph500_validation *validate; /* on this device, which must be in use; NULL: the CPU does it */
};

/* A kind of device, as its backend defines it: like an algorithm, it is known by its functions alone. */
struct device_driver {
    const char
        *missing; /* what this build lacks for it, and how to get that; NULL: nothing, and there are functions */
    /* Opens the device with that number, from 0, and makes it the calling thread's. STATUS_DEVICE: there is none. */
    int (*open)(struct device *device, int number, struct error *error);
    int (*count)(void); /* 0: there are none here */
    /* Finds the number of the device of that number, or of the first with these letters in its name. STATUS_INPUT:
     * there is none. NULL: devices have numbers alone. */
    int (*find)(const char *name, int *number, struct error *error);
    /* Writes one line about a device: name, driver and limits. NULL: its name is enough. */
    int (*describe)(int number, char *text, size_t size, struct error *error);
};
extern const struct device_driver cpu_driver, gpu_driver, emulator_driver, webgpu_driver;

/* The functions of the kind's driver. STATUS_DEVICE, or 0 devices, if this build has none. */
int device_open(enum device_kind kind, struct device *device, int number, struct error *error);
int device_count(enum device_kind kind);
int device_find(enum device_kind kind, const char *name, int *number, struct error *error);
int device_describe(enum device_kind kind, int number, char *text, size_t size, struct error *error);

/* "cpu", "gpu", "emulator", "webgpu"; and in messages, of where an algorithm runs: "CPU", "GPU", "GPU by WebGPU". */
extern const char *const device_words[NUM_DEVICES], *const device_titles[NUM_DEVICES];

/* Turns a device's name into a slug: letters in lower case, and every run of characters other than letters and
 * digits replaced by one '-'. */
void device_slug(const char *prefix, const char *name, char *slug, size_t size);

/* Names the first processor of /proc/cpuinfo's text by its "model name". Virtual machines often hide the model: if
 * the name has no digit before an '@', its microarchitecture follows in brackets, or its family, model and stepping.
 * Without a model name, as on ARM, `name` stays as it is. */
void cpu_name(const char *cpuinfo, char *name, size_t size);

/* Milliseconds on the host's monotonic clock; and a time of a clock, so many nanoseconds from now on. */
double now_ms(void);
struct timespec time_after(int clock, long nanoseconds);

/* Copies as memcpy(), with all threads, since one alone is slower than a bus to a GPU. */
void copy_by_all_threads(void *to, const void *from, size_t bytes);

C_NAMES_END
