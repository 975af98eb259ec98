/* manual.h: --man. */
#ifndef GTRAV_MANUAL_H
#define GTRAV_MANUAL_H

#include <stdio.h>

/* The manual page of this build in roff's man macros, ASCII only. */
void print_manual(FILE *file, const char *version);

#endif
