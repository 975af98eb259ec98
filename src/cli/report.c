#include "report.h"

#include <stdarg.h>
#include <unistd.h>

#include "../records/json.h"
#include "../run/memory.h"
#include "../run/outputs.h"
#include "terminal.h"

#define USUAL_COLUMNS 80 /* of --list, if standard output is no terminal */

/* ---- --list ---- */

void list_outputs(unsigned outputs, const char *quote, char *text, size_t size)
{
    text[0] = '\0';
    for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
        if (outputs & array->output && array->name != NULL)
            text_append(text, size, ", ", "%s%s%s", quote, array->name, quote);
}

static const char *availability(const struct algorithm *algorithm, struct machine *machine)
{
    return can_run(algorithm, CHOICE_AUTO, machine)             ? ""
           : machine_device(machine, algorithm->device) != NULL ? " (cpu)"
           : emulated_algorithm(algorithm) != NULL              ? " (emulated)"
                                                                : " (not here)";
}

static void json_field(FILE *file, const char *name, const char *value)
{
    fprintf(file, "\"%s\": ", name);
    json_string(file, value);
    fputs(", ", file);
}

static void list_json(FILE *file, const struct family *family, struct machine *machine)
{
    int count = 0;
    for (int i = 0; i < num_algorithms; i++) {
        const struct algorithm *algorithm = algorithms[i];
        if (family != NULL && !is_variant_of(algorithm, family))
            continue;
        char outputs[64], on_request[64];
        list_outputs(algorithm->outputs, "\"", outputs, sizeof outputs);
        list_outputs(algorithm->on_request, "\"", on_request, sizeof on_request);
        fputs(count++ == 0 ? "[{" : ",\n {", file);
        json_field(file, "family", algorithm->family);
        json_field(file, "variant", algorithm->variant);
        json_field(file, "device", device_words[algorithm->device]);
        fprintf(file, "\"outputs\": [%s], \"on_request\": [%s], ", outputs, on_request);
        json_field(file, "title", algorithm->title);
        json_field(file, "citation", algorithm->citation);
        json_field(file, "reorder", algorithm->reorder);
        fprintf(file, "\"profiled\": %s, \"test_options\": [", json_bool(algorithm->profiled));
        const struct option_spec *option = algorithm->options;
        for (bool any = false; option != NULL && option->name != NULL; option++) {
            if (option->for_tests)
                fprintf(file, "%s\"%s\"", any ? ", " : "", option->name);
            any |= option->for_tests;
        }
        fprintf(file, "], \"available\": %s, \"emulated\": %s}", json_bool(can_run(algorithm, CHOICE_AUTO, machine)),
                json_bool(emulated_algorithm(algorithm) != NULL));
    }
    fputs(count > 0 ? "]\n" : "[]\n", file);
}

/* Returns whether the algorithm runs here without --variant. */
static bool is_preferred(const struct algorithm *algorithm, struct machine *machine)
{
    return default_algorithm(&(struct answer){.family = algorithm->family}, CHOICE_AUTO, machine) == algorithm;
}

/* A row of --list --long: one algorithm. */
static void list_row(struct table *table, int row, const struct algorithm *algorithm, struct machine *machine)
{
    char outputs[64], on_request[64];
    list_outputs(algorithm->outputs, "", outputs, sizeof outputs);
    list_outputs(algorithm->on_request, "", on_request, sizeof on_request);
    table_cell(table, row, 0, "%s", algorithm->family);
    table_cell(table, row, 1, "%s%s", algorithm->variant, is_preferred(algorithm, machine) ? " *" : "");
    table_cell(table, row, 2, "%s%s", device_words[algorithm->device], availability(algorithm, machine));
    table_cell(table, row, 3, algorithm->on_request != 0 ? "%s (%s)" : "%s", outputs, on_request);
    table_cell(table, row, 4, "%s", algorithm->title);
    table_cell(table, row, 5, "%s", algorithm->citation);
}

