/* checks.h: what the kernel tests share: a line per check, and a last line that counts them. */
#pragma once

#include <stdarg.h>
#include <stdio.h>

static unsigned num_passed, num_failed;

/* Prints "ok   what" or "FAIL what: why" and counts it; returns ok. */
__attribute__((format(printf, 3, 4))) static bool check(bool ok, const char *what, const char *why, ...)
{
    va_list arguments;
    printf("%s %s", ok ? "ok  " : "FAIL", what);
    if (!ok) {
        printf(": ");
        va_start(arguments, why);
        vprintf(why, arguments);
        va_end(arguments);
    }
    putchar('\n');
    fflush(stdout);
    *(ok ? &num_passed : &num_failed) += 1;
    return ok;
}

/* What main returns. */
static int summary(void)
{
    printf("%u passed, %u failed\n", num_passed, num_failed);
    return num_failed > 0;
}
