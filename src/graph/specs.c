#include "specs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../suggest.h"
#include "generate.h"

#define MAX_NAMES 64 /* that a message offers */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

/* Defines a function that lists the names of a table, which ends with a NULL name, and tells whether the part of the
 * spec before its colon is one of them. */
#define NAMES_OF(function, table)                                                                                    \
    static int function(const char *spec, const char *names[MAX_NAMES], bool *known)                                 \
    {                                                                                                                \
        size_t length = strcspn(spec, ":");                                                                          \
        int count = 0;                                                                                               \
        *known = false;                                                                                              \
        for (; count < MAX_NAMES && table[count].name != NULL; count++) {                                            \
            names[count] = table[count].name;                                                                        \
            *known = *known || (strlen(names[count]) == length && memcmp(names[count], spec, length) == 0);          \
        }                                                                                                            \
        return count;                                                                                                \
    }

NAMES_OF(generator_names, generators)
NAMES_OF(order_names, reorderings)

bool suggest_spec(const char *word, char *text, size_t size)
{
    /* what others call generators */
    static const char *const others[][2] = {{"rmat", "kron"},      {"er", "urand"},  {"gnp", "urand"},
                                            {"lattice", "grid"},   {"line", "path"}, {"ring", "cycle"},
                                            {"clique", "complete"}};
    const char *names[MAX_NAMES];
    char name[64];
    bool known;
    size_t length = strspn(word, LETTERS);
    const char *numbers = word + length + (word[length] == ':');
    if (length >= sizeof name || strspn(numbers, DIGITS ".:xXeE-") != strlen(numbers) ||
        (*numbers == '\0' ? word[length] != '\0' : strchr(DIGITS, *numbers) == NULL))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcasecmp(name, others[i][0]) == 0)
            strcpy(name, others[i][1]);
    const char *nearest = suggest(name, names, generator_names(name, names, &known));
    for (const struct generator *generator = generators; nearest != NULL && generator->name != NULL; generator++)
        if (strcmp(generator->name, nearest) == 0) {
            if (*numbers == '\0')
                snprintf(text, size, "%s", generator->syntax);
            else
                snprintf(text, size, "%s:%s", nearest, numbers);
            return true;
        }
    return false;
}

static int check_generator(const char *spec, struct error *error)
{
    const char *names[MAX_NAMES];
    char name[64], meant[128];
    bool known;
    int count = generator_names(spec, names, &known);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    if (known)
        return STATUS_OK;
    if (suggest_spec(spec, meant, sizeof meant))
        return error_set(error, STATUS_INPUT, "unknown generator '%s'; did you mean '%s'?", name, meant);
    return error_unknown("generator", name, names, count, error);
}

int check_graph_spec(const char *spec, struct error *error)
{
    char meant[128];
    enum spec_kind kind = graph_spec_kind(spec);
    if (kind != SPEC_FILE && strstr(spec, "://") != NULL)
        return error_set(error, STATUS_INPUT,
                         "%s: this is an address; download it (curl -LO, or scripts/download_graphs.py for graphs of "
                         "dataset/), and name the file",
                         spec);
    if (kind == SPEC_GENERATOR)
        return check_generator(spec, error);
    if (kind == SPEC_NOTHING && access(spec, F_OK) != 0 && errno == ENOENT && suggest_spec(spec, meant, sizeof meant))
        return error_set(error, STATUS_INPUT, "%s: no such file; did you mean '%s'?", spec, meant);
    return STATUS_OK;
}

int parse_order(const char *spec, struct reorder *reorder, struct error *error)
{
    const char *names[MAX_NAMES];
    char name[64];
    bool known;
    int count = order_names(spec, names, &known);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    return known ? reorder_parse(spec, reorder, error) : error_unknown("order", name, names, count, error);
}
