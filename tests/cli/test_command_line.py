"""The command line: what it takes, what it answers, and how it helps with slips of the fingers.

The JSON of runs is tested in tests/unit/test_json.c, sources in test_sources.c."""

import json
import re

from evaluation.records import read_records

import pytest

from helpers import ROOT, algorithms, complains, gtrav, gtrav_json, gtrav_ok

ANY = algorithms()[0]
RUN = f"{ANY['family']} dag:40:0.3 --variant {ANY['variant']}"
BFS = next(a["variant"] for a in algorithms() if a["family"] == "bfs")

MISTAKES = {
    "": ("--algo", "--help"),
    "kron:8": ("kron:8", "--info"),
    "--Graph kron:8 --info": ("'--graph'",),
    "-x": ("-x",),
    "--varaint queue": ("did you mean '--variant'?",),
    "-graph g": ("did you mean '--graph'?",),
    "--vari queue": ("unknown option '--vari'",),
    "--graph= --info": ("--graph needs a value",),
    "--algo --graph g": ("--algo needs a value: FAMILY",),
    "--sources 0": ("--sources takes a whole number from 1 to",),
    "--sources 99999999999999999999": ("--sources takes a whole number from 1 to",),
    "--sources 8x": ("not '8x'",),
    "--verify al": ("--verify takes none|first|all, not 'al'; did you mean 'all'?",),
    "--device toaster": ("--device takes auto|gpu|cpu|cpu-emulator|webgpu, not 'toaster'",),
    "--graph g --variant queue": ("--variant needs --algo",),
    "--graph g --algo bfs --fresh": ("--fresh needs --csv",),
    "--graph g --algo bfs --info": ("give one of the two",),
    "--list bfs --variant gap": ("leave out --variant",),
    "--graph g --info --ids some": ("--ids takes auto|any|dense",),
    "--algo bsf --graph kron:8": ("bsf", "did you mean 'bfs'"),
    "--algo fbs --graph kron:8": ("did you mean 'bfs'",),
    "--algo TOPO --graph kron:8": ("did you mean 'topo'",),
    "--algo quux --graph kron:8": ("quux", "dfs"),
    f"--algo {199 * 'b'} --graph kron:8": ("bbb", "dfs"),
    "bfs kron:8 --variant serail": ("serail", "did you mean 'serial'"),
    "bfs kron:8 --variant ,": ("--variant",),
    "bfs kron:8 --variant gap --set alpa=3": ("alpa", "did you mean 'alpha'"),
    "bfs kron:8 --variant gap --set alpha": ("NAME=VALUE",),
    "bfs kron:8 --variant gap --set alpha=many": ("alpha", "many"),
    "bfs kron:8 --variant gap --set alpha=0": ("alpha", "0"),
    "bfs kron:8 --variant serial --device gpu": ("serial", "CPU"),
    "dfs path:4 --variant ckl --output-parents": ("--output-parents",),
    "topo dag:9:0.5 --source 1": ("topo", "sources"),
    "bfs path:4 --long": ("--long needs --list\n",),
    "--list --long --json": ("leave out --long",),
    "--list bsf": ("did you mean 'bfs'",),
    "--list nonsense": ("'nonsense' is not a family (bfs, msbfs,",),
    "nofile.mtx": ("nofile.mtx: no such file",),
    "bfs ./nofile": ("./nofile: cannot open",),
    "pagerank kron:8": ("'pagerank' is not a family (bfs, msbfs,",),
    "bfs kron:8 quux": ("'quux' is neither a file nor a generator",),
    "bfs kron:8 gap": ("'gap' is a variant of bfs; write --variant gap",),
    "bfs:gap kron:8 serial": ("'serial' is a variant of bfs; write --variant serial",),
    "bfs:serail kron:8": ("serail", "did you mean 'serial'"),
    "--list bfs:gap": ("leave out --variant",),
    "kron --info": ("did you mean 'kron:SCALE[:EDGEFACTOR]'",),
    "grid10x20 --info": ("did you mean 'grid:10x20'",),
    "dagg:40:0.5 --info": ("did you mean 'dag:40:0.5'",),
    "--graph krn10 --info": ("did you mean 'kron:10'",),
    "help": ("'--help'",),
    "bfs path:4 --max-depth 2 --pairs x.csv": ("--max-depth",),
    "dfs path:4 --max-depth 2": ("--max-depth",),
    "graph500 graph500:5 --targets 2": ("--targets",),
    "bfs path:4 --targets 2 --csv out": ("--targets", "--csv"),
    "bfs path:4 --targets 4": ("--targets: 4 is not a vertex of path:4",),
    "--help bsf": ("did you mean 'bfs'",),
    "--help bfs:serail": ("did you mean 'serial'",),
    "--help genrators": ("did you mean 'generators'",),
    "bfs version": ("'--version'",),
    "bfs kron:8 --csv out.csv": ("--csv out.csv", "folder", "--output"),
    "bfs kron:8 --wide --json": ("--wide", "--json"),
    "bfs kron:8 --trials --json": ("--json has every trial", "--trials"),
    "closeness kron:8 --trials": ("--trials", "closeness"),
    "bfs path:4 --aggregates": ("--aggregates",),
    "msbfs path:4 --aggregates --output x": ("--aggregates",),
    "dfs path:4 --variant serial --pairs pairs.csv": ("no levels",),
    "msbfs path:4 --variant then,pbfs --pairs pairs.csv": ("--pairs takes one graph and one variant",),
    "msbfs path:4 --source 1 --pairs pairs.csv": ("--pairs names the sources; leave out --sources",),
    "msbfs path:4 --aggregates --pairs pairs.csv": ("--pairs cannot be combined with --aggregates",),
    "closeness kron:6 --variant serial --checkpoint state": ("state: not a checkpoint",),
    "bfs path:4 --checkpoint x": ("--checkpoint",),
    "closeness path:4 --sources 5": ("--sources 5",),
    "closeness path:4 --source 1,1": ("twice",),
    "closeness path:4 --variant gap": ("gap",),
    "closeness path:4 --checkpoint-every 5": ("for closeness with --output or --checkpoint",),
    "bfs path:4 --checkpoint-every 5 --output x": ("--checkpoint-every is for closeness",),
    "bfs path:4 --output - --json": ("--json", "--output -"),
    "bfs path:4 --write - --json": ("--json", "--write -"),
    "bfs path:4 --write - --output -": ("--write", "--output"),
    "msbfs path:4 --pairs x.csv --write -": ("--write", "--pairs"),
    "bfs path:3 --reorder rmc": ("unknown order 'rmc'", "did you mean 'rcm'?"),
    "bfs path:3 --reorder jaccard:0": ("jaccard:0", "whole number", "jaccard[:W]"),
    "path:3 --info --reorder rcm": ("--reorder", "--algo", "--write"),
    "bfs path:0 --reorder rcm": ("path:0",),
    "closeness path:9 --time-limit 5": ("--time-limit", "closeness or --output"),
    "bfs path:9 --output levels.txt --time-limit 5": ("--time-limit", "closeness or --output"),
}


