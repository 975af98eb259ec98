// page.js: the controls, and what the searches show.
import {results, run} from "./bench.js";
import {generate, MOST_BYTES, parse, pause, SCALE_FACTORS} from "./graph.js";
import {arrange, listEdges, openPicture} from "./picture.js";
import {growLevels, NoAdapter, open, pathLengths, readLevels, upload} from "./search.js";

const PAUSE_MS = 120; // after each level

const $ = (id) => document.getElementById(id);
const canvas = $("picture");

// What the page shows of a graph. arrays: the graph's arrays on the GPU; levels: number of levels of the search, the
// first `shown` of which have colours; path: the vertices of the path
const nothing = () => ({graph: null, arrays: [], places: [], levels: 0, shown: 0, pairs: [], picked: null, path: []});

// gpu: null if there is none or it was lost; rows: the results of tests and benchmarks
const page = Object.assign(nothing(), {gpu: null, lost: "", rows: new Map()});

// Shows a message. Replaces control characters, which names and lines of files may contain.
function say(text, isError = false) {
    $("message").textContent = text.replace(/\p{C}/gu, "?");
    $("message").className = isError ? "error" : "";
}

// ---- the picture ----

function draw() {
    if (page.places.length === 0)
        return;
    const steps = page.path.slice(1).flatMap((v, i) => [page.path[i], v]);
    const ends = page.pairs.flat().concat(page.picked ?? []).flatMap((v) => [v, v]);
    page.paint(page, [...steps, ...ends]);
}

function nearest(event) {
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) * canvas.width) / box.width,
          y = ((event.clientY - box.top) * canvas.height) / box.height;
    const distances = page.places.map(([px, py]) => (px - x) ** 2 + (py - y) ** 2);
    return distances.reduce((best, distance, v) => (distance < distances[best] ? v : best), 0);
}

// ---- searches ----

// Finds a shortest path to a vertex from the levels of a search: steps back from each vertex to one of the level
// below that has an edge to it.
function walkBack({offsets, targets}, levels, to) {
    const path = [to], onLevel = Map.groupBy(levels.keys(), (v) => levels[v]);
    for (let level = levels[to] - 1; level >= 0; level--) {
        path.push(onLevel.get(level).find((v) => targets.subarray(offsets[v], offsets[v + 1]).includes(path.at(-1))));
    }
    return path.reverse();
}

function fill(table, rows) {
    $(table).replaceChildren(...rows.map((texts) => {
        const row = document.createElement("tr");
        row.append(...texts.map((text) => Object.assign(document.createElement("td"), {textContent: text})));
        return row;
    }));
}

const milliseconds = (ms) => `${ms.toFixed(1)} ms`;

async function search(signal) {
    const {gpu, graph, pairs} = page, onShare = (share) => {
        $("progress").value = share;
    };
    const {lengths, uploadMs, searchMs} = await pathLengths(gpu, graph, pairs, {signal, onShare});
    fill("lengths", pairs.slice(0, 1000).map(([from, to], i) => [from, to, lengths[i] < 0 ? "no path" : lengths[i]]));
    $("times").textContent =
        `${pairs.length} pairs: graph to the GPU ${milliseconds(uploadMs)}, search ${milliseconds(searchMs)}`;
    return lengths;
}

// Searches from a vertex, then shows one level after the other if the graph is drawn.
async function grow(source, signal) {
    const isStill = page.isTested || page.places.length === 0 || matchMedia("(prefers-reduced-motion)").matches;
    Object.assign(page, {levels: 0, shown: 0, path: []});
    const times = await growLevels(page.gpu, page.graph, page.arrays, source, signal);
    let total = 0;
    page.levels = times.length;
    for (page.shown = 1; page.shown < times.length && !isStill; page.shown++) {
        total += times[page.shown - 1];
        draw();
        $("times").textContent = `level ${page.shown - 1} from vertex ${source}: searched ${milliseconds(total)}`;
        await Promise.all([pause(PAUSE_MS), page.gpu.device.queue.onSubmittedWorkDone()]);
        signal.throwIfAborted();
    }
    page.shown = times.length;
}

