/* trace.cu: the trace of a traversal, one row per level. */

#include "host.h"

namespace BACKEND
{

struct level_end *gpu_take_trace(struct run *run, struct gpu_arena *memory)
{
    size_t ends = run->profile ? (size_t)run->graph->num_vertices + 2 : 0;
    return ends > 0 ? gpu_take_zeroed<struct level_end>(memory, ends, "the trace", run->error) : NULL;
}

static __global__ void end_level_alone(struct level_end *trace, uint32_t level, enum level_mode mode)
{
    end_level(trace, level, mode);
}

int gpu_end_level(struct level_end *trace, uint32_t level, struct error *error, enum level_mode mode)
{
    return trace != NULL ? gpu_launch(end_level_alone, {1, 1}, 0, error, trace, level, mode) : error->status;
}

/* The number of vertices on some levels, and of the edges out of them. */
struct frontier {
    uint64_t vertices, edges;
};

/* Adds the vertices of a search to the frontiers, of which there are `number`, each of `width` levels. */
static void add_frontiers(const struct graph *graph, const uint32_t *level, uint32_t width, struct frontier *frontiers,
                          size_t number)
{
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (level[v] != UNREACHED && level[v] / width < number) {
            frontiers[level[v] / width].vertices++;
            frontiers[level[v] / width].edges += graph_degree(graph, v);
        }
}

/* Returns the frontiers, each of `width` levels. Sets *number to their number. NULL if memory is short. */
static struct frontier *count_frontiers(struct run *run, const uint32_t *level, uint32_t width, size_t *number)
{
    struct frontier *frontiers = NULL;
    vertex_t n = run->graph->num_vertices, most = 0;
    for (vertex_t v = 0; v < n; v++)
        if (level[v] != UNREACHED && level[v] > most)
            most = level[v];
    *number = (size_t)(most / width) + 1;
    if (allocate_zeroed(&frontiers, *number, sizeof *frontiers, "the trace", run->error) == STATUS_OK)
        add_frontiers(run->graph, level, width, frontiers, *number);
    return frontiers;
}

/* frontier: NULL if it is not known. */
static void put_row(FILE *file, size_t level, const struct frontier *frontier, const struct level_end *end,
                    uint64_t begin, const char *const *words)
{
    static const char *const modes[] = {"top-down", "bottom-up"}; /* by enum level_mode */
    fprintf(file, "%zu,", level);
    if (frontier != NULL)
        fprintf(file, "%llu,%llu", (unsigned long long)frontier->vertices, (unsigned long long)frontier->edges);
    else
        fputc(',', file);
    fprintf(file, ",%s,%.6f,%s,", modes[end->mode], 1e-6 * (double)(end->at - begin),
            words != NULL ? words[end->generation] : "");
    if (end->checked == NOT_COUNTED)
        fputs(",\n", file);
    else
        fprintf(file, "%llu,%llu\n", (unsigned long long)end->checked, (unsigned long long)end->early);
}

/* Adds the table, of at most `number` rows. frontiers: of the rows; NULL if they are not known. */
static int put_table(struct run *run, const struct level_end *ends_on_device, const char *const *words,
                     struct traversal *result, uint32_t width, const struct frontier *frontiers, size_t number)
{
    struct level_end *ends = NULL;
    FILE *file = NULL;
    if (allocate(&ends, number + 1, sizeof *ends, "the trace", run->error) == STATUS_OK &&
        gpu_download(ends, ends_on_device, number + 1, run->error) == STATUS_OK)
        file = side_table_begin(run, result, "traces", "level,frontier,edges,mode,ms,generation,checked,early");
    /* Ends of an earlier search are older than the start of this one. */
    for (size_t i = 0; file != NULL && i < number && ends[i + 1].at >= ends[i].at && ends[i + 1].at != 0; i++)
        put_row(file, i * width + 1, frontiers != NULL ? &frontiers[i] : NULL, &ends[i + 1], ends[i].at, words);
    if (file != NULL)
        fclose(file);
    free(ends);
    return run->error->status;
}

int gpu_fetch_trace(struct run *run, const struct level_end *ends, const char *const *words, struct traversal *result,
                    uint32_t width)
{
    if (ends == NULL || run->error->status != STATUS_OK)
        return run->error->status;
    size_t number;
    struct frontier *frontiers = count_frontiers(run, result->level, width, &number);
    if (frontiers != NULL)
        put_table(run, ends, words, result, width, frontiers, number);
    free(frontiers);
    return run->error->status;
}

int gpu_fetch_batch_trace(struct run *run, const struct level_end *ends, const char *const *words,
                          struct traversal *result, uint32_t num_sources,
                          void (*fetch_levels)(struct run *run, uint32_t which, uint32_t *level))
{
    if (ends == NULL || result->which > 0 || run->error->status != STATUS_OK)
        return run->error->status;
    uint32_t *level = NULL;
    struct frontier *frontiers = NULL;
    size_t n = run->graph->num_vertices, number = n + 1;
    if (run->outputs & OUTPUT_LEVEL && allocate(&level, n, sizeof *level, "the trace", run->error) == STATUS_OK)
        allocate_zeroed(&frontiers, number, sizeof *frontiers, "the trace", run->error);
    for (uint32_t i = 0; frontiers != NULL && i < num_sources && run->error->status == STATUS_OK; i++) {
        fetch_levels(run, i, level);
        add_frontiers(run->graph, level, 1, frontiers, number);
    }
    if (run->error->status == STATUS_OK)
        put_table(run, ends, words, result, 1, frontiers, number);
    free(frontiers);
    free(level);
    return run->error->status;
}

} // namespace BACKEND
