/* completion.c: the possible values of each option, as a completion script for each shell.
 *
 * The names of variants and algorithm options depend on the family, so each script has a function that finds the
 * family on the line: the word after --algo, or the first word that is a family's name. */
#include "help.h"

#include <string.h>

#include "../../include/gtrav.h"
#include "../algorithm_options.h"
#include "plan.h"

/* What completes a value. */
enum completer { NOTHING, WORDS, FAMILIES, VARIANTS, SETTINGS, GRAPHS, ORDERS, TOPICS, FILES };

static enum completer completer_of(const struct cli_option *option)
{
    static const struct {
        const char *name;
        enum completer completer;
    } special[] = {{"algo", FAMILIES}, {"variant", VARIANTS}, {"set", SETTINGS},
                   {"graph", GRAPHS},  {"reorder", ORDERS},   {"help", TOPICS}};
    for (size_t i = 0; i < sizeof special / sizeof special[0]; i++)
        if (strcmp(option->name, special[i].name) == 0)
            return special[i].completer;
    if (option->kind == VALUE_CHOICE)
        return WORDS;
    if (option->value != NULL && (strncmp(option->value, "FILE", 4) == 0 || strncmp(option->value, "DIR", 3) == 0))
        return FILES;
    return NOTHING;
}

/* ---- lists of words, separated by blanks ---- */

static void put_choices(FILE *file, const struct cli_option *option)
{
    const char *rest = option->value, *word;
    for (size_t length, count = 0; (length = next_word(&rest, &word, '|')) > 0; count++)
        fprintf(file, "%s%.*s", count > 0 ? " " : "", (int)length, word);
}

static void put_families(FILE *file)
{
    for (const struct family *family = families; family->name != NULL; family++)
        fprintf(file, "%s%s", family > families ? " " : "", family->name);
}

static void put_variants(FILE *file, const struct family *family)
{
    for (int i = 0; i < num_algorithms; i++)
        if (is_variant_of(algorithms[i], family))
            fprintf(file, "%s ", algorithms[i]->variant);
    fputs("all", file);
}

/* Whether one of the family's algorithms before index `before` has an option of this name. */
static bool has_setting(const struct family *family, int before, const char *name)
{
    for (int i = 0; i < before; i++)
        if (is_variant_of(algorithms[i], family))
            for (const struct option_spec *option = NULL;
                 (option = options_next_shown(algorithms[i], option)) != NULL;)
                if (strcmp(option->name, name) == 0)
                    return true;
    return false;
}

/* "alpha= beta=": the options of all variants, each once. */
static void put_settings(FILE *file, const struct family *family)
{
    int count = 0;
    for (int i = 0; i < num_algorithms; i++) {
        if (!is_variant_of(algorithms[i], family))
            continue;
        for (const struct option_spec *option = NULL; (option = options_next_shown(algorithms[i], option)) != NULL;)
            if (!has_setting(family, i, option->name))
                fprintf(file, "%s%s=", count++ > 0 ? " " : "", option->name);
    }
}

static void put_specs(FILE *file, bool (*at)(int, gtrav_spec *), const char *after)
{
    gtrav_spec spec;
    for (int i = 0; at(i, &spec); i++)
        fprintf(file, "%s%s%s", i > 0 ? " " : "", spec.name, after);
}

static void put_generators(FILE *file)
{
    put_specs(file, gtrav_generator_at, ":");
}

static void put_topics(FILE *file)
{
    fputs("generators orders options brief all ", file);
    put_families(file);
}

static void put_words(FILE *file, const struct cli_option *option, enum completer completer)
{
    if (completer == WORDS)
        put_choices(file, option);
    else if (completer == FAMILIES)
        put_families(file);
    else if (completer == ORDERS)
        put_specs(file, gtrav_order_at, "");
    else if (completer == TOPICS)
        put_topics(file);
}

/* How a shell's function chooses by family: its head, of its name; before a family's words, of its name; after them;
 * and the end. */
typedef const char *const cases[4];
#define END_OF_CASES "    esac\n}\n\n"

static void put_cases(FILE *file, cases how, const char *function, void (*put)(FILE *, const struct family *))
{
    fprintf(file, how[0], function);
    for (const struct family *family = families; family->name != NULL; family++) {
        fprintf(file, how[1], family->name);
        put(file, family);
        fputs(how[2], file);
    }
    fputs(how[3], file);
}

/* ---- bash ---- */

