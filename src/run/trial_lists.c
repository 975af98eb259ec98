/* trial_lists.c: writes the trials of a summary as lists. */
#include "trial_lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../verify/families.h"
#include "sources.h"

#define SMALL_SHARE  100 /* a small reach is less than the largest one divided by this */
#define WORD_BYTES   32
#define EMPTY_FIELDS ",,,,,"

/* Writes an entry of a trial as a word. */
typedef void put_word(const struct trial *trial, char word[WORD_BYTES]);

static void put_time(const struct trial *trial, char word[WORD_BYTES])
{
    snprintf(word, WORD_BYTES, "%.4g", trial->time_ms);
}
static void put_kernel_time(const struct trial *trial, char word[WORD_BYTES])
{
    snprintf(word, WORD_BYTES, "%.4g", trial->kernel_ms);
}
static void put_edges(const struct trial *trial, char word[WORD_BYTES])
{
    snprintf(word, WORD_BYTES, "%" PRIu64, trial->edges);
}
static void put_source(const struct trial *trial, char word[WORD_BYTES])
{
    snprintf(word, WORD_BYTES, "%" PRIu32, trial->source);
}

/* Writes the words of all trials; equal neighbours as one word and their number. */
static void put_list(FILE *file, const struct trial *trials, int count, put_word *put)
{
    char word[WORD_BYTES], next[WORD_BYTES];
    for (int i = 0, equal; i < count; i += equal) {
        put(&trials[i], word);
        for (equal = 1; i + equal < count; equal++) {
            put(&trials[i + equal], next);
            if (strcmp(word, next) != 0)
                break;
        }
        fprintf(file, equal > 1 ? "%s%s*%d" : "%s%s", i > 0 ? " " : "", word, equal);
    }
}

/* Writes the places of trials with a small reach; neighbours as a range. */
static void put_small_reach(FILE *file, const struct trial *trials, int count)
{
    uint64_t most = 0;
    bool first = true;
    for (int i = 0; i < count; i++)
        most = trials[i].reached > most ? trials[i].reached : most;
    for (int i = 0, end; i < count; i = end + 1) {
        for (end = i; end < count && trials[end].reached * SMALL_SHARE < most; end++)
            ;
        if (end == i)
            continue;
        fprintf(file, end > i + 1 ? "%s%d-%d" : "%s%d", first ? "" : " ", i, end - 1);
        first = false;
    }
}

/* Whether the trials start at the first sources of GAP's list. */
static bool starts_at_picks(const struct graph *graph, const struct trial *trials, int count)
{
    vertex_t picks[MOST_LISTED];
    struct error none = {0};
    if (count == 0 || pick_sources(graph, count, picks, &none) != STATUS_OK)
        return false;
    for (int i = 0; i < count; i++)
        if (trials[i].source != picks[i])
            return false;
    return true;
}

static void put_sources(FILE *file, const struct bench_request *request, const struct trial *trials, int count)
{
    if (request->sources == NULL)
        return;
    if (starts_at_picks(request->graph, trials, count))
        fputs("gap", file);
    else
        put_list(file, trials, count, put_source);
}

int trial_lists(const struct bench_request *request, const struct bench_result *result, char **fields,
                struct error *error)
{
    const struct trial *trials = result->trials;
    int count = result->num_trials < MOST_LISTED ? result->num_trials : MOST_LISTED;
    bool has_trials = request->family == NULL || request->family->engines == NULL;
    size_t size;
    *fields = NULL;
    FILE *file = open_memstream(fields, &size);
    if (file == NULL)
        return error_set(error, STATUS_INPUT, "out of memory: the times of a summary");
    if (has_trials) {
        put_list(file, trials, count, put_time);
        putc(',', file);
        put_list(file, trials, count, put_kernel_time);
        putc(',', file);
        put_list(file, trials, count, put_edges);
        putc(',', file);
        put_sources(file, request, trials, count);
        putc(',', file);
        put_small_reach(file, trials, count);
        putc(',', file);
    } else {
        fputs(EMPTY_FIELDS, file);
    }
    bool torn = ferror(file) != 0;
    if (fclose(file) != 0 || torn || *fields == NULL) {
        free(*fields);
        *fields = NULL;
        return error_set(error, STATUS_INPUT, "out of memory: the times of a summary");
    }
    return STATUS_OK;
}
