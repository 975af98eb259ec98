// page.js: the controls, and what the searches show.
import {pause, results, run} from "./bench.js";
import {SCALE_FACTORS} from "./graph.js";
import {load} from "./load.js";
import {arrange, label, listEdges, openPicture} from "./picture.js";
import {parsePairs, placeOf} from "./read.js";
import {fits, growLevels, NoAdapter, open, pathLengths, readLevels, SCHEME_NAMES, upload} from "./search.js";

const PAUSE_MS = 120, MOST_FRAMES = 30; // of an animation
const ROOM = 2 ** 28; // bytes of a graph for each GB of memory that the browser reports

const $ = (id) => document.getElementById(id);
const canvas = $("picture");

// What the page shows of a graph. arrays: the graph's arrays on the GPU; levels: number of levels of the search, the
// first `shown` of which have colours; path: the vertices of the path; marked: its ends, or the first one;
// focus: the vertex that the keyboard has reached
const nothing = () =>
    ({graph: null, arrays: [], places: [], levels: 0, shown: 0, pairs: [], path: [], marked: [], focus: null});

// gpu: null if there is none or it was lost; chosen: the file of the graph; next: work that waits for the end of that
// under way; rows: the results of tests and benchmarks
const page =
    Object.assign(nothing(), {gpu: null, lost: "", chosen: null, pairsFile: null, next: null, rows: new Map()});

// Shows a message. Replaces control characters, which names and lines of files may contain.
function say(text, isError = false) {
    $("message").textContent = text.replace(/\p{C}/gu, "?");
    $("message").className = isError ? "error" : "";
}

const idOf = (v) => page.graph.ids?.[v] ?? v;

function vertexOf(id) {
    const {ids, count, name} = page.graph, v = ids ? placeOf(ids, id) : id;
    if (v < count && idOf(v) === id)
        return v;
    throw new Error(`no vertex of ${name} has the id ${id}`);
}

// ---- the picture ----

function draw() {
    if (page.places.length === 0)
        return;
    const steps = page.path.slice(1).flatMap((v, i) => [page.path[i], v]);
    const ends = page.marked.concat(page.focus ?? []).flatMap((v) => [v, v]);
    page.paint(page, [...steps, ...ends]);
}

function nearest(event) {
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) * canvas.width) / box.width,
          y = ((event.clientY - box.top) * canvas.height) / box.height;
    const distances = page.places.map(([px, py]) => (px - x) ** 2 + (py - y) ** 2);
    return distances.reduce((best, distance, v) => (distance < distances[best] ? v : best), 0);
}

const ARROWS = {
    ArrowLeft: [-1, 0],
    ArrowRight: [1, 0],
    ArrowUp: [0, -1],
    ArrowDown: [0, 1]
};

