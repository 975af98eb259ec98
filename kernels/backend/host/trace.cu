/* trace.cu: the trace of a traversal, one row per level. */
#include <stdlib.h>

#include "host.h"

namespace BACKEND
{

/* Returns the number of vertices on each level; NULL if memory is short. */
static vertex_t *count_levels(struct run *run, const uint32_t *level, size_t *rows)
{
    vertex_t *vertices = NULL, n = run->graph->num_vertices, most = 0;
    for (vertex_t v = 0; v < n; v++)
        if (level[v] != UNREACHED && level[v] > most)
            most = level[v];
    *rows = (size_t)most + 2; /* including the start, and a level after the last */
    if (allocate_zeroed(&vertices, *rows, sizeof *vertices, "the trace", run->error) == STATUS_OK)
        for (vertex_t v = 0; v < n; v++)
            if (level[v] != UNREACHED)
                vertices[level[v]]++;
    return vertices;
}

int gpu_fetch_trace(struct run *run, const struct level_end *ends_on_device, const char *const *words,
                    struct traversal *result)
{
    static const char *const modes[] = {"top-down", "bottom-up"}; /* by enum level_mode */
    struct level_end *ends = NULL;
    size_t rows;
    vertex_t *frontier = count_levels(run, result->level, &rows);
    FILE *file = NULL;
    if (frontier != NULL && allocate(&ends, rows, sizeof *ends, "the trace", run->error) == STATUS_OK &&
        gpu_download(ends, ends_on_device, rows, run->error) == STATUS_OK)
        file = side_table_begin(run, result, "traces", "level,frontier,mode,ms,generation,checked,early");
    for (uint32_t level = 1; file != NULL && level < rows && ends[level].at != 0; level++) {
        const struct level_end *end = &ends[level];
        fprintf(file, "%u,%u,%s,%.6f,", level, frontier[level - 1], modes[end->mode],
                1e-6 * (double)(end->at - ends[level - 1].at));
        if (words != NULL)
            fprintf(file, "%s,%llu,%llu\n", words[end->generation], (unsigned long long)end->checked,
                    (unsigned long long)end->early);
        else
            fputs(",,\n", file);
    }
    if (file != NULL)
        fclose(file);
    free(frontier);
    free(ends);
    return run->error->status;
}

} // namespace BACKEND
