// picture.js: the picture of a graph, which the GPU draws (picture.wgsl) from the arrays of the searches.
import {array, bind, shader, submit} from "./search.js";

const MOST_VERTICES = 200_000, MOST_EDGES = 1_000_000; // larger graphs are not drawn
const MOST_NUMBERED = 100; // vertices of a picture with numbers
const MARGIN = 20; // pixels

// Returns the vertices' places in pixels; none for a graph that is too large. Grids keep their shape. Vertices of
// other graphs lie on a spiral, where neighbours on one turn are as close as neighbouring turns.
export function arrange({count, width, targets}, canvas) {
    const isDrawn = count <= MOST_VERTICES && targets.length <= MOST_EDGES;
    const place = (x, y) => [MARGIN + x * (canvas.width - 2 * MARGIN), MARGIN + y * (canvas.height - 2 * MARGIN)];
    return Array.from({length: isDrawn ? count : 0}, (_, v) => {
        if (width > 0)
            return place(((v % width) + 0.5) / width, (Math.floor(v / width) + 0.5) / (count / width));
        const distance = 0.5 * Math.sqrt(v / count), angle = 2 * Math.sqrt(Math.PI * v);
        return place(0.5 + distance * Math.cos(angle), 0.5 + distance * Math.sin(angle));
    });
}

// Lists the two ends of each edge, one edge after the other; an undirected edge once.
export function listEdges({count, offsets, targets, directed}) {
    const ends = [];
    for (let v = 0; v < count; v++) {
        targets.subarray(offsets[v], offsets[v + 1]).forEach((to) => {
            if (directed || to > v)
                ends.push(v, to);
        });
    }
    return new Uint32Array(ends);
}

// Writes the vertices' numbers into an SVG that lies on a small picture.
export function label(svg, places, idOf) {
    svg.replaceChildren(...(places.length > MOST_NUMBERED ? [] : places).map(([x, y], v) => {
        const text = document.createElementNS(svg.namespaceURI, "text");
        Object.entries({x: x + 8, y: y - 8}).forEach(([name, value]) => text.setAttribute(name, value));
        return Object.assign(text, {textContent: idOf(v)});
    }));
}

// Returns a function that draws a graph and colours the levels that are shown. marks: the two vertices of each black
// line; a dot has the same vertex twice.
export async function openPicture(gpu, canvas) {
    const context = canvas.getContext("webgpu"), format = navigator.gpu.getPreferredCanvasFormat();
    context.configure({device: gpu.device, format});
    const module = gpu.device.createShaderModule({code: await shader("picture.wgsl")});
    const color = {srcFactor: "src-alpha", dstFactor: "one-minus-src-alpha"},
          targets = [{format, blend: {color, alpha: {}}}];
    const kinds = [["end_edge", "line-list"], ["turn_stroke", "triangle-strip"], ["turn_arrow", "triangle-list"]];
    const [lines, strokes, arrows] = await Promise.all(kinds.map(
        ([entryPoint, topology]) => gpu.device.createRenderPipelineAsync(
            {layout: "auto", primitive: {topology}, vertex: {module, entryPoint}, fragment: {module, targets}})));
    return ({graph: {count, directed}, arrays: [, , stored, places, edges], levels, shown}, marks) => {
        const words = new Uint32Array([canvas.width, canvas.height, count, levels, shown, 0, 0, 0]);
        const own = [array(gpu, words, GPUBufferUsage.UNIFORM), array(gpu, new Uint32Array(marks))];
        submit(gpu, (commands) => {
            const view = context.getCurrentTexture().createView();
            const pass = commands.beginRenderPass(
                {colorAttachments: [{view, clearValue: [1, 1, 1, 1], loadOp: "clear", storeOp: "store"}]});
            const groupOf = (pipeline, uses) =>
                bind(gpu, pipeline, uses, [own[0], stored, places, own[1], edges]).group;
            pass.setPipeline(lines);
            pass.setBindGroup(0, groupOf(lines, [0, 2]));
            pass.setIndexBuffer(edges, "uint32");
            pass.drawIndexed(edges.size / 4);
            if (directed) {
                pass.setPipeline(arrows);
                pass.setBindGroup(0, groupOf(arrows, [0, 2, 4]));
                pass.draw(3 * (edges.size / 8));
            }
            pass.setPipeline(strokes);
            pass.setBindGroup(0, groupOf(strokes, [0, 1, 2, 3]));
            pass.draw(4, count + marks.length / 2);
            pass.end();
        });
        own.forEach((buffer) => buffer.destroy());
    };
}
