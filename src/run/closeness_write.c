/* closeness_write.c: closeness as JSON. */
#include "../records/json.h"
#include "closeness.h"

#define TOP_VERTICES 10

/* Finds the vertices with the highest closeness, in descending order; ties by ascending id. Returns their number. */
static int find_top(const struct closeness_result *result, vertex_t num_vertices, vertex_t top[TOP_VERTICES])
{
    int count = 0;
    for (vertex_t v = 0; v < num_vertices; v++) {
        int place = count;
        while (place > 0 && result->closeness[v] > result->closeness[top[place - 1]])
            place--;
        if (place == TOP_VERTICES)
            continue;
        count += count < TOP_VERTICES;
        memmove(&top[place + 1], &top[place], (size_t)(count - 1 - place) * sizeof *top);
        top[place] = v;
    }
    return count;
}

void json_closeness(FILE *file, const struct closeness_request *request, const struct closeness_result *result)
{
    const struct bench_request *bench = request->bench;
    const struct trials_result *figures = &result->figures;
    vertex_t top[TOP_VERTICES];
    int count = find_top(result, bench->graph->num_vertices, top);
    json_head(file, bench, figures);
    fprintf(file,
            ",\n  \"sources\": %d, \"exact\": %s, \"resumed\": %" PRIu64 ", \"batch_sources\": %" PRIu32
            ", \"batch_time_ms\": %.6f, \"batch_kernel_ms\": %.6f, \"time_ms\": %.6f, \"kernel_ms\": %.6f, "
            "\"edges\": %" PRIu64 ", \"search_mteps\": %.3f, \"mteps\": %.3f, \"devices\": %d, "
            "\"download_ms\": %.6f, \"total_ms\": %.6f, \"verified\": \"%s\",\n  \"top\": [",
            bench->num_sources, json_bool((vertex_t)bench->num_sources == bench->graph->num_vertices),
            result->num_resumed, figures->summary.batch_sources, figures->summary.batch_time_ms,
            figures->summary.batch_kernel_ms, result->all_time_ms, result->all_kernel_ms, result->edges,
            figures->summary.search_mteps.mean, figures->summary.mteps.mean, num_devices(bench), result->download_ms,
            figures->total_ms, figures->summary.verified);
    for (int i = 0; i < count; i++) {
        fprintf(file, "%s{\"vertex\": ", i > 0 ? ", " : "");
        put_id_json(file, bench->graph, top[i]);
        fprintf(file, ", \"closeness\": %.17g}", result->closeness[top[i]]);
    }
    fputs("]", file);
}
