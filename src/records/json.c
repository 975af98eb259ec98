/* json.c: runs as JSON for other programs. */
#include <inttypes.h>
#include <string.h>

#include "../run/options.h"
#include "../run/trials.h"
#include "../verify/families.h"
#include "identity.h"
#include "json.h"

void json_string(FILE *file, const char *text)
{
    putc('"', file);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            putc(*text, file);
    putc('"', file);
}

const char *json_bool(bool value)
{
    return value ? "true" : "false";
}

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

/* A tree's depth and share of cross edges, null if they are not known; decimals: number of decimals of the depth. */
static void json_quality(FILE *file, const char *prefix, bool known, int decimals, double depth, double share)
{
    if (known)
        fprintf(file, ", \"%stree_depth\": %.*f, \"%scross_share\": %.9f", prefix, decimals, depth, prefix, share);
    else
        fprintf(file, ", \"%stree_depth\": null, \"%scross_share\": null", prefix, prefix);
}

/* The size of a batch, null if there are no batches. */
static void json_batch(FILE *file, uint32_t size)
{
    if (size > 0)
        fprintf(file, ", \"batch_sources\": %" PRIu32, size);
    else
        fputs(", \"batch_sources\": null", file);
}

/* A time, null if it is not known. */
static void json_time(FILE *file, const char *name, double ms)
{
    if (ms >= 0)
        fprintf(file, ", \"%s\": %.6f", name, ms);
    else
        fprintf(file, ", \"%s\": null", name);
}

/* name: "time" or "kernel". */
static void json_spread(FILE *file, const char *name, const struct spread *spread)
{
    fprintf(file,
            ", \"mean_%s_ms\": %.6f, \"median_%s_ms\": %.6f, \"min_%s_ms\": %.6f, \"max_%s_ms\": %.6f, "
            "\"%s_spread\": %.6f",
            name, spread->mean_ms, name, spread->median_ms, name, spread->min_ms, name, spread->max_ms, name,
            spread->deviation);
}

static void json_rate(FILE *file, const char *name, const struct rate *rate)
{
    fprintf(file, ", \"mean_%s\": %.3f, \"harmonic_mean_%s\": %.3f", name, rate->mean, name, rate->harmonic_mean);
}

