"""parts.py: what the scripts share that measure parts of an evaluation, each on graphs of a list of its own.

Records of a part go to a folder of its own below --csv. A step of the status file is a part on a graph.
"""

import subprocess
import tempfile
from pathlib import Path
from typing import NamedTuple

from evaluation import dataset
from evaluation.campaigns import campaign


class Run(NamedTuple):
    """A run of gtrav."""

    label: str
    folder: str  # of its records, below --csv
    words: list


def add_options(parser, parts, mode):
    add = parser.add_argument
    add("part", nargs="*", help=f"{', '.join(parts)} (default: all)")
    add("--list", type=Path, help="dataset list of the graphs, for all parts")
    add("--graph", action="append", help="this graph instead of a list's; repeatable")
    campaign.add_options_of_graphs(parser, f"results/{mode}")
    campaign.add_time_limit(parser)
    add("--small", action="store_true", help="small graphs, and the emulator for want of a GPU")


def parse(parser, parts):
    """The command line; a part that is none is an error."""
    arguments = campaign.parse_measuring(parser)
    unknown = [part for part in arguments.part if part not in parts]
    if unknown:
        parser.error(f"not a part: {unknown[0]}; parts: {', '.join(parts)}")
    arguments.part = arguments.part or list(parts)
    return arguments


def choose_graphs(arguments, usual, small):
    """Pairs (entry, what to give to --graph or None), each graph once.

    usual: the list in dataset/, small: graphs for --small, where the command line names neither."""
    names = arguments.graph or (small if arguments.small and not arguments.list else ())
    if names:
        found = [(dataset.Entry(name), name) for name in names]
    else:
        entries = dataset.read_list(arguments.list or dataset.ROOT / "dataset" / usual)
        found = [(entry, entry.graph(arguments.graphs, arguments.stand_ins)) for entry in entries]
    chosen = {}
    for entry, graph in found:
        chosen.setdefault(graph or entry.name, (entry, graph and kept_graph(arguments.graphs, graph)))
    return list(chosen.values())


def kept_graph(folder, graph):
    """A generated graph may have been written there before, as .gtrav: then it is that."""
    kept = folder / f"{graph}.gtrav"
    return str(kept) if kept.is_file() else graph


class GeneratedOnce:
    """The generated graph of the steps at hand as a file, so that not every run of gtrav generates it again.

    It lies in the system's folder for temporary files until the next graph is asked for."""

    def __init__(self, gtrav):
        self.gtrav, self.spec, self.folder, self.file = gtrav, None, None, None

    def path_of(self, graph):
        """The file; the graph itself if it is one already, or cannot be written, perhaps for want of room."""
        if ":" not in graph or Path(graph).is_file():
            return graph
        if graph != self.spec:
            self.folder = None  # the last graph's room is free for this one
            self.spec, self.folder = graph, tempfile.TemporaryDirectory(prefix="gtrav-")
            path = Path(self.folder.name) / f"{graph}.gtrav"
            words = [self.gtrav, "--graph", graph, "--write", path, "--quiet"]
            done = subprocess.run(words, stdout=subprocess.DEVNULL).returncode == 0
            self.file = str(path) if done and path.is_file() else graph
        return self.file


def runner(arguments, runs_of):
    """A function that runs a step (part, entry, graph): what runs_of(part, entry, graph) yields."""
    generated = GeneratedOnce(arguments.gtrav)

    def run(step):
        part, entry, graph = step
        graph, failed = graph or campaign.graph_of(entry, arguments), []
        file = graph if arguments.small else generated.path_of(graph)
        for label, folder, words in runs_of(part, entry, graph):
            words = ["--graph", file, *words, "--csv", str(arguments.csv / folder)]
            failed += campaign.run_gtrav(arguments, f"{entry.name}: {label}", words)
        return failed

    return run
