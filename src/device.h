/* device.h: the device on which an algorithm runs: its name, clock and memory. */
#pragma once

#include <time.h>

#include "error.h"

C_NAMES_BEGIN

enum device_kind { DEVICE_CPU, DEVICE_GPU, DEVICE_EMULATOR, DEVICE_WEBGPU, NUM_DEVICES };

/* The user's choice of a device. auto: each algorithm runs on the device for which it is written. */
enum device_choice { CHOICE_AUTO, CHOICE_GPU, CHOICE_CPU, CHOICE_EMULATOR, CHOICE_WEBGPU };
#define DEVICE_CHOICES "auto|gpu|cpu|cpu-emulator|webgpu"

/* The four moments of a trial. The harness marks the outer two, algorithms the inner two (run_kernel_begin/end). */
enum mark { MARK_BEGIN, MARK_KERNEL_BEGIN, MARK_KERNEL_END, MARK_END, NUM_MARKS };

/* Memory that algorithms hold on a device, now and at the peak, in bytes; and the time of uploads, measured while
 * times_uploads is set. To measure an interval, the caller first resets peak_bytes and upload_ms. */
struct device_memory {
    uint64_t bytes, peak_bytes;
    uint64_t host_bytes, peak_host_bytes; /* of pinned host memory that kernels access */
    uint64_t limit;                       /* on `bytes`: GTRAV_GPU_MEMORY; 0: none */
    uint64_t counted_bytes;               /* the part of `bytes` that is only counted */
    bool is_unknown;                      /* set while counting if a size depends on what kernels find */
    bool times_uploads;
    double upload_ms;
};

/* The memory of the device that this thread uses, while it only counts (run/memory.h): taking memory raises its sums,
 * and kernels, fills and copies do nothing. NULL: it does not count. Every launch asks, so it costs one load. */
extern __thread struct device_memory *counting_memory;

/* Writes two sums of bytes in MB, with one decimal, or to the byte if they would look the same. */
void memory_print(uint64_t needed, uint64_t left, char texts[2][32]);
/* Sets the error that a GPU has `left` bytes where `bytes` are needed for something. Returns its status. */
int memory_refuse(uint64_t bytes, const char *what, uint64_t left, struct error *error);

/* Functions for result arrays in device memory or in pinned host memory. The calling thread has called use(). */
struct device_arrays {
    void *(*take)(size_t bytes, bool on_device, struct error *error);
    void (*give)(void *memory, bool on_device);
    /* Waits for all work on the device, then copies from its memory to any memory. */
    int (*fetch)(void *to, const void *from, size_t bytes, struct error *error);
    /* Converts levels to bytes; UNREACHED becomes 255. levels: count entries on the device, then room for one more
     * and count bytes. *highest becomes the highest level, at most 254; bytes of levels above 254 are wrong. */
    int (*narrow)(uint8_t *to, uint32_t *levels, size_t count, uint32_t *highest, struct error *error);
};

/* Like graph500_validate() in verify/graph500_tree.h. */
struct graph500_list;
struct graph500_findings;
typedef int graph500_validation(const struct graph500_list *list, uint32_t root, const uint32_t *parent,
                                const double *distance, struct graph500_findings *findings, struct error *error);

/* Sets the bits of the vertices that have edges in the list, and clears the others. bitmap: ceil(2^scale / 32). */
typedef int graph500_marking(const struct graph500_list *list, uint32_t *bitmap, struct error *error);

/* Builds the lists of a graph whose vertices are counted, from the arrays of the edges' ends, which must be vertices,
 * of 64 bits if wide. The graph is the one that a builder makes of them. After an error, the caller releases it. */
struct graph;
typedef int building_from_arrays(const void *const ends[2], bool wide, uint64_t num_edges, bool undirected,
                                 struct graph *graph, struct error *error);

/* The state of a GPU while it works; 0: unknown. */
struct device_state {
    unsigned sm_mhz, temperature_c;
    unsigned limits; /* why its clocks are lowered: bits of clock_limits[], and others of NVML */
};

/* NVML's reasons to slow a busy GPU, with their names in records. Ends with a NULL name. */
struct clock_limit {
    unsigned bit;
    const char *name;
};
extern const struct clock_limit clock_limits[];
#define CLOCK_LIMITS_BYTES 64 /* room for all names with blanks between them */

