#include "plan.h"

#include <stdlib.h>
#include <string.h>

#include "../algorithm_options.h"
#include "../suggest.h"
#include "terminal.h"

#define MAX_NAMES 64 /* that a message offers */

/* ---- which algorithms ---- */

static void add_run(struct plan *plan, const struct algorithm *algorithm)
{
    plan->runs[plan->num_runs++] = (struct planned_run){.algorithm = algorithm};
}

static unsigned limits_of(const struct settings *settings)
{
    return settings->max_depth > 0 || settings->targets != NULL ? FOR_LIMITS : 0u;
}

static int add_named(struct plan *plan, const char *variant, const struct settings *settings, struct machine *machine,
                     struct error *error)
{
    const struct algorithm *algorithm;
    if (named_algorithm(plan->family, variant, settings->device, limits_of(settings), machine, &algorithm, error) !=
        STATUS_OK)
        return error->status;
    if (strcmp(algorithm->variant, variant) != 0)
        notice("%s %s: %s takes limits", algorithm->family, variant, algorithm->variant);
    for (int i = 0; i < plan->num_runs; i++)
        if (plan->runs[i].algorithm == algorithm)
            return STATUS_OK;
    add_run(plan, algorithm);
    return STATUS_OK;
}

/* Tells which variants for a kind of device cannot run here, why, and which --device runs them. */
static void tell_left_out(const struct plan *plan, enum device_kind kind, int choice, struct machine *machine,
                          const char *why, const char *device)
{
    char names[256] = "";
    for (int i = 0; i < num_algorithms; i++) {
        if (algorithms[i]->device != kind || !is_variant_of(algorithms[i], plan->family) ||
            !is_allowed(algorithms[i], choice) || can_run(algorithms[i], choice, machine))
            continue;
        strncat(names, names[0] != '\0' ? ", " : "", sizeof names - strlen(names) - 1);
        strncat(names, algorithms[i]->variant, sizeof names - strlen(names) - 1);
    }
    if (names[0] != '\0')
        notice("%s: leaving out %s: %s%s%s%s", plan->family->name, names, why, device != NULL ? " (--device " : "",
               device != NULL ? device : "", device != NULL ? " runs them, slowly)" : "");
}

static void add_all(struct plan *plan, int choice, struct machine *machine)
{
    for (int i = 0; i < num_algorithms; i++)
        if (is_variant_of(algorithms[i], plan->family) && can_run(algorithms[i], choice, machine))
            add_run(plan, algorithms[i]);
    if (plan->num_runs == 0 || choice != CHOICE_AUTO)
        return;
    tell_left_out(plan, DEVICE_GPU, choice, machine, machine->errors[DEVICE_GPU].text,
                  machine_device(machine, DEVICE_EMULATOR) != NULL ? "cpu-emulator" : NULL);
    bool is_software = machine_device(machine, DEVICE_WEBGPU) != NULL;
    tell_left_out(plan, DEVICE_WEBGPU, choice, machine,
                  is_software ? "the WebGPU adapter here is software" : machine->errors[DEVICE_WEBGPU].text,
                  is_software ? "webgpu" : NULL);
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
            if (!all && add_named(plan, variant, settings, machine, error) != STATUS_OK)
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

/* ---- with which options ---- */

static bool has_option(const struct algorithm *algorithm, const char *setting)
{
    return options_find(algorithm, setting, strcspn(setting, "=")) >= 0;
}

static int unknown_setting(const struct plan *plan, const char *setting, struct error *error)
{
    const char *names[MAX_NAMES];
    int count = 0;
    for (int run = 0; run < plan->num_runs; run++) {
        const struct option_spec *option = NULL;
        while (count < MAX_NAMES && (option = options_next_shown(plan->runs[run].algorithm, option)) != NULL)
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

/* Each variant takes the settings that it knows, after its own for a device that the user named. A setting that no
 * variant knows is an error. */
static int set_options(struct plan *plan, const struct word_list *settings, int choice, struct machine *machine,
                       struct error *error)
{
    const char **known;
    if (allocate(&known, (size_t)settings->count + 1, sizeof *known, "the options", error) != STATUS_OK)
        return error->status;
    for (int i = 0; i < settings->count && error->status == STATUS_OK; i++) {
        bool is_known = false;
        for (int run = 0; run < plan->num_runs; run++)
            is_known = is_known || has_option(plan->runs[run].algorithm, settings->items[i]);
        if (strchr(settings->items[i], '=') == NULL)
            error_set(error, STATUS_INPUT, "--set takes NAME=VALUE, not '%s'", settings->items[i]);
        else if (is_seed(plan, settings->items[i]))
            options_seed(settings->items[i], &machine->devices[DEVICE_EMULATOR].seed, error);
        else if (!is_known)
            unknown_setting(plan, settings->items[i], error);
    }
    for (int run = 0; run < plan->num_runs && error->status == STATUS_OK; run++) {
        const struct algorithm *algorithm = plan->runs[run].algorithm;
        int num_used = 0;
        if (choice != CHOICE_AUTO && algorithm->on_named_device != NULL)
            known[num_used++] = algorithm->on_named_device;
        for (int i = 0; i < settings->count; i++)
            if (has_option(algorithm, settings->items[i]))
                known[num_used++] = settings->items[i];
        options_parse(algorithm, known, num_used, plan->runs[run].options, error);
    }
    free(known);
    return error->status;
}

/* ---- on which devices ---- */

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

/* ---- the plan ---- */

int plan_make(const struct settings *settings, struct machine *machine, struct plan *plan, struct error *error)
{
    const struct algorithm *best;
    unsigned limits = limits_of(settings);
    *plan = (struct plan){0};
    machine->adapter = settings->adapter;
    int status = find_family(settings->algo, &plan->family, error);
    if (status == STATUS_OK)
        status = allocate(&plan->runs, (size_t)num_algorithms, sizeof *plan->runs, "the plan", error);
    if (status == STATUS_OK && settings->variants.count > 0)
        status = add_variants(plan, settings, machine, error);
    else if (status == STATUS_OK &&
             (best = default_algorithm(plan->family, settings->device, limits, machine)) != NULL)
        add_run(plan, best);
    bool fits = limits == 0 || (settings->pairs == NULL && plan->num_runs > 0 && plan->family->engines == NULL);
    for (int i = 0; i < plan->num_runs; i++)
        fits = fits && gives(plan->runs[i].algorithm, limits);
    if (status == STATUS_OK && !fits)
        status = error_set(error, STATUS_INPUT,
                           "--max-depth and --targets are for trials of bfs auto, gap, serial and queue");
    if (status == STATUS_OK && plan->num_runs == 0)
        status = nothing_runs(plan->family, settings->device, machine, error);
    for (int i = 0; status == STATUS_OK && i < plan->num_runs; i++)
        plan->runs[i].on = place_algorithm(&plan->runs[i].algorithm, settings->device, machine);
    if (status == STATUS_OK)
        status = open_devices(plan, settings->device, machine, error);
    if (status == STATUS_OK && settings->device == CHOICE_AUTO && settings->variants.count == 0 &&
        plan->runs[0].on == DEVICE_CPU && machine->errors[DEVICE_GPU].status != STATUS_OK)
        plan->falls_back = plan->runs[0].algorithm;
    return status == STATUS_OK ? set_options(plan, &settings->set, settings->device, machine, error) : status;
}

void plan_release(struct plan *plan)
{
    free(plan->runs);
    *plan = (struct plan){0};
}
