"""lemma.py: what lemma 3 of XBFS predicts of searches (Gaihre et al., HPDC 2019, section 5.2)."""

import subprocess
import tempfile
from pathlib import Path

from evaluation.campaigns.peer_formats import read_gtrav

import numpy as np

ALPHA = 0.1  # share of the edges from which on a level is searched bottom-up (section 4.3)


def predict(offsets, targets, levels):
    """Predicts how many vertices of the level after the first bottom-up level are found early. Returns (number of
    vertices of that level, mean probability, mean N), or None without such a level.

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
