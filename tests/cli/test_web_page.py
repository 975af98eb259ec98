"""web/: the page in a headless Chromium, which has WebGPU in software; its answers are gtrav's."""

import ast
import base64
import cmath
import colorsys
import io
import json
import random
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import unquote

from evaluation.campaigns import browser

import pytest
from matplotlib import image

from helpers import ROOT, gtrav_ok, info, ok, refused, script, write_mtx
from test_edge_lists import COUNTS, DOUBTFUL, PROSE, TABLES, put, read

pytestmark = pytest.mark.skipif(browser.find_browser() is None, reason="no Chromium here (Debian's package chromium)")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder as a local file server has it: the page, the shaders, and edge lists beside them."""
    folder = tmp_path_factory.mktemp("site")
    (folder / "kernels" / "webgpu").mkdir(parents=True)
    shutil.copytree(ROOT / "web", folder / "web")
    shutil.copytree(ROOT / "kernels" / "webgpu" / "shaders", folder / "kernels" / "webgpu" / "shaders")
    return folder


def ask_page(site, page="index.html", by=None, **asked):
    """What the page answers, in Chromium or another browser."""
    answer = browser.ask(site, f"web/{page}", asked, by or browser.chromium(), seconds=180)
    if answer.get("lacksAdapter"):
        pytest.skip(answer["problem"])
    return answer


def lengths_of(graph, pairs, tmp_path, *more):
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\n" + "".join(f"{a},{b}\n" for a, b in pairs))
    table = gtrav_ok("msbfs", graph, "--pairs", path, "--variant", "then", "--quiet", *more).out
    return [int(row.split(",")[2]) for row in table.splitlines()[1:]]


def as_words(pairs):
    return ",".join(f"{a}-{b}" for a, b in pairs)


@pytest.mark.parametrize(("graph", "count", "far"), [("grid:30x30", 900, 899), ("snb:1", 10620, 5)])
def test_lengths_on_generated_graphs(site, tmp_path, graph, count, far):
    """Of grids, and of SNB's graphs, which are the program's."""
    random.seed(5)
    pairs = [(0, far), (17, 17), *((random.randrange(count), random.randrange(count)) for _ in range(60))]
    answer = ask_page(site, graph=graph, pairs=as_words(pairs))
    assert "problem" not in answer, answer
    assert answer["lengths"] == lengths_of(graph, pairs, tmp_path)
    assert answer["levels"] == lengths_of(graph, [(0, v) for v in range(count)], tmp_path)
    assert len(answer["path"]) == answer["lengths"][0] + 1


@pytest.mark.parametrize(("directed", "scheme"), [(0, "bottomup"), (0, "workgroup"), (1, "coalesced")])
def test_lengths_on_a_file(site, tmp_path, directed, scheme):
    """A sparse random graph: several components, and searches from more vertices than a batch has."""
    random.seed(6)
    n = 3000
    edges = sorted({(random.randrange(n), random.randrange(n)) for _ in range(4000)} | {(n - 1, 0)})
    mtx = write_mtx(site / "web" / "edges.mtx", n, edges)
    pairs = [edges[0], *((random.randrange(n), random.randrange(n)) for _ in range(2000))]
    assert len({source for source, _ in pairs}) > 1024
    asked = {"scheme": scheme, "iterations": 3 if directed else 8}
    answer = ask_page(site, edges="edges.mtx", directed=directed, pairs=as_words(pairs), **asked)
    assert "problem" not in answer, answer
    expected = lengths_of(mtx, pairs, tmp_path, *[] if directed else ["--undirected"])
    assert -1 in expected and max(expected) > 5
    assert answer["lengths"] == expected
    known, path = set(edges) | (set() if directed else {(b, a) for a, b in edges}), answer["path"]
    assert (path[0], path[-1], len(path) - 1) == (*pairs[0], expected[0])
    assert all(step in known for step in zip(path, path[1:]))


# ---- files ----

READERS = """<!doctype html><script type="module">
import { parse } from "./read.js";
const found = [];
for (const [name, text, times, directions] of await (await fetch("files.json")).json()) {
    try {
        const { offsets, targets, count, ids, directed } = parse(name, text.repeat(times), directions), edges = [];
        targets.forEach((to, e) => edges.push([offsets.findLastIndex((first) => first <= e), to]));
        found.push({ count, edges, directed, ids: Array.from({ length: count }, (_, v) => ids?.[v] ?? v) });
    } catch ({ message }) {
        found.push({ message });
    }
}
await fetch("report", { method: "POST", body: JSON.stringify({ found }) });
</script>"""
STRING = r'"(?:[^"\\]|\\.)*"'
MATRIX = "%%MatrixMarket matrix coordinate "
READ = """pattern.mtx integer.mtx real.mtx complex.mtx symmetric.mtx skew.mtx hermitian.mtx snap.txt weighted.el
comma.csv nameless a a.el a.snap comma semicolon tab blank blanks_around_commas BOM_and_header
CRLF,_no_newline_at_the_end FromNodeId columns_over_names empty_tab_columns text_of_numbers negative persons
directed counts of_a_matrix with_commas an_edge_more an_id_too_large no yes of_names of_all_names from_1
from_1,_with_weights from_1,_of_a_matrix dense a_loop another_loop a_header_of_numbers two_columns_of_0_and_1
weights_of_0_and_1 a_comment_on_bipeds KONECT,_one_set role_src_dst role_source_target role_from_to"""
WRONG = ", line {}: expected two vertex numbers, not "
AN_EDGE_OR_COUNTS = (
    ", line 1: the first row may be an edge or counts, as 3 edges follow; number the vertices from 0, or remove the "
    "row if it holds counts"
)
# the file's name, its text, how often that is there, what the page says after the name
HOSTILE = [
    ("an edge or counts", "4 3\n1 2\n2 3\n3 4\n", 1, AN_EDGE_OR_COUNTS),
    ("empty", "", 1, " has no edges"),
    ("comments", "# 1 2\n% 1 2\n", 1, " has no edges"),
    ("nul", "0 1\n2\0003\n", 1, " is text with a NUL"),
    ("of 54 bits", "0 9007199254740992\n", 1, WRONG.format(1) + '"0 9007199254740992"'),
    ("sparse", "0 9999999\n", 1, ": ids up to 9999999, but only 2 distinct; number them from 0"),
    ("UTF-16", "\ufffd\ufffd0\0 \0001\0\n\0", 1, " is text in UTF-16; save it as UTF-8"),
    ("matrix", "%%MatrixMarket\n3 3 1\n1 2\n", 1, f', line 1: expected {MATRIX}FIELD SYMMETRY, not "%%MatrixMarket"'),
    ("line", "7", 100_000, WRONG.format(1) + f'"{60 * "7"}"'),
    ("header", "#", 1_000_000, " has no edges"),
    ("rows", "0 1\n", 5_000_001, " has more than 5000000 rows, the most that this page takes"),
    ("columns", "1 ", 1 << 20, f', line 1: expected 4 columns at most, not "{"1 " * 30}"'),
    (
        "a.mtx",
        MATRIX + "real symmetric\n% 1 2\n3 3 3\n2 1 5\n2 2 5\n",
        1,
        " has 2 entries; its size line announces 3",
    ),
    # a minute or more where reading takes time that grows with the square of the length
    (
        "blanks.mtx",
        MATRIX + 500_000 * " " + "x\n",
        1,
        f', line 1: expected {MATRIX}FIELD SYMMETRY, not "{MATRIX:60}"',
    ),
    ("blank_lines", 500_000 * " \n" + "# 1 2", 1, " has no edges"),
    (
        "digits.mtx",
        MATRIX + f"real general\n2 2 1\n1 2 {500_000 * '1'}x",
        1,
        f', line 3: expected a row and a column from 1 to 2 and 1 values, not "1 2 {56 * "1"}"',
    ),
]


def texts_of_unit_test(name):
    """(file, text) of each row of the tables of a test of the program's readers."""
    source = (ROOT / "tests" / "unit" / name).read_text().replace("BANNER ", f'"{MATRIX}" ')
    for file, strings in re.findall(rf'{{"([a-z-]+(?:\.\w+)?)",\s*((?:{STRING}\s*)+),', source):
        yield file, "".join(ast.literal_eval("b" + one).decode("latin1") for one in re.findall(STRING, strings))


