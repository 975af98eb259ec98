/* builder.c: builds a CSR from edges in any order, in parallel, in about twice the memory of the result.
 *
 * The work is one radix sort. While edges are pushed, every thread distributes its edges to buckets by the high bits
 * of their source; writers share nothing. Then each bucket is sorted by one thread, in its cache: first by the digits
 * of the target, least significant first, and last by the source, directly into the rows of the CSR. There it drops
 * self-loops and duplicates, which are adjacent. A bucket too large for the cache is first cut into pieces of few
 * vertices, in one pass.
 *
 * Memory: an edge takes 8 bytes in its bucket and 4 in the CSR. A bucket's blocks go back to the system as they are
 * read, and a page of the CSR is first touched when its bucket is written, so the peak is about 8 bytes per edge plus
 * the offsets. The gaps that dropped duplicates leave are closed at the end.
 *
 * With weights, a bucket's edges go into their rows, and then each row is sorted. An edge then takes 16 bytes in its
 * bucket.
 *
 * Up to a million edges that are known at once are sorted as one bucket, by build_few(). The writers would spend more
 * time on the pages of their blocks. */
#include "builder.h"

#include <omp.h>
#include <sys/mman.h>

#include "../progress.h"
#include "radix.h"

#ifndef BLOCK_BYTES                    /* tests set it small, so that small graphs span several blocks */
#define BLOCK_BYTES ((size_t)64 << 10) /* a bucket grows by blocks of this size; only touched pages cost memory */
#define SLAB_BYTES  ((size_t)64 << 20) /* address space that a writer requests at a time */
#define PIECE_EDGES ((size_t)1 << 15)  /* two arrays of this many edges fit into the L2 cache */
#endif
#define MAX_PIECES  512u /* maximal number of pieces of a bucket */
#define HUGE_FROM   ((size_t)2 << 20)
#define LEAST_SHIFT 6u /* smallest shift for a known number of vertices: each bucket costs a small graph a page */

struct edge_block {
    struct edge_block *older;
    size_t count; /* places in use in the block; set when it is full or the bucket is closed */
    struct edge edges[];
};
#define BLOCK_EDGES ((BLOCK_BYTES - sizeof(struct edge_block)) / sizeof(struct edge) / 2 * 2) /* even, for weights */

struct edge_slab {
    struct edge_slab *older;
    size_t used;
};

/* ---- pushing ---- */

int builder_init(struct builder *builder, uint64_t num_vertices, struct error *error)
{
    unsigned shift = num_vertices > 0 ? LEAST_SHIFT : 0;
    while (num_vertices > 0 && (num_vertices - 1) >> shift >= BUILDER_BUCKETS)
        shift++;
    int num_writers = omp_get_max_threads();
    *builder = (struct builder){0};
    if (allocate_zeroed(&builder->writers, (size_t)num_writers, sizeof *builder->writers, "the graph builder", error) !=
        STATUS_OK)
        return error->status;
    builder->num_writers = num_writers;
    for (int t = 0; t < num_writers; t++)
        builder->writers[t].shift = shift;
    return STATUS_OK;
}

void builder_release(struct builder *builder)
{
    for (int t = 0; t < builder->num_writers; t++)
        for (struct edge_slab *slab = builder->writers[t].slabs, *older; slab != NULL; slab = older) {
            older = slab->older;
            munmap(slab, SLAB_BYTES);
        }
    free(builder->writers);
    *builder = (struct builder){0};
}

