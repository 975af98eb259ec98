"""web/: the page in a headless Chromium, which has WebGPU in software; its answers are gtrav's."""

import base64
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

from helpers import ROOT, gtrav_ok, ok, refused, script

pytestmark = pytest.mark.skipif(browser.find_browser() is None, reason="no Chromium here (Debian's package chromium)")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder as a local file server has it: the page and the shaders."""
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


@pytest.mark.parametrize(
    ("graph", "count", "far", "number", "search"),
    [
        ("grid:30x30", 900, 899, 60, {}),
        ("snb:1", 10620, 5, 60, {"scheme": "workgroup", "iterations": 3}),
        ("snb:1", 10620, 5, 2000, {"scheme": "coalesced"}),
    ],
)
def test_lengths_on_generated_graphs(site, tmp_path, graph, count, far, number, search):
    """Of grids, and of SNB's graphs, which are the program's; 2000 pairs have more sources than a batch."""
    random.seed(5)
    pairs = [(0, far), (17, 17), *((random.randrange(count), random.randrange(count)) for _ in range(number))]
    answer = ask_page(site, graph=graph, pairs=as_words(pairs), **search)
    assert "problem" not in answer, answer
    assert answer["lengths"] == lengths_of(graph, pairs, tmp_path)
    assert answer["levels"] == lengths_of(graph, [(0, v) for v in range(count)], tmp_path)
    assert len(answer["path"]) == answer["lengths"][0] + 1
    steps = [*zip(answer["path"], answer["path"][1:])]
    assert lengths_of(graph, steps, tmp_path) == [1] * len(steps)


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
function make(name) {
    $("name").value = name;
    page.querySelector("#generate").click();
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
make("grid:4x3");
await until(() => $("about").textContent.startsWith("grid:4x3"));
await until(isDone);
const small = await hear();
said.push(small, [...$("labels").children].map((text) => text.textContent).join(""));
look();
find(0, 8);
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
find(0, 8);
await hear();
await level(1);
device.destroy();
said.push(await hear(), $("restart").hidden);
find(5, 6);
await until(isDone);
said.push(await hear(small), $("restart").hidden);
make("snb:30");
await new Promise((resolve) => setTimeout(resolve, 100));
$("cancel").click();
said.push(await hear());
for (const name of ["<img src=x onerror=injected=1>", "snb:100", "snb:3"]) {
    make(name);
    said.push(await hear());
}
said.push($("picture").parentElement.hidden);
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
UNKNOWN = {"pairs": "0-1,2", "benchmark": "1,2", "repeats": "0", "x": "1", "report": "/any/path"}
NO_GRAPH = (
    'no graph "{}"; there are grid:WIDTHxHEIGHT with up to 500000 vertices, and snb:SCALE '
    "with SCALE 1, 3, 10, 30, 100, 300"
)
# what an address says -> what the page says
ADDRESSES = {
    "graph=grid:3x3&pairs=0-8,8-9": "grid:3x3 has no vertex 9",
    "graph=snb:2": NO_GRAPH.format("snb:2"),
    **{
        f"{name}={value}": f'{name}: "{value}" is not a value of it; docs/webgpu.md lists what the address may say'
        for name, value in UNKNOWN.items()
    },
}
CLICK = "Click two vertices for the shortest path."
LOST = 'the GPU was lost (Device was destroyed.); "start anew" opens it again'


def check_pictures(*pictures):
    """Of grid:4x3 before a search from 0 to 8, with its first two levels, and after it: the vertices, and the middles
    of the edges 0-4 and 1-5, have the colours of the legend."""
    grey, black, line = (187,) * 3, (0,) * 3, (221,) * 3
    hues = ((250 - 230 * level / 5) / 360 for level in range(6))
    legend = [tuple(255 * part for part in colorsys.hls_to_rgb(hue, 0.45, 0.8)) for hue in hues]
    levels = [v // 4 + v % 4 for v in range(12)]
    at = [complex(20 + 265 * (v % 4 + 0.5), 20 + 200 * (v // 4 + 0.5)) for v in range(12)]
    at += [(at[0] + at[4]) / 2, (at[1] + at[5]) / 2]
    expected = (
        [*(grey,) * 12, line, line],
        [*(black if v in (0, 8) else legend[1] if levels[v] == 1 else grey for v in range(12)), line, line],
        [*(black if v in (0, 4, 8) else legend[levels[v]] for v in range(12)), black, line],
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
    switched off; levels are not read to draw them; the keyboard chooses a vertex; a graph replaces a search; a lost
    GPU is told of and opened again; making a graph can be cancelled; nothing in a name is run; the results are a
    file."""
    (site / "web" / "addresses.json").write_text(json.dumps(list(ADDRESSES)))
    (site / "web" / "used.html").write_text(USED)
    answer = ask_page(site, "used.html")
    assert answer["answers"] == list(ADDRESSES.values())
    assert answer["isNamed"] and answer["isNarrow"] and not answer["isInjected"]
    small = f"grid:4x3: 12 vertices, 17 undirected edges (34 stored). {CLICK}"
    assert answer["said"] == [
        *("8 edges from 0 to 23", "8 edges from 0 to 23; the picture was cancelled", True, 32),
        *("5 edges from 0 to 5", True, 4 * 24, "8 edges from 0 to 23", True, "4 edges from 0 to 4", 0, 4),
        *("vertex 1; Enter chooses it", "vertex 7; Enter chooses it"),
        *(small, "01234567891011", "2 edges from 0 to 8", LOST, small, "1 edges from 0 to 4", LOST, False),
        *("1 edges from 5 to 6", True, "cancelled", NO_GRAPH.format("<img src=x onerror=injected=1>")),
        "snb:100 does not fit into this GPU or this computer's memory",
        *(
            "snb:3: 25870 vertices, 668431 undirected edges (1336862 stored). "
            "The graph is too large to draw; type two vertices.",
            True,
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
    measure = ("scripts/browser.py", "--scales", "1", "--repeats", "2", "--results", tmp_path)
    chosen = ("--pairs", "3", "--scheme", "workgroup", "--iterations", "2", "--software")
    assert "swiftshader" in ok(script(*measure, *chosen)).out
    (path,) = (tmp_path / "browser").iterdir()
    (row,) = json.loads(path.read_text())["rows"]
    assert (row["pairs"], row["scheme"], row["iterations"], row["wrong"]) == (3, "workgroup", 2, 0)
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