@pytest.mark.parametrize("line", MISTAKES)
def test_mistake(line, tmp_path):
    (tmp_path / "pairs.csv").write_text("0,1\n")
    (tmp_path / "state").write_text("something else, which is of some length, as a note may be" * 9)
    complains(gtrav(line, *["--quiet"] * ("--help" not in line), cwd=tmp_path), *MISTAKES[line])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["pairs.csv", "state"]


def test_family_and_graphs_are_words(tmp_path):
    (tmp_path / "dfs").write_text("0 1\n1 2\n")
    [run] = json.loads(gtrav_ok("bfs dfs --variant serial --json", cwd=tmp_path).out)
    assert run["graph"]["vertices"] == 3  # the family is named: dfs is the file


@pytest.mark.parametrize("words", ["bfs:serial path:3", "path:3 bfs:serial", "--algo bfs:serial --graph path:3"])
def test_a_family_may_name_its_variant(words):
    assert gtrav_json(f"{words} --threads 1")["algorithm"]["variant"] == "serial"


@pytest.mark.parametrize("words", ["--csv out", "--csv=out", "--csv --quiet", "--csv"])
def test_a_value_may_be_left_out(words, tmp_path):
    gtrav_ok(f"bfs path:3 path:4 --variant serial --threads 1 {words}", cwd=tmp_path)
    folder = tmp_path / ("out" if "out" in words else "results/local")
    [records] = folder.glob("*/bfs_serial_perf.csv")
    rows = [row.split(",")[0] for row in records.read_text().splitlines()]
    assert rows == ["graph", "path:3", "path:4"]
    assert ",first," in records.read_text()


@pytest.mark.parametrize("option", ["msbfs --pairs", "bfs --sources-file"])
def test_input_files_are_looked_for_before_the_graph_is_loaded(option):
    result = gtrav(f"{option} absent --graph kron:6 --variant serial")
    complains(result, "absent: cannot open")
    assert "kron:6: " not in result.err


