#include "words.h"

#include <stdio.h>
#include <string.h>

#include "../library/harness.h"
#include "../suggest.h"
#include "../verify/families.h"

#define MAX_NAMES 64

static int list_families(const char *names[MAX_NAMES])
{
    int count = 0;
    for (const struct family *family = families; family->name != NULL && count < MAX_NAMES; family++)
        names[count++] = family->name;
    return count;
}

const char *word_option(const char *word, bool has_family, struct error *error)
{
    const char *names[MAX_NAMES];
    char meant[128], known[256] = "";
    if (!has_family && family_of(word) != NULL)
        return "algo";
    if (means_graph(word))
        return "graph";
    int count = has_family ? 0 : list_families(names);
    const char *family = suggest(word, names, count);
    for (int i = 0; i < count; i++)
        snprintf(known + strlen(known), sizeof known - strlen(known), "%s%s", i > 0 ? ", " : "", names[i]);
    if (strpbrk(word, "./") != NULL && !suggest_spec(word, meant, sizeof meant))
        error_set(error, STATUS_INPUT, "%s: no such file", word);
    else if (has_family && family_of(word) != NULL)
        error_set(error, STATUS_INPUT, "'%s' is a second family; a command runs one", word);
    else if (family != NULL)
        error_set(error, STATUS_INPUT, "unexpected argument '%s'; did you mean '%s'?", word, family);
    else if (suggest_spec(word, meant, sizeof meant))
        error_set(error, STATUS_INPUT, "unexpected argument '%s'; did you mean '%s'?", word, meant);
    else if (has_family)
        error_set(error, STATUS_INPUT, "'%s' is no file and no generator; gtrav --help generators lists these", word);
    else
        error_set(error, STATUS_INPUT, "'%s' is no family (%s), no file and no generator", word, known);
    return NULL;
}
