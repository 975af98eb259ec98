// load.js: asks a worker for a graph.

// Returns the graph of this name. Throws an Error if there is none. signal: an AbortController's signal, which ends the
// worker.
export async function load(name, signal) {
    const worker = new Worker("worker.js", {type: "module"});
    try {
        return await new Promise((resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            worker.onerror = () => reject(new Error(`${name}: the browser ended the work, or cannot begin it`));
            worker.onmessage = ({data: {graph, message}}) => graph ? resolve(graph) : reject(new Error(message));
            worker.postMessage(name);
        });
    } finally {
        worker.terminate();
    }
}
