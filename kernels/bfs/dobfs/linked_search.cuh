/* linked_search.cuh: prepares and starts a search by one kernel on each GPU of a team (linked.cuh), for symmetric
 * graphs on GPUs that can access each other's memory. The kernel, its plan and its arrays are those of one GPU; each
 * GPU has a struct state of its own. */
#pragma once

#include "parts_search.cuh"

namespace BACKEND::dobfs
{

/* dobfs.cu */
template <typename csr_t>
static void plan_launch(struct run *run);
static void allocate_search(struct run *run);

namespace parts
{

typedef dealt_csr<edge_t> linked_csr; /* always wide offsets, which saves instances of the kernel */

/* Opens the team of a run's devices. Returns false, with a closed team, if the host must copy between the parts. */
static bool link_parts(struct run *run)
{
    struct parts_state *state = (struct parts_state *)run->state;
    const struct graph *graph = run->graph;
    const unsigned parts = state->num_members;
    const unsigned count_bits = (unsigned)(std::bit_width(graph->num_vertices) + std::bit_width(graph->num_edges));
    int devices[MOST_IN_TEAM];
    if (run->error->status != STATUS_OK || (unsigned)run->team_size != parts || parts > MOST_IN_TEAM ||
        !graph->symmetric || run->options[PREPARE] == 0 || graph->num_edges == 0 || count_bits > 63)
        return false;
    for (unsigned i = 0; i < parts; i++)
        devices[i] = state->members[i].device->number;
    return gpu_open_team(&state->team, devices, parts, run->error);
}

/* The vertices of all parts, relabelled within their part by degree class, highest first; those without edges last. */
struct numbering {
    vertex_t *id_of;    /* num_vertices; the id of each input id */
    vertex_t *input_of; /* parts * own_words * 32; the input id of each id that has edges, otherwise NO_VERTEX */
    uint32_t own_words; /* of the ids with edges, a whole number of turns; the same for all parts */
    vertex_t num_ids[MOST_IN_TEAM], all_ids;
};

/* Numbers a part's vertices. widths: bit widths of the degrees of all vertices. */
static void number_part(const struct graph *graph, const struct part &part, const uint8_t *widths,
                        struct numbering *numbering)
{
    const struct deal &deal = part.deal;
    const uint32_t places = part.own_words * BITMAP_BITS;
    vertex_t next[34] = {}; /* by width: the place of the next vertex of that width */
    for (uint32_t place = 0; place < places; place++)
        if (const vertex_t v = vertex_at(deal, deal.part, place); v < graph->num_vertices)
            next[widths[v]]++;
    for (unsigned width = 34; width-- > 0;) {
        const vertex_t number = next[width];
        next[width] = numbering->num_ids[deal.part];
        numbering->num_ids[deal.part] += number;
    }
    numbering->num_ids[deal.part] = next[0];
    for (uint32_t place = 0; place < places; place++)
        if (const vertex_t v = vertex_at(deal, deal.part, place); v < graph->num_vertices)
            numbering->id_of[v] = vertex_at(deal, deal.part, next[widths[v]]++);
}

/* Numbers the vertices of all parts. The caller frees the arrays, even after a failure. */
static int number_vertices(struct run *run, const uint8_t *widths, struct numbering *numbering)
{
    const struct parts_state *state = (const struct parts_state *)run->state;
    const struct graph *graph = run->graph;
    const uint32_t turn = 1u << state->members[0].part.deal.turn_bits;
    if (allocate(&numbering->id_of, graph->num_vertices, sizeof(vertex_t), "the ids", run->error) != STATUS_OK)
        return run->error->status;
#pragma omp parallel for
    for (unsigned i = 0; i < state->num_members; i++)
        number_part(graph, state->members[i].part, widths, numbering);
    for (unsigned i = 0; i < state->num_members; i++) {
        const uint32_t words = (numbering->num_ids[i] / (turn * BITMAP_BITS) + 1) * turn;
        numbering->own_words = words > numbering->own_words ? words : numbering->own_words;
        numbering->all_ids += numbering->num_ids[i];
    }
    const size_t all = (size_t)state->num_members * numbering->own_words * BITMAP_BITS;
    if (allocate(&numbering->input_of, all, sizeof(vertex_t), "the ids", run->error) != STATUS_OK)
        return run->error->status;
    memset(numbering->input_of, 0xff, all * sizeof(vertex_t));
#pragma omp parallel for
    for (vertex_t v = 0; v < graph->num_vertices; v++)
        if (widths[v] > 0)
            numbering->input_of[numbering->id_of[v]] = v;
    return run->error->status;
}

/* Uploads the part's numbering and its lists. */
static int upload_numbered(const struct graph *graph, struct member *member, const uint8_t *widths,
                           const struct numbering &numbering, struct error *error)
{
    struct state *own = &member->state;
    const struct deal &deal = own->deal;
    const uint32_t inputs = member->part.own_words * BITMAP_BITS, places = numbering.own_words * BITMAP_BITS;
    const size_t all = (size_t)deal.parts * places;
    vertex_t *place_at;
    own->order.id_of = gpu_take<vertex_t>(&own->memory, inputs, "the ids", error);
    own->order.input_of = gpu_take<vertex_t>(&own->memory, all, "the ids", error);
    if (allocate(&place_at, inputs, sizeof *place_at, "the ids", error) != STATUS_OK)
        return error->status;
#pragma omp parallel for
    for (uint32_t i = 0; i < inputs; i++) {
        const vertex_t v = vertex_at(deal, deal.part, i);
        place_at[i] = v < graph->num_vertices ? place_of(deal, numbering.id_of[v]) : NO_VERTEX;
    }
    gpu_upload(own->order.id_of, place_at, inputs, error);
    gpu_upload(own->order.input_of, numbering.input_of, all, error);
    free(place_at);
    upload_lists(
        graph, places, [&](vertex_t place) { return numbering.input_of[vertex_at(deal, deal.part, place)]; },
        {widths, numbering.id_of, true}, &own->out, error);
    own->out.num_vertices = inputs; /* of the results */
    return error->status;
}

/* Prepares a GPU's state, except for its links. */
static int prepare_member(const struct run *run, struct member *member, const uint8_t *widths,
                          const struct numbering &numbering, struct error *error)
{
    struct state *own = &member->state;
    member->run = *run;
    member->run.device = member->device;
    member->run.state = own;
    member->run.error = error;
    own->symmetric = own->bottom_up = own->packs = own->order.relabelled = true;
    own->deal = member->part.deal;
    own->order.num_ids = numbering.num_ids[own->deal.part];
    own->num_words = numbering.own_words;
    own->all_ids = numbering.all_ids;
    own->all_edges = run->graph->num_edges;
    upload_numbered(run->graph, member, widths, numbering, error);
    plan_launch<linked_csr>(&member->run);
    pack_neighbours<linked_csr>(&member->run);
    allocate_search(&member->run);
    return error->status;
}

/* Copies what the GPUs know of each other to all of them. */
static int tell_links(struct run *run, const struct links &links)
{
    return on_each(run, [&](struct member *member, struct error *error) {
        gpu_upload((struct links *)member->state.links, &links, 1, error);
    });
}

/* Allocates the arrays that GPUs need for each other, and sets where the arrays of all are. */
static int make_links(struct run *run, struct links *links)
{
    struct parts_state *state = (struct parts_state *)run->state;
    on_each(run, [&](struct member *member, struct error *error) {
        struct state *own = &member->state;
        struct gpu_arena *memory = &own->memory;
        const uint32_t part = own->deal.part;
        const size_t room = (size_t)(own->deal.parts - 1) * own->num_words * BITMAP_BITS;
        links->num_ids[part] = own->order.num_ids;
        links->places[part] = own->order.id_of;
        links->barriers[part] = state->team.barriers[part];
        links->bitmaps[0][part] = own->search.visited;
        links->bitmaps[1][part] = own->search.next;
        links->sent[part] = gpu_take<message>(memory, room, "the messages", error);
        links->num_sent[part] = gpu_take<uint32_t>(memory, NUM_COUNTS * MOST_IN_TEAM, "the counts", error);
        links->marks[part] = gpu_take<uint32_t>(memory, all_words(own), "a bitmap", error);
        own->links = gpu_take<struct links>(memory, 1, "the links", error);
    });
    return tell_links(run, *links);
}

/* Searches from a source, and sets the giant component to what it reaches. */
static int measure_linked_giant(struct run *run, vertex_t source, struct links *links)
{
    vertex_t all_reached = 0;
    traverse_linked(run, source);
    on_each(run, [&](struct member *member, struct error *error) {
        struct state *own = &member->state;
        const vertex_t inputs = own->out.num_vertices;
        uint32_t num_reached = 0, *reached = gpu_take_zeroed<uint32_t>(&own->memory, 1, "the first search", error);
        uint32_t *giant = gpu_take<uint32_t>(&own->memory, bitmap_words(inputs), "the first search", error);
        gpu_launch(map_reached, gpu_wide_grid(inputs), 0, error, own->search.level, inputs, giant, reached);
        if (!gpu_counting())
            gpu_download(&num_reached, reached, 1, error);
        links->giant[own->deal.part] = giant;
        all_reached += num_reached;
    });
    links->outside_giant = links->all_ids - all_reached;
    return tell_links(run, *links);
}

/* Keeps the policy that is fastest on all GPUs together, as choose_policy() does on one. otherwise: the source if the
 * first GPU has none. */
static int choose_linked_policy(struct run *run, const struct numbering &numbering, vertex_t otherwise)
{
    struct parts_state *state = (struct parts_state *)run->state;
    struct state *first = &state->members[0].state;
    auto apply = [&](unsigned turn) {
        first->policy = policy_of_turn(first, turn);
        for (unsigned i = 0; i < state->num_members; i++)
            apply_policy(&state->members[i].run, first->policy);
    };
    const unsigned best = fastest_policy<NUM_POLICIES>(run->graph->num_edges, true, [&](unsigned turn, unsigned probe) {
        const uint32_t place = (uint32_t)((uint64_t)first->order.num_ids * (2 * probe + 1) / (2 * NUM_PROBES));
        const vertex_t source = numbering.input_of[vertex_at(first->deal, 0, place)];
        uint64_t elapsed_ns;
        apply(turn);
        traverse_linked(run, source != NO_VERTEX ? source : otherwise);
        check_linked(run);
        gpu_download(&elapsed_ns, &first->search.handover->elapsed_ns, 1, run->error);
        return elapsed_ns;
    });
    apply(best);
    return run->error->status;
}

/* Prepares all GPUs. */
static int prepare_linked(struct run *run, const uint8_t *widths)
{
    struct parts_state *state = (struct parts_state *)run->state;
    struct state *first = &state->members[0].state;
    struct numbering numbering = {};
    if (number_vertices(run, widths, &numbering) == STATUS_OK)
        on_each(run, [&](struct member *member, struct error *error) {
            prepare_member(run, member, widths, numbering, error);
        });
    struct links links = {.own_words = numbering.own_words, .all_ids = numbering.all_ids};
    vertex_t id = 0; /* of the highest degree, or nearly so */
    while (run->error->status == STATUS_OK && numbering.input_of[id] == NO_VERTEX)
        id++;
    if (run->error->status == STATUS_OK && make_links(run, &links) == STATUS_OK)
        measure_linked_giant(run, numbering.input_of[id], &links);
    const bool times = run->options[POLICY] == TIMED_POLICIES && run->graph->num_edges >= PROBE_FROM_EDGES;
    if (times && run->error->status == STATUS_OK && !gpu_counting() && first->rules.direction == DIRECTION_AUTO)
        choose_linked_policy(run, numbering, numbering.input_of[id]);
    free(numbering.id_of);
    free(numbering.input_of);
    state->trace = first->search.trace;
    snprintf(run->note, sizeof run->note,
             "%u GPUs access each other's memory, turns of %u ids, %u vertices relabelled by degree class within each "
             "GPU, first neighbours of %u bits, %u outside the giant component, policy %zu%s",
             state->num_members, BITMAP_BITS << first->deal.turn_bits, numbering.all_ids,
             packs_25_bits(&state->members[0].run) ? 25 : 32, links.outside_giant,
             (first->policy != NULL ? first->policy : first_policy(run)) - policies + 1,
             first->policy != NULL ? " by trials" : "");
    return run->error->status;
}

static int traverse_linked(struct run *run, vertex_t source)
{
    struct parts_state *state = (struct parts_state *)run->state;
    struct state *first = &state->members[0].state;
    struct grid grid = first->grid;
    for (unsigned i = 1; i < state->num_members; i++)
        grid.blocks = std::min(grid.blocks, state->members[i].state.grid.blocks);
    return gpu_launch_team(&state->team, kernel_of<linked_csr>(&state->members[0].run), grid, first->shared_bytes,
                           run->error, [&](unsigned i) {
                               const struct state *own = &state->members[i].state;
                               return std::tuple(graph_of<linked_csr>(own), own->search, own->rules, source);
                           });
}

/* Waits for the search. STATUS_DEVICE if it failed; the message names the device. */
static int check_linked(struct run *run)
{
    gpu_check_team(&((struct parts_state *)run->state)->team, "bfs dobfs", run->error);
    return on_each(run, [](struct member *member, struct error *error) {
        gpu_check_barrier(member->state.search.barrier, "bfs dobfs", error);
    });
}

} // namespace parts

} // namespace BACKEND::dobfs
