"""warpnet.py: how the claims of WarpNet are tested (Kalra 2025)."""

from evaluation.claims.graphs import Graphs, Key, on
from evaluation.claims.measures import (
    SEARCH,
    answer,
    bfs,
    dfs,
    geomean,
    measure,
    ratio,
    ratio_of_metrics,
    share,
    speedup,
    topo,
    value,
)
from evaluation.claims.results import Metric, MissingError

SERIAL, QUEUE, BITMAP, WARP = map(bfs, ("serial", "queue", "bitmap", "warp"))
KAHN, SERIAL_SORT, SERIAL_DFS = topo("kahn"), topo("serial"), dfs("serial")
EDGES, VERTICES = Metric("edges", less_is_better=False), Metric("vertices", less_is_better=False)
ROADS = Graphs(kinds=("road",))
SCALE_FREE, SHALLOW = Graphs(kinds=("scale-free",)), Graphs(kinds=("shallow",))
DAG_SIZES = (5000, 10000, 20000)
WIDE_DAG = Graphs(("dag:1000000:*",))

# The graphs of table 2: the word of a claim, and the name in the lists.
TABLE_2 = {
    "luxembourg": "luxembourg_osm",
    "belgium": "belgium_osm",
    "great-britain": "great-britain_osm",
    "germany": "germany_osm",
    "asia": "asia_osm",
    "europe": "europe_osm",
    "central": "road_central",
    "usa": "road_usa",
}


def table_2(word, graph):
    """A row of the table: the four times in ms, and how they compare."""
    graphs = on(graph, "road:*", "USA-road-d.*")
    methods = {"serial": SERIAL, "queue": QUEUE, "bitmap": BITMAP, "warp": WARP}
    times = {
        f"warpnet-{word}-{name}-ms": geomean(value(method, graphs=graphs)) for name, method in methods.items()
    }
    return {
        **times,
        f"warpnet-{word}-queue": geomean(speedup(QUEUE, over=SERIAL, graphs=graphs)),
        f"warpnet-{word}-bitmap": geomean(ratio(BITMAP, over=QUEUE, graphs=graphs)),
        f"warpnet-{word}-warp": geomean(ratio(WARP, over=BITMAP, graphs=graphs)),
    }


def dag(vertices):
    return f"dag:{vertices}:0.4"


def tables_3_and_4(vertices):
    """A row of both: the DAG's edges, the two times in ms, and how they compare."""
    graphs = Graphs((dag(vertices),))
    return {
        f"warpnet-dag-{vertices}-edges": geomean(value(SERIAL_DFS, EDGES, graphs=graphs)),
        f"warpnet-dag-{vertices}-dfs-ms": geomean(value(SERIAL_DFS, graphs=graphs)),
        f"warpnet-dag-{vertices}-sort-ms": geomean(value(KAHN, graphs=graphs)),
        f"warpnet-dag-{vertices}": geomean(ratio(KAHN, over=SERIAL_DFS, graphs=graphs)),
    }


@measure
def growth(results, vertices):
    """How many times as long sorting the DAG of so many vertices takes as sorting that of half as many."""
    times = {key.graph: ms for key, ms in results.numbers(KAHN, SEARCH).items()}
    small, large = dag(vertices // 2), dag(vertices)
    if not {small, large} <= times.keys():
        raise MissingError(f"time of topo kahn on both {small} and {large}")
    return answer(results, {Key(large): times[large] / times[small]}, no_difference=1)


@measure
def block_of_256(results, rival):
    """How many times faster a block of 256 threads is than one of `rival`, by graph and kernel."""
    faster = {}
    for variant in ("queue", "bitmap", "warp"):
        sizes = (bfs(variant, block_size=size, mode="paper") for size in (256, rival))
        found = speedup(*sizes, below="sensitivity")(results).numbers
        faster |= {Key(f"{key.graph}, {variant}", key.pairs): number for key, number in found.items()}
    return answer(results, faster, no_difference=1)


CLAIMS = {
    "warpnet-serial": geomean(speedup(QUEUE, over=SERIAL, graphs=ROADS)),
    "warpnet-gpu-queue": share(speedup(QUEUE, over=SERIAL, graphs=ROADS)),
    "warpnet-gpu-bitmap": share(speedup(BITMAP, over=SERIAL, graphs=ROADS)),
    "warpnet-gpu-warp": share(speedup(WARP, over=SERIAL, graphs=ROADS)),
    **{name: test for row in TABLE_2.items() for name, test in table_2(*row).items()},
    "warpnet-mean-queue": geomean(speedup(QUEUE, over=SERIAL, graphs=ROADS)),
    "warpnet-mean-bitmap": geomean(ratio(BITMAP, over=QUEUE, graphs=ROADS)),
    "warpnet-mean-warp": geomean(ratio(WARP, over=BITMAP, graphs=ROADS)),
    "warpnet-seven-of-eight": share(speedup(QUEUE, over=BITMAP, graphs=ROADS)),
    "warpnet-warp-slowest": share(speedup([QUEUE, BITMAP], over=WARP, graphs=ROADS)),
    "warpnet-warp-modest": share(speedup(WARP, over=BITMAP, graphs=ROADS)),
    "warpnet-bitmap-dense": share(speedup(BITMAP, over=QUEUE, graphs=SHALLOW)),
    "warpnet-warp-scale-free": share(speedup(WARP, over=BITMAP, graphs=SCALE_FREE)),
    "warpnet-warp-high-degrees": share(speedup(WARP, over=QUEUE, graphs=SCALE_FREE)),
    "warpnet-degree": geomean(ratio_of_metrics(QUEUE, EDGES, VERTICES, ROADS)),
    "warpnet-block-128": share(block_of_256(rival=128)),
    "warpnet-block-512": share(block_of_256(rival=512)),
    **{name: test for size in DAG_SIZES for name, test in tables_3_and_4(size).items()},
    "warpnet-dag-growth-10000": geomean(growth(vertices=10000)),
    "warpnet-dag-growth-20000": geomean(growth(vertices=20000)),
    "warpnet-dag": share(speedup(SERIAL_DFS, over=KAHN, graphs=Graphs(tuple(map(dag, DAG_SIZES))))),
    "warpnet-dag-wide": share(speedup(KAHN, over=SERIAL_SORT, graphs=WIDE_DAG)),
}
