"""ibfs.py: how the claims of IBFS are tested (Dreef, thesis 2025), on the lengths of paths between pairs."""

from evaluation.analyses import msbfs
from evaluation.claims.graphs import ALL, Graphs, Key
from evaluation.claims.measures import (
    SEARCH,
    answer,
    geomean,
    greatest,
    known,
    median,
    over_graphs,
    pairs,
    share,
    speedup,
    value,
)
from evaluation.claims.results import Metric, MissingError

WORKGROUP, COALESCED, BOTTOM_UP = map(pairs, ("ibfs-workgroup", "ibfs-coalesced", "ibfs-bottomup"))
ON_ONE_QUEUE = [COALESCED, BOTTOM_UP]
BY_WEBGPU = pairs("webgpu-bottomup")
PBFS, BFS = pairs("pbfs"), pairs("bfs-auto")  # the second stands for Belewitte
MANY, ON_CPU = Graphs(min_pairs=1000), Graphs(min_pairs=16384)
SNB, SNB_LARGE = ("snb:*",), 1e7  # SNB_LARGE: edges, from scale factor 30 on
SETTINGS = "pairs-settings"  # the folder of runs with other settings than the thesis's
EDGE_THREADS = (1, 2, 4, 8, 16, 32)
WHOLE, FETCHED, PREPARED = map(Metric, ("total_ms", "download_ms", "prepare_ms"))


def just(count):
    return Graphs(min_pairs=count, max_pairs=count)


def crossover(results):
    """The number of pairs from which on a coalesced scheme beats the workgroups (figure 5.1)."""
    results.need_gpu()
    measured = msbfs.Measured(results.folder, "pairs", results.mode)
    if not any(row["device"] == results.gpu for row in measured.rows.values()):
        raise MissingError("path lengths by IBFS's schemes")
    found = {Key(graph): size for graph, size in msbfs.crossovers(measured).items()}
    return answer(results, known(found, "a number of pairs at which that is so"))


def first_scale_with_gain(results):
    """The scale factor from which on direction switching gains in the mean (figures 5.4 and 5.5)."""
    gains = {}
    for key, gain in speedup(
        results, BOTTOM_UP, over=COALESCED, graphs=MANY._replace(names=SNB)
    ).numbers.items():
        gains.setdefault(int(key.graph.partition(":")[2]), []).append(gain)
    slower = max((scale for scale, some in gains.items() if over_graphs(some) <= 1), default=0)
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


def among_settings(results, one, other):
    return geomean(speedup(results, one, over=other, below=SETTINGS))


def setting_up(results, count):
    """What preparing the graph and fetching the results take of a whole call, %."""
    whole, fetched, prepared = (
        value(results, BOTTOM_UP, metric, just(count)).numbers for metric in (WHOLE, FETCHED, PREPARED)
    )
    shares = {key: 100 * (fetched[key] + prepared[key]) / whole[key] for key in whole}
    return answer(results, shares, no_difference=None)


def gain_of_switching(results, metric=SEARCH, **graphs):
    chosen = MANY._replace(**{"names": SNB, **graphs})
    return speedup(results, BOTTOM_UP, over=COALESCED, metric=metric, graphs=chosen)


def at_scale(results, scale, of=BOTTOM_UP, over=COALESCED):
    return speedup(results, of, over=over, graphs=MANY._replace(names=(f"snb:{scale}",)))


def lead_of_cuda(results, graphs=ALL):
    """How many times less a whole call by CUDA takes than the same by WebGPU."""
    return speedup(results, BOTTOM_UP, over=BY_WEBGPU, metric=WHOLE, graphs=graphs)


def greatest_difference(results):
    """How many times as long the slower of CUDA and WebGPU takes for a whole call."""
    leads = lead_of_cuda(results)
    return leads._replace(numbers={key: max(lead, 1 / lead) for key, lead in leads.numbers.items()})


def shrinking_lead(results):
    """CUDA's lead at one pair over that at the most pairs, from scale factor 3 on."""
    few, most = (
        {key.graph: lead for key, lead in lead_of_cuda(results, just(count)).numbers.items()}
        for count in (1, 65536)
    )
    scales = [graph for graph in few if graph in most and graph != "snb:1" and graph.startswith("snb:")]
    shrinking = known({Key(graph): few[graph] / most[graph] for graph in scales}, "both numbers of pairs")
    return answer(results, shrinking, no_difference=1)


def few(count):
    return lambda results: share(speedup(results, WORKGROUP, over=ON_ONE_QUEUE, graphs=just(count)))


def many(count):
    return lambda results: share(speedup(results, ON_ONE_QUEUE, over=WORKGROUP, graphs=just(count)))


def on_cpu(count):
    return lambda results: share(speedup(results, BOTTOM_UP, over=PBFS, graphs=just(count)))


def single(count):
    return lambda results: share(speedup(results, BOTTOM_UP, over=BFS, graphs=just(count)))


