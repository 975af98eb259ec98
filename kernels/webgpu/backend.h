/* backend.h: the device, its arrays, shaders and launches of kernels, for the WebGPU algorithms. Each of the files
 * wait.c, kernels.c, arrays.c, uploads.c and device.c calls only the files before it in this list.
 *
 * Errors are sticky: a function does nothing if its struct error already has a message. An error that WebGPU reports
 * later (validation, too little memory, a lost device) becomes an error of the next wait. */
#pragma once

#include <stdio.h>

#include "../../src/algorithm.h"
#include "library.h"

/* ---- the device ---- */

struct webgpu_pipeline {
    char name[192]; /* of the kernel, its module, features and constants, and the parts of its arrays */
    WGPUComputePipeline pipeline;
    WGPUBindGroupLayout layout;
};

/* A buffer that the host writes to while the device copies from the others (uploads.c). */
#define NUM_STAGES 3
struct webgpu_stage {
    WGPUBuffer buffer;           /* NULL: not made yet */
    bool is_answered, is_mapped; /* the last request to map it */
};

#define NUM_STAMPS 2

/* A part of a buffer that the host reads. */
#define MAX_READINGS 2 /* most readings of a submission */
struct webgpu_reading {
    WGPUBuffer from;
    uint64_t at, bytes; /* offset and length, multiples of 4 */
    void *to;
};

struct webgpu_device {
    WGPUDevice device;
    WGPUQueue queue;
    WGPULimits limits;
    uint64_t most_words;  /* the most words of one binding */
    uint64_t part_words;  /* words of each part of an array that needs several bindings; a power of two */
    struct error failure; /* the first error that WebGPU reported since the last wait */
    bool is_lost, no_memory;
    bool is_software, has_subgroups;
    bool shares_memory;        /* its memory is the host's */
    bool is_done;              /* set once the work is done for which webgpu_wait() waits */
    WGPUMapAsyncStatus mapped; /* status of the last mapping */
    struct device_memory memory;
    struct webgpu_pipeline *pipelines; /* num_pipelines, kept because compiling takes long; grows */
    int num_pipelines;
    WGPUBuffer staging; /* for downloads; grows */
    uint64_t staging_bytes;
    struct webgpu_reading readings[MAX_READINGS + 1]; /* num_readings that have begun */
    int num_readings;
    struct webgpu_stage stages[NUM_STAGES]; /* for uploads */
    bool has_stages; /* false on a CPU, where they gain nothing, except in tests of splitting */
    /* The clock: host times; if the adapter has timestamps, also two of them, around the kernels. */
    double at[NUM_MARKS];
    bool in_kernel;             /* between the inner marks */
    WGPUQuerySet stamps;        /* NULL: no timestamps */
    WGPUBuffer resolved;        /* the two timestamps, for a download */
    uint64_t ticks[NUM_STAMPS]; /* the timestamps once they are read; 0 until then */
    bool has_new_stamps;        /* the device writes timestamps that are not read yet */
    double ms_per_tick;
};

/* The backend of an open device of kind DEVICE_WEBGPU. */
static inline struct webgpu_device *webgpu_of(const struct run *run)
{
    return run->device->backend;
}

/* Makes the message the device's failure, unless it has one since the last wait. what: the event. */
void webgpu_note_failure(struct webgpu_device *device, const char *what, WGPUStringView message);
/* Makes the failure the error of one run, and forgets it unless the device is lost. Returns the error's status. */
int webgpu_report(struct webgpu_device *device, struct error *error);
/* Waits until the device has done all that was submitted, and reports what failed since the last wait. After the
 * seconds in GTRAV_WEBGPU_TIMEOUT (300) the device counts as lost. */
int webgpu_wait(struct webgpu_device *device, struct error *error);
/* Waits until a callback has set *done; otherwise as webgpu_wait(). */
int webgpu_wait_for(struct webgpu_device *device, const bool *done, struct error *error);

/* Returns the number of steps of the next submission, if one of `steps` steps took `ms`: twice as many, but at most
 * `most`, and no more than take LONGEST_MS, since drivers end work that keeps a small GPU for seconds. At least 1. */
