/* search.c: from a query to a prepared engine, and back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../algorithm_options.h"
#include "../run/closeness.h"
#include "../run/pairs.h"
#include "internal.h"

/* ---- choosing the algorithm ---- */

/* "dfs ckl gives no parent, order; those of dfs that do: serial" */
static int gives_not(const struct algorithm *algorithm, unsigned outputs, struct error *error)
{
    bool limits = outputs & FOR_LIMITS && !algorithm->limited;
    char lacking[64] = "", others[256] = "";
    snprintf(lacking, sizeof lacking, "%s", limits ? "limits" : "");
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (array->name != NULL && outputs & array->output && !(all_outputs(algorithm) & array->output)) {
            size_t length = strlen(lacking);
            snprintf(lacking + length, sizeof lacking - length, "%s%s", length > 0 ? ", " : "", array->name);
        }
    for (int i = 0; i < num_algorithms; i++)
        if (strcmp(algorithms[i]->family, algorithm->family) == 0 && gives(algorithms[i], outputs)) {
            size_t length = strlen(others);
            snprintf(others + length, sizeof others - length, "%s%s", length > 0 ? ", " : "", algorithms[i]->variant);
        }
    return error_set(error, STATUS_INPUT, "%s %s gives no %s; those of %s that do: %s", algorithm->family,
                     algorithm->variant, lacking, algorithm->family, others[0] != '\0' ? others : "none");
}

/* Finds the variant that the user named, "gap" or "bfs:gap", in the first family that has it. */
static const struct algorithm *find_named(const struct wanted *wanted, const char *name, int choice,
                                          struct machine *machine, struct error *error)
{
    const struct algorithm *algorithm;
    const char *colon = strchr(name, ':'), *variant = colon != NULL ? colon + 1 : name;
    const struct answer *answer = wanted->answers, *known = NULL;
    for (; answer->family != NULL; answer++) {
        struct error unknown = {0};
        bool meant = colon == NULL || (strlen(answer->family) == (size_t)(colon - name) &&
                                       strncmp(answer->family, name, (size_t)(colon - name)) == 0);
        known = meant && known == NULL ? answer : known;
        if (meant && named_algorithm(family_of(answer->family), variant, choice, answer->outputs, machine, &algorithm,
                                     &unknown) == STATUS_OK) {
            if (!gives(algorithm, answer->outputs))
                gives_not(algorithm, answer->outputs, error);
            return algorithm;
        }
    }
    known = known != NULL ? known : wanted->answers;
    named_algorithm(family_of(known->family), variant, choice, 0, machine, &algorithm, error);
    return algorithm;
}

static bool can_answer(const struct wanted *wanted, const struct answer *answer, const struct algorithm *algorithm)
{
    return is_variant_of(algorithm, family_of(answer->family)) && gives(algorithm, answer->outputs) &&
           (wanted->outputs != OUTPUTS_OF_CLOSENESS || closeness_outputs(algorithm) != 0);
}

/* Whether an algorithm that the choice of a device allows can answer. */
static bool has_allowed(const struct wanted *wanted, int choice)
{
    for (const struct answer *answer = wanted->answers; answer->family != NULL; answer++)
        for (int i = 0; i < num_algorithms; i++)
            if (can_answer(wanted, answer, algorithms[i]) && is_allowed(algorithms[i], choice))
                return true;
    return false;
}

/* What only CPUs answer runs there, also for a graph that is for another device, unless the query names a device. */
static const struct algorithm *find_default(const struct wanted *wanted, int choice, bool query_names_device,
                                            struct machine *machine, struct error *error)
{
    if ((wanted->on_cpu && choice == CHOICE_AUTO) || (!query_names_device && !has_allowed(wanted, choice)))
        choice = CHOICE_CPU;
    for (const struct answer *answer = wanted->answers; answer->family != NULL; answer++) {
        const struct algorithm *best = default_algorithm(family_of(answer->family), choice, answer->outputs, machine);
        if (best != NULL)
            return best;
    }
    nothing_runs(family_of(wanted->answers[0].family), choice, machine, error);
    return NULL;
}

