/* topics.c: --help TOPIC: the part of the help on one topic. */
#include "../algorithm_options.h"
#include "../suggest.h"
#include "compare.h"
#include "help.h"
#include "plan.h"

#define MAX_NAMES 64

/* ---- one screen ---- */

static const struct example commonest[] = {
    {"gtrav bfs kron:16", "the best BFS here, from 64 sources"},
    {"gtrav bfs a.mtx --variant all --csv", "every variant; keeps records"},
    {"gtrav dfs road:14 --verify all", "every result is checked"},
    {"gtrav bfs a.mtx --source 0 --output a.npy", "one result as an array"},
    {"gtrav a.mtx --info", "properties of the graph"},
    {"gtrav rgg:20 --write rgg20.mtx", "generate or convert"},
    {0},
};

static const struct example more[] = {
    {"gtrav --list [FAMILY]", "the algorithms"},
    {"gtrav --help FAMILY", "its variants and their options"},
    {"gtrav --help FAMILY:VARIANT", "one variant"},
    {"gtrav --help generators|orders|options", "lists of these"},
    {"gtrav compare --help", "is A faster than B?"},
    {"gtrav --help", "everything"},
    {0},
};

static void print_examples(FILE *file, const struct example *rows)
{
    for (; rows->command != NULL; rows++)
        fprintf(file, "  %-43s %s\n", rows->command, rows->meaning);
}

#define MOST_COLUMNS 80

static void print_brief(FILE *file)
{
    print_usage(file);
    int column = fprintf(file, "FAMILY:");
    for (const struct family *family = families; family->name != NULL; family++) {
        bool fits = column + (int)strlen(family->name) + 2 <= MOST_COLUMNS;
        column = fits ? column : 0;
        column += fprintf(file, "%s%s", family == families ? " " : fits ? ", " : ",\n        ", family->name);
    }
    fputs("\nGRAPH: a file or a generator\n\n", file);
    print_examples(file, commonest);
    fputs("\nMore:\n", file);
    print_examples(file, more);
}

static const struct topic {
    const char *name;
    void (*print)(FILE *file);
} topics[] = {{TOPIC_ALL, print_help},
              {TOPIC_BRIEF, print_brief},
              {"options", write_options},
              {"generators", write_generators},
              {"orders", write_reorderings},
              {"compare", compare_help},
              {0}};

/* ---- families ---- */

static void print_variant(FILE *file, const struct algorithm *algorithm)
{
    char label[64], text[512];
    describe_algorithm(algorithm, text, sizeof text);
    print_entry(file, algorithm->variant, text);
    for (const struct option_spec *option = NULL; (option = options_next_shown(algorithm, option)) != NULL;) {
        snprintf(label, sizeof label, "  --set %s=", option->name);
        describe_option(option, text, sizeof text);
        print_entry(file, label, text);
    }
}

static void print_family(FILE *file, const struct family *family)
{
    fprintf(file, "%s: %s%s%s%s\n\n", family->name, family->title, family->engines != NULL ? ", by a variant of " : "",
            family->engines != NULL ? family->engines : "",
            family->engines != NULL ? " that gives the needed outputs" : "");
    for (int i = 0; i < num_algorithms; i++)
        if (is_variant_of(algorithms[i], family))
            print_variant(file, algorithms[i]);
}

int print_topic(FILE *file, const char *word, struct error *error)
{
    const char *names[MAX_NAMES];
    char name[64];
    size_t length = strcspn(word, ":");
    int count = family_names(names);
    for (const struct topic *topic = topics; topic->name != NULL; topic++) {
        names[count++] = topic->name;
        if (strcmp(topic->name, word) == 0) {
            topic->print(file);
            return STATUS_OK;
        }
    }
    snprintf(name, sizeof name, "%.*s", (int)length, word);
    const struct family *family = family_of(name);
    if (family == NULL)
        return error_unknown("help topic", word, names, count, error);
    const struct algorithm *algorithm;
    if (word[length] != ':')
        print_family(file, family);
    else if (find_variant(family, word + length + 1, &algorithm, error) == STATUS_OK)
        print_variant(file, algorithm);
    return error->status;
}
