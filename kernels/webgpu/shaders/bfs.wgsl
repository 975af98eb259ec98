// bfs.wgsl: breadth-first search from one source, level by level, in the direction that costs less (Beamer et al.,
// 2012). The queue has each vertex found, in the order of the levels; the frontier is its end. A level is these
// kernels, one after the other:
//
//   top_down   the neighbours of the frontier that have no level yet get one and join the queue
//   bottom_up  instead: each vertex without a level looks for a neighbour in the frontier
//   next       the new frontier, the direction of the next level, and how many workgroups its kernels take
//
// After the last level, all numbers of workgroups are 0; so the host submits several levels at once.
// A line that ends with "// split" names an array that may need several bindings (split.c).

struct Params {
    num_vertices: u32,
    source: u32,
    num_edges: u32,
    alpha: u32, // bottom-up if the frontier's edges times alpha are more than those of unvisited vertices
    beta: u32,  // top-down again if the frontier's vertices times beta are fewer than all
    most_workgroups: u32, // of a dispatch
}

struct State {
    level: u32,                  // of the vertices that this level's kernels find
    frontier: u32,               // number of vertices; 0: the search is over
    bottom_up: u32,              // whether this level is
    first: u32,                  // place of the frontier in the queue
    queued: atomic<u32>,         // vertices in the queue
    frontier_edges: atomic<u32>, // of the vertices found in this level
    edges_left: u32,             // of the vertices without a level
    unused: u32,
}

const TOP_DOWN_ARGS = 0u; // numbers of workgroups: x, y, z, and one unused
const BOTTOM_UP_ARGS = 4u;

override edge_threads: u32 = 8u; // that share the edges of a vertex, top-down
override group_vertices: u32 = 32u; // that a workgroup takes at once, top-down

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>; // split offsets
@group(0) @binding(2) var<storage, read> targets: array<u32>; // split targets
@group(0) @binding(3) var<storage, read> in_offsets: array<u32>; // split in_offsets
@group(0) @binding(4) var<storage, read> in_targets: array<u32>; // split in_targets
@group(0) @binding(5) var<storage, read_write> levels: array<atomic<u32>>; // split levels
@group(0) @binding(6) var<storage, read_write> queue: array<u32>; // split queue
@group(0) @binding(7) var<storage, read_write> state: State;
@group(0) @binding(8) var<storage, read_write> args: array<u32>;

