#include "plan.h"

#include "../suggest.h"
#include "terminal.h"

/* ---- what the user wants ---- */

static unsigned limits_of(const struct settings *settings)
{
    return settings->max_depth > 0 || settings->targets != NULL ? FOR_LIMITS : 0u;
}

/* Whether the GPUs of --gpus run each search together. For closeness and --pairs they share the sources. */
static bool splits_searches(const struct settings *settings, const struct family *family)
{
    return settings->gpus != NULL && settings->pairs == NULL && strcmp(family->name, "closeness") != 0;
}

/* Rejects --gpus unless an algorithm of the family runs a search on several GPUs. */
static int check_gpus(const struct settings *settings, const struct family *family, struct error *error)
{
    bool fits = !splits_searches(settings, family);
    if (settings->gpus != NULL && settings->device == CHOICE_CPU)
        return error_set(error, STATUS_INPUT, "--gpus: --device cpu runs nothing on a GPU; leave out one of the two");
    if (!fits && limits_of(settings) != 0)
        return error_set(error, STATUS_INPUT, "--gpus: a search with limits runs on one GPU; leave out --gpus");
    for (int i = 0; i < num_algorithms; i++)
        fits = fits || (algorithms[i]->splits && is_variant_of(algorithms[i], family));
    return fits ? STATUS_OK
                : error_set(error, STATUS_INPUT,
                            "--gpus is for --algo closeness and --pairs, bfs and graph500: a trial of %s runs on one "
                            "GPU",
                            family->name);
}

/* Rejects --max-depth and --targets unless the job runs trials of a family with algorithms that take limits. */
static int check_limits(const struct settings *settings, const struct family *family, struct error *error)
{
    bool fits = limits_of(settings) == 0;
    for (int i = 0; i < num_algorithms && settings->pairs == NULL && family->engines == NULL; i++)
        fits = fits || (algorithms[i]->limited && is_variant_of(algorithms[i], family));
    return fits ? STATUS_OK
                : error_set(error, STATUS_INPUT,
                            "--max-depth and --targets are for trials of bfs auto, gap, serial and queue");
}

/* ---- notices about choices that may surprise the user ---- */

/* Names the variants for a kind of device that cannot run here, the reason, and the --device that would run them. */
static void tell_left_out(const struct family *family, enum device_kind kind, struct machine *machine, const char *why,
                          const char *device)
{
    char names[256] = "";
    for (int i = 0; i < num_algorithms; i++) {
        if (algorithms[i]->device != kind || !is_variant_of(algorithms[i], family) ||
            can_run(algorithms[i], CHOICE_AUTO, machine))
            continue;
        append_name(names, sizeof names, algorithms[i]->variant);
    }
    if (names[0] != '\0')
        notice("%s: leaving out %s: %s%s%s%s", family->name, names, why, device != NULL ? " (--device " : "",
               device != NULL ? device : "", device != NULL ? " runs them, slowly)" : "");
}

/* Names the variants that --variant all leaves out. */
static void tell_all(const struct family *family, struct machine *machine)
{
    bool is_software = machine_device(machine, DEVICE_WEBGPU) != NULL;
    tell_left_out(family, DEVICE_GPU, machine, machine->errors[DEVICE_GPU].text,
                  machine_device(machine, DEVICE_EMULATOR) != NULL ? "cpu-emulator" : NULL);
    tell_left_out(family, DEVICE_WEBGPU, machine,
                  is_software ? "the WebGPU adapter here is software" : machine->errors[DEVICE_WEBGPU].text,
                  is_software ? "webgpu" : NULL);
}

/* Of --variant all, keeps the variants that can be profiled, and names the others. Keeps all if none can be. */
static void leave_out_unprofiled(const struct family *family, struct choices *all)
{
    char names[256] = "";
    int kept = 0;
    for (int i = 0; i < all->count; i++)
        if (all->items[i].algorithm->profiled)
            all->items[kept++] = all->items[i];
        else
            append_name(names, sizeof names, all->items[i].algorithm->variant);
    if (kept > 0 && kept < all->count) {
        notice("%s: leaving out %s: cannot be profiled", family->name, names);
        all->count = kept;
    }
}

/* Names the variants that --variant all leaves out because they search on one device. */
static void tell_undivided(const struct family *family, enum device_choice device, struct machine *machine)
{
    char names[512] = "";
    for (int i = 0; i < num_algorithms; i++)
        if (!algorithms[i]->splits && is_variant_of(algorithms[i], family) && can_run(algorithms[i], device, machine))
            append_name(names, sizeof names, algorithms[i]->variant);
    notice("%s: leaving out %s: a search runs on one device", family->name, names);
}

static void tell(const struct settings *settings, const struct plan *plan, struct machine *machine)
{
    bool emulated = false;
    if (plan->choices.all && settings->device == CHOICE_AUTO)
        tell_all(plan->family, machine);
    if (plan->choices.all && splits_searches(settings, plan->family))
        tell_undivided(plan->family, (enum device_choice)settings->device, machine);
    for (int i = 0; i < plan->choices.count; i++) {
        const struct choice *choice = &plan->choices.items[i];
        emulated = emulated || choice->on == DEVICE_EMULATOR;
        if (choice->instead_of != NULL)
            notice("%s %s: running %s, which %s", choice->algorithm->family, choice->instead_of,
                   choice->algorithm->variant, settings->gpus != NULL ? "runs on several GPUs" : "takes limits");
    }
    if (emulated && settings->device == CHOICE_AUTO)
        notice("no GPU here: GPU algorithms run on the emulator, whose times are not GPU times");
}

/* ---- the plan ---- */

int plan_make(const struct settings *settings, struct machine *machine, struct plan *plan, struct error *error)
{
    *plan = (struct plan){0};
    machine->adapter = settings->adapter;
    if (find_family(settings->algo, &plan->family, error) != STATUS_OK ||
        check_limits(settings, plan->family, error) != STATUS_OK ||
        check_gpus(settings, plan->family, error) != STATUS_OK)
        return error->status;
    unsigned needed = limits_of(settings) | (splits_searches(settings, plan->family) ? FOR_PARTS : 0u);
    const struct wishes wishes = {.answers = {{.family = plan->family->name, .outputs = needed}},
                                  .variants = settings->variants.items,
                                  .num_variants = settings->variants.count,
                                  .settings = settings->set.items,
                                  .num_settings = settings->set.count,
                                  .device = (enum device_choice)settings->device};
    if (choose(&wishes, machine, &plan->choices, error) != STATUS_OK)
        return error->status;
    machine->devices[DEVICE_EMULATOR].seed = plan->choices.seed;
    if (plan->choices.all && settings->profile)
        leave_out_unprofiled(plan->family, &plan->choices);
    tell(settings, plan, machine);
    const struct choice *first = &plan->choices.items[0];
    plan->falls_back = settings->device == CHOICE_AUTO && settings->variants.count == 0 && first->on == DEVICE_CPU &&
                       machine->errors[DEVICE_GPU].status != STATUS_OK;
    return STATUS_OK;
}