/* Writes a family's variants: "cpu: gap*, serial; gpu (emulated): auto, queue". */
static void list_variants(const char *family, struct machine *machine, char *text, size_t size)
{
    const char *device = NULL;
    text[0] = '\0';
    for (int kind = 0; kind < NUM_DEVICES; kind++)
        for (int i = 0; i < num_algorithms; i++) {
            const struct algorithm *algorithm = algorithms[i];
            if (strcmp(algorithm->family, family) != 0 || (int)algorithm->device != kind)
                continue;
            if (device != device_words[kind])
                text_append(text, size, "; ", "%s%s: ", device_words[kind], availability(algorithm, machine));
            text_append(text, size, "", "%s%s%s", device == device_words[kind] ? ", " : "", algorithm->variant,
                        is_preferred(algorithm, machine) ? "*" : "");
            device = device_words[kind];
        }
}

__attribute__((format(printf, 2, 3))) static void list_note(FILE *file, const char *format, ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    print_wrapped(file, text, terminal_columns(fileno(file)), 0);
}

static void list_adapters(FILE *file)
{
    char text[512];
    struct error error = {0};
    int count = device_count(DEVICE_WEBGPU);
    for (int number = 0; number < count; number++)
        if (device_describe(DEVICE_WEBGPU, number, text, sizeof text, &error) == STATUS_OK)
            list_note(file, "WebGPU adapter %d: %s", number, text);
    if (count == 0) {
        device_describe(DEVICE_WEBGPU, 0, text, sizeof text, &error);
        list_note(file, "no WebGPU algorithm can run here: %s", error.text);
    }
}

static void list_notes(FILE *file, bool is_long, const struct family *only, struct machine *machine)
{
    fputc('\n', file);
    list_note(file, "* what --algo FAMILY runs here without --variant%s", is_long ? "" : "; --list --long shows all");
    for (const struct family *family = families; family->name != NULL; family++)
        if (is_long && family->engines != NULL && (only == NULL || family == only))
            list_note(file, "--algo %s (%s): runs on each %s variant that gives the needed outputs", family->name,
                      family->title, family->engines);
    if (machine_device(machine, DEVICE_GPU) == NULL)
        list_note(file, "GPU algorithms %s: %s",
                  machine_device(machine, DEVICE_EMULATOR) != NULL ? "run only on the emulator here"
                                                                   : "cannot run here",
                  machine->errors[DEVICE_GPU].text);
    if (is_long)
        list_adapters(file);
}

/* Fills the rows of --list --long below the headings. */
static void list_algorithms(struct table *table, const struct family *family, struct machine *machine)
{
    static const char *const headings[] = {"family", "variant", "device", "outputs", "title", "citation"};
    for (int column = 0; column < table->num_columns; column++)
        table_cell(table, 0, column, "%s", headings[column]);
    for (int i = 0; i < num_algorithms; i++)
        if (family == NULL || is_variant_of(algorithms[i], family))
            list_row(table, table->num_rows++, algorithms[i], machine);
}

/* Fills the rows of --list below the headings. */
static void list_families(struct table *table, const struct family *only, struct machine *machine)
{
    char variants[CELL_BYTES];
    table_cell(table, 0, 0, "family");
    table_cell(table, 0, 1, "variants");
    for (const struct family *family = families; family->name != NULL; family++) {
        if (only != NULL && family != only)
            continue;
        if (family->engines != NULL)
            snprintf(variants, sizeof variants, "those of %s that give the needed outputs", family->engines);
        else
            list_variants(family->name, machine, variants, sizeof variants);
        table_cell(table, table->num_rows, 0, "%s", family->name);
        table_cell(table, table->num_rows++, 1, "%s", variants);
    }
}

int report_list(FILE *file, const struct settings *settings, const struct family *family, struct machine *machine,
                struct error *error)
{
    struct table table;
    bool is_long = settings->is_long;
    int columns = terminal_columns(fileno(file));
    if (machine_device(machine, DEVICE_CPU) == NULL) /* every machine has a CPU, so something failed */
        return error_set(error, machine->errors[DEVICE_CPU].status, "%s", machine->errors[DEVICE_CPU].text);
    if (settings->json) {
        list_json(file, family, machine);
        return STATUS_OK;
    }
    if (table_init(&table, 1 + num_algorithms + MAX_FAMILIES, is_long ? "llwwww" : "lw", error) != STATUS_OK)
        return error->status;
    table.num_rows = 1;
    (is_long ? list_algorithms : list_families)(&table, family, machine);
    table_print(file, &table, is_long || columns > 0 ? columns : USUAL_COLUMNS);
    table_release(&table);
    list_notes(file, is_long, family, machine);
    return STATUS_OK;
}

