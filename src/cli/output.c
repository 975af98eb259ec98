#include "output.h"

#include <math.h>

#include "../progress.h"
#include "../records/put_text.h"
#include "table.h"
#include "terminal.h"

#define VALUES_A_POLL   65536u /* values between two checks whether to stop */
#define NPY_ALIGNMENT   64u    /* alignment of the data in a .npy file */
#define NPY_FIXED_BYTES 10u    /* magic, version, length of the header */

/* ---- forms ---- */

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
                         "--output %s: lengths are written as CSV; end the name in .csv or .txt, or write to -", path);
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
    vertex_t source; /* in a file of several arrays, the source of this one; otherwise NO_VERTEX */
};

/* Returns the array to write: the first of output_arrays that the algorithm gives. */
static const struct output_array *find_array(const struct algorithm *algorithm, bool parents)
{
    static const enum output preferred[] = {OUTPUT_BETWEENNESS, OUTPUT_DISTANCE, OUTPUT_LEVEL,    OUTPUT_ORDER,
                                            OUTPUT_PARENT,      OUTPUT_VISITED,  OUTPUT_COMPONENT};
    unsigned written = parents ? OUTPUT_PARENT : algorithm->outputs;
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
    if (is_real(array) && isinf(((const double *)array->entries)[i]))
        fputs("Infinity\n", file); /* as in Graphalytics */
    else if (is_real(array))
        fprintf(file, "%.17g\n", ((const double *)array->entries)[i]);
    else
        fprintf(file, "%" PRId64 "\n", value_at(array, i) < 0 ? unreached : value_at(array, i));
}

