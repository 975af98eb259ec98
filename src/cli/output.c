#include "output.h"

#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../graph/write.h"
#include "../progress.h"

#define VALUES_PER_PIECE 65536u
#define VALUE_BYTES      8u  /* of '<i8' and '<f8' */
#define NPY_ALIGNMENT    64u /* of the data in a .npy file */
#define NPY_FIXED_BYTES  10u /* magic, version, length of the header */

int output_check(const char *path, struct error *error)
{
    struct stat facts;
    if (stat(path, &facts) == 0 && !S_ISREG(facts.st_mode))
        return error_set(error, STATUS_INPUT, "%s: cannot write: %s", path,
                         S_ISDIR(facts.st_mode) ? "it is a directory" : "it is no regular file");
    char *copy = strdup(path);
    if (copy == NULL)
        return error_set(error, STATUS_INPUT, "%s: out of memory", path);
    int status = access(dirname(copy), W_OK | X_OK) == 0 ? STATUS_OK : error_errno(error, "%s: cannot write", path);
    free(copy);
    return status;
}

/* What is written: values, in which UINT32_MAX becomes -1, or flags, or reals. */
struct array {
    const uint32_t *values; /* NULL: flags, or reals */
    const uint8_t *flags;
    uint64_t count;
    const char *title;
    const double *reals;
};

static struct array pick_array(const struct graph *graph, const struct algorithm *algorithm,
                               const struct traversal *result, bool parents)
{
    const struct array parent = {result->parent, NULL, graph->num_vertices,
                                 "parent of each vertex, -1 where not reached", NULL};
    if (parents)
        return parent;
    if (algorithm->outputs & OUTPUT_LEVEL)
        return (struct array){result->level, NULL, graph->num_vertices, "level of each vertex, -1 where not reached",
                              NULL};
    if (algorithm->outputs & OUTPUT_ORDER && !result->unordered)
        return (struct array){result->order, NULL, result->num_ordered, "vertices in order", NULL};
    if (algorithm->outputs & OUTPUT_PARENT)
        return parent;
    return (struct array){NULL, result->visited, graph->num_vertices, "1 for each vertex reached, 0 for the others",
                          NULL};
}

static int64_t value_at(const struct array *array, uint64_t i)
{
    if (array->values == NULL)
        return array->flags[i];
    return array->values[i] == UINT32_MAX ? -1 : (int64_t)array->values[i];
}

static void write_text_piece(FILE *file, const struct array *array, uint64_t first, uint64_t last)
{
    for (uint64_t i = first; i < last; i++)
        if (array->reals != NULL)
            fprintf(file, "%.17g\n", array->reals[i]);
        else
            fprintf(file, "%" PRId64 "\n", value_at(array, i));
}

static void write_npy_header(FILE *file, const struct array *array)
{
    char header[2 * NPY_ALIGNMENT];
    int length =
        snprintf(header, sizeof header, "{'descr': '<%s', 'fortran_order': False, 'shape': (%" PRIu64 ",), }",
                 array->reals != NULL ? "f8" : "i8", array->count);
    unsigned used = NPY_FIXED_BYTES + (unsigned)length + 1; /* 1: the line end that closes the header */
    unsigned padded = (used + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT - NPY_FIXED_BYTES;
    fwrite("\x93NUMPY\x01\x00", 1, NPY_FIXED_BYTES - 2, file);
    fputc((int)(padded & 0xFF), file);
    fputc((int)(padded >> 8), file);
    fprintf(file, "%-*s\n", (int)padded - 1, header);
}

static void write_npy_piece(FILE *file, const struct array *array, uint64_t first, uint64_t last)
{
    for (uint64_t i = first; i < last; i++) {
        uint64_t bits;
        if (array->reals != NULL)
            memcpy(&bits, &array->reals[i], sizeof bits);
        else
            bits = (uint64_t)value_at(array, i);
        unsigned char bytes[VALUE_BYTES];
        for (unsigned k = 0; k < VALUE_BYTES; k++)
            bytes[k] = (unsigned char)(bits >> (8 * k));
        fwrite(bytes, 1, sizeof bytes, file);
    }
}

static bool is_npy(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".npy") == 0;
}

/* text_header: of a text file, with its line end. */
static int write_array(const char *path, const struct array *array, const char *text_header, struct error *error)
{
    struct new_file output;
    if (file_create(&output, path, error) != STATUS_OK)
        return error->status;
    bool npy = is_npy(path);
    if (npy)
        write_npy_header(output.file, array);
    else
        fputs(text_header, output.file);
    progress_begin("writing the output", array->count);
    for (uint64_t first = 0; first < array->count && !ferror(output.file); first += VALUES_PER_PIECE) {
        uint64_t last = array->count - first > VALUES_PER_PIECE ? first + VALUES_PER_PIECE : array->count;
        (npy ? write_npy_piece : write_text_piece)(output.file, array, first, last);
        progress_set(last);
    }
    progress_end();
    return file_commit(&output, error);
}

int output_write(const char *path, const struct graph *graph, const struct algorithm *algorithm, vertex_t source,
                 const struct traversal *result, bool parents, struct error *error)
{
    struct array array = pick_array(graph, algorithm, result, parents);
    char header[1024], from[48] = "";
    if (source != NO_VERTEX)
        snprintf(from, sizeof from, " from source %" PRIu32, source);
    snprintf(header, sizeof header, "# %s: %s %s on %.600s%s\n", array.title, algorithm->family, algorithm->variant,
             graph->name, from);
    return write_array(path, &array, header, error);
}

int output_write_reals(const char *path, const struct graph *graph, const char *title, const double *values,
                       struct error *error)
{
    struct array array = {.reals = values, .count = graph->num_vertices, .title = title};
    char header[1024];
    snprintf(header, sizeof header, "# %s of each vertex of %.600s\n", title, graph->name);
    return write_array(path, &array, header, error);
}
