#include "load_options.h"

#include "../suggest.h"
#include "hash.h"

enum kind { FLAG, CHOICE, TEXT };

static const struct row {
    enum kind kind;
    const char *name, *words;
    size_t field;
} rows[] = {
#define FLAG_ROW(NAME, MEMBER, HELP)          {FLAG, NAME, "yes|no", offsetof(struct load_options, MEMBER)},
#define CHOICE_ROW(NAME, MEMBER, WORDS, HELP) {CHOICE, NAME, WORDS, offsetof(struct load_options, MEMBER)},
#define TEXT_ROW(NAME, MEMBER, VALUE, HELP)   {TEXT, NAME, VALUE, offsetof(struct load_options, MEMBER)},
    LOAD_OPTIONS(FLAG_ROW, CHOICE_ROW, TEXT_ROW)};

static int set(const struct row *row, struct load_options *options, const char *value, struct error *error)
{
    void *field = (char *)options + row->field;
    int choice = row->kind == TEXT ? 0 : index_of_word(row->words, value, strlen(value));
    if (choice < 0 || *value == '\0')
        return error_set(error, STATUS_INPUT, "%s takes %s, not '%s'", row->name, row->words, value);
    if (row->kind == FLAG)
        *(bool *)field = choice == 0;
    else if (row->kind == CHOICE)
        *(int *)field = choice;
    else
        *(const char **)field = value;
    return STATUS_OK;
}

int load_options_set(struct load_options *options, const char *name, const char *value, struct error *error)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct row *row = &rows[i];
        if (strcmp(row->name, name) != 0)
            continue;
        if (value == NULL && row->kind != FLAG)
            return error_set(error, STATUS_INPUT, "%s needs a value: %s", name, row->words);
        return set(row, options, value != NULL ? value : "yes", error);
    }
    return error_set(error, STATUS_INPUT, "unknown option '%s' of loading a graph", name);
}

uint64_t load_options_hash(const struct load_options *options)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const void *field = (const char *)options + rows[i].field;
        if (rows[i].kind == TEXT)
            hash = hash_text(hash, *(const char *const *)field);
        else
            hash = hash_bytes(hash, field, rows[i].kind == FLAG ? sizeof(bool) : sizeof(int));
    }
    return hash;
}