def files_of_the_programs_tests():
    """{what: (name, text)} of files that tests of the program's readers use."""
    files = {name: (name, text) for name, text in texts_of_unit_test("test_readers.c")}
    files |= {what.replace(" ", "_"): (name, text) for what, (name, text, *_) in TABLES.items()}
    files |= {what.replace(" ", "_"): ("c.txt", text) for what, (text, *_) in (COUNTS | DOUBTFUL | PROSE).items()}
    roles = re.search(r"edge_roles\[\] = {(.*?)NULL}", (ROOT / "src" / "graph" / "table_layout.c").read_text(), re.S)
    pairs = re.findall(r'"(\w+) (\w+)"', roles[1])
    files |= {f"role_{a}_{b}": ("r.csv", f"x,{a},{b},y\nx,1,0,y\nx,1,2,y\n") for a, b in pairs}
    assert len(files) > 130
    return files | {str(number): file for number, file in enumerate(texts_of_unit_test("test_bad_files.c"))}


def test_files_of_the_programs_readers(site, tmp_path):
    """A file that the page reads has the same graph as in the program, whatever its directions. The page refuses
    other files in a line."""
    files = files_of_the_programs_tests()
    asked = [(what, directions) for what in files for directions in ("", "directed", "undirected")]
    texts = [*((*files[what], 1, directions) for what, directions in asked), *((*file[:3], "") for file in HOSTILE)]
    (site / "web" / "files.json").write_text(json.dumps(texts))
    (site / "web" / "readers.html").write_text(READERS)
    answers = ask_page(site, "readers.html")["found"]
    assert answers[len(asked) :] == [{"message": name + reported} for name, _, _, reported in HOSTILE]
    found = dict(zip(asked, answers))
    assert [what for what in files if "edges" in found[what, ""]] == READ.split()
    for (what, directions), graph in found.items():
        name, text = files[what]
        if "edges" not in graph:
            assert re.fullmatch(rf"{re.escape(name)}[,:]? .+", graph["message"])
            continue
        path, option = put(tmp_path, text, name), [f"--{directions}"] if directions else []
        ids, edges, _ = read(path, tmp_path, *option)
        assert list(map(str, graph["ids"])) == ids, what
        assert {(ids[a], ids[b]) for a, b in graph["edges"]} == edges, what
        assert graph["directed"] == (not info(path, *option)["symmetric"]), what


