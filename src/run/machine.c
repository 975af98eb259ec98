#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../processes/ranks.h"
#include "../suggest.h"

#define MAX_NAMES 64 /* that a message offers */

/* ---- the devices ---- */

static int (*const openers[])(struct device *, int, struct error *) = {
    [DEVICE_CPU] = device_open_cpu,
    [DEVICE_GPU] = device_open_gpu,
    [DEVICE_EMULATOR] = device_open_emulator,
    [DEVICE_WEBGPU] = device_open_webgpu,
};

static int count_devices(enum device_kind kind)
{
    return kind == DEVICE_CPU        ? 1
           : kind == DEVICE_GPU      ? device_count_gpu()
           : kind == DEVICE_EMULATOR ? device_count_emulator()
                                     : device_count_webgpu();
}

/* The number of the device to open. */
static int choose_number(const struct machine *machine, enum device_kind kind, struct error *error)
{
    int number = 0;
    if (kind == DEVICE_WEBGPU) {
        if (machine->adapter != NULL)
            device_find_webgpu(machine->adapter, &number, error);
        return number;
    }
    int count = count_devices(kind);
    return count > 0 ? (machine->number + ranks()->host_rank) % count : 0;
}

struct device *machine_device(struct machine *machine, enum device_kind kind)
{
    struct error *error = &machine->errors[kind];
    if (!machine->open[kind] && error->status == STATUS_OK) {
        int number = choose_number(machine, kind, error);
        machine->open[kind] =
            error->status == STATUS_OK && openers[kind](&machine->devices[kind], number, error) == STATUS_OK;
    }
    return machine->open[kind] ? &machine->devices[kind] : NULL;
}

void machine_close(struct machine *machine)
{
    for (int kind = 0; kind < NUM_DEVICES; kind++)
        if (machine->open[kind])
            machine->devices[kind].close(&machine->devices[kind]);
    for (int i = 0; i < machine->team_size; i++)
        machine->team[i].close(&machine->team[i]);
    free(machine->team);
    *machine = (struct machine){0};
}

/* Reads a whole number from 0 to most and moves past it; -1 if there is none. */
static int read_small(const char **text, int most)
{
    int value = 0;
    if (**text < '0' || **text > '9')
        return -1;
    for (; **text >= '0' && **text <= '9'; (*text)++)
        value = 10 * value + (**text - '0') <= most ? 10 * value + (**text - '0') : most + 1;
    return value <= most ? value : -1;
}

static int add_to_team(struct machine *machine, enum device_kind kind, int number, struct error *error)
{
    for (int i = 0; i < machine->team_size; i++)
        if (machine->team[i].number == number)
            return error_set(error, STATUS_INPUT, "--gpus: %d is named twice", number);
    struct device *device = &machine->team[machine->team_size];
    if (openers[kind](device, number, error) != STATUS_OK)
        return error->status;
    device->seed = machine->devices[kind].seed;
    machine->team_size++;
    return STATUS_OK;
}

int machine_open_team(struct machine *machine, enum device_kind kind, const char *gpus, struct error *error)
{
    int count = count_devices(kind), wanted = count;
    const char *rest = gpus;
    if (allocate(&machine->team, (size_t)count, sizeof *machine->team, "the GPUs", error) != STATUS_OK)
        return error->status;
    if (strchr(gpus, ',') == NULL) {
        if (strcmp(gpus, "all") != 0 && ((wanted = read_small(&rest, count)) < 1 || *rest != '\0'))
            return error_set(error, STATUS_INPUT,
                             "--gpus %s: give a number from 1 to %d, all, or a list such as 0,%d", gpus, count,
                             count > 1 ? count - 1 : 0);
        for (int i = 0; i < wanted && error->status == STATUS_OK; i++)
            add_to_team(machine, kind, i, error);
        return error->status;
    }
    for (bool more = true; more && error->status == STATUS_OK; rest++) {
        int number = read_small(&rest, count - 1);
        more = *rest == ',' && rest[1] != '\0';
        if (number < 0 || (*rest != '\0' && *rest != ','))
            return error_set(error, STATUS_INPUT, "--gpus %s: GPUs are numbered from 0 to %d here", gpus, count - 1);
        add_to_team(machine, kind, number, error);
    }
    return error->status;
}

/* ---- which algorithms ---- */

/* What --device names, by enum device_choice. */
static const struct {
    enum device_kind own; /* of the algorithms that may run */
    enum device_kind on;  /* where they run */
    const char *where;
} device_of_choice[] = {
    [CHOICE_AUTO] = {DEVICE_GPU, DEVICE_GPU, "here"},
    [CHOICE_GPU] = {DEVICE_GPU, DEVICE_GPU, "on the GPU"},
    [CHOICE_CPU] = {DEVICE_CPU, DEVICE_CPU, "on the CPU"},
    [CHOICE_EMULATOR] = {DEVICE_GPU, DEVICE_EMULATOR, "on the emulator"},
    [CHOICE_WEBGPU] = {DEVICE_WEBGPU, DEVICE_WEBGPU, "on WebGPU"},
};

bool is_allowed(const struct algorithm *algorithm, int choice)
{
    return choice == CHOICE_AUTO || algorithm->device == device_of_choice[choice].own;
}

