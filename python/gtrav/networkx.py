"""gtrav.networkx: the backend gtrav of NetworkX.

    nx.bfs_tree(G, 0, backend="gtrav")       # or NETWORKX_BACKEND_PRIORITY=gtrav in the environment

NetworkX converts a graph at its first use and keeps the result. The backend refuses a call that it cannot answer as
NetworkX does; NetworkX then answers it, if it may: see NOTES in _gtrav_networkx.py.

The functions in the tables here have the names, parameters and results of NetworkX's functions. An argument for a
parameter that they lack is refused. Where the order of neighbours matters, tree() of _networkx_graph.py puts results
into NetworkX's order. Nothing does so for depth-first searches, which need ascending adjacency lists."""

from __future__ import annotations

import math
from inspect import Parameter, signature

import networkx as nx
import numpy as np

from ._errors import InputError
from ._graph import Graph
from ._networkx_graph import BackendGraph, converted

__all__ = ["BackendGraph", "backend"]

# Parameters that functions have only because NetworkX has them: any value but the default is refused.
REFUSED = {"distance", "e", "neighbors", "sort_neighbors", "sp", "weight", "wf_improved"}
# For each default method, the other methods that find the same if edges have no weights.
METHODS = {None: ("unweighted", "dijkstra", "bellman-ford"), "dijkstra": ("bellman-ford",)}
# Functions that take the name of an attribute as weight.
WEIGHTED = {"average_shortest_path_length", "shortest_path", "shortest_path_length"}
WEIGHTED |= {name for name in dir(nx) if "dijkstra" in name}
# Functions that search from every node, unless one of these arguments is given.
ALL_NODES = """all_pairs_dijkstra_path_length all_pairs_shortest_path_length
    average_shortest_path_length betweenness_centrality edge_betweenness_centrality harmonic_centrality"""
MANY_SEARCHES = {
    **dict.fromkeys(ALL_NODES.split(), ()),
    **dict.fromkeys(("center", "diameter", "periphery", "radius"), ("usebounds",)),
    "closeness_centrality": ("u",),
    "eccentricity": ("v",),
    "shortest_path_length": ("source", "target"),
}
# Functions that need ascending adjacency lists.
ASCENDING = {name for name in dir(nx) if name.startswith("dfs_")}
ASCENDING |= {"strongly_connected_components", "topological_generations"}
# Functions that run here only if the caller names the backend: most of their work is done in Python.
UNUSED = {"all_pairs_shortest_path", "ego_graph"}

# ---- lengths and paths ----


def _lengths(G, source, cutoff=None):
    return _levels_by_node(G, G.levels(source, cutoff))


def _levels_by_node(G, levels):
    """Makes a dict of the reached nodes and their levels, in ascending order of levels."""
    reached = np.flatnonzero(levels >= 0)
    reached = reached[np.argsort(levels[reached], kind="stable")]
    return dict(zip(G.named(reached), levels[reached].tolist()))


def _paths(G, source, levels, tree=None):
    """Makes a dict from reached nodes, in NetworkX's order, to their paths. tree: as from G.tree(), which is the
    default."""
    nodes, paths = G.nodes, {source: [source]}
    for parent, child in zip(*(tree or G.tree([G.number[source]], levels))):
        paths[nodes[child]] = [*paths[nodes[parent]], nodes[child]]
    return paths


def _turned(paths):
    return {node: path[::-1] for node, path in paths.items()}


def _paths_to(G, target, cutoff=None):
    return _turned(_paths(G.reversed, target, G.reversed.levels(target, cutoff)))


def _path(G, source, target):
    path = G.searched.paths(*G.numbers([source, target]))[0]
    if not len(path):
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return G.named(path)


def _dijkstra(G, source, target=None, cutoff=None, weight="weight"):
    """Returns the lengths and the paths to all nodes, or those to the target."""
    by = G.weighted(weight)
    found = by.distances(source, cutoff)
    lengths, tree = by.lengths(source, found), by.tree(source, found)
    if target is None:
        paths = _paths(G, source, None, tree)
        return {node: lengths[node] for node in paths}, paths
    length, path, parent_of = _length(target, lengths), [G.number[target]], dict(zip(*reversed(tree)))
    while path[-1] in parent_of:
        path.append(parent_of[path[-1]])
    return length, G.named(np.array(path[::-1]))