#define LONGEST_MS 250.0
static inline uint32_t webgpu_more_steps(uint32_t steps, double ms, uint32_t most)
{
    double fit = ms > 0 ? steps * (LONGEST_MS / ms) : most;
    uint32_t twice = 2 * steps < most ? 2 * steps : most;
    return fit < 1 ? 1 : fit < twice ? (uint32_t)fit : twice;
}

/* ---- arrays of 32-bit words ---- */

#define MAX_PARTS   16 /* most parts of an array */
#define WORDS(type) (sizeof(type) / sizeof(uint32_t))

/* An array on the device. Word i is word i % part_words of part i / part_words. */
struct webgpu_array {
    WGPUBuffer parts[MAX_PARTS];
    uint32_t num_parts;
    uint64_t count; /* words */
    WGPUBufferUsage usage;
};

/* Allocates count words, all 0. STATUS_DEVICE, with the size, if the device has not enough memory or the array would
 * need more than MAX_PARTS bindings. The caller frees. */
int webgpu_allocate(struct webgpu_device *device, struct webgpu_array *array, uint64_t count, const char *what,
                    struct error *error);
/* Allocates an array of one part. usage: what it is used for beside copying. */
int webgpu_allocate_whole(struct webgpu_device *device, struct webgpu_array *array, uint64_t count,
                          WGPUBufferUsage usage, const char *what, struct error *error);
/* Frees `number` arrays; one that is all zero is left alone. */
void webgpu_free(struct webgpu_device *device, struct webgpu_array arrays[], uint32_t number);

/* Finds the piece that one copy takes, from word `first` on. Returns its part; sets its first word in the part and
 * its number of words, at most `most`. left: number of words wanted from `first` on, at least 1. */
uint32_t webgpu_piece(const struct webgpu_device *device, const struct webgpu_array *array, uint64_t first,
                      uint64_t left, uint64_t most, uint64_t *in_part, uint64_t *piece);

/* Allocates an array with a copy of count words; waits until they are on the device. */
int webgpu_upload(struct webgpu_device *device, struct webgpu_array *array, const uint32_t *words, uint64_t count,
                  const char *what, struct error *error);
/* Writes the first words of the array before the next submission runs. They must lie in its first part. */
int webgpu_write(struct webgpu_device *device, struct webgpu_array *array, const void *words, uint64_t count,
                 struct error *error);
/* Copies count words, from word number `first` on, to the host. Waits. */
int webgpu_download(struct webgpu_device *device, const struct webgpu_array *array, uint64_t first, uint32_t *words,
                    uint64_t count, struct error *error);

/* ---- turns ---- */

/* The number of places in which the steps of a search, in turn, leave what later steps need (shaders/search.wgsl,
 * shaders/bfs.wgsl). It is even because two arrays swap in each step. */
#define TURNS 4u

/* Makes a uniform for each turn, with its number, which tells a kernel its place. The caller frees, even after a
 * failure. */
int webgpu_make_turns(struct webgpu_device *device, struct webgpu_array turns[TURNS], struct error *error);

/* ---- the graph ---- */

/* Copies the CSR to the device: its offsets, then its targets. STATUS_DEVICE if it has too many edges for 32-bit
 * offsets. The caller frees, even after a failure. */
int webgpu_graph_upload(struct webgpu_device *device, const struct graph *graph, struct webgpu_array copy[2],
                        struct error *error);
/* Reverses all edges on the host and copies them in the same way. Returns the milliseconds that this took. */
double webgpu_upload_in_edges(struct webgpu_device *device, const struct graph *graph,
                              struct webgpu_array in_edges[2], struct error *error);
/* Returns the number of vertices with more than so many edges. */
uint64_t webgpu_high_degrees(const struct graph *graph, uint64_t edges);

/* ---- kernels ---- */

#define MAX_BINDINGS  13
#define MAX_CONSTANTS 4

/* The texts of the files in shaders/. The build writes them to build/kernels/webgpu/shaders.c. */
extern const char shader_bfs[], shader_bottom_up[], shader_coalesced[], shader_search[], shader_workgroups[];

/* A kernel: an entry point of a module, which is one or more of the files in shaders/, one after the other. */
struct webgpu_kernel {
    const char *const *sources; /* ends with NULL */
    const char *module, *entry; /* the module's name is for messages */
    const char *features;       /* as of split_shader() */
    unsigned uses;              /* bit i: the kernel uses binding i */
    WGPUConstantEntry constants[MAX_CONSTANTS];
    size_t num_constants;
};