/* ---- the graph ---- */

/* Returns the name of a reordered graph's order; NULL: the graph is in its input's order. */
static const char *reordering_of(const struct graph *graph)
{
    return graph->permutation != NULL ? graph->reordering : NULL;
}

void describe_graph(const struct graph *graph, double load_ms, char *text, size_t size)
{
    const char *origin = graph->origin, *order = reordering_of(graph);
    bool weighted = graph->weights != NULL;
    char weights[WEIGHTS_BYTES], vertices[VERTICES_BYTES], edges[EDGES_BYTES], loops[GROUPED_BYTES],
        duplicates[GROUPED_BYTES];
    if (!graph_has_lists(graph)) {
        snprintf(text, size, "%s: %s, %s with self-loops and duplicates, which the GPU makes", graph->name,
                 vertices_in_words(graph->num_vertices, vertices),
                 edges_in_words(graph->num_edges, graph->symmetric, edges));
        return;
    }
    snprintf(
        text, size, "%s: %s, %s, %s%s%s%s%s%s, %s self-loops and %s duplicates dropped, %s in %.*f s", graph->name,
        vertices_in_words(graph->num_vertices, vertices), edges_in_words(graph->num_edges, graph->symmetric, edges),
        origin, order != NULL ? ", reordered by " : "", order != NULL ? order : "", weighted ? ", weights (" : "",
        weighted ? weights_in_words(graph, weights) : "", weighted ? ")" : "",
        grouped(graph->self_loops_dropped, loops), grouped(graph->duplicates_dropped, duplicates),
        strncmp(origin, "generated", strlen("generated")) == 0 ? "made" : "read", load_ms < 100 ? 3 : 1, load_ms / 1e3);
}

/* Returns the lowest degree of a bin of the histogram. Bins are 0, 1, 2..3, 4..7, ... */
static uint64_t bin_from(int bin)
{
    return bin == 0 ? 0 : (uint64_t)1 << (bin - 1);
}
static uint64_t bin_to(int bin)
{
    return bin == 0 ? 0 : ((uint64_t)1 << bin) - 1;
}

static int used_bins(const gtrav_info *info)
{
    int bins = GTRAV_DEGREE_BINS;
    while (bins > 0 && info->degree_histogram[bins - 1] == 0)
        bins--;
    return bins;
}

static void info_json(FILE *file, const struct graph *graph, const gtrav_info *info, double load_ms)
{
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"vertices", info->num_vertices},
                  {"edges", info->num_edges},
                  {"self_loops_dropped", info->self_loops_dropped},
                  {"duplicates_dropped", info->duplicates_dropped},
                  {"isolated", info->isolated},
                  {"max_degree", info->max_degree},
                  {"sum_squared_degrees", info->sum_squared_degrees},
                  {"components", info->components},
                  {"largest_component", info->largest_component},
                  {"pseudo_diameter", info->pseudo_diameter},
                  {"csr_bytes", info->bytes}};
    char weights[WEIGHTS_BYTES];
    fputc('{', file);
    json_field(file, "name", graph->name);
    json_field(file, "origin", graph->origin);
    json_field(file, "reordering", reordering_of(graph));
    json_field(file, "weights", graph->weights != NULL ? weights_in_words(graph, weights) : NULL);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        fprintf(file, "\"%s\": %" PRIu64 ", ", counts[i].name, counts[i].value);
    fprintf(file, "\"symmetric\": %s, \"acyclic\": %s, \"scale_free\": %s", json_bool(info->symmetric),
            json_bool(info->acyclic), json_bool(info->scale_free));
    fprintf(file, ", \"top1_share\": %.6g, \"top10_share\": %.6g, \"fit_slope\": %.6g, \"fit_r2\": %.6g",
            info->top1_share, info->top10_share, info->fit_slope, info->fit_r2);
    fprintf(file, ", \"load_ms\": %.3f, \"degree_histogram\": [", load_ms);
    for (int bin = 0; bin < used_bins(info); bin++)
        fprintf(file, "%s{\"from\": %" PRIu64 ", \"to\": %" PRIu64 ", \"vertices\": %" PRIu64 "}", bin > 0 ? ", " : "",
                bin_from(bin), bin_to(bin), info->degree_histogram[bin]);
    fputs("]", file);
}