# ---- the page in use ----

# Opens the page in a frame, and uses it. Keeps pictures, counts pauses, and measures the largest read-back in bytes.
USED = """<!doctype html><meta charset="utf-8"><iframe width="360"></iframe><script type="module">
const frame = document.querySelector("iframe"), said = [], answers = [], pictures = [];
const $ = (id) => frame.contentDocument.getElementById(id);
async function until(isDone) {
    while (!isDone()) {
        await new Promise((resolve) => setTimeout(resolve, 20));
    }
}
async function hear(before = "") {
    const message = $("message");
    const isOld = (text) => ["", before].includes(text) || /^This page|is being made$/.test(text);
    await until(() => !isOld(message.textContent));
    const { textContent } = message;
    message.textContent = "";
    return textContent;
}
async function open(address) {
    frame.src = address;
    await new Promise((resolve) => { frame.onload = resolve; });
    return hear();
}
for (const words of await (await fetch("addresses.json")).json()) {
    answers.push(await open(`index.html?${words}`));
}
await open("index.html?graph=grid:6x4");
const { contentWindow: view, contentDocument: page } = frame;
Object.defineProperty(view.navigator, "deviceMemory", { value: 1 });
const { GPUBuffer: { prototype }, GPUDevice, setTimeout: wait } = view, { mapAsync } = prototype;
const { createCommandEncoder } = GPUDevice.prototype;
let pauses, largest, device;
view.setTimeout = (work, ms) => (pauses += ms > 0, wait.call(view, work, ms));
prototype.mapAsync = function (...given) {
    largest = Math.max(largest, this.size);
    return mapAsync.apply(this, given);
};
GPUDevice.prototype.createCommandEncoder = function () {
    device = this;
    return createCommandEncoder.call(this);
};
function find(from, to) {
    [$("from").value, $("to").value, pauses, largest] = [from, to, 0, 0];
    page.querySelector("#ask button").click();
}
const look = () => pictures.push($("picture").toDataURL());
function begin(name, ...texts) {
    const given = new DataTransfer();
    given.items.add(new File(texts, name));
    $("file").files = given.files;
    $("file").dispatchEvent(new Event("change"));
}
async function give(name, ...texts) {
    begin(name, ...texts);
    said.push(await hear());
}
const isNamed = [...page.querySelectorAll("input, select")].every((one) => one.labels.length > 0);
const isNarrow = page.documentElement.scrollWidth <= 360;
const press = (key) => $("picture").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const isDone = () => $("cancel").disabled;
const level = (number) => until(() => $("times").textContent.startsWith(`level ${number} `));
find(0, 23);
said.push(await hear());
await level(3);
press("Escape");
said.push(await hear(), isDone(), largest);
find(0, 5);
await until(isDone);
said.push(await hear(), pauses > 5, largest);
find(0, 23);
await level(0);
$("skip").click();
await until(isDone);
said.push(await hear(), pauses < 5);
$("animate").checked = false;
find(0, 4);
await until(isDone);
said.push(await hear(), pauses, $("lengths").rows.length);
$("animate").checked = true;
for (const key of ["ArrowRight", "ArrowDown"]) {
    press(key);
    said.push(await hear());
}
press("Enter");
await until(() => $("from").value === "7");
find(0, 23);
await level(0);
begin("islands", "0 1\\n1 2\\n2 3\\n0 4\\n5 6");
await until(() => $("about").textContent.startsWith("islands"));
await until(isDone);
const directedIslands = await hear();
said.push(directedIslands, $("about").textContent);
look();
$("directed").value = "undirected";
$("directed").dispatchEvent(new Event("change"));
const islands = await hear();
said.push(islands, [...$("labels").children].map((text) => text.textContent).join(""));
look();
find(0, 3);
await level(1);
look();
await until(isDone);
said.push(await hear());
look();
device.destroy();
said.push(await hear());
$("restart").click();
said.push(await hear());
find(0, 4);
await until(isDone);
said.push(await hear());
find(0, 3);
await hear();
await level(1);
device.destroy();
said.push(await hear(), $("restart").hidden);
find(5, 6);
await until(isDone);
said.push(await hear(islands), $("restart").hidden);
begin("blank", "\\n".repeat(1 << 25));
await new Promise((resolve) => setTimeout(resolve, 100));
$("cancel").click();
said.push(await hear());
const dropped = new DataTransfer();
dropped.items.add(new File(["7 8"], "<img src=x onerror=injected=1>"));
$("picture").dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
said.push(await hear());
for (const { prototype } of [File, view.File]) {
    Object.defineProperty(prototype, "size", { get: () => 2 ** 28 + 1, configurable: true });
}
await give("large", "0 1");
for (const { prototype } of [File, view.File]) {
    delete prototype.size;
}
await give("none.mtx", "%%MatrixMarket matrix coordinate pattern general\\n0 0 0");
for (const name of ["snb:100", "snb:3"]) {
    $("name").value = name;
    page.querySelector("#generate").click();
    said.push(await hear());
}
said.push($("picture").parentElement.hidden, $("file").files.length);
find(0, 9);
said.push((await hear()).replace(/^\\d+/, ""), pauses, largest);
const scales = [...$("scale").options].map((option) => option.value);
const isInjected = view.injected !== undefined || page.querySelector("img") !== null;
await open("index.html?benchmark=1&numbers=1,10&repeats=1");
await until(() => $("results").rows.length === 2);
const results = [$("download").href, $("adapter").textContent];
const body = JSON.stringify({ answers, isNamed, isNarrow, isInjected, said, pictures, results, scales });
await fetch("report", { method: "POST", body });
</script>"""
ELSEWHERE = "http://localhost:1/x"
UNKNOWN = {"pairs": "0-1,2", "directed": "yes", "benchmark": "1,2", "repeats": "0", "x": "1", "report": "/any/path"}
# what an address says -> what the page says
ADDRESSES = {
    f"edges={ELSEWHERE}": f'edges: "{ELSEWHERE}" is not an address on this site',
    "edges=missing.txt": 'edges: "missing.txt" cannot be read: 404 File not found',
    "graph=grid:3x3&pairs=0-8,8-9": "no vertex of grid:3x3 has the id 9",
    "graph=snb:2": 'no graph "snb:2"; there are grid:WIDTHxHEIGHT with up to 500000 vertices, and snb:SCALE '
    "with SCALE 1, 3, 10, 30, 100, 300",
    **{
        f"{name}={value}": f'{name}: "{value}" is not a value of it; docs/webgpu.md lists what the address may say'
        for name, value in UNKNOWN.items()
    },
}
CLICK = "Click two vertices for the shortest path."
LOST = 'the GPU was lost (Device was destroyed.); "start anew" opens it again'


