/* write.c: writes graphs to files. */
#include "../new_file.h"
#include "../progress.h"
#include "binary.h"

#define VERTICES_PER_PIECE 4096u /* vertices that a thread formats at a time */
#define MAX_ENTRY_BYTES    47u   /* "4294967295 4294967295 1.7976931348623157e+308\n" */

static char *format_number(char *to, uint64_t number)
{
    char digits[20];
    int length = 0;
    do
        digits[length++] = (char)('0' + number % 10);
    while ((number /= 10) > 0);
    while (length > 0)
        *to++ = digits[--length];
    return to;
}

/* Formats a weight with the digits that give the same double when they are read. */
static char *format_weight(char *to, const struct graph *graph, edge_t e)
{
    if (graph->weight_type == WEIGHTS_UINT32)
        return format_number(to, ((const uint32_t *)graph->weights)[e]);
    int length = sprintf(to, "%.17g", graph_weight(graph, e));
    char *comma = memchr(to, ',', (size_t)length); /* of the language of the program that uses the library */
    if (comma != NULL)
        *comma = '.';
    return to + length;
}

/* Returns whether a file of the graph is symmetric. */
static bool writes_triangle(const struct graph *graph)
{
    return graph->symmetric && (graph->weights == NULL || graph->symmetric_weights);
}

/* Formats the entries of the vertices first .. last - 1. A symmetric file has only the lower triangle, row > column.
 * Returns the end of the text. */
static char *format_entries(const struct graph *graph, vertex_t first, vertex_t last, char *to)
{
    const bool triangle = writes_triangle(graph);
    for (vertex_t v = first; v < last; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            vertex_t target = graph->targets[e];
            if (triangle && target > v)
                break;
            to = format_number(to, (uint64_t)v + 1);
            *to++ = ' ';
            to = format_number(to, (uint64_t)target + 1);
            if (graph->weights != NULL) {
                *to++ = ' ';
                to = format_weight(to, graph, e);
            }
            *to++ = '\n';
        }
    return to;
}

static void write_header(const struct graph *graph, FILE *file)
{
    const char *field = graph->weights == NULL ? "pattern" : graph->weight_type == WEIGHTS_UINT32 ? "integer" : "real";
    const bool triangle = writes_triangle(graph);
    fprintf(file, "%%%%MatrixMarket matrix coordinate %s %s\n%" PRIu32 " %" PRIu32 " %" PRIu64 "\n", field,
            triangle ? "symmetric" : "general", graph->num_vertices, graph->num_vertices,
            triangle ? graph->num_edges / 2 : graph->num_edges);
}

/* The header comes with the first piece, so that a stream stays empty if there is no memory for that piece. */
static int write_matrix_market(const struct graph *graph, FILE *file, const char *path, struct error *error)
{
    uint64_t num_pieces = ((uint64_t)graph->num_vertices + VERTICES_PER_PIECE - 1) / VERTICES_PER_PIECE;
    if (num_pieces == 0)
        write_header(graph, file);
    struct progress_listener *listener = progress_listener;
    progress_begin("writing", num_pieces);
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (uint64_t piece = 0; piece < num_pieces; piece++) {
        progress_join(listener);
        vertex_t first = (vertex_t)(piece * VERTICES_PER_PIECE);
        vertex_t last =
            graph->num_vertices - first > VERTICES_PER_PIECE ? first + VERTICES_PER_PIECE : graph->num_vertices;
        char *text = malloc((graph->offsets[last] - graph->offsets[first]) * MAX_ENTRY_BYTES + 1);
        char *end = text != NULL ? format_entries(graph, first, last, text) : NULL;
#pragma omp ordered
        {
            if (text != NULL && piece == 0)
                write_header(graph, file);
            if (text == NULL)
                error_set(error, STATUS_INPUT, "%s: out of memory while writing", path);
            else if (error->status == STATUS_OK && stop_requested())
                error_set(error, STATUS_INTERRUPTED, "interrupted");
            else if (error->status == STATUS_OK && fwrite(text, 1, (size_t)(end - text), file) != (size_t)(end - text))
                error_errno(error, "%s: cannot write", path);
            progress_set(piece + 1);
        }
        free(text);
    }
    progress_end();
    return error->status;
}

int write_binary_file(const struct graph *graph, const struct file_stamp *stamp, const char *path, struct error *error)
{
    struct new_file new_file;
    if (file_create(&new_file, path, error) != STATUS_OK)
        return error->status;
    binary_write(graph, stamp, new_file.file, path, error);
    return file_commit(&new_file, error);
}

bool is_binary_name(const char *path)
{
    return has_suffix(path, ".gtrav");
}

int graph_write_check(const char *path, struct error *error)
{
    if (!is_binary_name(path) && !has_suffix(path, ".mtx") && !file_is_stream(path))
        return error_set(error, STATUS_INPUT, "%s: cannot tell the format to write; end the name in .mtx or .gtrav",
                         path);
    return file_check(path, error);
}

int graph_write(const struct graph *graph, const char *path, struct error *error)
{
    struct new_file new_file;
    if (graph_write_check(path, error) != STATUS_OK)
        return error->status;
    if (is_binary_name(path))
        return write_binary_file(graph, NULL, path, error);
    if (file_create(&new_file, path, error) != STATUS_OK)
        return error->status;
    write_matrix_market(graph, new_file.file, path, error);
    return file_commit(&new_file, error);
}