/* The outputs that an engine is opened with. */
static unsigned outputs_of(const struct wanted *wanted, const struct algorithm *algorithm)
{
    unsigned needed = 0;
    for (const struct answer *answer = wanted->answers; answer->family != NULL && needed == 0; answer++)
        needed = strcmp(answer->family, algorithm->family) == 0 ? answer->outputs : 0;
    if (wanted->outputs == OUTPUTS_OF_PAIRS)
        return pairs_outputs(algorithm, wanted->has_paths);
    if (wanted->outputs == OUTPUTS_OF_CLOSENESS)
        return closeness_outputs(algorithm);
    if (wanted->outputs == OUTPUTS_NEEDED && needed != 0)
        return needed | (wanted->optional & all_outputs(algorithm));
    return algorithm->outputs | (algorithm->on_request & needed);
}

/* Chooses the algorithm, its outputs and the kind of device, which is then open. */
static int choose_algorithm(struct search *search, const struct wanted *wanted, int choice, struct error *error)
{
    struct preparation *preparation = &search->preparation;
    struct machine *machine = &preparation->gpu->machine;
    const char *named = search->query != NULL ? search->query->variant : NULL;
    bool names_device = search->query != NULL && search->query->device != NULL;
    const struct algorithm *algorithm = named != NULL ? find_named(wanted, named, choice, machine, error)
                                                      : find_default(wanted, choice, names_device, machine, error);
    if (error->status != STATUS_OK)
        return error->status;
    preparation->on = place_algorithm(&algorithm, choice, machine);
    preparation->algorithm = search->asked = algorithm;
    preparation->outputs = outputs_of(wanted, algorithm);
    if (preparation->outputs == 0 && wanted->outputs == OUTPUTS_OF_CLOSENESS)
        return gives_not(algorithm, OUTPUT_FARNESS, error);
    if (machine_device(machine, preparation->on) == NULL) {
        const struct error *reason = &machine->errors[preparation->on];
        return error_set(error, reason->status, "%s", reason->text);
    }
    return STATUS_OK;
}

/* ---- its options and its order ---- */

/* The first settings yield to the user's. */
static int read_settings(struct search *search, bool device_is_given, struct error *error)
{
    const gtrav_query *query = search->query;
    const struct preparation *preparation = &search->preparation;
    int num_settings = query != NULL ? query->num_settings : 0, count = 0;
    const char **settings;
    if (allocate(&settings, (size_t)num_settings + 1, sizeof *settings, "the options", error) != STATUS_OK)
        return error->status;
    if (device_is_given && preparation->algorithm->on_named_device != NULL)
        settings[count++] = preparation->algorithm->on_named_device;
    for (int i = 0; i < num_settings; i++)
        if (search->preparation.on != DEVICE_EMULATOR || strncmp(query->settings[i], "seed=", 5) != 0)
            settings[count++] = query->settings[i];
        else
            options_seed(query->settings[i], &search->seed, error);
    options_parse(search->preparation.algorithm, settings, count, search->preparation.options, error);
    free(settings);
    return error->status;
}

/* The order in which the algorithm gets the graph: the one that the user named, or that of the file, unless the
 * result stays on the device, where nothing translates it, or that for which the algorithm asks. */
