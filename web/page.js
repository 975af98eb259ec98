// page.js: the controls, the picture of the graph, and what the searches draw on it.
import { fromEdges, generate, MOST_BYTES, parse, randomNumbers } from "./graph.js";
import { growLevels, NoAdapter, open, pathLengths } from "./search.js";

const UNREACHED = 0xffffffff;
const MOST_DRAWN = 20000; // vertices
const PAUSE_MS = 120; // after each level

const $ = (id) => document.getElementById(id);
const canvas = $("picture"), brush = canvas.getContext("2d");

const page = { gpu: null, graph: null, places: [], levels: null, pairs: [], picked: null, paths: [] };

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
    const { graph, levels } = page;
    brush.clearRect(0, 0, canvas.width, canvas.height);
    if (page.places.length === 0) {
        brush.fillStyle = "#666";
        brush.fillText(`${graph.count} vertices are too many to draw`, 20, 30);
        return;
    }
    drawEdges(graph);
    const radius = Math.max(1.5, Math.min(6, 120 / Math.sqrt(graph.count)));
    const reached = levels === null ? [] : levels.filter((level) => level !== UNREACHED);
    const highest = reached.length === 0 ? 1 : Math.max(1, reached.reduce((a, b) => Math.max(a, b), 0));
    for (let v = 0; v < graph.count; v++) {
        const level = levels === null ? UNREACHED : levels[v];
        dot(v, radius, level === UNREACHED ? "#bbb" : `hsl(${250 - 230 * (level / highest)} 80% 45%)`);
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

// A shortest path to a vertex, from the levels of the search from its source.
function walkBack(graph, levels, to) {
    const path = [to];
    const into = graph.directed ? fromEdges("", graph.pairs.map(([a, b]) => [b, a]), true) : graph;
    for (let v = to; levels[v] > 0; path.unshift(v)) {
        for (let e = into.offsets[v]; ; e++) {
            if (levels[into.targets[e]] === levels[v] - 1) {
                v = into.targets[e];
                break;
            }
        }
    }
    return path;
}

function tabulate(lengths) {
    $("lengths").replaceChildren(...page.pairs.slice(0, 1000).map(([from, to], i) => {
        const row = document.createElement("tr");
        row.append(...[from, to, lengths[i] < 0 ? "no path" : lengths[i]].map((text) => {
            const cell = document.createElement("td");
            cell.textContent = text;
            return cell;
        }));
        return row;
    }));
}

async function search() {
    const { lengths, uploadMs, searchMs } = await pathLengths(page.gpu, page.graph, page.pairs);
    tabulate(lengths);
    $("times").textContent = `${page.pairs.length} pairs: graph to the GPU ${uploadMs.toFixed(1)} ms, search `
        + `${searchMs.toFixed(1)} ms`;
    return lengths;
}

async function grow(source) {
    page.paths = [];
    let total = 0;
    page.levels = await growLevels(page.gpu, page.graph, source, async (levels, level, ms) => {
        page.levels = levels;
        total += ms;
        draw();
        $("times").textContent = `level ${level} from vertex ${source}: ${ms.toFixed(1)} ms, ${total.toFixed(1)} ms in all`;
        await new Promise((resolve) => setTimeout(resolve, page.isTested ? 0 : PAUSE_MS));
    });
    return page.levels;
}

async function answer([from, to]) {
    const levels = await grow(from), lengths = await search();
    const found = levels[to] === UNREACHED ? -1 : levels[to];
    page.paths = found < 0 ? [] : [walkBack(page.graph, levels, to)];
    draw();
    say(found < 0 ? `there is no path from ${from} to ${to}` : `${found} edges from ${from} to ${to}`);
    return { levels, lengths };
}

// ---- controls ----

function show(graph) {
    const places = graph.count > MOST_DRAWN ? [] : arrange(graph);
    Object.assign(page, { graph, places, levels: null, pairs: [], picked: null, paths: [] });
    tabulate([]);
    $("times").textContent = "";
    draw();
    const next = places.length > 0 ? "Click two vertices for the shortest path." : "They are too many to draw and to click.";
    say(`${graph.name}: ${graph.count} vertices, ${graph.targets.length} edges. ${next}`);
}

// Runs work unless other work is under way, and tells what goes wrong.
async function attempt(work) {
    if (page.isBusy) {
        return;
    }
    page.isBusy = true;
    try {
        await work();
    } catch (problem) {
        say(problem.message, true);
    }
    page.isBusy = false;
}

async function pick(event) {
    const vertex = nearest(event);
    if (page.picked === null) {
        page.picked = vertex;
        draw();
        return;
    }
    const pair = [page.picked, vertex];
    page.picked = null;
    page.pairs.push(pair);
    await answer(pair);
}

// The pairs of vertices in "0-5,3-2".
function readPairs(text, count) {
    return text.split(",").map((words) => {
        const pair = /^\d+-\d+$/.test(words) ? words.split("-").map(Number) : [];
        if (pair.length === 0 || Math.max(...pair) >= count) {
            throw new Error(`pairs: "${words}" is not a pair of vertices below ${count}`);
        }
        return pair;
    });
}

// For scripts: ?graph=grid:9x9 or ?edges=FILE (&directed=1), &pairs=0-5,3-2, &report=ADDRESS, which gets the answer as JSON.
async function answerAddress(asked) {
    page.isTested = asked.has("report");
    const graph = asked.has("edges")
        ? parse(asked.get("edges"), await (await fetch(asked.get("edges"))).text(), asked.get("directed") === "1")
        : generate(asked.get("graph") ?? "grid:40x25");
    show(graph);
    if (!asked.has("pairs")) {
        return {};
    }
    page.pairs = readPairs(asked.get("pairs"), graph.count);
    const { levels, lengths } = await answer(page.pairs[0]);
    return { lengths, levels: Array.from(levels, (level) => (level === UNREACHED ? -1 : level)), path: page.paths[0] };
}

async function report(address, result) {
    if (address !== null) {
        await fetch(address, { method: "POST", body: JSON.stringify(result) });
    }
}

async function start() {
    const asked = new URLSearchParams(location.search);
    page.isBusy = true;
    try {
        page.gpu = await open();
        $("adapter").textContent = page.gpu.name;
        page.gpu.device.lost.then((lost) => say(`the GPU was lost: ${lost.message}; load the page again`, true));
        await report(asked.get("report"), await answerAddress(asked));
    } catch (problem) {
        say(problem.message, true);
        await report(asked.get("report"), { problem: problem.message, lacksAdapter: problem instanceof NoAdapter });
    } finally {
        page.isBusy = false;
    }
}

canvas.addEventListener("click", (event) => page.places.length > 0 && page.gpu !== null && attempt(() => pick(event)));
$("generate").addEventListener("click", () => attempt(async () => show(generate($("name").value.trim()))));
$("file").addEventListener("change", () => attempt(async () => {
    const [file] = $("file").files;
    if (file.size > MOST_BYTES) {
        throw new Error(`${file.name} has ${file.size} bytes, and this page takes ${MOST_BYTES} at most`);
    }
    show(parse(file.name, await file.text(), $("directed").checked));
}));
start();