def _length(target, lengths):
    if target not in lengths:
        raise nx.NetworkXNoPath(f"Node {target} is not reachable")
    return lengths[target]


def _shortest_path(G, source=None, target=None, weight=None, method="dijkstra"):
    if weight is not None and source is not None:
        return _dijkstra(G, source, weight=weight)[1]
    if weight is not None:
        return _turned(_dijkstra(G.reversed, target, weight=weight)[1])
    if source is not None:
        return _paths(G, source, G.levels(source)) if target is None else _path(G, source, target)
    return PATHS["all_pairs_shortest_path"](G) if target is None else _paths_to(G, target)


def _all_weighted_lengths(G, cutoff=None, weight="weight"):
    by = G.weighted(weight)
    if by.may_fail:  # when it is too late for NetworkX to take over
        raise InputError("distances may be too large")
    return ((node, by.lengths(node, by.distances(node, cutoff))) for node in G.nodes)


def _shortest_path_length(G, source=None, target=None, weight=None, method="dijkstra"):
    if weight is not None and source is None:
        return _all_weighted_lengths(G, None, weight) if target is None else G.reversed.weighted(weight).lengths(target)
    if weight is not None:
        by = G.weighted(weight)
        return by.lengths(source) if target is None else _length(target, by.lengths(source))
    if source is not None:
        return _lengths(G, source) if target is None else len(_path(G, source, target)) - 1
    return PATHS["all_pairs_shortest_path_length"](G) if target is None else _lengths(G.reversed, target)


def _ego_graph(G, n, radius=1, center=True, undirected=False):
    near = G.original.subgraph(_lengths(G, n, radius)).copy()
    if not center:
        near.remove_node(n)
    return near


def _sums(G, nodes, what):
    """Searches from each node and returns the sums over levels. Error if one of them does not reach all nodes."""
    message = f"{what} {'strongly connected' if G.is_directed() else 'connected'}"
    if np.any(G.levels(nodes[0]) < 0):  # one search is quick
        raise nx.NetworkXError(message)
    found = G.searched.bfs(G.numbers(nodes), levels=False)
    if np.any(found.reached != len(G)):
        raise nx.NetworkXError(message)
    return found


def _eccentricity(G, v=None, sp=None, weight=None):
    nodes = G.nodes if v is None else list(G.original.nbunch_iter(v))
    if not nodes:
        return {}
    kind = "digraph" if G.is_directed() else "graph"
    found = _sums(G, nodes, f"Found infinite path length because the {kind} is not")
    e = dict(zip(nodes, found.eccentricities.tolist()))
    return e[v] if v in G else e


def _extreme(G, name, of_all):
    """Finds the diameter or radius. For an undirected graph, the library searches from only a few nodes."""
    found = math.inf if G.is_directed() or not len(G) else getattr(G.searched, name)()
    return of_all(_eccentricity(G).values()) if found == math.inf else found


def _nodes_with(G, of_all):
    """Lists the nodes whose eccentricity is the smallest, or the largest."""
    e = _eccentricity(G)
    if not e and not G.is_directed():
        raise nx.NetworkXPointlessConcept("G has no nodes.")
    wanted = of_all(e.values())
    return [node for node in e if e[node] == wanted]


def _average_shortest_path_length(G, weight=None, method=None):
    if not len(G):
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus no average of their lengths")
    if len(G) == 1:
        return 0
    if weight is not None and not _is_one(G, strong=G.is_directed()):
        raise nx.NetworkXError(f"Graph is not {'strongly ' if G.is_directed() else ''}connected.")
    if weight is not None:
        lengths = map(G.weighted(weight).lengths, G.nodes)
        return sum(length for each in lengths for length in each.values()) / (len(G) * (len(G) - 1))
    return int(_sums(G, G.nodes, "Graph is not").level_sums.sum()) / (len(G) * (len(G) - 1))


def _closeness_centrality(G, u=None, distance=None, wf_improved=True):
    if u is None:
        return dict(zip(G.nodes, G.searched.closeness().tolist())) if len(G) else {}
    levels = G.reversed.levels(u)
    others, total = np.count_nonzero(levels > 0), int(levels[levels > 0].sum())
    return float(others / total * (others / (len(G) - 1))) if total else 0.0


