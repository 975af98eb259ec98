#include "engine.h"

#include <math.h>

#include "../distance.h"
#include "../graph/sources.h"
#include "../progress.h"
#include "memory.h"

/* Returns the status. If it is a failure, completes the error: the algorithm failed, and perhaps gave no reason. */
static int of_algorithm(const struct engine *engine, int status)
{
    const struct algorithm *algorithm = engine->request->algorithm;
    if (status == STATUS_OK)
        return STATUS_OK;
    engine->run.error->of_algorithm = true;
    return error_set(engine->run.error, STATUS_DEVICE, "%s %s failed without a reason: please report this",
                     algorithm->family, algorithm->variant);
}

/* ---- translating between the input's ids and the reordered graph's ---- */

/* Inverts the permutation of a reordered graph. */
static int find_new_ids(struct engine *engine, struct error *error)
{
    const struct graph *reordered = engine->request->reordered;
    if (reordered == NULL || allocate(&engine->new_id, reordered->num_vertices, sizeof *engine->new_id,
                                      "the permutation", error) != STATUS_OK)
        return error->status;
#pragma omp parallel for
    for (vertex_t k = 0; k < reordered->num_vertices; k++)
        engine->new_id[reordered->permutation[k]] = k;
    return STATUS_OK;
}

/* Returns a source's id in the reordered graph. NO_VERTEX stays NO_VERTEX. */
static vertex_t translate_source(const struct engine *engine, vertex_t source)
{
    return engine->new_id != NULL && source != NO_VERTEX ? engine->new_id[source] : source;
}

/* Translates one array. In an order, this includes the unused places beyond num_ordered. */
static void translate_array(const struct engine *engine, const struct output_array *array, const void *from, void *to)
{
    const struct graph *reordered = engine->request->reordered;
    bool by_vertex = array->extent == PER_VERTEX;
#pragma omp parallel for
    for (vertex_t v = 0; v < reordered->num_vertices; v++) {
        vertex_t k = by_vertex ? engine->new_id[v] : v;
        if (array->entry_bytes == sizeof(uint32_t))
            ((uint32_t *)to)[v] = ((const uint32_t *)from)[k];
        else
            memcpy((char *)to + v * array->entry_bytes, (const char *)from + k * array->entry_bytes,
                   array->entry_bytes);
        vertex_t *vertex = (vertex_t *)to + v;
        if (array->holds_vertices && *vertex < reordered->num_vertices)
            *vertex = reordered->permutation[*vertex];
    }
}

/* Relabels every set by its smallest vertex in the input's ids. The loop meets this vertex first, and stores it at
 * the vertex of the old label, where the others find it. Values that are no ids stay. */
static void rename_sets(vertex_t num_vertices, vertex_t *label)
{
    for (vertex_t v = 0; v < num_vertices; v++) {
        vertex_t old = label[v];
        if (old >= num_vertices)
            continue;
        if (label[old] == old && old > v)
            label[old] = v;
        label[v] = label[old];
    }
}

/* Translates those arrays that both results have from the reordered graph's ids to the input's. A value that is no
 * vertex id is copied unchanged, so that verification finds it. */
static void translate_result(const struct engine *engine, const struct traversal *reordered, struct traversal *result)
{
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (is_translated(array) && entries_of(reordered, array) != NULL && entries_of(result, array) != NULL) {
            translate_array(engine, array, entries_of(reordered, array), entries_of(result, array));
            if (array->output == OUTPUT_COMPONENT)
                rename_sets(engine->run.graph->num_vertices, entries_of(result, array));
        }
}

/* ---- preparing ---- */

/* Returns the peak of the memory in use since the last call, of the device with the highest peak. */
static uint64_t peak_of_memory(const struct engine *engine)
{
    uint64_t peak = 0;
    for (int i = 0; i == 0 || i < engine->run.team_size; i++) {
        struct device_memory *memory = engine->device[i].memory;
        if (memory != NULL && memory->peak_bytes > peak)
            peak = memory->peak_bytes;
        if (memory != NULL)
            memory->peak_bytes = memory->bytes;
    }
    return peak;
}

/* Refuses a topological order of a graph with self-loops, which no algorithm could refuse, as they are not stored; and
 * a graph without the weights that the family needs. */
static int check_graph(const char *family, const struct graph *graph, struct error *error)
{
    if (strcmp(family, "topo") == 0 && graph_has_loops(graph))
        error_set(error, STATUS_INPUT,
                  "%s: the graph has a cycle: %llu self-loop%s; a topological order needs a DAG, such as dag:5000:0.4",
                  graph->name, (unsigned long long)graph->self_loops_dropped,
                  graph->self_loops_dropped == 1 ? "" : "s");
    if (family_of(family)->weighted && graph->weight_type == WEIGHTS_NONE)
        error_set(error, STATUS_INPUT, "%s: the graph has no weights, which %s needs; load it with --weights auto",
                  graph->name, family);
    return error->status;
}