static int choose_order(struct search *search, const struct wanted *wanted, struct error *error)
{
    gtrav_graph *graph = search->graph;
    struct preparation *preparation = &search->preparation;
    const struct algorithm *algorithm = preparation->algorithm;
    bool ordered = preparation->outputs & (OUTPUT_ORDER | OUTPUT_EDGE_BETWEENNESS) && wanted->by_own_ids;
    const char *spec = search->query != NULL ? search->query->reorder : NULL;
    if (wanted->in_own_order && spec != NULL && strcmp(spec, "natural") != 0)
        return error_set(error, STATUS_INPUT,
                         "%s: masks and several sources are for the graph's own order; search with reorder natural",
                         graph->graph.name);
    if ((spec == NULL && ordered) || wanted->in_own_order)
        return STATUS_OK;
    bool stays = search->query != NULL && search->query->on_device;
    if (spec == NULL && graph->of_file.permutation != NULL && !stays) {
        preparation->reordered = &graph->of_file;
        return STATUS_OK;
    }
    if (spec == NULL && graph->graph.permutation == NULL)
        spec = algorithm->reorder_by != NULL ? algorithm->reorder_by(preparation->options) : algorithm->reorder;
    if (spec == NULL || order_take(graph, spec, &preparation->order, error) != STATUS_OK)
        return error->status;
    if (preparation->order->graph.permutation != NULL)
        preparation->reordered = &preparation->order->graph;
    if (ordered && preparation->reordered != NULL)
        return error_set(error, STATUS_INPUT,
                         "%s: the order it promises is that of the graph's own ids; run it with reorder natural",
                         graph->graph.name);
    return STATUS_OK;
}

/* Lets another algorithm answer few pairs on the CPU. */
static int hand_over(struct search *search, const struct wanted *wanted, struct error *error)
{
    struct preparation *preparation = &search->preparation;
    const struct algorithm *runs = pairs_algorithm(search->asked, preparation->options, wanted->num_pairs);
    if (runs == search->asked)
        return STATUS_OK;
    preparation->algorithm = runs;
    preparation->on = DEVICE_CPU;
    preparation->outputs = outputs_of(wanted, runs);
    return options_parse(runs, NULL, 0, preparation->options, error);
}

/* ---- begin and end ---- */

/* Takes over the error of the engine. */
static int failed(struct search *search)
{
    struct error *own = &search->prepared->error;
    if (own->status != STATUS_OK)
        error_set(&search->call.error, own->status, "%s", own->text);
    return search->call.error.status;
}

static int take_shared_gpu(struct search *search, struct place *place, struct error *error)
{
    const char *device = search->query != NULL ? search->query->device : NULL;
    *place = search->graph->context->place;
    if (device != NULL && place_parse(device, place, error) != STATUS_OK)
        return error->status;
    search->preparation.gpu = shared_gpu_take(place->number, error);
    return error->status;
}

/* Lets an engine that was prepared before prepare more. */
static void advance(struct search *search)
{
    struct run *run = &search->prepared->engine.run;
    const struct algorithm *algorithm = search->prepared->request.algorithm;
    unsigned steps = run->steps;
    double begin_ms = now_ms();
    if (run->in_steps && algorithm->advance != NULL && algorithm->advance(run) != STATUS_OK)
        failed(search);
    search->times.prepare_ms = run->steps > steps ? now_ms() - begin_ms : 0;
}

static int begin(struct search *search, const struct wanted *wanted)
{
    struct preparation *preparation = &search->preparation;
    struct error *error = &search->call.error;
    struct place place;
    if (take_shared_gpu(search, &place, error) != STATUS_OK)
        return error->status;
    bool device_is_given = place.choice != CHOICE_AUTO;
    bool has_sources = wanted->num_sources > 0 && search->graph->graph.num_vertices > 0;
    pthread_mutex_lock(&preparation->gpu->opening);
    choose_algorithm(search, wanted, (int)place.choice, error);
    pthread_mutex_unlock(&preparation->gpu->opening);
    if (error->status != STATUS_OK || read_settings(search, device_is_given, error) != STATUS_OK ||
        (wanted->num_pairs > 0 && !device_is_given && hand_over(search, wanted, error) != STATUS_OK) ||
        choose_order(search, wanted, error) != STATUS_OK || !has_sources)
        return error->status;
    if (preparation->on != DEVICE_CPU && shared_gpu_enter(preparation->gpu, preparation->on, error) != STATUS_OK)
        return error->status;
    if (preparation->on != DEVICE_CPU)
        preparation->gpu->machine.devices[preparation->on].seed = search->seed;
    search->prepared = prepared_take(search->graph, preparation, error);
    preparation->order = NULL; /* it was taken over */
    if (search->prepared != NULL && !search->prepared->is_new)
        advance(search);
    return error->status;
}

