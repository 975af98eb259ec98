/* completion.h: scripts that complete gtrav's command lines, made from the tables that --help shows. */
#pragma once

#include <stdio.h>

#include "options.h"

/* Prints the completion script for a shell other than NO_SHELL. bash and fish source it; zsh needs it in fpath as
 * _gtrav. */
void print_completion(FILE *file, enum shell shell);
