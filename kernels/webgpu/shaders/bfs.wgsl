// bfs.wgsl: breadth-first search from one source, level by level, in the direction that costs less (Beamer et al.,
// 2012). The queue holds all vertices found, in the order of their levels; the frontier is its end. A level is one
// dispatch, since each dispatch costs some microseconds:
//
//   top-down   the neighbours of the frontier that have no level yet get one and join the queue
//   bottom-up  each vertex without a level looks for a neighbour in the frontier
//
// Top-down, several threads share the edges of a vertex. Several workgroups share the edges of a high-degree vertex,
// so that it does not delay its level.
//
// `steps` passes data from level to level. It has four places, which levels use in rotation: a level reads its own
// place, which describes its frontier, counts in the place of the next level, and clears the place after that. After
// the last level the frontier is empty and nothing happens, so the host submits several levels at once. A line that
// ends with "// split" names an array that may need several bindings (split.c).

struct Params {
    num_vertices: u32,
    source: u32,
    num_edges: u32,
    alpha: u32, // bottom-up if alpha times the frontier's edges exceeds the edges of unvisited vertices
    beta: u32,  // top-down again if beta times the frontier's vertices is less than num_vertices
}

const TURNS = 4u;

// The state at the beginning of a level.
struct Step {
    level: atomic<u32>,          // level of the frontier's vertices, plus 1; constant after the last level
    first: atomic<u32>,          // index of the frontier's first vertex in the queue
    frontier: atomic<u32>,       // number of vertices in the frontier; 0: the search has ended
    frontier_edges: atomic<u32>, // number of the frontier's edges
    edges_left: atomic<u32>,     // edges of the frontier and of the vertices without a level
    bottom_up: atomic<u32>,      // 1 if the level before was bottom-up
    first_high_degree: atomic<u32>,     // where the frontier's high-degree vertices begin, after the queue
    high_degree: atomic<u32>,      // number of the frontier's high-degree vertices
}

override edge_threads: u32 = 8u; // threads that share the edges of a vertex, top-down
override group_vertices: u32 = 32u; // vertices that a workgroup takes at once, top-down
override low_degree: u32 = 512u; // a vertex with more edges is a high-degree vertex; 0: there is none
override has_high_degree: bool = low_degree > 0u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>; // split offsets
@group(0) @binding(2) var<storage, read> targets: array<u32>; // split targets
@group(0) @binding(3) var<storage, read> in_offsets: array<u32>; // split in_offsets
@group(0) @binding(4) var<storage, read> in_targets: array<u32>; // split in_targets
@group(0) @binding(5) var<storage, read_write> levels: array<atomic<u32>>; // split levels
// The queue has num_vertices words. After them, the high-degree vertices are stored a second time.
@group(0) @binding(6) var<storage, read_write> queue: array<u32>; // split queue
@group(0) @binding(7) var<storage, read_write> steps: array<Step, TURNS>;
@group(0) @binding(8) var<uniform> turn: u32; // this level's place in steps
@group(0) @binding(9) var<storage, read_write> parents: array<u32>; // split parents

// levels[v] is the level plus 1, or 0 if there is none.
fn offset_at(vertex: u32) -> u32 {
    return offsets[vertex]; // split offsets
}
fn target_at(edge: u32) -> u32 {
    return targets[edge]; // split targets
}
fn in_offset_at(vertex: u32) -> u32 {
    return in_offsets[vertex]; //-undirected // split in_offsets
    //+undirected return offset_at(vertex);
}
fn in_target_at(edge: u32) -> u32 {
    return in_targets[edge]; //-undirected // split in_targets
    //+undirected return target_at(edge);
}
fn level_at(vertex: u32) -> u32 {
    return atomicLoad(&levels[vertex]); // split levels
}
fn set_level(vertex: u32, level: u32) {
    atomicStore(&levels[vertex], level); // split levels
}
// Gives the vertex this level. Returns whether it had none before.
fn claim(vertex: u32, level: u32) -> bool {
    return atomicMax(&levels[vertex], level) == 0u; // split levels
}
fn set_parent(vertex: u32, parent: u32) {
    parents[vertex] = parent; // split parents
}
fn queue_at(place: u32) -> u32 {
    return queue[place]; // split queue
}
fn set_queue(place: u32, vertex: u32) {
    queue[place] = vertex; // split queue
}

fn degree_of(vertex: u32) -> u32 {
    return offset_at(vertex + 1u) - offset_at(vertex);
}

const ROOM = 256u; // vertices found by a workgroup that are kept here; further ones join the queue one by one

