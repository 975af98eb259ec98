/* terminal.h: messages on stderr, the progress bar of progress.h, and handling of Ctrl-C. */
#pragma once

#include "../error.h"

/* Installs a handler for Ctrl-C (SIGINT) and SIGTERM: the first signal asks the work to stop and ends all waiting for
 * the readers of stdout and stderr, the second kills the process. Unless quiet, notices are printed, and progress is
 * shown if stderr is a terminal. */
void terminal_open(bool quiet);
void terminal_close(void);

/* Returns the program's exit status for the status of its work: the signal's status if a signal interrupted it. */
int terminal_status(int status);

/* Each prints one line on stderr: notice() unless --quiet is given, report_error() always, beginning with "gtrav:". */
__attribute__((format(printf, 1, 2))) void notice(const char *format, ...);
void report_error(const struct error *error);

/* The number of columns of the terminal, or 0 if the descriptor is not a terminal. */
int terminal_columns(int descriptor);
