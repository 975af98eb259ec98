/* fuzz_spec.c: the specs of generators. An input is a --graph argument; what is made must be sound. */
#include <math.h>
#include <string.h>

#include "../../src/graph/generate.h"
#include "fuzz.h"

#define MOST_WORK  1e5  /* edges that a fuzz target has time for */
#define IMPOSSIBLE 1e19 /* so many that the program must refuse them on any machine, before it makes any */

/* About how many edges the spec asks for, if it is good. */
static double work_of(const char *spec)
{
    static const char *const by_scale[] = {"kron:", "urand:", "road:", "delaunay:", "rgg:"};
    static const char *const squared[] = {"complete:", "dag:"};
    char *rest;
    double first = strtod(spec + strcspn(spec, "0123456789"), &rest);
    double second = strtod(rest + strcspn(rest, "0123456789"), NULL);
    for (size_t i = 0; i < sizeof by_scale / sizeof by_scale[0]; i++)
        if (strncmp(spec, by_scale[i], strlen(by_scale[i])) == 0)
            return exp2(fmin(first, 64)) * fmax(second, 16);
    for (size_t i = 0; i < sizeof squared / sizeof squared[0]; i++)
        if (strncmp(spec, squared[i], strlen(squared[i])) == 0)
            return first * first;
    return first * fmax(second, 1);
}

void fuzz_spec(const uint8_t *data, size_t size)
{
    const char *spec = text_of(data, size);
    struct graph graph;
    struct error error = {0};
    double work = work_of(spec);
    is_generator_spec(spec);
    if (work > MOST_WORK && work < IMPOSSIBLE)
        return;
    int status = graph_generate(spec, size % 2 != 0, false, &graph, &error);
    check_graph(status, &graph, &error);
}
