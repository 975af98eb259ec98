"""XBFS, its parts and its rivals (Gaihre et al., HPDC 2019).

  times    XBFS with and without its parts, Enterprise, and other BFS: table 2, figures 11 and 14
  levels   a profile of every level of some of these: figures 10, 12, 13 and 15
  work     how many edges bottom-up frontiers have, and how many of them a search reads: figure 9
  lemma    the predictions of lemma 3 for the traced levels; needs no GPU
  enqueue  the two ways to fill a queue, by themselves (build/bench/enqueue): figure 5

XBFS and Enterprise run as in the paper (mode=paper), and at their best beside it. As in the paper, edges of a
directed graph get their reverse. The largest graphs get fewer configurations, and 16 sources. Records go to
DIR/xbfs-<part>/<device>/.
"""

import csv
import subprocess
import tempfile
from functools import partial
from pathlib import Path

from evaluation.analyses.xbfs import AD, CONFIGURATIONS, CORE, ENTERPRISE, FULL, RIVALS, WARP, WB, traced_levels
from evaluation.campaigns import runs
from evaluation.campaigns.gtrav import devices_of, known_algorithms
from evaluation.campaigns.loop import Campaign, StepError
from evaluation.campaigns.peer_formats import read_gtrav
from evaluation.campaigns.runs import Run
from evaluation.command import say
from evaluation.files import write_atomically
from evaluation.text_tables import as_csv

import numpy as np

TRACED = (ENTERPRISE, AD, WB, FULL)
# Every thread reads the edges of its own frontier, as in the paper.
HIGH_DEGREE_NEVER = "high-degree-above=67108864"
TRACE = {"times": (), "levels": ("--profile",), "work": ("--set", "work=1", "--set", HIGH_DEGREE_NEVER)}
LARGE = 5e8  # edges; a graph with more gets fewer configurations and sources
FEW_SOURCES = ("--sources", "16")

SIZES = tuple(10**6 * 2**i for i in range(10))  # figure 5
RUNS = 5  # the fastest counts
SMALL_SIZES = tuple(1000 * 2**i for i in range(4))
SMALL_GRAPHS = ("kron:9", "urand:8", "grid:9x9")
SMALL_WORDS = ("--sources", "3")
PARTS = ("times", "levels", "work", "lemma", "enqueue")
LEMMA_SOURCES = 4
ALPHA = 0.1  # share of the edges from which on the lemma searches a level bottom-up (section 4.3)
LEMMA_COLUMNS = ("graph", "source", "vertices", "predicted", "neighbours")


def add_options(parser):
    runs.add_options_of_parts(parser, PARTS)


def is_large(entry):
    return (entry.edges or 0) > LARGE


def runs_of(part, variants, more, large, graph):
    """Yields the runs of a part on a graph; variants: {variant of bfs: its device}; more: further words."""

    def run(label, names, device, *words):
        algorithm = ["--algo", "bfs", "--variant", ",".join(names), "--device", device]
        return Run(f"{part}, {label}", f"xbfs-{part}", [*more, *algorithm, *words])

    times = CORE if large else CONFIGURATIONS
    for name in {"times": times, "levels": TRACED, "work": () if large else (WARP,)}[part]:
        variant, options = CONFIGURATIONS[name]
        if variant in variants:
            words = [word for option, value in options.items() for word in ("--set", f"{option}={value}")]
            yield run(name, [variant], variants[variant], *words, *TRACE[part])
    if part == "times":
        for device in dict.fromkeys(variants.values()):
            rivals = [name for name in RIVALS if variants.get(name) == device]
            if rivals:
                yield run(",".join(rivals), rivals, device)


def more_words(settings, entry, graph):
    """The reverse edges for a directed graph of a list, and fewer sources for small and for large graphs."""
    of_a_list = not (settings.graph or entry.generated) and graph == str(entry.file(settings.graphs))
    both_ways = ["--undirected"] if of_a_list and "undirected" not in entry.kind else []
    fewer = SMALL_WORDS if settings.small else FEW_SOURCES if is_large(entry) else ()
    return [*both_ways, *(() if runs.has_sources(settings) else fewer)]


