/* reorder_jaccard.c: JaccardWithWindows (Blest, section 4.1, algorithm 1).
 *
 * The vertices are the columns j of the matrix A. The columns are cut into windows, and those of each window are put
 * into slice sets of eight. A set begins with the remaining column of highest degree. Then the columns follow that
 * are most similar to the set's rows R. These rows are the union of the neighbours of the set's columns:
 *
 *   J(j) = inter[j] / (|R| + deg(j) - inter[j]),   inter[j] = |R and neighbours of j|
 *
 * If no remaining column shares a row with R, the one of highest degree is next. The paper does not say how to break
 * ties; here the lowest rank wins. Columns rank by descending degree, then by the lowest column of the window with
 * the same neighbours, then by id.
 *
 * Windows are independent, and one thread orders a window. These shortcuts do not change the result:
 *
 *   twins   Columns with the same neighbours always have the same inter, so inter is counted once for each kind of
 *           column. (A star has two kinds.) Twins have consecutive ranks, so a kind's rank is its place in the table.
 *   rows    A row of only one kind changes the inter of no other kind; it only adds to |R|. Every other row has a
 *           list of its kinds. A kind is removed from the list when no column of the kind remains.
 *   bytes   inter is kept in bytes, and the rare carries in another array. So the counters of a window stay in the
 *           L1 cache, and sixteen of them are compared at once to find the largest.
 *   groups  Among kinds of the same degree, only the one with the largest inter can be the most similar.
 *   bound   No remaining column has a higher degree than the set's first one, so |R| >= deg(j), and J(j) is at most
 *           deg(j) / |R|. Degrees descend with the rank, so the search ends when this bound is not above the best J.
 */
#include <omp.h>

#include "../progress.h"
#include "radix.h"
#include "random.h"
#include "reorder.h"

#define SLICE_SET_WIDTH 8u /* sigma (Blest, section 3.1) */
#define ALIVE           0xff
#define BYTE_VALUES     256u
#define ROWS_AHEAD      4u /* a row's list is prefetched this many rows ahead, and the row itself twice as many */

/* Columns of the window with the same neighbours. */
struct kind {
    vertex_t first; /* the lowest of these columns */
    vertex_t next;  /* the lowest column left; NO_VERTEX: none */
    vertex_t last;  /* the highest of these columns */
    vertex_t degree;
    uint64_t hash;      /* hash of the neighbours */
    edge_t rows;        /* index in rows_of of its first row; its rows end where those of the next kind begin */
    vertex_t lone_rows; /* number of rows that no other kind has */
    uint32_t set;       /* the last slice set that took one of its columns */
};

/* A row of several kinds. */
struct row {
    edge_t begin;    /* index in kinds_of of its first kind */
    vertex_t length; /* number of kinds that may have columns left */
    uint32_t set;    /* the last slice set with this row in R */
};

/* Kinds of the same degree. */
struct group {
    uint32_t begin, end;
    vertex_t degree;
};

/* A window that a thread orders; the thread reuses the arrays for its next window. */
struct window {
    const struct graph *graph;
    vertex_t begin, end; /* its columns */

    struct kind *kinds;           /* num_kinds + 1, by rank; the last entry only ends the rows of the one before */
    uint32_t num_kinds, num_wide; /* a wide kind has a degree above 255; these come first */
    struct kind *unranked;        /* in the order of `first`, before ranking */
    uint32_t *table;              /* hash table: the number of an unranked kind, from 1; 0: empty */
    size_t table_size;            /* a power of two */
    vertex_t *twin;               /* at column - begin: the next column of the same kind, or NO_VERTEX */
    struct group *groups;
    uint32_t num_groups;

    edge_t capacity; /* number of edges for which the next three arrays have room */
    struct row *rows;
    uint32_t *kinds_of, *rows_of; /* the kinds of each row, ascending; the rows of each kind */
    struct radix radix;

    uint8_t *low, *alive; /* by kind: inter modulo 256; ALIVE while columns are left, else 0 */
    uint32_t *carries;    /* carries of `low`; 0 unless the kind is wide */
    uint32_t set;         /* number of the current slice set, from 1 */
    uint32_t first_alive, first_group;
    uint64_t union_size; /* |R| */
};

/* ---- a window's kinds, rows and groups ---- */

static bool same_neighbours(const struct graph *graph, vertex_t a, vertex_t b)
{
    return graph_degree(graph, a) == graph_degree(graph, b) &&
           memcmp(graph->targets + graph->offsets[a], graph->targets + graph->offsets[b],
                  graph_degree(graph, a) * sizeof *graph->targets) == 0;
}