/* The arrays of a module by binding. The shader is split for arrays of more than one part. */
struct webgpu_bindings {
    const char *names[MAX_BINDINGS]; /* as in the shader; NULL: no such binding */
    const struct webgpu_array *arrays[MAX_BINDINGS];
};

/* How a shader is split for arrays that are too large for one binding (split.c). */
#define PART_STRIDE 32u /* between the bindings of an array's parts */

struct split {
    const char *name; /* of the array in the shader; NULL ends a list */
    unsigned parts;
    unsigned shift; /* a part has 1 << shift words */
};

/* Returns the sources, a list that NULL ends, joined, with their arrays split; NULL after an error. The caller frees
 * it. features: the features in use, with a space on each side of each. */
char *split_shader(const char *const *sources, const struct split *splits, const char *features, struct error *error);

/* A kernel with its arrays, ready to run. */
struct webgpu_launch {
    WGPUComputePipeline pipeline; /* owned by the device */
    WGPUBindGroup group;
};

/* Binds the arrays to the kernel. Compiles it for their numbers of parts, unless the device has it already. */
int webgpu_bind(struct webgpu_device *device, const struct webgpu_kernel *kernel,
                const struct webgpu_bindings *bindings, struct webgpu_launch *launch, struct error *error);
void webgpu_unbind(struct webgpu_launch *launch);

/* ---- commands: one submission ---- */

struct webgpu_commands {
    struct webgpu_device *device;
    WGPUCommandEncoder encoder;
    WGPUComputePassEncoder pass; /* NULL between passes */
    bool is_timed, has_begun;    /* kernels get timestamps; a kernel has got the first one */
    WGPUCommandBuffer finished;  /* commands before those of the encoder, or NULL */
};

void webgpu_begin(struct webgpu_device *device, struct webgpu_commands *commands);
void webgpu_clear(struct webgpu_commands *commands, const struct webgpu_array *array); /* to 0 */
void webgpu_copy(struct webgpu_commands *commands, WGPUBuffer from, uint64_t at, WGPUBuffer to, uint64_t to_at,
                 uint64_t bytes);
#define CPU_WORKGROUPS 16u /* workgroups of a dispatch on a CPU, where idle ones cost time */
void webgpu_dispatch(struct webgpu_commands *commands, const struct webgpu_launch *launch, uint32_t x, uint32_t y);
/* Dispatches as many workgroups as words `first` to first + 2 of args say, at most x in the first dimension. On Dawn,
 * which would check the words by another dispatch, it dispatches a fixed number. */
void webgpu_dispatch_indirect(struct webgpu_commands *commands, const struct webgpu_launch *launch, uint32_t x,
                              const struct webgpu_array *args, uint32_t first);
void webgpu_submit(struct webgpu_commands *commands);
/* Commands may be made ahead. webgpu_finish() ends them; webgpu_go_on() adds further ones, which are submitted with
 * them; webgpu_drop() drops them. */
void webgpu_finish(struct webgpu_commands *commands);
void webgpu_go_on(struct webgpu_commands *commands);
void webgpu_drop(struct webgpu_commands *commands);
/* Ends the commands that reset a search, before its kernels, which are timed. Without timestamps the host times the
 * kernels, so it submits the commands before them. */
void webgpu_before_kernels(struct webgpu_commands *commands);

/* Adds the reading of new timestamps, if there are any. Returns the number of readings added: 0 or 1. */
int webgpu_add_stamps(struct webgpu_commands *commands, struct webgpu_reading *reading);
/* Submits the commands, and begins `number` readings, and that of new timestamps. */
int webgpu_submit_reading(struct webgpu_commands *commands, const struct webgpu_reading readings[], int number,
                          struct error *error);
/* Waits for the readings that have begun, and copies them to the host. */
int webgpu_finish_reading(struct webgpu_device *device, struct error *error);
/* Submits the commands, and ends the readings. */
int webgpu_submit_and_read(struct webgpu_commands *commands, const struct webgpu_reading readings[], int number,
                           struct error *error);
