"""warpnet.py: how the claims of WarpNet are tested (Kalra 2025)."""

from evaluation.claims.graphs import Graphs, on
from evaluation.claims.measures import bfs, dfs, geomean, ratio, share, speedup, topo

SERIAL, QUEUE, BITMAP, WARP = map(bfs, ("serial", "queue", "bitmap", "warp"))
KAHN, SERIAL_DFS = topo("kahn"), dfs("serial")
ROADS = Graphs(kinds=("road",))
LUXEMBOURG = on("luxembourg_osm", "road:1[0-5]")
USA = on("road_usa", "USA-road-d.*", "road:*")


def block_size(size):
    return bfs("queue", block_size=size)


def kahn_over_dfs(results, vertices):
    return ratio(results, KAHN, over=SERIAL_DFS, graphs=Graphs((f"dag:{vertices}:0.4",)))


CLAIMS = {
    "warpnet-serial": lambda results: geomean(speedup(results, QUEUE, over=SERIAL, graphs=ROADS)),
    "warpnet-gpu": lambda results: share(speedup(results, WARP, over=SERIAL, graphs=ROADS)),
    "warpnet-luxembourg-queue": lambda results: geomean(
        speedup(results, QUEUE, over=SERIAL, graphs=LUXEMBOURG)
    ),
    "warpnet-luxembourg-bitmap": lambda results: geomean(
        speedup(results, BITMAP, over=QUEUE, graphs=LUXEMBOURG)
    ),
    "warpnet-luxembourg-warp": lambda results: geomean(ratio(results, WARP, over=BITMAP, graphs=LUXEMBOURG)),
    "warpnet-bitmap-road": lambda results: geomean(ratio(results, BITMAP, over=QUEUE, graphs=USA)),
    "warpnet-warp-road": lambda results: geomean(ratio(results, WARP, over=QUEUE, graphs=USA)),
    "warpnet-warp-bitmap-road": lambda results: geomean(ratio(results, WARP, over=BITMAP, graphs=USA)),
    "warpnet-queue-road": lambda results: share(speedup(results, QUEUE, over=[BITMAP, WARP], graphs=ROADS)),
    "warpnet-warp-scale-free": lambda results: share(
        speedup(results, WARP, over=BITMAP, graphs=Graphs(kinds=("scale-free",)))
    ),
    "warpnet-block-size": lambda results: share(
        speedup(results, block_size(256), over=[block_size(128), block_size(512)], below="sensitivity")
    ),
    "warpnet-dag-5000": lambda results: geomean(kahn_over_dfs(results, 5000)),
    "warpnet-dag-10000": lambda results: geomean(kahn_over_dfs(results, 10000)),
    "warpnet-dag-20000": lambda results: geomean(kahn_over_dfs(results, 20000)),
    "warpnet-dag": lambda results: share(speedup(results, SERIAL_DFS, over=KAHN, graphs=Graphs(("dag:*",)))),
}