static uint64_t hash_neighbours(const struct graph *graph, vertex_t column)
{
    uint64_t hash = 0;
    for (edge_t e = graph->offsets[column]; e < graph->offsets[column + 1]; e++)
        hash += random_bits(graph->targets[e]);
    return hash;
}

/* Fills `unranked` with the kinds of all columns that have neighbours, ordered by `first`. Returns the sum of the
 * kinds' degrees. */
static edge_t find_kinds(struct window *window)
{
    const struct graph *graph = window->graph;
    edge_t edges = 0;
    memset(window->table, 0, window->table_size * sizeof *window->table);
    window->num_kinds = 0;
    for (vertex_t column = window->begin; column < window->end; column++) {
        if (graph_degree(graph, column) == 0)
            continue;
        uint64_t hash = hash_neighbours(graph, column);
        size_t place = hash & (window->table_size - 1);
        uint32_t number;
        struct kind *kind = NULL;
        for (; (number = window->table[place]) != 0; place = (place + 1) & (window->table_size - 1)) {
            kind = &window->unranked[number - 1];
            if (kind->hash == hash && same_neighbours(graph, kind->first, column))
                break;
        }
        window->twin[column - window->begin] = NO_VERTEX;
        if (number != 0) {
            window->twin[kind->last - window->begin] = column;
            kind->last = column;
            continue;
        }
        vertex_t degree = (vertex_t)graph_degree(graph, column);
        window->unranked[window->num_kinds++] =
            (struct kind){.first = column, .next = column, .last = column, .degree = degree, .hash = hash};
        window->table[place] = window->num_kinds;
        edges += degree;
    }
    return edges;
}

/* Sorts the kinds by rank, and groups them by degree. */
static void rank_kinds(struct window *window)
{
    for (uint32_t i = 0; i < window->num_kinds; i++)
        window->radix.keys[i] = (uint64_t)(UINT32_MAX - window->unranked[i].degree) << 32 | i;
    radix_sort(&window->radix, window->num_kinds, 32, 64);
    window->num_groups = window->num_wide = 0;
    for (uint32_t k = 0; k < window->num_kinds; k++) {
        window->kinds[k] = window->unranked[(uint32_t)window->radix.keys[k]];
        vertex_t degree = window->kinds[k].degree;
        window->num_wide += degree >= BYTE_VALUES;
        if (k == 0 || degree != window->kinds[k - 1].degree)
            window->groups[window->num_groups++] = (struct group){k, k, degree};
        window->groups[window->num_groups - 1].end = k + 1;
    }
}

/* Finds the rows that several kinds have. Sorts pairs (row, kind) by row. */
static void find_rows(struct window *window, unsigned id_bits)
{
    const struct graph *graph = window->graph;
    uint64_t *pairs = window->radix.keys;
    edge_t num_pairs = 0, num_shared = 0;
    uint32_t num_rows = 0;
    for (uint32_t k = 0; k < window->num_kinds; k++) {
        vertex_t column = window->kinds[k].first;
        for (edge_t e = graph->offsets[column]; e < graph->offsets[column + 1]; e++)
            pairs[num_pairs++] = (uint64_t)graph->targets[e] << 32 | k;
    }
    radix_sort(&window->radix, num_pairs, 32, 32 + id_bits);
    pairs = window->radix.keys;
    for (edge_t i = 0, next; i < num_pairs; i = next) {
        for (next = i + 1; next < num_pairs && pairs[next] >> 32 == pairs[i] >> 32; next++)
            continue;
        if (next == i + 1) {
            window->kinds[(uint32_t)pairs[i]].lone_rows++;
            continue;
        }
        window->rows[num_rows++] = (struct row){num_shared, (vertex_t)(next - i), 0};
        for (edge_t pair = i; pair < next; pair++)
            window->kinds_of[num_shared++] = (uint32_t)pairs[pair];
    }
    edge_t end = 0; /* end of the kind's rows without the lone ones */
    for (uint32_t k = 0; k < window->num_kinds; k++) {
        window->kinds[k].rows = end;
        end += window->kinds[k].degree - window->kinds[k].lone_rows;
    }
    for (uint32_t r = 0; r < num_rows; r++)
        for (vertex_t i = 0; i < window->rows[r].length; i++)
            window->rows_of[window->kinds[window->kinds_of[window->rows[r].begin + i]].rows++] = r;
    for (uint32_t k = 0; k < window->num_kinds; k++) /* from the ends back to the beginnings */
        window->kinds[k].rows -= window->kinds[k].degree - window->kinds[k].lone_rows;
    window->kinds[window->num_kinds].rows = end;
}

