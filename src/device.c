/* device.c: the CPU as a device, and code shared by all devices. */
#include "device.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_S      1000000000L
#define PIECE_BYTES   ((size_t)256 << 10) /* that a thread copies in one go */
#define CPUINFO_BYTES 1024                /* its first lines contain the first processor's model */

const char *const device_words[NUM_DEVICES] = {
    [DEVICE_CPU] = "cpu", [DEVICE_GPU] = "gpu", [DEVICE_EMULATOR] = "emulator", [DEVICE_WEBGPU] = "webgpu"};
const char *const device_titles[NUM_DEVICES] = {
    [DEVICE_CPU] = "CPU", [DEVICE_GPU] = "GPU", [DEVICE_EMULATOR] = "emulator", [DEVICE_WEBGPU] = "GPU by WebGPU"};

double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

struct timespec time_after(int clock, long nanoseconds)
{
    struct timespec when;
    clock_gettime(clock, &when);
    when.tv_nsec += nanoseconds;
    when.tv_sec += when.tv_nsec / NS_PER_S;
    when.tv_nsec %= NS_PER_S;
    return when;
}

void copy_by_all_threads(void *to, const void *from, size_t bytes)
{
#pragma omp parallel for schedule(static) if (bytes > PIECE_BYTES)
    for (size_t at = 0; at < bytes; at += PIECE_BYTES)
        memcpy((char *)to + at, (const char *)from + at, bytes - at < PIECE_BYTES ? bytes - at : PIECE_BYTES);
}

void device_slug(const char *prefix, const char *name, char *slug, size_t size)
{
    size_t length = (size_t)snprintf(slug, size, "%s", prefix);
    for (; *name != '\0' && length + 1 < size; name++)
        if (isalnum((unsigned char)*name))
            slug[length++] = (char)tolower((unsigned char)*name);
        else if (length > 0 && slug[length - 1] != '-')
            slug[length++] = '-';
    while (length > 0 && slug[length - 1] == '-')
        length--;
    slug[length] = '\0';
}

/* The first processor's model, or else the kind of machine. The folder of the records is named after it, so it must
 * not depend on whether there is memory for a stream: the file is read without one. */
static int cpu_model(char *name, size_t size, struct error *error)
{
    static const char path[] = "/proc/cpuinfo", key[] = "\nmodel name\t: ";
    char text[CPUINFO_BYTES + 1];
    struct utsname machine;
    uname(&machine);
    snprintf(name, size, "%s", machine.machine);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || errno == EACCES ? STATUS_OK : error_errno(error, "%s: cannot open", path);
    ssize_t length = read(file, text, CPUINFO_BYTES);
    text[length > 0 ? length : 0] = '\0';
    const char *found = strstr(text, key);
    if (found != NULL)
        snprintf(name, size, "%.*s", (int)strcspn(found + sizeof key - 1, "\n"), found + sizeof key - 1);
    close(file);
    return STATUS_OK;
}

struct cpu_clock {
    double at[NUM_MARKS];
};

static int cpu_use(struct device *device, struct error *error)
{
    (void)device, (void)error;
    return STATUS_OK;
}

static void cpu_mark(struct device *device, enum mark mark)
{
    struct cpu_clock *clock = device->clock;
    if (mark == MARK_BEGIN)
        clock->at[MARK_KERNEL_BEGIN] = clock->at[MARK_KERNEL_END] = -1;
    clock->at[mark] = now_ms();
}

static int cpu_elapsed(struct device *device, double *time_ms, double *kernel_ms, struct error *error)
{
    (void)error;
    const struct cpu_clock *clock = device->clock;
    *time_ms = clock->at[MARK_END] - clock->at[MARK_BEGIN];
    bool marked = clock->at[MARK_KERNEL_END] >= 0;
    *kernel_ms = marked ? clock->at[MARK_KERNEL_END] - clock->at[MARK_KERNEL_BEGIN] : *time_ms;
    device->reset_ms = marked ? clock->at[MARK_KERNEL_BEGIN] - clock->at[MARK_BEGIN] : 0;
    return STATUS_OK;
}

static void cpu_close(struct device *device)
{
    free(device->clock);
    *device = (struct device){0};
}

int device_open_cpu(struct device *device, int number, struct error *error)
{
    *device = (struct device){.kind = DEVICE_CPU,
                              .number = number,
                              .use = cpu_use,
                              .mark = cpu_mark,
                              .elapsed = cpu_elapsed,
                              .close = cpu_close};
    if (cpu_model(device->name, sizeof device->name, error) != STATUS_OK)
        return error->status;
    device_slug("cpu-", device->name, device->slug, sizeof device->slug);
    return allocate_zeroed(&device->clock, 1, sizeof(struct cpu_clock), "the clock", error);
}

/* A kind of device that this build lacks. */
#define NO_DEVICE(kind, advice)                                                                                      \
    int device_count_##kind(void)                                                                                    \
    {                                                                                                                \
        return 0;                                                                                                    \
    }                                                                                                                \
    int device_open_##kind(struct device *device, int number, struct error *error)                                   \
    {                                                                                                                \
        (void)number;                                                                                                \
        *device = (struct device){0};                                                                                \
        return error_set(error, STATUS_DEVICE, "this gtrav was built without " advice);                              \
    }

#ifndef GTRAV_CUDA
NO_DEVICE(gpu, "CUDA; install the CUDA Toolkit (nvcc) and run make")
#endif

#ifndef GTRAV_EMULATOR
NO_DEVICE(emulator, "the GPU emulator; install Boost.Context (Debian's libboost-context-dev) and run make")
#endif

#ifndef GTRAV_WEBGPU
NO_DEVICE(webgpu, "WebGPU; run scripts/setup.sh webgpu and then make")

int device_find_webgpu(const char *name, int *number, struct error *error)
{
    (void)name;
    return device_open_webgpu(&(struct device){0}, *number, error);
}

int device_describe_webgpu(int number, char *text, size_t size, struct error *error)
{
    (void)text, (void)size;
    return device_open_webgpu(&(struct device){0}, number, error);
}
#endif
