"""Measures XBFS, its parts and its rivals.

  times    XBFS with and without its parts, Enterprise, and other BFS: table 2, figures 11 and 14
  levels   every level of some of these, traced: figures 10, 12, 13 and 15
  work     how many edges bottom-up frontiers have, and how many they look at: figure 9
  enqueue  the two ways to fill a queue, by themselves (build/bench/enqueue): figure 5

Numbers of tables and figures are those of the paper (Gaihre et al., HPDC 2019). As there, arcs of a
directed graph get their reverse. Records go to DIR/xbfs-<part>/<device>/. A run that fails does not stop the
rest, and what is measured is not measured again. Words after -- are given to gtrav as they are.

Exit status: 0 all ran, 1 some failed, 2 bad usage or list, 130 interrupted.
"""

import csv
import subprocess
import time
from pathlib import Path

from evaluation import dataset
from evaluation.analyses.xbfs import AD, CONFIGURATIONS, ENTERPRISE, FULL, RIVALS, WARP, WB
from evaluation.campaigns import status
from evaluation.campaigns.experiments import LOG, conclude, known_algorithms
from evaluation.campaigns.msbfs import Step, add_options_of_parts, find_graph, parse_parts, run_each
from evaluation.command import new_parser, say
from evaluation.files import write_atomically

TRACED = (ENTERPRISE, AD, WB, FULL)
LONG_NEVER = "long-above=67108864"  # what a frontier looks at is its thread's own work, as in the paper

MILLION = 10**6
SIZES = tuple(MILLION * 2**i for i in range(10))  # figure 5
SMALL_SIZES = tuple(1000 * 2**i for i in range(4))
SMALL_GRAPHS = ("kron:9", "urand:8", "grid:9x9")
SMALL_WORDS = ("--sources", "3")
PARTS = ("times", "levels", "work", "enqueue")


# ---- what to run ----


def settings(configuration):
    _, options = CONFIGURATIONS[configuration]
    return [word for name, value in options.items() for word in ("--set", f"{name}={value}")]


def steps_of(part, variants, few):
    """What a part runs on a graph; variants: {variant of bfs: the device to run it on}; few: more words."""

    def step(label, names, device, *words):
        algorithm = ["--algo", "bfs", "--variant", ",".join(names), "--device", device]
        return Step(f"{part}, {label}", f"xbfs-{part}", [*algorithm, *words, *few])

    wanted = {"times": CONFIGURATIONS, "levels": TRACED, "work": (WARP,)}[part]
    trace = {"times": (), "levels": ("--set", "trace=1"), "work": ("--set", "trace=2", "--set", LONG_NEVER)}
    for name in wanted:
        variant, _ = CONFIGURATIONS[name]
        if variant in variants:
            yield step(name, [variant], variants[variant], *settings(name), *trace[part])
    if part == "times":
        for device in dict.fromkeys(variants.values()):
            rivals = [name for name in RIVALS if variants.get(name) == device]
            if rivals:
                yield step(",".join(rivals), rivals, device)


def devices_of(arguments):
    """{variant of bfs: where it can run}; where there is no GPU, small graphs run in the emulator."""
    found = [entry for entry in known_algorithms(arguments.gtrav) if entry["family"] == "bfs"]
    return {
        entry["variant"]: entry["device"] if entry["available"] else "cpu-emulator"
        for entry in found
        if entry["available"] or (arguments.small and entry["emulated"])
    }


def choose_graphs(arguments):
    """(name, what to give to --graph or None, more words) of the graphs, each once."""
    if arguments.graph:
        return [(graph, find_graph(arguments.graphs, graph), []) for graph in arguments.graph]
    if arguments.small and not arguments.list:
        return [(graph, graph, []) for graph in SMALL_GRAPHS]
    chosen = {}
    for entry in dataset.read_list(arguments.list or dataset.ROOT / "dataset" / "xbfs_list.csv"):
        graph = entry.graph(arguments.graphs, arguments.stand_ins)
        one_way = graph == str(entry.file(arguments.graphs)) and "undirected" not in entry.kind
        words = ["--undirected"] if one_way else []
        found = (entry.name, graph and find_graph(arguments.graphs, graph), words)
        chosen.setdefault(graph or entry.name, found)
    return list(chosen.values())


