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

#include "../../src/records/put_text.h"
#include "backend.h"

/* Writes the declaration of one part. line: from "@group" to the comment. */
static void declare_part(FILE *text, const char *line, size_t length, const char *name, unsigned part)
{
    const char *binding = strstr(line, "@binding("), *named = strstr(line, name);
    const char *rest = strchr(binding, ')') + 1, *after = named + strlen(name);
    unsigned long number = strtoul(binding + strlen("@binding("), NULL, 10) + PART_STRIDE * part;
    fprintf(text, "%.*s@binding(%lu)%.*s", (int)(binding - line), line, number, (int)(named - rest), rest);
    fprintf(text, "%s_%u%.*s\n", name, part, (int)(line + length - after), after);
}

/* Writes the statement for one part. */
static void state_part(FILE *text, const char *line, size_t length, const struct split *split, unsigned part)
{
    char access[64];
    snprintf(access, sizeof access, "%s[", split->name);
    const char *from = strstr(line, access), *index = from + strlen(access), *close = strchr(index, ']');
    int width = (int)(close - index);
    bool last = part + 1 == split->parts;
    if (!last)
        fprintf(text, "if (%.*s >> %uu == %uu) ", width, index, split->shift, part);
    fprintf(text, "{%.*s%s_%u[%.*s & %uu", (int)(from - line), line, split->name, part, width, index,
            (1u << split->shift) - 1);
    fprintf(text, "%.*s}%s", (int)(line + length - close), close, last ? "\n" : " else ");
}

static void split_line(FILE *text, const char *line, size_t length, const struct split *split)
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
    const char *adds = strstr(line, "//+"), *mark = adds != NULL && adds < line + *length ? adds : strstr(line, "//-");
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
    char *shader = NULL;
    size_t size;
    FILE *text = open_memstream(&shader, &size);
    for (; text != NULL && *sources != NULL; sources++)
        for (const char *line = *sources, *end; *line != '\0'; line = end + (*end == '\n')) {
            end = line + strcspn(line, "\n");
            size_t length = (size_t)(end - line);
            const char *code = code_of(line, &length, features);
            const struct split *split = find_split(code, length, splits);
            if (split != NULL)
                split_line(text, code, (size_t)(strstr(code, "//") - code), split);
            else
                fwrite(code, 1, length, text);
            putc('\n', text);
        }
    if (memory_close(text, &shader, "a shader", error) == STATUS_OK)
        return shader;
    free(shader);
    return NULL;
}
