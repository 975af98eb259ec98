/* generate_delaunay.c: the Delaunay triangulation of random points, by divide and conquer (Guibas and Stolfi 1985)
 * with cuts in turn across x and y (Dwyer 1987), which takes O(n log log n) tests on random points, besides the cuts.
 *
 * Points lie on a grid of 2^30 by 2^30. Differences of coordinates then take 31 bits, products of two 62, and the
 * determinant that tells whether a point lies in a circle less than 127, so that every test is exact in whole
 * numbers. Points in general position have one triangulation. Of four points on one circle either diagonal may be
 * taken; the cuts decide which, and they do not depend on the number of threads. Point i draws the numbers 2i
 * and 2i + 1 and is vertex i.
 *
 * An edge is two half-edges, h and h ^ 1, each leaving the point that is its origin. The half-edges that leave a
 * point form a ring in counterclockwise order. The points [first, end) own the half-edges [6 first, 6 end), since
 * there are fewer than 3 edges per point. A part lists its unused half-edges, so tasks share nothing. */
#include "generators.h"

#include "../progress.h"
#include "random.h"

#define GRID_BITS        30u
#define EDGES_PER_POINT  3u
#define HALVES_PER_POINT (2 * EDGES_PER_POINT)
#define TASK_POINTS      ((uint32_t)1 << 13) /* fewest points for which a task is worth its cost */
#define NONE             UINT32_MAX
#define BLOCK_HALVES     ((uint64_t)1 << 12) /* half-edges in an item */

struct point {
    int32_t x, y;
    vertex_t id;
};

struct half_edge {
    uint32_t origin;     /* index in points; NONE: the half-edge is unused */
    uint32_t next, last; /* neighbours in the ring, counterclockwise and clockwise; unused: next in the list */
};

struct delaunay {
    struct point *points; /* num_points */
    struct half_edge *halves;
    struct progress_listener *listener; /* listener of the thread that triangulates */
};

/* The triangulation of some points. */
struct part {
    uint32_t hull;                      /* a half-edge with the outside on its right; NONE: interrupted */
    uint32_t first_unused, last_unused; /* ends of the list of unused edges (even half-edges); NONE: empty */
};

/* ---- rings of half-edges ---- */

static uint32_t destination(const struct half_edge *halves, uint32_t h)
{
    return halves[h ^ 1].origin;
}

static void insert_after(struct half_edge *halves, uint32_t before, uint32_t h)
{
    uint32_t after = halves[before].next;
    halves[h].last = before;
    halves[h].next = after;
    halves[before].next = halves[after].last = h;
}

/* Takes an unused edge, and makes it the only one in the rings of both ends. */
static uint32_t make_edge(struct half_edge *halves, struct part *part, uint32_t from, uint32_t to)
{
    uint32_t h = part->first_unused;
    part->first_unused = halves[h].next;
    halves[h] = (struct half_edge){from, h, h};
    halves[h ^ 1] = (struct half_edge){to, h ^ 1, h ^ 1};
    return h;
}

/* Adds an edge from the end of a to the origin of b. Both must have the same face on their left. */
static uint32_t connect(struct half_edge *halves, struct part *part, uint32_t a, uint32_t b)
{
    uint32_t h = make_edge(halves, part, destination(halves, a), halves[b].origin);
    insert_after(halves, halves[a ^ 1].last, h);
    insert_after(halves, b, h ^ 1);
    return h;
}

static void delete_edge(struct half_edge *halves, struct part *part, uint32_t h)
{
    for (uint32_t side = h & ~1u; side <= (h | 1); side++) {
        halves[halves[side].next].last = halves[side].last;
        halves[halves[side].last].next = halves[side].next;
        halves[side].origin = NONE;
    }
    halves[h & ~1u].next = part->first_unused;
    if (part->first_unused == NONE)
        part->last_unused = h & ~1u;
    part->first_unused = h & ~1u;
}

static void start_unused(struct half_edge *halves, struct part *part, uint32_t first, uint32_t end)
{
    for (uint32_t h = first * HALVES_PER_POINT; h < end * HALVES_PER_POINT; h += 2) {
        halves[h].origin = halves[h + 1].origin = NONE;
        halves[h].next = h + 2 < end * HALVES_PER_POINT ? h + 2 : NONE;
    }
    part->first_unused = first * HALVES_PER_POINT;
    part->last_unused = end * HALVES_PER_POINT - 2;
}

/* ---- exact tests ---- */

/* Returns whether the path a, b, c turns left (counterclockwise). */
static bool is_left_turn(const struct point *a, const struct point *b, const struct point *c)
{
    int64_t bx = (int64_t)b->x - a->x, by = (int64_t)b->y - a->y, cx = (int64_t)c->x - a->x, cy = (int64_t)c->y - a->y;
    return bx * cy > by * cx;
}

