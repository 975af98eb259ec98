#include "choose.h"

#include "../algorithm_options.h"
#include "../run/outputs.h"
#include "../suggest.h"

#define VARIANT_BYTES 64 /* size of a name, with the zero at its end */
#define MAX_NAMES     64 /* the most names that a message offers */

/* ---- which algorithms can run ---- */

/* What each value of --device means, by enum device_choice. */
static const struct {
    enum device_kind own; /* the kind of device for which the allowed algorithms are written */
    enum device_kind on;  /* the kind of device on which they run */
    const char *where;
} devices[] = {
    [CHOICE_AUTO] = {DEVICE_GPU, DEVICE_GPU, "here"},
    [CHOICE_GPU] = {DEVICE_GPU, DEVICE_GPU, "on the GPU"},
    [CHOICE_CPU] = {DEVICE_CPU, DEVICE_CPU, "on the CPU"},
    [CHOICE_EMULATOR] = {DEVICE_GPU, DEVICE_EMULATOR, "on the emulator"},
    [CHOICE_WEBGPU] = {DEVICE_WEBGPU, DEVICE_WEBGPU, "on WebGPU"},
};

enum device_kind device_of_choice(enum device_choice device)
{
    return devices[device].on;
}

bool can_run(const struct algorithm *algorithm, enum device_choice device, struct machine *machine)
{
    bool is_auto = device == CHOICE_AUTO, may = is_auto || algorithm->device == devices[device].own;
    if (!may || machine == NULL)
        return may;
    const struct device *opened = machine_device(machine, is_auto ? algorithm->device : devices[device].on);
    return opened != NULL && (device == CHOICE_WEBGPU || !opened->is_software);
}

/* Returns whether the algorithm computes all outputs that the answer needs. */
static bool suits(const struct algorithm *algorithm, const struct answer *answer)
{
    unsigned given =
        all_outputs(algorithm) | (algorithm->limited ? FOR_LIMITS : 0u) | (algorithm->splits ? FOR_PARTS : 0u);
    return (answer->outputs & ~given) == 0 && (answer->any == 0 || (answer->any & given) != 0);
}

/* Finds a variant of the family. NULL: there is none. */
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

/* ---- the default ---- */

const struct algorithm *default_algorithm(const struct answer *answer, enum device_choice device,
                                          struct machine *machine)
{
    const struct family *family = family_of(answer->family);
    const struct algorithm *best =
        family->default_variant != NULL ? find_algorithm(family, family->default_variant) : NULL;
    if (best != NULL && suits(best, answer) && can_run(best, device, machine))
        return best;
    for (int i = 0; i < num_algorithms; i++)
        if (can_run(algorithms[i], device, NULL) && suits(algorithms[i], answer) &&
            is_variant_of(algorithms[i], family) && can_run(algorithms[i], device, machine))
            return algorithms[i];
    return NULL;
}

/* Sets the error: why no variant of the family can run, or that none may run on the named device. */
static int nothing_runs(const struct family *family, enum device_choice device, struct machine *machine,
                        struct error *error)
{
    enum device_kind kind = devices[device].on;
    const struct answer any = {.family = family->name};
    if (machine_device(machine, kind) != NULL)
        return error_set(error, STATUS_INPUT, "no variant of %s runs %s; gtrav --list shows where each one runs",
                         family->name, devices[device].where);
    error_set(error, machine->errors[kind].status, "%.500s", machine->errors[kind].text);
    size_t length = strlen(error->text);
    if (device == CHOICE_GPU && default_algorithm(&any, CHOICE_WEBGPU, machine) != NULL)
        snprintf(error->text + length, sizeof error->text - length, "; --device webgpu runs on %s",
                 machine->devices[DEVICE_WEBGPU].name);
    else if (kind == DEVICE_GPU && default_algorithm(&any, CHOICE_EMULATOR, machine) != NULL)
        snprintf(error->text + length, sizeof error->text - length,
                 "; --device cpu-emulator runs %s without a GPU, slowly", family->name);
    return error->status;
}

/* Returns the default algorithm of the first family that can answer; NULL: none can. machine: as in can_run(). */
static const struct algorithm *first_that_answers(const struct wishes *wishes, enum device_choice device,
                                                  struct machine *machine)
{
    const struct algorithm *found = NULL;
    for (const struct answer *answer = wishes->answers; answer->family != NULL && found == NULL; answer++)
        found = default_algorithm(answer, device, machine);
    return found;
}