/* Refuses a result with a distance that may stand for a longer one. */
static int refuse_saturated(const struct graph *graph, const double *distance, struct error *error)
{
    double largest = largest_distance(graph->weight_type);
    vertex_t far = NO_VERTEX;
#pragma omp parallel for reduction(min : far)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (distance[v] == largest && v < far)
            far = v;
    return far == NO_VERTEX
               ? STATUS_OK
               : error_set(error, STATUS_INPUT,
                           "%s: the distance of vertex %u is %.10g or more; divide all weights by a number",
                           graph->name, far, largest);
}

/* Checks that the memory suffices. Then calls the algorithm's prepare(), and times the call and its uploads. */
static int prepare(struct engine *engine)
{
    struct device_memory *memory = engine->device->memory;
    const struct algorithm *algorithm = engine->request->algorithm;
    struct run *run = &engine->run;
    char step[NOTE_BYTES], note[NOTE_BYTES];
    if (of_algorithm(engine, memory_fit(algorithm, run, 0, step, run->error)) != STATUS_OK)
        return run->error->status;
    double begin = now_ms();
    engine->prepared = true;
    if (memory != NULL) {
        memory->upload_ms = 0;
        memory->times_uploads = true;
    }
    int status = run_begin(algorithm, run);
    status = of_algorithm(engine, status == STATUS_OK ? algorithm->prepare(run) : status);
    engine->setup.prepare_ms = now_ms() - begin;
    memcpy(note, run->note, sizeof note);
    snprintf(run->note, sizeof run->note, "%.100s%.*s", step, step[0] != '\0' ? 400 : NOTE_BYTES, note);
    if (memory != NULL) {
        engine->setup.upload_ms = memory->upload_ms;
        memory->times_uploads = false;
    }
    return status;
}

/* Empties the caches of the device on which the algorithm runs. */
static int cool(struct engine *engine)
{
    struct device *device = engine->run.device; /* prepare may have replaced the request's device */
    if (device->cool != NULL)
        return device->cool(device, engine->run.error);
    return error_set(engine->run.error, STATUS_INPUT, "--cold: %s: its caches cannot be emptied; leave out --cold",
                     device->name);
}

int engine_open(struct engine *engine, const struct bench_request *request, struct device *device, unsigned outputs,
                int num_sources, struct error *error)
{
    const struct graph *graph = request->reordered != NULL ? request->reordered : request->graph;
    *engine = (struct engine){.request = request,
                              .device = device,
                              .setup = {.load_ms = request->load_ms, .reorder_ms = request->reorder_ms}};
    struct run *run = &engine->run;
    *run = (struct run){.graph = graph,
                        .device = device,
                        .outputs = outputs,
                        .num_sources = num_sources,
                        .device_bytes = request->device_bytes,
                        .profile = request->profile,
                        .error = error};
    if (num_sources < 0) {
        run->steps.wanted = true;
        run->num_sources = DEFAULT_SOURCES;
    }
    if (request->splits)
        run->team_size = request->num_devices;
    memcpy(run->options, request->options, sizeof run->options);
    if (check_graph(request->algorithm->family, request->graph, error) != STATUS_OK ||
        find_new_ids(engine, error) != STATUS_OK || device->use(device, error) != STATUS_OK ||
        (request->cold && cool(engine) != STATUS_OK))
        return error->status;
    progress_begin("preparing", 0);
    peak_of_memory(engine);
    int status = prepare(engine);
    engine->setup.peak_device_bytes = peak_of_memory(engine);
    progress_end();
    engine->batch_size = run->batch_size > 0 ? run->batch_size : 1;
    if (status == STATUS_OK && request->reordered != NULL)
        outputs_allocate(graph, outputs, 0, &engine->fetched, error);
    allocate(&engine->sources, engine->batch_size, sizeof *engine->sources, "the sources", error);
    return error->status; /* perhaps of a failed preparation */
}

/* Writes the facts of the run as a JSON object, or "" if there are none. */
static void put_facts(const struct run *run, char text[FACTS_BYTES])
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < run->num_facts; i++) {
        const struct fact *fact = &run->facts[i];
        char number[32];
        snprintf(number, sizeof number, "%.12g", fact->number);
        const char *quote = fact->word != NULL ? "\"" : "", *value = fact->word != NULL ? fact->word : number;
        length += (size_t)snprintf(text + length, FACTS_BYTES - length, "%s\"%s\": %s%s%s%s", i == 0 ? "{" : ", ",
                                   fact->name, quote, value, quote, i + 1 == run->num_facts ? "}" : "");
    }
}

void engine_close(struct engine *engine)
{
    const struct bench_request *request = engine->request;
    struct setup *setup = &engine->setup;
    setup->build_ms = engine->run.build_ms;
    setup->device_bytes = peak_of_memory(engine);
    if (setup->device_bytes > setup->peak_device_bytes)
        setup->peak_device_bytes = setup->device_bytes;
    memcpy(setup->note, engine->run.note, sizeof setup->note);
    put_facts(&engine->run, setup->facts);
    if (engine->prepared)
        run_release(request->algorithm, &engine->run);
    free(engine->sources);
    free(engine->destinations);
    free(engine->new_id);
    outputs_release(&engine->fetched);
}