static void put_bash_option(FILE *file, const struct cli_option *option)
{
    enum completer completer = completer_of(option);
    if (option->kind == VALUE_NONE)
        return;
    fprintf(file, "    --%s) ", option->name);
    if (completer == VARIANTS || completer == SETTINGS)
        fprintf(file, "_gtrav_words \"$(_gtrav_%s \"$(_gtrav_family)\")\"",
                completer == VARIANTS ? "variants" : "settings");
    else if (completer == GRAPHS)
        fputs("_gtrav_graphs", file);
    else if (completer == FILES)
        fputs("_gtrav_files", file);
    else if (completer == NOTHING)
        fputs("COMPREPLY=()", file);
    else {
        fputs("_gtrav_words '", file);
        put_words(file, option, completer);
        fputc('\'', file);
    }
    fputs(" ;;\n", file);
}

/* Bash splits the words of a line at ':' and '=' (COMP_WORDBREAKS). So the script joins the pieces before the last
 * of these characters again, and removes them from the completions that it offers. */
static const char bash_head[] =
    "# bash completion for gtrav, made by: gtrav --completion bash\n\n"
    "_gtrav_family() {\n"
    "    local word i\n"
    "    for ((i = 1; i < ${#COMP_WORDS[@]}; i++)); do\n"
    "        word=${COMP_WORDS[i]}\n"
    "        [[ -n $(_gtrav_variants \"$word\") && i -ne COMP_CWORD ]] && echo \"$word\" && return\n"
    "    done\n"
    "}\n\n"
    "_gtrav_words() {\n"
    "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n"
    "    [[ ${COMPREPLY[0]} == *[:=] ]] && compopt -o nospace 2>/dev/null\n"
    "    [[ $cur == *:* && $COMP_WORDBREAKS == *:* ]] && COMPREPLY=(\"${COMPREPLY[@]#\"${cur%\"${cur##*:}\"}\"}\")\n"
    "    return 0\n"
    "}\n\n"
    "_gtrav_files() {\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
    "}\n\n";

static const char bash_line[] =
    "_gtrav() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} at=$COMP_CWORD\n"
    "    COMPREPLY=()\n"
    "    if [[ $cur == : || $cur == = ]]; then\n"
    "        cur=\n"
    "    else\n"
    "        at=$((at - 1))\n"
    "    fi\n"
    "    if [[ ${COMP_WORDS[at]} == : ]]; then\n"
    "        cur=${COMP_WORDS[at - 1]}:$cur prev=${COMP_WORDS[at - 2]}\n"
    "    elif [[ ${COMP_WORDS[at]} == = ]]; then\n"
    "        prev=${COMP_WORDS[at - 1]}\n"
    "    fi\n"
    "    case $prev in\n";

static void print_bash(FILE *file)
{
    static cases by_word = {"%s() {\n    case $1 in\n", "    %s) echo '", "' ;;\n", END_OF_CASES};
    fputs(bash_head, file);
    put_cases(file, by_word, "_gtrav_variants", put_variants);
    put_cases(file, by_word, "_gtrav_settings", put_settings);
    fputs("_gtrav_graphs() {\n    local files\n    _gtrav_files\n    files=(\"${COMPREPLY[@]}\")\n    _gtrav_words '",
          file);
    put_generators(file);
    fputs("'\n    COMPREPLY+=(\"${files[@]}\")\n}\n\n", file);
    fputs(bash_line, file);
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        put_bash_option(file, option);
    fputs("    --list | -h) _gtrav_words '", file);
    put_topics(file);
    fputs("' ;;\n    *)\n        if [[ $cur == -* ]]; then\n            _gtrav_words '", file);
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        fprintf(file, "--%s ", option->name);
    fputs("-h'\n        else\n            local files\n            _gtrav_graphs\n            "
          "files=(\"${COMPREPLY[@]}\")\n"
          "            [[ -z $(_gtrav_family) ]] && _gtrav_words '",
          file);
    put_families(file);
    fputs("' && COMPREPLY+=(\"${files[@]}\")\n        fi\n        ;;\n    esac\n}\n\ncomplete -F _gtrav gtrav\n",
          file);
}

/* ---- zsh ---- */

/* Text inside '...[...]', where quotes, brackets and colons have a meaning in zsh. */
static void put_zsh_text(FILE *file, const char *text)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", file);
        else
            fprintf(file, "%s%c", strchr("[]:\\", *text) != NULL ? "\\" : "", *text);
}

static void put_zsh_option(FILE *file, const struct cli_option *option)
{
    enum completer completer = completer_of(option);
    fprintf(file, "        '%s--%s%s[", option->kind == VALUE_LIST ? "*" : "", option->name,
            option->kind == VALUE_NONE ? "" : "=");
    put_zsh_text(file, option->help);
    fputc(']', file);
    if (option->kind != VALUE_NONE) {
        fputs(option->kind == VALUE_OPTIONAL ? "::" : ":", file);
        put_zsh_text(file, option->value);
        fputc(':', file);
        if (completer == VARIANTS)
            fputs("_gtrav_variants", file);
        else if (completer == SETTINGS)
            fputs("_gtrav_settings", file);
        else if (completer == GRAPHS)
            fputs("_gtrav_graphs", file);
        else if (completer == FILES)
            fputs("_files", file);
        else if (completer != NOTHING) {
            fputc('(', file);
            put_words(file, option, completer);
            fputc(')', file);
        } else
            fputc(' ', file);
    }
    fputs("' \\\n", file);
}

