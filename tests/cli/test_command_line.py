"""The command line: what it takes, what it answers, and how it helps with slips of the fingers."""

import json
import re

import pytest

from helpers import ROOT, algorithms, complains, gtrav, gtrav_json, gtrav_ok, info

INFO_KEYS = {
    *(
        "name",
        "vertices",
        "edges",
        "symmetric",
        "origin",
        "reordering",
        "self_loops_dropped",
        "duplicates_dropped",
        "isolated",
    ),
    *("max_degree", "sum_squared_degrees", "components", "largest_component", "pseudo_diameter", "acyclic"),
    *(
        "scale_free",
        "top1_share",
        "top10_share",
        "fit_slope",
        "fit_r2",
        "csr_bytes",
        "load_ms",
        "degree_histogram",
    ),
}
SUMMARY_KEYS = {
    *("sources", "verified", "load_ms", "prepare_ms", "upload_ms", "download_ms", "total_ms"),
    *("mean_reset_ms", "median_reset_ms"),
    *("mean_time_ms", "median_time_ms", "min_time_ms", "max_time_ms", "time_spread"),
    *("mean_kernel_ms", "median_kernel_ms", "min_kernel_ms", "max_kernel_ms", "kernel_spread"),
    *("mean_search_mteps", "harmonic_mean_search_mteps", "mean_mteps", "harmonic_mean_mteps"),
    *("batch_sources", "batch_time_ms", "batch_kernel_ms", "time_limit_s"),
}
ANY = algorithms()[0]
RUN = ("--algo", ANY["family"], "--variant", ANY["variant"], "--graph", "dag:40:0.3")
BFS = next(a["variant"] for a in algorithms() if a["family"] == "bfs")

MISTAKES = {
    "": ("--algo", "--help"),
    "kron:8": ("--graph kron:8",),
    "--algo bfs": ("--graph",),
    "--graph kron:8": ("--algo", "--info"),
    "--grpah kron:8 --info": ("--grpah", "'--graph'"),
    "--Graph kron:8 --info": ("'--graph'",),
    "-x": ("-x",),
    "--graph": ("--graph", "FILE"),
    "--graph --info": ("--graph", "value"),
    "--info=yes --graph kron:8": ("--info",),
    "--algo bsf --graph kron:8": ("bsf", "bfs"),
    "--algo quux --graph kron:8": ("quux", "dfs"),
    "--algo bfs --variant serail --graph kron:8": ("serail", "serial"),
    "--algo bfs --variant , --graph kron:8": ("--variant",),
    "--algo bfs --variant gap --set alpa=3 --graph kron:8": ("alpa", "alpha"),
    "--algo bfs --variant gap --set alpha --graph kron:8": ("NAME=VALUE",),
    "--algo bfs --variant gap --set alpha=many --graph kron:8": ("alpha", "many"),
    "--algo bfs --variant gap --set alpha=0 --graph kron:8": ("alpha", "0"),
    "--algo bfs --variant serial --device gpu --graph kron:8": ("serial", "CPU"),
    "--algo bfs --device cup --graph kron:8": ("cup", "cpu"),
    "--algo bfs --verify some --graph kron:8": ("some", "first"),
    "--algo bfs --sources 0 --graph kron:8": ("--sources", "0"),
    "--algo bfs --sources -3 --graph kron:8": ("--sources", "-3"),
    "--algo bfs --sources 3 --source 1 --graph kron:8": ("--sources", "--source"),
    "--algo bfs --threads 0 --graph kron:8": ("--threads",),
    "--algo topo --source 1 --graph dag:9:0.5": ("topo", "sources"),
    "--algo bfs --fresh --graph kron:8": ("--csv",),
    "--write x.mtx": ("--graph",),
    "--graph kron:8 --write graph.txt": ("graph.txt", ".mtx"),
    "--graph kron:8 --graph kron:9 --write graph.mtx": ("--write",),
    "--graph kron:8 --json --write graph.mtx": ("--json",),
    "--list --graph kron:8": ("--list",),
    "nofile.mtx": ("nofile.mtx: no such file",),
    "bfs ./nofile": ("./nofile: no such file",),
    "bfs dfs kron:8": ("'dfs' is a second family",),
    "--list nonsense": ("'nonsense' is no family (bfs, msbfs,",),
    "pagerank kron:8": ("'pagerank' is no family (bfs, msbfs,",),
    "bfs kron:8 quux": ("'quux' is no file and no generator",),
    "help": ("'--help'",),
    "bfs version": ("'--version'",),
    "bfs kron:8 --csv out.csv": ("--csv out.csv", "folder", "--output"),
    "bfs kron:8 --wide --json": ("--wide", "--json"),
}


