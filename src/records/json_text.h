/* json_text.h: texts and truth values as JSON. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

/* Prints a text between quotes; null for NULL. */
void json_string(FILE *file, const char *text);

/* "true" or "false". */
const char *json_bool(bool value);
