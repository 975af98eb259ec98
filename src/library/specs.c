/* specs.c: the texts that name graphs and orders: tables of them, and what one was probably meant to be. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "../graph/generate.h"
#include "../graph/reorder.h"
#include "../graph/table_layout.h"
#include "../suggest.h"
#include "internal.h"

#define MAX_NAMES 64 /* that a message offers */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

/* ---- the tables ---- */

/* Defines a call that gives a row of a table, which ends with a NULL name. */
#define ROW_AT(call, table)                                                                                          \
    bool call(int index, gtrav_spec *spec)                                                                           \
    {                                                                                                                \
        int count = 0;                                                                                               \
        while (table[count].name != NULL)                                                                            \
            count++;                                                                                                 \
        if (index < 0 || index >= count)                                                                             \
            return false;                                                                                            \
        *spec = (gtrav_spec){table[index].name, table[index].syntax, table[index].help};                             \
        return true;                                                                                                 \
    }

ROW_AT(gtrav_generator_at, generators)
ROW_AT(gtrav_order_at, reorderings)

/* Lists the names of a table, and whether the part of the spec before its colon is one of them. */
static int list_names(bool (*at)(int, gtrav_spec *), const char *spec, const char *names[MAX_NAMES], bool *known)
{
    size_t length = strcspn(spec, ":");
    gtrav_spec each;
    int count = 0;
    *known = false;
    for (; count < MAX_NAMES && at(count, &each); count++) {
        names[count] = each.name;
        *known = *known || (strlen(each.name) == length && memcmp(each.name, spec, length) == 0);
    }
    return count;
}

/* ---- graphs ---- */

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
    const char *nearest = suggest(name, names, list_names(gtrav_generator_at, name, names, &known));
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
    int count = list_names(gtrav_generator_at, spec, names, &known);
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
                         "%s: an address is no graph; download it (curl -LO, or scripts/download_graphs.py for those "
                         "of dataset/) and name the file",
                         spec);
    if (kind == SPEC_GENERATOR)
        return check_generator(spec, error);
    if (kind == SPEC_NOTHING && access(spec, F_OK) != 0 && errno == ENOENT && suggest_spec(spec, meant, sizeof meant))
        return error_set(error, STATUS_INPUT, "%s: no such file; did you mean '%s'?", spec, meant);
    return STATUS_OK;
}

bool gtrav_edge_columns(const char *header, unsigned columns[2])
{
    return table_has_known_header(header, columns);
}

/* ---- orders and files ---- */

int parse_order(const char *spec, struct reorder *reorder, struct error *error)
{
    const char *names[MAX_NAMES];
    char name[64];
    bool known;
    int count = list_names(gtrav_order_at, spec, names, &known);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    return known ? reorder_parse(spec, reorder, error) : error_unknown("order", name, names, count, error);
}

int gtrav_check_order(const char *spec, gtrav_error *public_error)
{
    struct reorder reorder;
    struct error error = {0};
    REQUIRE(public_error, spec != NULL);
    parse_order(spec, &reorder, &error);
    return report_to_caller(public_error, &error);
}

int gtrav_check_write(const char *path, gtrav_error *public_error)
{
    struct error error = {0};
    REQUIRE(public_error, path != NULL);
    graph_write_check(path, &error);
    return report_to_caller(public_error, &error);
}
