/* bench.h: from a loaded graph and an algorithm to figures that can be trusted; for callers that use most of it. What
 * is here knows an algorithm only through algorithm.h. Files of this folder include the one header that they need. */
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
