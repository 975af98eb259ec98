/* split.c: shaders for arrays that are too large for one binding, and with features that not all runs have.
 *
 * A shader has one binding for each array. Each line that names a large array ends with the comment "// split NAME".
 * If the array has several parts, such a line becomes several:
 *
 *   a declaration, @group(0) @binding(4) var<...> NAME: ...;     a declaration of NAME_0, NAME_1, ..., whose bindings
 *                                                                are 4, 4 + PART_STRIDE, ...
 *   a statement with NAME[index], where index is a variable      if (index >> SHIFT == 0u) { the statement with
 *                                                                NAME_0[index & MASK] } else if ... else { ... }
 *
 * "//+FEATURE code" is code only with the feature, "code //-FEATURE" only without it. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend.h"

struct text {
    char *bytes;
    size_t length, capacity;
    struct error *error;
};

static void append(struct text *text, const char *from, size_t length)
{
    if (text->error->status != STATUS_OK)
        return;
    if (text->length + length + 1 > text->capacity) {
        size_t capacity = 2 * (text->length + length + 1);
        char *grown;
        if (allocate(&grown, capacity, 1, "a shader", text->error) != STATUS_OK)
            return;
        if (text->length > 0)
            memcpy(grown, text->bytes, text->length);
        free(text->bytes);
        text->bytes = grown;
        text->capacity = capacity;
    }
    memcpy(text->bytes + text->length, from, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

__attribute__((format(printf, 2, 3))) static void append_format(struct text *text, const char *format, ...)
{
    char line[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    append(text, line, (size_t)length);
}

/* Writes the declaration of one part. line: from "@group" to the comment. */
static void declare_part(struct text *text, const char *line, size_t length, const char *name, unsigned part)
{
    const char *binding = strstr(line, "@binding("), *named = strstr(line, name);
    const char *after = named + strlen(name);
    append(text, line, (size_t)(binding - line));
    append_format(text, "@binding(%lu)", strtoul(binding + strlen("@binding("), NULL, 10) + PART_STRIDE * part);
    const char *rest = strchr(binding, ')') + 1;
    append(text, rest, (size_t)(named - rest));
    append_format(text, "%s_%u", name, part);
    append(text, after, length - (size_t)(after - line));
    append(text, "\n", 1);
}

/* Writes the statement for one part. */
static void state_part(struct text *text, const char *line, size_t length, const struct split *split, unsigned part)
{
    char access[64];
    snprintf(access, sizeof access, "%s[", split->name);
    const char *from = strstr(line, access), *index = from + strlen(access), *close = strchr(index, ']');
    int width = (int)(close - index);
    if (part + 1 < split->parts)
        append_format(text, "if (%.*s >> %uu == %uu) {", width, index, split->shift, part);
    else
        append(text, "{", 1);
    append(text, line, (size_t)(from - line));
    append_format(text, "%s_%u[%.*s & %uu", split->name, part, width, index, (1u << split->shift) - 1);
    append(text, close, length - (size_t)(close - line));
    append_format(text, part + 1 < split->parts ? "} else " : "}\n");
}

static void split_line(struct text *text, const char *line, size_t length, const struct split *split)
{
    for (unsigned part = 0; part < split->parts; part++)
        if (strstr(line, "@binding(") != NULL && strstr(line, "@binding(") < line + length)
            declare_part(text, line, length, split->name, part);
        else
            state_part(text, line, length, split, part);
}

/* Returns the split of the array named in the line's comment; NULL if there is none, or if the array has one part. */
static const struct split *find_split(const char *line, size_t length, const struct split *splits)
{
    static const char mark[] = "// split ";
    const char *comment = strstr(line, mark);
    if (comment == NULL || comment >= line + length)
        return NULL;
    const char *name = comment + sizeof mark - 1;
    size_t name_length = strcspn(name, " \n");
    for (; splits->name != NULL; splits++)
        if (splits->parts > 1 && strlen(splits->name) == name_length && memcmp(splits->name, name, name_length) == 0)
            return splits;
    return NULL;
}

/* Returns the code of a line with these features, and sets its length. */
static const char *code_of(const char *line, size_t *length, const char *features)
{
    const char *adds = strstr(line, "//+"),
               *mark = adds != NULL && adds < line + *length ? adds : strstr(line, "//-");
    char feature[32];
    if (mark == NULL || mark >= line + *length)
        return line;
    const char *name = mark + strlen("//+"), *code = name + strcspn(name, " \n");
    snprintf(feature, sizeof feature, " %.*s ", (int)(code - name), name);
    if (strstr(features, feature) == NULL)
        return line;
    *length = mark == adds ? *length - (size_t)(code - line) : 0;
    return code;
}

char *split_shader(const char *const *sources, const struct split *splits, const char *features, struct error *error)
{
    struct text text = {.error = error};
    append(&text, "", 0);
    for (; *sources != NULL; sources++)
        for (const char *line = *sources, *end; *line != '\0'; line = end + (*end == '\n')) {
            end = line + strcspn(line, "\n");
            size_t length = (size_t)(end - line);
            const char *code = code_of(line, &length, features);
            const struct split *split = find_split(code, length, splits);
            if (split != NULL)
                split_line(&text, code, (size_t)(strstr(code, "//") - code), split);
            else
                append(&text, code, length);
            append(&text, "\n", 1);
        }
    if (error->status != STATUS_OK) {
        free(text.bytes);
        return NULL;
    }
    return text.bytes;
}
