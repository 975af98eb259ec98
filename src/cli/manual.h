/* manual.h: --man. */
#ifndef GTRAV_MANUAL_H
#define GTRAV_MANUAL_H

#include <stdio.h>

/* Prints the manual page of this build in roff's man macros, as ASCII. */
void print_manual(FILE *file, const char *version);

#endif