def test_no_run_is_announced_before_an_error(tmp_path):
    (tmp_path / "bad.mtx").write_text("no banner")
    reported = gtrav("bfs bad.mtx --device cpu --threads 1", cwd=tmp_path).err.splitlines()
    assert [line for line in reported if not line.startswith("warning: ")] == reported[-1:]
    assert reported[-1].startswith("gtrav: ")


def test_sources_are_taken_in_order(tmp_path):
    run = f"bfs path:9 --variant {BFS}"
    assert gtrav_json(run, "--source", "5,3,5")["sources"] == [5, 3, 5]
    (tmp_path / "sources.txt").write_text("# comment\n  7\r\n\n2 # two\n")
    assert gtrav_json(run, "--sources-file", tmp_path / "sources.txt")["sources"] == [7, 2]
    assert len(gtrav_json(run)["sources"]) == 64
    complains(gtrav(f"bfs path:1 --variant {BFS} --quiet"), "path:1", "--source")
    assert gtrav_json(f"bfs path:1 --variant {BFS} --source 0")["trials"]


def test_version():
    release = (ROOT / "VERSION").read_text().strip()
    assert re.match(rf"gtrav {re.escape(release)}( \(\S+\))?\nbuild ", gtrav_ok("--version").out)
    assert gtrav_ok("-V").out == gtrav_ok("--version").out
    for name in ("CITATION.cff", "packaging/conda/recipe.yaml"):
        told = re.findall(r'^ *version: "?([\d.]+)"?$', (ROOT / name).read_text(), re.MULTILINE)
        assert told == [release], name


def test_list():
    listing = gtrav_json("--list")
    keys = "family variant device outputs on_request title citation reorder profiled test_options available emulated"
    for algorithm in listing:
        assert set(algorithm) == set(keys.split())
        assert algorithm["device"] in ("cpu", "gpu", "webgpu")
        assert algorithm["outputs"]
    names = [(a["family"], a["variant"]) for a in listing]
    assert len(set(names)) == len(names)
    assert {("bfs", "serial"), ("bfs", "gap"), ("dfs", "serial"), ("topo", "serial")} <= set(names)
    table = gtrav_ok("--list --long").out
    for family, variant in names:
        assert any(line.split()[:2] == [family, variant] for line in table.splitlines())
    assert "--algo closeness" in table
    assert gtrav_json("--list dfs") == [entry for entry in listing if entry["family"] == "dfs"]
    assert {entry["family"] for entry in gtrav_json("--list closeness")} == {"msbfs"}


HELPS = ("--help all", "--help bfs:dobfs", "bfs path:3 --variant dobfs --set offset-bit=0")


@pytest.mark.parametrize("words", HELPS)
def test_options_for_tests_are_listed_but_not_shown(words):
    dobfs = [a for a in gtrav_json("--list bfs") if a["variant"] == "dobfs"]
    if not dobfs:
        pytest.skip("this build has neither CUDA nor the emulator")
    assert dobfs[0]["test_options"] == ["force", "offset-bits", "policy"]
    shown = gtrav(words)
    text = shown.out + shown.err
    assert "small-limits" not in text and "offset-bits" not in text
    assert shown.status == 2 or "top-down" in text


OF_A_RUN = "version build date threads graph algorithm device verify warnings"
MEMBERS = {  # of an entry of --json: those that it always has
    "trials": f"{OF_A_RUN} sources trials summary resumed times_fastest",
    "pairs": f"{OF_A_RUN} pairs searches verified time_ms",
    "closeness": f"{OF_A_RUN} sources exact resumed verified top times_fastest",
    "info": """name origin reordering vertices edges self_loops_dropped duplicates_dropped isolated max_degree
        sum_squared_degrees components largest_component pseudo_diameter csr_bytes symmetric acyclic scale_free
        top1_share top10_share fit_slope fit_r2 load_ms degree_histogram""",
    "listed": "family variant device outputs on_request available emulated",
    "compared": "graph family verdict old new sources remark",
}
WITHIN = {  # their own members
    "graph": "name vertices edges symmetric load_ms",
    "algorithm": "family variant options",
    "trials": "source edges reached time_ms kernel_ms mteps verified",
    "summary": "sources verified mean_time_ms mean_mteps",
    "pairs": "src dst length",
    "top": "vertex closeness",
    "degree_histogram": "from to vertices",
    "old": "variant options device threads build launches ms",
}


