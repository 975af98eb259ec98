#include "specs.h"

#include <errno.h>
#include <strings.h>
#include <unistd.h>

#include "../suggest.h"
#include "table_fields.h"

#define MAX_NAMES 64 /* that a message offers */

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS  "0123456789"

/* Lists the names of the generators. Returns their number. */
static int generator_names(const char *names[MAX_NAMES])
{
    int count = 0;
    for (; count < MAX_NAMES && generators[count].name != NULL; count++)
        names[count] = generators[count].name;
    return count;
}

/* Returns the generator of a name; NULL: there is none. */
static const struct generator *generator_of(const char *name)
{
    for (const struct generator *generator = generators; name != NULL && generator->name != NULL; generator++)
        if (strcmp(generator->name, name) == 0)
            return generator;
    return NULL;
}

bool suggest_spec(const char *word, char *text, size_t size)
{
    /* what others call generators */
    static const char *const others[][2] = {{"rmat", "kron"},      {"er", "urand"},  {"gnp", "urand"},
                                            {"lattice", "grid"},   {"line", "path"}, {"ring", "cycle"},
                                            {"clique", "complete"}};
    const char *names[MAX_NAMES];
    char name[64];
    size_t length = strspn(word, LETTERS);
    const char *numbers = word + length + (word[length] == ':');
    if (length >= sizeof name || strspn(numbers, DIGITS ".:xXeE-") != strlen(numbers) ||
        (*numbers == '\0' ? word[length] != '\0' : strchr(DIGITS, *numbers) == NULL))
        return false;
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcasecmp(name, others[i][0]) == 0)
            strcpy(name, others[i][1]);
    const struct generator *nearest = generator_of(suggest(name, names, generator_names(names)));
    if (nearest != NULL && *numbers == '\0')
        snprintf(text, size, "%s", nearest->syntax);
    else if (nearest != NULL)
        snprintf(text, size, "%s:%s", nearest->name, numbers);
    return nearest != NULL;
}

bool spec_number(const char **text, uint64_t minimum, uint64_t maximum, uint64_t *number)
{
    const char *digits = *text;
    size_t length = strspn(digits, DIGITS);
    *text += length;
    return length > 0 && scan_whole_number(digits, length, number) && *number >= minimum && *number <= maximum;
}

const struct generator *find_generator(const char *spec, struct error *error)
{
    const char *names[MAX_NAMES];
    char name[64], meant[128];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(spec, ":"), spec);
    const struct generator *generator = generator_of(name);
    if (generator == NULL && suggest_spec(spec, meant, sizeof meant))
        error_set(error, STATUS_INPUT, "unknown generator '%s'; did you mean '%s'?", name, meant);
    else if (generator == NULL)
        error_unknown("generator", name, names, generator_names(names), error);
    return generator;
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
        find_generator(spec, error);
    if (kind == SPEC_NOTHING && access(spec, F_OK) != 0 && errno == ENOENT && suggest_spec(spec, meant, sizeof meant))
        error_set(error, STATUS_INPUT, "%s: no such file; did you mean '%s'?", spec, meant);
    return error->status;
}
