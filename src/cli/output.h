/* output.h: --output FILE, the results of sources, or a value of each vertex. */
#pragma once

#include "../new_file.h"
#include "../run/outputs.h"

/* Formats, by the ending of a file's name. Standard output ("-"), a device or a pipe without such a name gets text. */
enum form {
    FORM_TEXT,         /* .txt: for each source, a line that describes the values, then one value per line */
    FORM_CSV,          /* .csv: column names, then "vertex,value" with the ids of the graph's file; several sources:
                        * "source,vertex,value" */
    FORM_NPY,          /* .npy: NumPy's format, version 1.0, '<i8'; several sources: a matrix, a row for each source */
    FORM_GRAPHALYTICS, /* .graphalytics, of LDBC Graphalytics: "vertex value" lines, 2^63 - 1 if not reached */
    NUM_FORMS
};

/* Fails before anything is measured if writing would fail: STATUS_INPUT for an unknown ending of the name, a missing
 * folder, or a directory. pairs: the file is for the lengths of --pairs, which are always CSV. */
int output_check(const char *path, bool pairs, struct error *error);

/* A file that gets the results of a request's trials while they run, and appears when they are complete. */
struct output_file {
    struct result_sink sink; /* the first member */
    const char *path;
    const struct bench_request *request;
    enum form form;
    const struct output_array *kind; /* of the array written: levels, order, parents, ...; -1: not reached */
    struct new_file file;            /* .file NULL: no result has come */
    int num_arrays, num_written;     /* num_arrays: one for each source, or 1 if one result holds for all */
    uint64_t num_values;             /* written so far */
    struct error error;              /* the first error of writing; later results are not written */
};

/* The caller makes it the request's sink. STATUS_INPUT if the format holds one source and the request has several. */
int output_open(struct output_file *output, const char *path, const struct bench_request *request, struct error *error);

/* After output_open(): completes the file and prints a notice of it if the trials are complete; else removes it. */
int output_close(struct output_file *output, bool complete, struct error *error);

/* Writes a value for each vertex, '<f8' in NumPy's format. title: the name of the values, one word. */
int output_write_reals(const char *path, const struct graph *graph, const char *title, const double *values,
                       struct error *error);