/* Makes room for the edges of a window. Returns false if memory is short. */
static bool reserve_edges(struct window *window, edge_t edges)
{
    size_t columns = window->end - window->begin;
    if (!radix_reserve(&window->radix, edges > columns ? edges : columns))
        return false;
    if (edges <= window->capacity)
        return true;
    free(window->rows);
    free(window->kinds_of);
    free(window->rows_of);
    window->capacity = edges + edges / 4;
    window->rows = malloc((window->capacity / 2 + 1) * sizeof *window->rows); /* a row has at least two kinds */
    window->kinds_of = malloc(window->capacity * sizeof *window->kinds_of);
    window->rows_of = malloc(window->capacity * sizeof *window->rows_of);
    return window->rows != NULL && window->kinds_of != NULL && window->rows_of != NULL;
}

/* ---- slice sets ---- */

static void begin_slice_set(struct window *window)
{
    uint32_t first = window->first_alive;
    window->set++;
    window->union_size = 0;
    memset(window->low + first, 0, window->num_kinds - first);
    if (first < window->num_wide)
        memset(window->carries + first, 0, (window->num_wide - first) * sizeof *window->carries);
}

/* Adds a row to R. Nearly all the time is spent here. The pointers are local because a byte store may alias
 * *window. */
static void join_row(struct window *window, struct row *row)
{
    uint32_t *kinds = window->kinds_of + row->begin, *carries = window->carries;
    const uint8_t *alive = window->alive;
    uint8_t *low = window->low;
    vertex_t length = row->length, kept = 0;
    for (vertex_t i = 0; i < length; i++) {
        uint32_t k = kinds[i];
        kinds[kept] = k;
        kept += alive[k] & 1;
        if (++low[k] == 0)
            carries[k]++;
    }
    row->length = kept;
    row->set = window->set;
    window->union_size++;
}

/* Adds the next column of a kind to the set, and returns the column. */
static vertex_t take_column(struct window *window, uint32_t k)
{
    struct kind *kind = &window->kinds[k];
    vertex_t column = kind->next;
    kind->next = window->twin[column - window->begin];
    if (kind->next == NO_VERTEX)
        window->alive[k] = 0;
    while (window->first_alive < window->num_kinds && !window->alive[window->first_alive])
        window->first_alive++;
    while (window->first_group < window->num_groups && window->groups[window->first_group].end <= window->first_alive)
        window->first_group++;
    if (kind->set == window->set) /* its rows are in R already */
        return column;
    kind->set = window->set;
    window->union_size += kind->lone_rows;
    for (edge_t i = kind->rows, end = kind[1].rows; i < end; i++) {
        struct row *row = &window->rows[window->rows_of[i]];
        if (i + 2 * ROWS_AHEAD < end)
            __builtin_prefetch(&window->rows[window->rows_of[i + 2 * ROWS_AHEAD]]);
        if (i + ROWS_AHEAD < end)
            __builtin_prefetch(&window->kinds_of[window->rows[window->rows_of[i + ROWS_AHEAD]].begin]);
        if (row->set != window->set)
            join_row(window, row);
    }
    return column;
}

static uint64_t inter_of(const struct window *window, uint32_t k)
{
    return window->carries[k] * (uint64_t)BYTE_VALUES + window->low[k];
}

/* Returns the largest inter among those kinds of a group that have columns left. */
static uint64_t largest_inter(const struct window *window, const struct group *group)
{
    if (group->degree < BYTE_VALUES) { /* compilers vectorise this loop */
        const uint8_t *low = window->low, *alive = window->alive;
        uint8_t largest = 0;
        for (uint32_t k = group->begin; k < group->end; k++) {
            uint8_t inter = low[k] & alive[k];
            largest = inter > largest ? inter : largest;
        }
        return largest;
    }
    uint64_t largest = 0;
    for (uint32_t k = group->begin; k < group->end; k++)
        if (window->alive[k] && inter_of(window, k) > largest)
            largest = inter_of(window, k);
    return largest;
}

/* Returns the kind of lowest rank in the group that has this inter and columns left. The group must have one. */
static uint32_t find_inter(const struct window *window, const struct group *group, uint64_t inter)
{
    uint32_t k = group->begin;
    for (;; k++) {
        const uint8_t *found = memchr(window->low + k, (int)(inter % BYTE_VALUES), group->end - k);
        k = (uint32_t)(found - window->low);
        if (window->alive[k] && inter_of(window, k) == inter)
            return k;
    }
}

