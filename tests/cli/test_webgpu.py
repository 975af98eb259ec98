"""WebGPU: what gtrav says of adapters, what fails in one line, and path lengths of several batches."""

import os
import re
from importlib.util import find_spec
from pathlib import Path

import pytest

from helpers import complains, gtrav, gtrav_json, gtrav_ok, write_mtx

LISTING = gtrav_json("--list")
BUILT = any(a["device"] == "webgpu" for a in LISTING)
KINDS = "discrete GPU|integrated GPU|software on the CPU|unknown kind"
ADAPTER = rf"^WebGPU adapter (\d+): (.+) \(((?:{KINDS}), .+); (bindings of .+)\)$"
ADAPTERS = re.findall(ADAPTER, gtrav_ok("--list --long").out, re.MULTILINE)
DAWN, SOFTWARE = find_spec("rillfacet"), Path("/usr/lib/chromium/vk_swiftshader_icd.json")
SCHEMES = ("webgpu-workgroup", "webgpu-coalesced", "webgpu-bottomup")

built = pytest.mark.skipif(not BUILT, reason="built without WebGPU")
with_adapter = pytest.mark.skipif(not ADAPTERS, reason="no WebGPU adapter")


@with_adapter
def test_list_names_the_adapters():
    assert [int(number) for number, *_ in ADAPTERS] == list(range(len(ADAPTERS)))
    for _, name, driver, limits in ADAPTERS:
        assert name and len(driver.split(", ")) >= 3
        sizes = r"bindings of \d+ MiB, buffers of \d+ MiB, workgroups of \d+ threads"
        assert re.fullmatch(sizes + ", times by the (device|host)", limits)


@with_adapter
def test_an_adapter_is_named_by_number_or_letters():
    by_number = gtrav_json("bfs", "kron:6", "--device", "webgpu:0", "--verify", "all")
    by_name = gtrav_json("bfs", "kron:6", "--device", f"webgpu:{ADAPTERS[0][1][:4].upper()}")
    assert by_number["algorithm"]["variant"] == by_name["algorithm"]["variant"] == "webgpu"
    assert by_number["device"] == by_name["device"]


@built
def test_an_unknown_adapter():
    status = 2 if ADAPTERS else 3
    complains(gtrav("bfs", "kron:6", "--device", "webgpu:toaster"), "toaster", status=status)


@built
@pytest.mark.parametrize(
    "environment, words",
    [
        ({"GTRAV_WEBGPU_LIBRARY": "/nonexistent.so"}, ("/nonexistent.so", "scripts/setup.sh webgpu")),
        ({"GTRAV_WEBGPU_LIBRARY": "libm.so.6"}, ("libm.so.6 has no wgpu", "older Dawn")),
        ({"VK_ICD_FILENAMES": "/nonexistent.json"}, ("no adapter", "Vulkan driver")),
        ({"GTRAV_WEBGPU_BINDING_BYTES": "256"}, ("0.0041 MB of offsets", "17 bindings of 0.000256 MB")),
        ({"GTRAV_WEBGPU_TIMEOUT": "0.001"}, ("did not answer within 0.001 s", "GTRAV_WEBGPU_TIMEOUT")),
    ],
    ids=["no-library", "other-library", "no-driver", "too-small", "no-answer"],
)
def test_what_fails_is_one_line(environment, words):
    if not ADAPTERS and not {"GTRAV_WEBGPU_LIBRARY", "VK_ICD_FILENAMES"} & set(environment):
        pytest.skip("no WebGPU adapter")
    graph = "kron:14" if "GTRAV_WEBGPU_TIMEOUT" in environment else "kron:10"
    words = (*words, "msbfs") if "GTRAV_WEBGPU_TIMEOUT" in environment else words
    words_of_run = f"msbfs {graph} --variant webgpu-coalesced --sources 64 --quiet"
    complains(gtrav(words_of_run, env={**os.environ, **environment}), *words, status=3)


