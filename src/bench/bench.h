/* bench.h: all headers for measuring and verifying algorithms on a loaded graph, for callers that use most of them.
 * This folder knows an algorithm only through algorithm.h. Its own files include only the headers that they need. */
#ifndef GTRAV_BENCH_H
#define GTRAV_BENCH_H

#include "families.h"
#include "identity.h"
#include "json.h"
#include "options.h"
#include "records.h"
#include "request.h"
#include "sources.h"
#include "summary.h"
#include "trials.h"

#endif
