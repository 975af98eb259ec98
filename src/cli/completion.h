/* completion.h: scripts that complete gtrav's command lines, made from the tables that --help shows. */
#ifndef GTRAV_COMPLETION_H
#define GTRAV_COMPLETION_H

#include <stdio.h>

#include "options.h"

/* Prints the script for a shell, not NO_SHELL: to be sourced by bash or fish, or put into zsh's fpath as _gtrav. */
void print_completion(FILE *file, enum shell shell);

#endif
