/* trial_lists.c: writes the trials of a summary as lists. */
#include "trial_lists.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../graph/sources.h"
#include "../verify/families.h"

#define SMALL_SHARE 100 /* a small reach is less than the largest one divided by this */
#define WORD_BYTES  32
#define MOST_LISTED 256

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

/* The number of trials that are listed: none of closeness, whose batches are no trials. */
static int num_listed(const struct bench_request *request, const struct bench_result *result)
{
    int count = result->num_trials < MOST_LISTED ? result->num_trials : MOST_LISTED;
    return request->family->engines == NULL ? count : 0;
}

/* Writes the words of all trials; equal neighbours as one word and their number. */
static void put_list(FILE *file, const struct bench_request *request, const struct bench_result *result,
                     put_word *put)
{
    const struct trial *trials = result->trials;
    int count = num_listed(request, result);
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

void list_times(FILE *file, const struct bench_request *request, const struct bench_result *result)
{
    put_list(file, request, result, put_time);
}

void list_kernel_times(FILE *file, const struct bench_request *request, const struct bench_result *result)
{
    put_list(file, request, result, put_kernel_time);
}

void list_edges(FILE *file, const struct bench_request *request, const struct bench_result *result)
{
    put_list(file, request, result, put_edges);
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

void list_sources(FILE *file, const struct bench_request *request, const struct bench_result *result)
{
    if (request->sources != NULL && starts_at_picks(request->graph, result->trials, num_listed(request, result)))
        fputs("gap", file);
    else if (request->sources != NULL)
        put_list(file, request, result, put_source);
}

void list_small_reach(FILE *file, const struct bench_request *request, const struct bench_result *result)
{
    const struct trial *trials = result->trials;
    int count = num_listed(request, result);
    uint64_t most = 0;
    const char *separator = "";
    for (int i = 0; i < count; i++)
        most = trials[i].reached > most ? trials[i].reached : most;
    for (int i = 0, end; i < count; i = end + 1) {
        for (end = i; end < count && trials[end].reached * SMALL_SHARE < most; end++)
            ;
        if (end == i)
            continue;
        fprintf(file, end > i + 1 ? "%s%d-%d" : "%s%d", separator, i, end - 1);
        separator = " ";
    }
}
