/* harness.h: headers of the harness that tests use most: measuring and verifying algorithms on a loaded graph. */
#pragma once

#include "../src/algorithm_options.h"
#include "../src/graph/sources.h"
#include "../src/records/identity.h"
#include "../src/records/json.h"
#include "../src/records/records.h"
#include "../src/run/trials.h"
#include "../src/verify/verify.h"