// Moves the focus to the next vertex in a direction.
function move([dx, dy]) {
    const [x, y] = page.places[page.focus ?? 0];
    const distances = page.places.map(([px, py]) => {
        const along = dx * (px - x) + dy * (py - y), across = Math.abs(dy * (px - x) - dx * (py - y));
        return along > 0 && along >= across ? along + 2 * across : Infinity;
    });
    page.focus = distances.reduce((best, distance, v) => (distance < distances[best] ? v : best), page.focus ?? 0);
    say(`vertex ${idOf(page.focus)}; Enter chooses it`);
    draw();
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

function settings() {
    if ($("iterations").checkValidity())
        return {scheme: $("scheme").value, iterations: Number($("iterations").value)};
    throw new Error("the iterations per read-back are a number from 1 to 99");
}

// Finds the lengths of pairs. These are then the page's pairs.
async function search(pairs, signal) {
    const onShare = (share) => {
        $("progress").value = share;
    };
    const asked = {...settings(), signal, onShare};
    const {lengths, uploadMs, searchMs} = await pathLengths(page.gpu, page.graph, pairs, asked);
    page.pairs = pairs;
    fill(
        "lengths", pairs.slice(0, 1000).map((pair, i) => [...pair.map(idOf), lengths[i] < 0 ? "no path" : lengths[i]]));
    $("times").textContent =
        `${pairs.length} pairs: graph to the GPU ${milliseconds(uploadMs)}, search ${milliseconds(searchMs)}`;
    return lengths;
}

// Shows one level after the other, until the user skips the rest.
async function animate(signal) {
    $("skip").disabled = !$("animate").checked || page.places.length === 0;
    for (page.shown = 1; page.shown < page.levels && !$("skip").disabled;
         page.shown += Math.ceil(page.levels / MOST_FRAMES)) {
        draw();
        $("times").textContent = `level ${page.shown - 1} of ${page.levels - 1}`;
        await Promise.all([pause(PAUSE_MS), page.gpu.device.queue.onSubmittedWorkDone()]);
        signal.throwIfAborted();
    }
    page.shown = page.levels;
    $("skip").disabled = true;
}

// Searches from a vertex, and shows the levels and the path to another vertex. Returns the levels.
async function showPath([from, to], signal) {
    const {levels, ms} = await growLevels(page.gpu, page.graph, page.arrays, from, signal), {textContent} = $("times");
    page.levels = levels;
    await animate(signal);
    $("times").textContent = `${textContent}; levels from ${idOf(from)} ${milliseconds(ms)}`;
    const found = await readLevels(page.gpu, page.graph, page.arrays);
    page.path = found[to] < 0 ? [] : walkBack(page.graph, found, to);
    draw();
    return found;
}

// Says the length of a pair, which is the first or the last of `pairs`, then shows the path.
async function answer(pair, pairs, signal) {
    Object.assign(page, {levels: 0, shown: 0, path: [], marked: pair});
    draw();
    const lengths = await search(pairs, signal), length = lengths[pairs.indexOf(pair)], [from, to] = pair.map(idOf);
    const said = length < 0 ? `there is no path from ${from} to ${to}` : `${length} edges from ${from} to ${to}`;
    say(said);
    if (!page.isTested && page.places.length === 0)
        return {};
    try {
        return {lengths, levels: await showPath(pair, signal), path: page.path};
    } catch (problem) {
        if (!signal.aborted || page.lost)
            throw problem;
        say(`${said}; the picture was cancelled`);
    }
}

// ---- controls ----

async function show(graph) {
    const places = arrange(graph, canvas), edges = places.length > 0 ? listEdges(graph) : new Uint32Array();
    const isNew = graph !== page.graph;
    page.arrays.forEach((buffer) => buffer.destroy());
    Object.assign(page, nothing());
    Object.assign(page, {arrays: await upload(page.gpu, graph, places, edges), graph, places});
    canvas.parentElement.hidden = places.length === 0;
    label($("labels"), places, idOf);
    fill("lengths", []);
    $("times").textContent = "";
    const stored = graph.targets.length, last = graph.count - 1, {name, count, directed} = graph;
    for (const end of isNew && count > 0 ? ["from", "to"] : []) {
        Object.assign($(end), {min: idOf(0), max: idOf(last), value: idOf(0)});
    }
    draw();
    const undrawn = count > 0 ? "The graph is too large to draw; type two vertices." : "There is nothing to search.";
    const next = places.length > 0 ? "Click two vertices for the shortest path." : undrawn;
    const size = directed ? `${stored} directed edges` : `${stored / 2} undirected edges (${stored} stored)`;
    const ids = count > 0 ? `, ids ${idOf(0)} to ${idOf(last)}` : "";
    $("about").textContent = `${name}: ${count} vertices, ${size}${ids}`;
    say(`${name}: ${count} vertices, ${size}. ${next}`);
}

// Offers only the scale factors that fit into the GPU and the computer.
function offer(gpu) {
    const room = ROOM * (navigator.deviceMemory ?? 4);
    page.scales = Object.keys(SCALE_FACTORS).filter((scale) => {
        const [vertices, edges] = SCALE_FACTORS[scale];
        return fits(gpu, vertices, 2 * edges) && 32 * edges <= room;
    });
    $("scale").replaceChildren(...page.scales.map((scale) => new Option(scale)));
    $("names").replaceChildren(...["grid:40x25", "grid:140x140", ...page.scales.map((scale) => `snb:${scale}`)].map(
        (name) => new Option(name)));
}

// Opens the GPU unless it is open. Uploads the graph again if an earlier GPU was lost.
async function ready() {
    if (page.gpu !== null)
        return;
    const gpu = await open(), {name, isSoftware} = gpu.adapter;
    page.paint = await openPicture(gpu, canvas);
    $("adapter").textContent = isSoftware ? `${name}, which is software, not a GPU` : name;
    $("restart").hidden = true;
    offer(gpu);
    Object.assign(page, {gpu, lost: ""});
    gpu.device.lost.then(({message}) => {
        const lost = `the GPU was lost (${message || "the browser does not say why"}); "start anew" opens it again`;
        Object.assign(page, {gpu: null, arrays: [], lost});
        $("restart").hidden = false;
        if (!page.isBusy)
            say(page.lost, true);
    });
    if (page.graph !== null)
        await show(page.graph);
}

// Runs work(signal), and shows the message of an error. Ends other work that is under way, and follows it.
async function attempt(work) {
    if (page.isBusy) {
        page.next = work;
        $("cancel").click();
        return;
    }
    const controller = new AbortController(), setBusy = (isBusy) => {
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
    $("skip").disabled = true;
    setBusy(false);
    const {next} = page;
    page.next = null;
    await (next && attempt(next));
}

const find = (signal) => {
    const pair = ["from", "to"].map((end) => vertexOf(Number($(end).value)));
    return answer(pair, [...page.pairs, pair], signal);
};

async function pick(vertex, signal) {
    const isSecond = page.marked.length === 1;
    $(isSecond ? "to" : "from").value = idOf(vertex);
    if (isSecond)
        return find(signal);
    Object.assign(page, {path: [], marked: [vertex]});
    return draw();
}

// Generates a graph. Refuses those of SNB that do not fit.
async function make(name, signal) {
    const [, scale] = /^snb:(\d+)$/.exec(name) ?? [];
    if (scale in SCALE_FACTORS && !page.scales.includes(scale)) {
        throw new Error(`${name} does not fit into this GPU or this computer's memory`);
    }
    say(`${name} is being made`);
    return load({name}, signal);
}

const readChosen = async (signal) => show(await load({...page.chosen, directions: $("directed").value}, signal));

// Makes the cells of a row of results.
function describe({graph, pairs, pairsFile, scheme, iterations, first, checked, wrong, wholeMs}) {
    const seconds = (ms) => `${(ms / 1000).toFixed(3)} s`, verdict = wrong === 0 ? "pass" : `${wrong} wrong`;
    const median = wholeMs?.toSorted((a, b) => a - b)[wholeMs.length >> 1];
    return [
        graph, pairsFile ? `${pairs} of ${pairsFile}` : pairs, `${scheme}, ${iterations}`,
        wrong === undefined ? "" : `${verdict} (${seconds(first.uploadMs + first.searchMs)}), ${checked} checked`,
        median === undefined ? "" : seconds(median)
    ];
}

// Runs tests, benchmarks, or both. Results of the same searches share a row.
async function bench(asked, signal) {
    const {name, text} = page.pairsFile ?? {}, pairsOf = name && ((count) => parsePairs(name, text, count));
    const all = {...settings(), pairsFile: name, pairsOf, ...asked};
    await run(page.gpu, all, (graph) => make(graph, signal), signal, (row, share) => {
        const key = [row.graph, row.pairs, row.scheme, row.iterations, row.pairsFile].join(" ");
        const rows = page.rows.set(key, {...page.rows.get(key), ...row}), found = results(page.gpu, [...rows.values()]);
        fill("results", found.rows.map(describe));
        $("download").href = `data:application/json,${encodeURIComponent(JSON.stringify(found, null, 1))}`;
        $("progress").value = share;
        say(`${row.graph}, ${row.pairs} pairs: done`);
    });
}

// ---- addresses, for scripts ----

const LIST = (one) => new RegExp(`^${one}(,${one})*$`);
const ASKED = {
    graph: /./, // such as grid:9x9
    edges: /./, // the address of a file
    directed: /^[01]$/, // as the program's --directed, or --undirected; left out, the file decides
    pairs: LIST("\\d{1,16}-\\d{1,16}"), // of ids, such as 0-5,3-2
    benchmark: LIST(`(${Object.keys(SCALE_FACTORS).join("|")})`), // scale factors
    numbers: LIST("[1-9]\\d{0,4}"), // numbers of pairs in each benchmark
    repeats: /^[1-9]\d?$/,
    scheme: new RegExp(`^(${SCHEME_NAMES.join("|")})$`),
    iterations: /^[1-9]\d?$/, // between two read-backs
    pairsfile: /./, // the address of a file with the pairs of the benchmark
    report: /^1$/, // posts the answer as JSON to the address `report` beside the page
};

// Returns the values by name. Throws an Error that names a wrong value.
function readAddress(words) {
    for (const [name, value] of words) {
        if (!ASKED[name]?.test(value)) {
            throw new Error(
                `${name}: "${value.slice(0, 60)}" is not a value of it; docs/webgpu.md lists what the address may say`);
        }
    }
    return Object.fromEntries(words);
}

// Returns the file that a value names. Throws an Error unless it is on this site, so that no data leaves the site.
async function fetchOwn(name, value, signal) {
    const url = URL.parse(value, location.href);
    if (url?.origin !== location.origin) {
        throw new Error(`${name}: "${value}" is not an address on this site`);
    }
    const file = await fetch(url, {signal});
    if (file.ok)
        return file.blob();
    throw new Error(`${name}: "${value}" cannot be read: ${file.status} ${file.statusText}`);
}

async function answerAddress({graph, edges, directed, pairs, benchmark, pairsfile, ...others}, signal) {
    ["scheme", "iterations", "repeats"].filter((name) => name in others).forEach((name) => {
        $(name).value = others[name];
    });
    $("directed").value = {0: "undirected", 1: "directed"}[directed] ?? "";
    if (benchmark !== undefined) {
        const text = pairsfile && await (await fetchOwn("pairsfile", pairsfile, signal)).text();
        page.pairsFile = pairsfile ? {name: pairsfile, text} : null;
        const numbers = others.numbers?.split(",").map(Number);
        await bench({scales: benchmark.split(","), numbers, repeats: $("repeats").value}, signal);
        return results(page.gpu, [...page.rows.values()]);
    }
    if (edges === undefined) {
        await show(await make(graph ?? "grid:40x25", signal));
    } else {
        page.chosen = {name: edges, file: await fetchOwn("edges", edges, signal)};
        await readChosen(signal);
    }
    if (pairs === undefined) {
        return {};
    }
    const all = pairs.split(",").map((words) => words.split("-").map((id) => vertexOf(Number(id))));
    return answer(all[0], all, signal);
}

async function start(signal) {
    const words = new URLSearchParams(location.search);
    let answered;
    page.isTested = words.get("report") === "1";
    $("adapter").textContent = "looking for one";
    $("animate").checked = !page.isTested && !matchMedia("(prefers-reduced-motion)").matches;
    say("");
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
onSubmit("choose", async (signal) => {
    await show(await make($("name").value.trim(), signal));
    page.chosen = null;
    $("file").value = "";
});
onSubmit("ask", find);
onSubmit(
    "bench",
    (signal, asked) => bench(
        {scales: [$("scale").value], repeats: $("repeats").value, tests: asked === "test", times: asked === "time"},
        signal));
const reread = () => page.chosen !== null && attempt(readChosen);

function choose() {
    const [file] = $("file").files;
    page.chosen = file ? {name: file.name, file} : null;
    reread();
}
$("file").addEventListener("change", choose);
$("directed").addEventListener("change", reread);
$("pairs").addEventListener("change", async () => {
    const [file] = $("pairs").files;
    page.pairsFile = file ? {name: file.name, text: await file.text()} : null;
});
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
    event.preventDefault();
    $("file").files = event.dataTransfer.files;
    choose();
});
canvas.addEventListener("click", (event) => attempt((signal) => pick(nearest(event), signal)));
canvas.addEventListener("keydown", (event) => {
    const isChoice = event.key === "Enter" && page.focus !== null;
    if (event.key in ARROWS || isChoice) {
        event.preventDefault();
        attempt((signal) => isChoice ? pick(page.focus, signal) : move(ARROWS[event.key]));
    }
});
document.addEventListener("keydown", ({key}) => key === "Escape" && $("cancel").click());
$("skip").addEventListener("click", () => {
    $("skip").disabled = true;
});
$("restart").addEventListener("click", () => attempt(() => {}));
$("scheme").append(...SCHEME_NAMES.map((name) => new Option(name)));
attempt(start);