// A level is stored plus 1; 0: none.
fn offset_at(vertex: u32) -> u32 {
    return offsets[vertex]; // split offsets
}
fn target_at(edge: u32) -> u32 {
    return targets[edge]; // split targets
}
fn in_offset_at(vertex: u32) -> u32 {
    return in_offsets[vertex]; // split in_offsets
}
fn in_target_at(edge: u32) -> u32 {
    return in_targets[edge]; // split in_targets
}
fn level_at(vertex: u32) -> u32 {
    return atomicLoad(&levels[vertex]); // split levels
}
fn set_level(vertex: u32, level: u32) {
    atomicStore(&levels[vertex], level); // split levels
}
// Whether the vertex had no level, which it has now.
fn claim(vertex: u32, level: u32) -> bool {
    return atomicMax(&levels[vertex], level) == 0u; // split levels
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

const ROOM = 256u; // for vertices that a workgroup found; further ones join the queue one by one

var<workgroup> found: array<u32, ROOM>;
var<workgroup> num_found: atomic<u32>;
var<workgroup> found_edges: atomic<u32>; // of these vertices
var<workgroup> place: u32;               // of the first one in the queue

// WebGPU promises zeros in workgroup memory, but Mesa's driver for the CPU leaves there what the last kernel wrote. All
// threads of the workgroup must call it before the first join.
fn begin_to_join(thread: u32) {
    if (thread == 0u) {
        atomicStore(&num_found, 0u);
        atomicStore(&found_edges, 0u);
    }
    workgroupBarrier();
}

fn join(vertex: u32) {
    let mine = atomicAdd(&num_found, 1u);
    if (mine < ROOM) {
        found[mine] = vertex;
    } else {
        set_queue(atomicAdd(&state.queued, 1u), vertex);
    }
    atomicAdd(&found_edges, degree_of(vertex));
}

// Hands the workgroup's vertices to the queue by one atomic. All threads of the workgroup must call it, once.
fn hand_over(thread: u32, threads: u32) {
    workgroupBarrier();
    let count = min(atomicLoad(&num_found), ROOM);
    if (thread == 0u && count > 0u) {
        place = atomicAdd(&state.queued, count);
        atomicAdd(&state.frontier_edges, atomicLoad(&found_edges));
    }
    workgroupBarrier();
    for (var i = thread; i < count; i += threads) {
        set_queue(place + i, found[i]);
    }
}

fn set_args(kernel: u32, items: u32, at_once: u32) {
    args[kernel] = select(min((items - 1u) / at_once + 1u, params.most_workgroups), 0u, items == 0u);
    args[kernel + 1u] = 1u;
    args[kernel + 2u] = 1u;
}

// One thread, before the first level.
@compute @workgroup_size(1)
fn begin() {
    set_level(params.source, 1u);
    set_queue(0u, params.source);
    atomicStore(&state.queued, 1u);
    atomicStore(&state.frontier_edges, 0u);
    state.frontier = 1u;
    state.first = 0u;
    state.level = 1u;
    state.bottom_up = 0u;
    state.edges_left = params.num_edges - degree_of(params.source);
    set_args(TOP_DOWN_ARGS, 1u, 1u);
    set_args(BOTTOM_UP_ARGS, 0u, 1u);
}

// All claims of a level are for this level, and only vertices with none are claimed. So the maximum changes a vertex
// once, and the thread that gets the 0 is the one that claims it.
@compute @workgroup_size(edge_threads, group_vertices)
fn top_down(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
            @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = local.y * edge_threads + local.x;
    let mark = state.level + 1u;
    begin_to_join(thread);
    for (var i = group.x * group_vertices + local.y; i < state.frontier; i += groups.x * group_vertices) {
        let vertex = queue_at(state.first + i);
        let end = offset_at(vertex + 1u);
        for (var edge = offset_at(vertex) + local.x; edge < end; edge += edge_threads) {
            let neighbour = target_at(edge);
            if (level_at(neighbour) == 0u && claim(neighbour, mark)) {
                join(neighbour);
            }
        }
    }
    hand_over(thread, edge_threads * group_vertices);
}

// A thread takes a vertex.
@compute @workgroup_size(128)
fn bottom_up(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) thread: u32,
             @builtin(num_workgroups) groups: vec3<u32>) {
    let mark = state.level; // of the frontier
    begin_to_join(thread);
    for (var vertex = id.x; vertex < params.num_vertices; vertex += groups.x * 128u) {
        if (level_at(vertex) != 0u) {
            continue;
        }
        let end = in_offset_at(vertex + 1u);
        for (var edge = in_offset_at(vertex); edge < end; edge++) {
            if (level_at(in_target_at(edge)) == mark) {
                set_level(vertex, mark + 1u);
                join(vertex);
                break;
            }
        }
    }
    hand_over(thread, 128u);
}

// One thread.
@compute @workgroup_size(1)
fn next() {
    if (state.frontier == 0u) {
        return;
    }
    let queued = atomicLoad(&state.queued);
    let edges = atomicExchange(&state.frontier_edges, 0u);
    state.first += state.frontier;
    state.frontier = queued - state.first;
    state.level += 1u;
    if (state.bottom_up == 0u) {
        // Divided, since a product might not fit.
        state.bottom_up = select(0u, 1u, params.alpha > 0u && edges > state.edges_left / params.alpha);
    } else if (state.frontier < params.num_vertices / params.beta) {
        state.bottom_up = 0u;
    }
    state.edges_left -= edges;
    set_args(TOP_DOWN_ARGS, select(state.frontier, 0u, state.bottom_up != 0u), group_vertices);
    set_args(BOTTOM_UP_ARGS, select(0u, params.num_vertices, state.bottom_up != 0u && state.frontier > 0u), 128u);
}
