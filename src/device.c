/* device.c: the CPU as a device, and code shared by all devices. */
#include "device.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "cores.h"

#define NS_PER_S      1000000000L
#define PIECE_BYTES   ((size_t)256 << 10) /* size of the pieces that threads copy */
#define CPUINFO_BYTES 1024                /* the first processor's model is in the first bytes of the file */

const char *const device_words[NUM_DEVICES] = {
    [DEVICE_CPU] = "cpu", [DEVICE_GPU] = "gpu", [DEVICE_EMULATOR] = "emulator", [DEVICE_WEBGPU] = "webgpu"};
const char *const device_titles[NUM_DEVICES] = {
    [DEVICE_CPU] = "CPU", [DEVICE_GPU] = "GPU", [DEVICE_EMULATOR] = "emulator", [DEVICE_WEBGPU] = "GPU by WebGPU"};

const struct clock_limit clock_limits[] = {{0x04, "power-cap"},  {0x08, "hw-slowdown"}, {0x20, "sw-thermal"},
                                           {0x40, "hw-thermal"}, {0x80, "power-brake"}, {0}};

__thread struct device_memory *counting_memory;

void memory_print(uint64_t needed, uint64_t left, char texts[2][32])
{
    const double numbers[] = {1e-6 * (double)needed, 1e-6 * (double)left};
    for (int decimals = 1; decimals <= 6; decimals += 5) {
        for (int i = 0; i < 2; i++)
            snprintf(texts[i], 32, "%.*f MB", decimals, numbers[i]);
        if (strcmp(texts[0], texts[1]) != 0)
            return;
    }
}

int memory_refuse(uint64_t bytes, const char *what, uint64_t left, struct error *error)
{
    char texts[2][32];
    memory_print(bytes, left, texts);
    return error_set(error, STATUS_DEVICE,
                     "GPU out of memory: %s needed for %s, %s free; use a smaller graph or a larger GPU", texts[0],
                     what, texts[1]);
}

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

/* Microarchitectures by vendor, family, model and lowest stepping. Rows of a model are in descending stepping. */
static const struct {
    const char *vendor;
    int family, model, stepping;
    const char *name;
} microarchitectures[] = {
    {"GenuineIntel", 6, 45, 0, "Sandy Bridge"},    {"GenuineIntel", 6, 62, 0, "Ivy Bridge"},
    {"GenuineIntel", 6, 63, 0, "Haswell"},         {"GenuineIntel", 6, 79, 0, "Broadwell"},
    {"GenuineIntel", 6, 85, 10, "Cooper Lake"},    {"GenuineIntel", 6, 85, 5, "Cascade Lake"},
    {"GenuineIntel", 6, 85, 0, "Skylake-SP"},      {"GenuineIntel", 6, 106, 0, "Ice Lake-SP"},
    {"GenuineIntel", 6, 108, 0, "Ice Lake-D"},     {"GenuineIntel", 6, 143, 0, "Sapphire Rapids"},
    {"GenuineIntel", 6, 207, 0, "Emerald Rapids"}, {"GenuineIntel", 6, 173, 0, "Granite Rapids"},
    {"GenuineIntel", 6, 175, 0, "Sierra Forest"},  {"AuthenticAMD", 23, 1, 0, "Naples"},
    {"AuthenticAMD", 23, 49, 0, "Rome"},           {"AuthenticAMD", 25, 1, 0, "Milan"},
    {"AuthenticAMD", 25, 17, 0, "Genoa"},          {"AuthenticAMD", 25, 160, 0, "Bergamo"},
    {"AuthenticAMD", 26, 2, 0, "Turin"},           {"AuthenticAMD", 26, 17, 0, "Turin Dense"},
};

/* Returns the text after the key, or "" if the key is missing. */
static const char *value_of(const char *text, const char *key)
{
    const char *found = strstr(text, key);
    return found == NULL ? "" : found + strlen(key);
}

void cpu_name(const char *cpuinfo, char *name, size_t size)
{
    const char *model_name = value_of(cpuinfo, "\nmodel name\t: "), *vendor = value_of(cpuinfo, "\nvendor_id\t: ");
    int length = (int)strcspn(model_name, "\n"), family = atoi(value_of(cpuinfo, "\ncpu family\t: ")),
        model = atoi(value_of(cpuinfo, "\nmodel\t\t: ")), stepping = atoi(value_of(cpuinfo, "\nstepping\t: "));
    if (length == 0)
        return;
    snprintf(name, size, "%.*s", length, model_name);
    if (family == 0 || strcspn(model_name, "0123456789") < strcspn(model_name, "@\n"))
        return;
    size_t end = strlen(name);
    for (size_t i = 0; i < sizeof microarchitectures / sizeof *microarchitectures; i++)
        if (strncmp(vendor, microarchitectures[i].vendor, strlen(microarchitectures[i].vendor)) == 0 &&
            family == microarchitectures[i].family && model == microarchitectures[i].model &&
            stepping >= microarchitectures[i].stepping) {
            snprintf(name + end, size - end, " (%s)", microarchitectures[i].name);
            return;
        }
    snprintf(name + end, size - end, " (family %d model %d stepping %d)", family, model, stepping);
}

/* Finds the first processor's name, or else the kind of machine. The folder of the records has this name, so it must
 * be found even if memory is short. So the file is read without a stream, which would allocate. */
