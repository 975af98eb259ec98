#include "named_edges.h"

#include <omp.h>

#include "readers.h"

#define BATCH_IDS 32768u /* ids that a thread adds to the dictionary together */

/* The edges that one thread has read. */
struct named_edge_list {
    uint64_t (*pairs)[2]; /* the places of source and target in the dictionary */
    double *weights;      /* NULL: the edges have none */
    uint64_t count, capacity, weight_capacity;
    struct radix radix;
    uint32_t num_ids; /* ids that are not in the dictionary yet, two for each edge */
    struct id ids[BATCH_IDS];
    double new_weights[BATCH_IDS / 2]; /* of the edges of these ids */
};

int named_edges_init(struct named_edges *edges, bool of_texts, struct error *error)
{
    edges->num_lists = omp_get_max_threads();
    if (dictionary_init(&edges->ids, of_texts, error) != STATUS_OK)
        return error->status;
    return allocate_zeroed(&edges->lists, (size_t)edges->num_lists, sizeof *edges->lists, "the input", error);
}

void named_edges_release(struct named_edges *edges)
{
    dictionary_release(&edges->ids);
    for (int i = 0; edges->lists != NULL && i < edges->num_lists; i++) {
        free(edges->lists[i].pairs);
        free(edges->lists[i].weights);
        radix_release(&edges->lists[i].radix);
    }
    free(edges->lists);
    *edges = (struct named_edges){0};
}

bool named_edges_append(struct named_edges *edges, const struct id ends[2], double weight)
{
    struct named_edge_list *list = &edges->lists[omp_get_thread_num()];
    if (list->num_ids == BATCH_IDS && !named_edges_flush(edges))
        return false;
    list->new_weights[list->num_ids / 2] = weight;
    list->ids[list->num_ids++] = ends[0];
    list->ids[list->num_ids++] = ends[1];
    return true;
}

bool named_edges_flush(struct named_edges *edges)
{
    struct named_edge_list *list = &edges->lists[omp_get_thread_num()];
    uint64_t more = list->num_ids / 2;
    struct error unused = {0};
    if (!dictionary_add(&edges->ids, list->ids, list->num_ids, &list->radix) ||
        allocate_more(&list->pairs, list->count, more, &list->capacity, sizeof *list->pairs, "edges", &unused) !=
            STATUS_OK ||
        (edges->weighted && allocate_more(&list->weights, list->count, more, &list->weight_capacity,
                                          sizeof *list->weights, "edges", &unused) != STATUS_OK))
        return false;
    if (edges->weighted)
        memcpy(list->weights + list->count, list->new_weights, more * sizeof *list->weights);
    for (uint64_t i = 0; i < more; i++, list->count++) {
        list->pairs[list->count][0] = list->ids[2 * i].place;
        list->pairs[list->count][1] = list->ids[2 * i + 1].place;
    }
    list->num_ids = 0;
    return true;
}

static void push_named(const struct named_edges *edges, bool undirected, struct builder *builder)
{
#pragma omp parallel for schedule(dynamic, 1)
    for (int i = 0; i < edges->num_lists; i++)
        for (uint64_t k = 0; k < edges->lists[i].count; k++) {
            const uint64_t *pair = edges->lists[i].pairs[k];
            vertex_t source = dictionary_vertex(&edges->ids, pair[0]), target = dictionary_vertex(&edges->ids, pair[1]);
            struct edge_writer *writer = &builder->writers[omp_get_thread_num()];
            if (edges->weighted)
                push_weighted_edge(writer, source, target, edges->lists[i].weights[k], undirected);
            else
                push_edge_as(writer, source, target, undirected);
        }
}

/* Sets the ids and the number of vertices of `named`. */
static int number_ids(struct named_edges *edges, const struct text_input *input, struct graph *named,
                      struct error *error)
{
    if (edges->ids.has_negative && edges->ids.has_huge)
        return error_set(error, STATUS_INPUT, "%s: ids below 0 and above 2^63 - 1 in one file; --ids text takes both",
                         input->path);
    if (check_counts(input, dictionary_count(&edges->ids), 0, error) != STATUS_OK)
        return error->status;
    return dictionary_number(&edges->ids, named, error);
}

int named_edges_finish(struct named_edges *edges, const struct text_input *input, bool undirected, const char *origin,
                       struct graph *graph, struct error *error)
{
    struct builder builder = {0};
    struct graph named = {0}; /* has only ids and their number */
    if (number_ids(edges, input, &named, error) == STATUS_OK &&
        builder_init(&builder, named.num_vertices, error) == STATUS_OK) {
        builder.weight_type = edges->weighted ? WEIGHTS_DOUBLE : WEIGHTS_NONE;
        push_named(edges, undirected, &builder);
    }
    if (finish_reading(&builder, named.num_vertices, undirected, origin, graph, error) != STATUS_OK) {
        graph_release(&named);
        return error->status;
    }
    graph->ids = named.ids;
    graph->signed_ids = named.signed_ids;
    graph->name_at = named.name_at;
    graph->names = named.names;
    return STATUS_OK;
}