bool can_run(const struct algorithm *algorithm, int choice, struct machine *machine)
{
    enum device_kind kind = choice == CHOICE_AUTO ? algorithm->device : device_of_choice[choice].on;
    const struct device *device = is_allowed(algorithm, choice) ? machine_device(machine, kind) : NULL;
    return device != NULL && (choice == CHOICE_WEBGPU || !device->is_software);
}

/* NULL: there is none. */
static const struct algorithm *find_algorithm(const struct family *family, const char *variant)
{
    for (int i = 0; i < num_algorithms; i++)
        if (is_variant_of(algorithms[i], family) && strcmp(algorithms[i]->variant, variant) == 0)
            return algorithms[i];
    return NULL;
}

static int names_of(const struct family *family, const char *names[MAX_NAMES])
{
    int count = 0;
    for (int i = 0; i < num_algorithms && count < MAX_NAMES; i++)
        if (is_variant_of(algorithms[i], family))
            names[count++] = algorithms[i]->variant;
    return count;
}

int find_variant(const struct family *family, const char *variant, const struct algorithm **algorithm,
                 struct error *error)
{
    const char *names[MAX_NAMES];
    char what[64];
    snprintf(what, sizeof what, "%s variant", family->name);
    *algorithm = find_algorithm(family, variant);
    return *algorithm != NULL ? STATUS_OK : error_unknown(what, variant, names, names_of(family, names), error);
}

const struct algorithm *default_algorithm(const struct family *family, int choice, unsigned outputs,
                                          struct machine *machine)
{
    const struct algorithm *best =
        family->default_variant != NULL ? find_algorithm(family, family->default_variant) : NULL;
    if (best != NULL && gives(best, outputs) && can_run(best, choice, machine))
        return best;
    for (int i = 0; i < num_algorithms; i++)
        if (is_variant_of(algorithms[i], family) && gives(algorithms[i], outputs) &&
            can_run(algorithms[i], choice, machine))
            return algorithms[i];
    return NULL;
}

/* A build without CUDA does not know the names of the GPU variants, so the message says that it is such a build. */
static int unknown_variant(const struct family *family, const char *variant, int choice, struct machine *machine,
                           const struct error *unknown, struct error *error)
{
    bool of_webgpu = strstr(variant, "webgpu") != NULL;
    enum device_kind own = of_webgpu ? DEVICE_WEBGPU : DEVICE_GPU;
    enum device_kind kind = choice == CHOICE_EMULATOR && !of_webgpu ? DEVICE_EMULATOR : own;
    const char *names[MAX_NAMES];
    bool knows_gpu = false;
    for (int i = 0; i < num_algorithms; i++)
        knows_gpu = knows_gpu || algorithms[i]->device == own;
    if (knows_gpu || suggest(variant, names, names_of(family, names)) != NULL ||
        machine_device(machine, kind) != NULL)
        return error_set(error, unknown->status, "%s", unknown->text);
    return error_set(error, unknown->status, "%.600s; %.400s", unknown->text, machine->errors[kind].text);
}

int named_algorithm(const struct family *family, const char *variant, int choice, unsigned outputs,
                    struct machine *machine, const struct algorithm **algorithm, struct error *error)
{
    struct error unknown = {0};
    bool chooses = family->default_variant != NULL && strcmp(variant, family->default_variant) == 0;
    if (chooses && outputs & FOR_LIMITS && (*algorithm = default_algorithm(family, choice, outputs, machine)) != NULL)
        return STATUS_OK;
    if (find_variant(family, variant, algorithm, &unknown) != STATUS_OK)
        return unknown_variant(family, variant, choice, machine, &unknown, error);
    if (!is_allowed(*algorithm, choice))
        return error_set(error, STATUS_INPUT, "%s %s runs on the %s and not %s; choose another device or variant",
                         (*algorithm)->family, variant, device_titles[(*algorithm)->device],
                         device_of_choice[choice].where);
    return STATUS_OK;
}

int nothing_runs(const struct family *family, int choice, struct machine *machine, struct error *error)
{
    enum device_kind kind = device_of_choice[choice].on;
    if (machine_device(machine, kind) == NULL) {
        error_set(error, machine->errors[kind].status, "%.500s", machine->errors[kind].text);
        size_t length = strlen(error->text);
        if (choice == CHOICE_GPU && default_algorithm(family, CHOICE_WEBGPU, 0, machine) != NULL)
            snprintf(error->text + length, sizeof error->text - length, "; --device webgpu runs on %s",
                     machine->devices[DEVICE_WEBGPU].name);
        else if (kind == DEVICE_GPU && default_algorithm(family, CHOICE_EMULATOR, 0, machine) != NULL)
            snprintf(error->text + length, sizeof error->text - length,
                     "; --device cpu-emulator runs %s without a GPU, slowly", family->name);
        return error->status;
    }
    return error_set(error, STATUS_INPUT, "no variant of %s runs %s; gtrav --list shows where each one runs",
                     family->name, device_of_choice[choice].where);
}

enum device_kind place_algorithm(const struct algorithm **algorithm, int choice, struct machine *machine)
{
    const struct algorithm *twin = emulated_algorithm(*algorithm);
    if ((*algorithm)->device != DEVICE_GPU || choice == CHOICE_GPU || twin == NULL)
        return (*algorithm)->device;
    if (choice != CHOICE_EMULATOR && machine_device(machine, DEVICE_GPU) != NULL)
        return DEVICE_GPU;
    *algorithm = twin;
    return DEVICE_EMULATOR;
}