/* Returns the kind whose columns are most similar to R; the kind of lowest rank if no kind shares a row with R. */
static uint32_t most_similar(const struct window *window)
{
    const struct group *best = NULL;
    uint64_t best_inter = 0, best_union = 1; /* their quotient is J; products stay below 2^64, as both are < 2^32 */
    for (uint32_t g = window->first_group; g < window->num_groups; g++) {
        const struct group *group = &window->groups[g];
        if (group->degree * best_union <= best_inter * window->union_size)
            break;
        uint64_t inter = largest_inter(window, group), united = window->union_size + group->degree - inter;
        if (inter * best_union > best_inter * united) {
            best = group;
            best_inter = inter;
            best_union = united;
        }
    }
    return best != NULL ? find_inter(window, best, best_inter) : window->first_alive;
}

/* Orders the window's columns; those without neighbours come last, by id. Returns false if interrupted. */
static bool fill_slice_sets(struct window *window, vertex_t *order)
{
    vertex_t place = 0;
    memset(window->alive, ALIVE, window->num_kinds);
    memset(window->carries, 0, window->num_kinds * sizeof *window->carries);
    window->set = window->first_alive = window->first_group = 0;
    while (window->first_alive < window->num_kinds) {
        bool seed = place % SLICE_SET_WIDTH == 0;
        if (seed && stop_requested())
            return false;
        if (seed)
            begin_slice_set(window);
        order[place++] = take_column(window, seed ? window->first_alive : most_similar(window));
    }
    for (vertex_t column = window->begin; column < window->end; column++)
        if (graph_degree(window->graph, column) == 0)
            order[place++] = column;
    return true;
}

/* ---- all windows ---- */

static void window_release(struct window *window)
{
    void *arrays[] = {window->kinds,    window->unranked, window->table, window->twin,  window->groups, window->rows,
                      window->kinds_of, window->rows_of,  window->low,   window->alive, window->carries};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    radix_release(&window->radix);
    *window = (struct window){0};
}

/* Returns false if memory is short. The caller calls window_release(), even after a failure. */
static bool window_init(struct window *window, const struct graph *graph, size_t width)
{
    *window = (struct window){.graph = graph, .table_size = 1};
    while (window->table_size < 2 * width)
        window->table_size *= 2;
    window->kinds = malloc((width + 1) * sizeof *window->kinds);
    window->unranked = malloc(width * sizeof *window->unranked);
    window->table = malloc(window->table_size * sizeof *window->table);
    window->twin = malloc(width * sizeof *window->twin);
    window->groups = malloc(width * sizeof *window->groups);
    window->low = malloc(width);
    window->alive = malloc(width);
    window->carries = malloc(width * sizeof *window->carries);
    return window->kinds != NULL && window->unranked != NULL && window->table != NULL && window->twin != NULL &&
           window->groups != NULL && window->low != NULL && window->alive != NULL && window->carries != NULL;
}

/* Orders the columns begin .. end - 1 at order[begin]. Returns a status. */
static int arrange_window(struct window *window, vertex_t begin, vertex_t end, unsigned id_bits, vertex_t *order)
{
    window->begin = begin;
    window->end = end;
    edge_t edges = find_kinds(window);
    if (!reserve_edges(window, edges))
        return STATUS_INPUT;
    rank_kinds(window);
    find_rows(window, id_bits);
    return fill_slice_sets(window, order + begin) ? STATUS_OK : STATUS_INTERRUPTED;
}

int arrange_jaccard(const struct graph *graph, uint64_t window_width, vertex_t *order, struct error *error)
{
    uint64_t n = graph->num_vertices, width = window_width < n ? window_width : n, finished = 0;
    uint64_t num_windows = n > 0 ? (n + width - 1) / width : 0;
    int num_threads = omp_get_max_threads(), status = STATUS_OK; /* in the loop, of the thread's own windows */
    unsigned id_bits = bits_below(n);
    if (num_windows < (uint64_t)num_threads) /* because each thread holds the memory of a window */
        num_threads = num_windows > 0 ? (int)num_windows : 1;
    struct progress_listener *listener = progress_listener;
#pragma omp parallel num_threads(num_threads) reduction(max : status)
    {
        progress_join(listener);
        struct window window;
        status = window_init(&window, graph, width) ? STATUS_OK : STATUS_INPUT;
#pragma omp for schedule(dynamic, 1)
        for (uint64_t w = 0; w < num_windows; w++) {
            uint64_t begin = w * width, end = begin + width < n ? begin + width : n;
            if (status == STATUS_OK)
                status = arrange_window(&window, (vertex_t)begin, (vertex_t)end, id_bits, order);
            progress_set(__atomic_add_fetch(&finished, end - begin, __ATOMIC_RELAXED));
        }
        window_release(&window);
    }
    if (status == STATUS_INPUT)
        return error_set(error, status, "out of memory: a window of JaccardWithWindows; make it smaller");
    return status == STATUS_OK ? status : error_set(error, status, "interrupted");
}
