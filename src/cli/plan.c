#include "plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../bench/ranks.h"
#include "suggest.h"
#include "terminal.h"

#define MAX_NAMES 64 /* that a message offers */

/* ---- the machine ---- */

static int (*const openers[])(struct device *, int, struct error *) = {
    [DEVICE_CPU] = device_open_cpu, [DEVICE_GPU] = device_open_gpu, [DEVICE_EMULATOR] = device_open_emulator};

static int count_devices(enum device_kind kind)
{
    return kind == DEVICE_CPU ? 1 : kind == DEVICE_GPU ? device_count_gpu() : device_count_emulator();
}

struct device *machine_device(struct machine *machine, enum device_kind kind)
{
    int count = count_devices(kind);
    if (!machine->open[kind] && machine->errors[kind].status == STATUS_OK)
        machine->open[kind] = openers[kind](&machine->devices[kind], count > 0 ? ranks()->host_rank % count : 0,
                                            &machine->errors[kind]) == STATUS_OK;
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
            return error_set(error, STATUS_INPUT, "--gpus: %d is there twice", number);
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

bool is_variant_of(const struct algorithm *algorithm, const struct family *family)
{
    return strcmp(algorithm->family, family->engines != NULL ? family->engines : family->name) == 0;
}

static bool is_allowed(const struct algorithm *algorithm, int choice)
{
    return choice == CHOICE_AUTO || (choice == CHOICE_CPU) == (algorithm->device == DEVICE_CPU);
}

/* Whether the algorithm's own device is available. The emulator is used only if the user asked for it or named the
 * variant. */
static bool can_run(const struct algorithm *algorithm, int choice, struct machine *machine)
{
    enum device_kind kind = choice == CHOICE_EMULATOR ? DEVICE_EMULATOR : algorithm->device;
    return is_allowed(algorithm, choice) && machine_device(machine, kind) != NULL;
}

static const struct algorithm *find_algorithm(const struct family *family, const char *variant)
{
    for (int i = 0; i < num_algorithms; i++)
        if (is_variant_of(algorithms[i], family) && strcmp(algorithms[i]->variant, variant) == 0)
            return algorithms[i];
    return NULL;
}

const struct algorithm *default_algorithm(const struct family *family, int choice, struct machine *machine)
{
    const struct algorithm *best =
        family->default_variant != NULL ? find_algorithm(family, family->default_variant) : NULL;
    if (best != NULL && can_run(best, choice, machine))
        return best;
    for (int i = 0; i < num_algorithms; i++)
        if (is_variant_of(algorithms[i], family) && can_run(algorithms[i], choice, machine))
            return algorithms[i];
    return NULL;
}

/* A build without CUDA does not know the names of the GPU variants, so the message says that it is such a build. */
static int unknown_variant(const struct family *family, const char *variant, int choice, struct machine *machine,
                           struct error *error)
{
    enum device_kind kind = choice == CHOICE_EMULATOR ? DEVICE_EMULATOR : DEVICE_GPU;
    const char *names[MAX_NAMES];
    int count = 0;
    bool knows_gpu = false;
    for (int i = 0; i < num_algorithms && count < MAX_NAMES; i++) {
        knows_gpu = knows_gpu || algorithms[i]->device == DEVICE_GPU;
        if (is_variant_of(algorithms[i], family))
            names[count++] = algorithms[i]->variant;
    }
    struct error unknown = {0};
    char what[64];
    snprintf(what, sizeof what, "%s variant", family->name);
    error_unknown(what, variant, names, count, &unknown);
    if (knows_gpu || suggest(variant, names, count) != NULL || machine_device(machine, kind) != NULL)
        return error_set(error, unknown.status, "%s", unknown.text);
    return error_set(error, unknown.status, "%.600s; %.400s", unknown.text, machine->errors[kind].text);
}

int find_family(const char *name, const struct family **family, struct error *error)
{
    const char *names[MAX_NAMES];
    int count = 0;
    for (const struct family *each = families; each->name != NULL && count < MAX_NAMES; each++)
        names[count++] = each->name;
    *family = family_of(name);
    return *family != NULL ? STATUS_OK : error_unknown("algorithm", name, names, count, error);
}

/* No variant of the family may run, or none of those that may run can. */
static int nothing_runs(const struct settings *settings, struct machine *machine, struct error *error)
{
    static const enum device_kind missed[] = {DEVICE_GPU, DEVICE_GPU, DEVICE_CPU, DEVICE_EMULATOR}; /* by choice */
    static const char *const where[] = {"here", "on the GPU", "on the CPU", "on the emulator"};
    enum device_kind kind = missed[settings->device];
    if (machine_device(machine, kind) == NULL)
        return error_set(error, machine->errors[kind].status, "%s", machine->errors[kind].text);
    return error_set(error, STATUS_INPUT, "no variant of %s runs %s; gtrav --list shows where each one runs",
                     settings->algo, where[settings->device]);
}

static void add_run(struct plan *plan, const struct algorithm *algorithm)
{
    plan->runs[plan->num_runs++] = (struct planned_run){.algorithm = algorithm};
}

static int add_named(struct plan *plan, const char *variant, int choice, struct machine *machine, struct error *error)
{
    const struct algorithm *algorithm = find_algorithm(plan->family, variant);
    if (algorithm == NULL)
        return unknown_variant(plan->family, variant, choice, machine, error);
    if (!is_allowed(algorithm, choice))
        return error_set(error, STATUS_INPUT, "%s %s runs on the %s; leave out --device", algorithm->family, variant,
                         algorithm->device == DEVICE_GPU ? "GPU" : "CPU");
    for (int i = 0; i < plan->num_runs; i++)
        if (plan->runs[i].algorithm == algorithm)
            return STATUS_OK;
    add_run(plan, algorithm);
    return STATUS_OK;
}

static void add_all(struct plan *plan, int choice, struct machine *machine)
{
    char left_out[256] = "";
    for (int i = 0; i < num_algorithms; i++) {
        if (!is_variant_of(algorithms[i], plan->family) || !is_allowed(algorithms[i], choice))
            continue;
        if (can_run(algorithms[i], choice, machine)) {
            add_run(plan, algorithms[i]);
            continue;
        }
        strncat(left_out, left_out[0] != '\0' ? ", " : "", sizeof left_out - strlen(left_out) - 1);
        strncat(left_out, algorithms[i]->variant, sizeof left_out - strlen(left_out) - 1);
    }
    if (left_out[0] != '\0' && plan->num_runs > 0)
        notice("%s: leaving out %s: %s%s", plan->family->name, left_out, machine->errors[DEVICE_GPU].text,
               machine_device(machine, DEVICE_EMULATOR) != NULL ? " (--device cpu-emulator runs them, slowly)" : "");
}

/* Splits the values of all --variant options at commas; notes whether one is "all". */
static int add_variants(struct plan *plan, const struct settings *settings, struct machine *machine,
                        struct error *error)
{
    bool all = false;
    for (int i = 0; i < settings->variants.count; i++) {
        const char *rest = settings->variants.items[i], *word;
        for (size_t length; (length = next_word(&rest, &word, ',')) > 0;) {
            char variant[64];
            snprintf(variant, sizeof variant, "%.*s", (int)length, word);
            all = all || strcmp(variant, "all") == 0;
            if (!all && add_named(plan, variant, settings->device, machine, error) != STATUS_OK)
                return error->status;
        }
    }
    if (all) {
        plan->num_runs = 0;
        add_all(plan, settings->device, machine);
    } else if (plan->num_runs == 0) {
        return error_set(error, STATUS_INPUT, "--variant names none; gtrav --list shows what there is");
    }
    return STATUS_OK;
}

static void add_default(struct plan *plan, int choice, struct machine *machine)
{
    const struct algorithm *algorithm = default_algorithm(plan->family, choice, machine);
    if (algorithm != NULL)
        add_run(plan, algorithm);
}

/* ---- with which options ---- */

static bool has_option(const struct algorithm *algorithm, const char *setting)
{
    size_t length = strcspn(setting, "=");
    for (const struct option_spec *option = algorithm->options; option != NULL && option->name != NULL; option++)
        if (strlen(option->name) == length && memcmp(option->name, setting, length) == 0)
            return true;
    return false;
}

static int unknown_setting(const struct plan *plan, const char *setting, struct error *error)
{
    const char *names[MAX_NAMES];
    int count = 0;
    for (int run = 0; run < plan->num_runs; run++) {
        const struct option_spec *option = plan->runs[run].algorithm->options;
        for (; option != NULL && option->name != NULL && count < MAX_NAMES; option++)
            names[count++] = option->name;
    }
    char what[64], name[64];
    snprintf(what, sizeof what, "%s%s%s option", plan->family->name, plan->num_runs == 1 ? " " : "",
             plan->num_runs == 1 ? plan->runs[0].algorithm->variant : "");
    snprintf(name, sizeof name, "%.*s", (int)strcspn(setting, "="), setting);
    return error_unknown(what, name, names, count, error);
}

/* --set seed=N is an option of the emulator, not of an algorithm. */
static bool is_seed(const struct plan *plan, const char *setting)
{
    bool emulated = false;
    for (int run = 0; run < plan->num_runs; run++)
        emulated = emulated || plan->runs[run].on == DEVICE_EMULATOR;
    return emulated && strncmp(setting, "seed=", strlen("seed=")) == 0;
}

static int set_seed(const char *setting, struct machine *machine, struct error *error)
{
    const char *text = strchr(setting, '=') + 1;
    char *end;
    errno = 0;
    unsigned long long seed = strtoull(text, &end, 10);
    if (errno != 0 || *text < '0' || *text > '9' || *end != '\0')
        return error_set(error, STATUS_INPUT, "--set %s: expected a whole number, 0 for no random schedule", setting);
    machine->devices[DEVICE_EMULATOR].seed = seed;
    return STATUS_OK;
}

/* Each variant takes the settings that it knows. A setting that no variant knows is an error. */
static int set_options(struct plan *plan, const struct word_list *settings, struct machine *machine,
                       struct error *error)
{
    const char **known;
    if (allocate(&known, (size_t)settings->count, sizeof *known, "the options", error) != STATUS_OK)
        return error->status;
    int num_used = 0;
    for (int i = 0; i < settings->count && error->status == STATUS_OK; i++) {
        bool is_known = false;
        for (int run = 0; run < plan->num_runs; run++)
            is_known = is_known || has_option(plan->runs[run].algorithm, settings->items[i]);
        if (strchr(settings->items[i], '=') == NULL)
            error_set(error, STATUS_INPUT, "--set takes NAME=VALUE, not '%s'", settings->items[i]);
        else if (is_seed(plan, settings->items[i]))
            set_seed(settings->items[i], machine, error);
        else if (!is_known)
            unknown_setting(plan, settings->items[i], error);
    }
    for (int run = 0; run < plan->num_runs && error->status == STATUS_OK; run++) {
        num_used = 0;
        for (int i = 0; i < settings->count; i++)
            if (has_option(plan->runs[run].algorithm, settings->items[i]))
                known[num_used++] = settings->items[i];
        options_parse(plan->runs[run].algorithm, known, num_used, plan->runs[run].options, error);
    }
    free(known);
    return error->status;
}

/* ---- the plan ---- */

/* ---- on which devices ---- */

/* A GPU algorithm runs on the GPU, or, if there is none and --device allows it, on the emulator. */
static void place_run(struct planned_run *run, int choice, struct machine *machine)
{
    const struct algorithm *twin = emulated_algorithm(run->algorithm);
    run->on = run->algorithm->device;
    if (run->on != DEVICE_GPU || choice == CHOICE_GPU || twin == NULL)
        return;
    if (choice == CHOICE_EMULATOR || machine_device(machine, DEVICE_GPU) == NULL) {
        run->algorithm = twin;
        run->on = DEVICE_EMULATOR;
    }
}

/* One run that can start is enough. Runs that cannot start report why when their turn comes. */
static int open_devices(struct plan *plan, int choice, struct machine *machine, struct error *error)
{
    bool any = false, emulated = false;
    for (int i = 0; i < plan->num_runs; i++) {
        enum device_kind kind = plan->runs[i].on;
        if (machine_device(machine, kind) == NULL)
            continue;
        any = true;
        emulated = emulated || kind == DEVICE_EMULATOR;
    }
    if (!any) {
        const struct error *reason = &machine->errors[plan->runs[0].on];
        return error_set(error, reason->status, "%s", reason->text);
    }
    if (emulated && choice == CHOICE_AUTO)
        notice("no GPU here: GPU algorithms run on the emulator, whose times are no GPU times");
    return STATUS_OK;
}

int plan_make(const struct settings *settings, struct machine *machine, struct plan *plan, struct error *error)
{
    *plan = (struct plan){0};
    int status = find_family(settings->algo, &plan->family, error);
    if (status == STATUS_OK)
        status = allocate(&plan->runs, (size_t)num_algorithms, sizeof *plan->runs, "the plan", error);
    if (status == STATUS_OK && settings->variants.count == 0)
        add_default(plan, settings->device, machine);
    else if (status == STATUS_OK)
        status = add_variants(plan, settings, machine, error);
    if (status == STATUS_OK && plan->num_runs == 0)
        status = nothing_runs(settings, machine, error);
    for (int i = 0; status == STATUS_OK && i < plan->num_runs; i++)
        place_run(&plan->runs[i], settings->device, machine);
    if (status == STATUS_OK)
        status = open_devices(plan, settings->device, machine, error);
    return status == STATUS_OK ? set_options(plan, &settings->set, machine, error) : status;
}

void plan_release(struct plan *plan)
{
    free(plan->runs);
    *plan = (struct plan){0};
}
