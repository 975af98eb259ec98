/* test_find_neighbour.cu: the search of a warp for neighbours (kernels/device/find_neighbour.cuh), against the host.
 */
#include <stdlib.h>

#include <vector>

#include "../../kernels/device/find_neighbour.cuh"
#include "checks.h"

namespace BACKEND
{

using std::vector;

#define BY_LANE (STEPS_BY_LANE * TRIED_AT_ONCE) /* edges that a lane tries before its warp helps */
#define BY_WARP (TRIED_AT_ONCE * WARP_SIZE)     /* edges of a step of the warp */
#define LONGEST (BY_LANE + 3 * BY_WARP)

/* What a lane searches: its list, where a neighbour that fits stands in it; and what it found. */
struct lane_search {
    uint32_t edge, end, wanted;
    uint32_t match, steps;
};

__global__ void search_lists(const vertex_t *targets, struct lane_search *searches, uint32_t steps)
{
    struct lane_search mine = searches[lane_id()];
    mine.match = find_neighbour(
        targets, mine.edge, mine.end, mine.wanted, steps,
        [](vertex_t neighbour) { return neighbour == NO_VERTEX ? 0 : neighbour + 1; },
        [](vertex_t, uint32_t word, uint32_t wanted) { return word == wanted + 1; });
    mine.steps = steps;
    searches[lane_id()] = mine;
}

/* Runs the search with this many steps of the warp. The target of edge e is e, so each neighbour stands once. */
static vector<lane_search> found_by(const vector<lane_search> &searches, uint32_t steps, struct error *error)
{
    vector<lane_search> found(searches);
    vector<vertex_t> edges(WARP_SIZE * LONGEST);
    for (uint32_t e = 0; e < edges.size(); e++)
        edges[e] = e;
    struct gpu_arena arena = {};
    vertex_t *targets = gpu_take<vertex_t>(&arena, edges.size(), "the edges", error);
    struct lane_search *lanes = gpu_take<struct lane_search>(&arena, WARP_SIZE, "the lanes", error);
    gpu_upload(targets, edges.data(), edges.size(), error);
    gpu_upload(lanes, searches.data(), WARP_SIZE, error);
    gpu_launch(search_lists, {1, WARP_SIZE}, 0, error, targets, lanes, steps);
    gpu_download(found.data(), lanes, WARP_SIZE, error);
    gpu_arena_free(&arena);
    return found;
}

/* Lists of `length` edges, in which lane i wants the neighbour at place_of(i); from `length` on there is none. */
template <typename place_t>
static vector<lane_search> lists_of(uint32_t length, place_t place_of)
{
    vector<lane_search> searches(WARP_SIZE);
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        uint32_t edge = lane * LONGEST, place = place_of(lane);
        searches[lane] = {edge, edge + length, place < length ? edge + place : UINT32_MAX - 1, 0, 0};
    }
    return searches;
}

/* With steps to spare, a lane finds its neighbour if there is one, and otherwise tries its whole list. */
template <typename place_t>
static void check_complete(const char *what, uint32_t length, place_t place_of)
{
    struct error error = {};
    vector<lane_search> searches = lists_of(length, place_of), found = found_by(searches, UINT32_MAX, &error);
    uint32_t wrong = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++) {
        bool there = place_of(lane) < length;
        uint32_t right = there ? searches[lane].wanted : NO_VERTEX;
        wrong += found[lane].match != right || (!there && found[lane].edge < searches[lane].end);
    }
    check(error.status == STATUS_OK && wrong == 0, what, "%u lanes are wrong; %s", wrong, error.text);
}

/* Without steps of the warp, each lane tries its first edges only, and says where it stopped. */
static void check_without_steps(void)
{
    struct error error = {};
    auto last = [](uint32_t) { return LONGEST - 1; };
    vector<lane_search> searches = lists_of(LONGEST, last), found = found_by(searches, 0, &error);
    uint32_t wrong = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        wrong += found[lane].match != NO_VERTEX || found[lane].edge != searches[lane].edge + BY_LANE;
    check(error.status == STATUS_OK && wrong == 0, "no steps: each lane stops after its own",
          "%u lanes are wrong; %s", wrong, error.text);
}

/* The lists of the first two lanes take three steps each, so four steps end within the second. */
static void check_few_steps(void)
{
    struct error error = {};
    auto nowhere = [](uint32_t) { return UINT32_MAX; };
    vector<lane_search> searches = lists_of(LONGEST, nowhere), found = found_by(searches, 4, &error);
    const uint32_t tried[] = {LONGEST, BY_LANE + BY_WARP, BY_LANE};
    uint32_t wrong = 0;
    for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
        wrong += found[lane].edge != searches[lane].edge + tried[lane < 2 ? lane : 2] || found[lane].steps != 0;
    check(error.status == STATUS_OK && wrong == 0, "four steps: the first lanes' lists", "%u lanes are wrong; %s",
          wrong, error.text);
}

static void check_all(struct device *)
{
    check_complete("empty lists", 0, [](uint32_t) { return UINT32_MAX; });
    check_complete("lists that a lane searches", BY_LANE, [](uint32_t lane) { return lane % (BY_LANE + 1); });
    check_complete("lists one edge longer", BY_LANE + 1, [](uint32_t) { return BY_LANE; });
    check_complete("lists that the warp searches", LONGEST, [](uint32_t lane) { return lane * (LONGEST / 31); });
    check_complete("the last edge", LONGEST - 3, [](uint32_t) { return LONGEST - 4; });
    check_complete("a neighbour that is nowhere", LONGEST - 1, [](uint32_t) { return UINT32_MAX; });
    check_without_steps();
    check_few_steps();
}

} // namespace BACKEND