static int choose_default(const struct wishes *wishes, struct machine *machine, struct choice *choice,
                          struct error *error)
{
    enum device_choice device = wishes->device;
    if ((wishes->prefers_cpu && device == CHOICE_AUTO) ||
        (wishes->may_leave_gpu && device != CHOICE_CPU && first_that_answers(wishes, device, NULL) == NULL))
        device = CHOICE_CPU;
    choice->algorithm = first_that_answers(wishes, device, machine);
    return choice->algorithm != NULL ? STATUS_OK
                                     : nothing_runs(family_of(wishes->answers[0].family), device, machine, error);
}

/* ---- named variants ---- */

/* Sets the error for an unknown variant. A build without CUDA knows no GPU variants, and its message says so. */
static int unknown_variant(const struct family *family, const char *variant, enum device_choice device,
                           struct machine *machine, struct error *error)
{
    struct error unknown = {0};
    bool of_webgpu = strstr(variant, "webgpu") != NULL;
    enum device_kind own = of_webgpu ? DEVICE_WEBGPU : DEVICE_GPU;
    enum device_kind kind = device == CHOICE_EMULATOR && !of_webgpu ? DEVICE_EMULATOR : own;
    const char *names[MAX_NAMES];
    const struct algorithm *none;
    bool knows_gpu = false;
    find_variant(family, variant, &none, &unknown);
    for (int i = 0; i < num_algorithms; i++)
        knows_gpu = knows_gpu || algorithms[i]->device == own;
    if (knows_gpu || suggest(variant, names, names_of(family, names)) != NULL || machine_device(machine, kind) != NULL)
        return error_set(error, unknown.status, "%s", unknown.text);
    return error_set(error, unknown.status, "%.600s; %.400s", unknown.text, machine->errors[kind].text);
}

/* Sets the choice to the named variant. STATUS_INPUT: the family has no such variant, or it runs on another device.
 * If the search has limits or parts and the variant is the family's default but takes none, chooses one that does. */
static int choose_variant(const struct answer *answer, const char *variant, enum device_choice device,
                          struct machine *machine, struct choice *choice, struct error *error)
{
    const struct family *family = family_of(answer->family);
    bool is_default = family->default_variant != NULL && strcmp(variant, family->default_variant) == 0;
    if (is_default && answer->outputs & (FOR_LIMITS | FOR_PARTS) &&
        (choice->algorithm = default_algorithm(answer, device, machine)) != NULL) {
        bool moved = strcmp(choice->algorithm->variant, variant) != 0;
        choice->instead_of = moved ? family->default_variant : NULL;
        return STATUS_OK;
    }
    if ((choice->algorithm = find_algorithm(family, variant)) == NULL)
        return unknown_variant(family, variant, device, machine, error);
    if (!can_run(choice->algorithm, device, NULL))
        return error_set(error, STATUS_INPUT, "%s %s runs on the %s and not %s; choose another device or variant",
                         choice->algorithm->family, variant, device_titles[choice->algorithm->device],
                         devices[device].where);
    return STATUS_OK;
}

/* Sets the error to what the algorithm lacks: "dfs ckl gives no parent, order; those of dfs that do: serial". */
static int gives_not(const struct algorithm *algorithm, const struct answer *answer, struct error *error)
{
    unsigned needed = answer->outputs | answer->any;
    char lacking[64] = "", others[256] = "";
    if (needed & FOR_LIMITS && !algorithm->limited)
        append_name(lacking, sizeof lacking, "limits");
    if (needed & FOR_PARTS && !algorithm->splits)
        append_name(lacking, sizeof lacking, "search on several GPUs (--gpus)");
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (array->name != NULL && needed & array->output && !(all_outputs(algorithm) & array->output))
            append_name(lacking, sizeof lacking, array->name);
    for (int i = 0; i < num_algorithms; i++)
        if (strcmp(algorithms[i]->family, algorithm->family) == 0 && suits(algorithms[i], answer))
            append_name(others, sizeof others, algorithms[i]->variant);
    return error_set(error, STATUS_INPUT, "%s %s gives no %s; those of %s that do: %s", algorithm->family,
                     algorithm->variant, lacking, algorithm->family, others[0] != '\0' ? others : "none");
}

