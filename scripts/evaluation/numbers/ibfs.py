"""ibfs.py: what the claims of IBFS are about: lengths of paths between pairs (Dreef, thesis 2025)."""

from functools import partial

from evaluation.analyses import msbfs
from evaluation.graphs import ALL, Graphs, Key
from evaluation.methods import SEARCH, Metric, pairs
from evaluation.numbers import compare
from evaluation.numbers.compare import NOISE, answer, known, over_graphs, value
from evaluation.results import MissingError

WORKGROUP, COALESCED, BOTTOM_UP = map(pairs, ("ibfs-workgroup", "ibfs-coalesced", "ibfs-bottomup"))
ON_ONE_QUEUE = [COALESCED, BOTTOM_UP]
# The thesis' own CUDA program, of which each branch has one scheme.
AUTHORS_WORKGROUP, AUTHORS_COALESCED, AUTHORS_BOTTOM_UP = (pairs(msbfs.short(name)) for name in msbfs.AUTHORS)
BY_WEBGPU, COALESCED_BY_WEBGPU, WORKGROUP_BY_WEBGPU = map(
    pairs, ("webgpu-bottomup", "webgpu-coalesced", "webgpu-workgroup")
)
BY_DAWN = pairs(f"webgpu-bottomup{msbfs.DAWN}")
PBFS = pairs("pbfs")
FEW, MANY, ON_CPU = Graphs(max_pairs=999), Graphs(min_pairs=1000), Graphs(min_pairs=16384)
SNB = ("snb:*",)
SNB_LARGE = MANY._replace(names=SNB, min_edges=1e7)  # from scale factor 30 on
SMALL = Graphs(names=SNB, max_edges=2e6)  # scale factors 1 and 3
UP_TO_30 = ON_CPU._replace(names=SNB, max_edges=2e7)
SETTINGS = "pairs-settings"  # the folder of runs with other settings than the thesis's
EDGE_THREADS = (1, 2, 4, 8, 16, 32)
WHOLE = Metric("total_ms")
speedup = partial(compare.speedup, metric=WHOLE)  # the thesis times whole calls


def just(count):
    return Graphs(min_pairs=count, max_pairs=count)


def crossover(results):
    """The smallest number of pairs at which a coalesced scheme beats the workgroups (figure 5.1)."""
    results.need_gpu()
    measured = msbfs.measured_in(results, "pairs")
    if results.gpu not in set(measured.rows.device):
        raise MissingError("path lengths by IBFS's schemes")
    found = {Key(graph): size for graph, size in msbfs.crossovers(measured).items()}
    return answer(results, known(found, "a number of pairs at which that is so"))


def first_scale_with_gain(results):
    """The scale factor from which on direction switching gains in the mean (figures 5.4 and 5.5)."""
    gains = {}
    found = speedup(results, BOTTOM_UP, over=COALESCED, metric=SEARCH, graphs=MANY._replace(names=SNB))
    for key, gain in found.numbers.items():
        gains.setdefault(int(key.graph.partition(":")[2]), []).append(gain)
    slower = max((scale for scale, some in gains.items() if over_graphs(some) <= 1 + NOISE), default=0)
    first = min((scale for scale in gains if scale > slower), default=None)
    return answer(results, known({Key(f"snb:{first}"): first}, "a scale factor at which that is so"))


def best_edge_threads(results):
    """The y of a workgroup with the least time (figure 4.2)."""
    times = {y: value(results, with_edge_threads(y), below=SETTINGS).numbers for y in EDGE_THREADS}
    graphs = set.intersection(*map(set, times.values()))
    return answer(results, {key: min(EDGE_THREADS, key=lambda y: times[y][key]) for key in graphs})


def with_edge_threads(y):
    return pairs("ibfs-workgroup", edge_threads=y, instances=1)


def with_checks(iterations):
    return pairs("ibfs-bottomup", check_every=iterations)


def at_scale(scale):
    return MANY._replace(names=(f"snb:{scale}",))


def lead_of_cuda(results, graphs=ALL):
    """How many times less a whole call by CUDA takes than the same by the faster of wgpu and Dawn."""
    return speedup(results, BOTTOM_UP, over=[BY_WEBGPU, BY_DAWN], graphs=graphs)


def greatest_difference(results):
    """How many times as long the slowest of CUDA, wgpu and Dawn takes for a whole call as the fastest."""
    by_wgpu, by_dawn = (speedup(results, BOTTOM_UP, over=one) for one in (BY_WEBGPU, BY_DAWN))
    both = {key: (1, lead, by_dawn.numbers[key]) for key, lead in by_wgpu.numbers.items() if key in by_dawn.numbers}
    differences = known({key: max(times) / min(times) for key, times in both.items()}, "both WebGPU backends")
    return answer(results, differences, no_difference=1, runs=by_wgpu.runs | by_dawn.runs)


def shrinking_lead(results):
    """CUDA's lead at one pair over that at the most pairs, from scale factor 3 on."""
    few, most = (
        {key.graph: lead for key, lead in lead_of_cuda(results, just(count)).numbers.items()} for count in (1, 65536)
    )
    scales = [graph for graph in few if graph in most and graph != "snb:1" and graph.startswith("snb:")]
    shrinking = known({Key(graph): few[graph] / most[graph] for graph in scales}, "both numbers of pairs")
    return answer(results, shrinking, no_difference=1)