PATHS = {
    "all_pairs_dijkstra_path_length": _all_weighted_lengths,
    "all_pairs_shortest_path": lambda G, cutoff=None: (
        (source, _paths(G, source, levels)) for source, levels in G.all_levels(cutoff)
    ),
    "all_pairs_shortest_path_length": lambda G, cutoff=None: (
        (source, _levels_by_node(G, levels)) for source, levels in G.all_levels(cutoff)
    ),
    "average_shortest_path_length": _average_shortest_path_length,
    "bidirectional_shortest_path": _path,
    "center": lambda G, e=None, usebounds=False, weight=None: _nodes_with(G, min),
    "closeness_centrality": _closeness_centrality,
    "dijkstra_path": lambda G, source, target, weight="weight": _dijkstra(G, source, target, None, weight)[1],
    "dijkstra_path_length": lambda G, source, target, weight="weight": (
        _length(target, G.weighted(weight).lengths(source))
    ),
    "diameter": lambda G, e=None, usebounds=False: _extreme(G, "diameter", max),
    "eccentricity": _eccentricity,
    "ego_graph": _ego_graph,
    "has_path": lambda G, source, target: G.searched.path_lengths(*G.numbers([source, target])) >= 0,
    "periphery": lambda G, e=None, usebounds=False, weight=None: _nodes_with(G, max),
    "radius": lambda G, e=None, usebounds=False: _extreme(G, "radius", min),
    "shortest_path": _shortest_path,
    "shortest_path_length": _shortest_path_length,
    "single_source_dijkstra": _dijkstra,
    "single_source_dijkstra_path": lambda G, source, cutoff=None, weight="weight": (
        _dijkstra(G, source, None, cutoff, weight)[1]
    ),
    "single_source_dijkstra_path_length": lambda G, source, cutoff=None, weight="weight": (
        (by := G.weighted(weight)).lengths(source, by.distances(source, cutoff))
    ),
    "single_source_shortest_path": lambda G, source, cutoff=None: _paths(G, source, G.levels(source, cutoff)),
    "single_source_shortest_path_length": _lengths,
    "single_target_shortest_path": _paths_to,
    "single_target_shortest_path_length": lambda G, target, cutoff=None: _lengths(G.reversed, target, cutoff),
}

# ---- components and centralities ----


def _components(G, labels=None):
    """Yields sets of nodes in the order of their labels; by default weak components, in the order of their first
    nodes, as NetworkX does."""
    labels = G.searched.components().labels if labels is None else labels
    order = np.argsort(labels, kind="stable")
    for vertices in np.split(order, np.flatnonzero(np.diff(labels[order])) + 1):
        if len(vertices):
            yield set(G.named(vertices))


def _strong_components(G):
    """Yields sets of nodes in NetworkX's order, in which depth-first searches from all nodes leave the first node of
    each component. One search does it all, from a vertex with an edge to every node."""
    n = len(G)
    rooted = Graph.from_csr(np.append(G.indptr, G.indptr[-1] + n), np.append(G.indices, np.arange(n)))
    found = rooted.dfs(n, variant="serial", device="cpu")
    labels, order = G.searched.components(strong=True).labels, found.order[1:]
    first = set(order[np.unique(labels[order], return_index=True)[1]].tolist())
    left = [vertex for vertex in _postorder(found.order.tolist(), found.parents.tolist()) if vertex in first]
    place = np.empty(n, dtype=np.int64)
    place[labels[left]] = np.arange(len(left))
    return _components(G, place[labels])


def _count(G, strong=False):
    return G.searched.components(strong=strong).count if len(G) else 0


def _is_one(G, strong=False):
    if not len(G):
        raise nx.NetworkXPointlessConcept("Connectivity is undefined for the null graph.")
    return _count(G, strong) == 1


def _sampled(G, k, seed, edges=False):
    """Returns the sums of betweenness over the paths from NetworkX's sample of k nodes, and a mask of these nodes."""
    if k == 0:
        return np.zeros(len(G.searched.indices) if edges else len(G)), np.zeros(len(G), dtype=bool)
    sources = None if k is None else G.numbers(seed.sample(G.nodes, k))
    scale = 1 if k is None else len(G) / k
    sums = np.asarray(G.searched.betweenness(sources, normalized=False, edges=edges, directed=True)) / scale
    return sums, np.ones(len(G), dtype=bool) if k is None else np.isin(np.arange(len(G)), sources)