def check_pictures(*pictures):
    """Of a graph with the edges 0-1, 1-2, 2-3, 0-4 and 5-6: directed; undirected before the search from 0 to 3, with
    its first two levels, and after it. Vertices, the arrow of 1-2, and the middles of the edges 1-2 and 5-6, have the
    colours of the legend."""
    grey, black, line, arrow = (187,) * 3, (0,) * 3, (221,) * 3, (153,) * 3
    near = tuple(255 * part for part in colorsys.hls_to_rgb((250 - 230 / 3) / 360, 0.45, 0.8))  # level 1 of 3
    spiral = [(v / 7) ** 0.5 * cmath.exp(2j * (cmath.pi * v) ** 0.5) for v in range(7)]
    at = [complex(550 + 530 * place.real, 320 + 300 * place.imag) for place in spiral]
    at += [at[2] + 14 * (at[1] - at[2]) / abs(at[1] - at[2]), (at[1] + at[2]) / 2, (at[5] + at[6]) / 2]
    expected = (
        [*(grey,) * 7, arrow, line, line],
        [*(grey,) * 7, line, line, line],
        [black, near, grey, black, near, grey, grey, line, line, line],
        [*(black,) * 4, near, grey, grey, black, black, line],
    )
    for picture, colours in zip(pictures, expected, strict=True):
        pixels = image.imread(io.BytesIO(base64.b64decode(picture.partition(",")[2])))
        for place, colour in zip(at, colours):
            shown = 255 * pixels[int(place.imag), int(place.real), :3]
            assert shown == pytest.approx(colour, abs=1), place
        assert pixels[5, 5].tolist() == [1, 1, 1, 1]