@pytest.mark.parametrize("line", MISTAKES)
def test_mistake(line, tmp_path):
    complains(gtrav(*line.split(), "--quiet", cwd=tmp_path), *MISTAKES[line])
    assert list(tmp_path.iterdir()) == []


BAD_SOURCES = {"9": "9", "-1": "-1", "one": "one", "1,,2": "", "1 2": "", "99999999999999999999": ""}


@pytest.mark.parametrize("source", BAD_SOURCES)
def test_bad_sources(source, tmp_path):
    run = ("--algo", "bfs", "--graph", "path:9", "--variant", BFS, "--quiet")
    complains(gtrav(*run, f"--source={source}"), BAD_SOURCES[source])
    listed = tmp_path / "sources.txt"
    listed.write_text(f"# sources\n0\n\n{source}\n")
    complains(gtrav(*run, "--sources-file", listed), f"{listed}:4")
    listed.write_text("# none\n")
    complains(gtrav(*run, "--sources-file", listed), str(listed))
    complains(gtrav(*run, "--sources-file", tmp_path / "absent"), "absent")


@pytest.mark.parametrize("option", ["--pairs", "--sources-file"])
def test_input_files_are_looked_for_before_the_graph_is_loaded(option):
    family, variant = ("msbfs", "serial") if option == "--pairs" else ("bfs", "serial")
    result = gtrav(family, "kron:6", "--variant", variant, option, "absent")
    complains(result, "absent: cannot open")
    assert "kron:6: " not in result.err


def test_no_run_is_announced_before_an_error(tmp_path):
    (tmp_path / "bad.mtx").write_text("no banner")
    reported = gtrav("bfs", tmp_path / "bad.mtx", "--device", "cpu", "--threads", "1").err.splitlines()
    assert [line for line in reported if not line.startswith("warning: ")] == reported[-1:]
    assert reported[-1].startswith("gtrav: ")


def test_sources_are_taken_in_order(tmp_path):
    run = ("--algo", "bfs", "--graph", "path:9", "--variant", BFS)
    assert gtrav_json(*run, "--source", "5,3,5")["sources"] == [5, 3, 5]
    listed = tmp_path / "sources.txt"
    listed.write_text("# comment\n  7\r\n\n2 # two\n")
    assert gtrav_json(*run, "--sources-file", listed)["sources"] == [7, 2]
    assert len(gtrav_json(*run)["sources"]) == 64
    complains(gtrav("--algo", "bfs", "--variant", BFS, "--graph", "path:1", "--quiet"), "path:1", "--source")
    assert gtrav_json("--algo", "bfs", "--variant", BFS, "--graph", "path:1", "--source", "0")["trials"]


def test_help_and_version():
    text = gtrav_ok("--help").out
    for word in ("--algo", "--graph", "--sources-file", "kron:SCALE", "alpha", "Exit status", "--output"):
        assert word in text
    assert max(map(len, text.splitlines())) <= 100
    assert gtrav_ok("--help", "all").out == text
    assert 0 < len(gtrav_ok("-h").out) < len(text)
    release = (ROOT / "VERSION").read_text().strip()
    assert re.match(rf"gtrav {re.escape(release)}( \(\S+\))?\nbuild ", gtrav_ok("--version").out)


def test_list():
    listing = gtrav_json("--list")
    for algorithm in listing:
        names = {"family", "variant", "device", "outputs", "on_request", "title", "citation"}
        assert set(algorithm) == names | {"reorder", "available", "emulated"}
        assert algorithm["device"] in ("cpu", "gpu", "webgpu")
        assert algorithm["outputs"]
    names = [(a["family"], a["variant"]) for a in listing]
    assert len(set(names)) == len(names)
    assert {("bfs", "serial"), ("bfs", "gap"), ("dfs", "serial"), ("topo", "serial")} <= set(names)
    table = gtrav_ok("--list").out
    for family, variant in names:
        assert any(line.split()[:2] == [family, variant] for line in table.splitlines())


def test_info_json():
    assert set(info("kron:8")) == INFO_KEYS
    several = gtrav_json("--info", "--graph", "kron:8", "--graph", "path:3")
    assert [facts["name"] for facts in several] == ["kron:8", "path:3"]