struct device {
    enum device_kind kind;
    int number;                   /* index among the devices of its kind on this machine, from 0 */
    char name[128];               /* "NVIDIA H200" */
    char slug[128];               /* "nvidia-h200"; names the folder of the device's records */
    char machine[96];             /* identifies it: the UUID of a GPU; for a CPU, a hash of the machine's id */
    char driver[80];              /* version of the GPU's driver. This and the member above: "" if unknown */
    uint64_t seed;                /* seed of the emulator's schedule; 0: round-robin. Other devices ignore it */
    bool is_software;             /* WebGPU: the adapter runs on the CPU, so its times are no GPU times */
    void *backend;                /* WebGPU: its device; owned by the backend */
    void *clock;                  /* owned by the backend: host times, or device events */
    struct device_memory *memory; /* owned by the backend; NULL: algorithms use host memory, which is not counted */
    uint64_t (*memory_left)(struct error *error); /* bytes that algorithms can still take; NULL: it cannot count */
    const struct device_arrays *arrays;           /* NULL: there is only ordinary memory */
    unsigned generation; /* counts restarts by use(); a run prepared before a restart can only be released */
    /* Makes the device the calling thread's current one, and restarts it if it was lost. A thread calls this before
     * any other use of the device. Two threads never use one device at the same time. */
    int (*use)(struct device *device, struct error *error);
    void (*mark)(struct device *device, enum mark mark);
    /* Waits for the end of the trial. Sets *time_ms to the time between the outer marks, *kernel_ms to the time
     * between the inner marks (to *time_ms if there are none), and reset_ms. */
    int (*elapsed)(struct device *device, double *time_ms, double *kernel_ms, struct error *error);
    double reset_ms; /* time from the first outer to the first inner mark; 0 without an inner mark, or if the device
                      * did nothing between them */
    void (*identify)(struct device *device); /* sets machine and driver; NULL: open() has set them */
    void (*sense)(struct device *device, struct device_state *state); /* any thread may call it; NULL: unknown */
    uint64_t (*millijoules)(struct device *device); /* energy used since a fixed moment; 0, or NULL: unknown */
    /* Empties the caches by writing twice the size of the last-level cache, and waits. The first call allocates
     * memory, which device_memory does not count. NULL: not possible. */
    int (*cool)(struct device *device, struct error *error);
    void (*close)(struct device *device);
    graph500_validation *validate; /* validates on this device, after use(); NULL: the CPU validates */
    graph500_marking *mark_ends;   /* the same for marking; NULL: the device builds no graphs */
    building_from_arrays *build;   /* the same for building */
};

/* A kind of device, as its backend defines it. The harness knows it only by these functions. */
struct device_driver {
    const char *missing; /* what this build lacks for this kind, and how to get it; NULL: nothing is missing, and the
                          * functions are set */
    /* Opens the device with this number, from 0, and makes it the calling thread's. STATUS_DEVICE: there is none. */
    int (*open)(struct device *device, int number, struct error *error);
    int (*count)(void); /* returns the number of devices of this kind, or 0 */
    /* Finds a device whose number is `name`, or else the first whose name contains it. STATUS_INPUT: there is none.
     * NULL: users select devices by number only. */
    int (*find)(const char *name, int *number, struct error *error);
    /* Writes one line about a device: name, driver and limits. NULL: its name is enough. */
    int (*describe)(int number, char *text, size_t size, struct error *error);
};
extern const struct device_driver cpu_driver, gpu_driver, emulator_driver, webgpu_driver;

/* These call the functions of the kind's driver. If this build has no driver: STATUS_DEVICE, or 0 devices. */
int device_open(enum device_kind kind, struct device *device, int number, struct error *error);
int device_count(enum device_kind kind);
int device_find(enum device_kind kind, const char *name, int *number, struct error *error);
int device_describe(enum device_kind kind, int number, char *text, size_t size, struct error *error);

/* The words are "cpu", "gpu", "emulator", "webgpu". The titles are for messages: "CPU", "GPU", "GPU by WebGPU". */
extern const char *const device_words[NUM_DEVICES], *const device_titles[NUM_DEVICES];

/* Turns a device's name into a slug: letters in lower case, and every run of characters other than letters and
 * digits replaced by one '-'. */
void device_slug(const char *prefix, const char *name, char *slug, size_t size);

/* Sets `name` to the "model name" of the first processor in the text of /proc/cpuinfo. Virtual machines often hide
 * the model: if the model name has no digit before an '@', the microarchitecture, or else family, model and stepping,
 * is appended in brackets. Without a model name, as on ARM, `name` does not change. */
void cpu_name(const char *cpuinfo, char *name, size_t size);

/* now_ms() reads the host's monotonic clock, in ms. time_after() returns a clock's time plus so many nanoseconds. */
double now_ms(void);
struct timespec time_after(int clock, long nanoseconds);

/* Like memcpy(), but with all threads, since one thread is slower than the bus to a GPU. */
void copy_by_all_threads(void *to, const void *from, size_t bytes);

C_NAMES_END
