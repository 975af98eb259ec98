"""runs.py: what campaigns share: their options, their graphs, and runs of gtrav."""

import argparse
import contextlib
import os
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from evaluation import dataset
from evaluation.campaigns.gtrav import PROGRAM, run_and_listen
from evaluation.campaigns.loop import Interrupted, StepError
from evaluation.command import INTERRUPTED, say
from evaluation.failures import write_crash
from evaluation.files import LOCAL

LOG = "experiments.log"
BAD_USAGE, TOO_LONG = 2, ": time limit of "  # gtrav's exit status and message for pairs that took too long


class Run(NamedTuple):
    """A run of gtrav."""

    label: str
    folder: str  # folder of its records, below --csv
    words: list  # without --graph and --csv


# ---- options ----


def add_common_options(parser):
    add = parser.add_argument
    add("--csv", type=Path, default=LOCAL, help="folder of records (default: results/local)")
    add("--gtrav", default=PROGRAM, help="the program (default: $GTRAV, or build/gtrav)")
    add("--graphs", type=Path, default=dataset.GRAPHS, help="downloaded graphs (default: dataset/MM)")
    add("--stand-ins", action="store_true", help="replace an absent graph by a similar generated one")


def add_time_limit(parser):
    limit = "start no trial of a variant on a graph later than this after its first (gtrav --time-limit)"
    parser.add_argument("--time-limit", type=int, metavar="SECONDS", help=limit)


def add_options_of_parts(parser, parts):
    """The options of a campaign of several parts, each of which has its own list of graphs."""

    def part(text):
        if text not in parts:
            raise argparse.ArgumentTypeError(f"not a part: {text}; parts: {', '.join(parts)}")
        return text

    add = parser.add_argument
    add("part", nargs="*", type=part, help=f"{', '.join(parts)} (default: all)")
    add("--list", type=Path, help="dataset list of the graphs, for all parts")
    add("--graph", action="append", help="this graph instead of a list's; repeatable")
    add("--small", action="store_true", help="small graphs, on the emulator if there is no GPU")
    add_time_limit(parser)


def has_sources(settings):
    """Whether the words after -- choose the sources."""
    return any(word.startswith("--source") for word in settings.extra)


# ---- graphs ----


def graph_of(entry, settings):
    """The value of --graph for an entry of a list. StepError: the graph is absent."""
    graph = entry.graph(settings.graphs, settings.stand_ins)
    if graph is None:
        raise StepError(f"no such graph here; {entry.where_to_get()}")
    return graph


def choose_graphs(settings, usual, small):
    """Pairs (entry, value of --graph or None if the graph is absent), each graph once.

    usual: the list in dataset/; small: the graphs for --small. The command line may name others."""
    names = settings.graph or (small if settings.small and not settings.list else ())
    if names:
        found = [(dataset.Entry(name), name) for name in names]
    else:
        entries = dataset.read_list(settings.list or dataset.ROOT / "dataset" / usual)
        found = [(entry, entry.graph(settings.graphs, settings.stand_ins)) for entry in entries]
    chosen = {}
    for entry, graph in found:
        chosen.setdefault(graph or entry.name, (entry, graph))
    return list(chosen.values())


@contextlib.contextmanager
def generated_once():
    """Lets gtrav keep graphs that it generates in a temporary folder, unless the user named one."""
    if "GTRAV_GRAPHS" in os.environ:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="gtrav-") as folder:
        os.environ["GTRAV_GRAPHS"] = folder
        try:
            yield
        finally:
            del os.environ["GTRAV_GRAPHS"]


# ---- runs ----


def run_gtrav(settings, run, graph, number=""):
    """Runs gtrav once, and prints how it went. Returns what failed, as pairs (what, why)."""
    folder = settings.csv / run.folder
    words = ["--graph", graph, *run.words, "--csv", str(folder)]
    has_own_limit = {"--pairs", "closeness"} & set(run.words)
    if settings.time_limit is not None and not has_own_limit:
        words += ["--time-limit", str(settings.time_limit)]
    settings.csv.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with open(settings.csv / LOG, "a", encoding="utf-8") as log:
        code, reason = run_and_listen([settings.gtrav, *words, *settings.extra], log)
    if code == INTERRUPTED:
        raise Interrupted(run.label)
    if code == BAD_USAGE and TOO_LONG in reason:  # gtrav records it as a result
        say(f"{number}{run.label}: {reason}")
        return []
    if code < 0:
        write_crash(folder, words, code, reason)
    say(f"{number}{run.label}: {time.monotonic() - began:.1f} s{f', FAILED with status {code}' if code else ''}")
    return [(run.label, reason)] if code else []


def run_part(settings, entry, graph, runs_of, number):
    """Runs what runs_of(graph) yields on one graph. Returns what failed, as pairs (what, why)."""
    known, failed = graph or graph_of(entry, settings), []
    with generated_once():
        for run in runs_of(known):
            failed += run_gtrav(settings, run._replace(label=f"{entry.name}: {run.label}"), known, number)
    return failed


def left_out(reasons):
    """The lines that say what is not run: {why: names}."""
    return tuple(f"left out, {why}: {', '.join(names)}" for why, names in reasons.items() if names)