static int cpu_model(char *name, size_t size, struct error *error)
{
    static const char path[] = "/proc/cpuinfo";
    char text[CPUINFO_BYTES + 1];
    struct utsname machine;
    uname(&machine);
    snprintf(name, size, "%s", machine.machine);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || errno == EACCES ? STATUS_OK : error_errno(error, "%s: cannot open", path);
    ssize_t length = read(file, text, CPUINFO_BYTES);
    text[length > 0 ? length : 0] = '\0';
    cpu_name(text, name, size);
    close(file);
    return STATUS_OK;
}

struct cpu_clock {
    double at[NUM_MARKS];
    char *sweep; /* sweep_bytes; NULL before cpu_cool() */
    size_t sweep_bytes;
};

static int cpu_use(UNUSED struct device *device, UNUSED struct error *error)
{
    return STATUS_OK;
}

static void cpu_mark(struct device *device, enum mark mark)
{
    struct cpu_clock *clock = device->clock;
    if (mark == MARK_BEGIN)
        clock->at[MARK_KERNEL_BEGIN] = clock->at[MARK_KERNEL_END] = -1;
    clock->at[mark] = now_ms();
}

static int cpu_elapsed(struct device *device, double *time_ms, double *kernel_ms, UNUSED struct error *error)
{
    const struct cpu_clock *clock = device->clock;
    *time_ms = clock->at[MARK_END] - clock->at[MARK_BEGIN];
    bool marked = clock->at[MARK_KERNEL_END] >= 0;
    *kernel_ms = marked ? clock->at[MARK_KERNEL_END] - clock->at[MARK_KERNEL_BEGIN] : *time_ms;
    device->reset_ms = marked ? clock->at[MARK_KERNEL_BEGIN] - clock->at[MARK_BEGIN] : 0;
    return STATUS_OK;
}

static int cpu_cool(struct device *device, struct error *error)
{
    struct cpu_clock *clock = device->clock;
    if (clock->sweep == NULL) {
        clock->sweep_bytes = 2 * cores_cache_bytes("");
        if (clock->sweep_bytes == 0)
            return error_set(error, STATUS_INPUT,
                             "--cold: the kernel does not report the size of the CPU's caches; leave out --cold");
        allocate(&clock->sweep, clock->sweep_bytes, 1, "emptying the caches", error);
    }
    if (error->status != STATUS_OK)
        return error->status;
#pragma omp parallel for schedule(static)
    for (size_t at = 0; at < clock->sweep_bytes; at += PIECE_BYTES)
        memset(clock->sweep + at, 0, clock->sweep_bytes - at < PIECE_BYTES ? clock->sweep_bytes - at : PIECE_BYTES);
    return STATUS_OK;
}

static void cpu_close(struct device *device)
{
    struct cpu_clock *clock = device->clock;
    if (clock != NULL)
        free(clock->sweep);
    free(clock);
    *device = (struct device){0};
}

static int cpu_open(struct device *device, int number, struct error *error)
{
    *device = (struct device){.kind = DEVICE_CPU,
                              .number = number,
                              .use = cpu_use,
                              .mark = cpu_mark,
                              .elapsed = cpu_elapsed,
                              .cool = cpu_cool,
                              .close = cpu_close};
    if (cpu_model(device->name, sizeof device->name, error) != STATUS_OK)
        return error->status;
    device_slug("cpu-", device->name, device->slug, sizeof device->slug);
    machine_hash("", device->machine, sizeof device->machine);
    return allocate_zeroed(&device->clock, 1, sizeof(struct cpu_clock), "the clock", error);
}

static int cpu_count(void)
{
    return 1;
}

/* ---- the kinds of devices ---- */

const struct device_driver cpu_driver = {.open = cpu_open, .count = cpu_count};

#ifndef GTRAV_CUDA
const struct device_driver gpu_driver = {.missing = "CUDA; install the CUDA Toolkit (nvcc) and run make"};
#endif

#ifndef GTRAV_EMULATOR
const struct device_driver emulator_driver = {
    .missing = "the GPU emulator, as wheels are; run make in a checkout, after installing Boost.Context (Debian's "
               "libboost-context-dev)"};
#endif

#ifndef GTRAV_WEBGPU
const struct device_driver webgpu_driver = {.missing = "WebGPU; run scripts/setup.sh webgpu and then make"};
#endif

static const struct device_driver *const drivers[NUM_DEVICES] = {[DEVICE_CPU] = &cpu_driver,
                                                                 [DEVICE_GPU] = &gpu_driver,
                                                                 [DEVICE_EMULATOR] = &emulator_driver,
                                                                 [DEVICE_WEBGPU] = &webgpu_driver};

static bool is_missing(enum device_kind kind, struct error *error)
{
    const char *missing = drivers[kind]->missing;
    if (missing != NULL)
        error_set(error, STATUS_DEVICE, "this gtrav was built without %s", missing);
    return missing != NULL;
}

int device_open(enum device_kind kind, struct device *device, int number, struct error *error)
{
    *device = (struct device){0};
    return is_missing(kind, error) ? error->status : drivers[kind]->open(device, number, error);
}

int device_count(enum device_kind kind)
{
    return drivers[kind]->missing != NULL ? 0 : drivers[kind]->count();
}

int device_find(enum device_kind kind, const char *name, int *number, struct error *error)
{
    return is_missing(kind, error) ? error->status : drivers[kind]->find(name, number, error);
}

int device_describe(enum device_kind kind, int number, char *text, size_t size, struct error *error)
{
    return is_missing(kind, error) ? error->status : drivers[kind]->describe(number, text, size, error);
}
