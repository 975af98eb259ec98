/* choose.h: chooses algorithms, devices and options, by the same rules for the program and the library. */
#pragma once

#include "../families.h"
#include "../run/machine.h"

/* A family that can answer a call, and the outputs that its algorithm must compute for that. */
struct answer {
    const char *family;
    unsigned outputs; /* needed outputs, enum output or'ed, and FOR_LIMITS and FOR_PARTS */
    unsigned any;     /* outputs of which at least one is needed; 0: none is */
};
#define FOR_LIMITS  (1u << 31) /* the algorithm must be `limited` */
#define FOR_PARTS   (1u << 30) /* the algorithm must be one that `splits` */
#define MAX_ANSWERS 4

/* What the user wants. */
struct wishes {
    struct answer answers[MAX_ANSWERS]; /* in order of preference; ends with a NULL family */
    const char *const *variants;        /* num_variants: "gap", "bfs:gap,serial", ALL_VARIANTS; if 0, the default */
    int num_variants;
    const char *const *settings; /* num_settings: "alpha=14" */
    int num_settings;
    enum device_choice device;
    bool prefers_cpu;   /* by default the CPU runs the search, unless the user names a device */
    bool may_leave_gpu; /* by default the CPU runs the search if no algorithm of the device can answer */
};
#define ALL_VARIANTS "all" /* all variants of the first family that can run here, of FOR_PARTS those that split */

struct choice {
    const struct algorithm *algorithm;
    const char *instead_of; /* the named variant, if it lacks limits or parts and is replaced; else NULL */
    enum device_kind on;    /* kind of device on which it runs: GPU or emulator for a GPU algorithm */
    double options[MAX_OPTIONS];
    const char *order; /* the vertex order that the algorithm wants (reorder.h); NULL: any */
};

struct choices {
    struct choice *items; /* count, without duplicates; owned */
    int count;
    bool all;      /* ALL_VARIANTS was named */
    uint64_t seed; /* seed of the emulator's schedule */
};

/* Makes at least one choice that can run here. Opens only the devices that it needs to decide this. STATUS_INPUT if a
 * name or an option is wrong, or if an algorithm lacks a needed output; STATUS_DEVICE if none of the algorithms can
 * run. The caller calls choices_release() in every case. */
int choose(const struct wishes *wishes, struct machine *machine, struct choices *choices, struct error *error);
void choices_release(struct choices *choices);

/* Replaces the chosen algorithm by one on the CPU if that answers this number of pairs faster. Returns a status. */
int hand_over_pairs(struct choice *choice, uint64_t num_pairs, struct error *error);
/* If another algorithm runs than the one asked for, inserts a remark about it at the beginning of the run's note. */
void note_handover(const struct algorithm *asked, const struct algorithm *runs, char note[NOTE_BYTES]);

/* Finds a variant of a family. STATUS_INPUT, with a suggestion, if there is no such variant. */
int find_variant(const struct family *family, const char *variant, const struct algorithm **algorithm,
                 struct error *error);

/* Returns the variant that answers by default: the family's default, or if that lacks an output or cannot run here,
 * the first variant without this problem. NULL: there is none. */
const struct algorithm *default_algorithm(const struct answer *answer, enum device_choice device,
                                          struct machine *machine);

/* Returns the kind of device that a choice names; for auto, the GPU. */
enum device_kind device_of_choice(enum device_choice device);

/* Returns whether the named device may run the algorithm and exists here; machine NULL: whether it may run it. The
 * emulator, and WebGPU on a CPU, run an algorithm only if the user has named them or the variant. */
bool can_run(const struct algorithm *algorithm, enum device_choice device, struct machine *machine);