@pytest.mark.parametrize(
    "kind, words",
    {
        "trials": f"{RUN} --sources 2 --verify all",
        "trials of the emulator": "bfs kron:8 --variant slices --device cpu-emulator --sources 2 --reorder rcm",
        "trials of many": "msbfs kron:8 --device cpu --sources 4",
        "pairs": "msbfs dag:9:0.9 --device cpu --pairs pairs.csv --paths",
        "closeness": "closeness kron:8 --device cpu",
        "info": "--info kron:8",
        "listed": "--list",
        "compared": "compare --launches 4 -- bfs path:9 --variant gap,serial",
    }.items(),
)
def test_members_of_json(kind, words, tmp_path):
    (tmp_path / "pairs.csv").write_text("0,2\n2,0\n")
    command, dashes, rest = words.partition(" -- ")
    found = json.loads(gtrav_ok(f"{command} --json{dashes}{rest}", cwd=tmp_path).out)
    assert found
    for entry in found:
        assert set(MEMBERS[kind.split()[0]].split()) <= entry.keys()
        for name in WITHIN.keys() & entry.keys():
            inner = entry[name] if isinstance(entry[name], list) else [entry[name]]
            assert inner, name
            for one in (one for one in inner if isinstance(one, dict)):  # the graph of a comparison is a name
                assert set(WITHIN[name].split()) <= one.keys(), name


def test_several_runs_make_an_array():
    def ran(words):
        runs = json.loads(gtrav_ok(f"{words} --sources 2 --json").out)
        return [run["graph"]["name"] for run in runs], [run["algorithm"]["variant"] for run in runs]

    assert ran(f"{RUN} dag:20:0.3")[0] == ["dag:40:0.3", "dag:20:0.3"]
    can_run = [a["variant"] for a in gtrav_json("--list bfs") if a["available"]]
    assert sorted(ran("bfs kron:6 --variant all")[1]) == sorted(can_run)
    assert ran("bfs kron:6 --variant serial,gap")[1] == ["serial", "gap"]
    assert ran("bfs kron:6 --variant gap,gap --variant gap")[1] == ["gap"]
    assert sorted(ran("bfs kron:6 --variant gap,all --device cpu")[1]) == ["gap", "serial"]


def test_a_failure_does_not_stop_the_rest(tmp_path):
    (tmp_path / "bad.mtx").write_text("no banner")
    for words in (f"{RUN} bad.mtx --sources 2", "--info bad.mtx dag:40:0.3"):
        result = gtrav(f"{words} --json", cwd=tmp_path)
        assert (result.status, "bad.mtx" in result.err, len(json.loads(result.out))) == (2, True, 1)


def test_quiet_leaves_standard_error_empty():
    result = gtrav_ok(f"{RUN} --sources 2")
    assert "dag:40:0.3" in result.err and "MTEPS" in result.out and ANY["variant"] in result.out
    assert gtrav_ok(f"{RUN} --sources 2 --quiet").err == ""


def test_limits(tmp_path):
    path = "bfs path:100 --variant serial,gap --source 0 --verify all --csv"
    gtrav_ok(path, tmp_path)
    for run in gtrav_json(path, tmp_path, "--max-depth", "7"):
        assert run["max_depth"] == 7
        assert (run["trials"][0]["reached"], run["trials"][0]["edges"], run["trials"][0]["verified"]) == (8, 13, True)
    for file in tmp_path.glob("*/bfs_*_perf.csv"):
        assert len(file.read_text().splitlines()) == 3
        assert len(read_records(file)) == 1
    path = "bfs path:100 --source 10,50 --targets 20,60 --verify all --reorder random --device cpu --variant"
    runs = [*gtrav_json(path, "all"), gtrav_json(path, "auto")]
    assert sorted(run["algorithm"]["variant"] for run in runs) == ["gap", "gap", "serial"]
    for run in runs:
        assert run["targets"] == [20, 60] and all(trial["verified"] for trial in run["trials"])
        assert [trial["target_levels"] for trial in run["trials"]] == [[10, 50], [30, 10]]
        assert [trial["edges"] for trial in run["trials"]] == [2 * 61 - 3, 2 * 61 - 4]
    told = gtrav_ok(path, "auto", "--max-depth", "40")
    assert "bfs gap from 10: 20 on level 10, 60 not reached\n" in told.out
    assert "bfs auto: running gap, which takes limits" in told.err
    assert gtrav_json("bfs dag:40:0.3 --sources 1 --reverse --verify all")["graph"]["name"] == "dag:40:0.3+reversed"