/* "max degree           1,234" */
__attribute__((format(printf, 3, 4))) static void print_fact(FILE *file, const char *label, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(file, "  %-20s ", label);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fputc('\n', file);
}

#define HISTOGRAM_BAR 40

static void print_histogram(FILE *file, const gtrav_info *info)
{
    uint64_t most = 1;
    int bins = used_bins(info);
    for (int bin = 0; bin < bins; bin++)
        most = info->degree_histogram[bin] > most ? info->degree_histogram[bin] : most;
    fprintf(file, "\n  %-20s %14s %8s\n", "out-degree", "vertices", "share");
    for (int bin = 0; bin < bins; bin++) {
        uint64_t count = info->degree_histogram[bin];
        char from[GROUPED_BYTES], to[GROUPED_BYTES], range[2 * GROUPED_BYTES + 3], vertices[GROUPED_BYTES];
        snprintf(range, sizeof range, "%s%s%s", grouped(bin_from(bin), from), bin > 1 ? " - " : "",
                 bin > 1 ? grouped(bin_to(bin), to) : "");
        int length = (int)((double)count * HISTOGRAM_BAR / (double)most + 0.5);
        fprintf(file, "  %-20s %14s %7.2f%%%s", range, grouped(count, vertices),
                100.0 * (double)count / (double)info->num_vertices, length > 0 ? "  " : "");
        while (length-- > 0)
            fputc('#', file);
        fputc('\n', file);
    }
}

static void info_text(FILE *file, const struct graph *graph, const gtrav_info *info, double load_ms)
{
    char text[GROUPED_BYTES], more[GROUPED_BYTES], edges[EDGES_BYTES], weights[WEIGHTS_BYTES];
    double vertices = info->num_vertices > 0 ? (double)info->num_vertices : 1;
    fprintf(file, "%s\n", graph->name);
    print_fact(file, "vertices", "%s", grouped(info->num_vertices, text));
    print_fact(file, "edges", "%s", edges_in_words(info->num_edges, info->symmetric, edges));
    print_fact(file, "kind", "%s%s (%s)", info->symmetric ? "undirected" : "directed", info->acyclic ? ", acyclic" : "",
               graph->origin);
    if (reordering_of(graph) != NULL)
        print_fact(file, "reordered by", "%s", reordering_of(graph));
    if (graph->weights != NULL)
        print_fact(file, "weights", "%s", weights_in_words(graph, weights));
    print_fact(file, "dropped", "%s self-loops, %s duplicates", grouped(info->self_loops_dropped, text),
               grouped(info->duplicates_dropped, more));
    print_fact(file, "isolated vertices", "%s", grouped(info->isolated, text));
    print_fact(file, "mean out-degree", "%.2f", (double)info->num_edges / vertices);
    print_fact(file, "max out-degree", "%s", grouped(info->max_degree, text));
    print_fact(file, "sum of squares", "%s (of the out-degrees)", grouped(info->sum_squared_degrees, text));
    print_fact(file, "components", "%s, the largest of %s vertices (%.1f%%)", grouped(info->components, text),
               grouped(info->largest_component, more), 100.0 * (double)info->largest_component / vertices);
    print_fact(file, "pseudo-diameter", "%s", grouped(info->pseudo_diameter, text));
    print_fact(file, "scale-free-like", "%s: top 1%% of vertices hold %.1f%% of degree, top 10%% %.1f%%",
               info->scale_free ? "yes" : "no", 100 * info->top1_share, 100 * info->top10_share);
    print_fact(file, "log-log fit", "slope %.2f, R2 %.2f", info->fit_slope, info->fit_r2);
    print_fact(file, "memory as CSR", "%.1f MB", (double)info->bytes / 1e6);
    print_fact(file, "loaded in", "%.3f s", load_ms / 1e3);
    print_histogram(file, info);
}

