/* checks.h: what the kernel tests share: a line for each check, and main, which calls the test's check_all.
 *
 *     test_NAME_emulated [SEED]    SEED: of the schedule, 0: round-robin
 *     test_NAME_cuda */
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../kernels/backend/backend.h"

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

namespace BACKEND
{

static void check_all(struct device *device);

/* Returns what main returns. */
static inline int run_checks(uint64_t seed)
{
    struct error error = {};
    struct device device;
    if (OPEN_DEVICE(&device, 0, &error) != STATUS_OK) {
        printf("%s\n", error.text);
        return 1;
    }
    set_schedule(seed);
    printf("on %s, seed %llu\n", device.name, (unsigned long long)seed);
    check_all(&device);
    device.close(&device);
    printf("%u passed, %u failed\n", num_passed, num_failed);
    return num_failed > 0;
}

} // namespace BACKEND

int main(int argc, char **argv)
{
    return BACKEND::run_checks(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
}
