/* search.c: one search: chooses an algorithm for a query, takes an engine, runs it, and gives it back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../run/closeness.h"
#include "../run/pairs.h"
#include "internal.h"

/* ---- the algorithm ---- */

/* Returns the outputs to open an engine with. */
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

/* Chooses the algorithm, its options and outputs and the kind of device, which is then open. */
static int choose_algorithm(struct search *search, const struct wanted *wanted, enum device_choice device,
                            struct error *error)
{
    struct preparation *preparation = &search->preparation;
    const gtrav_query *query = search->query;
    struct choices choices;
    struct wishes wishes = {
        .device = device,
        .prefers_cpu = wanted->prefers_cpu,
        .may_leave_gpu = query == NULL || query->device == NULL,
    };
    memcpy(wishes.answers, wanted->answers, sizeof wishes.answers);
    if (query != NULL) {
        wishes.variants = (const char *const *)&query->variant;
        wishes.num_variants = query->variant != NULL;
        wishes.settings = query->settings;
        wishes.num_settings = query->num_settings;
    }
    if (choose(&wishes, &search->gpu->machine, &choices, error) == STATUS_OK) {
        preparation->choice = choices.items[0];
        search->asked = preparation->choice.algorithm;
        search->seed = choices.seed;
        if (wanted->num_pairs > 0 && device == CHOICE_AUTO)
            hand_over_pairs(&preparation->choice, wanted->num_pairs, error);
        preparation->outputs = outputs_of(wanted, preparation->choice.algorithm);
    }
    if (choices.count > 1)
        error_set(error, STATUS_INPUT, "a query takes one variant, not '%.64s'", query->variant);
    choices_release(&choices);
    preparation->gpu = preparation->choice.on != DEVICE_CPU ? search->gpu : NULL;
    return error->status;
}

/* ---- the order of the graph ---- */

/* Chooses the order in which the algorithm gets the graph, and makes the graph in that order. */
static int choose_order(struct search *search, const struct wanted *wanted, struct error *error)
{
    gtrav_graph *graph = search->graph;
    const gtrav_query *query = search->query;
    struct preparation *preparation = &search->preparation;
    const struct order_wish wish = {.of_user = query != NULL ? query->reorder : NULL,
                                    .of_algorithm = graph->graph.permutation == NULL ? preparation->choice.order : NULL,
                                    .in_file = graph->of_file.permutation != NULL,
                                    .untranslated = query != NULL && query->on_device,
                                    .by_own_ids = wanted->by_own_ids &&
                                                  preparation->outputs & (OUTPUT_ORDER | OUTPUT_EDGE_BETWEENNESS),
                                    .only_own = wanted->in_own_order};
    enum order_source source = order_choose(&wish);
    const char *spec = source == ORDER_OF_USER ? wish.of_user : source == ORDER_OF_ALGORITHM ? wish.of_algorithm : NULL;
    if (source == ORDER_REFUSED)
        return error_set(error, STATUS_INPUT, "%s: %s; search with reorder natural", graph->graph.name,
                         wish.only_own ? "masks and several sources need the graph's own order"
                                       : "the result is ordered by the graph's own ids");
    if (source == ORDER_OF_FILE)
        preparation->reordered = &graph->of_file;
    if (spec != NULL && order_take(&graph->orders, &graph->graph, spec, &preparation->order, error) == STATUS_OK &&
        preparation->order->graph.permutation != NULL)
        preparation->reordered = &preparation->order->graph;
    return error->status;
}

/* ---- begin and end ---- */

static int take_shared_gpu(struct search *search, struct place *place, struct error *error)
{
    const char *device = search->query != NULL ? search->query->device : NULL;
    *place = search->graph->context->place;
    if (device != NULL && place_parse(device, place, error) != STATUS_OK)
        return error->status;
    search->gpu = shared_gpu_take(place->number, error);
    return error->status;
}

/* Lets an engine of an earlier search prepare more. */
static void advance(struct search *search)
{
    struct run *run = &search->prepared->engine.run;
    const struct algorithm *algorithm = search->prepared->request.algorithm;
    unsigned done = run->steps.num_done;
    if (!run->steps.wanted || algorithm->advance == NULL)
        return;
    double begin_ms = now_ms();
    algorithm->advance(run);
    search->times.prepare_ms = run->steps.num_done > done ? now_ms() - begin_ms : 0;
}

/* Refuses to count edges in a graph with weights, unless the query says so. */
static int refuse_weights(const struct search *search, struct error *error)
{
    const struct graph *graph = &search->graph->graph;
    if (graph->weight_type == WEIGHTS_NONE || (search->query != NULL && search->query->counts_edges))
        return STATUS_OK;
    return error_set(error, STATUS_INPUT,
                     "%s: the graph has weights, which this search would ignore; count-edges=yes counts edges",
                     graph->name);
}