/* Returns whether d lies inside the circle through a, b, c, which must turn left. */
static bool is_in_circle(const struct point *a, const struct point *b, const struct point *c, const struct point *d)
{
    int64_t ax = (int64_t)a->x - d->x, ay = (int64_t)a->y - d->y, bx = (int64_t)b->x - d->x, by = (int64_t)b->y - d->y;
    int64_t cx = (int64_t)c->x - d->x, cy = (int64_t)c->y - d->y;
    __extension__ typedef __int128 wide;
    wide determinant = (wide)(ax * ax + ay * ay) * (bx * cy - cx * by) +
                       (wide)(bx * bx + by * by) * (cx * ay - ax * cy) +
                       (wide)(cx * cx + cy * cy) * (ax * by - bx * ay);
    return determinant > 0;
}

/* Orders points along x, or if across_y along y, as if the plane were turned clockwise by a right angle. */
static bool comes_before(const struct point *a, const struct point *b, bool across_y)
{
    if (across_y)
        return a->y != b->y ? a->y < b->y : a->x > b->x;
    return a->x != b->x ? a->x < b->x : a->y < b->y;
}

/* ---- divide ---- */

static void swap_points(struct point *a, struct point *b)
{
    struct point swap = *a;
    *a = *b;
    *b = swap;
}

/* Quickselect: afterwards every point in [first, middle) comes before every point in [middle, end). */
static void cut(struct point *points, uint32_t first, uint32_t end, uint32_t middle, bool across_y)
{
    while (end - first > 1) {
        struct point pivot = points[first + (end - first) / 2];
        uint32_t low = first, high = end - 1;
        for (;; low++, high--) {
            while (comes_before(&points[low], &pivot, across_y))
                low++;
            while (comes_before(&pivot, &points[high], across_y))
                high--;
            if (low >= high)
                break;
            swap_points(&points[low], &points[high]);
        }
        uint32_t split = high + 1; /* all points before `split` come before the pivot or equal it */
        if (middle < split)
            end = split == end ? end - 1 : split;
        else
            first = split;
    }
}

/* Triangulates two or three points. */
static struct part join_few(const struct delaunay *delaunay, uint32_t first, uint32_t end)
{
    struct half_edge *halves = delaunay->halves;
    struct point *points = delaunay->points;
    struct part part;
    start_unused(halves, &part, first, end);
    for (uint32_t i = first + 1; i < end; i++) /* sorted, so that three points on a line are joined along it */
        for (uint32_t j = i; j > first && comes_before(&points[j], &points[j - 1], false); j--)
            swap_points(&points[j], &points[j - 1]);
    uint32_t a = make_edge(halves, &part, first, first + 1);
    part.hull = a;
    if (end - first == 2)
        return part;
    uint32_t b = make_edge(halves, &part, first + 1, first + 2);
    insert_after(halves, a ^ 1, b);
    bool left = is_left_turn(&points[first], &points[first + 1], &points[first + 2]);
    if (left || is_left_turn(&points[first], &points[first + 2], &points[first + 1])) {
        uint32_t c = connect(halves, &part, b, a);
        part.hull = left ? a : c ^ 1;
    }
    return part;
}

/* ---- conquer ---- */

/* Walks along the hull, with the outside on the right. Returns the half-edge that ends in the hull's last point
 * (wants_last), or the one that leaves its first point, in the order of comes_before(). */
static uint32_t find_on_hull(const struct delaunay *delaunay, uint32_t hull, bool across_y, bool wants_last)
{
    const struct half_edge *halves = delaunay->halves;
    uint32_t best = hull, h = hull;
    do {
        uint32_t point = wants_last ? destination(halves, h) : halves[h].origin;
        uint32_t other = wants_last ? destination(halves, best) : halves[best].origin;
        const struct point *a = &delaunay->points[point], *b = &delaunay->points[other];
        if (wants_last ? comes_before(b, a, across_y) : comes_before(a, b, across_y))
            best = h;
        h = halves[h ^ 1].next;
    } while (h != hull);
    return best;
}

/* Adds the lower common tangent of two parts. Returns its half-edge from the right part to the left one. */
static uint32_t lower_tangent(const struct delaunay *delaunay, struct part *part, uint32_t left, uint32_t right)
{
    struct half_edge *halves = delaunay->halves;
    const struct point *points = delaunay->points;
    for (;;) {
        if (is_left_turn(&points[halves[left].origin], &points[destination(halves, left)],
                         &points[halves[right].origin]))
            left = halves[left ^ 1].last;
        else if (is_left_turn(&points[destination(halves, right)], &points[halves[right].origin],
                              &points[halves[left].origin]))
            right = halves[right ^ 1].next;
        else
            return connect(halves, part, right ^ 1, left);
    }
}

/* Returns the edge, in one of the two parts, that forms the next triangle with the base. Deletes edges whose circle
 * contains another point of the part. NONE: no edge of the part lies above the base. */
static uint32_t candidate(const struct delaunay *delaunay, struct part *part, uint32_t base, bool on_left)
{
    struct half_edge *halves = delaunay->halves;
    const struct point *points = delaunay->points, *from = &points[halves[base].origin],
                       *to = &points[destination(halves, base)];
    uint32_t h = on_left ? halves[base ^ 1].next : halves[base].last;
    if (!is_left_turn(&points[destination(halves, h)], to, from))
        return NONE;
    for (;;) {
        uint32_t further = on_left ? halves[h].next : halves[h].last;
        if (!is_in_circle(to, from, &points[destination(halves, h)], &points[destination(halves, further)]))
            return h;
        delete_edge(halves, part, h);
        h = further;
    }
}

