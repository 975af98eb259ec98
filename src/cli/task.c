/* task.c: reporting shared by several tasks. */
#include "task.h"

#include "terminal.h"

void report_preparation(const struct bench_request *request, const struct bench_result *result)
{
    char built[64] = "";
    if (result->build_ms > 0)
        snprintf(built, sizeof built, "%sbuilt in %.2f ms, %.2f MB on the device",
                 result->note[0] != '\0' ? "; " : "", result->build_ms, 1e-6 * (double)result->device_bytes);
    if (result->note[0] != '\0' || built[0] != '\0')
        notice("%s %s on %s: %s%s", request->algorithm->family, request->algorithm->variant, request->graph->name,
               result->note, built);
}

const char *describe_devices(const struct bench_request *request, char text[32])
{
    snprintf(text, 32, ", on %d devices", num_devices(request));
    return num_devices(request) > 1 ? text : "";
}

int check_outputs(const struct plan *plan, unsigned outputs, const char *what, const char *lacks, struct error *error)
{
    for (int i = 0; i < plan->num_runs; i++) {
        const struct algorithm *algorithm = plan->runs[i].algorithm;
        if (!(all_outputs(algorithm) & outputs))
            return error_set(error, STATUS_INPUT, "%s: %s %s %s", what, algorithm->family, algorithm->variant, lacks);
    }
    return STATUS_OK;
}
