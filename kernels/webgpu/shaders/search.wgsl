// search.wgsl: the arrays of IBFS (Dreef 2025, chapter 4), and the kernels that all schemes share. The files of a
// scheme follow this one: workgroups.wgsl, or coalesced.wgsl, or coalesced.wgsl and bottom_up.wgsl.
//
// An instance is a group of 32 searches. A vertex has a word for each instance, with a bit for each search. The BSA
// says which vertices each search has seen; the BSAK is the same array one iteration ahead. The host swaps the two
// arrays before each iteration by swapping their bindings. An iteration has these steps:
//
//   note_levels         only if levels are wanted: writes the level of each vertex found
//   identify            makes the joint frontier queue (JFQ) of the vertices that an active search has found
//   watch_destinations  writes the lengths of the pairs whose destination was found; a search without further
//                       destinations becomes inactive
//   expand              the neighbours of a vertex in the JFQ become seen by the searches that have seen the vertex
//   pull                the same bottom-up, instead of expand
//
// Even an empty dispatch costs some microseconds. So an iteration has only two: identify, which also checks the
// destinations, and expand or pull. With params.steps_apart each step is a dispatch of its own, as in the thesis.
//
// WebGPU has no barrier for all workgroups and no launch from a kernel. So identify writes the number of workgroups
// of expand to an array that the dispatch reads. `iterations` passes data to later kernels. It has four places, which
// iterations use in rotation: identify fills the place of its own iteration, reads the place before and clears the
// next one. After the last iteration identify does nothing, and expand has no workgroups, so the host submits several
// iterations at once. A line that ends with "// split" names an array that may need several bindings (split.c).

struct Params {
    num_vertices: u32,
    num_instances: u32,
    words_per_vertex: u32,   // words from a vertex's word to the next vertex's
    words_per_instance: u32, // words from an instance's word to the next instance's
    queues: u32,             // number of queues: 1, or one per instance
    longest: u32,            // after a longer queue, the next iteration is bottom-up
    expand_vertices: u32,    // vertices that a workgroup of expand takes at a time
    pull_vertices: u32,
    most_workgroups: u32,    // workgroups of a dispatch, at most
    steps_apart: u32,        // 1: watch_destinations is a kernel of its own
    pull_apart: u32,         // 1: pull is a kernel of its own
}

const MOST_QUEUES = 4u;
const MOST_INSTANCES = 32u;
const MOST_SEARCHES = 1024u;

const TURNS = 4u;

// What a batch of searches has to find.
struct Destination {
    search: u32,
    vertex: u32,
}
struct Query {
    num_sources: u32,
    num_destinations: u32,
    sources: array<u32, MOST_SEARCHES>, // num_sources entries, by search
    destinations: array<Destination>,
}

// What kernels pass to later kernels of the same and of the next iteration.
struct Iteration {
    expand_groups: array<atomic<u32>, 4>,    // number of workgroups of expand: x, y, z, unused
    pull_groups: array<atomic<u32>, 4>,      // the same for pull, if it is a kernel of its own
    queued: array<atomic<u32>, MOST_QUEUES>, // vertices in each JFQ; all 0: the search has ended
    number: atomic<u32>,
    bottom_up: atomic<u32>,                  // 1 if the iteration is bottom-up
    unused: array<u32, 2>,
}

// The same for kernels that only read it: an array that holds a dispatch's numbers may not be writable.
struct Identified {
    expand_groups: array<u32, 4>,
    pull_groups: array<u32, 4>,
    length: array<u32, MOST_QUEUES>,
    number: u32,
    bottom_up: u32,
    unused: array<u32, 2>,
}

struct State {
    mask: array<atomic<u32>, MOST_INSTANCES>, // for each instance: its active searches
    open: array<atomic<u32>, MOST_SEARCHES>,  // for each search: number of destinations not found yet
}

const UNREACHED = 0xffffffffu;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> offsets: array<u32>; // split offsets
@group(0) @binding(2) var<storage, read> targets: array<u32>; // split targets
@group(0) @binding(3) var<storage, read> bsa: array<u32>; // split bsa
@group(0) @binding(4) var<storage, read_write> bsak: array<atomic<u32>>; // split bsak
@group(0) @binding(5) var<storage, read_write> jfq: array<u32>; // split jfq
@group(0) @binding(6) var<storage, read_write> state: State;
@group(0) @binding(7) var<storage, read> query: Query;
@group(0) @binding(8) var<storage, read_write> lengths: array<u32>; // by destination; UNREACHED until found
@group(0) @binding(9) var<storage, read_write> iterations: array<Iteration, TURNS>;
@group(0) @binding(10) var<storage, read> identified: array<Identified, TURNS>; // read-only `iterations`
@group(0) @binding(11) var<uniform> turn: u32; // this iteration's place in iterations
@group(0) @binding(12) var<storage, read_write> levels: array<u32>; // split levels

fn offset_at(vertex: u32) -> u32 {
    return offsets[vertex]; // split offsets
}
fn target_at(edge: u32) -> u32 {
    return targets[edge]; // split targets
}
fn seen_at(word: u32) -> u32 {
    return bsa[word]; // split bsa
}
fn seen_before(word: u32) -> u32 {
    return atomicLoad(&bsak[word]); // split bsak
}
fn set_next(word: u32, seen: u32) {
    atomicStore(&bsak[word], seen); // split bsak
}
fn add_to_next(word: u32, seen: u32) {
    atomicOr(&bsak[word], seen); // split bsak
}
fn queue_at(place: u32) -> u32 {
    return jfq[place]; // split jfq
}
fn set_queue(place: u32, vertex: u32) {
    jfq[place] = vertex; // split jfq
}
fn set_level(place: u32, level: u32) {
    levels[place] = level; // split levels
}

