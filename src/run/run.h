/* run.h: all headers for measuring and verifying algorithms on a loaded graph, for callers that use most of them.
 * The harness knows an algorithm only through algorithm.h. Its own files include only the headers that they need. */
#pragma once

#include "../records/identity.h"
#include "../records/json.h"
#include "../records/records.h"
#include "../verify/families.h"
#include "options.h"
#include "request.h"
#include "sources.h"
#include "summary.h"
#include "trials.h"
