#include "table_fields.h"

static const char *scan_quoted(const char *p, char separator, struct field *field)
{
    const char *start = p++;
    field->text = p;
    for (; !ends_row(*p) && !(*p == '"' && p[1] != '"'); p++)
        if (*p == '"') {
            field->has_quotes = true;
            p++;
        }
    field->length = (size_t)(p - field->text);
    if (*p != '"') {
        field->problem = "this quote is not closed on its line";
        return start;
    }
    const char *end = skip_padding(p + 1, separator);
    if (separator == ' ' ? end > p + 1 || ends_row(*end) : *end == separator || ends_row(*end))
        return separator == ' ' ? p + 1 : end;
    field->problem = "expected the end of the field after its closing quote";
    return p + 1;
}

const char *scan_field(const char *p, char separator, struct field *field)
{
    *field = (struct field){.text = p};
    if (*p == '"')
        return scan_quoted(p, separator, field);
    if (separator == ' ') {
        while (!ends_row(*p) && *p != ' ' && *p != '\t' && *p != '\r')
            p++;
        field->length = (size_t)(p - field->text);
        return p;
    }
    while (!ends_row(*p) && *p != separator)
        p++;
    const char *end = p;
    while (end > field->text && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    field->length = (size_t)(end - field->text);
    return p;
}

void field_unescape(struct field *field)
{
    char *text = (char *)field->text;
    size_t to = 0;
    for (size_t from = 0; field->has_quotes && from < field->length; from++) {
        text[to++] = text[from];
        from += text[from] == '"';
    }
    field->length = field->has_quotes ? to : field->length;
    field->has_quotes = false;
}

bool find_field(const char *row, char separator, unsigned column, struct field *field)
{
    const char *p = skip_padding(row, separator);
    for (unsigned at = 0;; at++) {
        p = scan_field(p, separator, field);
        if (at == column || field->problem != NULL)
            return field->problem == NULL;
        if ((p = next_field(p, separator)) == NULL)
            return false;
    }
}

const char *find_ids(const char *row, char separator, const unsigned column[2], struct field id[2],
                     const char **problem, const char **at)
{
    const unsigned last = column[0] > column[1] ? column[0] : column[1];
    const char *p = skip_padding(row, separator);
    for (unsigned number = 0;; number++) {
        struct field field;
        const char *end = scan_field(p, separator, &field);
        *at = end;
        *problem = field.problem;
        if (field.problem != NULL)
            return NULL;
        for (int i = 0; i < 2; i++)
            if (number == column[i])
                id[i] = field;
        if (number == last)
            return end;
        if ((p = next_field(end, separator)) == NULL) {
            *problem = column[0] + column[1] == 1 && number == 0 ? "the line ends after one id; expected two"
                                                                 : "the line has too few columns";
            return NULL;
        }
    }
}

bool scan_whole_number(const char *text, size_t length, uint64_t *number)
{
    bool negative = length > 0 && *text == '-', fits = true;
    uint64_t id = 0;
    for (size_t i = negative; i < length; i++)
        fits = fits && !__builtin_mul_overflow(id, (uint64_t)10, &id) &&
               !__builtin_add_overflow(id, (uint64_t)(text[i] - '0'), &id);
    *number = negative ? -id : id;
    return fits && !(negative && id > (uint64_t)INT64_MAX + 1);
}
