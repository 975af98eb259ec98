/* generate_plane.c: makes the graphs that lie in the plane: road, rgg. */
#include "generators.h"

#include <math.h>

#include "../progress.h"
#include "random.h"

/* ---- road: a grid of crossings, each edge kept with probability 0.7 and replaced by a chain ----
 *
 * Kept edges are numbered by the crossing at which they start, the one to the right before the one down. The vertices
 * of chains follow the crossings, in the order of these edges. prepare counts the edges and vertices before each
 * block of crossings, so that blocks can be generated independently. */

#define ROAD_KEPT         0.70
#define ROAD_CHAIN_MEAN   7.51                /* mean of random_length() */
#define ROAD_BLOCK        ((uint64_t)1 << 12) /* crossings in an item */
#define ROAD_CHAIN_STREAM ((uint64_t)1 << 40) /* edge k draws number 2^40 + k; crossing i draws 2i and 2i + 1 */

struct road {
    unsigned width_bits;
    uint64_t crossings;
    struct road_block {
        uint64_t undirected_before; /* kept edges of all earlier blocks */
        uint64_t chain_start;       /* id of the first vertex of the block's first chain */
    } blocks[];
};

/* Finds the kept edges of a crossing to the right and down. Returns their number. */
static int road_edges(const struct road *road, uint64_t crossing, vertex_t ends[2])
{
    uint64_t width = (uint64_t)1 << road->width_bits;
    int count = 0;
    if ((crossing + 1) % width != 0 && random_unit(2 * crossing) < ROAD_KEPT)
        ends[count++] = (vertex_t)(crossing + 1);
    if (crossing + width < road->crossings && random_unit(2 * crossing + 1) < ROAD_KEPT)
        ends[count++] = (vertex_t)(crossing + width);
    return count;
}

static uint64_t road_block_end(const struct road *road, uint64_t block)
{
    uint64_t end = (block + 1) * ROAD_BLOCK;
    return end < road->crossings ? end : road->crossings;
}

static void road_count_edges(struct road *road, uint64_t num_blocks)
{
#pragma omp parallel for schedule(static)
    for (uint64_t b = 0; b < num_blocks; b++) {
        uint64_t kept = 0;
        vertex_t ends[2];
        for (uint64_t i = b * ROAD_BLOCK; i < road_block_end(road, b); i++)
            kept += (uint64_t)road_edges(road, i, ends);
        road->blocks[b + 1].undirected_before = kept;
    }
    for (uint64_t b = 0; b < num_blocks; b++)
        road->blocks[b + 1].undirected_before += road->blocks[b].undirected_before;
}

static void road_count_chains(struct road *road, uint64_t num_blocks)
{
#pragma omp parallel for schedule(static)
    for (uint64_t b = 0; b < num_blocks; b++) {
        uint64_t vertices = 0;
        for (uint64_t k = road->blocks[b].undirected_before; k < road->blocks[b + 1].undirected_before; k++)
            vertices += random_length(ROAD_CHAIN_STREAM + k);
        road->blocks[b + 1].chain_start = vertices;
    }
    road->blocks[0].chain_start = road->crossings;
    for (uint64_t b = 0; b < num_blocks; b++)
        road->blocks[b + 1].chain_start += road->blocks[b].chain_start;
}

int prepare_road(struct generation *generation, struct error *error)
{
    unsigned scale = (unsigned)generation->numbers[0];
    uint64_t crossings = (uint64_t)1 << scale;
    uint64_t num_blocks = (crossings + ROAD_BLOCK - 1) / ROAD_BLOCK;
    struct road *road;
    generation->num_vertices = (uint64_t)((double)crossings * (1 + 2 * ROAD_KEPT * ROAD_CHAIN_MEAN)); /* about */
    generation->num_edges = 2 * (double)generation->num_vertices;
    if (require_room(generation, 0, error) || /* checked first, since counting takes long */
        allocate_zeroed(&road, 1, sizeof *road + (num_blocks + 1) * sizeof *road->blocks, "the road graph", error))
        return error->status;
    generation->data = road;
    generation->release_data = free;
    road->width_bits = scale / 2;
    road->crossings = crossings;
    road_count_edges(road, num_blocks);
    road_count_chains(road, num_blocks);
    uint64_t chain_vertices = road->blocks[num_blocks].chain_start - crossings;
    generation->num_items = num_blocks;
    generation->num_vertices = crossings + chain_vertices;
    generation->num_edges = 2 * (double)(road->blocks[num_blocks].undirected_before + chain_vertices);
    return STATUS_OK;
}

/* Pushes the edges of an item, a block of crossings. */
void push_road(const struct generation *generation, struct edge_writer *writer, uint64_t block)
{
    const struct road *road = generation->data;
    uint64_t edge = road->blocks[block].undirected_before;
    vertex_t chain_vertex = (vertex_t)road->blocks[block].chain_start;
    for (uint64_t i = block * ROAD_BLOCK; i < road_block_end(road, block); i++) {
        vertex_t ends[2];
        int count = road_edges(road, i, ends);
        for (int side = 0; side < count; side++) {
            vertex_t from = (vertex_t)i;
            for (uint64_t rest = random_length(ROAD_CHAIN_STREAM + edge++); rest > 0; rest--) {
                push_undirected_edge(writer, from, chain_vertex);
                from = chain_vertex++;
            }
            push_undirected_edge(writer, from, ends[side]);
        }
    }
}

