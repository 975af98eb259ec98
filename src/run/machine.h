/* machine.h: the devices of this machine, and which algorithm runs on which. */
#pragma once

#include "../families.h"

/* The devices, each opened when first needed. Zeroed before the first use; machine_close() closes them. */
struct machine {
    struct device devices[NUM_DEVICES]; /* by enum device_kind */
    bool open[NUM_DEVICES];
    struct error errors[NUM_DEVICES]; /* why a device could not be opened */
    struct device *team;              /* an array of team_size: the devices of --gpus, all of one kind; NULL: none */
    int team_size;
    int number;          /* of the GPU to open; each rank of a machine takes the next one */
    const char *adapter; /* of WebGPU, its number or part of its name; NULL: the first. All ranks take the same */
};
void machine_close(struct machine *machine);
/* Opens a device, if it is not open yet. NULL: it cannot be opened; errors[kind] has the reason. */
struct device *machine_device(struct machine *machine, enum device_kind kind);

/* Opens the devices of a kind that --gpus names: "2", "all", "0,2". machine_close() closes them. */
int machine_open_team(struct machine *machine, enum device_kind kind, const char *gpus, struct error *error);

/* Finds a variant of a family. STATUS_INPUT, with a suggestion, if there is none of that name. */
int find_variant(const struct family *family, const char *variant, const struct algorithm **algorithm,
                 struct error *error);

/* Whether a device choice allows the algorithm; and whether its own device is available, too. The emulator, and
 * WebGPU on a CPU, are used only if the user asked for them or named the variant. choice: enum device_choice. */
bool is_allowed(const struct algorithm *algorithm, int choice);
bool can_run(const struct algorithm *algorithm, int choice, struct machine *machine);

/* The variant that --algo FAMILY runs without --variant: the family's default, or, if that cannot run here, the
 * first that can. outputs: enum output, or'ed, that it must be able to give, and FOR_LIMITS if it must be `limited`;
 * 0: any. NULL: none can. */
#define FOR_LIMITS (1u << 31)
static inline bool gives(const struct algorithm *algorithm, unsigned outputs)
{
    return (outputs & ~all_outputs(algorithm) & ~(algorithm->limited ? FOR_LIMITS : 0u)) == 0;
}
const struct algorithm *default_algorithm(const struct family *family, int choice, unsigned outputs,
                                          struct machine *machine);

/* Finds the variant of a family that the user named. STATUS_INPUT: there is none, or it runs elsewhere. The family's
 * default, which chooses among others, leaves a search with limits, FOR_LIMITS in outputs, to one that takes them. */
int named_algorithm(const struct family *family, const char *variant, int choice, unsigned outputs,
                    struct machine *machine, const struct algorithm **algorithm, struct error *error);

/* No variant of the family is allowed, or none of those that are can run: says why. */
int nothing_runs(const struct family *family, int choice, struct machine *machine, struct error *error);

/* Where an algorithm runs: a GPU algorithm on the GPU, or, if there is none and the choice allows it, on the
 * emulator. *algorithm then becomes its version for it. */
enum device_kind place_algorithm(const struct algorithm **algorithm, int choice, struct machine *machine);
