/* algorithm_options.h: the tunables of an algorithm, which --set name=value sets. */
#pragma once

#include "algorithm.h"

C_NAMES_BEGIN

/* Sets values to the algorithm's defaults, then to each "name=value" of settings; with mode=paper the options that
 * settings do not name get the paper's values. STATUS_INPUT for an unknown name or a bad value. */
int options_parse(const struct algorithm *algorithm, const char *const *settings, int num_settings,
                  double values[MAX_OPTIONS], struct error *error);

/* If the algorithm has an option whose default differs when the user names the device, writes it as a setting. */
bool options_of_named_device(const struct algorithm *algorithm, char setting[64]);

/* Writes every option with its value: "alpha=15 beta=18". */
void options_format(const struct algorithm *algorithm, const double values[MAX_OPTIONS], char *text, size_t size);

/* Returns the option after `previous` (NULL: the first) that help and messages show, which are all but those for
 * tests. NULL: there are no more. */
const struct option_spec *options_next_shown(const struct algorithm *algorithm, const struct option_spec *previous);

/* Returns the word of a choice with this value. It ends at a '|' or at the end of the text. */
const char *option_word(const struct option_spec *option, double value);

/* MODE_PAPER or MODE_BEST; MODE_BEST if the algorithm has no option mode. */
enum option_mode options_mode(const struct algorithm *algorithm, const double values[MAX_OPTIONS]);

/* Returns the index of the option whose name is the first `length` bytes of name; -1: there is none. */
int options_find(const struct algorithm *algorithm, const char *name, size_t length);

/* Reads "seed=N", the emulator's seed, which is not an algorithm's option. */
int options_seed(const char *setting, uint64_t *seed, struct error *error);

C_NAMES_END