void setup_join(struct setup *setup, const struct setup *other)
{
    uint64_t bytes = setup->device_bytes, peak_bytes = setup->peak_device_bytes;
    setup->prepare_ms = fmax(setup->prepare_ms, other->prepare_ms);
    setup->upload_ms = fmax(setup->upload_ms, other->upload_ms);
    setup->build_ms = fmax(setup->build_ms, other->build_ms);
    setup->device_bytes = bytes > other->device_bytes ? bytes : other->device_bytes;
    setup->peak_device_bytes = peak_bytes > other->peak_device_bytes ? peak_bytes : other->peak_device_bytes;
    machine_state_join(&setup->state, &other->state);
}

/* ---- queries and results ---- */

static int translate_query(struct engine *engine, const struct query *query, struct query *translated)
{
    *translated = *query;
    if (query->num_sources <= engine->batch_size) {
        for (uint32_t i = 0; i < query->num_sources; i++)
            engine->sources[i] = translate_source(engine, query->sources[i]);
        translated->sources = engine->sources;
    }
    engine->num_destinations = query->destinations != NULL ? query->num_destinations : 0;
    free(engine->destinations);
    engine->destinations = NULL;
    if (query->destinations == NULL || engine->request->reordered == NULL)
        return STATUS_OK;
    if (allocate(&engine->destinations, query->num_destinations, sizeof *engine->destinations, "destinations",
                 engine->run.error) != STATUS_OK)
        return engine->run.error->status;
    for (uint64_t i = 0; i < query->num_destinations; i++)
        engine->destinations[i] =
            (struct destination){query->destinations[i].which, translate_source(engine, query->destinations[i].vertex)};
    translated->destinations = engine->destinations;
    return STATUS_OK;
}

int engine_traverse(struct engine *engine, const struct query *query, struct search_times *times)
{
    struct device *device = engine->run.device; /* prepare may have replaced the request's device */
    struct query translated;
    if (translate_query(engine, query, &translated) != STATUS_OK)
        return engine->run.error->status;
    device->mark(device, MARK_BEGIN);
    int status = engine->request->algorithm->traverse(&engine->run, &translated);
    device->mark(device, MARK_END);
    if (status == STATUS_OK)
        status = device->elapsed(device, &times->time_ms, &times->kernel_ms, engine->run.error);
    times->reset_ms = device->reset_ms;
    return of_algorithm(engine, status);
}

void engine_note_before(struct engine *engine)
{
    if (engine->request->cores > 0 && !engine->setup.state.known)
        machine_state_before(&engine->setup.state, engine->device);
}

void engine_note_after(struct engine *engine)
{
    if (engine->setup.state.known)
        machine_state_after(&engine->setup.state, engine->device);
}

int engine_measure(struct engine *engine, const struct query *query, struct search_times *times)
{
    bool cold = engine->request->cold;
    bool may_repeat = !cold && engine->device->kind != DEVICE_EMULATOR && !(engine->run.outputs & OUTPUT_FARNESS);
    engine_note_before(engine);
    if (cold && cool(engine) != STATUS_OK)
        return engine->run.error->status;
    int status = engine_traverse(engine, query, times);
    if (status == STATUS_OK && may_repeat && times->time_ms < LONG_SEARCH_MS)
        status = engine_traverse(engine, query, times);
    engine_note_after(engine);
    return status;
}

int engine_fetch(struct engine *engine, uint32_t num_sources, struct traversal *result)
{
    const struct bench_request *request = engine->request;
    bool translates = request->reordered != NULL;
    struct traversal arrays = *result, fetched = *result;
    for (const struct output_array *array = output_arrays; translates && array->entry_bytes > 0; array++)
        if (is_translated(array) && entries_of(result, array) != NULL)
            set_entries(&fetched, array, entries_of(&engine->fetched, array));
    outputs_begin(request->graph, num_sources, engine->num_destinations, !engine->unverified, &fetched);
    double begin = now_ms();
    int status = of_algorithm(engine, request->algorithm->fetch(&engine->run, &fetched));
    *result = fetched; /* copies all members except the arrays */
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        set_entries(result, array, entries_of(&arrays, array));
    if (status == STATUS_OK && translates)
        translate_result(engine, &fetched, result);
    if (status == STATUS_OK && result->distance != NULL)
        status = refuse_saturated(request->graph, result->distance, engine->run.error);
    for (uint64_t i = 0; status == STATUS_OK && translates && result->path != NULL && i < result->num_path; i++)
        result->path[i] = request->reordered->permutation[result->path[i]];
    engine->download_ms = now_ms() - begin;
    return status;
}
