#include "output.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../new_file.h"
#include "../progress.h"
#include "../records/put_text.h"
#include "../run/outputs.h"

#define VALUES_PER_PIECE 65536u
#define NPY_ALIGNMENT    64u /* alignment of the data in a .npy file */
#define NPY_FIXED_BYTES  10u /* magic, version, length of the header */

/* ---- forms ---- */

enum form { FORM_TEXT, FORM_CSV, FORM_NPY, FORM_GRAPHALYTICS, NUM_FORMS };
static const char *const endings[NUM_FORMS] = {
    [FORM_TEXT] = ".txt", [FORM_CSV] = ".csv", [FORM_NPY] = ".npy", [FORM_GRAPHALYTICS] = ".graphalytics"};

/* Finds the form by the name's ending; other streams get text. False: a file's name has none of the endings. */
static bool find_form(const char *path, enum form *form)
{
    for (int i = 0; i < NUM_FORMS; i++)
        if (has_suffix(path, endings[i])) {
            *form = (enum form)i;
            return true;
        }
    *form = FORM_TEXT;
    return file_is_stream(path);
}

int output_check(const char *path, bool pairs, struct error *error)
{
    enum form form;
    bool known = find_form(path, &form);
    if (pairs && (!known || form == FORM_NPY || form == FORM_GRAPHALYTICS))
        return error_set(error, STATUS_INPUT,
                         "--output %s: lengths are written as CSV; end the name in .csv or .txt, or write to -",
                         path);
    if (!known)
        return error_set(error, STATUS_INPUT,
                         "--output %s: cannot tell the format to write; end the name in .npy, .txt, .csv or "
                         ".graphalytics, or write to - (text)",
                         path);
    return file_check(path, error);
}

/* ---- the values ---- */

/* An array to write. */
struct array {
    const struct output_array *kind;
    const void *entries; /* count; UINT32_MAX is written as -1 */
    uint64_t count;
    const struct graph *graph;
};

/* Returns the array to write: the first of output_arrays that the algorithm gives. */
static const struct output_array *find_array(const struct algorithm *algorithm, const struct traversal *result,
                                             bool parents)
{
    static const enum output preferred[] = {OUTPUT_BETWEENNESS, OUTPUT_LEVEL,   OUTPUT_ORDER,
                                            OUTPUT_PARENT,      OUTPUT_VISITED, OUTPUT_COMPONENT};
    unsigned written = parents ? OUTPUT_PARENT : algorithm->outputs & ~(result->unordered ? OUTPUT_ORDER : 0u);
    for (size_t i = 0; i < sizeof preferred / sizeof preferred[0]; i++)
        for (const struct output_array *array = output_arrays; array->entry_bytes > 0; array++)
            if (written & array->output & preferred[i])
                return array;
    return output_arrays; /* visited */
}

static bool is_real(const struct array *array)
{
    return array->kind->entry_bytes == sizeof(double);
}

static int64_t value_at(const struct array *array, uint64_t i)
{
    if (array->kind->entry_bytes == sizeof(uint8_t))
        return ((const uint8_t *)array->entries)[i];
    uint32_t value = ((const uint32_t *)array->entries)[i];
    return value == UINT32_MAX ? -1 : (int64_t)value;
}

/* Writes an entry, and the end of its line. A vertex is written as a number. */
static void put_line(FILE *file, const struct array *array, uint64_t i, int64_t unreached)
{
    if (is_real(array))
        fprintf(file, "%.17g\n", ((const double *)array->entries)[i]);
    else
        fprintf(file, "%" PRId64 "\n", value_at(array, i) < 0 ? unreached : value_at(array, i));
}

static void write_text_piece(FILE *file, const struct array *array, uint64_t first, uint64_t last)
{
    for (uint64_t i = first; i < last; i++)
        put_line(file, array, i, -1);
}