async function answer([from, to], signal) {
    await grow(from, signal);
    const lengths = await search(signal), levels = await readLevels(page.gpu, page.graph, page.arrays),
          found = levels[to];
    page.path = found < 0 ? [] : walkBack(page.graph, levels, to);
    draw();
    say(found < 0 ? `there is no path from ${from} to ${to}` : `${found} edges from ${from} to ${to}`);
    return {lengths, levels, path: page.path};
}

// ---- controls ----

async function show(graph) {
    const places = arrange(graph, canvas), edges = places.length > 0 ? listEdges(graph) : new Uint32Array();
    page.arrays.forEach((buffer) => buffer.destroy());
    Object.assign(page, nothing());
    Object.assign(page, {arrays: await upload(page.gpu, graph, places, edges), graph, places});
    canvas.hidden = places.length === 0;
    fill("lengths", []);
    $("times").textContent = "";
    $("from").max = $("to").max = graph.count - 1;
    draw();
    const next = places.length > 0 ? "Click two vertices for the shortest path." :
                                     "The graph is too large to draw; type two vertices.";
    const stored = graph.targets.length,
          size = graph.directed ? `${stored} edges` : `${stored / 2} undirected edges (${stored} stored)`;
    say(`${graph.name}: ${graph.count} vertices, ${size}. ${next}`);
}

// Opens the GPU unless it is open. Uploads the graph again if an earlier GPU was lost.
async function ready() {
    if (page.gpu !== null)
        return;
    const gpu = await open(), {name, isSoftware} = gpu.adapter;
    page.paint = await openPicture(gpu, canvas);
    $("adapter").textContent = isSoftware ? `${name}, which is software, not a GPU` : name;
    Object.assign(page, {gpu, lost: ""});
    gpu.device.lost.then(({message}) => {
        const lost = `the GPU was lost (${message || "the browser does not say why"}); try again`;
        Object.assign(page, {gpu: null, arrays: [], lost});
        if (!page.isBusy)
            say(page.lost, true);
    });
    if (page.graph !== null)
        await show(page.graph);
}

// Runs work(signal) unless other work is under way, and shows the message of an error.
async function attempt(work) {
    if (page.isBusy)
        return;
    const controller = new AbortController();
    const setBusy = (isBusy) => {
        page.isBusy = !($("cancel").disabled = $("progress").hidden = !isBusy);
    };
    $("cancel").onclick = () => controller.abort(new Error("cancelled"));
    $("progress").removeAttribute("value");
    setBusy(true);
    try {
        if (work !== start)
            await ready();
        await work(controller.signal);
    } catch (problem) {
        say(page.lost || problem.message, true);
    }
    setBusy(false);
}

async function find(signal) {
    const pair = [Number($("from").value), Number($("to").value)];
    page.picked = null;
    page.pairs.push(pair);
    await answer(pair, signal);
}

async function pick(event, signal) {
    const vertex = nearest(event);
    $(page.picked === null ? "from" : "to").value = vertex;
    if (page.picked !== null)
        return find(signal);
    page.picked = vertex;
    return draw();
}

async function readFile(name, blob, directed, signal) {
    if (blob.size > MOST_BYTES) {
        throw new Error(`${name} has ${blob.size} bytes, but this page takes ${MOST_BYTES} at most`);
    }
    await show(await parse(name, await blob.text(), directed, signal));
}

// Makes the cells of a row of results.
function describe({graph, pairs, checked, wrong, wholeMs}) {
    const verdict = wrong === 0 ? "pass" : `${wrong} wrong`;
    const median = wholeMs?.toSorted((a, b) => a - b)[wholeMs.length >> 1];
    return [
        graph, pairs, wrong === undefined ? "" : `${verdict} (${checked} checked)`,
        median === undefined ? "" : milliseconds(median)
    ];
}

// Runs tests, benchmarks, or both. Results of the same graph and number of pairs share a row.
async function bench(asked, signal) {
    say("the graph is being made");
    await pause();
    await run(page.gpu, asked, signal, (row, share) => {
        const key = `${row.graph} ${row.pairs}`, rows = page.rows.set(key, {...page.rows.get(key), ...row});
        const all = results(page.gpu, [...rows.values()]);
        fill("results", all.rows.map(describe));
        $("download").href = `data:application/json,${encodeURIComponent(JSON.stringify(all, null, 1))}`;
        $("progress").value = share;
        say(`${row.graph}, ${row.pairs} pairs: done`);
    });
}

