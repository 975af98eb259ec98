// page.js: the controls, the picture of the graph, and what the searches draw on it.
import { NUMBERS, pause, REPEATS, results, run } from "./bench.js";
import { generate, MOST_BYTES, parse, randomNumbers, SCALE_FACTORS } from "./graph.js";
import { growLevels, NoAdapter, open, pathLengths } from "./search.js";

const UNREACHED = 0xffffffff;
const MOST_DRAWN = 20000; // vertices
const PAUSE_MS = 120; // after each level

const $ = (id) => document.getElementById(id);
const canvas = $("picture"), brush = canvas.getContext("2d");

const page = { gpu: null, graph: null, places: [], levels: null, pairs: [], picked: null, paths: [], rows: new Map() };

// Without control characters, which names and lines of files may have.
function say(text, isError = false) {
    $("message").textContent = text.replace(/\p{C}/gu, "?");
    $("message").className = isError ? "error" : "";
}

// ---- the picture ----

// Stretches the places until they fill the unit square.
function stretch(places) {
    const ranges = [0, 1].map((axis) => {
        const along = places.map((place) => place[axis]), least = along.reduce((a, b) => Math.min(a, b));
        return [least, along.reduce((a, b) => Math.max(a, b)) - least || 1];
    });
    return places.map((place) => place.map((at, axis) => (at - ranges[axis][0]) / ranges[axis][1]));
}

// Places in the unit square. Grids keep their shape; in other graphs each vertex moves towards its neighbours from a
// place on a spiral.
function arrange(graph) {
    if (graph.width > 0) {
        const height = graph.count / graph.width;
        return Array.from({ length: graph.count }, (_, v) => [
            ((v % graph.width) + 0.5) / graph.width, (Math.floor(v / graph.width) + 0.5) / height]);
    }
    const random = randomNumbers(3), golden = Math.PI * (3 - Math.sqrt(5));
    let places = Array.from({ length: graph.count }, (_, v) => {
        const distance = 0.48 * Math.sqrt((v + 0.5) / graph.count), angle = v * golden + 0.01 * random();
        return [0.5 + distance * Math.cos(angle), 0.5 + distance * Math.sin(angle)];
    });
    for (let round = 0; round < 3; round++) {
        places = places.map(([x, y], v) => {
            const from = graph.offsets[v], to = Math.min(graph.offsets[v + 1], from + 8);
            let [sumX, sumY] = [2 * x, 2 * y];
            for (let e = from; e < to; e++) {
                sumX += places[graph.targets[e]][0];
                sumY += places[graph.targets[e]][1];
            }
            return [sumX / (2 + to - from), sumY / (2 + to - from)];
        });
    }
    return stretch(places);
}

const toPixels = ([x, y]) => [20 + x * (canvas.width - 40), 20 + y * (canvas.height - 40)];

function line(v, w) {
    brush.moveTo(...toPixels(page.places[v]));
    brush.lineTo(...toPixels(page.places[w]));
}

function dot(v, radius, colour) {
    brush.fillStyle = colour;
    brush.beginPath();
    brush.arc(...toPixels(page.places[v]), radius, 0, 2 * Math.PI);
    brush.fill();
}

function drawEdges(graph) {
    brush.strokeStyle = "#ddd";
    brush.lineWidth = 1;
    brush.beginPath();
    for (let v = 0; v < graph.count; v++) {
        for (let e = graph.offsets[v]; e < graph.offsets[v + 1]; e++) {
            if (graph.directed || graph.targets[e] > v) {
                line(v, graph.targets[e]);
            }
        }
    }
    brush.stroke();
}

function draw() {
    const { graph, levels, shown } = page;
    brush.clearRect(0, 0, canvas.width, canvas.height);
    if (page.places.length === 0) {
        brush.fillStyle = "#666";
        brush.fillText(`${graph.count} vertices are too many to draw`, 20, 30);
        return;
    }
    drawEdges(graph);
    const radius = Math.max(1.5, Math.min(6, 120 / Math.sqrt(graph.count)));
    const highest = levels === null ? 1 : levels.reduce((a, b) => (b === UNREACHED ? a : Math.max(a, b)), 1);
    for (let v = 0; v < graph.count; v++) {
        const level = levels === null ? UNREACHED : levels[v];
        dot(v, radius, level > shown ? "#bbb" : `hsl(${250 - 230 * (level / highest)} 80% 45%)`);
    }
    brush.strokeStyle = "#000";
    brush.lineWidth = 3;
    for (const path of page.paths) {
        brush.beginPath();
        path.slice(1).forEach((v, i) => line(path[i], v));
        brush.stroke();
    }
    page.pairs.flat().concat(page.picked ?? []).forEach((v) => dot(v, radius + 3, "#000"));
}

function nearest(event) {
    const box = canvas.getBoundingClientRect();
    const x = ((event.clientX - box.left) * canvas.width) / box.width;
    const y = ((event.clientY - box.top) * canvas.height) / box.height;
    let best = 0, least = Infinity;
    page.places.forEach((place, v) => {
        const [px, py] = toPixels(place), distance = (px - x) ** 2 + (py - y) ** 2;
        if (distance < least) {
            [best, least] = [v, distance];
        }
    });
    return best;
}

