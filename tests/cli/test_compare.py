"""Numbers and means of made-up records: which rows count, on which graphs; results are worked out by hand."""

from functools import partial

from evaluation import trusted
from evaluation.analyses.fastest import fastest_cells
from evaluation.analyses.tables import rows_of
from evaluation.claims.listing import read_test
from evaluation.command import EvaluationError
from evaluation.graphs import Graphs, on
from evaluation.methods import balance, dfs
from evaluation.numbers import compare
from evaluation.numbers.blest import FULL, GRAPHS, memory, misclassified
from evaluation.numbers.ibfs import crossover, greatest_difference, lead_of_cuda, shrinking_lead
from evaluation.numbers.xbfs import AD, early, enqueue, looked_at
from evaluation.results import MissingError, Results

import pytest

from made_up_records import EDGES, GPU, HOST, of_all_graphs, pairs_row, row, write

V3, V4, V5, NVG, CKL = map(dfs, ("v3", "v4", "handoff", "nvg", "ckl"))
KRON10 = Graphs(("kron:10",))


@pytest.fixture
def folder(tmp_path):
    write(tmp_path / "results", of_all_graphs())
    return tmp_path / "results"


FASTER = partial(compare.speedup, of=V4, over=NVG)  # 2, 1 and 0.5 times
MS = partial(compare.value, of=V4)  # 2, 4 and 8


def ms_on(folder, graphs=KRON10, of=V4, **more):
    """On one graph."""
    return compare.greatest(compare.value(Results.read(folder), of, graphs=graphs, **more)).value


def missing(number, results, **options):
    with pytest.raises(MissingError) as error:
        number(results, **options)
    return str(error.value)


# ---- methods, measures, means ----


@pytest.mark.parametrize(
    ("mean", "number", "options", "result"),
    [
        (compare.geomean, FASTER, {}, 1),
        (compare.greatest, FASTER, {}, 2),
        (compare.mean, FASTER, {}, 3.5 / 3),
        (compare.greatest, FASTER, {"metric": compare.MTEPS}, 2),  # more is better
        (compare.greatest, compare.ratio, {"of": V4, "over": NVG}, 2),
        (compare.mean, compare.saving, {"of": V4, "over": NVG}, (50 + 0 - 100) / 3),
        (compare.share, FASTER, {}, 100 / 3),
        (partial(compare.share, by=1.9), compare.speedup, {"of": V4, "over": CKL}, 200 / 3),
        (compare.share, compare.speedup, {"of": V4, "over": [NVG, CKL]}, 0),  # the better of them is 1, 4, 4
        (compare.least, compare.speedup, {"of": [V4, V5], "over": CKL}, 0.5),  # the better of them is 2, 1, 2
        (compare.geomean, compare.over_best, {"of": V4, "rivals": [NVG, CKL]}, 0.25 ** (1 / 3)),  # .5, 1, .5
        (compare.mean, MS, {}, 14 / 3),
        (compare.greatest, MS, {"metric": compare.MTEPS}, 500),
        (compare.median, MS, {"metric": compare.DEPTH}, 300),
    ],
)
def test_numbers_and_means(mean, number, options, result, folder):
    found = mean(number(Results.read(folder), **options))
    assert found.value == pytest.approx(result)
    assert len(found.numbers) == 3


@pytest.mark.parametrize(("by", "number"), [(1, 100 / 3), (1.005, 200 / 3), (1.5, 100 / 3)])
def test_a_lead_within_the_noise_is_none(by, number, tmp_path):
    """Of leads of 2, 1.01 and 0.99 times; beside another bound than 1 there is no noise."""
    times = {"v4": (1, 1, 1), "nvg": (2, 1.01, 0.99)}
    write(tmp_path, of_all_graphs(times=times))
    assert compare.share(FASTER(Results.read(tmp_path)), by=by).value == pytest.approx(number)


def test_the_slowest_of_several_stands_for_each(folder):
    """v4 takes 2, 4 and 8 ms, CKL takes 4, 4 and 4: both are as fast as NVG where the slower one is."""
    each, ckl, v4 = (
        numbers(Results.read(folder)).numbers
        for numbers in (
            partial(compare.each_over, methods=[V4, CKL], rival=NVG),
            partial(compare.speedup, of=CKL, over=NVG),
            FASTER,
        )
    )
    assert each == {key: min(ckl[key], v4[key]) for key in each} and len(each) == 3