struct point {
    double x, y;
};

/* ---- rgg: points of the unit square, joined when closer than 0.55 sqrt(ln n / n) ----
 *
 * The square is cut into cells at least that wide, so that a point's neighbours lie in its own cell and the eight
 * around it. Points are numbered by row of cells, and by x within a row. */

#define RGG_RADIUS 0.55
#define RGG_STREAM 11u /* point i draws 2i + 11 and 2i + 12 */

struct cells {
    struct point *points; /* in the order of their ids */
    uint32_t *ends;       /* for each cell, row by row: the id after that of its last point */
    uint64_t side;        /* number of rows, and of cells in each row */
    double radius;
};

static void cells_release(void *data)
{
    struct cells *cells = data;
    free(cells->points);
    free(cells->ends);
    free(cells);
}

static struct point rgg_point(uint64_t i)
{
    return (struct point){random_unit(2 * i + RGG_STREAM), random_unit(2 * i + RGG_STREAM + 1)};
}

static uint64_t cell_of(const struct cells *cells, struct point point)
{
    uint64_t column = (uint64_t)(point.x * (double)cells->side), row = (uint64_t)(point.y * (double)cells->side);
    uint64_t last = cells->side - 1; /* the product may round up to side */
    return (row < last ? row : last) * cells->side + (column < last ? column : last);
}

static uint32_t cell_start(const struct cells *cells, uint64_t cell)
{
    return cell > 0 ? cells->ends[cell - 1] : 0;
}

static void sort_cell(struct point *points, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        struct point point = points[i];
        uint32_t j = i;
        for (; j > 0 && (points[j - 1].x > point.x || (points[j - 1].x == point.x && points[j - 1].y > point.y)); j--)
            points[j] = points[j - 1];
        points[j] = point;
    }
}

/* Sorts the points by cell. The array of the counting sort holds counts, then starts, then ends of the cells. */
static void place_points(struct cells *cells, uint64_t num_points)
{
    uint64_t num_cells = cells->side * cells->side;
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < num_points; i++) {
        uint32_t *count = &cells->ends[cell_of(cells, rgg_point(i))];
#pragma omp atomic
        ++*count;
    }
    if (stop_requested())
        return;
    for (uint64_t cell = 0, start = 0; cell < num_cells; cell++) {
        uint32_t count = cells->ends[cell];
        cells->ends[cell] = (uint32_t)start;
        start += count;
    }
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < num_points; i++) {
        struct point point = rgg_point(i);
        uint32_t *next = &cells->ends[cell_of(cells, point)], place;
#pragma omp atomic capture
        place = (*next)++;
        cells->points[place] = point;
    }
    if (stop_requested()) /* nothing will be pushed */
        return;
#pragma omp parallel for schedule(dynamic, 1024)
    for (uint64_t cell = 0; cell < num_cells; cell++)
        sort_cell(cells->points + cell_start(cells, cell), cells->ends[cell] - cell_start(cells, cell));
}

int prepare_rgg(struct generation *generation, struct error *error)
{
    uint64_t num_points = (uint64_t)1 << generation->numbers[0];
    double log_n = (double)generation->numbers[0] * M_LN2, n = (double)num_points;
    generation->num_vertices = num_points;
    generation->num_edges = n * M_PI * RGG_RADIUS * RGG_RADIUS * log_n;
    struct cells *cells;
    if (require_room(generation, n * sizeof(struct point), error) ||
        allocate_zeroed(&cells, 1, sizeof *cells, "the random points", error))
        return error->status;
    generation->data = cells;
    generation->release_data = cells_release;
    cells->radius = RGG_RADIUS * sqrt(log_n / n);
    cells->side = cells->radius > 0 ? (uint64_t)(1 / cells->radius) : 1;
    generation->num_items = cells->side * cells->side;
    if (allocate_zeroed(&cells->ends, generation->num_items, sizeof *cells->ends, "the cells of random points",
                        error) ||
        allocate(&cells->points, num_points, sizeof *cells->points, "the random points", error))
        return error->status;
    place_points(cells, num_points);
    return STATUS_OK;
}

/* Pushes the edges from point i to those points first <= j < end that are close. */
static void push_close(const struct cells *cells, struct edge_writer *writer, uint32_t i, uint32_t first, uint32_t end)
{
    double reach = cells->radius * cells->radius;
    for (uint32_t j = first; j < end; j++) {
        double dx = cells->points[i].x - cells->points[j].x, dy = cells->points[i].y - cells->points[j].y;
        if (dx * dx + dy * dy < reach)
            push_undirected_edge(writer, i, j);
    }
}

/* Pushes an item: the edges from a cell's points to points of higher id. Those points lie in the cell, in the next
 * cell, and in three cells of the row below. The points of these three have consecutive ids. */
void push_rgg(const struct generation *generation, struct edge_writer *writer, uint64_t cell)
{
    const struct cells *cells = generation->data;
    uint64_t column = cell % cells->side, below = cell + cells->side;
    bool leftmost = column == 0, rightmost = column == cells->side - 1, lowest = below >= generation->num_items;
    for (uint32_t i = cell_start(cells, cell); i < cells->ends[cell]; i++) {
        push_close(cells, writer, i, i + 1, cells->ends[rightmost ? cell : cell + 1]);
        if (!lowest)
            push_close(cells, writer, i, cell_start(cells, leftmost ? below : below - 1),
                       cells->ends[rightmost ? below : below + 1]);
    }
}
