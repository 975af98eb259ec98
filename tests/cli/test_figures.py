"""DiggerBees's figures and the table of representative graphs, from records that are made up."""

import plotting
from evaluation.analyses.tables import rows_of
from evaluation.results import Results

import pytest

import made_up_records
from draw import FIGURES, figure_of
from helpers import ROOT, ok, script
from labels import check_drawn, words_of
from made_up_records import write

SIX = ("europe_osm", "delaunay_n24", "amazon0302", "web-Google", "ljournal-2008", "hollywood-2009")
SPEEDS = {"ckl": 300, "acr": 200, "nvg": 10, "v1": 5, "v2": 6, "v3": 300, "v4": 400, "handoff": 2000}
ON_CPU = ("ckl", "acr", "serial", "gap")


def options(variant, hot=32, cold=64, hot_size=128):
    of_diggerbees = f"hot-cutoff={hot} hot-size={hot_size} cold-cutoff={cold} balance-policy=1"
    return of_diggerbees if variant in ("v1", "v2", "v3", "v4") else ""


def row(graph, variant, speed, device, edges=1000, family="dfs", **values):
    known = {"edges": edges, "options": options(variant), "mean_search_mteps": speed, "sources": "1"}
    known |= {"mean_kernel_ms": 1e6 / speed, **values}
    return made_up_records.row(graph, variant, 1e6 / speed, device, family, **known)


def measured(gpu, scale=1.0):
    """Every method on the six graphs, and BFS too."""
    rows = []
    for number, graph in enumerate(SIX):
        edges = 10 ** (4 + number)
        for variant, speed in SPEEDS.items():
            device, speed = ("cpu-x", speed) if variant in ON_CPU else (gpu, speed * scale)
            rows.append(row(graph, variant, speed * (1 + number), device, edges))
        rows.append(row(graph, "queue", 100, gpu, edges, "bfs"))
        rows.append(row(graph, "warp", 50 * (number + 1), gpu, edges, "bfs"))
        rows.append(row(graph, "berrybees", 50, gpu, edges, "bfs"))
        rows.append(row(graph, "gap", 10**6, "cpu-x", edges, "bfs"))
    return rows


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    write(folder, measured("nvidia-a100", 0.5))
    write(folder, measured("nvidia-h200"))
    return folder


@pytest.mark.slow
def test_the_figure_of_two_gpus(results):
    """The committed records do not allow it; test_figure_labels.py has the others."""
    check_drawn("7", results)
    words = words_of("7", results)
    assert "NVG-DFS: geometric mean 2.00x" in words and "nvidia-h200 over\nnvidia-a100" in words


def test_a_busy_machine_has_figures_that_say_so(tmp_path):
    quiet = measured("nvidia-h200")
    write(tmp_path / "quiet", quiet)
    write(tmp_path / "busy", [{**one, "busy_cores": "1"} if one["variant"] == "v2" else one for one in quiet])
    words = {name: " ".join(words_of("8", tmp_path / name).split()) for name in ("quiet", "busy")}
    assert "v2 to v3: 50.0x" in words["quiet"] and "v2 to v3: 50.0x" in words["busy"]
    assert [name for name in words if "PARTLY MEASURED ON A BUSY MACHINE" in words[name]] == ["busy"]


@pytest.mark.slow
def test_figures_go_to_the_records(results, tmp_path):
    write(tmp_path, measured("nvidia-h200"))
    result = script("plot/draw.py", "5", "--results", tmp_path)
    assert result.out.splitlines() == [str(tmp_path / "figures" / f"fig_5.{kind}") for kind in ("pdf", "png")]


def test_nothing_to_draw_is_said_and_is_no_error(tmp_path):
    result = ok(script("plot/draw.py", "--results", tmp_path, "--to", tmp_path / "f"))
    assert [line.partition(": ")[0] for line in result.err.splitlines()] == [f"fig_{n}" for n in FIGURES]
    assert not (tmp_path / "f").exists()


def test_scalability_needs_two_gpus(tmp_path):
    write(tmp_path, measured("nvidia-h200"))
    with pytest.raises(plotting.NothingToDraw, match="two GPUs, and has those of nvidia-h200;"):
        words_of("7", tmp_path)


def test_scalability_is_drawn_of_the_graphs_of_both(tmp_path):
    of_one = measured("nvidia-h200")
    write(tmp_path, [row for row in of_one if row["graph"] != of_one[0]["graph"]])
    write(tmp_path, measured("nvidia-a100", 0.5))
    figure = figure_of("7", Results.read(tmp_path))
    sizes = {len(points.get_offsets()) for points in figure.axes[0].collections}
    plotting.plt.close(figure)
    assert sizes == {len({row["graph"] for row in of_one}) - 1}


def test_damaged_records(tmp_path):
    (tmp_path / "dfs_v4_perf.csv").write_text("graph,family\n")
    result = script("plot/draw.py", "5", "--results", tmp_path)
    assert (result.status, result.out) == (2, "")
    assert "dfs_v4_perf.csv: line 1: no column" in result.err


def test_rows_of_several_folders(tmp_path):
    """Of each key the row of the latest date, of several the last; none of the emulator."""
    for place, date in (("a", "2026-01-01"), ("b", "2026-01-03"), ("c", "2026-01-03"), ("d", "2026-01-02")):
        write(tmp_path / place, [row("g", "v4", 70, gpu, date=date, note=place) for gpu in ("gpu-x", "emulator")])
    (found,) = rows_of([tmp_path / place for place in "abcd"])
    assert (found["device"], found["note"]) == ("gpu-x", "c")


def test_several_figures_in_one_process(tmp_path):
    """What each plot says and draws is as if it ran by itself; one that fails does not stop the next."""
    committed = ROOT / "results" / "nvidia-h200" / "xbfs"
    result = script("plot/draw.py", "nope", "xbfs_9", "xbfs_5", "--results", committed, "--to", tmp_path)
    assert result.status == 2
    assert result.err == f"draw: there is no figure nope; there are {', '.join(FIGURES)}\n"
    for figure in ("xbfs_9", "xbfs_5"):
        assert (tmp_path / f"fig_{figure}.pdf").read_bytes().startswith(b"%PDF")
        assert (tmp_path / f"fig_{figure}.png").read_bytes().startswith(b"\x89PNG")