static void json_trials(FILE *file, const struct bench_result *result)
{
    static const char *const verified[] = {[NOT_VERIFIED] = "null", [VERIFIED] = "true", [VERIFY_FAILED] = "false"};
    fputs("  \"sources\": [", file);
    for (int i = 0; i < result->num_trials; i++) {
        fputs(i > 0 ? ", " : "", file);
        json_source(file, result->trials[i].source);
    }
    fputs("],\n  \"trials\": [", file);
    for (int i = 0; i < result->num_trials; i++) {
        const struct trial *trial = &result->trials[i];
        fprintf(file, "%s\n    {\"source\": ", i > 0 ? "," : "");
        json_source(file, trial->source);
        fprintf(file,
                ", \"time_ms\": %.6f, \"reset_ms\": %.6f, \"kernel_ms\": %.6f, \"edges\": %" PRIu64
                ", \"search_mteps\": %.3f, \"mteps\": %.3f, \"reached\": %" PRIu64 ", \"verified\": %s",
                trial->time_ms, trial->reset_ms, trial->kernel_ms, trial->edges, trial->search_mteps, trial->mteps,
                trial->reached, verified[trial->verdict]);
        json_quality(file, "", trial->quality.known, 0, trial->quality.tree_depth, trial->quality.cross_share);
        json_batch(file, trial->batch);
        json_time(file, "download_ms", trial->download_ms);
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
    fputs("  \"version\": ", file);
    json_string(file, build_version());
    fprintf(file, ", \"build\": \"%s\", \"date\": \"%s\", \"threads\": %s,\n", build_id(), date,
            threads[0] != '\0' ? threads : "null");
}

static void json_warnings(FILE *file, const struct warnings *warnings)
{
    fputs(",\n  \"warnings\": [", file);
    for (int i = 0; i < warnings->count; i++) {
        fputs(i > 0 ? ", " : "", file);
        json_string(file, warnings->text[i]);
    }
    fputs("]", file);
}

/* How many trials were taken from records, and the version and date of the newest one. */
static void json_resumed(FILE *file, const struct bench_result *result)
{
    int count = num_resumed(result);
    fputs("  \"resumed\": ", file);
    if (count == 0) {
        fputs("null,\n", file);
        return;
    }
    fprintf(file, "{\"trials\": %d, \"version\": ", count);
    json_string(file, result->resumed_version);
    fputs(", \"date\": ", file);
    json_string(file, result->resumed_date);
    fputs("},\n", file);
}

void json_head(FILE *file, const struct bench_request *request, const struct bench_result *result)
{
    const struct family *family = request->family != NULL ? request->family : family_of(request->algorithm->family);
    fputs("{\n", file);
    json_identity(file, request);
    fputs("  \"graph\": {\"name\": ", file);
    json_string(file, request->graph->name);
    fprintf(file, ", \"vertices\": %" PRIu32 ", \"edges\": %" PRIu64 ", \"symmetric\": %s, \"load_ms\": %.3f},\n",
            request->graph->num_vertices, request->graph->num_edges, json_bool(request->graph->symmetric),
            result->load_ms);
    fprintf(file, "  \"algorithm\": {\"family\": \"%s\", \"variant\": \"%s\", \"options\": ", family->name,
            request->algorithm->variant);
    json_options(file, request);
    fputs("},\n  \"device\": ", file);
    json_string(file, request->device->slug);
    if (result->note[0] != '\0') {
        fputs(",\n  \"note\": ", file);
        json_string(file, result->note);
    }
    if (request->reordered != NULL)
        fprintf(file, ",\n  \"reorder\": {\"name\": \"%s\", \"ms\": %.3f}", request->reordered->reordering,
                request->reorder_ms);
    fprintf(file, ",\n  \"verify\": \"%s\",\n  \"prepare_ms\": %.3f, \"upload_ms\": %.6f",
            verify_word(request->verify), result->prepare_ms, result->upload_ms);
    json_warnings(file, &result->warnings);
}

void json_run(FILE *file, const struct bench_request *request, const struct bench_result *result)
{
    const struct summary *s = &result->summary;
    json_head(file, request, result);
    fputs(",\n", file);
    json_resumed(file, result);
    json_trials(file, result);
    if (result->wrong[0] != '\0') {
        fputs("  \"wrong\": ", file);
        json_string(file, result->wrong);
        fputs(",\n", file);
    }
    fprintf(file,
            "  \"summary\": {\"sources\": %d, \"verified\": \"%s\", \"load_ms\": %.3f, \"prepare_ms\": %.3f, "
            "\"mean_reset_ms\": %.6f, \"median_reset_ms\": %.6f",
            s->trials, s->verified, result->load_ms, result->prepare_ms, s->mean_reset_ms, s->median_reset_ms);
    json_spread(file, "time", &s->time);
    json_spread(file, "kernel", &s->kernel);
    json_rate(file, "search_mteps", &s->search_mteps);
    fprintf(file, ", \"total_search_mteps\": %.3f", s->total_mteps);
    json_rate(file, "mteps", &s->mteps);
    json_quality(file, "mean_", s->trees > 0, 3, s->mean_tree_depth, s->mean_cross_share);
    json_batch(file, s->batch_sources);
    if (s->batch_sources > 0)
        fprintf(file, ", \"batch_time_ms\": %.6f, \"batch_kernel_ms\": %.6f", s->batch_time_ms, s->batch_kernel_ms);
    else
        fputs(", \"batch_time_ms\": null, \"batch_kernel_ms\": null", file);
    if (result->time_limit_s > 0)
        fprintf(file, ", \"time_limit_s\": %d", result->time_limit_s);
    else
        fputs(", \"time_limit_s\": null", file);
    json_time(file, "download_ms", s->download_ms);
    json_time(file, "total_ms", result->total_ms);
    fprintf(file,
            ", \"upload_ms\": %.6f, \"reorder_ms\": %.3f, \"build_ms\": %.3f, \"device_bytes\": %" PRIu64
            ", \"peak_device_bytes\": %" PRIu64 "}",
            result->upload_ms, result->reorder_ms, result->build_ms, result->device_bytes, result->peak_device_bytes);
}
