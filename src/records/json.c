/* json.c: runs as JSON for other programs. */
#include "json.h"

#include "../algorithm_options.h"
#include "columns.h"

/* "alpha=15 beta=18" as {"alpha": "15", ...} with numbers as numbers. */
static void json_options(FILE *file, const struct bench_request *request)
{
    char text[512], *save;
    options_format(request->algorithm, request->options, text, sizeof text);
    fputs("{", file);
    for (char *pair = strtok_r(text, " ", &save), *comma = ""; pair != NULL;
         pair = strtok_r(NULL, " ", &save), comma = ", ") {
        char *value = strchr(pair, '=');
        *value++ = '\0';
        fprintf(file, "%s\"%s\": ", comma, pair);
        if (strspn(value, "-0123456789") == strlen(value))
            fputs(value, file);
        else
            json_string(file, value);
    }
    fputs("}", file);
}

static void json_source(FILE *file, vertex_t source)
{
    if (source == NO_VERTEX)
        fputs("null", file);
    else
        fprintf(file, "%" PRIu32, source);
}

static void json_trials(FILE *file, const struct trials_result *result, uint64_t num_targets)
{
    fputs("  \"sources\": [", file);
    for (int i = 0; i < result->num_trials; i++) {
        fputs(i > 0 ? ", " : "", file);
        json_source(file, result->trials[i].source);
    }
    fputs("],\n  \"trials\": [", file);
    for (int i = 0; i < result->num_trials; i++) {
        fputs(i > 0 ? ",\n    {" : "\n    {", file);
        json_columns(file, trial_columns, NULL, &result->trials[i]);
        for (uint64_t t = 0; t < num_targets; t++) {
            fputs(t > 0 ? ", " : ", \"target_levels\": [", file);
            json_source(file, result->target_levels[(size_t)i * num_targets + t]); /* prints UNREACHED as null */
            fputs(t + 1 == num_targets ? "]" : "", file);
        }
        fputs("}", file);
    }
    fputs("\n  ],\n", file);
}

/* Which build measured, when, and with how many CPU threads. */
static void json_identity(FILE *file, const struct bench_request *request)
{
    char date[DATE_BYTES], threads[THREADS_BYTES];
    put_date(date);
    request_threads(request, threads);
    json_string_after(file, "  \"version\": ", build_version());
    fprintf(file, ", \"build\": \"%s\", \"date\": \"%s\", \"threads\": %s, \"launch\": \"%s\",\n", build_id(), date,
            threads[0] != '\0' ? threads : "null", launch_id());
}

/* How many trials were taken from records, and the version and date of the newest one. */
static void json_resumed(FILE *file, const struct trials_result *result)
{
    int count = num_resumed(result);
    fputs("  \"resumed\": ", file);
    if (count == 0) {
        fputs("null,\n", file);
        return;
    }
    fprintf(file, "{\"trials\": %d", count);
    json_string_after(file, ", \"version\": ", result->resumed_version);
    json_string_after(file, ", \"date\": ", result->resumed_date);
    fputs("},\n", file);
}

void json_head(FILE *file, const struct bench_request *request, const struct trials_result *result)
{
    fputs("{\n", file);
    json_identity(file, request);
    json_string_after(file, "  \"graph\": {\"name\": ", request->graph->name);
    fprintf(file, ", \"vertices\": %" PRIu32 ", \"edges\": %" PRIu64 ", \"symmetric\": %s, \"load_ms\": %.3f},\n",
            request->graph->num_vertices, request->graph->num_edges, json_bool(request->graph->symmetric),
            result->setup.load_ms);
    fprintf(file, "  \"algorithm\": {\"family\": \"%s\", \"variant\": \"%s\", \"options\": ", request->family->name,
            request->algorithm->variant);
    json_options(file, request);
    json_string_after(file, "},\n  \"device\": ", request->device->slug);
    if (num_devices(request) > 1)
        fprintf(file, ",\n  \"devices\": %d", num_devices(request));
    if (result->setup.note[0] != '\0')
        json_string_after(file, ",\n  \"note\": ", result->setup.note);
    if (result->setup.facts[0] != '\0')
        fprintf(file, ",\n  \"facts\": %s", result->setup.facts);
    if (request->reordered != NULL)
        fprintf(file, ",\n  \"reorder\": {\"name\": \"%s\", \"ms\": %.3f}", request->reordered->reordering,
                request->reorder_ms);
    if (request->max_depth > 0)
        fprintf(file, ",\n  \"max_depth\": %d", request->max_depth);
    if (request->cold)
        fputs(",\n  \"cold\": true", file);
    for (uint64_t i = 0; i < request->num_targets; i++)
        fprintf(file, "%s%" PRIu32 "%s", i > 0 ? ", " : ",\n  \"targets\": [", request->targets[i].vertex,
                i + 1 == request->num_targets ? "]" : "");
    fprintf(file, ",\n  \"verify\": \"%s\",\n  \"prepare_ms\": %.3f, \"upload_ms\": %.6f", verify_word(request->verify),
            result->setup.prepare_ms, result->setup.upload_ms);
    fputs(",\n  \"warnings\": [", file);
    for (int i = 0; i < result->warnings.count; i++)
        json_string_after(file, i > 0 ? ", " : "", result->warnings.text[i]);
    fputs("]", file);
}

void json_run(FILE *file, const struct bench_request *request, const struct trials_result *result)
{
    json_head(file, request, result);
    fputs(",\n", file);
    json_resumed(file, result);
    fprintf(file, "  \"repeats\": %u,\n", request->repeats > 0 ? request->repeats : 1);
    json_trials(file, result, request->num_targets);
    if (result->wrong[0] != '\0') {
        json_string_after(file, "  \"wrong\": ", result->wrong);
        fputs(",\n", file);
    }
    fputs("  \"summary\": {", file);
    json_columns(file, summary_columns, NULL, result);
    fputs("}", file);
}
