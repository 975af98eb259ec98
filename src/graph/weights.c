/* weights.c: the weights of a graph's edges. */
#include <math.h>

#include "random.h"
#include "text_input.h"

const char *weight_source_name(enum weight_source source)
{
    static const char *const names[] = {"input", "hashed", "gap", "graph500"};
    return names[source];
}

const char *weights_in_words(const struct graph *graph, char text[WEIGHTS_BYTES])
{
    static const char *const types[] = {"no weights", "uint32", "float", "double"};
    snprintf(text, WEIGHTS_BYTES, "%s, %s%s", types[graph->weight_type], weight_source_name(graph->weight_source),
             graph->symmetric_weights ? ", symmetric" : "");
    return text;
}

#define LONGEST_WEIGHT 127u
#define MOST_WHOLE     ((uint64_t)1 << 53) /* a double holds all whole numbers up to it */
#define EXACT_DIGITS   15u                 /* so many digits divided by a power of ten give the nearest double */

/* Reads DIGITS or DIGITS.DIGITS, almost all weights, fast. Returns false for other texts. */
static bool scan_plain_weight(const char *text, size_t length, double *weight)
{
    static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    uint64_t number = 0;
    size_t at = 0, point = length;
    for (; at < length && at <= EXACT_DIGITS; at++)
        if (text[at] == '.' && point == length)
            point = at;
        else if (text[at] >= '0' && text[at] <= '9')
            number = number * 10 + (uint64_t)(text[at] - '0');
        else
            return false;
    size_t digits = length - (point < length), decimals = point < length ? length - point - 1 : 0;
    if (at < length || digits == 0 || digits > EXACT_DIGITS)
        return false;
    *weight = (double)number / powers[decimals];
    return true;
}

const char *scan_weight(const char *text, size_t length, double *weight)
{
    char copy[LONGEST_WEIGHT + 2], *end;
    uint64_t whole;
    if (scan_plain_weight(text, length, weight))
        return NULL;
    if (length > LONGEST_WEIGHT)
        return "a weight of more than 127 characters";
    memcpy(copy, text, length);
    copy[length] = '\n';
    copy[length + 1] = '\0';
    if (length == 0 || skip_value(copy) != copy + length)
        return "expected a weight, a number";
    size_t exponent = strcspn(copy, "dD");
    copy[exponent] = copy[exponent] != '\0' ? 'e' : '\0';
    *weight = strtod(copy, &end) + 0.0; /* -0 becomes 0 */
    if (*weight < 0)
        return "a negative weight; weights are 0 or more";
    if (!isfinite(*weight))
        return "a weight that is infinite or no number";
    if (*end != '\n')
        return "a weight that this program's language (LC_NUMERIC) cannot read";
    const char *digits = copy + (*copy == '+');
    if (scan_number(digits, &whole) == end && whole > MOST_WHOLE)
        return "a whole number above 2^53, which weights cannot hold";
    return NULL;
}

#define MOST_HASHED 255u /* the weights are 1 to 255, as GAP's */

int graph_add_hashed_weights(struct graph *graph, struct error *error)
{
    uint32_t *weights;
    const vertex_t *in_input = graph->permutation;
    if (allocate(&weights, graph->num_edges, sizeof *weights, "the weights", error) != STATUS_OK)
        return error->status;
#pragma omp parallel for schedule(dynamic, 1024)
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        for (edge_t e = graph->offsets[v]; e < graph->offsets[v + 1]; e++) {
            uint64_t one = in_input != NULL ? in_input[v] : v;
            uint64_t other = in_input != NULL ? in_input[graph->targets[e]] : graph->targets[e];
            uint64_t pair = one < other ? one << 32 | other : other << 32 | one;
            weights[e] = 1 + (uint32_t)(random_bits(pair) % MOST_HASHED);
        }
    graph->weights = weights;
    graph->weight_type = WEIGHTS_UINT32;
    graph->weight_source = WEIGHTS_HASHED;
    graph->symmetric_weights = graph->symmetric;
    return STATUS_OK;
}

void graph_drop_weights(struct graph *graph)
{
    const size_t bytes = weight_bytes(graph->weight_type);
    graph->weights_ignored = graph->num_edges > 1 && memcmp(graph->weights, (char *)graph->weights + bytes,
                                                            (graph->num_edges - 1) * bytes) != 0;
    free(graph->weights);
    graph->weights = NULL;
    graph->weight_type = WEIGHTS_NONE;
    graph->symmetric_weights = false;
}

bool are_weights(const void *weights, enum weight_type type, uint64_t count)
{
    const size_t bytes = weight_bytes(type);
    const uint64_t bound = type == WEIGHTS_UINT32 ? UINT64_MAX : weight_as_bits(INFINITY, type);
    bool good = true;
#pragma omp parallel for reduction(&& : good)
    for (uint64_t i = 0; i < count; i++) /* the bits of NaN and of negative numbers are those of larger integers */
        good = good && get_weight_bits(weights, bytes, i) < bound;
    return good;
}

bool sort_weighted_row(vertex_t *row, void *weights, size_t bytes, edge_t length, struct radix *radix, unsigned id_bits)
{
    if (length > UINT32_MAX || !radix_reserve(radix, length))
        return false;
    for (edge_t i = 0; i < length; i++)
        radix->keys[i] = (uint64_t)row[i] << 32 | i; /* an id, and the place of its weight */
    if (length <= SHORT_ROW)
        sort_short_keys(radix->keys, length);
    else
        radix_sort(radix, length, 32, 32 + id_bits);
    for (edge_t i = 0; i < length; i++)
        radix->spare[i] = get_weight_bits(weights, bytes, i);
    for (edge_t i = 0; i < length; i++) {
        row[i] = (vertex_t)(radix->keys[i] >> 32);
        set_weight_bits(weights, bytes, i, radix->spare[(uint32_t)radix->keys[i]]);
    }
    return true;
}