bool writer_new_block(struct edge_writer *writer, unsigned bucket)
{
    struct edge_slab *slab = writer->slabs;
    if (slab == NULL || slab->used + BLOCK_BYTES > SLAB_BYTES) {
        slab = mmap(NULL, SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (slab == MAP_FAILED) {
            writer->failed = true;
            return false;
        }
        *slab = (struct edge_slab){writer->slabs, BLOCK_BYTES}; /* the slab's own header takes its first block */
        writer->slabs = slab;
    }
    struct edge_block *block = (struct edge_block *)((char *)slab + slab->used);
    slab->used += BLOCK_BYTES;
    if (slab->used == HUGE_FROM)
        madvise(block, SLAB_BYTES - HUGE_FROM, MADV_HUGEPAGE);
    if (writer->newest[bucket] != NULL)
        writer->newest[bucket]->count = BLOCK_EDGES;
    block->older = writer->newest[bucket];
    writer->newest[bucket] = block;
    writer->next[bucket] = block->edges;
    writer->limit[bucket] = block->edges + BLOCK_EDGES;
    return true;
}

static void open_bucket(struct edge_writer *writer, unsigned bucket, struct edge_block *newest)
{
    writer->newest[bucket] = newest;
    writer->next[bucket] = newest != NULL ? newest->edges + newest->count : NULL;
    writer->limit[bucket] = newest != NULL ? newest->edges + BLOCK_EDGES : NULL;
}

static void close_buckets(struct edge_writer *writer)
{
    for (unsigned b = 0; b < BUILDER_BUCKETS; b++)
        if (writer->newest[b] != NULL)
            writer->newest[b]->count = (size_t)(writer->next[b] - writer->newest[b]->edges);
}

/* Halves the number of buckets in use: merges buckets 2b and 2b + 1 to bucket b. */
static void widen_once(struct edge_writer *writer)
{
    close_buckets(writer);
    for (unsigned b = 0; b < BUILDER_BUCKETS; b++) {
        struct edge_block *low = 2 * b < BUILDER_BUCKETS ? writer->newest[2 * b] : NULL;
        struct edge_block *high = 2 * b < BUILDER_BUCKETS ? writer->newest[2 * b + 1] : NULL;
        struct edge_block **end = &low;
        while (*end != NULL)
            end = &(*end)->older;
        *end = high;
        open_bucket(writer, b, low);
    }
    writer->shift++;
}

void writer_widen(struct edge_writer *writer, vertex_t source)
{
    while (source >> writer->shift >= BUILDER_BUCKETS)
        widen_once(writer);
}

void compare_weight(struct edge_writer *writer, const char *start, const char *end)
{
    size_t length = (size_t)(end - start), known = strlen(writer->weight);
    if (known > 0 && length == known && memcmp(writer->weight, start, length) == 0)
        return;
    char text[WEIGHT_BYTES] = "", *stop[2];
    memcpy(text, start, length < sizeof text ? length : 0);
    if (known == 0)
        memcpy(writer->weight, text, sizeof text);
    double first = strtod(writer->weight, &stop[0]), other = strtod(text, &stop[1]);
    bool same = first == other && *stop[0] == '\0' && *stop[1] == '\0'; /* 1 equals 1.0 */
    writer->weights_differ = length >= sizeof text || (known > 0 && !same);
}

bool builder_weights_differ(const struct builder *builder)
{
    struct edge_writer all = {0};
    for (int t = 0; t < builder->num_writers; t++) {
        const char *weight = builder->writers[t].weight;
        if (builder->writers[t].weights_differ)
            return true;
        if (*weight != '\0')
            note_weight(&all, weight, weight + strlen(weight));
    }
    return all.weights_differ;
}

enum weight_type builder_least_type(const struct builder *builder)
{
    for (int t = 0; t < builder->num_writers; t++)
        if (builder->writers[t].has_fractions)
            return builder->weight_type;
    return builder->weight_type != WEIGHTS_NONE ? WEIGHTS_UINT32 : WEIGHTS_NONE;
}

uint64_t builder_vertices_seen(const struct builder *builder)
{
    uint64_t seen = 0;
    for (int t = 0; t < builder->num_writers; t++)
        seen = builder->writers[t].vertices_seen > seen ? builder->writers[t].vertices_seen : seen;
    return seen;
}

/* ---- sorting a bucket ---- */

struct bucket {
    vertex_t first, last;       /* the bucket has the vertices first <= v < last */
    edge_t num_edges, num_kept; /* edges pushed; edges left without self-loops and duplicates */
    edge_t self_loops;
    edge_t start; /* start of the bucket's rows in targets while it is sorted */
};

/* Returns the number of places that an edge takes: two with a weight. */
static int places_of(const struct builder *builder)
{
    return builder->weight_type != WEIGHTS_NONE ? 2 : 1;
}

/* Loops over the edges of bucket b, newest block first. */
#define FOR_EACH_EDGE(builder, b, edge)                                                                                \
    for (int t_ = 0, places_ = places_of(builder); t_ < (builder)->num_writers; t_++)                                  \
        for (const struct edge_block *block_ = (builder)->writers[t_].newest[b]; block_ != NULL;                       \
             block_ = block_->older)                                                                                   \
            for (const struct edge *edge = block_->edges; edge < block_->edges + block_->count; edge += places_)

void builder_visit(struct builder *builder, bool (*visit)(const struct edge *edge, void *context), void *context)
{
    for (int t = 0; t < builder->num_writers; t++)
        close_buckets(&builder->writers[t]);
    for (unsigned b = 0; b < BUILDER_BUCKETS; b++)
        FOR_EACH_EDGE(builder, b, edge)
    if (!visit(edge, context))
        return;
}

static void give_back_blocks(const struct builder *builder, unsigned b)
{
    for (int t = 0; t < builder->num_writers; t++)
        for (struct edge_block *block = builder->writers[t].newest[b], *older; block != NULL; block = older) {
            older = block->older;
            madvise(block, BLOCK_BYTES, MADV_DONTNEED);
        }
}

/* Writes the lengths of rows to offsets[first .. last). Returns the longest. */
static edge_t count_rows(const struct builder *builder, unsigned b, const struct bucket *bucket, edge_t *offsets)
{
    edge_t longest = 0;
    memset(offsets + bucket->first, 0, (size_t)(bucket->last - bucket->first) * sizeof *offsets);
    FOR_EACH_EDGE(builder, b, edge)
    if (++offsets[edge->source] > longest)
        longest = offsets[edge->source];
    return longest;
}

static void lengths_to_starts(const struct bucket *bucket, edge_t *offsets)
{
    edge_t position = bucket->start;
    for (vertex_t v = bucket->first; v < bucket->last; v++) {
        edge_t length = offsets[v];
        offsets[v] = position;
        position += length;
    }
}

/* Sorts a bucket without long rows: each row by insertion. */
static void sort_by_insertion(const struct builder *builder, unsigned b, const struct bucket *bucket, edge_t *offsets,
                              vertex_t *targets)
{
    lengths_to_starts(bucket, offsets);
    FOR_EACH_EDGE(builder, b, edge)
    targets[offsets[edge->source]++] = edge->target;
    give_back_blocks(builder, b);
    edge_t start = bucket->start;
    for (vertex_t v = bucket->first; v < bucket->last; start = offsets[v++])
        sort_short_row(targets + start, offsets[v] - start);
}

/* Sorts any other bucket: radix-sorts the edges by target, and then puts them into the rows. Cuts a bucket that does
 * not fit into the cache into pieces first, each a range of 2^shift vertices. radix: room for the bucket's edges. */
static void sort_pieces(const struct builder *builder, unsigned b, const struct bucket *bucket, unsigned target_bits,
                        struct radix *radix, edge_t *offsets, vertex_t *targets)
{
    edge_t piece_end[MAX_PIECES], start = 0; /* while edges are placed: the place of the piece's next edge */
    unsigned shift = 0;
    vertex_t num_vertices = bucket->last - bucket->first;
    while (((num_vertices - 1) >> shift) + 1 > MAX_PIECES ||
           (bucket->num_edges << shift) / num_vertices < PIECE_EDGES / 2) /* mean number of edges in a piece */
        shift++;
    if (bucket->num_edges <= 8 * PIECE_EDGES)
        shift = 31;
    unsigned num_pieces = ((num_vertices - 1) >> shift) + 1;
    lengths_to_starts(bucket, offsets);
    for (unsigned p = 0; p < num_pieces; p++)
        piece_end[p] = offsets[bucket->first + (p << shift)] - bucket->start;
    FOR_EACH_EDGE(builder, b, edge)
    radix->keys[piece_end[(edge->source - bucket->first) >> shift]++] = (uint64_t)edge->target << 32 | edge->source;
    give_back_blocks(builder, b);
    for (unsigned p = 0; p < num_pieces; start = piece_end[p++]) {
        edge_t num_edges = piece_end[p] - start;
        const uint64_t *keys = radix_sort_array(radix->keys + start, radix->spare, num_edges, 32, 32 + target_bits);
        for (edge_t i = 0; i < num_edges; i++)
            targets[offsets[(vertex_t)keys[i]]++] = (vertex_t)(keys[i] >> 32);
    }
}

/* Sorts a bucket of weighted edges, row by row. Returns false if memory is short. */
static bool sort_weighted(const struct builder *builder, unsigned b, const struct bucket *bucket, unsigned target_bits,
                          struct radix *radix, struct graph *graph)
{
    const size_t bytes = weight_bytes(builder->weight_type);
    edge_t *offsets = graph->offsets, start = bucket->start;
    bool sorted = true;
    lengths_to_starts(bucket, offsets);
    FOR_EACH_EDGE(builder, b, edge)
    {
        double weight;
        memcpy(&weight, edge + 1, sizeof weight);
        set_weight_bits(graph->weights, bytes, offsets[edge->source], weight_as_bits(weight, builder->weight_type));
        graph->targets[offsets[edge->source]++] = edge->target;
    }
    give_back_blocks(builder, b);
    for (vertex_t v = bucket->first; v < bucket->last && sorted; start = offsets[v++])
        sorted = sort_weighted_row(graph->targets + start, (char *)graph->weights + start * bytes, bytes,
                                   offsets[v] - start, radix, target_bits);
    return sorted;
}

/* Moves the weight of edge `from` of a sorted row to edge `to`, or takes the smaller one of both. */
static void move_weight(struct graph *graph, edge_t from, edge_t to, bool smaller)
{
    const size_t bytes = weight_bytes(graph->weight_type);
    uint64_t weight = get_weight_bits(graph->weights, bytes, from);
    if (!smaller || weight < get_weight_bits(graph->weights, bytes, to))
        set_weight_bits(graph->weights, bytes, to, weight);
}

/* Drops self-loops and duplicates from the bucket's sorted rows and closes the gaps. On entry offsets[v] is the end
 * of row v in targets, on exit the start of row v relative to the bucket. */
static void drop_edges(struct bucket *bucket, struct graph *graph)
{
    edge_t *offsets = graph->offsets;
    vertex_t *targets = graph->targets;
    edge_t kept = bucket->start, start = bucket->start;
    for (vertex_t v = bucket->first; v < bucket->last; v++) {
        edge_t end = offsets[v], row = kept;
        vertex_t last = NO_VERTEX;
        for (edge_t e = start; e < end; e++) {
            bucket->self_loops += targets[e] == v;
            if (graph->weights != NULL && targets[e] != v)
                move_weight(graph, e, targets[e] != last ? kept : kept - 1, targets[e] == last);
            if (targets[e] != last && targets[e] != v)
                targets[kept++] = targets[e];
            last = targets[e];
        }
        offsets[v] = row - bucket->start;
        start = end;
    }
    bucket->num_kept = kept - bucket->start;
}

/* Returns false if memory is short. */
static bool sort_bucket(const struct builder *builder, unsigned b, struct bucket *bucket, unsigned target_bits,
                        struct radix *radix, struct graph *graph)
{
    bool sorted = true;
    edge_t longest = count_rows(builder, b, bucket, graph->offsets);
    if (graph->weights != NULL)
        sorted = sort_weighted(builder, b, bucket, target_bits, radix, graph);
    else if (longest <= SHORT_ROW)
        sort_by_insertion(builder, b, bucket, graph->offsets, graph->targets);
    else if ((sorted = radix_reserve(radix, bucket->num_edges)))
        sort_pieces(builder, b, bucket, target_bits, radix, graph->offsets, graph->targets);
    if (sorted)
        drop_edges(bucket, graph);
    return sorted;
}

/* ---- building the graph ---- */

/* Gives all writers the same bucket width, which covers num_vertices, and fills in the buckets. */
static unsigned lay_out_buckets(struct builder *builder, vertex_t num_vertices, struct bucket *buckets)
{
    unsigned shift = 0;
    for (int t = 0; t < builder->num_writers; t++)
        if (builder->writers[t].shift > shift)
            shift = builder->writers[t].shift;
    while (num_vertices > 0 && (num_vertices - 1) >> shift >= BUILDER_BUCKETS)
        shift++;
    for (int t = 0; t < builder->num_writers; t++) {
        while (builder->writers[t].shift < shift)
            widen_once(&builder->writers[t]);
        close_buckets(&builder->writers[t]);
    }
    unsigned count = num_vertices == 0 ? 0 : ((num_vertices - 1) >> shift) + 1;
    edge_t start = 0;
    for (unsigned b = 0; b < count; b++) {
        struct bucket *bucket = &buckets[b];
        uint64_t last = ((uint64_t)b + 1) << shift;
        *bucket = (struct bucket){.first = b << shift, .start = start};
        bucket->last = last < num_vertices ? (vertex_t)last : num_vertices;
        for (int t = 0; t < builder->num_writers; t++)
            for (const struct edge_block *block = builder->writers[t].newest[b]; block != NULL; block = block->older)
                bucket->num_edges += block->count / (size_t)places_of(builder);
        start += bucket->num_edges;
    }
    return count;
}

static int sort_buckets(struct builder *builder, struct bucket *buckets, unsigned num_buckets, struct graph *graph,
                        struct error *error)
{
    unsigned target_bits = bits_below(graph->num_vertices), finished = 0;
    int status = STATUS_OK; /* in the loop, of the thread's own buckets */
    edge_t unsorted = 0;    /* edges of a bucket for which memory is short */
    struct progress_listener *listener = progress_listener;
    progress_begin("building the graph", num_buckets);
#pragma omp parallel reduction(max : status, unsorted)
    {
        progress_join(listener);
        struct radix radix = {0};
        status = STATUS_OK;
#pragma omp for schedule(dynamic, 1)
        for (unsigned b = 0; b < num_buckets; b++) {
            if (status == STATUS_OK && stop_requested())
                status = STATUS_INTERRUPTED;
            if (status == STATUS_OK && !sort_bucket(builder, b, &buckets[b], target_bits, &radix, graph)) {
                status = STATUS_INPUT;
                unsorted = buckets[b].num_edges;
            }
            progress_set(__atomic_add_fetch(&finished, 1, __ATOMIC_RELAXED));
        }
        radix_release(&radix);
    }
    progress_end();
    if (status == STATUS_INPUT)
        return error_set(error, status, "out of memory: sorting %llu edges needs %.1f MB", (unsigned long long)unsorted,
                         16e-6 * (double)unsorted);
    return status == STATUS_OK ? status : error_set(error, status, "interrupted");
}

/* Moves the rows of a bucket in an array of num_edges entries to their place. array: NULL: there is nothing to move. */
static void close_gap(void *array, size_t bytes, const struct bucket *bucket, edge_t to)
{
    if (array != NULL && to != bucket->start && bucket->num_kept > 0)
        memmove((char *)array + to * bytes, (char *)array + bucket->start * bytes, bucket->num_kept * bytes);
}

/* Frees the tail of an array; if shrinking fails, returns the array as it is. */
static void *shrink(void *array, size_t bytes)
{
    void *shrunk = realloc(array, bytes > 0 ? bytes : 1);
    return shrunk != NULL ? shrunk : array;
}

/* Moves the buckets' rows together and makes the offsets absolute. */
static void close_up(struct bucket *buckets, unsigned num_buckets, struct graph *graph)
{
    edge_t end = 0;
    for (unsigned b = 0; b < num_buckets; b++) {
        close_gap(graph->targets, sizeof *graph->targets, &buckets[b], end);
        close_gap(graph->weights, weight_bytes(graph->weight_type), &buckets[b], end);
        graph->self_loops_dropped += buckets[b].self_loops;
        graph->duplicates_dropped += buckets[b].num_edges - buckets[b].num_kept - buckets[b].self_loops;
        buckets[b].start = end;
        end += buckets[b].num_kept;
    }
#pragma omp parallel for schedule(dynamic, 1)
    for (unsigned b = 0; b < num_buckets; b++)
        for (vertex_t v = buckets[b].first; v < buckets[b].last; v++)
            graph->offsets[v] += buckets[b].start;
    graph->offsets[graph->num_vertices] = end;
    graph->num_edges = end;
    if (graph->self_loops_dropped + graph->duplicates_dropped > 0) {
        graph->targets = shrink(graph->targets, end * sizeof *graph->targets);
        if (graph->weights != NULL)
            graph->weights = shrink(graph->weights, end * weight_bytes(graph->weight_type));
    }
}

int builder_finish(struct builder *builder, vertex_t num_vertices, struct graph *graph, struct error *error)
{
    struct bucket *buckets = NULL;
    unsigned num_buckets = 0;
    *graph = (struct graph){.num_vertices = num_vertices, .weight_type = builder->weight_type};
    for (int t = 0; t < builder->num_writers; t++)
        if (builder->writers[t].failed)
            error_set(error, STATUS_INPUT, "out of memory while reading edges; free some, or use a smaller graph");
    if (error->status == STATUS_OK &&
        allocate(&buckets, BUILDER_BUCKETS, sizeof *buckets, "the builder's buckets", error) == STATUS_OK)
        num_buckets = lay_out_buckets(builder, num_vertices, buckets);
    edge_t num_edges = num_buckets > 0 ? buckets[num_buckets - 1].start + buckets[num_buckets - 1].num_edges : 0;
    if (error->status == STATUS_OK)
        allocate(&graph->offsets, (size_t)num_vertices + 1, sizeof *graph->offsets, "the graph's offsets", error);
    if (error->status == STATUS_OK)
        allocate(&graph->targets, num_edges, sizeof *graph->targets, "the graph's edges", error);
    if (error->status == STATUS_OK && builder->weight_type != WEIGHTS_NONE)
        allocate(&graph->weights, num_edges, weight_bytes(builder->weight_type), "the weights", error);
    if (error->status == STATUS_OK)
        sort_buckets(builder, buckets, num_buckets, graph, error);
    builder_release(builder);
    if (error->status == STATUS_OK)
        close_up(buckets, num_buckets, graph);
    else
        graph_release(graph);
    free(buckets);
    return error->status;
}

int build_few(struct radix *keys, uint64_t count, vertex_t num_vertices, struct graph *graph, struct error *error)
{
    struct bucket all = {.last = num_vertices, .num_edges = count};
    *graph = (struct graph){.num_vertices = num_vertices};
    if (allocate_zeroed(&graph->offsets, (size_t)num_vertices + 1, sizeof *graph->offsets, "the graph's offsets",
                        error) != STATUS_OK ||
        allocate(&graph->targets, count, sizeof *graph->targets, "the graph's edges", error) != STATUS_OK) {
        graph_release(graph);
        return error->status;
    }
    radix_sort(keys, count, 0, bits_below(num_vertices));
    for (uint64_t i = 0; i < count; i++)
        graph->offsets[keys->keys[i] >> 32]++;
    lengths_to_starts(&all, graph->offsets);
    for (uint64_t i = 0; i < count; i++)
        graph->targets[graph->offsets[keys->keys[i] >> 32]++] = (vertex_t)keys->keys[i];
    drop_edges(&all, graph);
    close_up(&all, 1, graph);
    return STATUS_OK;
}