static int begin(struct search *search, const struct wanted *wanted)
{
    struct preparation *preparation = &search->preparation;
    struct error *error = &search->call.error;
    struct place place;
    if ((wanted->of_lengths && refuse_weights(search, error) != STATUS_OK) ||
        take_shared_gpu(search, &place, error) != STATUS_OK)
        return error->status;
    bool has_sources = wanted->num_sources > 0 && search->graph->graph.num_vertices > 0;
    if (choose_algorithm(search, wanted, place.choice, error) != STATUS_OK ||
        choose_order(search, wanted, error) != STATUS_OK || !has_sources)
        return error->status;
    if (shared_gpu_enter(preparation->gpu, preparation->choice.on, error) != STATUS_OK)
        return error->status;
    search->entered = true;
    if (preparation->gpu != NULL)
        preparation->gpu->machine.devices[preparation->choice.on].seed = search->seed;
    search->prepared = prepared_take(search->graph, preparation, error);
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
        search->times.upload_ms = prepared->engine.setup.upload_ms;
        search->times.prepare_ms = prepared->engine.setup.prepare_ms;
    }
    if (query == NULL)
        return;
    /* Names are short. snprintf() would take a tenth of the time of a search on 100 edges. */
    char *of_variant = stpcpy(stpcpy(query->ran, preparation->choice.algorithm->family), " ");
    char *of_device = stpcpy(stpcpy(of_variant, preparation->choice.algorithm->variant), " on ");
    strcpy(of_device, device_words[preparation->choice.on]);
    strcpy(query->note, prepared != NULL ? prepared->engine.run.note : "");
    if (wanted->answers[0].outputs & FOR_LIMITS && query->note[0] == '\0')
        snprintf(query->note, sizeof query->note, "takes limits");
    note_handover(search->asked, preparation->choice.algorithm, query->note);
}

bool search_begin(struct search *search, gtrav_graph *graph, gtrav_query *query, const struct wanted *wanted,
                  gtrav_error *public_error)
{
    *search = (struct search){.graph = graph, .query = query, .began_ms = now_ms()};
    search->preparation.num_sources = wanted->num_sources > 0 ? wanted->num_sources : 1;
    if (!call_begin(&search->call, graph->context, query, public_error))
        return false;
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
    const struct preparation *preparation = &search->preparation;
    if (prepared != NULL) {
        bool emulated = preparation->choice.on == DEVICE_EMULATOR;
        struct steps *steps = &prepared->engine.run.steps;
        steps->num_searched++;
        steps->searched_ms += emulated ? 1 : search->searched_ms + search->times.download_ms;
        prepared_put(search->graph, prepared, search->call.error.status);
    }
    if (search->entered)
        shared_gpu_leave(preparation->gpu, preparation->choice.on);
    order_put(preparation->order);
    shared_gpu_put(search->gpu);
    search->times.total_ms = now_ms() - search->began_ms;
    if (search->call.listens && search->query != NULL)
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
        return search->call.error.status;
    search->times.kernel_ms += times.kernel_ms;
    search->searched_ms += times.time_ms;
    return STATUS_OK;
}

int search_fetch(struct search *search, uint32_t num_sources, struct traversal *result)
{
    search->prepared->engine.unverified = !verifies(search);
    if (engine_fetch(&search->prepared->engine, num_sources, result) != STATUS_OK)
        return search->call.error.status;
    search->times.download_ms += search->prepared->engine.download_ms;
    return STATUS_OK;
}

int complete_arrays(struct search *search, struct traversal *result)
{
    struct prepared *prepared = search->prepared;
    struct error *error = &search->call.error;
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++) {
        if (!(search->preparation.outputs & array->output) || entries_of(result, array) != NULL)
            continue;
        if (entries_of(&prepared->room, array) == NULL &&
            outputs_allocate(&search->graph->graph, array->output, 1, &prepared->room, error) != STATUS_OK)
            return error->status;
        set_entries(result, array, entries_of(&prepared->room, array));
    }
    return STATUS_OK;
}

int search_once(struct search *search, const struct query *query, struct traversal *result)
{
    const struct algorithm *algorithm = search->prepared->request.algorithm;
    progress_begin(search->prepared->phase, 0);
    bool takes_some = query->limits != NULL && !verifies(search) && !narrows(search);
    if (search_traverse(search, query) == STATUS_OK && (takes_some || complete_arrays(search, result) == STATUS_OK) &&
        search_fetch(search, 1, result) == STATUS_OK && verifies(search))
        outputs_verify(&search->graph->graph, algorithm, query, result, &search->call.error);
    progress_end();
    outputs_free_tables(result);
    return search->call.error.status;
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
