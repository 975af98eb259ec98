"""helpers.py: how the tests run gtrav and the scripts, and read what they write."""

import csv
import json
import os
import subprocess
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from forks import run_script

ROOT = Path(__file__).resolve().parent.parent.parent
GTRAV = os.environ.get("GTRAV", str(ROOT / "build" / "gtrav"))
DEVICE = os.environ.get("GTRAV_TEST_DEVICE", "auto")  # gpu: only algorithms of the GPU are tested
DATA = ROOT / "tests" / "data"
SECONDS = 600  # far more than anything takes, on a busy machine, too
BANNER = "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n"

# The columns of a summary file, as DESIGN section 6 names them, what says how depth-first a tree
# is, and what was built.
SUMMARY = (
    "graph,vertices,edges,graph_hash,family,variant,options,device,sources,verified,load_ms,prepare_ms,"
    "upload_ms,download_ms,total_ms,mean_time_ms,"
    "median_time_ms,min_time_ms,max_time_ms,mean_reset_ms,median_reset_ms,mean_kernel_ms,median_kernel_ms,"
    "min_kernel_ms,max_kernel_ms,mean_search_mteps,harmonic_mean_search_mteps,mean_mteps,harmonic_mean_mteps,"
    "mean_tree_depth,mean_cross_share,reorder_ms,build_ms,device_bytes,peak_device_bytes,note,facts,"
    "batch_sources,batch_time_ms,batch_kernel_ms,trial_ms,trial_kernel_ms,trial_edges,source_list,small_reach,"
    "time_limit_s,devices,cores,busy_cores,cpu_mhz,sm_mhz_before,sm_mhz_after,temperature_c,clock_limits,"
    "machine,driver,throttled,threads,build,version,date,launch,turn,repeats,check"
)


@dataclass
class Result:
    status: int
    out: str
    err: str


def execute(command, **options):
    run = subprocess.run([str(word) for word in command], capture_output=True, timeout=SECONDS, **options)
    return Result(run.returncode, run.stdout.decode(), run.stderr.decode())


def gtrav(command="", *arguments, **options):
    """Runs gtrav with the words of a command line, and further arguments as they are."""
    words = command.split() if isinstance(command, str) else [command]
    return execute([GTRAV, *words, *arguments], **options)


def ok(result):
    """The result of a command that succeeded."""
    assert result.status == 0, result.err
    return result


def gtrav_ok(*arguments, **options):
    return ok(gtrav(*arguments, **options))


def read_json(text):
    """What gtrav printed with --json: always a list; of one with a single object, the object."""
    found = json.loads(text)
    assert isinstance(found, list)
    return found[0] if len(found) == 1 else found


def gtrav_json(*arguments, **options):
    return read_json(gtrav_ok(*arguments, "--json", **options).out)


def info(graph, *arguments):
    return gtrav_json("--info --graph", graph, *arguments)


def script(name, *arguments, env=None):
    status, out, err = run_script([ROOT / name, *arguments], ROOT, env or os.environ, SECONDS)
    return Result(status, out.decode(), err.decode())


def write_program(path, text):
    """A file that runs as a program; the file."""
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def refused(result, *words, status=2):
    """The result of a command that failed with an error that has all the words."""
    assert result.status == status, (result.status, result.err)
    for word in words:
        assert word in result.err, f"{word!r} is not in {result.err!r}"
    return result


def complains(result, *words, status=2, program="gtrav"):
    """The result is an error of one line that has all the words, and nothing else was printed."""
    lines = refused(result, *words, status=status).err.splitlines()
    assert len(lines) == 1, lines
    assert lines[0].startswith(f"{program}: "), lines
    assert result.out == ""


@cache
def algorithms():
    """What --list says can run here, on the device under test."""
    listing = gtrav_json("--list")
    return [a for a in listing if a["available"] and DEVICE in ("auto", a["device"])]


def write_mtx(path, num_vertices, edges):
    lines = ["%%MatrixMarket matrix coordinate pattern general", f"{num_vertices} {num_vertices} {len(edges)}"]
    path.write_text("\n".join([*lines, *(f"{u + 1} {v + 1}" for u, v in edges)]) + "\n")
    return path


def read_mtx(path):
    """Number of vertices and set of edges of a pattern file that gtrav wrote."""
    lines = Path(path).read_text().splitlines()
    entries = [tuple(int(word) - 1 for word in line.split()) for line in lines[2:]]
    assert len(entries) == int(lines[1].split()[2])
    edges = set(entries)
    if lines[0].endswith("symmetric"):
        edges |= {(v, u) for u, v in entries}
    return int(lines[1].split()[0]), edges


def edges_of(graph, folder, *arguments):
    """What gtrav makes of a graph argument: number of vertices and set of edges."""
    gtrav_ok("--graph", graph, "--write", folder / "edges-of.mtx", *arguments)
    return read_mtx(folder / "edges-of.mtx")


def rows_of(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def rows_in(folder, pattern):
    """Of the one file below a folder that fits the pattern."""
    (path,) = folder.glob(pattern)
    return rows_of(path)


def cells_of(text):
    """The cells of the tables in a Markdown text, line by line."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def run_mode(folder, mode, *words, program=GTRAV):
    """scripts/run_all.sh, offline, with results and figures in a folder."""
    to = ("--results", folder / "results", "--figures", folder / "figures", "--offline")
    environment = {**os.environ, "GTRAV": str(program)}
    return execute(["scripts/run_all.sh", *mode.split(), *to, *words], cwd=ROOT, env=environment)


def drawn_in(folder):
    return {path.stem for path in folder.glob("*.pdf")}
