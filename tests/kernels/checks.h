/* checks.h: what the kernel tests share: a line for each check, and main, which calls the test's check_all.
 *
 *     test_NAME_emulated [SEED]    SEED: of the schedule, 0: round-robin
 *     test_NAME_cuda */
#pragma once

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <vector>

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

/* Device memory of one test, freed with it, and the first error of the calls that use it. */
struct test_memory {
    struct gpu_arena arena = {};
    struct error error = {};

    ~test_memory()
    {
        gpu_arena_free(&arena);
    }

    /* Room for so many values, all zero. */
    template <typename type>
    type *room(size_t number)
    {
        return gpu_take_zeroed<type>(&arena, number, "the test", &error);
    }

    /* A copy of the values on the device. */
    template <typename type>
    type *put(const std::vector<type> &values)
    {
        type *copy = gpu_take<type>(&arena, values.size(), "the test", &error);
        gpu_upload(copy, values.data(), values.size(), &error);
        return copy;
    }

    template <typename type>
    std::vector<type> get(const type *memory, size_t number)
    {
        std::vector<type> values(number);
        gpu_download(values.data(), memory, number, &error);
        return values;
    }

    /* check() of a result, which after an error is wrong in any case. */
    __attribute__((format(printf, 4, 5))) bool check(bool ok, const char *what, const char *why, ...) const
    {
        char text[256];
        va_list arguments;
        va_start(arguments, why);
        vsnprintf(text, sizeof text, why, arguments);
        va_end(arguments);
        return ::check(ok && error.status == STATUS_OK, what, "%s; %s", text, error.text);
    }
};

/* Returns what main returns. */
static inline int run_checks(uint64_t seed)
{
    struct error error = {};
    struct device device;
    if (device_open(DEVICE_KIND, &device, 0, &error) != STATUS_OK) {
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
