/* terminal.h: what the command line says on stderr, and that it hears Ctrl-C. The bar of progress.h is drawn here
 * too. */
#ifndef GTRAV_TERMINAL_H
#define GTRAV_TERMINAL_H

#include <stdbool.h>

#include "../error.h"

/* Begins to listen for Ctrl-C (SIGINT) and SIGTERM: the first asks the work to stop, the second kills. Unless quiet,
 * shows progress where stderr is a terminal, and notices. */
void terminal_open(bool quiet);
void terminal_close(void);

/* One line on stderr, "gtrav: " before it: a notice is left out with --quiet, an error never is. */
#ifdef __GNUC__
__attribute__((format(printf, 1, 2)))
#endif
void notice(const char *format, ...);
void report_error(const struct error *error);

/* Columns of the terminal that descriptor is, or 0 where it is none. */
int terminal_columns(int descriptor);

#endif
