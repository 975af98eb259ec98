/* backend.h: the device, its arrays, and launches of kernels, for the WebGPU algorithms. It is implemented in wait.c,
 * kernels.c, arrays.c, uploads.c and device.c; each of them calls only files before it in this list.
 *
 * Errors are sticky: a function does nothing if its struct error already has a message. Errors that WebGPU reports
 * later (validation, out of memory, a lost device) become errors of the next wait. */
#pragma once

#include "../../src/algorithm.h"
#include "library.h"

/* ---- the device ---- */

struct webgpu_pipeline {
    char name[192]; /* identifies the kernel: module, features, constants, numbers of parts of its arrays */
    WGPUComputePipeline pipeline;
    WGPUBindGroupLayout layout;
};

/* A buffer that the host writes to while the device copies from the others (uploads.c). */
#define NUM_STAGES 3
struct webgpu_stage {
    WGPUBuffer buffer;           /* NULL until it is made */
    bool is_answered, is_mapped; /* answer to the last request to map it */
};

#define NUM_STAMPS 2

/* A part of a buffer to be read by the host. */
#define MAX_READINGS 2 /* readings per submission, at most */
struct webgpu_reading {
    WGPUBuffer from;
    uint64_t at, bytes; /* offset and length in bytes, multiples of 4 */
    void *to;
};

struct webgpu_device {
    WGPUDevice device;
    WGPUQueue queue;
    WGPULimits limits;
    uint64_t most_words;  /* words of one binding, at most */
    uint64_t part_words;  /* words per part of an array that needs several bindings; a power of two */
    struct error failure; /* first error that WebGPU reported since the last wait */
    bool is_lost, no_memory;
    bool is_software, has_subgroups;
    bool shares_memory;        /* its memory is the host's memory */
    bool is_done;              /* set when the work that webgpu_wait() waits for is done */
    WGPUMapAsyncStatus mapped; /* status of the last request to map a buffer */
    struct device_memory memory;
    struct webgpu_pipeline *pipelines; /* num_pipelines; kept because compiling takes long; grows */
    int num_pipelines;
    uint64_t pipeline_capacity;
    WGPUBuffer staging; /* buffer for downloads; grows */
    uint64_t staging_bytes;
    struct webgpu_reading readings[MAX_READINGS + 1]; /* num_readings that were started */
    int num_readings;
    struct webgpu_stage stages[NUM_STAGES]; /* buffers for uploads */
    bool has_stages; /* false on a CPU, where stages gain nothing, except in tests of splitting */
    /* The clock: host times, and two timestamps around the kernels if the adapter supports them. */
    double at[NUM_MARKS];
    bool in_kernel;             /* the kernels of a search have begun and not ended */
    WGPUQuerySet stamps;        /* NULL if there are no timestamps */
    WGPUBuffer resolved;        /* a buffer of two timestamps, for a download */
    uint64_t ticks[NUM_STAMPS]; /* the timestamps after they were read; 0 before */
    bool has_new_stamps;        /* timestamps were written that have not been read */
    double ms_per_tick;
};

/* Returns the WebGPU state of the run's device, which must be open and of kind DEVICE_WEBGPU. */
static inline struct webgpu_device *webgpu_of(const struct run *run)
{
    return run->device->backend;
}

/* Records the message as the device's failure, unless one was recorded since the last wait. what: the event. */
void webgpu_note_failure(struct webgpu_device *device, const char *what, WGPUStringView message);
/* Makes the recorded failure the error of one run, and clears it unless the device is lost. Returns the status. */
int webgpu_report(struct webgpu_device *device, struct error *error);
/* Waits until the device has finished everything submitted, and reports failures since the last wait. After
 * GTRAV_WEBGPU_TIMEOUT seconds (300) the device counts as lost. */
int webgpu_wait(struct webgpu_device *device, struct error *error);
/* Waits until a callback has set *done; otherwise like webgpu_wait(). */
int webgpu_wait_for(struct webgpu_device *device, const bool *done, struct error *error);

/* Returns the number of steps for the next submission, after one of `steps` steps took `ms`: twice as many, but at
 * least 1, at most `most`, and not more than take LONGEST_MS. Drivers abort work that occupies a small GPU for
 * seconds. */