/* Finds a variant by its name, "gap" or "bfs:gap", in the first family that has it. */
static int choose_named(const struct wishes *wishes, const char *name, struct machine *machine, struct choice *choice,
                        struct error *error)
{
    const char *colon = strchr(name, ':'), *variant = colon != NULL ? colon + 1 : name;
    size_t length = colon != NULL ? (size_t)(colon - name) : 0;
    const struct answer *first = NULL;
    for (const struct answer *answer = wishes->answers; answer->family != NULL; answer++) {
        struct error other = {0};
        if (colon != NULL && (strlen(answer->family) != length || strncmp(answer->family, name, length) != 0))
            continue;
        first = first != NULL ? first : answer;
        if (choose_variant(answer, variant, wishes->device, machine, choice, &other) == STATUS_OK)
            return suits(choice->algorithm, answer) ? STATUS_OK : gives_not(choice->algorithm, answer, error);
    }
    return first != NULL ? choose_variant(first, variant, wishes->device, machine, choice, error)
                         : choose_variant(wishes->answers, name, wishes->device, machine, choice, error);
}

/* Adds a choice, unless its algorithm is already chosen. */
static void add_choice(struct choices *choices, const struct choice *choice)
{
    int i = 0;
    while (i < choices->count && choices->items[i].algorithm != choice->algorithm)
        i++;
    choices->items[i].algorithm = choice->algorithm;
    if (choice->instead_of != NULL)
        choices->items[i].instead_of = choice->instead_of;
    choices->count += i == choices->count;
}

static int choose_all(const struct wishes *wishes, struct machine *machine, struct choices *choices,
                      struct error *error)
{
    const struct answer *answer = &wishes->answers[0];
    const struct family *family = family_of(answer->family);
    choices->count = 0;
    for (int i = 0; i < num_algorithms; i++)
        if (is_variant_of(algorithms[i], family) && can_run(algorithms[i], wishes->device, machine)) {
            if (answer->outputs & FOR_PARTS && !algorithms[i]->splits)
                continue;
            if (!suits(algorithms[i], answer))
                return gives_not(algorithms[i], answer, error);
            add_choice(choices, &(struct choice){.algorithm = algorithms[i]});
        }
    return choices->count > 0 ? STATUS_OK : nothing_runs(family, wishes->device, machine, error);
}

/* Adds the variants of a list. Stops after ALL_VARIANTS. */
static void choose_list(const struct wishes *wishes, const char *list, struct machine *machine, struct choices *choices,
                        struct error *error)
{
    for (size_t length; *list != '\0' && error->status == STATUS_OK && !choices->all;
         list += length + (list[length] == ',')) {
        struct choice choice = {0};
        char name[VARIANT_BYTES];
        length = strcspn(list, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, list);
        choices->all = strcmp(name, ALL_VARIANTS) == 0;
        if (!choices->all && length > 0 && choose_named(wishes, name, machine, &choice, error) == STATUS_OK)
            add_choice(choices, &choice);
    }
}

static int choose_algorithms(const struct wishes *wishes, struct machine *machine, struct choices *choices,
                             struct error *error)
{
    if (wishes->num_variants == 0 && choose_default(wishes, machine, &choices->items[0], error) == STATUS_OK)
        choices->count = 1;
    for (int i = 0; i < wishes->num_variants; i++)
        choose_list(wishes, wishes->variants[i], machine, choices, error);
    if (error->status == STATUS_OK && choices->all)
        return choose_all(wishes, machine, choices, error);
    if (choices->count > 0)
        return error->status;
    return error_set(error, STATUS_INPUT, "--variant names no variant; gtrav --list shows them all");
}

/* ---- devices ---- */

/* Decides where the algorithm runs. A GPU algorithm runs on the GPU. If there is none and the user has not named it,
 * the emulator runs the algorithm's version for the emulator. */
static void place(struct choice *choice, enum device_choice device, struct machine *machine)
{
    const struct algorithm *emulated;
    choice->on = choice->algorithm->device;
    if (choice->on != DEVICE_GPU || device == CHOICE_GPU ||
        (emulated = emulated_algorithm(choice->algorithm)) == NULL ||
        (device != CHOICE_EMULATOR && machine_device(machine, DEVICE_GPU) != NULL))
        return;
    choice->algorithm = emulated;
    choice->on = DEVICE_EMULATOR;
}

/* Opens the devices of all choices. Succeeds if at least one choice can run. */
static int open_devices(const struct choices *choices, struct machine *machine, struct error *error)
{
    bool any = false;
    for (int i = 0; i < choices->count; i++)
        any = machine_device(machine, choices->items[i].on) != NULL || any;
    const struct error *reason = &machine->errors[choices->items[0].on];
    return any ? STATUS_OK : error_set(error, reason->status, "%s", reason->text);
}

/* ---- options ---- */

static bool has_option(const struct algorithm *algorithm, const char *setting)
{
    return options_find(algorithm, setting, strcspn(setting, "=")) >= 0;
}

