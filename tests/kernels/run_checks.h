/* run_checks.h: what a kernel test does around its checks. */
#pragma once

#include <stdlib.h>

#include "../../kernels/backend/backend.h"
#include "checks.h"

namespace BACKEND
{

/* A test program's main: opens the device, sets the schedule by the seed on the command line, and checks all. */
static inline int run_checks(int argc, char **argv, void (*check_all)(const struct device *))
{
    struct error error = {};
    struct device device;
    if (OPEN_DEVICE(&device, 0, &error) != STATUS_OK) {
        printf("%s\n", error.text);
        return 1;
    }
    set_schedule(argc > 1 ? strtoull(argv[1], NULL, 10) : 0);
    printf("on %s, seed %s\n", device.name, argc > 1 ? argv[1] : "0");
    check_all(&device);
    device.close(&device);
    return summary();
}

} // namespace BACKEND
