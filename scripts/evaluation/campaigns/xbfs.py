"""Measures XBFS, its parts and its rivals.

  times    XBFS with and without its parts, Enterprise, and other BFS: table 2, figures 11 and 14
  levels   every level of some of these, traced: figures 10, 12, 13 and 15
  work     how many edges bottom-up frontiers have, and how many they look at: figure 9
  lemma    what lemma 3 predicts of the levels that are traced; needs no GPU
  enqueue  the two ways to fill a queue, by themselves (build/bench/enqueue): figure 5

Numbers of tables and figures are those of the paper (Gaihre et al., HPDC 2019). XBFS and Enterprise run as in
the paper (mode=paper), and as ours beside it. As there, edges of a directed graph get their reverse. Of the
largest graphs fewer configurations are measured, from 16 sources. Records go to DIR/xbfs-<part>/<device>/. A
run that fails does not stop the rest, and what is measured is not measured again. Words after -- are given to
gtrav as they are.

Exit status: 0 all ran, 1 some failed, 2 bad usage or list, 130 interrupted.
"""

import csv
import subprocess
import tempfile
from pathlib import Path

from evaluation.analyses.xbfs import AD, CONFIGURATIONS, CORE, ENTERPRISE, FULL, RIVALS, WARP, WB, Measured
from evaluation.campaigns import campaign, parts
from evaluation.campaigns.gtrav import devices_of, known_algorithms
from evaluation.campaigns.peer_formats import read_gtrav
from evaluation.command import new_parser, say
from evaluation.files import write_atomically
from evaluation.text_tables import as_csv

import numpy as np

TRACED = (ENTERPRISE, AD, WB, FULL)
HIGH_DEGREE_NEVER = "high-degree-above=67108864"  # what a frontier looks at is its thread's own work, as in the paper
LARGE = 5e8  # edges: of a graph with more, fewer configurations are measured, from fewer sources
FEW_SOURCES = ("--sources", "16")

MILLION = 10**6
SIZES = tuple(MILLION * 2**i for i in range(10))  # figure 5
SMALL_SIZES = tuple(1000 * 2**i for i in range(4))
SMALL_GRAPHS = ("kron:9", "urand:8", "grid:9x9")
SMALL_WORDS = ("--sources", "3")
PARTS = ("times", "levels", "work", "lemma", "enqueue")
LEMMA_SOURCES = 2
ALPHA = 0.1  # XBFS, section 4.3
LEMMA_COLUMNS = ("graph", "source", "vertices", "predicted")


# ---- what to run ----


def settings(options):
    return [word for name, value in options.items() for word in ("--set", f"{name}={value}")]


def runs_of(part, variants, more, large=False):
    """What a part runs on a graph; variants: {variant of bfs: the device for it}; more: further words.

    large: the graph is (LARGE)."""

    def run(label, names, device, *words):
        algorithm = ["--algo", "bfs", "--variant", ",".join(names), "--device", device]
        return parts.Run(f"{part}, {label}", f"xbfs-{part}", [*more, *algorithm, *words])

    times = CORE if large else CONFIGURATIONS
    wanted = {"times": times, "levels": TRACED, "work": () if large else (WARP,)}[part]
    trace = {"times": (), "levels": ("--set", "trace=1"), "work": ("--set", "trace=2", "--set", HIGH_DEGREE_NEVER)}
    for name in wanted:
        variant, options = CONFIGURATIONS[name]
        if variant in variants:
            yield run(name, [variant], variants[variant], *settings(options), *trace[part])
    if part == "times":
        for device in dict.fromkeys(variants.values()):
            rivals = [name for name in RIVALS if variants.get(name) == device]
            if rivals:
                yield run(",".join(rivals), rivals, device)


def more_words(arguments, entry, graph):
    """The edges of a directed graph of a list get their reverse; a small graph is searched less often."""
    of_a_list = not (arguments.graph or entry.generated) and graph == str(entry.file(arguments.graphs))
    both_ways = ["--undirected"] if of_a_list and "undirected" not in entry.kind else []
    asked = any(word.startswith("--source") for word in arguments.extra)
    fewer = SMALL_WORDS if arguments.small else FEW_SOURCES if is_large(entry) else ()
    return [*both_ways, *(fewer if not asked else ())]


def is_large(entry):
    return (entry.edges or 0) > LARGE


def enqueue_program(arguments):
    return Path(arguments.gtrav).parent / "bench" / "enqueue"


def why_no_enqueue(arguments, variants):
    """Why figure 5 cannot be measured here; empty: it can."""
    if "xbfs" not in variants:
        return "no GPU"
    program = enqueue_program(arguments)
    return "" if program.is_file() else f"no {program}"


