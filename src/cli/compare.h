/* compare.h: the command `gtrav compare`. */
#pragma once

#include "../error.h"

/* Runs `gtrav compare`. words: argv from "compare" on. With --fail-if slower, STATUS_WRONG if a row is slower. */
int compare_main(int count, char *const words[], struct error *error);

void compare_help(FILE *file);
