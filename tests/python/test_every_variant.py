"""Every call with every device and variant answers as the default does, or is refused with one line."""

import numpy as np
import pytest

import gtrav

pytestmark = pytest.mark.filterwarnings("ignore")
EDGES = [(0, 1), (1, 2), (2, 0), (2, 3), (3, 4), (5, 3), (6, 7)]
DAG = [(0, 1), (0, 2), (1, 3), (2, 3), (5, 4)]


def graph_of(call, **where):
    """The graph of a call, with weights if it takes them: others would refuse to ignore them."""
    edges, families, _ = CALLS[call]
    weights = [3.5, 1, 0, *range(2, len(edges) - 1)] if families == ["sssp"] else None
    return gtrav.Graph.from_edges(edges, weights=weights, **where)


def is_topological(graph, order):
    place = {int(vertex): i for i, vertex in enumerate(order)}
    return len(place) == graph.num_vertices and all(place[a] < place[b] for a, b in DAG)


# Call: the graph's edges, the families of its variants, the call, and what of its result does not depend on the
# variant.
CALLS = {
    "bfs": (EDGES, ["bfs"], lambda g, how: g.bfs(0, **how).levels),
    "bfs of many": (EDGES, ["msbfs"], lambda g, how: g.bfs([0, 5, 0], **how).levels),
    "sums of many": (EDGES, ["msbfs"], lambda g, how: g.bfs([0, 5, 0], levels=False, **how).reached),
    "sums beside levels": (EDGES, ["msbfs"], lambda g, how: g.bfs([0, 5, 0], **how).reached),
    "path lengths": (EDGES, ["msbfs", "bfs"], lambda g, how: g.path_lengths([0, 5], [4, 0], **how)),
    "paths": (EDGES, ["msbfs", "bfs"], lambda g, how: [str(list(p)) for p in g.paths([0, 5], [4, 3], **how)]),
    "reach": (EDGES, ["bfs", "dfs"], lambda g, how: g.reach(0, **how)),
    "sssp": (EDGES, ["sssp"], lambda g, how: g.sssp(0, **how).distances),
    "parents of sssp": (EDGES, ["sssp"], lambda g, how: g.sssp(0, parents=True, **how).parents),
    "dfs": (EDGES, ["dfs"], lambda g, how: g.dfs(0, **how).parents >= 0),
    "dfs order": (EDGES, ["dfs"], lambda g, how: sorted(g.dfs(0, order=True, **how).order)),
    "dfs order, acyclic": (DAG, ["dfs"], lambda g, how: sorted(g.dfs(0, order=True, **how).order)),
    "topological order": (DAG, ["topo"], lambda g, how: is_topological(g, g.topological_order(**how))),
    "weak components": (EDGES, ["wcc"], lambda g, how: g.components(**how).count),
    "strong components": (EDGES, ["scc"], lambda g, how: g.components(strong=True, **how).count),
    "closeness": (EDGES, ["msbfs"], lambda g, how: np.round(g.closeness(**how), 12)),
    "harmonic": (EDGES, ["msbfs"], lambda g, how: np.round(g.harmonic(**how), 12)),
    "betweenness": (EDGES, ["betweenness"], lambda g, how: np.round(g.betweenness(**how), 12)),
}
CASES = [
    (call, variant.variant)
    for call, (_, families, _) in CALLS.items()
    for variant in gtrav.variants()
    if variant.family in families
]


def answer(graph, ask, how):
    return np.asarray(ask(graph, how)).tolist()


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("device", ["cpu", "emulator", "webgpu"])
def test_default_on_a_device(call, device):
    """What a device cannot answer, the CPU does."""
    ask = CALLS[call][-1]
    try:
        gtrav.Graph("path:2", device=device)
    except gtrav.DeviceError as problem:
        pytest.skip(str(problem))
    right = answer(graph_of(call), ask, {"device": "cpu"})
    assert answer(graph_of(call, device=device), ask, {}) == right


@pytest.mark.parametrize(("call", "variant"), CASES)
def test_variant_on_each_device(call, variant):
    ask = CALLS[call][-1]
    right = answer(graph_of(call), ask, {"device": "cpu"})
    for device in ("cpu", "emulator"):
        try:
            found = answer(graph_of(call), ask, {"device": device, "variant": variant})
        except (gtrav.InputError, ValueError) as refused:
            assert "\n" not in str(refused) and variant in str(refused)
        else:
            assert found == right, device