def _of_pairs(G, sums, num_sources, normalized, size):
    """Turns sums over ordered pairs into values as NetworkX does: averages over pairs from num_sources sources to
    size - 1 targets or, if not normalized, estimates of the sum over the pairs of size nodes."""
    if size < 2:
        return sums
    if not np.any(num_sources):
        raise ZeroDivisionError("division by zero")  # as in NetworkX
    with np.errstate(invalid="ignore"):  # 0 / 0 is NaN
        means = sums / num_sources
    return means / (size - 1) if normalized else means * size / (1 if G.is_directed() else 2)


def _betweenness(G, k=None, normalized=True, weight=None, endpoints=False, seed=None):
    sums, is_source = _sampled(G, k, seed)
    size = len(G) if endpoints else len(G) - 1
    if endpoints:
        for source, levels in G.all_levels(vertices=np.flatnonzero(is_source)):
            sums += levels >= 0
            sums[G.number[source]] += np.count_nonzero(levels > 0) - 1
    num_sources = size if k is None else k if endpoints else k - is_source
    return dict(zip(G.nodes, _of_pairs(G, sums, num_sources, normalized, size).tolist()))


def _edge_betweenness(G, k=None, normalized=True, weight=None, seed=None):
    """Makes a dict from NetworkX's edges to their values; self-loops have 0, and parallel edges share a value."""
    sums, n = _sampled(G, k, seed, edges=True)[0], len(G)
    known = np.repeat(np.arange(n), np.diff(G.searched.indptr)) * n + G.searched.indices  # ascending
    edges = list(G.original.edges(keys=True) if G.is_multigraph() else G.original.edges())
    ends = np.array([G.numbers(edge[:2]) for edge in edges], dtype=np.int64).reshape(-1, 2)
    found = np.zeros(len(edges))
    for source, target in (ends.T,) if G.is_directed() else (ends.T, ends.T[::-1]):
        there = source != target
        found[there] += sums[np.searchsorted(known, (source * n + target)[there])]
    values = _of_pairs(G, found, n if k is None else k, normalized, n)
    if G.is_multigraph():
        values = values / [len(G.original.adj[edge[0]][edge[1]]) for edge in edges]
    return dict(zip(edges, values.tolist()))


COMPONENTS = {
    "betweenness_centrality": _betweenness,
    "connected_components": _components,
    "edge_betweenness_centrality": _edge_betweenness,
    "harmonic_centrality": lambda G: dict(zip(G.nodes, G.searched.harmonic().tolist())) if len(G) else {},
    "is_connected": _is_one,
    "is_strongly_connected": lambda G: _is_one(G, strong=True),
    "is_weakly_connected": _is_one,
    "node_connected_component": lambda G, n: {n} | _descendants(G, n),
    "number_connected_components": _count,
    "number_strongly_connected_components": lambda G: _count(G, strong=True),
    "number_weakly_connected_components": _count,
    "strongly_connected_components": _strong_components,
    "weakly_connected_components": _components,
}

# ---- trees and orders ----


def _bfs_edges(G, source, reverse=False, depth_limit=None):
    G = G.reversed if reverse else G
    return G.pairs(*G.tree([G.number[source]], G.levels(source, depth_limit)))


def _bfs_layers(G, sources):
    layer = list({sources} if sources in G else set(sources))
    for source in layer:
        if source not in G:
            raise nx.NetworkXError(f"The node {source} is not in the graph.")
    if layer:
        yield layer
        starts = G.numbers(layer)
        levels = G.searched.bfs(starts, together=True).levels
        children = np.array(G.tree(starts, levels)[1], dtype=np.int64)
        layers = np.split(children, np.flatnonzero(np.diff(levels[children])) + 1)
        yield from (G.named(layer) for layer in layers if len(layer))


def _at_distance(G, source, distance):
    levels = G.levels(source, distance)
    return set(G.named(np.flatnonzero((levels >= 0) & (levels == distance))))


def _descendants(G, source):
    return set(G.named(np.flatnonzero(G.levels(source) > 0)))


