// worker.js: generates graphs beside the page, which stays usable meanwhile. A message is the name of a graph. The
// answer is { graph } or { message }.
import {generate} from "./graph.js";

globalThis.onmessage = ({data: name}) => {
    try {
        const graph = generate(name);
        postMessage({graph}, [graph.offsets.buffer, graph.targets.buffer]);
    } catch ({message}) {
        postMessage({message});
    }
};
