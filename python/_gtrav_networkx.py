"""_gtrav_networkx.py: describes the backend gtrav to NetworkX, which reads this file whenever it is imported. So the
file imports nothing; the backend itself is gtrav/networkx.py."""

# The notes in NetworkX's documentation, and the functions that they are for.
_TREE, _ASCENDS = "NetworkX's edges, in its order.", "adjacency lists that ascend, as in a graph made of sorted edges"
NOTES = {
    "": """all_pairs_shortest_path_length ancestors connected_components descendants descendants_at_distance has_path
        is_connected is_directed_acyclic_graph is_strongly_connected is_weakly_connected node_connected_component
        number_connected_components number_strongly_connected_components number_weakly_connected_components
        single_source_shortest_path_length single_target_shortest_path_length weakly_connected_components""",
    "An attribute's name as weight, int or float, and NetworkX's paths.": """all_pairs_dijkstra_path_length
        dijkstra_path dijkstra_path_length single_source_dijkstra single_source_dijkstra_path
        single_source_dijkstra_path_length""",
    "No weight. The samples of k nodes are NetworkX's.": "betweenness_centrality edge_betweenness_centrality",
    "No nbunch, distance or sources.": "harmonic_centrality",
    _TREE: """all_pairs_shortest_path bfs_layers single_source_shortest_path single_target_shortest_path""",
    f"{_TREE} No sort_neighbors or neighbors.": """bfs_edges bfs_predecessors bfs_successors bfs_tree
        generic_bfs_edges""",
    "Any of the shortest paths between two nodes.": "bidirectional_shortest_path",
    "Any of the shortest paths between two nodes. With a weight, one end only and Dijkstra's method.": "shortest_path",
    "No weight and nothing that was computed before.": "center diameter eccentricity periphery radius",
    "The weight is an attribute's name.": "shortest_path_length",
    "The weight is an attribute's name. No method of Floyd and Warshall.": "average_shortest_path_length",
    "No distance, and wf_improved only.": "closeness_centrality",
    "No distance; undirected only on undirected graphs.": "ego_graph",
    f"Needs a source and {_ASCENDS}; no depth_limit.": """dfs_edges dfs_postorder_nodes dfs_predecessors
        dfs_preorder_nodes dfs_successors dfs_tree""",
    f"Needs {_ASCENDS}.": "strongly_connected_components topological_generations",
    "NetworkX's order where adjacency lists ascend, otherwise another topological order.": "topological_sort",
}


def info():
    """The entry point networkx.backend_info."""
    return {
        "backend_name": "gtrav",
        "project": "gtrav",
        "package": "gtrav",
        "short_summary": "Traversals on GPUs and CPUs by libgtrav.",
        "description": "Breadth-first and depth-first search, path lengths and closeness by libgtrav.",
        "functions": {name: {"additional_docs": text} for text, names in NOTES.items() for name in names.split()},
        "default_config": {"smallest": 200},
    }