#define LONGEST_MS 250.0
static inline uint32_t webgpu_more_steps(uint32_t steps, double ms, uint32_t most)
{
    double fit = ms > 0 ? steps * (LONGEST_MS / ms) : most;
    uint32_t twice = 2 * steps < most ? 2 * steps : most;
    return fit < 1 ? 1 : fit < twice ? (uint32_t)fit : twice;
}

/* ---- arrays of 32-bit words ---- */

#define MAX_PARTS   16 /* parts of an array, at most */
#define WORDS(type) (sizeof(type) / sizeof(uint32_t))

/* An array on the device. Word i is word i % part_words of part i / part_words. */
struct webgpu_array {
    WGPUBuffer parts[MAX_PARTS];
    uint32_t num_parts;
    uint64_t count; /* words */
    WGPUBufferUsage usage;
};

/* Allocates `count` words, all 0. Returns STATUS_DEVICE, with the size, if the device has not enough memory or the
 * array would need more than MAX_PARTS bindings. The caller frees it. */
int webgpu_allocate(struct webgpu_device *device, struct webgpu_array *array, uint64_t count, const char *what,
                    struct error *error);
/* Allocates an array of one part. usage: its uses besides copying. */
int webgpu_allocate_whole(struct webgpu_device *device, struct webgpu_array *array, uint64_t count,
                          WGPUBufferUsage usage, const char *what, struct error *error);
/* Frees `number` arrays. Arrays that are all zero are skipped. */
void webgpu_free(struct webgpu_device *device, struct webgpu_array arrays[], uint32_t number);

/* Finds the piece that one copy can take, starting at word `first`. Returns its part; sets its first word within the
 * part and its number of words, at most `most`. left: words wanted from `first` on, at least 1. */
uint32_t webgpu_piece(const struct webgpu_device *device, const struct webgpu_array *array, uint64_t first,
                      uint64_t left, uint64_t most, uint64_t *in_part, uint64_t *piece);

/* Allocates an array and copies `count` words to it. Waits until they are on the device. */
int webgpu_upload(struct webgpu_device *device, struct webgpu_array *array, const uint32_t *words, uint64_t count,
                  const char *what, struct error *error);
/* Writes the first words of the array before the next submission runs. They must be in its first part. */
int webgpu_write(struct webgpu_device *device, struct webgpu_array *array, const void *words, uint64_t count,
                 struct error *error);
/* Copies `count` words, starting at word `first`, to the host. Waits for them. */
int webgpu_download(struct webgpu_device *device, const struct webgpu_array *array, uint64_t first, uint32_t *words,
                    uint64_t count, struct error *error);

/* ---- turns ---- */

/* Number of places, used in rotation, where a step of a search leaves data for later steps (shaders/search.wgsl,
 * shaders/bfs.wgsl). Even, because two arrays swap in each step. */
#define TURNS 4u

/* Makes a uniform for each turn. It holds the turn's number, so that a kernel knows its place. The caller frees the
 * uniforms, even after a failure. */
int webgpu_make_turns(struct webgpu_device *device, struct webgpu_array turns[TURNS], struct error *error);

/* ---- the graph ---- */

/* Copies the CSR to the device: offsets and targets. Returns STATUS_DEVICE if it has too many edges for 32-bit
 * offsets. The caller frees the arrays, even after a failure. */
int webgpu_graph_upload(struct webgpu_device *device, const struct graph *graph, struct webgpu_array copy[2],
                        struct error *error);
/* Reverses all edges on the host and copies them in the same way. Returns the time in ms. */
double webgpu_upload_in_edges(struct webgpu_device *device, const struct graph *graph, struct webgpu_array in_edges[2],
                              struct error *error);
/* Returns the number of vertices with more than `edges` edges. */
uint64_t webgpu_high_degrees(const struct graph *graph, uint64_t edges);

/* ---- kernels ---- */

#define MAX_BINDINGS  13
#define MAX_CONSTANTS 4

/* The texts of the files in shaders/. The build generates build/kernels/webgpu/shaders.c from them. */
extern const char shader_bfs[], shader_bottom_up[], shader_coalesced[], shader_search[], shader_workgroups[];

