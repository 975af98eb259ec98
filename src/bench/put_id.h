/* put_id.h: writes vertices' ids, which may be any text, as fields of CSV and as values of JSON. */
#ifndef GTRAV_PUT_ID_H
#define GTRAV_PUT_ID_H

#include <stdio.h>

#include "../graph/graph.h"

/* A field of RFC 4180: quoted if it must be, or if it would be read back as something else. */
void put_csv_text(FILE *file, const char *text);

/* The id of the input's vertex v: numbers as numbers, texts as CSV fields, or between quotes in JSON. */
void put_id_csv(FILE *file, const struct graph *graph, vertex_t v);
void put_id_json(FILE *file, const struct graph *graph, vertex_t v);

#endif