def run_enqueue(arguments, device):
    """Figure 5's measurements, if they are not there."""
    if list(arguments.csv.glob("xbfs-enqueue/*/enqueue.csv")) and "--fresh" not in arguments.extra:
        return
    words = SIZES if device == "gpu" else ("--emulator", "--runs", "1", *SMALL_SIZES)
    command = [enqueue_program(arguments), *map(str, words)]
    table = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    first, *others = csv.DictReader(table.splitlines())
    write_atomically(arguments.csv / "xbfs-enqueue" / first["device"] / "enqueue.csv", table)
    say(f"the ways to fill a queue: {1 + len(others)} sizes")


# ---- lemma 3 ----


def predict(offsets, targets, levels):
    """(number of vertices, mean probability) of the level after the first bottom-up one; None: there is none.

    By the lemma a vertex of the next level is found early with the probability 1 - (1 - s / |Q|)^N. s is its
    place in the queue Q of that level, and N the number of its neighbours that the level finds.

    offsets, targets: CSR arrays of an undirected graph; levels: of a search, -1 where unreached."""
    offsets, degrees = offsets.astype(np.int64), np.diff(offsets.astype(np.int64))
    edges = np.bincount(levels[levels >= 0], weights=degrees[levels >= 0])
    bottom_up = np.flatnonzero(edges >= ALPHA * len(targets))
    if not len(bottom_up):
        return None
    level = bottom_up[0] + 1  # what the first bottom-up iteration finds
    queue = np.flatnonzero(((levels >= level) | (levels < 0)) & (degrees > 0))
    places = np.flatnonzero(levels[queue] == level + 1)
    if not len(places):
        return None
    found = np.concatenate([[0], np.cumsum(levels[targets] == level)])
    neighbours = found[offsets[queue[places] + 1]] - found[offsets[queue[places]]]
    return len(places), float(np.mean(1 - (1 - places / len(queue)) ** neighbours))


def predict_searches(gtrav, graph, sources):
    """{source: what predict() gives} of searches on a graph, a file or a generator's spec."""
    with tempfile.TemporaryDirectory(prefix="gtrav-") as folder:
        stored, levels = Path(folder) / "graph.gtrav", Path(folder) / "levels.npy"
        subprocess.run([gtrav, "--graph", graph, "--write", stored, "--quiet"], check=True)
        arrays = read_gtrav(stored)
        found = {}
        for source in sources:
            search = ("--algo", "bfs", "--variant", "gap", "--source", str(source), "--output", levels)
            words = [gtrav, "--graph", stored, *search, "--quiet"]
            subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
            found[source] = predict(*arrays, np.load(levels).astype(np.int32))
    return found


def run_lemma(arguments, graph):
    """Lemma 3's predictions of the first traced searches on a graph, if they are not there."""
    name = Path(graph).name.removesuffix(".gtrav")
    path = arguments.csv / "xbfs-lemma" / f"{name}.csv"
    traced = Measured(arguments.csv, emulated_counts=True).levels().get(name, {}).get(FULL, {})
    if path.is_file():
        return
    if not traced:
        raise campaign.StepError("no traced levels of XBFS; the part levels makes them")
    predicted = predict_searches(arguments.gtrav, graph, sorted(traced)[:LEMMA_SOURCES])
    rows = [(name, source, *found) for source, found in predicted.items() if found]
    write_atomically(path, as_csv(LEMMA_COLUMNS, rows))
    say(f"lemma 3 on {name}: {len(traced)} searches traced")


# ---- the command line ----


def main():
    parser = new_parser(__doc__)
    parts.add_options(parser, PARTS, "run_xbfs")
    arguments = parts.parse(parser, PARTS)
    bfs = [known for known in known_algorithms(arguments.gtrav) if known["family"] == "bfs"]
    devices = devices_of(bfs, arguments.small)
    variants = {name.removeprefix("bfs "): device for name, device in devices.items()}

    steps = {}
    graphs = parts.choose_graphs(arguments, "xbfs_list.csv", SMALL_GRAPHS)
    for entry, graph in sorted(graphs, key=lambda one: one[0].edges or 0):  # the largest last
        of_graphs = [part for part in arguments.part if part != "enqueue"]
        steps.update({(entry.name, part): (part, entry, graph) for part in of_graphs})
    left_out = ""
    if "enqueue" in arguments.part:
        left_out = why_no_enqueue(arguments, variants)
        steps.update({} if left_out else {("", "enqueue"): None})
    if arguments.plan:
        return campaign.name_steps(arguments, steps)
    if left_out:
        say(f"left out: the ways to fill a queue, {left_out}")

    run_part = parts.runner(
        arguments,
        lambda part, entry, graph: runs_of(part, variants, more_words(arguments, entry, graph), is_large(entry)),
    )

    def run(step):
        if step is None:
            return run_enqueue(arguments, variants["xbfs"])
        part, entry, graph = step
        if part == "lemma" and graph:
            return None if is_large(entry) else run_lemma(arguments, graph)
        return run_part(step)

    return campaign.carry_out(arguments, steps, run)
