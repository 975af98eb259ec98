/* generate_web.c: makes directed graphs like web crawls, by a copying model (Kleinberg et al. 1999) within sites.
 *
 * Pages are numbered site by site, as in a crawl sorted by address. A site has 2^8 to 2^16 pages. The first is its
 * front page; page i > 0 of a site is linked from its index page i / 8, and links back. A page copies most links of
 * the page before it, as pages of one template do. Its other links go to pages of the site, at a distance uniform in
 * its number of binary digits, to the front page, or to front pages of other sites. A quarter of the sites has no
 * links to other sites. Some sites end in a tail: a chain of pages linked only by "next" and "previous", such as a
 * calendar. The longest of all tails, about the square root of the number of sites, gives the graph its depth.
 *
 * A directory is a run of 32 pages. Its pages have similar degrees, whose number of binary digits is uniform, up to 5
 * times the mean. One page in 512 has 16 times as many links. A fifth of the pages has no links. */
#include "generators.h"

#include "random.h"

#include <math.h>

#define DEFAULT_LINKS   24u /* links per page; 23.7 in uk-2005 */
#define MAX_LINKS       4096u
#define BLOCK_DIGITS    16u /* log2 of the pages in an item, a block that is cut into sites of one size */
#define LEAST_DIGITS    8u  /* log2 of the pages in the smallest site */
#define PER_INDEX_PAGE  8u
#define DIRECTORY       32u /* pages in a directory */
#define DEGREE_DIGITS   7u
#define MEAN_OF_DEGREES 27.2 /* mean of 2^digits * (1 + u), digits uniform in 0 .. 6, u in 0 .. 1 */
#define DRAWN_FOR_KEPT  1.4  /* links drawn per link that is left, because of duplicates and of pages without links */
#define COPIED_OF_16    15u
#define LONGEST_RUN     8u /* longest run of pages whose links follow each other, as in lists */
#define FRONT_OF_16     1u /* number of links, of 16 that are not copied, that go to a front page */
#define ELSEWHERE_OF_16 1u
#define SITE_STREAM     ((uint64_t)1 << 63) /* page v draws v * 2^32, v * 2^32 + 1, ...; v < 2^31 */
#define TAIL_STREAM     ((uint64_t)1 << 40)
#define TAIL_SCALE      4.0

struct site {
    uint64_t start, size, core; /* first page; number of pages; number of pages before its tail */
    unsigned digits;            /* size is 2^digits */
    bool open;                  /* the site has links to other sites */
};

struct row {
    uint32_t count;
    vertex_t links[MAX_LINKS];
};

/* The state of one page. counter: number of its next random number. */
struct page {
    const struct generation *generation;
    struct edge_writer *writer;
    struct site site;
    uint64_t id, counter;
};

static uint64_t links_of_page(const struct generation *generation)
{
    return generation->numbers[1] > 0 ? generation->numbers[1] : DEFAULT_LINKS;
}

int prepare_web(struct generation *generation, UNUSED struct error *error)
{
    uint64_t block = (uint64_t)1 << BLOCK_DIGITS;
    generation->num_vertices = (uint64_t)1 << generation->numbers[0];
    generation->num_items = (generation->num_vertices + block - 1) / block;
    double edges = (double)links_of_page(generation) * DRAWN_FOR_KEPT * (double)generation->num_vertices;
    generation->num_edges = generation->undirected ? 2 * edges : edges;
    return STATUS_OK;
}

/* Returns the site of a page. All sites of a block have the same size. */
static struct site site_of(const struct generation *generation, uint64_t page)
{
    unsigned most = generation->numbers[0] < BLOCK_DIGITS ? (unsigned)generation->numbers[0] : BLOCK_DIGITS;
    uint64_t block = random_bits(SITE_STREAM + 2 * (page >> BLOCK_DIGITS));
    unsigned digits = LEAST_DIGITS + (unsigned)(block % (BLOCK_DIGITS - LEAST_DIGITS + 1));
    struct site site = {.digits = digits < most ? digits : most};
    site.size = (uint64_t)1 << site.digits;
    site.start = page & ~(site.size - 1);
    uint64_t counter = SITE_STREAM + 2 * site.start + 1, draw = random_bits(counter);
    site.open = draw % 4 != 0;
    site.core = site.size;
    if ((draw >> 8) % 8 == 0 &&
        site.size > 1) { /* the tail has at least t pages with a probability of (TAIL_SCALE / t)^2 */
        double tail = TAIL_SCALE / sqrt(1 - random_unit(counter + TAIL_STREAM));
        site.core -= tail < (double)site.size / 2 ? (uint64_t)tail : site.size / 2;
    }
    return site;
}

static void push_link(const struct page *page, uint64_t from, uint64_t to)
{
    push_edge_as(page->writer, (vertex_t)from, (vertex_t)to, page->generation->undirected);
}

/* Draws a front page. Half of the draws take the site of a random page. The others take a popular block, block b with
 * a probability of about 1 / b, and a site in it. */
