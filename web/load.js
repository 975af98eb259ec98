// load.js: asks a worker for a graph.

const MOST_BYTES = 1 << 28; // of a file

// Returns the graph that `asked` describes (worker.js). Throws an Error if there is none. signal: an
// AbortController's signal, which ends the worker.
export async function load(asked, signal) {
    if (asked.file?.size > MOST_BYTES) {
        throw new Error(`${asked.name} has ${asked.file.size} bytes, but this page takes ${MOST_BYTES} at most`);
    }
    const worker = new Worker("worker.js", {type: "module"});
    try {
        return await new Promise((resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            worker.onerror = () => reject(new Error(`${asked.name}: the browser ended the work, or cannot begin it`));
            worker.onmessage = ({data: {graph, message}}) => graph ? resolve(graph) : reject(new Error(message));
            worker.postMessage(asked);
        });
    } finally {
        worker.terminate();
    }
}
