// worker.js: generates graphs and reads files beside the page, which stays usable meanwhile. A message { name, file,
// directions } asks for a graph; without a file the name is a generator's. The answer is { graph } or { message }.
import {generate} from "./graph.js";
import {parse} from "./read.js";

globalThis.onmessage = async ({data: {name, file, directions}}) => {
    try {
        const graph = file === undefined ? generate(name) : parse(name, await file.text(), directions);
        postMessage({graph}, [graph.offsets.buffer, graph.targets.buffer]);
    } catch ({message}) {
        postMessage({message});
    }
};
