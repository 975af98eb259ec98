/* put_text.h: writes texts, booleans and vertices' ids (which may be any text) as JSON and as CSV fields. */
#pragma once

#include "../graph/graph.h"

/* Closes a stream of open_memstream(), or NULL. STATUS_INPUT, with the name `what`, if memory was short. */
int memory_close(FILE *file, char *const *text, const char *what, struct error *error);

/* Prints a text between quotes; null for NULL. The second first prints `before` as it is, such as ", \"name\": ". */
void json_string(FILE *file, const char *text);
void json_string_after(FILE *file, const char *before, const char *text);

/* "true" or "false". */
const char *json_bool(bool value);

/* A field of RFC 4180: quoted if it must be, or if it would be read back as something else. */
void put_csv_text(FILE *file, const char *text);

/* The id of the input's vertex v: numbers as numbers, texts as CSV fields, or between quotes in JSON. */
void put_id_csv(FILE *file, const struct graph *graph, vertex_t v);
void put_id_json(FILE *file, const struct graph *graph, vertex_t v);

/* Writes the id as one entry of a list, separated by blanks, in one CSV field. The caller quotes the field if the ids
 * are text. An id with blanks or separators in it gets quotes of its own, doubled as in any quoted field. */
void put_id_listed(FILE *file, const struct graph *graph, vertex_t v);