def _depth_first(G, source):
    """Lists the vertices in the order of their discovery, and the parent of every vertex."""
    found = G.searched.dfs(G.number[source], variant="serial", device="cpu")
    return found.order.tolist(), found.parents.tolist()


def _dfs_edges(G, source):
    order, parents = _depth_first(G, source)
    return G.pairs(map(parents.__getitem__, order[1:]), order[1:])


def _postorder(order, parents):
    open_vertices = order[:1]
    for vertex in order[1:]:
        while open_vertices[-1] != parents[vertex]:
            yield open_vertices.pop()
        open_vertices.append(vertex)
    yield from reversed(open_vertices)


def _topological(G):
    """Lists the vertices in a topological order. If lists ascend, Kahn's algorithm with a queue gives NetworkX's
    order."""
    if not G.is_directed():
        raise nx.NetworkXError("Topological sort not defined on undirected graphs.")
    cycle = nx.NetworkXUnfeasible("Graph contains a cycle or graph changed during iteration")
    if G.has_self_loops:
        raise cycle
    try:
        how = {"variant": "serial", "device": "cpu"} if G.ascends else {}
        return np.asarray(G.searched.topological_order(**how)) if len(G) else np.empty(0, dtype=np.int32)
    except InputError:
        raise cycle from None


def _topological_sort(G):
    yield from G.named(_topological(G))


def _generations(G):
    """Splits the topological order into generations. A vertex is queued after its last predecessor, so each
    generation is a contiguous piece of the order."""
    order = _topological(G)
    place, last = np.empty(len(G), dtype=np.int64), np.full(len(G), -1)
    place[order] = np.arange(len(G))
    np.maximum.at(last, G.indices, place[G.rows])
    last, begin = last[order], 0
    while begin < len(G):
        end = int(np.searchsorted(last, begin)) if begin else int(np.count_nonzero(last < 0))
        yield G.named(order[begin:end])
        begin = end


TREES = {
    "ancestors": lambda G, source: _descendants(G.reversed, source),
    "bfs_edges": _bfs_edges,
    "bfs_layers": _bfs_layers,
    # NetworkX's own functions, which call bfs_edges() or dfs_edges() of this backend
    "bfs_predecessors": nx.bfs_predecessors.orig_func,
    "bfs_successors": nx.bfs_successors.orig_func,
    "bfs_tree": nx.bfs_tree.orig_func,
    "dfs_predecessors": lambda G, source: nx.dfs_predecessors.orig_func(G, source),
    "dfs_successors": lambda G, source: nx.dfs_successors.orig_func(G, source),
    "dfs_tree": lambda G, source: nx.dfs_tree.orig_func(G, source),
    "descendants": _descendants,
    "descendants_at_distance": _at_distance,
    "dfs_edges": _dfs_edges,
    "dfs_postorder_nodes": lambda G, source: map(G.nodes.__getitem__, _postorder(*_depth_first(G, source))),
    "dfs_preorder_nodes": lambda G, source: map(G.nodes.__getitem__, _depth_first(G, source)[0]),
    "generic_bfs_edges": lambda G, source, neighbors=None, depth_limit=None: _bfs_edges(G, source, False, depth_limit),
    "is_directed_acyclic_graph": lambda G: G.is_directed() and not G.has_self_loops and G.searched.is_acyclic,
    "topological_generations": _generations,
    "topological_sort": _topological_sort,
}

# ---- what NetworkX calls ----


def _given(name, args, kwargs):
    """Returns {parameter: argument}."""
    return dict(zip(PARAMETERS[name], args), **kwargs)


def _weight(name, given):
    """Returns the weight by which a call measures paths; None: it counts edges."""
    return given.get("weight", PARAMETERS[name]["weight"].default) if name in WEIGHTED else None


