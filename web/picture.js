// picture.js: the picture of a graph, which the GPU draws (picture.wgsl) from the arrays of the searches.
import { array, bind, shader } from "./search.js";

const MOST_VERTICES = 200_000, MOST_EDGES = 1_000_000; // of a graph that is drawn
const MARGIN = 20; // pixels

// The vertices' places in pixels; none if they are too many. Grids keep their shape; of other graphs the vertices lie on a
// spiral, as close to the next ones as to the next turn.
export function arrange({ count, width, targets }, canvas) {
    const isDrawn = count <= MOST_VERTICES && targets.length <= MOST_EDGES;
    const place = (x, y) => [MARGIN + x * (canvas.width - 2 * MARGIN), MARGIN + y * (canvas.height - 2 * MARGIN)];
    return Array.from({ length: isDrawn ? count : 0 }, (_, v) => {
        if (width > 0) return place(((v % width) + 0.5) / width, (Math.floor(v / width) + 0.5) / (count / width));
        const distance = 0.5 * Math.sqrt(v / count), angle = 2 * Math.sqrt(Math.PI * v);
        return place(0.5 + distance * Math.cos(angle), 0.5 + distance * Math.sin(angle));
    });
}

// Gives a function that draws a graph of whose levels some are shown. marks: two vertices of each black line or dot, in a row.
export async function openPicture(gpu, canvas) {
    const context = canvas.getContext("webgpu"), format = navigator.gpu.getPreferredCanvasFormat();
    context.configure({ device: gpu.device, format });
    const module = gpu.device.createShaderModule({ code: await shader("picture.wgsl") });
    const color = { srcFactor: "src-alpha", dstFactor: "one-minus-src-alpha" };
    const pipeline = await gpu.device.createRenderPipelineAsync({ layout: "auto", vertex: { module },
        fragment: { module, targets: [{ format, blend: { color, alpha: {} } }] }, primitive: { topology: "triangle-strip" } });
    return ({ graph: { count, directed, targets }, arrays, levels, shown }, marks) => {
        const { width, height } = canvas, words = [width, height, targets.length, count, directed, levels, shown, 0];
        const own = [array(gpu, new Uint32Array(words), GPUBufferUsage.UNIFORM), array(gpu, new Uint32Array(marks))];
        const { group } = bind(gpu, pipeline, [0, 1, 2, 3, 4, 5], [own[0], ...arrays, own[1]]);
        const commands = gpu.device.createCommandEncoder(), view = context.getCurrentTexture().createView();
        const pass = commands.beginRenderPass(
            { colorAttachments: [{ view, clearValue: [1, 1, 1, 1], loadOp: "clear", storeOp: "store" }] });
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, group);
        pass.draw(4, targets.length + count + marks.length / 2);
        pass.end();
        gpu.device.queue.submit([commands.finish()]);
        own.forEach((buffer) => buffer.destroy());
    };
}
