#include "sides.h"

static const enum field key[] = {GRAPH, VERTICES, EDGES, GRAPH_HASH, FAMILY, VARIANT, OPTIONS, DEVICE, THREADS, PAIRS};
#define KEY_FIELDS (sizeof key / sizeof key[0])

bool row_equal(const struct row *a, const struct row *b, enum field field)
{
    return strcmp(a->field[field], b->field[field]) == 0;
}

bool same_key(const struct row *a, const struct row *b)
{
    for (size_t i = 0; i < KEY_FIELDS; i++)
        if (!row_equal(a, b, key[i]))
            return false;
    return true;
}

/* Whether several launches measured a row's trials: its field `launch` is empty. Older rows lack the field. */
static bool is_mixed(const struct row *row)
{
    return row->field[LAUNCH] != row->texts && row->field[LAUNCH][0] == '\0';
}

/* Adds a row to the launches of its cell, in place of an older row of the same launch. */
static void add_launch(struct cell *cell, const struct row *row)
{
    int i = 0;
    if (is_mixed(row)) {
        cell->mixed++;
        return;
    }
    while (i < cell->count && !row_equal(cell->launches[i], row, LAUNCH))
        i++;
    cell->launches[i] = row;
    cell->count += i == cell->count;
}

static int make_cell(const struct rows *rows, size_t first, struct side *side, bool *taken, struct error *error)
{
    struct cell *cell = &side->cells[side->count];
    if (allocate(&cell->launches, rows->count - first, sizeof *cell->launches, "the launches", error) != STATUS_OK)
        return error->status;
    side->count++;
    for (size_t i = first; i < rows->count; i++)
        if (!taken[i] && same_key(&rows->items[first], &rows->items[i])) {
            taken[i] = true;
            add_launch(cell, &rows->items[i]);
        }
    if (cell->count == 0)
        cell->launches[0] = &rows->items[first];
    return STATUS_OK;
}

int side_make(const struct rows *rows, struct side *side, struct error *error)
{
    bool *taken = NULL;
    if (allocate_zeroed(&side->cells, rows->count, sizeof *side->cells, "the launches", error) == STATUS_OK)
        allocate_zeroed(&taken, rows->count, sizeof *taken, "the launches", error);
    for (size_t i = 0; i < rows->count && error->status == STATUS_OK; i++)
        if (!taken[i])
            make_cell(rows, i, side, taken, error);
    free(taken);
    return error->status;
}

void side_release(struct side *side)
{
    for (int i = 0; i < side->count; i++)
        free(side->cells[i].launches);
    free(side->cells);
}

/* ---- which rows belong together ---- */

bool same_task(const struct row *a, const struct row *b)
{
    bool hashed = a->field[GRAPH_HASH][0] != '\0' && b->field[GRAPH_HASH][0] != '\0';
    return row_equal(a, b, GRAPH) && row_equal(a, b, VERTICES) && row_equal(a, b, EDGES) && row_equal(a, b, FAMILY) &&
           row_equal(a, b, PAIRS) && (!hashed || row_equal(a, b, GRAPH_HASH));
}

bool same_run(const struct row *a, const struct row *b)
{
    return same_task(a, b) && row_equal(a, b, VARIANT) && row_equal(a, b, OPTIONS) && row_equal(a, b, DEVICE) &&
           row_equal(a, b, THREADS);
}

bool same_variant(const struct row *a, const struct row *b)
{
    return same_task(a, b) && row_equal(a, b, VARIANT);
}

struct cell *only_match(const struct side *side, const struct row *row, agreement *agree)
{
    struct cell *found = NULL;
    for (int i = 0; i < side->count; i++) {
        struct cell *cell = &side->cells[i];
        if (cell->matched || !agree(cell->launches[0], row))
            continue;
        if (found != NULL)
            return NULL;
        found = cell;
    }
    return found;
}

int num_unmatched(const struct side *side)
{
    int count = 0;
    for (int i = 0; i < side->count; i++)
        count += !side->cells[i].matched;
    return count;
}
