/* read_mtx.c: Matrix Market, coordinate format (NIST; Boisvert, Pozo, Remington 1996).
 *
 *   %%MatrixMarket matrix coordinate pattern|integer|real|complex general|symmetric|skew-symmetric|hermitian
 *   % comments
 *   rows columns entries
 *   i j [value]          1-based; entry (i, j) is the edge i -> j; all symmetries but general mirror it */
#include <ctype.h>

#include "../suggest.h"
#include "readers.h"

#define FIELDS     "pattern|integer|real|double|complex"
#define SYMMETRIES "general|symmetric|skew-symmetric|hermitian"
static const int num_values[] = {0, 1, 1, 1, 2}; /* of an entry of each field */

static int parse_banner(struct text_input *input, struct entry_format *header, char symmetry[16], struct error *error)
{
    char *line, object[16] = "", format[16] = "", field[16] = "", mark[24] = "";
    int at[3] = {0}; /* where format, field and symmetry begin */
    if (text_header(input, 0, &line, error) != STATUS_OK)
        return error->status;
    uint64_t number = input->next_line - 1;
    for (char *p = line; p != NULL && *p != '\0'; p++)
        *p = (char)tolower((unsigned char)*p);
    if (line == NULL ||
        sscanf(line, "%23s %15s %n%15s %n%15s %n%15s", mark, object, &at[0], format, &at[1], field, &at[2], symmetry) !=
            5 ||
        strcmp(mark, "%%matrixmarket") != 0 || strcmp(object, "matrix") != 0)
        return text_error(input, number, 1, error,
                          "wrong banner; expected %%%%MatrixMarket matrix coordinate FIELD SYMMETRY");
    int of_field = index_of_word(FIELDS, field, strlen(field));
    int of_symmetry = index_of_word(SYMMETRIES, symmetry, strlen(symmetry));
    if (strcmp(format, "coordinate") != 0)
        return text_error(input, number, (unsigned)at[0] + 1u, error,
                          "format '%s' is not a graph; only 'coordinate' is read", format);
    if (of_field < 0)
        return text_error(input, number, (unsigned)at[1] + 1u, error,
                          "unknown field '%s'; expected pattern, integer, real or complex", field);
    if (of_symmetry < 0)
        return text_error(input, number, (unsigned)at[2] + 1u, error,
                          "unknown symmetry '%s'; expected general, symmetric, skew-symmetric or hermitian", symmetry);
    if (header->weighted && num_values[of_field] > 1)
        return text_error(input, number, (unsigned)at[1] + 1u, error, "complex values are no weights");
    if (header->weighted && strcmp(symmetry, "skew-symmetric") == 0)
        return text_error(input, number, (unsigned)at[2] + 1u, error,
                          "skew-symmetric values are no weights: one of each pair is negative");
    header->num_values = num_values[of_field];
    header->weighted = header->weighted && header->num_values == 1;
    header->mirror = of_symmetry > 0;
    return STATUS_OK;
}

static int parse_size(struct text_input *input, struct entry_format *header, struct error *error)
{
    char *line;
    if (text_header(input, '%', &line, error) != STATUS_OK)
        return error->status;
    if (line == NULL)
        return text_error(input, input->next_line, 1, error, "truncated file: no size line");
    uint64_t size[3]; /* rows, columns, entries */
    const char *p = line;
    for (int i = 0; i < 3 && p != NULL; i++)
        p = scan_number(skip_blanks(p), &size[i]);
    if (p == NULL || *skip_blanks(p) != '\0')
        return text_error(input, input->next_line - 1, 1, error, "wrong size line; expected rows, columns and entries");
    if (size[0] != size[1])
        return text_error(input, input->next_line - 1, 1, error,
                          "a matrix of %" PRIu64 " rows and %" PRIu64 " columns is not a graph; it must be square",
                          size[0], size[1]);
    header->num_vertices = size[0];
    header->num_entries = size[2];
    return check_counts(input, size[0], size[2], error);
}

int read_matrix_market(struct text_input *input, const struct load_options *options, struct graph *graph,
                       struct error *error)
{
    struct entry_format header = {.comment = '%',
                                  .weighted = options->weights != NULL,
                                  .expected = "expected a row and a column number",
                                  .header = "size line",
                                  .entries = "entries"};
    char symmetry[16] = "", origin[32];
    if (parse_banner(input, &header, symmetry, error) != STATUS_OK || parse_size(input, &header, error) != STATUS_OK)
        return error->status;
    if (header.mirror && refuse_directed(input, options, "a symmetric matrix", error) != STATUS_OK)
        return error->status;
    snprintf(origin, sizeof origin, "%s file", symmetry);
    header.mirror = header.mirror || options->undirected;
    return read_entries(input, &header, origin, graph, error);
}
