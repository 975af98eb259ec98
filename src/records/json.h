/* json.h: runs as JSON for other programs. */
#pragma once

#include "put_text.h"
#include "result.h"

/* Begins a run's object: identity, graph, algorithm, device, figures of the preparation, warnings. */
void json_head(FILE *file, const struct bench_request *request, const struct trials_result *result);

/* Prints one run and leaves its object open, for members that are known only after a comparison with other runs. */
void json_run(FILE *file, const struct bench_request *request, const struct trials_result *result);
