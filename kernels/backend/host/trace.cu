/* trace.cu: the trace of a traversal, one row per level. */
#include <stdlib.h>

#include "host.h"

namespace BACKEND
{

int gpu_fetch_trace(struct run *run, const struct level_end *ends_on_device, const char *const *words,
                    struct traversal *result)
{
    struct level_end *ends = NULL;
    vertex_t n = run->graph->num_vertices, most = 0;
    for (vertex_t v = 0; v < n; v++)
        if (result->level[v] != UNREACHED && result->level[v] > most)
            most = result->level[v];
    size_t rows = (size_t)most + 2; /* the start, and a level beyond the last */
    if (allocate(&ends, rows, sizeof *ends, "the trace", run->error) == STATUS_OK &&
        gpu_download(ends, ends_on_device, rows, run->error) == STATUS_OK &&
        allocate_zeroed(&result->trace, rows, sizeof *result->trace, "the trace", run->error) == STATUS_OK) {
        for (vertex_t v = 0; v < n; v++)
            if (result->level[v] != UNREACHED)
                result->trace[result->level[v]].frontier++;
        for (uint32_t level = 1; level < rows && ends[level].at != 0; level++) {
            struct trace_row *row = &result->trace[level - 1];
            row->level = level;
            row->mode = (enum level_mode)ends[level].mode;
            row->ms = 1e-6 * (double)(ends[level].at - ends[level - 1].at);
            row->generation = words != NULL ? words[ends[level].generation] : NULL;
            row->checked = ends[level].checked;
            row->early = ends[level].early;
            result->num_trace = level;
        }
    }
    free(ends);
    return run->error->status;
}

} // namespace BACKEND