def test_preparation_pays_beside_rivals_on_the_same_graph():
    """Ours prepares for 9 ms and saves 1 of 2 ms a search; what prepares nothing elsewhere does not matter."""
    rows = [
        row("kron:10", "auto", 1, family="bfs", prepare_ms=9, reorder_ms=0),
        row("kron:10", "gap", 2, family="bfs", prepare_ms=0, reorder_ms=0),
        row("road:5", "gap", 1, family="bfs", prepare_ms=0, reorder_ms=0),
    ]
    cells = fastest_cells(rows, {"gap": ("gap",)})
    assert [cells[graph]["pays after"] for graph in ("kron:10", "road:5")] == ["9", None]


def test_ours_over_a_table_of_the_paper(folder):
    """Of graphs like the paper's alone, each once: grid:9x9 is not like europe_osm, kron:10 comes twice."""
    graphs = [on("kron:10"), on("road:5"), on("europe_osm", "grid*"), on("com-Orkut", "kron:10")]
    results = Results.read(folder)
    found = compare.mean(compare.over_paper(results, MS(results), graphs, [4, 2, 1, 1]))
    assert (found.value, len(found.numbers)) == (1.25, 2)
    beside = compare.mean(compare.beside_paper(results, MS(results), graphs, [4, 2, 1, None]))
    assert (beside.value, beside.papers_mean, len(beside.numbers)) == (3, 3, 2)
    words = missing(compare.over_paper, results, ours=MS(results), graphs=graphs[2:3], numbers=[1])
    assert "kind and size" in words


@pytest.mark.parametrize(
    ("graphs", "number", "count"),
    [
        (Graphs(("road:5",)), 4, 1),
        (Graphs(("road*", "grid*")), 6, 2),
        (on("kron:10", "road*"), 2, 1),
        (on("GAP-road", "road*", "grid*"), 8, 1),  # the nearest in edges, of 100 to 5,000
        (on("nowhere", "kron*", "road*"), 4, 1),  # the largest
        (Graphs(kinds=("scale-free",)), 2, 1),
        (Graphs(other_than=("scale-free",)), 6, 2),
        (Graphs(kinds=("deep", "mesh")), 8, 1),
        (Graphs(min_edges=500, max_edges=2000), 4, 1),
    ],
)
def test_graphs(graphs, number, count, folder):
    found = compare.mean(MS(Results.read(folder), graphs=graphs))
    assert found.value == pytest.approx(number)
    assert len(found.numbers) == count
    assert found.graph == graphs.paper


@pytest.mark.parametrize(
    ("number", "options", "what"),
    [
        (compare.value, {"of": V3}, "verified rows of dfs:v3"),
        (compare.over_best, {"of": V4, "rivals": [NVG, V3]}, "verified rows of dfs:v3"),  # all must have run
        (compare.speedup, {"of": V4, "over": V3}, "verified rows of dfs:v3"),
        (
            compare.value,
            {"of": [V3, dfs("v9", hot_cutoff=3)]},
            "verified rows of dfs:v3, dfs:v9,hot-cutoff=3",
        ),
        (MS, {"graphs": Graphs(("kron:30",))}, "the graphs that it is about"),
        (MS, {"graphs": on("GAP-urand", "urand:*")}, "the graphs that it is about"),
        (MS, {"metric": compare.DIVERGENCE}, "authors_divergence of dfs:v4"),
        (MS, {"below": "sensitivity"}, "verified rows of dfs:v4"),
        (compare.value, {"of": AD}, "verified rows of xbfs:Ad"),
        (compare.value, {"of": FULL}, "verified rows of blest:Full"),
        (
            compare.value,
            {"of": balance("baseline"), "metric": compare.VARIATION},
            "verified rows of balance:baseline",
        ),
        (early, {}, "XBFS's levels, traced"),
        (looked_at, {}, "XBFS's work per frontier"),
        (enqueue, {}, "the ways to fill a queue"),
        (misclassified, {"graphs": GRAPHS["KRON"]}, "Blest's levels, traced all three ways"),
        (crossover, {}, "path lengths by IBFS's schemes"),
        (memory, {"part": "BVSS", "whole": "CSR", "graphs": GRAPHS["KRON"]}, "the memory of BVSS and CSR"),
    ],
)
def test_what_is_missing_is_reported(number, options, what, folder):
    assert missing(number, Results.read(folder), **options) == what