fn word_of(vertex: u32, instance: u32) -> u32 {
    return vertex * params.words_per_vertex + instance * params.words_per_instance;
}

fn turn_before() -> u32 {
    return (turn + TURNS - 1u) % TURNS;
}

// "Set first BSAK" (algorithm 6), once per query: each search has seen its source. A search is active if it has
// destinations, or if the query has none at all. The place of the iteration before the first one says that there is
// work to do, and "bottom-up", because the iteration after a bottom-up one is top-down.
@compute @workgroup_size(64)
fn set_first_bsak(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    if (id.x == 0u) {
        atomicStore(&iterations[turn_before()].queued[0], 1u);
        atomicStore(&iterations[turn_before()].number, 0xffffffffu);
        atomicStore(&iterations[turn_before()].bottom_up, 1u);
        atomicStore(&iterations[turn].expand_groups[0], params.queues);
        atomicStore(&iterations[turn].expand_groups[2], 1u);
    }
    for (var source = id.x; source < query.num_sources; source += groups.x * 64u) {
        add_to_next(word_of(query.sources[source], source / 32u), 1u << (source % 32u));
        if (query.num_destinations == 0u) {
            atomicOr(&state.mask[source / 32u], 1u << (source % 32u));
        }
    }
    for (var i = id.x; i < query.num_destinations; i += groups.x * 64u) {
        let search = query.destinations[i].search;
        atomicAdd(&state.open[search], 1u);
        atomicOr(&state.mask[search / 32u], 1u << (search % 32u));
        lengths[i] = UNREACHED;
    }
}

// Checks this thread's share of the destinations; `threads` threads share them.
fn watch(thread: u32, threads: u32, iteration: u32) {
    for (var i = thread; i < query.num_destinations; i += threads) {
        let search = query.destinations[i].search;
        let bit = 1u << (search % 32u);
        let word = word_of(query.destinations[i].vertex, search / 32u);
        if (lengths[i] != UNREACHED || (seen_at(word) & bit) == 0u) {
            continue;
        }
        lengths[i] = iteration;
        if (atomicSub(&state.open[search], 1u) == 1u) {
            atomicAnd(&state.mask[search / 32u], ~bit);
        }
    }
}

// Runs after identify.
@compute @workgroup_size(64)
fn watch_destinations(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    watch(id.x, groups.x * 64u, identified[turn].number);
}

fn length_before(queue: u32) -> u32 {
    return atomicLoad(&iterations[turn_before()].queued[queue]);
}

var<workgroup> longest_before: u32; // queue

// Begins identify: finds the length of the longest queue of the iteration before (0: the search has ended), and
// prepares the places of this iteration and the next. All threads of the workgroup must call it. Bottom-up queues are
// always long, so their length does not tell when to go top-down again. So the iteration after a bottom-up one is
// top-down.
fn begin_to_identify(thread: u32, group: vec3<u32>, threads: u32, groups: vec3<u32>) -> u32 {
    if (thread == 0u) {
        longest_before = max(max(length_before(0u), length_before(1u)), max(length_before(2u), length_before(3u)));
    }
    let longest = workgroupUniformLoad(&longest_before);
    let first_thread = (group.y * groups.x + group.x) * threads + thread;
    let number = atomicLoad(&iterations[turn_before()].number) + select(1u, 0u, longest == 0u);
    if (first_thread == 0u) {
        atomicStore(&iterations[turn].number, number);
        atomicStore(&iterations[turn].bottom_up, select(0u, 1u, is_bottom_up(longest)));
        clear_next_turn();
    }
    if (longest > 0u && params.steps_apart == 0u) {
        watch(first_thread, groups.x * groups.y * threads, number);
    }
    return longest;
}

fn is_bottom_up(longest: u32) -> bool {
    return longest > params.longest && atomicLoad(&iterations[turn_before()].bottom_up) == 0u;
}

fn clear_next_turn() {
    let next = (turn + 1u) % TURNS;
    for (var i = 0u; i < 4u; i++) {
        atomicStore(&iterations[next].queued[i], 0u);
        let groups = select(select(1u, params.queues, i == 0u), 0u, i == 1u);
        atomicStore(&iterations[next].expand_groups[i], groups);
        atomicStore(&iterations[next].pull_groups[i], groups);
    }
}

// Makes expand or pull take `vertices` or more vertices of a queue.
fn hand_over(vertices: u32, bottom_up: bool) {
    let at_once = select(params.expand_vertices, params.pull_vertices, bottom_up);
    let groups = min((vertices - 1u) / at_once + 1u, params.most_workgroups);
    if (bottom_up && params.pull_apart != 0u) {
        atomicMax(&iterations[turn].pull_groups[1], groups);
    } else {
        atomicMax(&iterations[turn].expand_groups[1], groups);
    }
}

// A thread takes a vertex. The levels of a search are adjacent. A level is stored plus 1; 0 means unreached.
@compute @workgroup_size(64)
fn note_levels(@builtin(local_invocation_index) thread: u32, @builtin(workgroup_id) group: vec3<u32>,
               @builtin(num_workgroups) groups: vec3<u32>) {
    let first = (group.y * groups.x + group.x) * 64u + thread;
    let level = identified[turn_before()].number + 1u;
    for (var vertex = first; vertex < params.num_vertices; vertex += groups.x * groups.y * 64u) {
        for (var instance = 0u; instance < params.num_instances; instance++) {
            let word = word_of(vertex, instance);
            var found = (seen_at(word) ^ seen_before(word)) & atomicLoad(&state.mask[instance]);
            while (found != 0u) {
                let search = instance * 32u + countTrailingZeros(found);
                set_level(search * params.num_vertices + vertex, level + 1u);
                found &= found - 1u;
            }
        }
    }
}
