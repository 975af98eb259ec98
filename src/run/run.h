/* run.h: all headers for measuring and verifying algorithms on a loaded graph, for callers that use most of them.
 * The harness knows an algorithm only through algorithm.h. Its own files include only the headers that they need. */
#pragma once

#include "../algorithm_options.h"
#include "../graph/sources.h"
#include "../records/identity.h"
#include "../records/json.h"
#include "../records/records.h"
#include "../records/result.h"
#include "../records/summary.h"
#include "../verify/verify.h"
#include "trials.h"