static void put_row(FILE *file, const struct array *array, uint64_t i, char separator, int64_t unreached)
{
    if (array->source != NO_VERTEX) {
        put_id_csv(file, array->graph, array->source);
        putc(separator, file);
    }
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

/* Several arrays are the rows of a matrix, with a column for each vertex. */
static void write_npy_header(FILE *file, const struct array *array, int num_arrays)
{
    char header[2 * NPY_ALIGNMENT], shape[64];
    if (num_arrays > 1)
        snprintf(shape, sizeof shape, "%d, %" PRIu32, num_arrays, array->graph->num_vertices);
    else
        snprintf(shape, sizeof shape, "%" PRIu64 ",", array->count);
    int length = snprintf(header, sizeof header, "{'descr': '<%s', 'fortran_order': False, 'shape': (%s), }",
                          is_real(array) ? "f8" : "i8", shape);
    unsigned used = NPY_FIXED_BYTES + (unsigned)length + 1; /* 1: the newline that ends the header */
    unsigned padded = (used + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT - NPY_FIXED_BYTES;
    fwrite("\x93NUMPY\x01\x00", 1, NPY_FIXED_BYTES - 2, file);
    fputc((int)(padded & 0xFF), file);
    fputc((int)(padded >> 8), file);
    fprintf(file, "%-*s\n", (int)padded - 1, header);
}

static void put_npy(FILE *file, const struct array *array, uint64_t i)
{
    uint64_t bits;
    if (is_real(array))
        memcpy(&bits, (const double *)array->entries + i, sizeof bits);
    else
        bits = (uint64_t)value_at(array, i);
    fwrite(&bits, sizeof bits, 1, file); /* little-endian, as in .gtrav files */
}

/* ---- files ---- */

/* Writes the head of the file, which comes before all arrays. */
static void write_head(FILE *file, enum form form, const struct array *array, int num_arrays)
{
    if (form == FORM_NPY)
        write_npy_header(file, array, num_arrays);
    else if (form == FORM_CSV)
        fprintf(file, "%s%s,%s\n", num_arrays > 1 ? "source," : "",
                array->kind->extent == PER_VERTEX ? "vertex" : "position", array->kind->column);
}

static void write_array(FILE *file, enum form form, const struct array *array)
{
    bool fills_row = form == FORM_NPY && array->source != NO_VERTEX; /* an order has only the vertices reached */
    for (uint64_t i = 0; i < array->count; i++) {
        if (i % VALUES_A_POLL == 0 && (ferror(file) || stop_requested()))
            break;
        if (form == FORM_NPY)
            put_npy(file, array, i);
        else if (form == FORM_TEXT)
            put_line(file, array, i, -1);
        else
            put_row(file, array, i, form == FORM_CSV ? ',' : ' ', form == FORM_CSV ? -1 : INT64_MAX);
    }
    for (uint64_t i = array->count; fills_row && i < array->graph->num_vertices; i++)
        fwrite(&(int64_t){-1}, sizeof(int64_t), 1, file);
}

/* Completes a file, and prints a notice of its contents. */
static int finish(struct new_file *file, const char *path, const char *title, int num_arrays, uint64_t count,
                  struct error *error)
{
    char values[GROUPED_BYTES], arrays[32] = "";
    bool to_stdout = file_is_stdout(path); /* afterwards, path may be a new file */
    if (stop_requested())
        error_set(error, STATUS_INTERRUPTED, "interrupted");
    snprintf(arrays, sizeof arrays, "%d sources, ", num_arrays);
    if (file_commit(file, error) == STATUS_OK && !to_stdout)
        notice("%s: %s; %s%s values", path, title, num_arrays > 1 ? arrays : "", grouped(count, values));
    return error->status;
}

/* ---- results of trials ---- */

/* "# level of each vertex, -1 where not reached: bfs gap on path:4 from source 0" */
static void write_title(const struct output_file *output, vertex_t source)
{
    const struct bench_request *request = output->request;
    char digits[ID_DIGITS];
    fprintf(output->file.file, "# %s: %s %s on %s", output->kind->title, request->algorithm->family,
            request->algorithm->variant, request->graph->name);
    if (source != NO_VERTEX)
        fprintf(output->file.file, " from source %s", graph_id(request->graph, source, digits));
    fputc('\n', output->file.file);
}

static void put(struct result_sink *sink, vertex_t source, const struct traversal *result)
{
    struct output_file *output = (struct output_file *)sink;
    const struct bench_request *request = output->request;
    const struct graph *graph = request->graph;
    if (output->num_written == 0) {
        output->kind = find_array(request->algorithm, request->parents);
        file_create(&output->file, output->path, &output->error);
    }
    if (output->error.status != STATUS_OK) {
        sink->num_wanted = 0;
        return;
    }
    struct array array = {.kind = output->kind, .entries = entries_of(result, output->kind), .graph = graph};
    array.count = output->kind->extent == PER_VERTEX ? graph->num_vertices : result->num_ordered;
    array.source = output->num_arrays > 1 ? source : NO_VERTEX;
    if (output->num_written++ == 0)
        write_head(output->file.file, output->form, &array, output->num_arrays);
    if (output->form == FORM_TEXT)
        write_title(output, request->family->sums_sources ? NO_VERTEX : source);
    write_array(output->file.file, output->form, &array);
    output->num_values += array.count;
    if (ferror(output->file.file)) {
        error_errno(&output->error, "%s: cannot write", output->path);
        sink->num_wanted = 0;
    }
}

int output_open(struct output_file *output, const char *path, const struct bench_request *request, struct error *error)
{
    bool of_each = request->sources != NULL && !request->family->sums_sources;
    int num_arrays = of_each ? request->num_sources : 1;
    *output =
        (struct output_file){.sink = {num_arrays, put}, .path = path, .request = request, .num_arrays = num_arrays};
    find_form(path, &output->form);
    if (output->form == FORM_GRAPHALYTICS && output->num_arrays > 1)
        return error_set(error, STATUS_INPUT,
                         "--output %s: this format takes one source, and %d are given; end the name in .npy, .txt or "
                         ".csv, or name one --source",
                         path, output->num_arrays);
    return STATUS_OK;
}

int output_close(struct output_file *output, bool complete, struct error *error)
{
    if (complete && output->error.status != STATUS_OK)
        *error = output->error;
    if (output->file.file == NULL)
        return error->status;
    if (complete)
        return finish(&output->file, output->path, output->kind->title, output->num_arrays, output->num_values, error);
    file_discard(&output->file);
    return STATUS_OK;
}

/* ---- values of vertices ---- */

int output_write_reals(const char *path, const struct graph *graph, const char *title, const double *values,
                       struct error *error)
{
    const struct output_array kind = {.entry_bytes = sizeof *values, .column = title};
    const struct array array = {&kind, values, graph->num_vertices, graph, NO_VERTEX};
    struct new_file file;
    enum form form;
    find_form(path, &form);
    if (file_create(&file, path, error) != STATUS_OK)
        return error->status;
    progress_begin("writing the output", 0);
    write_head(file.file, form, &array, 1);
    if (form == FORM_TEXT)
        fprintf(file.file, "# %s of each vertex of %s\n", title, graph->name);
    write_array(file.file, form, &array);
    progress_end();
    return finish(&file, path, title, 1, array.count, error);
}