/* A kernel: an entry point of a module, which is the concatenation of one or more files of shaders/. */
struct webgpu_kernel {
    const char *const *sources; /* ended by NULL */
    const char *module, *entry; /* the module's name, for messages; the entry point */
    const char *features;       /* in the form of split_shader() */
    unsigned uses;              /* bit i: the kernel uses binding i */
    WGPUConstantEntry constants[MAX_CONSTANTS];
    size_t num_constants;
};

/* The arrays of a module by binding. The shader is split if an array has several parts. */
struct webgpu_bindings {
    const char *names[MAX_BINDINGS]; /* names in the shader; NULL: no such binding */
    const struct webgpu_array *arrays[MAX_BINDINGS];
};

/* How a shader is split for arrays that are too large for one binding (split.c). */
#define PART_STRIDE 32u /* between the bindings of an array's parts */

struct split {
    const char *name; /* name of the array in the shader; NULL ends a list */
    unsigned parts;
    unsigned shift; /* a part has 1 << shift words */
};

/* Joins the sources, a list ended by NULL, and splits their arrays. Returns the text, which the caller frees; NULL
 * after an error. features: the features in use, with a space on each side of each. */
char *split_shader(const char *const *sources, const struct split *splits, const char *features, struct error *error);

/* A kernel bound to its arrays, ready to run. */
struct webgpu_launch {
    WGPUComputePipeline pipeline; /* owned by the device */
    WGPUBindGroup group;
};

/* Binds the arrays to the kernel. Compiles it for their numbers of parts, unless the device already has it. */
int webgpu_bind(struct webgpu_device *device, const struct webgpu_kernel *kernel,
                const struct webgpu_bindings *bindings, struct webgpu_launch *launch, struct error *error);
void webgpu_unbind(struct webgpu_launch *launch);

/* ---- commands: one submission ---- */

struct webgpu_commands {
    struct webgpu_device *device;
    WGPUCommandEncoder encoder;
    WGPUComputePassEncoder pass; /* NULL outside a pass */
    bool is_timed, has_begun;    /* kernels get timestamps; a kernel has got the first one */
    WGPUCommandBuffer finished;  /* commands that precede the encoder's; or NULL */
};

void webgpu_begin(struct webgpu_device *device, struct webgpu_commands *commands);
void webgpu_clear(struct webgpu_commands *commands, const struct webgpu_array *array); /* sets all words to 0 */
void webgpu_copy(struct webgpu_commands *commands, WGPUBuffer from, uint64_t at, WGPUBuffer to, uint64_t to_at,
                 uint64_t bytes);
#define CPU_WORKGROUPS 16u /* workgroups per dispatch on a CPU, where idle workgroups cost time */
void webgpu_dispatch(struct webgpu_commands *commands, const struct webgpu_launch *launch, uint32_t x, uint32_t y);
/* Dispatches the number of workgroups in words `first` to first + 2 of args, at most x in the first dimension. Dawn
 * would check the words by another dispatch, so there a fixed number is dispatched. */
void webgpu_dispatch_indirect(struct webgpu_commands *commands, const struct webgpu_launch *launch, uint32_t x,
                              const struct webgpu_array *args, uint32_t first);
void webgpu_submit(struct webgpu_commands *commands);
/* Commands may be made ahead. webgpu_finish() ends them; webgpu_go_on() adds more, which are submitted together with
 * them; webgpu_drop() discards them. */
void webgpu_finish(struct webgpu_commands *commands);
void webgpu_go_on(struct webgpu_commands *commands);
void webgpu_drop(struct webgpu_commands *commands);
/* Ends the commands that reset a search, before its kernels, which are timed. Without timestamps the host takes the
 * times, so the commands are submitted here. */
void webgpu_before_kernels(struct webgpu_commands *commands);

/* Adds a reading of new timestamps, if there are any. Returns the number of readings added: 0 or 1. */
int webgpu_add_stamps(struct webgpu_commands *commands, struct webgpu_reading *reading);
/* Submits the commands, and starts `number` readings and the reading of new timestamps. */
int webgpu_submit_reading(struct webgpu_commands *commands, const struct webgpu_reading readings[], int number,
                          struct error *error);
/* Waits for the started readings, and copies them to the host. */
int webgpu_finish_reading(struct webgpu_device *device, struct error *error);
/* Submits the commands, starts the readings and waits for them. */
int webgpu_submit_and_read(struct webgpu_commands *commands, const struct webgpu_reading readings[], int number,
                           struct error *error);
