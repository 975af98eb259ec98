#include "put_text.h"

int memory_close(FILE *file, char *const *text, const char *what, struct error *error)
{
    bool torn = file == NULL || ferror(file) != 0; /* fclose() may succeed without the last allocation */
    if (file != NULL && fclose(file) == 0 && !torn && *text != NULL)
        return STATUS_OK;
    return error_set(error, STATUS_INPUT, "out of memory: %s", what);
}

/* ---- JSON ---- */

void json_string(FILE *file, const char *text)
{
    if (text == NULL) {
        fputs("null", file);
        return;
    }
    putc('"', file);
    for (size_t length; *text != '\0'; text += length > 0 ? length : 1) {
        length = text_printable(text);
        if (length == 0) /* escapes a control character; a byte that is not UTF-8 becomes U+FFFD */
            fprintf(file, "\\u%04x", (unsigned char)*text < 0x80 ? (unsigned)(unsigned char)*text : 0xfffdu);
        else
            fprintf(file, *text == '"' || *text == '\\' ? "\\%.*s" : "%.*s", (int)length, text);
    }
    putc('"', file);
}

void json_string_after(FILE *file, const char *before, const char *text)
{
    fputs(before, file);
    json_string(file, text);
}

const char *json_bool(bool value)
{
    return value ? "true" : "false";
}

/* ---- CSV ---- */

/* Whether a field must be quoted to be read back as this text. */
static bool needs_quotes(const char *text)
{
    size_t length = strlen(text);
    return length == 0 || strpbrk(text, ",\";|\t\r\n") != NULL || text[0] == '#' || text[0] == '%' || text[0] == ' ' ||
           text[length - 1] == ' ';
}

void put_csv_text(FILE *file, const char *text)
{
    if (!needs_quotes(text)) {
        fputs(text, file);
        return;
    }
    putc('"', file);
    for (; *text != '\0'; text++) {
        if (*text == '"')
            putc('"', file);
        putc(*text, file);
    }
    putc('"', file);
}

/* ---- ids ---- */

static void put_id(FILE *file, const struct graph *graph, vertex_t v, void (*put_text)(FILE *, const char *))
{
    char digits[ID_DIGITS];
    const char *id = graph_id(graph, v, digits);
    if (graph->names != NULL)
        put_text(file, id);
    else
        fputs(id, file);
}

void put_id_csv(FILE *file, const struct graph *graph, vertex_t v)
{
    put_id(file, graph, v, put_csv_text);
}

void put_id_json(FILE *file, const struct graph *graph, vertex_t v)
{
    put_id(file, graph, v, json_string);
}

void put_id_listed(FILE *file, const struct graph *graph, vertex_t v)
{
    char digits[ID_DIGITS];
    const char *id = graph_id(graph, v, digits);
    bool quoted = graph->names != NULL && (needs_quotes(id) || strchr(id, ' ') != NULL);
    fputs(quoted ? "\"\"" : "", file);
    for (; *id != '\0'; id++)
        if (*id == '"')
            fputs("\"\"\"\"", file);
        else
            putc(*id, file);
    fputs(quoted ? "\"\"" : "", file);
}
