#include "memory.h"

#include <limits.h>

#include "../algorithm_options.h"
#include "../graph/sources.h"
#include "outputs.h"

/* Lets prepare() count its memory on the run's devices, the first of which is in use, and sets *bytes to the highest
 * peak of a device. If that is not all, since other sizes depend on what kernels find in the graph, sets is_unknown in
 * the first device's memory. Returns a status and fills the error if prepare() will fail for another reason. */
static int count(const struct algorithm *algorithm, const struct run *run, uint64_t *bytes, struct error *error)
{
    struct device_memory *memory = run->device->memory;
    const uint64_t peak_before = memory->peak_bytes;
    struct error of_trial = {0};
    struct run trial = *run;
    trial.error = &of_trial;
    for (int i = 0; i == 0 || i < run->team_size; i++)
        run->device[i].memory->peak_bytes = run->device[i].memory->bytes;
    memory->is_unknown = false;
    counting_memory = memory;
    if (run_begin(algorithm, &trial) == STATUS_OK)
        algorithm->prepare(&trial);
    if (memory->peak_bytes < memory->bytes + run->device_bytes)
        memory->peak_bytes = memory->bytes + run->device_bytes;
    run_release(algorithm, &trial);
    counting_memory = NULL;
    *bytes = 0;
    for (int i = 0; i == 0 || i < run->team_size; i++) {
        struct device_memory *of_device = run->device[i].memory;
        uint64_t needed = of_device->peak_bytes - of_device->bytes;
        *bytes = needed > *bytes ? needed : *bytes;
        of_device->peak_bytes = of_device->bytes;
    }
    memory->peak_bytes = peak_before;
    if (!memory->is_unknown && of_trial.status != STATUS_OK)
        *error = of_trial;
    return error->status;
}

/* Returns the value of the run's option with this name; NULL: the algorithm does not have it. */
static double *option_of(const struct algorithm *algorithm, struct run *run, const char *name)
{
    int i = options_find(algorithm, name, strlen(name));
    return i >= 0 ? &run->options[i] : NULL;
}

/* Sets those options to their least that let the algorithm prepare more than it must. False: the user wants more. */
static bool unprepare(const struct algorithm *algorithm, struct run *run)
{
    static const struct {
        const char *name;
        int least;
    } options[] = {{"compress", COMPRESS_NO}, {"prepare", 0}, {"index-mb", 0}};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        double *option = option_of(algorithm, run, options[i].name);
        if (option != NULL && options[i].least == COMPRESS_NO && *option == COMPRESS_YES)
            return false;
        if (option != NULL)
            *option = options[i].least;
    }
    return true;
}

/* Lets the algorithm compress the lists that it prepares, and sets *bytes to what it then needs. False: it cannot, or
 * the user has chosen already; then nothing changes. */
static bool compress(const struct algorithm *algorithm, struct run *run, uint64_t *bytes)
{
    struct error error = {0};
    double *option = option_of(algorithm, run, "compress"), *prepares = option_of(algorithm, run, "prepare");
    if (option == NULL || *option != COMPRESS_AUTO || (prepares != NULL && *prepares == 0))
        return false;
    *option = COMPRESS_YES;
    if (count(algorithm, run, bytes, &error) == STATUS_OK)
        return true;
    *option = COMPRESS_AUTO;
    return false;
}

/* Keeps in host memory what must be there so that the rest, *needed bytes, fits, if the algorithm's options may. */
static bool keep_in_host(const struct algorithm *algorithm, struct run *run, uint64_t left, uint64_t *needed)
{
    double *kept = option_of(algorithm, run, "host-memory");
    if (kept == NULL || *kept != HOST_AUTO)
        return false;
    while (*kept < HOST_RESULTS) {
        struct error error = {0};
        *kept = *kept < HOST_LISTS ? HOST_LISTS : *kept + 1;
        if (count(algorithm, run, needed, &error) != STATUS_OK)
            break;
        if (*needed <= left) {
            run->spare_bytes = left - *needed;
            return true;
        }
    }
    *kept = HOST_AUTO;
    return false;
}