static void write_rows(FILE *file, const struct array *array, uint64_t first, uint64_t last, char separator,
                       int64_t unreached)
{
    for (uint64_t i = first; i < last; i++) {
        if (array->kind->extent == PER_VERTEX)
            put_id_csv(file, array->graph, (vertex_t)i);
        else
            fprintf(file, "%" PRIu64, i);
        putc(separator, file);
        if (array->kind->holds_vertices && value_at(array, i) >= 0) {
            put_id_csv(file, array->graph, (vertex_t)value_at(array, i));
            putc('\n', file);
        } else
            put_line(file, array, i, unreached);
    }
}

static void write_csv_piece(FILE *file, const struct array *array, uint64_t first, uint64_t last)
{
    write_rows(file, array, first, last, ',', -1);
}

static void write_graphalytics_piece(FILE *file, const struct array *array, uint64_t first, uint64_t last)
{
    write_rows(file, array, first, last, ' ', INT64_MAX);
}

static void write_npy_header(FILE *file, const struct array *array)
{
    char header[2 * NPY_ALIGNMENT];
    int length =
        snprintf(header, sizeof header, "{'descr': '<%s', 'fortran_order': False, 'shape': (%" PRIu64 ",), }",
                 is_real(array) ? "f8" : "i8", array->count);
    unsigned used = NPY_FIXED_BYTES + (unsigned)length + 1; /* 1: the newline that ends the header */
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
        if (is_real(array))
            memcpy(&bits, (const double *)array->entries + i, sizeof bits);
        else
            bits = (uint64_t)value_at(array, i);
        fwrite(&bits, sizeof bits, 1, file); /* little-endian, as in .gtrav files */
    }
}

/* text_header: the first line of a text file, with its newline. */
static int write_array(const char *path, const struct array *array, const char *text_header, struct error *error)
{
    static void (*const write_piece[])(FILE *, const struct array *, uint64_t, uint64_t) = {
        [FORM_TEXT] = write_text_piece,
        [FORM_CSV] = write_csv_piece,
        [FORM_NPY] = write_npy_piece,
        [FORM_GRAPHALYTICS] = write_graphalytics_piece,
    };
    struct new_file output;
    enum form form;
    find_form(path, &form);
    if (file_create(&output, path, error) != STATUS_OK)
        return error->status;
    if (form == FORM_NPY)
        write_npy_header(output.file, array);
    else if (form == FORM_CSV)
        fprintf(output.file, "%s,%s\n", array->kind->extent == PER_VERTEX ? "vertex" : "position",
                array->kind->column);
    else if (form == FORM_TEXT)
        fputs(text_header, output.file);
    progress_begin("writing the output", array->count);
    for (uint64_t first = 0; first < array->count && !ferror(output.file) && !stop_requested();
         first += VALUES_PER_PIECE) {
        uint64_t last = array->count - first > VALUES_PER_PIECE ? first + VALUES_PER_PIECE : array->count;
        write_piece[form](output.file, array, first, last);
        progress_set(last);
    }
    progress_end();
    if (stop_requested())
        error_set(error, STATUS_INTERRUPTED, "interrupted");
    return file_commit(&output, error);
}

int output_write(const char *path, const struct graph *graph, const struct algorithm *algorithm, vertex_t source,
                 const struct traversal *result, bool parents, struct error *error)
{
    const struct output_array *kind = find_array(algorithm, result, parents);
    uint64_t count = kind->extent == PER_VERTEX ? graph->num_vertices : result->num_ordered;
    struct array array = {kind, entries_of(result, kind), count, graph};
    char header[1024], from[256] = "", digits[ID_DIGITS];
    if (source != NO_VERTEX)
        snprintf(from, sizeof from, " from source %.200s", graph_id(graph, source, digits));
    snprintf(header, sizeof header, "# %s: %s %s on %.600s%s\n", kind->title, algorithm->family, algorithm->variant,
             graph->name, from);
    return write_array(path, &array, header, error);
}

int output_write_reals(const char *path, const struct graph *graph, const char *title, const double *values,
                       struct error *error)
{
    const struct output_array kind = {.entry_bytes = sizeof *values, .title = title, .column = title};
    struct array array = {&kind, values, graph->num_vertices, graph};
    char header[1024];
    snprintf(header, sizeof header, "# %s of each vertex of %.600s\n", title, graph->name);
    return write_array(path, &array, header, error);
}
