/* plan.h: which algorithms run, with which options and on which device: --algo, --variant, --device and --set on this
 * machine. */
#ifndef GTRAV_PLAN_H
#define GTRAV_PLAN_H

#include "../algorithm.h"
#include "../bench/bench.h"
#include "options.h"

/* The devices of this machine, each opened when first needed. */
struct machine {
    struct device devices[NUM_DEVICES]; /* by enum device_kind */
    bool open[NUM_DEVICES];
    struct error errors[NUM_DEVICES]; /* why a device could not be opened */
    struct device *team;              /* an array of team_size: the devices of --gpus, all of one kind; NULL: none */
    int team_size;
};
void machine_close(struct machine *machine);
/* Opens a device, if it is not open yet. NULL: it cannot be opened; errors[kind] has the reason. */
struct device *machine_device(struct machine *machine, enum device_kind kind);

/* Opens the devices of a kind that --gpus names: "2", "all", "0,2". machine_close() closes them. */
int machine_open_team(struct machine *machine, enum device_kind kind, const char *gpus, struct error *error);

/* Finds a family by name. STATUS_INPUT, with a suggestion, for an unknown name. */
int find_family(const char *name, const struct family **family, struct error *error);
/* Whether --algo FAMILY --variant may name it. */
bool is_variant_of(const struct algorithm *algorithm, const struct family *family);

/* The variant that --algo FAMILY runs without --variant: the family's default, or, if that cannot run here, the
 * first that can. NULL: none can. choice: enum device_choice. */
const struct algorithm *default_algorithm(const struct family *family, int choice, struct machine *machine);

struct planned_run {
    const struct algorithm *algorithm;
    enum device_kind on; /* where it runs: a GPU algorithm on the GPU or on the emulator */
    double options[MAX_OPTIONS];
};

struct plan {
    const struct family *family;
    struct planned_run *runs; /* num_runs, owned */
    int num_runs;
};

/* Fails if names or options are wrong, or if none of the requested algorithms can run here. Call plan_release() in
 * every case. */
int plan_make(const struct settings *settings, struct machine *machine, struct plan *plan, struct error *error);
void plan_release(struct plan *plan);

#endif