@pytest.mark.slow
def test_the_page_in_use(site):
    """Addresses are checked. The answer comes before the levels, whose animation can be cancelled, skipped and
    switched off; levels are not read to draw them; the keyboard chooses a vertex; a file replaces a search and is
    read again with other directions; a lost GPU is told of and opened again; reading a file can be cancelled; nothing
    in a name is run; the results are a file."""
    (site / "web" / "addresses.json").write_text(json.dumps(list(ADDRESSES)))
    (site / "web" / "used.html").write_text(USED)
    answer = ask_page(site, "used.html")
    assert answer["answers"] == list(ADDRESSES.values())
    assert answer["isNamed"] and answer["isNarrow"] and not answer["isInjected"]
    islands = f"islands: 7 vertices, 5 undirected edges (10 stored). {CLICK}"
    assert answer["said"] == [
        *("8 edges from 0 to 23", "8 edges from 0 to 23; the picture was cancelled", True, 32),
        *("5 edges from 0 to 5", True, 4 * 24, "8 edges from 0 to 23", True, "4 edges from 0 to 4", 0, 4),
        *("vertex 1; Enter chooses it", "vertex 7; Enter chooses it"),
        f"islands: 7 vertices, 5 directed edges. {CLICK}",
        "islands: 7 vertices, 5 directed edges, ids 0 to 6",
        *(islands, "0123456", "3 edges from 0 to 3", LOST, islands, "1 edges from 0 to 4", LOST, False),
        *("1 edges from 5 to 6", True, "cancelled"),
        f"<img src=x onerror=injected=1>: 9 vertices, 1 undirected edges (2 stored). {CLICK}",
        "large has 268435457 bytes, but this page takes 268435456 at most",
        "none.mtx: 0 vertices, 0 undirected edges (0 stored). There is nothing to search.",
        "snb:100 does not fit into this GPU or this computer's memory",
        *(
            "snb:3: 25870 vertices, 668431 undirected edges (1336862 stored). "
            "The graph is too large to draw; type two vertices.",
            *(True, 0),
        ),
        *(" edges from 0 to 9", 0, 8),
    ]
    assert answer["scales"] == ["1", "3", "10", "30"]
    check_pictures(*answer["pictures"])
    file, adapter = answer["results"]
    results = json.loads(unquote(file.removeprefix("data:application/json,")))
    assert [(row["graph"], row["pairs"], row["wrong"]) for row in results["rows"]] == [
        ("snb:1", 1, 0),
        ("snb:1", 10, 0),
    ]
    assert results["adapter"]["isSoftware"] and adapter.endswith(", which is software, not a GPU")


# ---- other browsers ----

NO_WEBGPU = "this browser has no WebGPU; Chrome, Edge, Safari 26 and Firefox 141 or newer have it (on Linux, "