CLAIMS = {
    "ibfs-few-pairs": lambda results: share(
        speedup(results, WORKGROUP, over=ON_ONE_QUEUE, graphs=Graphs(max_pairs=999))
    ),
    "ibfs-few-pairs-whole": lambda results: share(
        speedup(results, WORKGROUP, over=ON_ONE_QUEUE, metric=WHOLE, graphs=Graphs(max_pairs=999))
    ),
    **{f"ibfs-few-{count}": few(count) for count in (1, 10, 100)},
    "ibfs-many-pairs": lambda results: share(speedup(results, ON_ONE_QUEUE, over=WORKGROUP, graphs=MANY)),
    "ibfs-many-pairs-whole": lambda results: share(
        speedup(results, ON_ONE_QUEUE, over=WORKGROUP, metric=WHOLE, graphs=MANY)
    ),
    **{f"ibfs-many-{count}": many(count) for count in (1000, 2048, 4096, 8192, 16384, 32768, 65536)},
    "ibfs-crossover": lambda results: median(crossover(results)),
    "ibfs-coalesced": lambda results: geomean(speedup(results, COALESCED, over=WORKGROUP, graphs=MANY)),
    "ibfs-coalesced-whole": lambda results: geomean(
        speedup(results, COALESCED, over=WORKGROUP, metric=WHOLE, graphs=MANY)
    ),
    "ibfs-coalesced-large": lambda results: geomean(at_scale(results, 300, ON_ONE_QUEUE, WORKGROUP)),
    "ibfs-bottomup-large": lambda results: share(gain_of_switching(results, min_edges=SNB_LARGE)),
    "ibfs-bottomup-large-whole": lambda results: share(
        gain_of_switching(results, WHOLE, min_edges=SNB_LARGE)
    ),
    "ibfs-bottomup-30": lambda results: share(at_scale(results, 30)),
    "ibfs-bottomup-100": lambda results: share(at_scale(results, 100)),
    "ibfs-bottomup-300": lambda results: share(at_scale(results, 300)),
    "ibfs-bottomup-gain": lambda results: geomean(gain_of_switching(results, min_edges=SNB_LARGE)),
    "ibfs-bottomup-gain-whole": lambda results: geomean(
        gain_of_switching(results, WHOLE, min_edges=SNB_LARGE)
    ),
    "ibfs-bottomup-small": lambda results: share(
        speedup(results, COALESCED, over=BOTTOM_UP, graphs=MANY._replace(names=SNB, max_edges=2e6))
    ),
    "ibfs-bottomup-1": lambda results: share(at_scale(results, 1, COALESCED, BOTTOM_UP)),
    "ibfs-bottomup-3": lambda results: share(at_scale(results, 3, COALESCED, BOTTOM_UP)),
    "ibfs-bottomup-10": lambda results: share(at_scale(results, 10)),
    "ibfs-bottomup-from": lambda results: median(first_scale_with_gain(results)),
    "ibfs-cpu-max": lambda results: greatest(speedup(results, BOTTOM_UP, over=PBFS, graphs=ON_CPU)),
    "ibfs-cpu-max-whole": lambda results: greatest(
        speedup(results, BOTTOM_UP, over=PBFS, metric=WHOLE, graphs=ON_CPU)
    ),
    "ibfs-cpu": lambda results: share(speedup(results, BOTTOM_UP, over=PBFS, graphs=ON_CPU)),
    "ibfs-cpu-whole": lambda results: share(
        speedup(results, BOTTOM_UP, over=PBFS, metric=WHOLE, graphs=ON_CPU)
    ),
    **{f"ibfs-cpu-{count}": on_cpu(count) for count in (16384, 65536)},
    "ibfs-single": lambda results: share(speedup(results, BOTTOM_UP, over=BFS, graphs=Graphs(min_pairs=100))),
    "ibfs-single-whole": lambda results: share(
        speedup(results, BOTTOM_UP, over=BFS, metric=WHOLE, graphs=Graphs(min_pairs=100))
    ),
    **{f"ibfs-single-{count}": single(count) for count in (100, 1000)},
    "ibfs-single-few": lambda results: geomean(
        speedup(results, pairs("ibfs-workgroup", pairs=1), over=pairs("bfs-auto", pairs=1))
    ),
    "ibfs-y": lambda results: median(best_edge_threads(results)),
    "ibfs-y-gain": lambda results: among_settings(results, with_edge_threads(8), with_edge_threads(1)),
    "ibfs-y-most": lambda results: among_settings(results, with_edge_threads(8), with_edge_threads(32)),
    "ibfs-check-two": lambda results: among_settings(results, with_checks(2), with_checks(1)),
    "ibfs-check-more": lambda results: among_settings(results, with_checks(4), with_checks(2)),
    "ibfs-start": lambda results: median(setting_up(results, 1)),
    "ibfs-start-many": lambda results: median(setting_up(results, 65536)),
    "ibfs-short": lambda results: greatest(
        value(results, BOTTOM_UP, WHOLE, Graphs(names=SNB, max_edges=2e6, max_pairs=100))
    ),
    "ibfs-backend-cuda": lambda results: geomean(lead_of_cuda(results)),
    "ibfs-backend-desktop": lambda results: greatest(greatest_difference(results)),
    "ibfs-backend-trend": lambda results: geomean(shrinking_lead(results)),
    "ibfs-backend-few": lambda results: geomean(lead_of_cuda(results, Graphs(max_pairs=999))),
}
