/* machine.h: the devices of this machine. */
#pragma once

#include <pthread.h>

#include "../algorithm.h"

/* The devices, each opened when first needed. The caller zeroes the struct at first; machine_close() closes them. */
struct machine {
    pthread_mutex_t opening;            /* guards the next three members; all are final once a device was asked for */
    struct device devices[NUM_DEVICES]; /* by enum device_kind */
    bool open[NUM_DEVICES];
    struct error errors[NUM_DEVICES]; /* for each kind, why its device could not be opened */
    struct device *team;              /* team_size: the devices of --gpus, all of one kind; NULL: none */
    int team_size;
    int number;          /* number of the GPU to open; each further rank on a machine takes the next one */
    const char *adapter; /* the WebGPU adapter of all ranks: its number or part of its name; NULL: the first */
};
void machine_close(struct machine *machine);
/* Returns the device of a kind, and opens it if needed. NULL: errors[kind] says why not. Any thread may call it. */
struct device *machine_device(struct machine *machine, enum device_kind kind);

/* Opens the devices of a kind that --gpus names: "2", "all", "0,2". machine_close() closes them. */
int machine_open_team(struct machine *machine, enum device_kind kind, const char *gpus, struct error *error);