#define ZSH_CASES "%s() {\n    case $(_gtrav_family) in\n"

static void print_zsh(FILE *file)
{
    static cases words = {ZSH_CASES, "    %s) compadd -- ", " ;;\n", END_OF_CASES};
    static cases without_blanks = {ZSH_CASES, "    %s) compadd -S '' -- ", " ;;\n", END_OF_CASES};
    fputs("#compdef gtrav\n# zsh completion for gtrav, made by: gtrav --completion zsh\n\n"
          "_gtrav_family() {\n    local word\n    for word in \"${words[@]}\"; do\n        case $word in\n        ",
          file);
    for (const struct family *family = families; family->name != NULL; family++)
        fprintf(file, "%s%s", family > families ? " | " : "", family->name);
    fputs(")\n            print -r -- $word\n            return\n            ;;\n        esac\n    done\n}\n\n",
          file);
    put_cases(file, words, "_gtrav_variants", put_variants);
    put_cases(file, without_blanks, "_gtrav_settings", put_settings);
    fputs("_gtrav_graphs() {\n    compadd -S '' -- ", file);
    put_generators(file);
    fputs("\n    _files\n}\n\n_gtrav_any() {\n    [[ -z $(_gtrav_family) ]] && compadd -- ", file);
    put_families(file);
    fputs("\n    _gtrav_graphs\n}\n\n_gtrav() {\n    _arguments \\\n", file);
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        put_zsh_option(file, option);
    fputs("        '*:family or graph:_gtrav_any'\n}\n\n"
          "if [[ $funcstack[1] == _gtrav ]]; then\n    _gtrav \"$@\"\nelse\n    compdef _gtrav gtrav\nfi\n",
          file);
}

/* ---- fish ---- */

/* The first clause of a help text: fish shows descriptions beside the words. */
static void put_fish_description(FILE *file, const char *help)
{
    fputs(" -d '", file);
    for (const char *end = help + strcspn(help, ";:,("); help < end; help++)
        fprintf(file, "%s%c", strchr("'\\", *help) != NULL ? "\\" : "", *help);
    fputc('\'', file);
}

static void put_fish_option(FILE *file, const struct cli_option *option)
{
    enum completer completer = completer_of(option);
    fprintf(file, "complete -c gtrav -l %s", option->name);
    if (option->kind != VALUE_NONE && option->kind != VALUE_OPTIONAL)
        fputs(completer == FILES || completer == GRAPHS ? " -r -F" : " -x", file);
    if (completer == VARIANTS || completer == SETTINGS)
        fprintf(file, " -a '(__gtrav_%s)'", completer == VARIANTS ? "variants" : "settings");
    else if (completer == GRAPHS)
        fputs(" -a '(__gtrav_generators)'", file);
    else if (completer == WORDS || completer == FAMILIES || completer == ORDERS || completer == TOPICS) {
        fputs(" -a '", file);
        put_words(file, option, completer);
        fputc('\'', file);
    }
    put_fish_description(file, option->help);
    fputc('\n', file);
}

static void print_fish(FILE *file)
{
    static cases by_family = {"function %s\n    switch (__gtrav_family)\n",
                              "        case %s\n            string split ' ' -- '", "'\n", "    end\nend\n\n"};
    fputs("# fish completion for gtrav, made by: gtrav --completion fish\n\n"
          "function __gtrav_family\n    for word in (commandline -opc)\n        if contains -- $word ",
          file);
    put_families(file);
    fputs("\n            echo $word\n            return\n        end\n    end\n    echo none\nend\n\n", file);
    put_cases(file, by_family, "__gtrav_variants", put_variants);
    put_cases(file, by_family, "__gtrav_settings", put_settings);
    fputs("function __gtrav_generators\n    string split ' ' -- '", file);
    put_generators(file);
    fputs("'\nend\n\ncomplete -c gtrav -n 'test (__gtrav_family) = none' -a '", file);
    put_families(file);
    fputs("'\ncomplete -c gtrav -a '(__gtrav_generators)'\ncomplete -c gtrav -s h -d 'the most common commands'\n",
          file);
    for (const struct cli_option *option = cli_options; option->name != NULL; option++)
        put_fish_option(file, option);
}

void print_completion(FILE *file, enum shell shell)
{
    static void (*const print[])(FILE *) = {
        [SHELL_BASH] = print_bash, [SHELL_ZSH] = print_zsh, [SHELL_FISH] = print_fish};
    print[shell](file);
}
