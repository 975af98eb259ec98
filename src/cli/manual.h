/* manual.h: --man. */
#pragma once

#include <stdio.h>

/* Prints the manual page of this build in roff's man macros, as ASCII. */
void print_manual(FILE *file, const char *version);