// ---- addresses, for scripts ----

const LIST = (one) => new RegExp(`^${one}(,${one})*$`);
const ASKED = {
    graph: /./, // such as grid:9x9
    edges: /./, // the address of a file
    directed: /^[01]$/,
    pairs: LIST("\\d{1,8}-\\d{1,8}"), // such as 0-5,3-2
    benchmark: LIST(`(${Object.keys(SCALE_FACTORS).join("|")})`), // scale factors
    numbers: LIST("[1-9]\\d{0,4}"), // numbers of pairs in each benchmark
    repeats: /^[1-9]\d?$/,
    report: /^1$/, // posts the answer as JSON to the address `report` beside the page
};

// Returns the values by name. Throws an Error that names a wrong value.
function readAddress(words) {
    for (const [name, value] of words) {
        if (!ASKED[name]?.test(value)) {
            throw new Error(`${name}: "${
                value.slice(0, 60)}" is not a value of it; docs/webgpu.md lists what the address may say`);
        }
    }
    return Object.fromEntries(words);
}

// Returns the URL that a value names. Throws an Error unless it is on this site, so that no data leaves the site.
function own(name, value) {
    const url = URL.parse(value, location.href);
    if (url?.origin === location.origin)
        return url;
    throw new Error(`${name}: "${value}" is not an address on this site`);
}

async function answerAddress({graph, edges, directed, pairs, benchmark, numbers, repeats}, signal) {
    if (benchmark !== undefined) {
        const asked = {scales: benchmark.split(","), numbers: numbers?.split(",").map(Number), repeats};
        await bench(asked, signal);
        return results(page.gpu, [...page.rows.values()]);
    }
    if (edges !== undefined) {
        const file = await fetch(own("edges", edges), {signal});
        if (!file.ok) {
            throw new Error(`edges: "${edges}" cannot be read: ${file.status} ${file.statusText}`);
        }
        await readFile(edges, await file.blob(), directed === "1", signal);
    } else {
        await show(await generate(graph ?? "grid:40x25", signal));
    }
    if (pairs === undefined) {
        return {};
    }
    page.pairs = pairs.split(",").map((words) => words.split("-").map(Number));
    const wrong = page.pairs.find((pair) => Math.max(...pair) >= page.graph.count);
    if (wrong !== undefined) {
        throw new Error(`pairs: "${wrong.join("-")}" is not a pair of vertices below ${page.graph.count}`);
    }
    return answer(page.pairs[0], signal);
}

async function start(signal) {
    const words = new URLSearchParams(location.search);
    let answered;
    page.isTested = words.get("report") === "1";
    try {
        await ready();
        answered = await answerAddress(readAddress(words), signal);
    } catch (problem) {
        if (page.gpu === null)
            $("adapter").textContent = "none";
        answered = {problem: page.lost || problem.message, lacksAdapter: problem instanceof NoAdapter};
        throw problem;
    } finally {
        const body = JSON.stringify({adapter: page.gpu?.adapter, ...answered});
        await (page.isTested && fetch("report", {method: "POST", body}));
    }
}

const onSubmit = (form, work) => $(form).addEventListener("submit", (event) => {
    event.preventDefault();
    if (form === "choose" || page.graph !== null)
        attempt((signal) => work(signal, event.submitter.value));
});
canvas.addEventListener("click", (event) => page.places.length > 0 && attempt((signal) => pick(event, signal)));
onSubmit("choose", async (signal) => show(await generate($("name").value.trim(), signal)));
onSubmit("ask", find);
onSubmit(
    "bench",
    (signal, asked) => bench(
        {scales: [$("scale").value], repeats: $("repeats").value, tests: asked === "test", times: asked === "time"},
        signal));
const readChosen = (signal, [file]) => readFile(file.name, file, $("directed").checked, signal);
$("file").addEventListener("change", () => attempt((signal) => readChosen(signal, $("file").files)));
$("scale").append(...Object.keys(SCALE_FACTORS).map((scale) => new Option(scale)));
attempt(start);