/* Joins two triangulations that are apart along one axis, from their lower tangent upwards. */
static struct part merge(const struct delaunay *delaunay, struct part left, struct part right, bool across_y)
{
    struct half_edge *halves = delaunay->halves;
    const struct point *points = delaunay->points;
    if (left.hull == NONE || right.hull == NONE)
        return (struct part){.hull = NONE};
    struct part part = {.first_unused = left.first_unused, .last_unused = right.last_unused};
    if (left.first_unused == NONE)
        part.first_unused = right.first_unused;
    else
        halves[left.last_unused].next = right.first_unused;
    if (right.first_unused == NONE)
        part.last_unused = left.last_unused;
    uint32_t base = lower_tangent(delaunay, &part, find_on_hull(delaunay, left.hull, across_y, true) ^ 1,
                                  find_on_hull(delaunay, right.hull, across_y, false));
    part.hull = base ^ 1;
    for (;;) {
        uint32_t l = candidate(delaunay, &part, base, true), r = candidate(delaunay, &part, base, false);
        if (l == NONE && r == NONE)
            return part;
        if (l == NONE || (r != NONE && is_in_circle(&points[destination(halves, l)], &points[halves[l].origin],
                                                    &points[halves[r].origin], &points[destination(halves, r)])))
            base = connect(halves, &part, r, base ^ 1);
        else
            base = connect(halves, &part, base ^ 1, l ^ 1);
    }
}

/* Triangulates the points [first, end), at least two. Each level of recursion halves their number. */
static struct part triangulate(const struct delaunay *delaunay, uint32_t first, uint32_t end, bool across_y)
{
    if (end - first <= 3)
        return join_few(delaunay, first, end);
    bool large = end - first > TASK_POINTS;
    progress_join(delaunay->listener);
    if (large && stop_requested())
        return (struct part){.hull = NONE};
    uint32_t middle = first + (end - first) / 2;
    struct part left, right;
    cut(delaunay->points, first, end, middle, across_y);
#pragma omp task shared(left) if (large)
    left = triangulate(delaunay, first, middle, !across_y);
    right = triangulate(delaunay, middle, end, !across_y);
#pragma omp taskwait
    return merge(delaunay, left, right, across_y);
}

/* ---- the generator ---- */

static void delaunay_release(void *data)
{
    struct delaunay *delaunay = data;
    free(delaunay->points);
    free(delaunay->halves);
    free(delaunay);
}

int prepare_delaunay(struct generation *generation, struct error *error)
{
    uint64_t num_points = (uint64_t)1 << generation->numbers[0], num_halves = HALVES_PER_POINT * num_points;
    struct delaunay *delaunay;
    struct part whole;
    generation->num_vertices = num_points;
    generation->num_edges = HALVES_PER_POINT * (double)num_points; /* Euler's formula */
    double bytes = (double)num_halves * sizeof *delaunay->halves + (double)num_points * sizeof *delaunay->points;
    if (require_room(generation, bytes, error) ||
        allocate_zeroed(&delaunay, 1, sizeof *delaunay, "the triangulation", error))
        return error->status;
    generation->data = delaunay;
    generation->release_data = delaunay_release;
    if (num_points < 2) /* no edges */
        return STATUS_OK;
    generation->num_items = (num_halves + BLOCK_HALVES - 1) / BLOCK_HALVES;
    if (allocate(&delaunay->points, num_points, sizeof *delaunay->points, "the random points", error) ||
        allocate(&delaunay->halves, num_halves, sizeof *delaunay->halves, "the triangulation", error))
        return error->status;
#pragma omp parallel for schedule(static)
    for (uint64_t i = 0; i < num_points; i++)
        delaunay->points[i] = (struct point){(int32_t)(random_bits(2 * i) >> (64 - GRID_BITS)),
                                             (int32_t)(random_bits(2 * i + 1) >> (64 - GRID_BITS)), (vertex_t)i};
    delaunay->listener = progress_listener;
    progress_begin("triangulating", 0);
#pragma omp parallel
#pragma omp single
    whole = triangulate(delaunay, 0, (uint32_t)num_points, false);
    progress_end();
    return whole.hull == NONE ? error_set(error, STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

/* Pushes the edges of an item, which is a block of half-edges. */
void push_delaunay(const struct generation *generation, struct edge_writer *writer, uint64_t block)
{
    const struct delaunay *delaunay = generation->data;
    uint64_t num_halves = HALVES_PER_POINT * generation->num_vertices, last = (block + 1) * BLOCK_HALVES;
    for (uint64_t h = block * BLOCK_HALVES; h < last && h < num_halves; h += 2)
        if (delaunay->halves[h].origin != NONE)
            push_undirected_edge(writer, delaunay->points[delaunay->halves[h].origin].id,
                                 delaunay->points[delaunay->halves[h + 1].origin].id);
}
