#include "machine.h"

#include "../processes/ranks.h"

/* ---- the devices ---- */

/* Returns the number of the device to open. */
static int choose_number(const struct machine *machine, enum device_kind kind, struct error *error)
{
    int number = 0;
    if (kind == DEVICE_WEBGPU) {
        if (machine->adapter != NULL)
            device_find(kind, machine->adapter, &number, error);
        return number;
    }
    int count = device_count(kind);
    return count > 0 ? (machine->number + ranks()->host_rank) % count : 0;
}

struct device *machine_device(struct machine *machine, enum device_kind kind)
{
    struct error *error = &machine->errors[kind];
    pthread_mutex_lock(&machine->opening);
    if (!machine->open[kind] && error->status == STATUS_OK) {
        int number = choose_number(machine, kind, error);
        machine->open[kind] =
            error->status == STATUS_OK && device_open(kind, &machine->devices[kind], number, error) == STATUS_OK;
    }
    pthread_mutex_unlock(&machine->opening);
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
    if (device_open(kind, device, number, error) != STATUS_OK)
        return error->status;
    device->seed = machine->devices[kind].seed;
    machine->team_size++;
    return STATUS_OK;
}

int machine_open_team(struct machine *machine, enum device_kind kind, const char *gpus, struct error *error)
{
    int count = device_count(kind), wanted = count;
    const char *rest = gpus;
    if (allocate(&machine->team, (size_t)count, sizeof *machine->team, "the GPUs", error) != STATUS_OK)
        return error->status;
    if (strchr(gpus, ',') == NULL) {
        if (strcmp(gpus, "all") != 0 && ((wanted = read_small(&rest, count)) < 1 || *rest != '\0'))
            return error_set(error, STATUS_INPUT, "--gpus %s: give a number from 1 to %d, all, or a list such as 0,%d",
                             gpus, count, count > 1 ? count - 1 : 0);
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
