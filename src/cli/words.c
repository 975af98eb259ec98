#include "words.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../bench/bench.h"
#include "../graph/generate.h"
#include "../graph/text_input.h"
#include "../suggest.h"

#define MAX_NAMES 64

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

static int list_generators(const char *names[MAX_NAMES])
{
    int count = 0;
    for (const struct generator *generator = generators; generator->name != NULL && count < MAX_NAMES; generator++)
        names[count++] = generator->name;
    return count;
}

static int list_families(const char *names[MAX_NAMES])
{
    int count = 0;
    for (const struct family *family = families; family->name != NULL && count < MAX_NAMES; family++)
        names[count++] = family->name;
    return count;
}

/* The spec that a word was probably meant to be: "krn:10" and "kron10" are "kron:10", "kron" is the generator's
 * syntax. False: it is not like any. */
static bool suggest_spec(const char *word, char *text, size_t size)
{
    const char *names[MAX_NAMES];
    char name[64];
    size_t length = strspn(word, LETTERS);
    const char *numbers = word + length + (word[length] == ':');
    if (length >= sizeof name || strspn(numbers, DIGITS ".:xXeE-") != strlen(numbers) ||
        (*numbers == '\0' ? word[length] != '\0' : strchr(DIGITS, *numbers) == NULL))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const char *nearest = suggest(name, names, list_generators(names));
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
    int count = list_generators(names);
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return STATUS_OK;
    if (suggest_spec(spec, meant, sizeof meant))
        return error_set(error, STATUS_INPUT, "unknown generator '%s'; did you mean '%s'?", name, meant);
    return error_unknown("generator", name, names, count, error);
}

int check_graph_word(const char *word, struct error *error)
{
    char meant[128];
    if (is_stdin(word) || access(word, F_OK) == 0)
        return STATUS_OK;
    if (is_generator_spec(word))
        return check_generator(word, error);
    if (suggest_spec(word, meant, sizeof meant))
        return error_set(error, STATUS_INPUT, "%s: no such file; did you mean '%s'?", word, meant);
    return STATUS_OK;
}

int read_order_word(const char *spec, struct reorder *reorder, struct error *error)
{
    const char *names[MAX_NAMES];
    char name[64];
    int count = 0;
    bool known = false;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    for (const struct reordering *how = reorderings; how->name != NULL && count < MAX_NAMES; how++) {
        known = known || strcmp(how->name, name) == 0;
        names[count++] = how->name;
    }
    return known ? reorder_parse(spec, reorder, error) : error_unknown("order", name, names, count, error);
}

const char *word_option(const char *word, bool has_family, struct error *error)
{
    const char *names[MAX_NAMES];
    char meant[128];
    if (!has_family && family_of(word) != NULL)
        return "algo";
    if (is_stdin(word) || is_generator_spec(word) || access(word, F_OK) == 0)
        return "graph";
    const char *family = has_family ? NULL : suggest(word, names, list_families(names));
    if (family != NULL)
        error_set(error, STATUS_INPUT, "unexpected argument '%s'; did you mean '%s'?", word, family);
    else if (suggest_spec(word, meant, sizeof meant))
        error_set(error, STATUS_INPUT, "unexpected argument '%s'; did you mean '%s'?", word, meant);
    else
        error_set(error, STATUS_INPUT,
                  "unexpected argument '%s': no file is there, and no generator or family has that name; --graph %s "
                  "needs a file",
                  word, word);
    return NULL;
}