def _refusal(name, args, kwargs):
    """Returns why a function refuses these arguments; None: it takes them."""
    known, given, empty = PARAMETERS[name], _given(name, args, kwargs), Parameter.empty
    if any(value is not None for value in args[len(known) :]):
        return f"more than {len(known)} arguments are not supported"
    for one, parameter in known.items():
        if parameter.default is empty and given.get(one) is None:
            return f"it needs {one}"
    weight = _weight(name, given)
    if weight is not None:
        if not isinstance(weight, str) or given.get("method") not in (None, "dijkstra"):
            return "weights are named by a text, and added up by Dijkstra's method"
        if name == "shortest_path" and (given.get("source") is None) == (given.get("target") is None):
            return "paths by weights are from one node or to one node"
        given.pop("weight", None)
    for one, value in given.items():
        default = known[one].default if one in known else None
        if value is not default and (one not in known or (one in REFUSED and default is not empty)):
            return f"{one} is not supported"
        if one == "method" and value not in (default, *METHODS[default]):
            return f"method {value!r} is not supported"
    if given.get("undirected") and given["G"].is_directed():
        return "undirected is not supported on directed graphs"
    return None


def _checked(name, function):
    """Wraps a function: NotImplementedError for what it refuses, and NetworkX's error for a node that is not in G."""
    error = nx.NodeNotFound if name in PATHS else KeyError if name in COMPONENTS else nx.NetworkXError
    is_not = "not" if name in ("single_source_shortest_path", "single_target_shortest_path") else "is not"

    def call(*args, **kwargs):
        reason, given = _refusal(name, args, kwargs), _given(name, args, kwargs)
        if not reason and name in ASCENDING and not given["G"].ascends:
            reason = "neighbours are visited in the nodes' order; G lists them in another"
        if reason:
            raise NotImplementedError(f"gtrav: {name}: {reason}")
        to_one = _weight(name, given) is not None and given.get("source") is not None  # then there is no path to it
        for role in ("source", "u", "n") if to_one else ("source", "target", "u", "n"):
            if given.get(role) is not None and given[role] not in given["G"]:
                raise error(f"{role.capitalize()} {given[role]} {is_not} in G")
        try:
            return function(**{one: value for one, value in given.items() if one in PARAMETERS[name]})
        except InputError as problem:  # numbers that are too large, and weights that NetworkX may know
            raise NotImplementedError(f"gtrav: {name}: {problem}") from None

    return call


class _Backend:
    """The entry point networkx.backends: conversions, and the functions of the tables."""

    @staticmethod
    def convert_from_nx(graph, **_attributes):
        """Converts a graph without its attributes, which nothing here uses; the original graph is kept. If NetworkX
        asks again for other attributes, it gets the same conversion. When a graph changes, NetworkX drops its
        conversion but keeps conversions of its views. So views are converted each time."""
        if hasattr(graph, "_graph"):  # a view
            graph.__networkx_cache__ = None  # tells NetworkX to keep nothing
        return graph if isinstance(graph, BackendGraph) else converted(graph) or BackendGraph(graph)

    @staticmethod
    def convert_to_nx(result, **_how):
        return result.original if isinstance(result, BackendGraph) else result

    @staticmethod
    def can_run(name, args, kwargs):
        return _refusal(name, args, kwargs) or True

    @staticmethod
    def on_start_tests(items):
        """Marks the tests of NetworkX that cannot pass."""
        import pytest

        reasons = {
            "test_topological_sort6": ("changes of G during the iteration go unnoticed", True),
            "test_equivalence_non_subset": ("sums in another order may differ in their last digit", False),
        }
        for item in items:
            if item.name in reasons:
                reason, strict = reasons[item.name]
                item.add_marker(pytest.mark.xfail(reason=reason, strict=strict))

    @staticmethod
    def should_run(name, args, kwargs):
        """Accepts a call if the graph is converted already, or if many searches pay for the conversion."""
        graph = args[0] if args else kwargs["G"]
        if name in UNUSED:
            return "NetworkX alone is as fast"
        if isinstance(graph, BackendGraph) or converted(graph):
            return True
        smallest = nx.config.backends.gtrav.smallest
        given = _given(name, args, kwargs)
        some = [given.get(one) for one in MANY_SEARCHES.get(name, ())]
        if name not in MANY_SEARCHES or any(one is not None and one is not False for one in some):
            return "converting the graph takes longer than one search"
        return graph.number_of_nodes() >= smallest or f"the graph has fewer than {smallest:,} nodes"


FUNCTIONS = {**PATHS, **COMPONENTS, **TREES}
PARAMETERS = {name: signature(function).parameters for name, function in FUNCTIONS.items()}
for _name, _function in FUNCTIONS.items():
    setattr(_Backend, _name, staticmethod(_checked(_name, _function)))
backend = _Backend()
