"""_gtrav_networkx.py: what NetworkX reads of its backend gtrav when it is imported. It imports nothing, so
that this costs nothing; the backend itself is gtrav/networkx.py."""

_ORDER = "adjacency lists must ascend, as those of a graph made of sorted edges do"
FUNCTIONS = {
    "all_pairs_shortest_path_length": "Many sources at once.",
    "bfs_edges": "NetworkX's edges in its order. No sort_neighbors; no reverse on directed graphs.",
    "bfs_tree": "As bfs_edges.",
    "closeness_centrality": "No distance, and wf_improved only; u only on undirected graphs.",
    "dfs_preorder_nodes": f"Needs a source; no depth_limit and no sort_neighbors; {_ORDER}.",
    "single_source_shortest_path_length": "",
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
