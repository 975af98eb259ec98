/* help.h: --help and --version. */
#ifndef GTRAV_HELP_H
#define GTRAV_HELP_H

#include <stdio.h>

void print_help(FILE *file);
void print_version(FILE *file, const char *version);

#endif
