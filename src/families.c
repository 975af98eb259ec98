/* families.c: the table of families. */
#include "families.h"

#include "suggest.h"
#include "verify/verify.h"

const struct family families[] = {
    {"bfs", "breadth-first search", .default_variant = "auto", .has_sources = true, .verify = verify_bfs},
    {"msbfs", "breadth-first search from many sources at once", .default_variant = "auto", .has_sources = true,
     .has_batches = true, .verify = verify_bfs},
    {"closeness", "closeness centrality of every vertex", .engines = "msbfs", .default_variant = "auto",
     .has_sources = true, .has_batches = true},
    {"betweenness", "betweenness centrality of every vertex", .has_sources = true, .has_batches = true,
     .sums_sources = true},
    {"graph500", "the Graph500 benchmark by its rules, on graph500:SCALE", .engines = "bfs", .default_variant = "auto",
     .has_sources = true},
    {"graph500-sssp", "the same with shortest paths by the edges' weights", .engines = "sssp", .has_sources = true,
     .weighted = true},
    {"sssp", "shortest paths by the edges' weights", .has_sources = true, .weighted = true, .verify = verify_sssp},
    {"dfs", "depth-first search", .default_variant = "auto", .has_sources = true, .verify = verify_dfs},
    {"topo", "topological order of a DAG", .verify = verify_topo},
    {"wcc", "weakly connected components", .verify = verify_components},
    {"scc", "strongly connected components", .verify = verify_components},
    {0},
};

int family_names(const char *names[MAX_FAMILIES])
{
    int count = 0;
    for (; families[count].name != NULL; count++)
        names[count] = families[count].name;
    return count;
}

const struct family *family_of(const char *name)
{
    for (const struct family *family = families; family->name != NULL; family++)
        if (strcmp(family->name, name) == 0)
            return family;
    return NULL;
}

int find_family(const char *name, const struct family **family, struct error *error)
{
    const char *names[MAX_FAMILIES];
    *family = family_of(name);
    return *family != NULL ? STATUS_OK : error_unknown("algorithm", name, names, family_names(names), error);
}