// ---- searches ----

// A shortest path to a vertex, from the levels of the search from its source: before each vertex one of the level below with
// an edge to it.
function walkBack({ offsets, targets }, levels, to) {
    const path = [to];
    for (let level = levels[to] - 1; level >= 0; level--) {
        path.unshift(levels.findIndex(
            (of, v) => of === level && targets.subarray(offsets[v], offsets[v + 1]).includes(path[0])));
    }
    return path;
}

function fill(table, rows) {
    $(table).replaceChildren(...rows.map((texts) => {
        const row = document.createElement("tr");
        row.append(...texts.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
        return row;
    }));
}

const milliseconds = (ms) => `${ms.toFixed(1)} ms`;

async function search(signal) {
    const { graph, pairs } = page, onShare = (done) => { $("progress").value = done; };
    const { lengths, uploadMs, searchMs } = await pathLengths(page.gpu, graph, pairs, { signal, onShare });
    fill("lengths", pairs.slice(0, 1000).map(([from, to], i) => [from, to, lengths[i] < 0 ? "no path" : lengths[i]]));
    $("times").textContent = `${pairs.length} pairs: graph to the GPU ${milliseconds(uploadMs)}, search ${milliseconds(searchMs)}`;
    return lengths;
}

// Searches from a vertex, then shows one level after the other if they are drawn.
async function grow(source, signal) {
    page.paths = [];
    const { levels, times } = await growLevels(page.gpu, page.graph, source, signal);
    const isStill = page.isTested || page.places.length === 0 || matchMedia("(prefers-reduced-motion)").matches;
    let total = 0;
    page.levels = levels;
    for (const [level, ms] of times.entries()) {
        page.shown = level;
        total += ms;
        if (!isStill) {
            draw();
            $("times").textContent = `level ${level} from vertex ${source}: ${milliseconds(ms)}, ${milliseconds(total)} in all`;
            await pause(PAUSE_MS);
            signal.throwIfAborted();
        }
    }
    return levels;
}

async function answer([from, to], signal) {
    const levels = await grow(from, signal), lengths = await search(signal);
    const found = levels[to] === UNREACHED ? -1 : levels[to];
    page.paths = found < 0 ? [] : [walkBack(page.graph, levels, to)];
    draw();
    say(found < 0 ? `there is no path from ${from} to ${to}` : `${found} edges from ${from} to ${to}`);
    return { levels, lengths };
}

// ---- controls ----

function show(graph) {
    const places = graph.count > MOST_DRAWN ? [] : arrange(graph);
    Object.assign(page, { graph, places, levels: null, shown: 0, pairs: [], picked: null, paths: [] });
    fill("lengths", []);
    $("times").textContent = "";
    $("from").max = $("to").max = graph.count - 1;
    draw();
    const next = places.length > 0 ? "Click two vertices for the shortest path." : "They are too many to draw; type two of them.";
    say(`${graph.name}: ${graph.count} vertices, ${graph.targets.length} edges. ${next}`);
}

// Runs work(signal) unless other work is under way, and tells what goes wrong; returns that.
async function attempt(work) {
    if (page.isBusy) {
        return undefined;
    }
    const controller = new AbortController();
    page.isBusy = true;
    $("cancel").onclick = () => controller.abort(new Error("cancelled"));
    $("cancel").disabled = $("progress").hidden = false;
    $("progress").removeAttribute("value");
    try {
        await work(controller.signal);
        return undefined;
    } catch (problem) {
        say(problem.message, true);
        return problem;
    } finally {
        page.isBusy = false;
        $("cancel").disabled = $("progress").hidden = true;
    }
}

async function find(pair, signal) {
    page.picked = null;
    page.pairs.push(pair);
    await answer(pair, signal);
}

async function pick(event, signal) {
    const vertex = nearest(event), from = page.picked;
    $(from === null ? "from" : "to").value = vertex;
    if (from === null) {
        page.picked = vertex;
        draw();
    } else {
        await find([from, vertex], signal);
    }
}

async function read(name, blob, directed) {
    if (blob.size > MOST_BYTES) {
        throw new Error(`${name} has ${blob.size} bytes, and this page takes ${MOST_BYTES} at most`);
    }
    show(parse(name, await blob.text(), directed));
}

// Tests or measures; the rows of tests and benchmarks of the same pairs are one.
async function bench(asked, signal) {
    say("the graph is being made");
    await pause();
    await run(page.gpu, asked, signal, (row, done) => {
        const key = `${row.graph} ${row.pairs}`;
        page.rows.set(key, { ...page.rows.get(key), ...row });
        fill("results", [...page.rows.values()].map(({ graph, pairs, testMs, checked, wrong, wholeMs }) => [graph, pairs,
            testMs === undefined ? "" : `${wrong === 0 ? "pass" : `${wrong} wrong`} (${checked} checked, ${milliseconds(testMs)})`,
            wholeMs === undefined ? "" : milliseconds(wholeMs.toSorted((a, b) => a - b)[wholeMs.length >> 1])]));
        $("progress").value = done;
        $("download").disabled = false;
        say(`${row.graph}, ${row.pairs} pairs: done`);
    });
}

function download() {
    const link = document.createElement("a"), text = JSON.stringify(results(page.gpu, [...page.rows.values()]), null, 1);
    link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    link.download = "gtrav-browser.json";
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href));
}

