#include "words.h"

#include "../bench/families.h"
#include "../library/harness.h"
#include "../suggest.h"

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
    char meant[128];
    if (!has_family && family_of(word) != NULL)
        return "algo";
    if (means_graph(word))
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
