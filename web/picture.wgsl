// picture.wgsl: the picture of a graph, from the arrays of the searches. It consists of strokes, lines with round ends, one an
// instance: first the edges, then the vertices, as short as can be, then marks.

struct View {
    size: vec2u, // in pixels
    num_edges: u32,
    num_vertices: u32,
    directed: u32,
    levels: u32, // number of them
    shown: u32,  // number of those with a colour
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> offsets: array<u32>;
@group(0) @binding(2) var<storage, read> targets: array<u32>;
@group(0) @binding(3) var<storage, read> levels: array<u32>; // plus 1; 0: none
@group(0) @binding(4) var<storage, read> places: array<vec2f>; // of the vertices, in pixels
@group(0) @binding(5) var<storage, read> marks: array<vec2u>; // steps of a path, and picked vertices, each as both ends

struct Stroke {
    @builtin(position) at: vec4f, // of a corner or a pixel
    @location(0) @interpolate(flat) first: vec2f, // ends
    @location(1) @interpolate(flat) last: vec2f,
    @location(2) @interpolate(flat) radius: f32, // half the width
    @location(3) @interpolate(flat) colour: vec3f,
}

// The vertex whose edge it is: the last one whose edges begin there or before.
fn source_of(edge: u32) -> u32 {
    var source = 0u;
    for (var step = 1u << firstLeadingBit(view.num_vertices); step > 0u; step /= 2u) {
        if (source + step < view.num_vertices && offsets[source + step] <= edge) {
            source += step;
        }
    }
    return source;
}

// As in the page's legend; of a share of the way to the farthest level it is CSS's hsl(250 - 230 * share, 80%, 45%).
fn colour_of(level: u32) -> vec3f {
    let share = (f32(level) - 1) / f32(max(view.levels, 2u) - 1u);
    let hue = (vec3f(0, 8, 4) + (250 - 230 * share) / 30) % 12;
    let colour = 0.45 - 0.36 * clamp(min(hue - 3, 9 - hue), vec3f(-1), vec3f(1));
    return select(colour, vec3f(0.733), level == 0u || level > view.shown);
}

fn stroke_of(number: u32) -> Stroke {
    let radius = clamp(120 / sqrt(f32(view.num_vertices)), 1.5, 6);
    if (number < view.num_edges) {
        let ends = vec2u(source_of(number), targets[number]);
        let is_left_out = view.directed == 0u && ends.y < ends.x; // it is there from the other end, too
        return Stroke(vec4f(), places[ends.x], places[ends.y], select(0.5, -0.5, is_left_out), vec3f(0.867));
    }
    let vertex = number - view.num_edges;
    if (vertex < view.num_vertices) {
        return Stroke(vec4f(), places[vertex], places[vertex], radius, colour_of(levels[vertex]));
    }
    let mark = marks[vertex - view.num_vertices];
    return Stroke(vec4f(), places[mark.x], places[mark.y], select(1.5, radius + 3, mark.x == mark.y), vec3f());
}

// A corner of the rectangle around a stroke, half a pixel away from it.
@vertex
fn corner(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Stroke {
    var stroke = stroke_of(number);
    let along = normalize(stroke.last - stroke.first + vec2f(0.001, 0)); // a vertex has a direction, too
    let side = 2 * vec2f(vec2u(index % 2u, index / 2u)) - 1;
    let away = (stroke.radius + 0.5) * (side.x * along + side.y * vec2f(-along.y, along.x));
    let share = (select(stroke.first, stroke.last, side.x > 0) + away) / vec2f(view.size);
    stroke.at = vec4f(2 * share.x - 1, 1 - 2 * share.y, 0, 1);
    return stroke;
}

// A pixel is as opaque as the stroke covers it.
@fragment
fn shade(stroke: Stroke) -> @location(0) vec4f {
    let along = stroke.last - stroke.first;
    let offset = stroke.at.xy - stroke.first;
    let share = saturate(dot(offset, along) / max(dot(along, along), 0.001));
    return vec4f(stroke.colour, saturate(stroke.radius + 0.5 - length(offset - share * along)));
}