var<workgroup> found: array<u32, ROOM>;
var<workgroup> num_found: atomic<u32>;
var<workgroup> found_edges: atomic<u32>; // number of their edges
var<workgroup> place: u32;               // index of the first of them in the queue

// Clears the workgroup's counts. WebGPU promises zeros in workgroup memory, but Mesa's driver for the CPU leaves what
// the last kernel wrote. All threads of the workgroup must call it before the first join.
fn begin_to_join(thread: u32) {
    if (thread == 0u) {
        atomicStore(&num_found, 0u);
        atomicStore(&found_edges, 0u);
    }
    workgroupBarrier();
}

fn turn_after() -> u32 {
    return (turn + 1u) % TURNS;
}

struct Frontier {
    level: u32,
    first: u32,
    count: u32,
    edges: u32,
    edges_left: u32,
    first_high_degree: u32,
    high_degree: u32,
    upwards: bool, // bottom-up
}

// Reserves `count` places in the queue, after the frontier, for vertices found. Returns the first one.
fn take_places(frontier: Frontier, count: u32) -> u32 {
    return frontier.first + frontier.count + atomicAdd(&steps[turn_after()].frontier, count);
}

fn join(vertex: u32, frontier: Frontier) {
    let mine = atomicAdd(&num_found, 1u);
    let degree = degree_of(vertex);
    if (mine < ROOM) {
        found[mine] = vertex;
    } else {
        set_queue(take_places(frontier, 1u), vertex);
    }
    atomicAdd(&found_edges, degree);
    if (has_high_degree && degree > low_degree) {
        let number = atomicAdd(&steps[turn_after()].high_degree, 1u);
        set_queue(params.num_vertices + frontier.first_high_degree + frontier.high_degree + number, vertex);
    }
}

// Moves the workgroup's vertices to the queue by one atomic. All threads of the workgroup must call it, once.
fn hand_over(thread: u32, frontier: Frontier) {
    workgroupBarrier();
    let count = min(atomicLoad(&num_found), ROOM);
    if (thread == 0u && count > 0u) {
        place = take_places(frontier, count);
        atomicAdd(&steps[turn_after()].frontier_edges, atomicLoad(&found_edges));
    }
    workgroupBarrier();
    for (var i = thread; i < count; i += edge_threads * group_vertices) {
        set_queue(place + i, found[i]);
    }
}

fn clear(which: u32) {
    atomicStore(&steps[which].frontier, 0u);
    atomicStore(&steps[which].frontier_edges, 0u);
    atomicStore(&steps[which].high_degree, 0u);
}

// Begins the search. One thread runs it before the first level.
@compute @workgroup_size(1)
fn begin() {
    set_level(params.source, 1u);
    set_queue(0u, params.source);
    atomicStore(&steps[turn].level, 1u);
    atomicStore(&steps[turn].first, 0u);
    atomicStore(&steps[turn].frontier, 1u);
    atomicStore(&steps[turn].frontier_edges, degree_of(params.source));
    atomicStore(&steps[turn].edges_left, params.num_edges);
    atomicStore(&steps[turn].bottom_up, 0u);
    atomicStore(&steps[turn].first_high_degree, 0u);
    atomicStore(&steps[turn].high_degree, 0u);
    if (has_high_degree && degree_of(params.source) > low_degree) {
        set_queue(params.num_vertices, params.source);
        atomicStore(&steps[turn].high_degree, 1u);
    }
    clear(turn_after());
}

var<workgroup> frontier_now: Frontier;

// Returns this level's frontier. One thread of the workgroup reads it, since warps that read the same words wait for
// each other. All threads of the workgroup must call it, once.
fn read_frontier(thread: u32) -> Frontier {
    if (thread == 0u) {
        let count = atomicLoad(&steps[turn].frontier);
        let edges = atomicLoad(&steps[turn].frontier_edges);
        let edges_left = atomicLoad(&steps[turn].edges_left);
        let upwards = is_bottom_up(count, edges, edges_left);
        frontier_now = Frontier(atomicLoad(&steps[turn].level), atomicLoad(&steps[turn].first), count, edges,
                                edges_left, atomicLoad(&steps[turn].first_high_degree),
                                atomicLoad(&steps[turn].high_degree), upwards);
    }
    return workgroupUniformLoad(&frontier_now);
}

// Initialises the place of the next level, except for the counts of what it finds.
fn prepare_next(frontier: Frontier) {
    atomicStore(&steps[turn_after()].level, frontier.level + select(1u, 0u, frontier.count == 0u));
    atomicStore(&steps[turn_after()].first, frontier.first + frontier.count);
    atomicStore(&steps[turn_after()].edges_left, frontier.edges_left - frontier.edges);
    atomicStore(&steps[turn_after()].bottom_up, select(0u, 1u, frontier.upwards));
    atomicStore(&steps[turn_after()].first_high_degree, frontier.first_high_degree + frontier.high_degree);
    clear((turn + 2u) % TURNS);
}