def test_devices_are_compared_where_there_are_rows_of_both(folder):
    """The message names the model of the GPU without rows."""
    gain = partial(compare.gain_of_gpu, of=V4, gpu="H100", other="A100")
    assert missing(gain, Results.read(folder)) == "rows of A100"
    alone = read_test("greatest(on_gpu('H100', value(dfs('v4'))))", "diggerbees")
    assert missing(alone.of, Results.read(folder)) == "rows of H100"
    write(folder, of_all_graphs("nvidia-h100-80gb-hbm3"))
    write(folder, of_all_graphs("nvidia-a100-80gb-pcie", {"v4": (6, 12, 24)}))
    results = Results.read(folder, GPU)
    assert compare.geomean(gain(results)).value == pytest.approx(3)
    assert alone.of(results).value == 8
    more = compare.quotient(results, FASTER(results), gain(results))
    assert compare.geomean(more).value == pytest.approx(1 / 3)


# ---- rows ----


def test_rows_that_do_not_count(folder):
    """Failed, not verified, traced, counting, older, of fewer sources, elsewhere; of single trials."""
    (folder / "trials").mkdir()
    (folder / "trials" / "ibfs_pairs.csv").write_text("graph,pairs\nkron:10,1\n")
    odd = [{"verified": "FAILED"}, {"verified": "none"}, {"options": "trace=1"}]
    odd += [{"date": "2025"}, {"sources": "8"}]
    for number, values in enumerate(odd):
        write(folder, [row("kron:10", "v4", 0.1, **{"date": "2027", **values})], f"run_{number}")
    write(folder, [row("kron:10", "v4", 0.1, date="2027")], "run_sensitivity")
    assert ms_on(folder) == pytest.approx(2)
    assert ms_on(folder, below="sensitivity") == pytest.approx(0.1)
    results = Results.read(folder)
    assert [len(results.left_out_by(rule)) for rule in ("failed", "unverified")] == [1, 1]
    write(folder, [row("kron:10", "v4", 3, date="2028")])
    assert ms_on(folder) == pytest.approx(3)


def test_options(folder):
    """Those that are not named are the usual ones; a name is matched up to a colon."""
    usual = [row(graph, "v3", 8, options="hot=32 low=64") for graph in EDGES]
    write(folder, [*usual, row("kron:10", "v3", 2, options="hot=16 low=64 reorder=random:5")])
    assert ms_on(folder, of=V3) == pytest.approx(8)
    for options in ({}, {"reorder": "random"}, {"reorder": "random:5"}):
        assert ms_on(folder, of=dfs("v3", hot=16, **options)) == pytest.approx(2)
    assert missing(compare.value, Results.read(folder), of=dfs("v3", hot=17)) == "verified rows of dfs:v3,hot=17"
    any_options = dfs("v3", any_options=True)
    numbers = compare.value(Results.read(folder), any_options).numbers
    assert numbers == {("kron:10", 0): 2, ("road:5", 0): 8, ("grid:9x9", 0): 8}
    assert list(numbers) == list(compare.value(Results.read(folder), V4).numbers)  # in the order of the records


def test_options_whose_defaults_changed_together(folder):
    """The rows that count have all of them as before, or all as now. Victims are told since later on."""
    before, now = "hot=32", "hot=16 victims=active"
    old = [row(graph, "v3", 8, options=before) for graph in ("kron:10", "road:5")]
    old.append(row("grid:9x9", "v3", 8, options=f"{before} victims=any"))
    new = [row(graph, "v3", 2, options=now) for graph in ("kron:10", "road:5", "grid:9x9", "kron:11")]
    write(folder, [*old, *new[:2]])
    assert compare.value(Results.read(folder), V3).numbers == {(graph, 0): 8 for graph in EDGES}
    write(folder, new[2:])
    numbers = compare.value(Results.read(folder), V3).numbers
    assert set(numbers.values()) == {2} and len(numbers) == 4


def test_the_place(folder):
    """One GPU, that of most rows or the one asked for, and the CPU that goes with it."""
    write(folder, [row("kron:10", "v4", 7, "nvidia-a100"), row("kron:10", "ckl", 9, "cpu-z")])
    assert ms_on(folder) == pytest.approx(2)
    assert compare.greatest(MS(Results.read(folder, "nvidia-a100"))).value == pytest.approx(7)
    assert missing(MS, Results.read(folder, HOST)) == "verified rows of dfs:v4"
    assert Results.read(folder, HOST).device == HOST
    known = "cpu-x, cpu-z, nvidia-a100, nvidia-h200"
    with pytest.raises(EvaluationError, match=f"nothing of gpu-y .* there is: {known}"):
        Results.read(folder, "gpu-y")
    (folder / GPU / "provenance.json").write_text('{"cpu_folders": ["cpu-z"], "host": "a host"}')
    assert Results.read(folder).cpu == "cpu-z"