static void note_engine(struct search *search, const struct wanted *wanted)
{
    const struct prepared *prepared = search->prepared;
    const struct preparation *preparation = &search->preparation;
    gtrav_query *query = search->query;
    if (prepared != NULL && prepared->is_new) {
        search->times.upload_ms = prepared->engine.upload_ms;
        search->times.prepare_ms = prepared->engine.prepare_ms;
    }
    if (query == NULL)
        return;
    snprintf(query->ran, sizeof query->ran, "%s %s on %s", preparation->algorithm->family,
             preparation->algorithm->variant, device_words[preparation->on]);
    snprintf(query->note, sizeof query->note, "%s", prepared != NULL ? prepared->engine.run.note : "");
    if (wanted->answers[0].outputs & FOR_LIMITS && query->note[0] == '\0')
        snprintf(query->note, sizeof query->note, "takes limits");
    note_handover(search->asked, preparation->algorithm, query->note);
}

bool search_begin(struct search *search, gtrav_graph *graph, gtrav_query *query, const struct wanted *wanted,
                  gtrav_error *public_error)
{
    *search = (struct search){.graph = graph, .query = query, .began_ms = now_ms()};
    search->preparation.num_sources = wanted->num_sources > 0 ? wanted->num_sources : 1;
    if (!call_begin(&search->call, graph->context, query, public_error))
        return false;
    search->entered = true;
    call_expect(graph->graph.num_vertices + graph->graph.num_edges,
                wanted->num_sources == SOURCES_UNKNOWN ? 1 : wanted->num_sources);
    if (begin(search, wanted) != STATUS_OK)
        return false;
    note_engine(search, wanted);
    return true;
}

int search_end(struct search *search)
{
    struct prepared *prepared = search->prepared;
    struct error *error = &search->call.error;
    if (!search->entered)
        return error->status;
    if (prepared != NULL) {
        struct run *run = &prepared->engine.run;
        run->num_searched++;
        run->searched_ms += prepared->on == DEVICE_EMULATOR ? 1 : search->searched_ms + search->times.download_ms;
    }
    if (prepared != NULL && error->status != STATUS_OK && error->status != STATUS_WRONG)
        prepared_discard(search->graph, prepared);
    else if (prepared != NULL)
        prepared_put(search->graph, prepared);
    else if (search->preparation.order != NULL)
        order_put(search->graph, search->preparation.order);
    shared_gpu_put(search->preparation.gpu);
    search->times.total_ms = now_ms() - search->began_ms;
    if (search->query != NULL)
        search->query->times = search->times;
    return call_end(&search->call);
}

/* ---- searching ---- */

int search_traverse(struct search *search, const struct query *query)
{
    struct search_times times;
    if (stop_requested())
        return error_set(&search->call.error, STATUS_INTERRUPTED, "interrupted");
    if (engine_traverse(&search->prepared->engine, query, &times) != STATUS_OK)
        return failed(search);
    search->times.kernel_ms += times.kernel_ms;
    search->searched_ms += times.time_ms;
    return STATUS_OK;
}

int search_fetch(struct search *search, uint32_t num_sources, struct traversal *result)
{
    search->prepared->engine.unverified = !verifies(search);
    if (engine_fetch(&search->prepared->engine, num_sources, result) != STATUS_OK)
        return failed(search);
    search->times.download_ms += search->prepared->engine.download_ms;
    return STATUS_OK;
}

int check_vertices(const struct graph *graph, const uint32_t *vertices, uint64_t count, const char *what,
                   struct error *error)
{
    for (uint64_t i = 0; i < count; i++)
        if (vertices[i] >= graph->num_vertices)
            return error_set(error, STATUS_INPUT, "%s %u is not a vertex of %.96s, which has %u (numbered from 0)",
                             what, vertices[i], graph->name, graph->num_vertices);
    return STATUS_OK;
}