def predict(offsets, targets, levels):
    """Predicts by lemma 3 (section 5.2) how many vertices of the level after the first bottom-up level are found
    early. Returns (number of vertices of that level, mean probability, mean N), or None without such a level.

    By the lemma a vertex of the next level is found early with the probability 1 - (1 - s / |Q|)^N: s is its place
    in the queue Q of that level, and N the number of its neighbours that the level finds.

    offsets, targets: CSR arrays of an undirected graph; levels: of a search, -1 where unreached."""
    offsets, degrees = offsets.astype(np.int64), np.diff(offsets.astype(np.int64))
    edges = np.bincount(levels[levels >= 0], weights=degrees[levels >= 0])
    bottom_up = np.flatnonzero(edges >= ALPHA * len(targets))
    if not len(bottom_up):
        return None
    level = bottom_up[0] + 1  # the level that the first bottom-up iteration finds
    queue = np.flatnonzero(((levels >= level) | (levels < 0)) & (degrees > 0))
    places = np.flatnonzero(levels[queue] == level + 1)
    if not len(places):
        return None
    found = np.concatenate([[0], np.cumsum(levels[targets] == level)])
    neighbours = found[offsets[queue[places] + 1]] - found[offsets[queue[places]]]
    probability = np.mean(1 - (1 - places / len(queue)) ** neighbours)
    return len(places), float(probability), float(neighbours.mean())


def predict_searches(gtrav, graph, sources):
    """Returns {source: result of predict()} for searches on a graph, a file or a generator's spec."""
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


def run_lemma(settings, graph, number):
    """Predicts the first traced searches on a graph, unless the records have the predictions."""
    name = Path(graph).name.removesuffix(".gtrav")
    path = settings.csv / "xbfs-lemma" / f"{name}.csv"
    if path.is_file():
        return
    levels = traced_levels(settings.csv, "*")
    traced = sorted(set(levels.source[(levels.graph == name) & (levels.run == FULL)]))
    if not traced:
        raise StepError("no traced levels of XBFS; the part levels makes them")
    predicted = predict_searches(settings.gtrav, graph, traced[:LEMMA_SOURCES])
    rows = [(name, source, *found) for source, found in predicted.items() if found]
    write_atomically(path, as_csv(LEMMA_COLUMNS, rows))
    say(f"{number}lemma 3 on {name}: {len(traced)} searches traced")


def run_enqueue(settings, program, device, number):
    """Measures figure 5, unless the records have it."""
    if list(settings.csv.glob("xbfs-enqueue/*/enqueue.csv")) and "--fresh" not in settings.extra:
        return
    words = ("gpu", RUNS, *SIZES) if device == "gpu" else ("emulator", 1, *SMALL_SIZES)
    command = [program, *map(str, words)]
    table = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    first, *others = csv.DictReader(table.splitlines())
    write_atomically(settings.csv / "xbfs-enqueue" / first["device"] / "enqueue.csv", table)
    say(f"{number}the ways to fill a queue: {1 + len(others)} sizes")


def campaign(settings):
    bfs = [known for known in known_algorithms(settings.gtrav) if known["family"] == "bfs"]
    devices = devices_of(bfs, settings.small)
    variants = {name.removeprefix("bfs "): device for name, device in devices.items()}
    chosen = settings.part or list(PARTS)
    graphs = runs.choose_graphs(settings, "xbfs_list.csv", SMALL_GRAPHS)
    steps, notes = {}, ()
    for entry, graph in sorted(graphs, key=lambda one: one[0].edges or 0):  # the largest last
        words, large = more_words(settings, entry, graph), is_large(entry)
        for part in (part for part in chosen if part != "enqueue"):
            step = partial(runs.run_part, settings, entry, graph, partial(runs_of, part, variants, words, large))
            if part == "lemma" and graph:
                step = (lambda number: None) if large else partial(run_lemma, settings, graph)
            steps[entry.named(graph), part] = step
    if "enqueue" in chosen:
        program = Path(settings.gtrav).parent / "bench" / "enqueue"
        needs = {"GPU": "xbfs" in variants, program: program.is_file()}
        if absent := [need for need, is_here in needs.items() if not is_here]:
            notes = (f"left out: the ways to fill a queue, no {absent[0]}",)
        else:
            steps["", "enqueue"] = partial(run_enqueue, settings, program, variants["xbfs"])
    return Campaign(steps, notes)