def test_an_older_row_that_passed_does_not_outvote_a_failure(tmp_path):
    """In tables and in reports, from whatever folder; until it passes again."""

    def measured(day, verified, folder):
        date = f"2026-01-0{day}T00:00:00Z"
        write(tmp_path / folder, [row("kron:10", "v4", 2, date=date, verified=verified), row("k", "handoff", 4)])
        rows = rows_of(sorted(tmp_path.iterdir()))
        assert {one["variant"] for one in rows} == set(Results.read(tmp_path).rows.variant)
        return len(rows)

    assert measured(2, "all", "run_1") == 2
    assert measured(3, "FAILED", "run_0") == 1
    assert measured(4, "none", "run_2") == 1
    assert measured(5, "first", "run_3") == 2


def test_the_emulator(tmp_path):
    """Its rows decide nothing, neither times nor counts: its graphs are none of the papers'."""
    write(tmp_path, of_all_graphs("emulator"))
    for number in (FASTER, partial(MS, metric=compare.DEPTH)):
        assert missing(number, Results.read(tmp_path)) == "verified rows of dfs:v4"
    write(tmp_path, of_all_graphs())
    assert compare.geomean(FASTER(Results.read(tmp_path))).value == pytest.approx(1)


# ---- the evaluations of the papers ----


def test_numbers_of_backends(folder):
    """CUDA stands beside the faster of wgpu and Dawn; the difference is that of all three."""
    totals = {
        ("ibfs-bottomup", GPU): {1: 2, 1000: 6, 65536: 10},
        ("webgpu-bottomup", GPU): {1: 8, 1000: 3, 65536: 20},
        ("webgpu-bottomup", f"{GPU}-dawn"): {1: 16, 1000: 4, 65536: 20},
    }
    for (variant, device), times in totals.items():
        for graph in ("snb:1", "snb:3"):
            rows = [pairs_row(graph, variant, count, 1, device, total_ms=ms) for count, ms in times.items()]
            write(folder, rows, "pairs", "pairs")
    results = Results.read(folder)
    leads = lead_of_cuda(results, Graphs(names=("snb:3",))).numbers
    assert leads == {("snb:3", 1): 4, ("snb:3", 1000): 0.5, ("snb:3", 65536): 2}
    differences = greatest_difference(results).numbers
    assert (differences["snb:1", 1], differences["snb:1", 1000]) == (8, 2)
    shrinking = shrinking_lead(results)
    assert (list(shrinking.numbers.values()), shrinking.no_difference) == ([2], 1)


def test_a_gpu_folder_has_the_cpu_of_its_host(folder):
    """As the committed records have it: results/nvidia-h200, and the CPU's folder beside it."""
    (folder / GPU / "provenance.json").write_text(f'{{"cpu_folders": ["{HOST}"], "host": "a host"}}')
    of_gpu, of_all = (compare.speedup(Results.read(top), V4, over=CKL) for top in (folder / GPU, folder))
    assert of_gpu == of_all


def test_a_cpu_is_of_the_machine_whose_gpu_is_nearest(tmp_path):
    """Two machines whose CPUs have the same name: rows of the other one's do not count."""
    write(tmp_path, of_all_graphs(), "h200/run_1")
    write(tmp_path, [row("kron:10", "acr", 4, HOST)], "h200/peers")
    other = [one for one in of_all_graphs("nvidia-h100") if one["graph"] != "kron:10"]
    write(tmp_path, [*other, row("kron:10", "ckl", 100, HOST, date="2027")], "h100/run_1")
    write(tmp_path, [row("kron:10", "acr", 100, HOST, date="2027")], "no_gpu")

    def faster(gpu, rival):
        measured = compare.value(Results.read(tmp_path, gpu), rival).numbers
        return {key.graph: ms for key, ms in measured.items()}.get("kron:10")

    assert [faster(GPU, CKL), faster("nvidia-h100", CKL)] == [1, 100]
    assert faster(GPU, dfs("acr")) == 4
    assert list(Results.read(tmp_path, GPU).left_out_by(trusted.ELSEWHERE).device) == [HOST] * 4
    assert missing(compare.value, Results.read(tmp_path, "nvidia-h100"), of=dfs("acr")) == "verified rows of dfs:acr"
    (tmp_path / "h100" / "provenance.json").write_text('{"cpu_folders": ["no_gpu"]}')
    assert faster("nvidia-h100", dfs("acr")) == 100 and faster(GPU, dfs("acr")) == 4