// Visits the edges first, first + step, ... of a vertex. Only vertices without a level are
// claimed, all for the same level. So the atomic maximum changes a vertex once, and the thread that gets the 0 has
// claimed it.
fn visit(vertex: u32, first: u32, step: u32, frontier: Frontier) {
    let end = offset_at(vertex + 1u);
    for (var edge = offset_at(vertex) + first; edge < end; edge += step) {
        let neighbour = target_at(edge);
        if (level_at(neighbour) == 0u && claim(neighbour, frontier.level + 1u)) {
            join(neighbour, frontier);
        }
    }
}

const TEAM = 32u; // workgroups that share a high-degree vertex, if the grid has as many

fn visit_high_degree(frontier: Frontier, thread: u32, group: u32, groups: u32) {
    let threads = edge_threads * group_vertices;
    let team = min(TEAM, groups);
    let teams = groups / team;
    if (group / team == teams) {
        return; // the remaining workgroups have no vertex
    }
    for (var i = group / team; i < frontier.high_degree; i += teams) {
        let vertex = queue_at(params.num_vertices + frontier.first_high_degree + i);
        visit(vertex, group % team * threads + thread, team * threads, frontier);
    }
}

fn visit_low_degree(frontier: Frontier, local: vec2<u32>, group: u32, groups: u32) {
    for (var i = group * group_vertices + local.y; i < frontier.count; i += groups * group_vertices) {
        let vertex = queue_at(frontier.first + i);
        if (!has_high_degree || degree_of(vertex) <= low_degree) {
            visit(vertex, local.x, edge_threads, frontier);
        }
    }
}

// Searches bottom-up: a thread takes a vertex.
fn bottom_up(frontier: Frontier, thread: u32, threads: u32) {
    for (var vertex = thread; vertex < params.num_vertices; vertex += threads) {
        if (level_at(vertex) != 0u) {
            continue;
        }
        let end = in_offset_at(vertex + 1u);
        for (var edge = in_offset_at(vertex); edge < end; edge++) {
            if (level_at(in_target_at(edge)) == frontier.level) {
                set_level(vertex, frontier.level + 1u);
                join(vertex, frontier);
                break;
            }
        }
    }
}

fn is_bottom_up(frontier: u32, edges: u32, edges_left: u32) -> bool {
    if (frontier == 0u || params.alpha == 0u) {
        return false;
    }
    if (atomicLoad(&steps[turn].bottom_up) != 0u) {
        return frontier >= params.num_vertices / params.beta;
    }
    return edges > edges_left / params.alpha; // a division, since the product might not fit
}

fn has_work(frontier: Frontier, group: u32) -> bool {
    if (frontier.upwards) {
        return group * edge_threads * group_vertices < params.num_vertices;
    }
    return group * group_vertices < frontier.count || group / TEAM < frontier.high_degree;
}

@compute @workgroup_size(edge_threads, group_vertices)
fn search_level(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
                @builtin(num_workgroups) groups: vec3<u32>) {
    let threads = edge_threads * group_vertices;
    let thread = local.y * edge_threads + local.x;
    let frontier = read_frontier(thread);
    if (thread == 0u && group.x == 0u) {
        prepare_next(frontier);
    }
    if (!has_work(frontier, group.x)) {
        return;
    }
    begin_to_join(thread);
    if (frontier.upwards) {
        bottom_up(frontier, group.x * threads + thread, groups.x * threads);
    } else {
        if (has_high_degree) {
            visit_high_degree(frontier, thread, group.x, groups.x);
        }
        visit_low_degree(frontier, local.xy, group.x, groups.x);
    }
    hand_over(thread, frontier);
}

const NO_VERTEX = 0xffffffffu;

// Runs after the search if parents are wanted. A thread takes a vertex: its parent is its first in-neighbour in the
// level before. The source is its own parent.
@compute @workgroup_size(256)
fn find_parents(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    for (var vertex = id.x; vertex < params.num_vertices; vertex += groups.x * 256u) {
        let level = level_at(vertex);
        let end = in_offset_at(vertex + 1u);
        var parent = select(NO_VERTEX, vertex, vertex == params.source);
        for (var edge = in_offset_at(vertex); edge < end && level > 1u && parent == NO_VERTEX; edge++) {
            if (level_at(in_target_at(edge)) == level - 1u) {
                parent = in_target_at(edge);
            }
        }
        set_parent(vertex, parent);
    }
}
