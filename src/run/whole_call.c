/* whole_call.c: see whole_call.h. */
#include "whole_call.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

#include "../algorithm_options.h"
#include "../processes/ranks.h"

/* The value of an option of the algorithm; NULL if it has none of that name. */
static double *option_of(const struct algorithm *algorithm, double *options, const char *name)
{
    int i = options_find(algorithm, name, strlen(name));
    return i >= 0 ? &options[i] : NULL;
}

/* The algorithm of this family that the candidate names. */
static const struct algorithm *algorithm_of(const char *family, const struct call_candidate *candidate,
                                            enum device_kind gpu)
{
    for (int i = 0; i < num_algorithms; i++)
        if (strcmp(algorithms[i]->family, family) == 0 && strcmp(algorithms[i]->variant, candidate->variant) == 0)
            return candidate->on == DEVICE_GPU && gpu == DEVICE_EMULATOR ? emulated_algorithm(algorithms[i])
                                                                         : algorithms[i];
    return NULL;
}

static void explain(const struct call_model *model, const struct call *call, int best, unsigned on,
                    char note[NOTE_BYTES])
{
    const struct call_candidate *candidates = model->candidates;
    int second = -1;
    for (int i = 0; i < model->num_candidates; i++)
        if (i != best && on >> candidates[i].on & 1 && model->ms(call, i) < HUGE_VAL &&
            (second < 0 || model->ms(call, i) < model->ms(call, second)))
            second = i;
    int length = snprintf(note, NOTE_BYTES, "auto: %llu search%s, graph %s: %s on the %s, predicted %.3g ms in all",
                          (unsigned long long)call->num_searches, call->num_searches == 1 ? "" : "es",
                          call->warm ? "taken to be on the device" : "not on the device", candidates[best].variant,
                          candidates[best].on == DEVICE_CPU ? "CPU" : "GPU", model->ms(call, best));
    if (second >= 0)
        snprintf(note + length, NOTE_BYTES - (size_t)length, ", %s %.3g", candidates[second].variant,
                 model->ms(call, second));
}

/* Makes the request one for the candidate. */
static int become(struct chosen_call *chosen, const struct call_candidate *candidate, struct error *error)
{
    struct bench_request *request = &chosen->request;
    const struct algorithm *algorithm = algorithm_of(request->algorithm->family, candidate, request->device->kind);
    if (algorithm == NULL || algorithm == request->algorithm)
        return STATUS_OK;
    if (candidate->on == DEVICE_CPU) {
        if (device_open_cpu(&chosen->cpu, 0, error) != STATUS_OK)
            return error->status;
        request->device = &chosen->cpu;
    }
    request->algorithm = algorithm;
    request->options = chosen->options;
    return options_parse(algorithm, NULL, 0, chosen->options, error);
}

/* Values of the options `call` and `measure` of an algorithm with a model of calls. */
enum { CALL_COLD, CALL_WARM, CALL_GPU };
enum { MEASURE_AUTO, MEASURE_NONE, MEASURE_ALL };

int call_choose(const struct bench_request *asked, uint64_t num_searches, bool paths, bool device_is_given,
                struct chosen_call *chosen, struct error *error)
{
    const struct algorithm *algorithm = asked->algorithm;
    const struct graph *graph = asked->graph;
    *chosen = (struct chosen_call){.request = *asked};
    memcpy(chosen->options, asked->options, sizeof chosen->options);
    double *how = option_of(algorithm, chosen->options, "call"), *engine, *measure;
    if (algorithm->call_model == NULL || how == NULL || (int)*how == CALL_GPU || num_devices(asked) > 1 ||
        ranks()->size > 1)
        return STATUS_OK;
    if ((engine = option_of(algorithm, chosen->options, "engine")) != NULL && *engine != 0) /* the user has chosen */
        return STATUS_OK;
    unsigned on = 1u << DEVICE_GPU | (device_is_given ? 0u : 1u << DEVICE_CPU);
    struct call call = {.num_vertices = graph->num_vertices,
                        .num_edges = graph->num_edges,
                        .num_searches = num_searches,
                        .paths = paths,
                        .warm = (int)*how == CALL_WARM,
                        .threads = omp_get_max_threads(),
                        .upload_gb_per_s =
                            asked->device->memory != NULL ? asked->device->memory->upload_gb_per_s : 0};
    const struct call_model *model = algorithm->call_model;
    int best = model->fastest(&call, on);
    const struct call_candidate *winner = &model->candidates[best];
    explain(model, &call, best, on, chosen->note);
    measure = option_of(algorithm, chosen->options, "measure");
    if (strcmp(winner->variant, algorithm->variant) == 0 && measure != NULL && *measure == MEASURE_AUTO) {
        *measure = call.warm ? MEASURE_ALL : MEASURE_NONE; /* that takes some ms, which count if preparing does */
        chosen->request.options = chosen->options;
    }
    return become(chosen, winner, error);
}

void call_report(const struct chosen_call *chosen, char note[NOTE_BYTES])
{
    char of_algorithm[NOTE_BYTES];
    if (chosen->note[0] == '\0')
        return;
    memcpy(of_algorithm, note, sizeof of_algorithm);
    size_t length = strlen(chosen->note), room = NOTE_BYTES - length;
    memcpy(note, chosen->note, length + 1);
    if (of_algorithm[0] != '\0' && snprintf(note + length, room, "; %s", of_algorithm) >= (int)room)
        note[NOTE_BYTES - 1] = '\0'; /* cut off */
}

void call_close(struct chosen_call *chosen)
{
    if (chosen->cpu.close != NULL)
        chosen->cpu.close(&chosen->cpu);
}
