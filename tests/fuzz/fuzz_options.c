/* fuzz_options.c: the command line, from its words to a plan. An input is the words, one a line. */
#include <string.h>

#include "../../src/algorithm_options.h"
#include "../../src/cli/options.h"
#include "../../src/cli/plan.h"
#include "../../src/cli/terminal.h"
#include "../../src/graph/reorder.h"
#include "../../src/request.h"
#include "fuzz.h"

#define MAX_WORDS 64

/* Numbers are in range, lists hold words, and what was parsed twice is the same. */
static void check_settings(const struct settings *settings)
{
    const struct word_list *lists[] = {&settings->variants, &settings->set, &settings->graphs};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        for (int k = 0; k < lists[i]->count; k++)
            REQUIRE(lists[i]->items[k][0] != '\0');
    REQUIRE(settings->threads >= 0 && settings->sources >= 0);
    REQUIRE(settings->device >= CHOICE_AUTO && settings->device <= CHOICE_CPU);
    REQUIRE(settings->verify >= VERIFY_NONE && settings->verify <= VERIFY_ALL);
    bool tells = settings->help != NULL || settings->version;
    REQUIRE(settings->load.ids >= IDS_AUTO && settings->load.ids <= IDS_TEXT);
    REQUIRE(settings->algo == NULL || settings->graphs.count > 0 || settings->list || tells);
}

/* What an order says of itself is read as the same. */
static void check_reorder(const char *spec)
{
    struct reorder reorder, again;
    struct error error = {0}, none = {0};
    char text[MAX_REORDERING];
    int status = reorder_parse(spec, &reorder, &error);
    check_error(status, &error);
    if (status != STATUS_OK)
        return;
    reorder_format(&reorder, text, sizeof text);
    REQUIRE(reorder_parse(text, &again, &none) == STATUS_OK);
    REQUIRE(again.how == reorder.how && again.parameter == reorder.parameter);
}

static void make_plan(const struct settings *settings)
{
    struct machine machine = {0};
    struct plan plan;
    struct error error = {0};
    char options[512];
    int status = plan_make(settings, &machine, &plan, &error);
    REQUIRE(status == error.status && (status == STATUS_OK || status == STATUS_INPUT || status == STATUS_DEVICE));
    for (int i = 0; status == STATUS_OK && i < plan.choices.count; i++) {
        const struct choice *choice = &plan.choices.items[i];
        const struct option_spec *option = choice->algorithm->options;
        for (int k = 0; option != NULL && option[k].name != NULL; k++)
            REQUIRE(option[k].choices != NULL ||
                    (choice->options[k] >= option[k].minimum && choice->options[k] <= option[k].maximum));
        options_format(choice->algorithm, choice->options, options, sizeof options);
    }
    choices_release(&plan.choices);
    machine_close(&machine);
}

void fuzz_options(const uint8_t *data, size_t size)
{
    char program[] = "gtrav", *rest, *argv[MAX_WORDS + 1] = {program};
    int argc = 1;
    terminal_open(true); /* no notices */
    for (char *word = strtok_r(text_of(data, size), "\n", &rest); word != NULL && argc <= MAX_WORDS;
         word = strtok_r(NULL, "\n", &rest))
        argv[argc++] = word;
    struct settings settings;
    struct error error = {0};
    int status = settings_parse(argc, argv, &settings, &error);
    check_error(status, &error);
    if (status == STATUS_OK) {
        check_settings(&settings);
        if (settings.reorder != NULL)
            check_reorder(settings.reorder);
        if (settings.algo != NULL && !settings.help && !settings.version)
            make_plan(&settings);
    }
    settings_release(&settings);
}
