/* put_text.h: writes texts, truth values, and vertices' ids, which may be any text, as JSON and as fields of CSV. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "../graph/graph.h"

/* Prints a text between quotes; null for NULL. */
void json_string(FILE *file, const char *text);

/* "true" or "false". */
const char *json_bool(bool value);

/* A field of RFC 4180: quoted if it must be, or if it would be read back as something else. */
void put_csv_text(FILE *file, const char *text);

/* The id of the input's vertex v: numbers as numbers, texts as CSV fields, or between quotes in JSON. */
void put_id_csv(FILE *file, const struct graph *graph, vertex_t v);
void put_id_json(FILE *file, const struct graph *graph, vertex_t v);

/* The id as one of several with blanks between, in a CSV field that stands between quotes if the ids are text. One
 * with blanks or separators in it has quotes of its own, doubled as all quotes in the field. */
void put_id_listed(FILE *file, const struct graph *graph, vertex_t v);
