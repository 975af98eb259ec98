/* options.h: an algorithm's tunables, as --set name=value sets them. (The command line's options: cli/options.h.) */
#pragma once

#include "algorithm.h"

/* Sets values to the algorithm's defaults, then to each "name=value" of settings; with mode=paper the options that
 * settings do not name get the paper's values. STATUS_INPUT for an unknown name or a bad value. */
int options_parse(const struct algorithm *algorithm, const char *const *settings, int num_settings,
                  double values[MAX_OPTIONS], struct error *error);

/* Writes every option with its value: "alpha=15 beta=18". */
void options_format(const struct algorithm *algorithm, const double values[MAX_OPTIONS], char *text, size_t size);

/* MODE_PAPER or MODE_BEST; MODE_BEST if the algorithm has no option mode. */
enum option_mode options_mode(const struct algorithm *algorithm, const double values[MAX_OPTIONS]);