def run_steps(arguments, plan, states):
    """Runs the parts on their graphs; what failed, as lines, and whether the user cut it off."""
    failures, variants = [], devices_of(arguments)
    with open(arguments.csv / LOG, "a", encoding="utf-8") as log:
        for part, name, graph, more in plan:
            began = time.monotonic()
            if graph is None:
                reasons = ["no such graph here; scripts/download_graphs.py gets it"]
            else:
                reasons, interrupted = run_part(arguments, part, name, [graph, *more], variants, log)
                if interrupted:
                    return failures, True
            failures += [f"{name}: {reason}" for reason in reasons]
            states.finish((name, part), "; ".join(reasons), time.monotonic() - began)
    return failures, False


def run_part(arguments, part, name, graph, variants, log):
    """One part on one graph: why something failed, and whether the user cut it off."""
    asked = any(word.startswith("--source") for word in arguments.extra)
    few = SMALL_WORDS if arguments.small and not asked else ()
    failed = []
    interrupted = run_each(arguments, name, graph, steps_of(part, variants, few), log, failed, say)
    return [f"{label}: {reason}" for label, reason in failed], interrupted


def enqueue_program(arguments):
    return Path(arguments.gtrav).parent / "bench" / "enqueue"


def why_no_enqueue(arguments):
    """Why figure 5 cannot be measured here; empty: it can."""
    if "xbfs" not in devices_of(arguments):
        return "no GPU"
    program = enqueue_program(arguments)
    return "" if program.is_file() else f"no {program}"


def run_enqueue(arguments):
    """Figure 5's measurements, if they are not there; what failed, as lines."""
    if list(arguments.csv.glob("xbfs-enqueue/*/enqueue.csv")) and "--fresh" not in arguments.extra:
        return []
    program, device = enqueue_program(arguments), devices_of(arguments)["xbfs"]
    sizes = SIZES if device == "gpu" else SMALL_SIZES
    emulated = [] if device == "gpu" else ["--emulator", "--runs", "1"]
    command = [program, *emulated, *map(str, sizes)]
    result = subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, text=True)
    if result.returncode != 0:
        return [f"enqueue: {program} ended with status {result.returncode}"]
    rows = list(csv.DictReader(result.stdout.splitlines()))
    write_atomically(arguments.csv / "xbfs-enqueue" / rows[0]["device"] / "enqueue.csv", result.stdout)
    say(f"the ways to fill a queue: {len(rows)} sizes")
    return []


# ---- the command line ----


def main():
    parser = new_parser(__doc__)
    add_options_of_parts(parser, PARTS, "run_xbfs")
    arguments = parse_parts(parser, PARTS)

    parts = arguments.part or list(PARTS)
    of_graphs = [part for part in parts if part != "enqueue"]
    chosen = choose_graphs(arguments)[arguments.share or slice(None)]
    plan = [(part, *graph) for graph in chosen for part in of_graphs]
    # What has no graph is one share's.
    enqueue = "enqueue" in parts and (arguments.share is None or arguments.share.start == 0)
    left_out = why_no_enqueue(arguments) if enqueue else ""
    states = status.Status(arguments.status)
    if arguments.plan:
        states.plan(
            [(name, part) for part, name, *_ in plan] + [("", "enqueue")] * (enqueue and not left_out)
        )
        return 0

    arguments.csv.mkdir(parents=True, exist_ok=True)
    failures, interrupted = run_steps(arguments, plan, states)
    if left_out:
        say(f"left out: the ways to fill a queue, {left_out}")
    elif enqueue and not interrupted:
        began, reasons = time.monotonic(), run_enqueue(arguments)
        failures += reasons
        states.finish(("", "enqueue"), "; ".join(reasons), time.monotonic() - began)
    return conclude(failures, interrupted, say)
