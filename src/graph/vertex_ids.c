/* vertex_ids.c: the ids that the vertices have in the input: numbers or text. */
#include "graph.h"
#include "table_fields.h"

#define SIGN_BIT (UINT64_C(1) << 63)

const char *graph_id(const struct graph *graph, vertex_t v, char digits[ID_DIGITS])
{
    if (graph->names != NULL)
        return graph->names + graph->name_at[v];
    if (graph->signed_ids)
        snprintf(digits, ID_DIGITS, "%" PRId64, (int64_t)graph->ids[v]);
    else
        snprintf(digits, ID_DIGITS, "%" PRIu64, graph->ids != NULL ? graph->ids[v] : v);
    return digits;
}

size_t graph_put_id(const struct graph *graph, vertex_t v, char *text, size_t size)
{
    char digits[ID_DIGITS];
    int length = snprintf(text, size, "%s", v < graph->num_vertices ? graph_id(graph, v, digits) : "");
    return length > 0 ? (size_t)length : 0;
}

static int compare_number(const struct graph *graph, vertex_t v, uint64_t id)
{
    uint64_t flip = graph->signed_ids ? SIGN_BIT : 0; /* with it, negative numbers are below the others */
    return (graph->ids[v] ^ flip) < (id ^ flip) ? -1 : graph->ids[v] != id;
}

static int compare_text(const struct graph *graph, vertex_t v, const char *text, size_t length)
{
    const char *name = graph->names + graph->name_at[v];
    int order = strncmp(name, text, length);
    return order != 0 || name[length] == '\0' ? order : 1;
}

/* Finds the vertex with an id by bisection. text NULL: the id is a number. */
static bool find(const struct graph *graph, uint64_t id, const char *text, size_t length, vertex_t *vertex)
{
    for (vertex_t low = 0, high = graph->num_vertices; low < high;) {
        vertex_t middle = low + (high - low) / 2;
        int order = text != NULL ? compare_text(graph, middle, text, length) : compare_number(graph, middle, id);
        if (order == 0) {
            *vertex = middle;
            return true;
        }
        low = order < 0 ? middle + 1 : low;
        high = order < 0 ? high : middle;
    }
    return false;
}

bool is_whole_number(const char *text, size_t length)
{
    size_t sign = length > 1 && text[0] == '-';
    for (size_t i = sign; i < length; i++)
        if (text[i] < '0' || text[i] > '9')
            return false;
    return length > sign;
}

bool graph_find_text(const struct graph *graph, const char *text, size_t length, vertex_t *vertex)
{
    uint64_t id;
    if (graph->names != NULL)
        return memchr(text, '\0', length) == NULL && find(graph, 0, text, length, vertex);
    if (!is_whole_number(text, length) || !scan_whole_number(text, length, &id))
        return false;
    if (id != 0 && (*text == '-' ? !graph->signed_ids : graph->signed_ids && id >= SIGN_BIT))
        return false;
    if (graph->ids != NULL)
        return find(graph, id, NULL, 0, vertex);
    *vertex = (vertex_t)id;
    return id < graph->num_vertices;
}

static int copy_array(void *to, const void *from, size_t bytes, struct error *error)
{
    void *copy = NULL;
    if (from != NULL && allocate(&copy, bytes, 1, "the ids", error) == STATUS_OK)
        memcpy(copy, from, bytes);
    memcpy(to, &copy, sizeof copy);
    return error->status;
}

int graph_copy_ids(const struct graph *from, struct graph *to, struct error *error)
{
    size_t n = from->num_vertices;
    to->signed_ids = from->signed_ids;
    copy_array(&to->ids, from->ids, n * sizeof *from->ids, error);
    copy_array(&to->name_at, from->name_at, (n + 1) * sizeof *from->name_at, error);
    return copy_array(&to->names, from->names, from->names != NULL ? from->name_at[n] : 0, error);
}
