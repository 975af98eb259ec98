"""_gtrav_networkx.py: what NetworkX reads of its backend gtrav when it is imported. It imports nothing, so
that this costs nothing; the backend itself is gtrav/networkx.py."""

_TREE = "NetworkX's edges, in its order."
_DEPTH_FIRST = "Needs a source and adjacency lists that ascend, as in a graph made of sorted edges; no depth_limit."
_ANY = "A shortest path, which need not be NetworkX's."
FUNCTIONS = {
    "all_pairs_shortest_path": _TREE,
    "all_pairs_shortest_path_length": "",
    "ancestors": "",
    "average_shortest_path_length": "No weight.",
    "bfs_edges": f"{_TREE} No sort_neighbors.",
    "bfs_layers": _TREE,
    "bfs_predecessors": f"{_TREE} No sort_neighbors.",
    "bfs_successors": f"{_TREE} No sort_neighbors.",
    "bfs_tree": f"{_TREE} No sort_neighbors.",
    "bidirectional_shortest_path": _ANY,
    "closeness_centrality": "No distance, and wf_improved only.",
    "descendants": "",
    "descendants_at_distance": "",
    "dfs_edges": _DEPTH_FIRST,
    "dfs_postorder_nodes": _DEPTH_FIRST,
    "dfs_predecessors": _DEPTH_FIRST,
    "dfs_preorder_nodes": _DEPTH_FIRST,
    "dfs_successors": _DEPTH_FIRST,
    "dfs_tree": _DEPTH_FIRST,
    "diameter": "No e and no weight.",
    "eccentricity": "No sp and no weight.",
    "ego_graph": "No distance; undirected only on undirected graphs.",
    "generic_bfs_edges": f"{_TREE} No neighbors.",
    "has_path": "",
    "is_directed_acyclic_graph": "",
    "radius": "No e and no weight.",
    "shortest_path": f"No weight. Between two nodes: {_ANY.lower()}",
    "shortest_path_length": "No weight.",
    "single_source_shortest_path": _TREE,
    "single_source_shortest_path_length": "",
    "single_target_shortest_path": _TREE,
    "single_target_shortest_path_length": "",
    "topological_generations": "Needs adjacency lists that ascend.",
    "topological_sort": "NetworkX's order where adjacency lists ascend, otherwise another topological order.",
}


def info():
    """The entry point networkx.backend_info."""
    return {
        "backend_name": "gtrav",
        "project": "gtrav",
        "package": "gtrav",
        "short_summary": "Traversals on GPUs and CPUs by libgtrav.",
        "description": "Breadth-first and depth-first search, path lengths and closeness by libgtrav.",
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
        "default_config": {"smallest": 100},
    }
