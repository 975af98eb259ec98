#include "json_text.h"

void json_string(FILE *file, const char *text)
{
    if (text == NULL) {
        fputs("null", file);
        return;
    }
    putc('"', file);
    for (; *text != '\0'; text++)
        if (*text == '"' || *text == '\\')
            fprintf(file, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(file, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            putc(*text, file);
    putc('"', file);
}

const char *json_bool(bool value)
{
    return value ? "true" : "false";
}
