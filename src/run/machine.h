/* machine.h: the devices of this machine. */
#pragma once

#include "../algorithm.h"

/* The devices, each opened when first needed. Zeroed before the first use; machine_close() closes them. */
struct machine {
    struct device devices[NUM_DEVICES]; /* by enum device_kind */
    bool open[NUM_DEVICES];
    struct error errors[NUM_DEVICES]; /* why a device could not be opened */
    struct device *team;              /* an array of team_size: the devices of --gpus, all of one kind; NULL: none */
    int team_size;
    int number;          /* number of the GPU to open; each rank of a machine takes the next one */
    const char *adapter; /* WebGPU adapter's number or part of its name; NULL: the first. All ranks take the same */
};
void machine_close(struct machine *machine);
/* Opens a device, if it is not open yet. NULL: it cannot be opened; errors[kind] has the reason. */
struct device *machine_device(struct machine *machine, enum device_kind kind);

/* Opens the devices of a kind that --gpus names: "2", "all", "0,2". machine_close() closes them. */
int machine_open_team(struct machine *machine, enum device_kind kind, const char *gpus, struct error *error);