/* Returns the bytes that are left on that device of the run which has least; UINT64_MAX if devices cannot count. */
static uint64_t least_left(const struct run *run, struct error *error)
{
    uint64_t least = UINT64_MAX;
    for (int i = run->team_size > 0 ? run->team_size - 1 : 0; i >= 0 && run->device->memory_left != NULL; i--) {
        run->device[i].use(&run->device[i], error);
        uint64_t left = run->device[i].memory_left(error);
        least = left < least ? left : least;
    }
    return least;
}

int memory_estimate(const struct algorithm *algorithm, const struct graph *graph, struct device *device, int team_size,
                    gtrav_memory *memory, struct error *error)
{
    bool sums_sources = family_of(algorithm->family)->sums_sources; /* such a family takes all of them by default */
    struct run run = {.graph = graph,
                      .device = device,
                      .team_size = algorithm->splits ? team_size : 0,
                      .outputs = algorithm->outputs,
                      .num_sources =
                          sums_sources && graph->num_vertices < INT_MAX ? (int)graph->num_vertices : DEFAULT_SOURCES};
    uint64_t arrays = (graph->num_vertices + UINT64_C(1)) * sizeof(edge_t) + graph->num_edges * sizeof(vertex_t) +
                      outputs_bytes(graph, run.outputs);
    char setting[64];
    if (algorithm->device != DEVICE_GPU || device->memory_left == NULL)
        return error_set(error, STATUS_INPUT, "%s %s: memory is told for algorithms of GPUs only", algorithm->family,
                         algorithm->variant);
    algorithm = device->kind == DEVICE_EMULATOR ? emulated_algorithm(algorithm) : algorithm;
    bool stays = options_of_named_device(algorithm, setting);
    *memory = (gtrav_memory){.size = sizeof *memory, .host_bytes = arrays};
    if (algorithm->reorder != NULL)
        memory->host_bytes += arrays + 2 * sizeof(vertex_t) * (uint64_t)graph->num_vertices;
    if (options_parse(algorithm, &(const char *){setting}, stays, run.options, error) != STATUS_OK ||
        device->use(device, error) != STATUS_OK || count(algorithm, &run, &memory->prepared_bytes, error) != STATUS_OK)
        return error->status;
    memory->prepared_known = !device->memory->is_unknown;
    struct run compressed = run;
    if (compress(algorithm, &compressed, &memory->compressed_bytes))
        memory->compressed_known = !device->memory->is_unknown;
    unprepare(algorithm, &run);
    count(algorithm, &run, &memory->unprepared_bytes, error);
    memory->unprepared_known = !device->memory->is_unknown;
    memory->device_free = least_left(&run, error);
    return error->status;
}

int memory_fit(const struct algorithm *algorithm, struct run *run, uint64_t held, char note[NOTE_BYTES],
               struct error *error)
{
    uint64_t wanted, bytes, least, left = least_left(run, error);
    char name[64], texts[2][32];
    note[0] = '\0';
    left += left != UINT64_MAX ? held : 0;
    if (left == UINT64_MAX || count(algorithm, run, &wanted, error) != STATUS_OK || wanted <= left)
        return error->status;
    const struct run asked = *run;
    const char *way = "compressed: otherwise it";
    run->memory_step = MEMORY_COMPRESSED;
    bytes = least = wanted;
    if (!compress(algorithm, run, &bytes) || bytes > left) {
        *run = asked;
        run->memory_step = MEMORY_UNPREPARED;
        way = "unprepared: preparing";
        if (!unprepare(algorithm, run) || (count(algorithm, run, &least, error) == STATUS_OK && least > left)) {
            *run = asked;
            run->memory_step = MEMORY_IN_HOST;
            way = "lists in host memory: otherwise it";
            snprintf(name, sizeof name, "%s %s", algorithm->family, algorithm->variant);
            if (!keep_in_host(algorithm, run, left, &bytes))
                memory_refuse(least < bytes ? least : bytes, name, left, error);
        }
    }
    memory_print(wanted, left, texts);
    snprintf(note, NOTE_BYTES, "%s needs %s, %s free; ", way, texts[0], texts[1]);
    return error->status;
}
