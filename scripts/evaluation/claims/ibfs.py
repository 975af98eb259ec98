"""ibfs.py: how the claims of IBFS are tested (Dreef, thesis 2025), on the lengths of paths between pairs."""

from evaluation.analyses import msbfs
from evaluation.claims.graphs import Graphs, Key
from evaluation.claims.measures import answer, geomean, greatest, known, median, pairs, share, speedup
from evaluation.claims.results import MissingError

WORKGROUP, COALESCED, BOTTOM_UP = map(pairs, ("ibfs-workgroup", "ibfs-coalesced", "ibfs-bottomup"))
PBFS, BFS = pairs("pbfs"), pairs("bfs-auto")  # the second stands for Belewitte
MANY = Graphs(min_pairs=1000)


def crossover(results):
    """The number of pairs from which on a coalesced scheme beats the workgroups (figure 5.1)."""
    results.need_gpu()
    measured = msbfs.Measured(results.folder, "pairs", results.mode)
    if not any(row["device"] == results.gpu for row in measured.rows.values()):
        raise MissingError("path lengths by IBFS's schemes")
    found = {Key(graph): size for graph, size in msbfs.crossovers(measured).items()}
    return answer(results, known(found, "a number of pairs at which that is so"))


CLAIMS = {
    "ibfs-few-pairs": lambda results: share(
        speedup(results, WORKGROUP, over=[COALESCED, BOTTOM_UP], graphs=Graphs(max_pairs=999))
    ),
    "ibfs-many-pairs": lambda results: share(
        speedup(results, [COALESCED, BOTTOM_UP], over=WORKGROUP, graphs=MANY)
    ),
    "ibfs-crossover": lambda results: median(crossover(results)),
    "ibfs-coalesced": lambda results: geomean(speedup(results, COALESCED, over=WORKGROUP, graphs=MANY)),
    "ibfs-coalesced-large": lambda results: geomean(
        speedup(results, [COALESCED, BOTTOM_UP], over=WORKGROUP, graphs=MANY._replace(names=("snb:300",)))
    ),
    "ibfs-bottomup-large": lambda results: share(
        speedup(results, BOTTOM_UP, over=COALESCED, graphs=MANY._replace(names=("snb:*",), min_edges=1e7))
    ),
    "ibfs-bottomup-small": lambda results: share(
        speedup(results, COALESCED, over=BOTTOM_UP, graphs=MANY._replace(names=("snb:*",), max_edges=2e6))
    ),
    "ibfs-cpu-max": lambda results: greatest(
        speedup(results, BOTTOM_UP, over=PBFS, graphs=Graphs(min_pairs=16384))
    ),
    "ibfs-cpu": lambda results: share(speedup(results, BOTTOM_UP, over=PBFS, graphs=Graphs(min_pairs=16384))),
    "ibfs-single": lambda results: share(speedup(results, BOTTOM_UP, over=BFS, graphs=Graphs(min_pairs=100))),
    "ibfs-single-few": lambda results: geomean(
        speedup(results, pairs("ibfs-workgroup", pairs=1), over=pairs("bfs-auto", pairs=1))
    ),
}
