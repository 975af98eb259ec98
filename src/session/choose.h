/* choose.h: which algorithms run, on which devices, with which options: the one rule for the program and the library.
 */
#pragma once

#include "../families.h"
#include "../run/machine.h"

/* A family that can answer a call, and what it needs of an algorithm for that. */
struct answer {
    const char *family;
    unsigned outputs; /* enum output, or'ed: all of them, and FOR_LIMITS if the algorithm must be `limited` */
    unsigned any;     /* at least one of these outputs; 0: none is needed */
};
#define FOR_LIMITS  (1u << 31)
#define MAX_ANSWERS 4

/* What the user wants. */
struct wishes {
    struct answer answers[MAX_ANSWERS]; /* the preferred one first; ends with a NULL family */
    const char *const *variants;        /* num_variants: "gap", "bfs:gap,serial", ALL_VARIANTS; none: the default */
    int num_variants;
    const char *const *settings; /* num_settings: "alpha=14" */
    int num_settings;
    enum device_choice device;
    bool prefers_cpu;   /* the default runs on the CPU, unless the device is named */
    bool may_leave_gpu; /* the default runs on the CPU if no algorithm of the device can answer */
};
#define ALL_VARIANTS "all" /* all variants of the first family that can run here */

struct choice {
    const struct algorithm *algorithm;
    const char *instead_of; /* the named variant, if it leaves a search with limits to the algorithm; else NULL */
    enum device_kind on;    /* a GPU algorithm runs on the GPU or on the emulator */
    double options[MAX_OPTIONS];
    const char *order; /* the order of the graph for which the algorithm asks (specs.h); NULL: any */
};

struct choices {
    struct choice *items; /* count, without duplicates; owned */
    int count;
    bool all;      /* ALL_VARIANTS was named */
    uint64_t seed; /* seed of the emulator's schedule */
};

/* Makes at least one choice that can run here, and opens no device beside those that have to be known for that.
 * STATUS_INPUT if a name or an option is wrong or an algorithm does not give what is needed; STATUS_DEVICE if none of
 * the algorithms can run. choices_release() follows in every case. */
int choose(const struct wishes *wishes, struct machine *machine, struct choices *choices, struct error *error);
void choices_release(struct choices *choices);

/* Replaces the chosen algorithm by one on the CPU, if it leaves so few pairs to the CPU. Returns the status. */
int hand_over_pairs(struct choice *choice, uint64_t num_pairs, struct error *error);
/* Writes before the note of a run that another algorithm than the asked one runs, if it is another. */
void note_handover(const struct algorithm *asked, const struct algorithm *runs, char note[NOTE_BYTES]);

/* Finds a variant of a family. STATUS_INPUT, with a suggestion, if there is none of that name. */
int find_variant(const struct family *family, const char *variant, const struct algorithm **algorithm,
                 struct error *error);

/* The variant that answers by default: the family's, or, if that does not suit or cannot run here, the first that
 * does and can. NULL: there is none. */
const struct algorithm *default_algorithm(const struct answer *answer, enum device_choice device,
                                          struct machine *machine);

/* The kind of device that a choice names; of auto the GPU. */
enum device_kind device_of_choice(enum device_choice device);

/* Whether the named device may run the algorithm; and whether the device is also there. The emulator, and WebGPU on a
 * CPU, run an algorithm only if the user has named them or the variant. */
bool is_allowed(const struct algorithm *algorithm, enum device_choice device);
bool can_run(const struct algorithm *algorithm, enum device_choice device, struct machine *machine);