@with_adapter
@pytest.mark.skipif(any(a["device"] == "gpu" and a["available"] for a in LISTING), reason="there is a GPU")
def test_without_a_gpu_it_is_named_or_the_cpu_takes_over():
    adapter = f"--device webgpu runs on {ADAPTERS[0][1]}"
    complains(gtrav("msbfs kron:6 --device gpu"), adapter, status=3)
    assert "webgpu" not in gtrav("dfs kron:6 --device gpu").err
    told = "no GPU here (gtrav --list says why): bfs gap runs on the CPU"
    assert gtrav_ok("bfs kron:6 kron:7").err.splitlines().count(told) == 1
    for named in ("--device cpu", "--variant gap", "--quiet"):
        assert told not in gtrav_ok(f"bfs kron:6 {named}").err


def test_without_webgpu_the_variant_says_what_to_install():
    if BUILT:
        pytest.skip("built with WebGPU")
    complains(gtrav("bfs", "kron:6", "--variant", "webgpu"), "scripts/setup.sh webgpu")


@with_adapter
def test_it_is_no_default_and_not_one_of_all_on_a_cpu():
    assert gtrav_json("bfs", "kron:6")["algorithm"]["variant"] != "webgpu"
    if "software" in ADAPTERS[0][2]:
        assert not any(a["available"] for a in LISTING if a["device"] == "webgpu")
        told = "bfs: leaving out webgpu: the WebGPU adapter here is software (--device webgpu runs them, slowly)"
        assert told in gtrav_ok("bfs path:3 --variant all").err.splitlines()


@built
def test_all_says_why_it_is_left_out():
    lacking = {**os.environ, "GTRAV_WEBGPU_LIBRARY": "/nonexistent.so"}
    told = gtrav_ok("bfs path:3 --variant all", env=lacking).err
    assert re.search(r"^bfs: leaving out webgpu: .*/nonexistent\.so", told, re.MULTILINE)


@with_adapter
@pytest.mark.parametrize("setting", ["alpha=0", "alpha=1000000", "check-every=1"])
def test_bfs_by_one_workgroup(setting):
    """It finds more vertices in a level than it has room for."""
    words = f"--set workgroups=1 --set {setting} --sources 2 --verify all --quiet"
    gtrav_ok(f"bfs kron:12 --variant webgpu {words}")


# Mesa's driver for the CPU ends a loop over all edges of the star's centre. In kron:12 there are two teams of
# workgroups, and six are left over.
@with_adapter
@pytest.mark.parametrize(
    "graph, settings",
    [("star:300000", ""), ("kron:12", "--set high-degree-above=1 --set workgroups=70")],
    ids=["star", "kron"],
)
def test_workgroups_share_the_edges_of_a_high_degree_vertex(graph, settings):
    gtrav_ok(f"bfs {graph} --variant webgpu --set alpha=0 {settings} --sources 2 --verify all --quiet")


@pytest.mark.skipif(not ADAPTERS or "software" not in ADAPTERS[0][2], reason="GPUs do not end loops")
@pytest.mark.parametrize("scheme, right, wrong", [(SCHEMES[0], 524000, 525000), (SCHEMES[1], 262000, 263000)])
def test_schemes_refuse_loops_that_the_cpu_s_driver_ends(scheme, right, wrong):
    words = f"msbfs --variant {scheme} --sources 2 --verify all --quiet"
    gtrav_ok(f"{words} star:{right}")
    complains(gtrav(f"{words} star:{wrong}"), "edges", "variant for the CPU", status=3)


@with_adapter
@pytest.mark.parametrize("graph", ["grid:60x60", "dag:3000:0.003"])
@pytest.mark.parametrize("setting", ["alpha=0", "alpha=14"])
def test_parents_are_the_same_by_every_way(graph, setting, tmp_path):
    """With arrays of one part and of several."""

    def parents(split, *more):
        file = tmp_path / f"{split}.csv"
        words = f"bfs {graph} --variant webgpu --output-parents --source 7 --quiet --verify all --output"
        gtrav_ok(words, file, *more, env={**os.environ, "GTRAV_WEBGPU_BINDING_BYTES": split})
        return [row for row in file.read_text().splitlines() if not row.startswith("#")]

    expected = parents("0", "--set", "alpha=1000000")
    assert len(expected) > 1000 and len({row.split(",")[1] for row in expected}) > 100
    assert parents("0", "--set", setting) == expected
    assert parents("8192", "--set", setting) == expected