def test_run_json():
    run = gtrav_json(*RUN, "--sources", "3", "--verify", "all", "--quiet")
    assert set(run) == {
        *("version", "build", "date", "threads", "graph", "algorithm", "device", "verify"),
        *("prepare_ms", "upload_ms"),
        *("warnings", "resumed", "sources", "trials", "summary", "times_fastest"),
    }
    assert set(run["graph"]) == {"name", "vertices", "edges", "symmetric", "load_ms"}
    assert run["graph"]["name"] == "dag:40:0.3"
    assert run["algorithm"]["family"] == ANY["family"]
    assert run["algorithm"]["variant"] == ANY["variant"]
    assert isinstance(run["algorithm"]["options"], dict)
    assert len(run["trials"]) == 3
    for trial in run["trials"]:
        times = {"time_ms", "reset_ms", "kernel_ms", "download_ms"}
        measured = {"source", *times, "edges", "search_mteps", "mteps", "reached"}
        assert set(trial) == measured | {"verified", "tree_depth", "cross_share", "batch_sources"}
        assert trial["verified"] is True
        assert trial["time_ms"] >= trial["reset_ms"] + trial["kernel_ms"] - 2e-6
        assert min(trial["reset_ms"], trial["kernel_ms"]) >= 0
    assert set(run["summary"]) >= SUMMARY_KEYS
    assert (run["summary"]["sources"], run["summary"]["verified"]) == (3, "all")


def test_verify_modes():
    verified = {}
    for mode in ("none", "first", "all"):
        run = gtrav_json(*RUN, "--sources", "3", "--verify", mode)
        verified[mode] = ([trial["verified"] for trial in run["trials"]], run["summary"]["verified"])
    assert verified == {
        "none": ([None, None, None], "none"),
        "first": ([True, None, None], "first"),
        "all": ([True, True, True], "all"),
    }


def test_several_runs_make_an_array():
    runs = gtrav_json(*RUN, "--graph", "dag:20:0.3", "--sources", "2")
    assert [run["graph"]["name"] for run in runs] == ["dag:40:0.3", "dag:20:0.3"]
    every = gtrav_json("--algo", "bfs", "--variant", "all", "--graph", "kron:6", "--sources", "2")
    every = every if isinstance(every, list) else [every]
    can_run = [a["variant"] for a in gtrav_json("--list") if a["family"] == "bfs" and a["available"]]
    assert sorted(run["algorithm"]["variant"] for run in every) == sorted(can_run)
    named = gtrav_json("--algo", "bfs", "--variant", "serial,gap", "--graph", "kron:6", "--sources", "2")
    assert [run["algorithm"]["variant"] for run in named] == ["serial", "gap"]
    twice = gtrav_json("--algo", "bfs", "--variant", "gap,gap", "--variant", "gap", "--graph", "kron:6")
    assert twice["algorithm"]["variant"] == "gap"
    beside_all = gtrav_json(
        "--algo", "bfs", "--variant", "gap,all", "--graph", "kron:6", "--sources", "2", "--device", "cpu"
    )
    assert sorted(run["algorithm"]["variant"] for run in beside_all) == ["gap", "serial"]


def test_a_failure_does_not_stop_the_rest(tmp_path):
    (tmp_path / "bad.mtx").write_text("no banner")
    result = gtrav(
        *RUN[:4], "--graph", tmp_path / "bad.mtx", "--graph", "dag:9:0.5", "--sources", "2", "--json"
    )
    assert result.status == 2
    assert [run["graph"]["name"] for run in json.loads(result.out)] == ["dag:9:0.5"]


def test_only_data_on_standard_output():
    result = gtrav_ok(*RUN, "--sources", "2", "--json")
    json.loads(result.out)
    assert "dag:40:0.3" in result.err
    assert gtrav_ok(*RUN, "--sources", "2", "--json", "--quiet").err == ""


def test_table_for_people():
    text = gtrav_ok(*RUN, "--sources", "2").out
    for word in ("dag:40:0.3", ANY["variant"], "MTEPS", "ms"):
        assert word in text


def test_option_values():
    def options(*words):
        run = gtrav_json("--algo", "bfs", "--variant", "gap", "--graph", "kron:6", "--sources", "1", *words)
        return run["algorithm"]["options"]

    assert options() == {"alpha": 15, "beta": 18, "narrow": 4096}
    assert options("--set", "alpha=3") == {"alpha": 3, "beta": 18, "narrow": 4096}
    assert options("--set", "alpha=3", "--set", "beta=4", "--set", "alpha=5") == {
        "alpha": 5,
        "beta": 4,
        "narrow": 4096,
    }


def test_cyclic_graph_has_no_topological_order():
    for algorithm in algorithms():
        if algorithm["family"] == "topo":
            result = gtrav(
                "--algo", "topo", "--variant", algorithm["variant"], "--graph", "cycle:5", "--quiet"
            )
            complains(result, "cycle:5", "cycle")
