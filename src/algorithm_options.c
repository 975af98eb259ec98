/* algorithm_options.c: an algorithm's tunables, from --set name=value and back to text for records. */
#include <errno.h>

#include "algorithm_options.h"
#include "suggest.h"

static const struct option_spec no_options[] = {{0}};

static const struct option_spec *specs_of(const struct algorithm *algorithm)
{
    return algorithm->options != NULL ? algorithm->options : no_options;
}

const struct option_spec *options_next_shown(const struct algorithm *algorithm, const struct option_spec *previous)
{
    const struct option_spec *option = previous != NULL ? previous + 1 : specs_of(algorithm);
    while (option->for_tests)
        option++;
    return option->name != NULL ? option : NULL;
}

static int parse_value(const struct option_spec *spec, const char *text, double *value, struct error *error)
{
    if (spec->choices != NULL) {
        int choice = index_of_word(spec->choices, text, strlen(text));
        if (choice < 0)
            return error_set(error, STATUS_INPUT, "--set %s=%s: expected one of %s", spec->name, text, spec->choices);
        *value = choice;
        return STATUS_OK;
    }
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || (double)number < spec->minimum || (double)number > spec->maximum)
        return error_set(error, STATUS_INPUT, "--set %s=%s: expected a whole number from %.0f to %.0f", spec->name,
                         text, spec->minimum, spec->maximum);
    *value = (double)number;
    return STATUS_OK;
}

static int unknown_option(const struct algorithm *algorithm, const char *setting, struct error *error)
{
    char known[256] = "";
    for (const struct option_spec *spec = NULL; (spec = options_next_shown(algorithm, spec)) != NULL;)
        append_name(known, sizeof known, spec->name);
    return error_set(error, STATUS_INPUT, "--set %s: %s %s has %s%s", setting, algorithm->family, algorithm->variant,
                     known[0] != '\0' ? "the options " : "no options", known);
}

int options_find(const struct algorithm *algorithm, const char *name, size_t length)
{
    const struct option_spec *specs = specs_of(algorithm);
    for (int i = 0; specs[i].name != NULL; i++)
        if (strlen(specs[i].name) == length && memcmp(specs[i].name, name, length) == 0)
            return i;
    return -1;
}

enum option_mode options_mode(const struct algorithm *algorithm, const double values[MAX_OPTIONS])
{
    int mode = options_find(algorithm, "mode", strlen("mode"));
    return mode >= 0 && values[mode] == MODE_PAPER ? MODE_PAPER : MODE_BEST;
}

static bool is_set(const char *name, const char *const *settings, int num_settings)
{
    size_t length = strlen(name);
    for (int s = 0; s < num_settings; s++)
        if (strncmp(settings[s], name, length) == 0 && settings[s][length] == '=')
            return true;
    return false;
}

/* With mode=paper, sets each option that is not in settings to the paper's value. */
static int follow_mode(const struct algorithm *algorithm, const char *const *settings, int num_settings,
                       double values[MAX_OPTIONS], struct error *error)
{
    const struct option_spec *specs = specs_of(algorithm);
    if (options_mode(algorithm, values) != MODE_PAPER)
        return STATUS_OK;
    for (int i = 0; specs[i].name != NULL; i++)
        if (specs[i].paper != NULL && !is_set(specs[i].name, settings, num_settings) &&
            parse_value(&specs[i], specs[i].paper, &values[i], error) != STATUS_OK)
            return error->status;
    return STATUS_OK;
}

bool options_of_named_device(const struct algorithm *algorithm, char setting[64])
{
    const struct option_spec *option = algorithm->options;
    while (option != NULL && option->name != NULL && option->named_device == NULL)
        option++;
    bool found = option != NULL && option->name != NULL;
    return found && snprintf(setting, 64, "%s=%s", option->name, option->named_device) > 0;
}

int options_parse(const struct algorithm *algorithm, const char *const *settings, int num_settings,
                  double values[MAX_OPTIONS], struct error *error)
{
    const struct option_spec *specs = specs_of(algorithm);
    for (int i = 0; specs[i].name != NULL; i++)
        values[i] = specs[i].default_value;
    for (int s = 0; s < num_settings; s++) {
        const char *equals = strchr(settings[s], '=');
        if (equals == NULL)
            return error_set(error, STATUS_INPUT, "--set %s: expected NAME=VALUE", settings[s]);
        int i = options_find(algorithm, settings[s], (size_t)(equals - settings[s]));
        if (i < 0)
            return unknown_option(algorithm, settings[s], error);
        if (parse_value(&specs[i], equals + 1, &values[i], error) != STATUS_OK)
            return error->status;
    }
    return follow_mode(algorithm, settings, num_settings, values, error);
}

const char *option_word(const struct option_spec *option, double value)
{
    const char *word = option->choices;
    for (int skip = (int)value; skip > 0; skip--)
        word += strcspn(word, "|") + 1;
    return word;
}

void options_format(const struct algorithm *algorithm, const double values[MAX_OPTIONS], char *text, size_t size)
{
    const struct option_spec *specs = specs_of(algorithm);
    text[0] = '\0';
    for (int i = 0; specs[i].name != NULL; i++) {
        if (specs[i].choices == NULL) {
            text_append(text, size, " ", "%s=%.0f", specs[i].name, values[i]);
            continue;
        }
        const char *word = option_word(&specs[i], values[i]);
        text_append(text, size, " ", "%s=%.*s", specs[i].name, (int)strcspn(word, "|"), word);
    }
}

int options_seed(const char *setting, uint64_t *seed, struct error *error)
{
    const char *text = strchr(setting, '=') + 1;
    char *end;
    errno = 0;
    *seed = strtoull(text, &end, 10);
    if (errno != 0 || *text < '0' || *text > '9' || *end != '\0')
        return error_set(error, STATUS_INPUT, "--set %s: expected a whole number, 0 for no random schedule", setting);
    return STATUS_OK;
}