/* ---- --info --device gpu: memory ---- */

/* Writes what an engine needs: a row of the table, or members of an object. */
static void report_need(FILE *file, bool json, const gtrav_memory *memory)
{
    const struct {
        const char *name;
        uint64_t bytes;
        bool known; /* otherwise more may be needed */
    } ways[] = {{"prepared", memory->prepared_bytes, memory->prepared_known},
                {"compressed", memory->compressed_bytes, memory->compressed_known},
                {"unprepared", memory->unprepared_bytes, memory->unprepared_known}};
    for (int i = 0; i < 3; i++) {
        const char *fits = ways[i].bytes > memory->device_free ? "no" : ways[i].known ? "yes" : "unknown";
        if (json)
            fprintf(file, "\"%s_bytes\": %" PRIu64 ", \"%s_known\": %s, \"%s_fits\": \"%s\", ", ways[i].name,
                    ways[i].bytes, ways[i].name, json_bool(ways[i].known), ways[i].name, fits);
        else if (ways[i].bytes == 0) /* it does not compress lists */
            fprintf(file, "%14s  %-8s", "-", "");
        else
            fprintf(file, "%2s%12.1f  %-8s", ways[i].known ? "" : ">=", 1e-6 * (double)ways[i].bytes, fits);
    }
    if (json)
        fprintf(file, "\"host_bytes\": %" PRIu64 ", \"device_free\": %" PRIu64 "}", memory->host_bytes,
                memory->device_free);
    else
        fprintf(file, "%12.1f\n", 1e-6 * (double)memory->host_bytes);
}

/* Writes what each GPU algorithm needs, except those that cannot take the graph. team_size: devices of --gpus, from
 * `device` on, on each of which those that split searches need so much; 0: no such option. */
static void report_memory(FILE *file, bool json, const struct graph *graph, struct device *device, int team_size)
{
    const char *separator = ", \"memory\": [";
    char title[32] = "MB of memory";
    if (team_size > 0)
        snprintf(title, sizeof title, "MB on each of %d", team_size);
    if (!json)
        fprintf(file, "\n  %-20s %14s  %-8s%14s  %-8s%14s  %-8s%12s\n", title, "prepared", "fits", "compressed", "fits",
                "unprepared", "fits", "on the host");
    for (int i = 0; i < num_algorithms; i++) {
        gtrav_memory memory;
        struct error error = {0};
        char name[64];
        if ((team_size > 0 && !algorithms[i]->splits) ||
            memory_estimate(algorithms[i], graph, device, team_size, &memory, &error) != STATUS_OK)
            continue;
        snprintf(name, sizeof name, "%s %s", algorithms[i]->family, algorithms[i]->variant);
        if (json)
            fprintf(file, "%s{\"engine\": \"%s\", \"gpus\": %d, ", separator, name, team_size > 0 ? team_size : 1);
        else
            fprintf(file, "  %-20s ", name);
        report_need(file, json, &memory);
        separator = ",\n ";
    }
    fputs(json ? "]" : "", file);
}

int report_info(FILE *file, const struct settings *settings, const struct graph *graph, const gtrav_info *info,
                double load_ms, struct machine *machine, struct error *error)
{
    const enum device_choice choice = (enum device_choice)settings->device;
    const enum device_kind kind = device_of_choice(choice);
    struct device *device = NULL;
    if ((choice == CHOICE_GPU || choice == CHOICE_EMULATOR) && (device = machine_device(machine, kind)) == NULL)
        *error = machine->errors[kind];
    if (device != NULL && settings->gpus != NULL &&
        machine_open_team(machine, kind, settings->gpus, error) != STATUS_OK)
        return error->status;
    (settings->json ? info_json : info_text)(file, graph, info, load_ms);
    if (device != NULL)
        report_memory(file, settings->json, graph, machine->team != NULL ? machine->team : device, machine->team_size);
    if (settings->json)
        fputs("}", file);
    return error->status;
}