static int unknown_setting(const struct choices *choices, const char *family, const char *setting, struct error *error)
{
    const char *names[MAX_NAMES];
    int count = 0;
    for (int i = 0; i < choices->count; i++) {
        const struct option_spec *option = NULL;
        while (count < MAX_NAMES && (option = options_next_shown(choices->items[i].algorithm, option)) != NULL)
            names[count++] = option->name;
    }
    char what[64], name[64];
    bool is_alone = choices->count == 1;
    snprintf(what, sizeof what, "%s%s%s option", is_alone ? choices->items[0].algorithm->family : family,
             is_alone ? " " : "", is_alone ? choices->items[0].algorithm->variant : "");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
    return error_unknown(what, name, names, count, error);
}

/* Checks that a chosen algorithm has this option. seed=N is an option of the emulator. */
static int check_setting(struct choices *choices, const char *family, const char *setting, struct error *error)
{
    bool is_known = false, emulated = false;
    for (int i = 0; i < choices->count; i++) {
        is_known = is_known || has_option(choices->items[i].algorithm, setting);
        emulated = emulated || choices->items[i].on == DEVICE_EMULATOR;
    }
    if (strchr(setting, '=') == NULL)
        return error_set(error, STATUS_INPUT, "--set takes NAME=VALUE, not '%s'", setting);
    if (emulated && strncmp(setting, "seed=", strlen("seed=")) == 0)
        return options_seed(setting, &choices->seed, error);
    return is_known ? STATUS_OK : unknown_setting(choices, family, setting, error);
}

/* Sets the options of a choice, and then its vertex order, which may depend on them. */
static int set_options(struct choice *choice, const char *const *settings, int num_settings, struct error *error)
{
    const struct algorithm *algorithm = choice->algorithm;
    if (options_parse(algorithm, settings, num_settings, choice->options, error) == STATUS_OK)
        choice->order = algorithm->reorder_by != NULL ? algorithm->reorder_by(choice->options) : algorithm->reorder;
    return error->status;
}

/* Gives each algorithm first the setting for the device that the user named, then those settings that it has. */
static int choose_options(const struct wishes *wishes, struct choices *choices, struct error *error)
{
    char own[64];
    const char **known;
    if (allocate(&known, (size_t)wishes->num_settings + 1, sizeof *known, "the options", error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < wishes->num_settings && error->status == STATUS_OK; i++)
        check_setting(choices, wishes->answers[0].family, wishes->settings[i], error);
    for (int i = 0; i < choices->count && error->status == STATUS_OK; i++) {
        const struct algorithm *algorithm = choices->items[i].algorithm;
        int num_known = 0;
        if (wishes->device != CHOICE_AUTO && options_of_named_device(algorithm, own))
            known[num_known++] = own;
        for (int s = 0; s < wishes->num_settings; s++)
            if (has_option(algorithm, wishes->settings[s]))
                known[num_known++] = wishes->settings[s];
        set_options(&choices->items[i], known, num_known, error);
    }
    free(known);
    return error->status;
}

/* ---- all of it ---- */

int choose(const struct wishes *wishes, struct machine *machine, struct choices *choices, struct error *error)
{
    size_t most = wishes->num_variants > 0 ? (size_t)num_algorithms : 1;
    *choices = (struct choices){0};
    if (allocate_zeroed(&choices->items, most, sizeof *choices->items, "the choices", error) != STATUS_OK ||
        choose_algorithms(wishes, machine, choices, error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < choices->count; i++)
        place(&choices->items[i], wishes->device, machine);
    return open_devices(choices, machine, error) == STATUS_OK ? choose_options(wishes, choices, error) : error->status;
}

void choices_release(struct choices *choices)
{
    free(choices->items);
    *choices = (struct choices){0};
}

/* ---- pairs ---- */

int hand_over_pairs(struct choice *choice, uint64_t num_pairs, struct error *error)
{
    const struct algorithm *asked = choice->algorithm;
    const struct algorithm *runs = asked->hands_over != NULL ? asked->hands_over(choice->options, num_pairs) : NULL;
    if (runs == NULL)
        return STATUS_OK;
    *choice = (struct choice){.algorithm = runs, .on = DEVICE_CPU};
    return set_options(choice, NULL, 0, error);
}

void note_handover(const struct algorithm *asked, const struct algorithm *runs, char note[NOTE_BYTES])
{
    char of_run[NOTE_BYTES];
    if (runs == asked)
        return;
    memcpy(of_run, note, sizeof of_run);
    snprintf(note, NOTE_BYTES, "few pairs: %s on the CPU%s%.400s", runs->variant, of_run[0] != '\0' ? "; " : "",
             of_run);
}
