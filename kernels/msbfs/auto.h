/* auto.h: the model of the designs of `msbfs auto` (model.cuh), for use by tests. */
#pragma once

#include "sample.h"

namespace BACKEND::automatic_msbfs
{

/* The searches to be done, and the device that runs them. */
struct use_of_searches {
    double num_sources; /* total number of sources */
    unsigned outputs;
    double multiprocessors, shared_bytes; /* multiprocessors of the device; shared memory of each, in bytes */
};

enum msbfs_design { DESIGN_BITPARALLEL, DESIGN_PERBLOCK, DESIGN_SINGLE, DESIGN_IBFS, NUM_DESIGNS };

/* Predicts the time for all sources on an H200, in ms, by a rough model. Includes preparing if there are few sources.
 * Returns HUGE_VAL if the design cannot give the outputs. */
double msbfs_predicted_ms(enum msbfs_design design, const struct estimate_of_searches *estimate,
                          const struct use_of_searches *use);
/* Returns the design with the least predicted time; of equal ones, the first. */
enum msbfs_design msbfs_fastest(const struct estimate_of_searches *estimate, const struct use_of_searches *use);

} // namespace BACKEND::automatic_msbfs
