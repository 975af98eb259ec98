/* parts_search.cuh: one search on several GPUs, in parts (parts.cuh). The host starts the kernels of each level on all
 * parts, copies between them, and takes one decision for all from the sums of their counts. GPUs that can access each
 * other's memory run one kernel instead (linked_search.cuh).
 *
 * One host thread serves all devices. Kernels are only submitted, so those of several GPUs run at the same time. A
 * copy between two devices waits for all work of both, and their later work waits for it (gpu_copy_between); the count
 * of a level is read after its kernels. So no kernel reads what a copy still writes. No kernel waits for another
 * device: if one fails, the next call for it says so, and the search ends with its number. */
#pragma once

#include "parts.cuh"
#include "prepare.cuh"

namespace BACKEND::dobfs::parts
{

#define MOST_PARTS 64u

/* The size of a frontier, and the number of its edges. */
struct sums {
    uint64_t size, edges;
};

/* A part, and the device that has it. */
struct member {
    struct device *device;
    struct gpu_arena memory; /* owns the arrays of `part` */
    struct gpu_graph out, in;
    struct part part;
    struct sums frontier;          /* of own vertices */
    uint32_t num_sent[MOST_PARTS]; /* copy of part.num_sent */
    struct run run;                /* if the GPUs are linked: the run with this device and state */
    struct state state;
};

/* The state of a run in parts. */
struct parts_state {
    struct member *members; /* num_members */
    unsigned num_members;
    bool bottom_up, wide;
    struct level_end *trace; /* on the first device; NULL without --profile */
    struct gpu_team team;    /* closed unless the GPUs are linked (linked_search.cuh) */
};

static bool is_linked(const struct run *run)
{
    return ((const struct parts_state *)run->state)->team.size > 0;
}

/* linked_search.cuh */
static bool link_parts(struct run *run);
static int prepare_linked(struct run *run, const uint8_t *widths);
static int traverse_linked(struct run *run, vertex_t source);
static int check_linked(struct run *run);

/* Returns the number of parts of a run's searches; 1: they are not split. */
static unsigned number_of_parts(const struct run *run)
{
    const unsigned least = thresholds_of(run)->parts, devices = (unsigned)run->team_size;
    return devices > least ? devices : least;
}

/* Calls work(member, error) with each member's device in use, and then makes the run's device current again. An error
 * names the device. */
template <typename work_t>
static int on_each(struct run *run, work_t work)
{
    struct parts_state *state = (struct parts_state *)run->state;
    for (unsigned i = 0; i < state->num_members && run->error->status == STATUS_OK; i++) {
        struct member *member = &state->members[i];
        struct error error = {};
        if (member->device->use(member->device, &error) == STATUS_OK)
            work(member, &error);
        if (error.status == STATUS_DEVICE && run->team_size > 1)
            error_set(run->error, error.status, "device %d: %s", member->device->number, error.text);
        else if (error.status != STATUS_OK)
            error_set(run->error, error.status, "%s", error.text);
    }
    run->device->use(run->device, run->error);
    return run->error->status;
}

/* ---- preparing ---- */

/* What becomes of lists that are copied. */
struct copying {
    const uint8_t *widths; /* bit widths of the degrees of all vertices: neighbours of higher degree come first, since
                            * a bottom-up level finds them visited sooner. NULL: keeps the order */
    const vertex_t *ids;   /* replaces the neighbours by these; or NULL */
    bool wide;             /* offsets take 64 bits */
};

static void copy_list(const vertex_t *from, edge_t degree, const struct copying &how, vertex_t *to)
{
    const uint8_t *widths = how.widths;
    edge_t ends[33] = {}; /* by width: the place after the last neighbour of that width */
    unsigned most = 0;
    for (edge_t i = 0; widths != NULL && i < degree; i++) {
        most = widths[from[i]] > most ? widths[from[i]] : most;
        ends[widths[from[i]]]++;
    }
    for (unsigned width = most; width-- > 0;)
        ends[width] += ends[width + 1];
    for (edge_t i = degree; i-- > 0;)
        to[widths != NULL ? --ends[widths[from[i]]] : i] = how.ids != NULL ? how.ids[from[i]] : from[i];
}

/* Uploads the lists of a part's own vertices, by place. id_at(place): returns the vertex; none of the graph: there is
 * no vertex. The caller frees them, even after a failure. */
static int upload_lists(const struct graph *graph, vertex_t num_places, auto id_at, const struct copying &how,
                        struct gpu_graph *lists, struct error *error)
{
    struct graph own = {.num_vertices = num_places};
    if (allocate_zeroed(&own.offsets, (size_t)own.num_vertices + 1, sizeof *own.offsets, "a part", error) != STATUS_OK)
        return error->status;
    for (vertex_t place = 0; place < own.num_vertices; place++)
        own.offsets[place + 1] =
            own.offsets[place] + (id_at(place) < graph->num_vertices ? graph_degree(graph, id_at(place)) : 0);
    own.num_edges = own.offsets[own.num_vertices];
    if (!gpu_counting() &&
        allocate(&own.targets, own.num_edges, sizeof *own.targets, "a part's lists", error) == STATUS_OK) {
#pragma omp parallel for schedule(dynamic, 1024)
        for (vertex_t place = 0; place < own.num_vertices; place++)
            if (const edge_t at = own.offsets[place], degree = own.offsets[place + 1] - at; degree > 0)
                copy_list(graph->targets + graph->offsets[id_at(place)], degree, how, own.targets + at);
    }
    if (error->status == STATUS_OK)
        gpu_graph_upload(&own, how.wide, lists, error);
    free(own.offsets);
    free(own.targets);
    lists->host = graph;
    return error->status;
}

static int allocate_part(const struct run *run, struct member *member, struct error *error)
{
    struct part *part = &member->part;
    struct gpu_arena *memory = &member->memory;
    const size_t own = part->own_words, all = own * part->deal.parts, ids = own * BITMAP_BITS;
    for (uint32_t **bitmap : {&part->visited, &part->marks})
        *bitmap = gpu_take<uint32_t>(memory, all, "a bitmap", error);
    for (uint32_t **bitmap : {&part->settled, &part->coming})
        *bitmap = gpu_take<uint32_t>(memory, own, "a bitmap", error);
    part->level = gpu_take<uint32_t>(memory, ids, "the levels", error);
    if (run->outputs & OUTPUT_PARENT)
        part->parent = gpu_take<vertex_t>(memory, ids, "the parents", error);
    part->frontier.before = gpu_take_bytes(memory, ids, offset_size(&member->out), "the frontier", error);
    part->frontier.shift = gpu_take_bytes(memory, ids, offset_size(&member->out), "the frontier", error);
    part->frontier_ids = gpu_take<vertex_t>(memory, ids, "the frontier", error);
    part->sent = gpu_take<message>(memory, (part->deal.parts - 1) * ids, "the messages", error);
    part->received = gpu_take<message>(memory, ids, "the messages", error);
    part->num_sent = gpu_take<uint32_t>(memory, part->deal.parts, "the counts", error);
    part->count = gpu_take<uint64_t>(memory, 1, "the counts", error);
    part->edge_bits = (unsigned)std::bit_width(member->out.num_edges | 1);
    if (std::bit_width(ids) + part->edge_bits > 64)
        return error_set(error, STATUS_INPUT, "a part of %zu vertices and %llu edges is too large; use more GPUs", ids,
                         (unsigned long long)member->out.num_edges);
    return error->status;
}

/* Uploads the lists of all parts. widths: as in copy_list(). */
static int upload_parts(struct run *run, const uint8_t *widths)
{
    struct parts_state *state = (struct parts_state *)run->state;
    struct graph transposed = {};
    const bool symmetric = run->graph->symmetric;
    if (state->bottom_up && !symmetric && graph_transpose(run->graph, &transposed, run->error) != STATUS_OK)
        return run->error->status;
    on_each(run, [&](struct member *member, struct error *error) {
        const struct deal &deal = member->part.deal;
        const vertex_t places = member->part.own_words * BITMAP_BITS;
        auto id_at = [&](vertex_t place) { return vertex_at(deal, deal.part, place); };
        upload_lists(run->graph, places, id_at, {symmetric ? widths : NULL, NULL, state->wide}, &member->out, error);
        if (transposed.offsets != NULL && error->status == STATUS_OK)
            upload_lists(&transposed, places, id_at, {widths, NULL, state->wide}, &member->in, error);
        allocate_part(run, member, error);
    });
    graph_release(&transposed);
    return run->error->status;
}

/* Makes the parts, each with a device, and prepares them. */
static int prepare_parts(struct run *run)
{
    const struct graph *graph = run->graph;
    const unsigned parts = number_of_parts(run), devices = run->team_size > 0 ? (unsigned)run->team_size : 1;
    const bool prepares = run->options[PREPARE] != 0;
    const uint64_t asked = thresholds_of(run)->turn_words, turn = asked > CHUNK_WORDS ? asked : CHUNK_WORDS;
    const uint64_t own_words = (bitmap_words(graph->num_vertices) / (parts * turn) + 1) * turn;
    struct parts_state *state;
    uint8_t *widths = NULL;
    if (own_words * parts > UINT32_MAX / BITMAP_BITS)
        return error_set(run->error, STATUS_INPUT, "%u parts: too many vertices; use fewer GPUs", parts);
    if (allocate_zeroed(&run->state, 1, sizeof *state, "the GPUs' state", run->error) != STATUS_OK)
        return run->error->status;
    state = (struct parts_state *)run->state;
    state->bottom_up = graph->symmetric || prepares || direction_of(run) >= DIRECTION_BOTTOM_UP;
    state->wide = needs_wide_offsets(graph->num_edges, run->options[OFFSET_BITS] != 0);
    if (allocate_zeroed(&state->members, parts, sizeof *state->members, "the parts", run->error) != STATUS_OK ||
        (prepares && allocate(&widths, graph->num_vertices, 1, "the degrees", run->error) != STATUS_OK))
        return run->error->status;
    for (; state->num_members < parts; state->num_members++) {
        struct member *member = &state->members[state->num_members];
        member->device = run->device + state->num_members % devices;
        member->part.deal = {parts, state->num_members, (uint32_t)std::countr_zero(turn)};
        member->part.own_words = (uint32_t)own_words;
    }
#pragma omp parallel for
    for (vertex_t v = 0; v < (widths != NULL ? graph->num_vertices : 0); v++)
        widths[v] = (uint8_t)std::bit_width(graph_degree(graph, v));
    if (link_parts(run))
        prepare_linked(run, widths);
    else
        upload_parts(run, widths);
    free(widths);
    if (run->error->status != STATUS_OK || is_linked(run))
        return run->error->status;
    state->trace = gpu_take_trace(run, &state->members[0].memory);
    snprintf(run->note, sizeof run->note,
             "%u parts on %u GPU%s, turns of %llu ids%s, %s, the host copies between parts", parts, devices,
             devices == 1 ? "" : "s", (unsigned long long)turn * BITMAP_BITS, prepares ? ", lists by degree" : "",
             state->bottom_up ? "both directions" : "top-down only");
    return run->error->status;
}

/* ---- searching ---- */

static int reset(struct run *run, vertex_t source)
{
    return on_each(run, [&](struct member *member, struct error *error) {
        const struct part &part = member->part;
        const size_t all = (size_t)part.own_words * part.deal.parts, ids = (size_t)part.own_words * BITMAP_BITS;
        set_schedule(run->device->seed);
        gpu_clear(part.visited, all, error);
        gpu_clear(part.marks, all, error);
        gpu_fill(part.level, 0xff, ids, error);
        gpu_fill(part.parent, 0xff, ids, error);
        gpu_launch(begin_search, {1, 1}, 0, error, part, source);
    });
}

/* Settles the level on all parts. Sets their frontiers, and returns the sums. */
template <typename offset_t>
static struct sums settle_all(struct run *run, uint32_t level)
{
    struct sums sums = {};
    on_each(run, [&](struct member *member, struct error *error) {
        const uint64_t threads = member->part.own_words;
        gpu_clear(member->part.count, 1, error);
        gpu_launch(settle<offset_t>, gpu_wide_grid(threads), 0, error, csr_of<offset_t>(&member->out), member->part,
                   level);
    });
    on_each(run, [&](struct member *member, struct error *error) {
        const unsigned bits = member->part.edge_bits;
        uint64_t count = 0;
        gpu_download(&count, member->part.count, 1, error);
        member->frontier = {count >> bits, count & ((1ull << bits) - 1)};
        sums = {sums.size + member->frontier.size, sums.edges + member->frontier.edges};
    });
    return sums;
}

/* Copies what each part has settled to the other parts. */
static int share(struct run *run)
{
    struct parts_state *state = (struct parts_state *)run->state;
    return on_each(run, [&](struct member *to, struct error *error) {
        for (unsigned i = 0; i < state->num_members; i++) {
            const struct member *from = &state->members[i];
            if (from == to)
                continue;
            gpu_copy_between(to->part.coming, to->device->number, from->part.settled, from->device->number,
                             to->part.own_words, error);
            gpu_launch(spread, gpu_wide_grid(to->part.own_words), 0, error, to->part, i);
        }
    });
}

/* Runs a bottom-up level up to settle. */
template <typename offset_t>
static void go_up(struct run *run)
{
    on_each(run, [&](struct member *member, struct error *error) {
        gpu_launch(search_unvisited<offset_t>, gpu_wide_grid((uint64_t)member->part.own_words * WARP_SIZE), 0, error,
                   csr_of<offset_t>(run->graph->symmetric ? &member->out : &member->in), member->part);
    });
}

/* Runs a top-down level up to settle. */
template <typename offset_t>
static void go_down(struct run *run)
{
    const struct parts_state *state = (const struct parts_state *)run->state;
    const unsigned parts = state->num_members;
    on_each(run, [&](struct member *member, struct error *error) {
        const struct sums own = member->frontier;
        gpu_clear(member->part.num_sent, parts, error);
        if (own.edges > 0)
            gpu_launch(expand<offset_t>, gpu_wide_grid(own.edges), 0, error, csr_of<offset_t>(&member->out),
                       member->part, own.size, (offset_t)own.edges);
    });
    on_each(run, [&](struct member *member, struct error *error) {
        gpu_download(member->num_sent, member->part.num_sent, parts, error);
    });
    on_each(run, [&](struct member *to, struct error *error) {
        const unsigned receiver = to->part.deal.part;
        for (unsigned i = 0; i < parts; i++) {
            const struct member *from = &state->members[i];
            const uint32_t number = from != to ? from->num_sent[receiver] : 0;
            if (number == 0)
                continue;
            gpu_copy_between(to->part.received, to->device->number, messages_to(from->part, receiver),
                             from->device->number, number, error);
            gpu_launch(take, gpu_wide_grid(number), 0, error, to->part, number);
        }
    });
}

/* Returns whether the next level is bottom-up: as in kernel.cuh, but the edges of the frontier are always known. */
static bool goes_up(const struct run *run, uint32_t level, bool was_up, struct sums frontier)
{
    const struct policy *policy = first_policy(run);
    const enum direction direction = direction_of(run);
    if (!((const struct parts_state *)run->state)->bottom_up || direction == DIRECTION_TOP_DOWN)
        return false;
    if (direction == DIRECTION_ALTERNATING)
        return level % 2 == 1;
    if (direction == DIRECTION_BOTTOM_UP)
        return true;
    return was_up ? frontier.size >= run->graph->num_vertices / policy->back_share
                  : policy->bottom_up_share > 0 && frontier.edges > run->graph->num_edges / policy->bottom_up_share;
}

template <typename offset_t>
static void search_levels(struct run *run)
{
    struct level_end *trace = ((const struct parts_state *)run->state)->trace;
    bool up = false;
    for (uint32_t level = 0; run->error->status == STATUS_OK; level++) {
        const struct sums frontier = settle_all<offset_t>(run, level);
        gpu_end_level(trace, level, run->error, up ? LEVEL_BOTTOM_UP : LEVEL_TOP_DOWN);
        if (frontier.edges == 0)
            break;
        share(run);
        up = goes_up(run, level, up, frontier);
        if (up)
            go_up<offset_t>(run);
        else
            go_down<offset_t>(run);
    }
}

static int traverse_parts(struct run *run, const struct query *query)
{
    if (is_linked(run))
        return traverse_linked(run, query->sources[0]);
    if (reset(run, query->sources[0]) == STATUS_OK)
        with_width(((const struct parts_state *)run->state)->wide,
                   [&]<typename offset_t>() { search_levels<offset_t>(run); });
    return run->error->status;
}

/* ---- results ---- */

/* Copies the array that array_of(member) returns of each part to the places of its vertices in the result, unless that
 * is NULL. */
static int fetch_array(struct run *run, uint32_t *result, auto array_of)
{
    const struct parts_state *state = (const struct parts_state *)run->state;
    const size_t own = (size_t)state->members[0].part.own_words * BITMAP_BITS;
    const vertex_t n = run->graph->num_vertices;
    uint32_t *values = NULL;
    if (result == NULL || allocate(&values, own, sizeof *values, "a part's result", run->error) != STATUS_OK)
        return run->error->status;
    on_each(run, [&](struct member *member, struct error *error) {
        const struct deal &deal = member->part.deal;
        const uint64_t turn = (uint64_t)BITMAP_BITS << deal.turn_bits;
        if (gpu_download(values, array_of(*member), own, error) != STATUS_OK)
            return;
#pragma omp parallel for
        for (uint64_t at = 0; at < own; at += turn) {
            const uint64_t id = vertex_at(deal, deal.part, (uint32_t)at), left = id < n ? n - id : 0;
            memcpy(result + (left > 0 ? id : 0), values + at, (left < turn ? left : turn) * sizeof *values);
        }
    });
    free(values);
    return run->error->status;
}

static int fetch_parts(struct run *run, struct traversal *result)
{
    const bool linked = is_linked(run);
    if (linked && check_linked(run) != STATUS_OK)
        return run->error->status;
    fetch_array(run, result->level,
                [&](const struct member &member) { return linked ? member.state.search.level : member.part.level; });
    fetch_array(run, result->parent,
                [&](const struct member &member) { return linked ? member.state.search.parent : member.part.parent; });
    return gpu_fetch_trace(run, ((const struct parts_state *)run->state)->trace, linked ? level_words : NULL, result);
}

static void release_parts(struct run *run)
{
    struct parts_state *state = (struct parts_state *)run->state;
    struct error error = {};
    for (unsigned i = 0; state != NULL && i < state->num_members; i++) {
        struct member *member = &state->members[i];
        member->device->use(member->device, &error);
        for (struct gpu_arena *memory : {&member->memory, &member->state.memory})
            gpu_arena_free(memory);
        for (struct gpu_graph *lists : {&member->out, &member->in, &member->state.out})
            gpu_graph_free(lists);
    }
    if (state != NULL)
        gpu_close_team(&state->team);
    run->device->use(run->device, &error);
    free(state != NULL ? state->members : NULL);
    free(state);
    run->state = NULL;
}

} // namespace BACKEND::dobfs::parts
