/* write.c: graphs into files, through a temporary file that is renamed when complete. */
#include "write.h"

#include <inttypes.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../progress.h"

#define VERTICES_PER_PIECE 4096u /* formatted by one thread at a time */
#define MAX_ENTRY_BYTES    22u   /* "4294967295 4294967295\n" */

/* ---- files that are complete or not there ---- */

int file_create(struct new_file *new_file, const char *path, struct error *error)
{
    *new_file = (struct new_file){.path = path};
    if (asprintf(&new_file->temporary, "%s.XXXXXX", path) < 0) {
        new_file->temporary = NULL;
        return error_set(error, STATUS_INPUT, "%s: out of memory", path);
    }
    int descriptor = mkstemp(new_file->temporary);
    new_file->file = descriptor >= 0 ? fdopen(descriptor, "wb") : NULL;
    if (new_file->file == NULL) {
        error_errno(error, "%s: cannot write", path);
        if (descriptor >= 0) {
            close(descriptor);
            unlink(new_file->temporary);
        }
        free(new_file->temporary);
        *new_file = (struct new_file){0};
        return error->status;
    }
    mode_t mask = umask(0); /* mkstemp makes the file private; a result is as readable as any other file */
    umask(mask);
    fchmod(descriptor, 0666 & ~mask);
    return STATUS_OK;
}

void file_discard(struct new_file *new_file)
{
    if (new_file->file != NULL) {
        fclose(new_file->file);
        unlink(new_file->temporary);
    }
    free(new_file->temporary);
    *new_file = (struct new_file){0};
}

int file_commit(struct new_file *new_file, struct error *error)
{
    if (fflush(new_file->file) != 0 || ferror(new_file->file) || fsync(fileno(new_file->file)) != 0)
        error_errno(error, "%s: cannot write", new_file->path);
    else if (rename(new_file->temporary, new_file->path) != 0)
        error_errno(error, "%s: cannot rename the finished file", new_file->path);
    if (error->status == STATUS_OK) {
        fclose(new_file->file);
        new_file->file = NULL;
    }
    file_discard(new_file);
    return error->status;
}

/* ---- graphs ---- */

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

/* The entries of some vertices; a symmetric file stores the lower triangle, row > column. Returns the end of the
 * text. */
static char *format_entries(const struct graph *graph, vertex_t first, vertex_t last, char *to)
{
    for (vertex_t v = first; v < last; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            vertex_t target = graph->targets[e];
            if (graph->symmetric && target > v)
                break;
            to = format_number(to, (uint64_t)v + 1);
            *to++ = ' ';
            to = format_number(to, (uint64_t)target + 1);
            *to++ = '\n';
        }
    return to;
}

static int write_matrix_market(const struct graph *graph, FILE *file, const char *path, struct error *error)
{
    uint64_t num_pieces = ((uint64_t)graph->num_vertices + VERTICES_PER_PIECE - 1) / VERTICES_PER_PIECE;
    fprintf(file, "%%%%MatrixMarket matrix coordinate pattern %s\n%" PRIu32 " %" PRIu32 " %" PRIu64 "\n",
            graph->symmetric ? "symmetric" : "general", graph->num_vertices, graph->num_vertices,
            graph->symmetric ? graph->num_edges / 2 : graph->num_edges);
    progress_begin("writing", num_pieces);
#pragma omp parallel for ordered schedule(dynamic, 1)
    for (uint64_t piece = 0; piece < num_pieces; piece++) {
        vertex_t first = (vertex_t)(piece * VERTICES_PER_PIECE);
        vertex_t last =
            graph->num_vertices - first > VERTICES_PER_PIECE ? first + VERTICES_PER_PIECE : graph->num_vertices;
        char *text = malloc((graph->offsets[last] - graph->offsets[first]) * MAX_ENTRY_BYTES + 1);
        char *end = text != NULL ? format_entries(graph, first, last, text) : NULL;
#pragma omp ordered
        {
            if (text == NULL)
                error_set(error, STATUS_INPUT, "%s: out of memory while writing", path);
            else if (error->status == STATUS_OK && stop_requested())
                error_set(error, STATUS_INTERRUPTED, "interrupted");
            else if (error->status == STATUS_OK &&
                     fwrite(text, 1, (size_t)(end - text), file) != (size_t)(end - text))
                error_errno(error, "%s: cannot write", path);
            progress_set(piece + 1);
        }
        free(text);
    }
    progress_end();
    return error->status;
}

int write_binary_file(const struct graph *graph, const struct file_stamp *stamp, const char *path,
                      struct error *error)
{
    struct new_file new_file;
    if (file_create(&new_file, path, error) != STATUS_OK)
        return error->status;
    if (binary_write(graph, stamp, new_file.file, path, error) == STATUS_OK)
        return file_commit(&new_file, error);
    file_discard(&new_file);
    return error->status;
}

static bool has_suffix(const char *path, const char *suffix)
{
    size_t length = strlen(path), size = strlen(suffix);
    return length > size && strcmp(path + length - size, suffix) == 0;
}

bool is_binary_name(const char *path)
{
    return has_suffix(path, ".gtrav");
}

int graph_write(const struct graph *graph, const char *path, struct error *error)
{
    struct new_file new_file;
    if (is_binary_name(path))
        return write_binary_file(graph, NULL, path, error);
    if (!has_suffix(path, ".mtx"))
        return error_set(error, STATUS_INPUT, "%s: cannot tell the format to write; end the name in .mtx or .gtrav",
                         path);
    if (file_create(&new_file, path, error) != STATUS_OK)
        return error->status;
    if (write_matrix_market(graph, new_file.file, path, error) == STATUS_OK)
        return file_commit(&new_file, error);
    file_discard(&new_file);
    return error->status;
}