// ---- addresses, for scripts ----

const LIST = (one) => new RegExp(`^${one}(,${one})*$`);
const ASKED = {
    graph: /./, edges: /./, directed: /^[01]$/, // graph=grid:9x9, or edges=FILE and directed=1
    pairs: LIST("\\d{1,8}-\\d{1,8}"), // 0-5,3-2
    benchmark: LIST(`(${Object.keys(SCALE_FACTORS).join("|")})`), // scale factors
    numbers: LIST("[1-9]\\d{0,4}"), repeats: /^[1-9]\d?$/, // of pairs, and of a benchmark
    report: /./, // the address that gets the answer as JSON
};

// The values by name. Throws an Error that names what is wrong.
function readAddress(words) {
    for (const [name, value] of words) {
        if (!ASKED[name]?.test(value)) {
            throw new Error(`${name}: "${value.slice(0, 60)}" is wrong here; docs/webgpu.md has what the address may say`);
        }
    }
    return Object.fromEntries(words);
}

// The address that a value names, if it is of this site: nothing leaves it.
function own(name, value) {
    const url = URL.parse(value, location.href);
    if (url?.origin !== location.origin) {
        throw new Error(`${name}: "${value}" is no address of this site`);
    }
    return url;
}

async function answerAddress({ graph, edges, directed, pairs, benchmark, numbers, repeats }, signal) {
    if (benchmark !== undefined) {
        await bench({ scales: benchmark.split(","), numbers: numbers?.split(",").map(Number) ?? NUMBERS,
            repeats: Number(repeats ?? REPEATS), tests: true, times: true }, signal);
        return results(page.gpu, [...page.rows.values()]);
    }
    if (edges !== undefined) {
        const file = await fetch(own("edges", edges));
        if (!file.ok) {
            throw new Error(`edges: "${edges}" cannot be read: ${file.status} ${file.statusText}`);
        }
        await read(edges, await file.blob(), directed === "1");
    } else {
        show(generate(graph ?? "grid:40x25"));
    }
    if (pairs === undefined) {
        return {};
    }
    page.pairs = pairs.split(",").map((words) => words.split("-").map(Number));
    const wrong = page.pairs.find((pair) => Math.max(...pair) >= page.graph.count);
    if (wrong !== undefined) {
        throw new Error(`pairs: "${wrong.join("-")}" is not a pair of vertices below ${page.graph.count}`);
    }
    const { levels, lengths } = await answer(page.pairs[0], signal);
    return { lengths, levels: Array.from(levels, (level) => (level === UNREACHED ? -1 : level)), path: page.paths[0] };
}

async function start() {
    const words = new URLSearchParams(location.search);
    let answered, reported = null;
    const problem = await attempt(async (signal) => {
        reported = words.has("report") ? own("report", words.get("report")) : null;
        page.isTested = reported !== null;
        page.gpu = await open();
        const { name, isSoftware } = page.gpu.adapter;
        $("adapter").textContent = isSoftware ? `${name}, which is software and no GPU` : name;
        page.gpu.device.lost.then((lost) => say(`the GPU was lost: ${lost.message}; load the page again`, true));
        answered = await answerAddress(readAddress(words), signal);
    });
    if (reported !== null) {
        const failed = problem && { problem: problem.message, lacksAdapter: problem instanceof NoAdapter };
        await fetch(reported, { method: "POST", body: JSON.stringify({ ...answered, ...failed, adapter: page.gpu?.adapter }) });
    }
}

const onSubmit = (form, work) => $(form).addEventListener("submit", (event) => {
    event.preventDefault();
    attempt((signal) => work(signal, event.submitter));
});
const needGpu = () => {
    if (page.gpu === null || page.graph === null) throw new Error("there is no GPU or no graph yet");
};

canvas.addEventListener("click", (event) => page.places.length > 0 && page.gpu !== null && attempt((signal) => pick(event, signal)));
onSubmit("choose", async () => show(generate($("name").value.trim())));
onSubmit("ask", async (signal) => {
    needGpu();
    await find([Number($("from").value), Number($("to").value)], signal);
});
onSubmit("bench", async (signal, { value }) => {
    needGpu();
    await bench({ scales: [$("scale").value], numbers: NUMBERS, repeats: Number($("repeats").value),
        tests: value === "test", times: value === "time" }, signal);
});
$("file").addEventListener("change", () => attempt(async () => {
    const [file] = $("file").files;
    await read(file.name, file, $("directed").checked);
}));
$("download").addEventListener("click", download);
$("scale").append(...Object.keys(SCALE_FACTORS).map((scale) => new Option(scale)));
start();