static uint64_t draw_front_page(struct page *page)
{
    uint64_t draw = random_bits(page->counter++), pages = page->generation->num_vertices, any = draw % pages;
    if (draw >> 63 && pages >> BLOCK_DIGITS > 1) {
        uint64_t digits = page->generation->numbers[0] - BLOCK_DIGITS;
        uint64_t least = (uint64_t)1 << (draw >> 32) % digits;
        any = ((least + (draw >> 40) % least) << BLOCK_DIGITS) + any % ((uint64_t)1 << BLOCK_DIGITS);
    }
    return site_of(page->generation, any).start;
}

/* Draws a page of the site's core: in the same directory, or near, or far. */
static uint64_t draw_local_page(struct page *page)
{
    const struct site *site = &page->site;
    uint64_t draw = random_bits(page->counter++), distance = (uint64_t)1 << (draw >> 1) % (site->digits + 1);
    if ((draw >> 56) % 4 == 0)
        return site->start + ((page->id - site->start) / DIRECTORY * DIRECTORY + (draw >> 16) % DIRECTORY) % site->core;
    distance += (draw >> 16) % distance;
    uint64_t place = page->id - site->start + site->core; /* site->core keeps the result from being negative */
    return site->start + (draw & 1 ? place + distance : place - distance % site->core) % site->core;
}

static uint64_t draw_link(struct page *page)
{
    unsigned chance = (unsigned)(random_bits(page->counter++) % 16);
    if (chance < FRONT_OF_16)
        return page->site.start;
    return chance < FRONT_OF_16 + ELSEWHERE_OF_16 && page->site.open ? draw_front_page(page) : draw_local_page(page);
}

static uint32_t draw_degree(struct page *page)
{
    uint64_t directory = random_bits(SITE_STREAM - 1 - page->id / DIRECTORY), draw = random_bits(page->counter++);
    double shape = (double)(1u << directory % DEGREE_DIGITS) * (1 + random_unit(page->counter++));
    double mean = ((double)links_of_page(page->generation) - 1) * DRAWN_FOR_KEPT; /* without the index page */
    double degree = shape * mean / MEAN_OF_DEGREES * (draw % 512 == 0 ? (double)(1u << (draw >> 32) % 8) : 1);
    bool is_index = page->id - page->site.start < page->site.size / PER_INDEX_PAGE;
    if (!is_index && (draw >> 16) % 14 < 3)
        return 0;
    return degree < MAX_LINKS ? (uint32_t)degree : MAX_LINKS;
}

/* Draws the page's links into *row. before: the links of the last earlier page of the site that has links. */
static void push_page(struct page *page, const struct row *before, struct row *row)
{
    uint32_t degree = draw_degree(page);
    row->count = 0;
    for (uint32_t i = 0; i < before->count && row->count < degree; i++)
        if (random_bits(page->counter++) % 16 < COPIED_OF_16)
            row->links[row->count++] = before->links[i];
    while (row->count < degree) {
        uint64_t link = draw_link(page), end = page->site.start + page->site.core;
        uint64_t run = random_bits(page->counter++) % LONGEST_RUN; /* number of further links to the pages after it,
                                                                    * if it is on the site */
        row->links[row->count++] = (vertex_t)link;
        while (link > page->site.start && ++link < end && row->count < degree && run-- > 0)
            row->links[row->count++] = (vertex_t)link;
    }
    for (uint32_t i = 0; i < row->count; i++)
        push_link(page, page->id, row->links[i]);
    uint64_t place = page->id - page->site.start;
    uint64_t index = page->site.start + place / PER_INDEX_PAGE;
    if (place > 0)
        push_link(page, index, page->id);
    if (place > 0 && row->count > 0)
        push_link(page, page->id, index);
}

static void push_site(struct page *page, struct row rows[2])
{
    const struct site *site = &page->site;
    int now = 0;
    rows[1].count = 0;
    for (uint64_t place = 0; place < site->core; place++) {
        page->id = site->start + place;
        page->counter = page->id << 32;
        push_page(page, &rows[1 - now], &rows[now]);
        if (rows[now].count > 0)
            now = 1 - now;
    }
    for (uint64_t place = site->core; place < site->size; place++) {
        push_link(page, site->start + place - 1, site->start + place);
        push_link(page, site->start + place, site->start + place - 1);
    }
}

/* Pushes the links of an item, which is a block of pages. */
void push_web(const struct generation *generation, struct edge_writer *writer, uint64_t block)
{
    struct row *rows = malloc(2 * sizeof *rows); /* too large for the stack of a thread */
    uint64_t start = block << BLOCK_DIGITS, end = (block + 1) << BLOCK_DIGITS;
    struct page page = {.generation = generation, .writer = writer};
    writer->failed = writer->failed || rows == NULL;
    for (; start < end && start < generation->num_vertices && rows != NULL; start += page.site.size) {
        page.site = site_of(generation, start);
        push_site(&page, rows);
    }
    free(rows);
}