@with_adapter
@pytest.mark.parametrize("split", [0, 1 << 18], ids=["whole", "split"])
def test_lengths_of_pairs(split, tmp_path):
    """2100 pairs, of three batches and more; many share a source, some occur twice."""
    rows = [f"{i * 7919 % 1700},{i * 104729 % 10620}" for i in range(2000)]
    (tmp_path / "pairs.csv").write_text("src,dst\n" + "\n".join([*rows, *rows[:100]]) + "\n")
    asked = f"msbfs snb:1 --quiet --pairs {tmp_path / 'pairs.csv'} --variant"
    environment = {**os.environ, "GTRAV_WEBGPU_BINDING_BYTES": str(split)} if split else os.environ
    expected = gtrav_ok(f"{asked} then").out
    assert len(expected.splitlines()) == 2101
    for variant in SCHEMES:
        for setting in ("subgroups=0", "subgroups=1"):
            assert gtrav_ok(f"{asked} {variant} --set {setting}", env=environment).out == expected


@built
@pytest.mark.skipif(not (DAWN and SOFTWARE.exists()), reason="needs the package rillfacet, and Chromium")
def test_dawn(monkeypatch):
    """It needs more of the driver than lavapipe of Debian 12 has, so it runs on Chromium's driver for the CPU."""
    monkeypatch.setenv("GTRAV_WEBGPU_LIBRARY", str(Path(DAWN.origin).parent / "libwebgpu_dawn.so"))
    monkeypatch.setenv("VK_ICD_FILENAMES", str(SOFTWARE))
    graphs = ("snb:1", "web:8")  # web:8 is directed
    pairs = [f"msbfs {graph} --sources 70 --variant {scheme}" for graph in graphs for scheme in SCHEMES]
    for words in ("bfs kron:8 --variant webgpu", *pairs):
        run = gtrav_json(*words.split(), "--verify", "all", "--quiet", "--device", "webgpu:dawn")
        assert run["device"].startswith("software-") and run["device"].endswith("-dawn")


@with_adapter
@pytest.mark.parametrize("step", [1, -1])
def test_an_instance_is_over_before_another(step, tmp_path):
    """On one way, 32 searches are at its end and 32 at its begin; the host looks after each iteration."""
    way = list(range(200))[::step]
    graph = write_mtx(tmp_path / "way.mtx", 200, list(zip(way, way[1:])))
    rows = [(way[i], way[-1]) for i in (*range(32), *range(160, 192))]
    path = tmp_path / "pairs.csv"
    path.write_text("src,dst\n" + "".join(f"{a},{b}\n" for a, b in rows))
    settings = ("--set", "instances=2", "--set", "check-every=1")
    result = gtrav_ok("msbfs", graph, "--pairs", path, "--variant", "webgpu-workgroup", *settings, "--quiet")
    reported = {tuple(map(int, row.split(","))) for row in result.out.splitlines()[1:]}
    assert reported == {(a, b, abs(b - a)) for a, b in rows}


@with_adapter
def test_times_and_memory_are_recorded(tmp_path):
    run = gtrav_json("msbfs", "snb:1", "--variant", "webgpu-bottomup", "--sources", "64", "--quiet")
    trial = run["trials"][0]
    assert 0 < trial["kernel_ms"] <= trial["time_ms"]
    gtrav_ok("bfs", "kron:8", "--variant", "webgpu", "--csv", tmp_path, "--quiet")
    (file,) = tmp_path.glob("*/bfs_webgpu_perf.csv")
    assert "webgpu" in file.read_text()