def firefox(*settings):
    """The command of a Firefox with these settings switched on."""

    def command(home):
        lines = [f'user_pref("{setting}", true);\n' for setting in settings]
        Path(home, "user.js").write_text("".join(lines))
        return [
            shutil.which("firefox-esr") or shutil.which("firefox"),
            "--headless",
            "--no-remote",
            "--profile",
            home,
        ]

    return command


@pytest.mark.skipif(not (shutil.which("firefox-esr") or shutil.which("firefox")), reason="no Firefox here")
def test_in_firefox(site, tmp_path):
    pairs = [(0, 899), (17, 17), (5, 412)]
    answer = ask_page(
        site,
        by=firefox("dom.webgpu.enabled", "gfx.webgpu.ignore-blocklist"),
        graph="grid:30x30",
        pairs=as_words(pairs),
    )
    assert answer["lengths"] == lengths_of("grid:30x30", pairs, tmp_path)


def test_a_page_whose_script_does_not_start():
    """As over file://, and in a browser without JavaScript."""
    address = (ROOT / "web" / "index.html").as_uri()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        command = [*browser.chromium()(home), "--dump-dom", address]
        page = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert 'GPU: <span id="adapter">none, as the page\'s script did not start</span>' in page
    assert 'class="error" role="status" aria-live="polite">This page needs JavaScript, and a file server' in page


def test_a_browser_without_webgpu(site):
    """The page says so in one line, and again when it is used."""
    index = (site / "web" / "index.html").read_text()
    (site / "web" / "lacks.js").write_text("delete Navigator.prototype.gpu;")
    page = index.replace('<script type="module"', '<script src="lacks.js"></script>\n<script type="module"')
    (site / "web" / "lacks.html").write_text(page)
    answer = ask_page(site, "lacks.html", pairs="0-1")
    assert answer["problem"].startswith(NO_WEBGPU) and "\n" not in answer["problem"]


# ---- the benchmark ----


def test_a_wrong_length_fails_the_pages_own_test(site, tmp_path):
    shutil.copytree(site, tmp_path / "site")
    file = tmp_path / "site" / "web" / "search.js"
    right = file.read_text()
    file.write_text(right.replace("? -1 : found[i];", "? -1 : found[i] + 1;"))
    assert right != file.read_text()
    (row,) = ask_page(tmp_path / "site", benchmark="1", numbers="10", repeats="1")["rows"]
    assert (row["checked"], row["wrong"]) == (10, 10)


@pytest.mark.slow
def test_the_script_and_its_figures(tmp_path):
    """Software is no GPU: neither for the script, unless it is told so, nor for the figures."""
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("src,dst\n0,1\n10619,5\n7,7\n")
    measure = ("scripts/browser.py", "--scales", "1", "--repeats", "2", "--results", tmp_path)
    chosen = ("--pairs-file", pairs, "--scheme", "workgroup", "--iterations", "2", "--software")
    assert "swiftshader" in ok(script(*measure, *chosen)).out
    (path,) = (tmp_path / "browser").iterdir()
    (row,) = json.loads(path.read_text())["rows"]
    assert (row["pairs"], row["scheme"], row["iterations"], row["wrong"]) == (3, "workgroup", 2, 0)
    assert row["pairsFile"] == "/pairs/pairs.csv"
    path.unlink()
    measure = (*measure, "--pairs", "1,1000")
    assert "swiftshader" in ok(script(*measure, "--software")).out
    refused(script(*measure, "--software", "--vendor", "nvidia"), "the adapter is google swiftshader", status=3)
    (path,) = (tmp_path / "browser").iterdir()
    report = json.loads(path.read_text())
    assert [(row["pairs"], row["wrong"], len(row["wholeMs"])) for row in report["rows"]] == [(1, 0, 2), (1000, 0, 2)]
    assert all(row["checked"] > 0 for row in report["rows"])
    draw = ("plot/draw.py", "ibfs_5_11", "ibfs_5_12", "ibfs_5_13", "--results", tmp_path)
    assert ok(script(*draw)).err.count("no browser's results") == 3
    report["adapter"]["isSoftware"] = False
    path.write_text(json.dumps(report))
    drawn = ok(script(*draw))
    assert re.findall(r"fig_ibfs_5_(\d+).pdf", drawn.out) == ["11", "12", "13"]
    path.write_text("{")
    refused(script(*draw), "is not what the page made")
