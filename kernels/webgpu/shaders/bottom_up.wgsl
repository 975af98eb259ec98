// bottom_up.wgsl: "coalesced access bottom up", direction switching (section 4.3.3.1). It follows search.wgsl and
// coalesced.wgsl, whose identify it uses.

fn neighbour_at(edge: u32, lane: u32) -> u32 {
    return seen_at(word_of(target_at(edge), lane));
}

// Algorithm 11: a row takes a vertex of the JFQ, which has each vertex once, so only this row writes the vertex's
// words. offsets and targets are those of the in-edges. A thread stops as soon as all its searches have seen the
// vertex; it reads four neighbours at once, so that it waits for memory less often.
fn pull_queue(lane: u32, row: u32, group: u32, groups: u32) {
    let mask = atomicLoad(&state.mask[lane]);
    let length = identified[turn].length[0];
    for (var i = group * rows + row; i < length; i += groups * rows) {
        let vertex = queue_at(i);
        let word = word_of(vertex, lane);
        let before = seen_at(word);
        var seen = before;
        let end = offset_at(vertex + 1u);
        for (var edge = offset_at(vertex); edge < end && (mask & ~seen) != 0u; edge += 4u) {
            let last = end - 1u;
            seen |= neighbour_at(edge, lane) | neighbour_at(min(edge + 1u, last), lane)
                | neighbour_at(min(edge + 2u, last), lane) | neighbour_at(min(edge + 3u, last), lane);
        }
        if (seen != before) {
            set_next(word, seen);
        }
    }
}

@compute @workgroup_size(32, rows)
fn pull(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
        @builtin(num_workgroups) groups: vec3<u32>) {
    if (identified[turn].bottom_up != 0u) {
        pull_queue(local.x, local.y, group.y, groups.y);
    }
}

// In one dispatch, where edges are the same in both directions.
@compute @workgroup_size(32, rows)
fn expand_or_pull(@builtin(local_invocation_id) local: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
                  @builtin(num_workgroups) groups: vec3<u32>) {
    if (identified[turn].bottom_up != 0u) {
        pull_queue(local.x, local.y, group.y, groups.y);
    } else {
        expand_queue(local.x, local.y, group.y, groups.y);
    }
}
