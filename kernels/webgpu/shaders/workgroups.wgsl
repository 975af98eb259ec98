// workgroups.wgsl: the scheme "workgroups" (section 4.3.2). It follows search.wgsl in its module.
//
// There are 1, 2 or 4 instances, each with its own JFQ. The words of an instance are adjacent, in the order of the
// vertices. The x coordinate of a workgroup is its instance. To identify, a thread takes a vertex. To expand,
// edge_threads threads take a vertex (the y of the thesis' workgroups); here they are neighbours, so that they read
// neighbouring edges.

override width: u32 = 128u;      // threads per workgroup of identify
override edge_threads: u32 = 8u; // threads that share the edges of a vertex

override expand_vertices: u32 = 32u; // vertices that a workgroup of expand takes at a time

var<workgroup> joined: atomic<u32>; // number of the workgroup's vertices that join the queue
var<workgroup> place: u32;          // index of the first of them in the queue

// Algorithm 7.
@compute @workgroup_size(width)
fn identify(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
            @builtin(num_workgroups) groups: vec3<u32>) {
    let instance = group.x;
    let longest = begin_to_identify(local.x, group, width, groups);
    let mask = atomicLoad(&state.mask[instance]);
    let vertices = select(params.num_vertices, 0u, longest == 0u);
    var handed = 0u; // vertices up to the last one that this workgroup has added
    for (var first = group.y * width; first < vertices; first += groups.y * width) {
        if (local.x == 0u) {
            atomicStore(&joined, 0u);
        }
        workgroupBarrier();
        let vertex = first + local.x;
        var found = 0u;
        if (vertex < params.num_vertices) {
            let word = word_of(vertex, instance);
            let seen = seen_at(word);
            found = seen ^ seen_before(word);
            if (found != 0u) {
                set_next(word, seen);
            }
        }
        let joins = (found & mask) != 0u;
        var mine = 0u;
        var counts = u32(joins); // vertices that this thread counts: its own, or all of its subgroup
        //+subgroups let votes = dot(countOneBits(subgroupBallot(joins)), vec4<u32>(1u));
        //+subgroups counts = select(0u, votes, subgroupBroadcastFirst(local.x) == local.x);
        if (counts != 0u) {
            mine = atomicAdd(&joined, counts);
        }
        //+subgroups mine = subgroupBroadcastFirst(mine) + subgroupExclusiveAdd(u32(joins));
        workgroupBarrier();
        if (local.x == 0u && atomicLoad(&joined) != 0u) {
            place = atomicAdd(&iterations[turn].queued[instance], atomicLoad(&joined));
            handed = place + atomicLoad(&joined);
        }
        workgroupBarrier();
        if (joins) {
            set_queue(instance * params.num_vertices + place + mine, vertex);
        }
        workgroupBarrier();
    }
    if (handed > 0u) {
        hand_over(handed, false);
    }
}

// Algorithm 8.
@compute @workgroup_size(edge_threads, expand_vertices)
fn expand(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
          @builtin(num_workgroups) groups: vec3<u32>) {
    let instance = group.x;
    let mask = atomicLoad(&state.mask[instance]);
    let queue = instance * params.num_vertices;
    let length = identified[turn].length[instance];
    for (var i = group.y * expand_vertices + local.y; i < length; i += groups.y * expand_vertices) {
        let vertex = queue_at(queue + i);
        let seen = seen_at(word_of(vertex, instance)) & mask;
        let end = offset_at(vertex + 1u);
        for (var edge = offset_at(vertex) + local.x; edge < end; edge += edge_threads) {
            add_to_next(word_of(target_at(edge), instance), seen);
        }
    }
}
