// picture.wgsl: draws a graph: thin lines for the edges, with arrows if they are directed, then one stroke, a line with
// round ends, per instance. A vertex is a stroke of length 0; a mark is a longer stroke. The levels come from the
// array of the last search.

struct View {
    size: vec2u, // in pixels
    num_vertices: u32,
    levels: u32, // number of levels
    shown: u32,  // number of levels with a colour
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<storage, read> levels: array<u32>; // level + 1 of each vertex; 0: not reached
@group(0) @binding(2) var<storage, read> places: array<vec2f>; // places of the vertices, in pixels
@group(0) @binding(3) var<storage, read> marks: array<vec2u>; // both ends of each step of a path; a picked vertex twice
@group(0) @binding(4) var<storage, read> edges: array<vec2u>; // both ends of each edge

struct Stroke {
    @builtin(position) at: vec4f, // place of a corner or a pixel
    @location(0) @interpolate(flat) first: vec2f, // ends
    @location(1) @interpolate(flat) last: vec2f,
    @location(2) @interpolate(flat) radius: f32, // half the width
    @location(3) @interpolate(flat) colour: vec3f,
}

fn position_of(place: vec2f) -> vec4f {
    return vec4f(vec2f(2, -2) * (place / vec2f(view.size) - 0.5), 0, 1);
}

// An end of an edge's line. With this radius the stroke covers every pixel of the line.
@vertex
fn end_edge(@builtin(vertex_index) vertex: u32) -> Stroke {
    return Stroke(position_of(places[vertex]), vec2f(), vec2f(), 1e9, vec3f(0.867));
}

fn radius_of_vertices() -> f32 {
    return clamp(120 / sqrt(f32(view.num_vertices)), 1.5, 6);
}

// A corner of the triangle at the end of a directed edge, beside the vertex.
@vertex
fn turn_arrow(@builtin(vertex_index) index: u32) -> Stroke {
    let edge = edges[index / 3u];
    let along = normalize(places[edge.y] - places[edge.x] + vec2f(0.001, 0));
    let size = radius_of_vertices();
    let side = f32(i32(index % 3u) - 1); // -1, 0 (the tip), 1
    let back = size * (1 + 2 * abs(side));
    return Stroke(position_of(places[edge.y] - back * along + side * size * vec2f(-along.y, along.x)),
                  vec2f(), vec2f(), 1e9, vec3f(0.6));
}

// The colour as in the page's legend: CSS's hsl(250 - 230 * share, 80%, 45%), where share = level / farthest level.
fn colour_of(level: u32) -> vec3f {
    let share = (f32(level) - 1) / f32(max(view.levels, 2u) - 1u);
    let hue = (vec3f(0, 8, 4) + (250 - 230 * share) / 30) % 12;
    let colour = 0.45 - 0.36 * clamp(min(hue - 3, 9 - hue), vec3f(-1), vec3f(1));
    return select(colour, vec3f(0.733), level == 0u || level > view.shown);
}

fn stroke_of(number: u32) -> Stroke {
    let radius = radius_of_vertices();
    if (number < view.num_vertices) {
        return Stroke(vec4f(), places[number], places[number], radius, colour_of(levels[number]));
    }
    let mark = marks[number - view.num_vertices];
    return Stroke(vec4f(), places[mark.x], places[mark.y], select(1.5, radius + 3, mark.x == mark.y), vec3f());
}

// A corner of the rectangle around a stroke, half a pixel away from it.
@vertex
fn turn_stroke(@builtin(vertex_index) index: u32, @builtin(instance_index) number: u32) -> Stroke {
    var stroke = stroke_of(number);
    let along = normalize(stroke.last - stroke.first + vec2f(0.001, 0)); // also defined for a stroke of length 0
    let side = 2 * vec2f(vec2u(index % 2u, index / 2u)) - 1;
    let away = (stroke.radius + 0.5) * (side.x * along + side.y * vec2f(-along.y, along.x));
    stroke.at = position_of(select(stroke.first, stroke.last, side.x > 0) + away);
    return stroke;
}

// The opacity of a pixel is the share of it that the stroke covers.
@fragment
fn shade_stroke(stroke: Stroke) -> @location(0) vec4f {
    let along = stroke.last - stroke.first;
    let offset = stroke.at.xy - stroke.first;
    let share = saturate(dot(offset, along) / max(dot(along, along), 0.001));
    return vec4f(stroke.colour, saturate(stroke.radius + 0.5 - length(offset - share * along)));
}
