"""oracle.py: graphs and traversals in plain Python, written to be seen right, for tests to compare with."""

from collections import deque

UNREACHED = -1


class Graph:
    """Vertices 0 .. num_vertices - 1; self-loops and repeated edges are dropped, as gtrav does."""

    def __init__(self, num_vertices, edges):
        self.num_vertices = num_vertices
        self.edges = {(u, v) for u, v in edges if u != v}
        self.neighbours = [[] for _ in range(num_vertices)]
        for u, v in sorted(self.edges):
            self.neighbours[u].append(v)

    def undirected(self):
        return Graph(self.num_vertices, self.edges | {(v, u) for u, v in self.edges})


def bfs_levels(graph, source):
    level = [UNREACHED] * graph.num_vertices
    level[source] = 0
    queue = deque([source])
    while queue:
        u = queue.popleft()
        for v in graph.neighbours[u]:
            if level[v] == UNREACHED:
                level[v] = level[u] + 1
                queue.append(v)
    return level


def dfs_order(graph, source):
    """The lexicographic depth-first search: vertices in the order of their discovery."""
    order, seen = [source], {source}
    stack = [iter(graph.neighbours[source])]
    while stack:
        v = next((v for v in stack[-1] if v not in seen), None)
        if v is None:
            stack.pop()
        else:
            seen.add(v)
            order.append(v)
            stack.append(iter(graph.neighbours[v]))
    return order


def is_topological(graph, order):
    place = {v: i for i, v in enumerate(order)}
    return sorted(order) == list(range(graph.num_vertices)) and all(
        place[u] < place[v] for u, v in graph.edges
    )


def is_acyclic(graph):
    missing = [0] * graph.num_vertices
    for _, v in graph.edges:
        missing[v] += 1
    ready = [v for v in range(graph.num_vertices) if missing[v] == 0]
    for u in ready:
        for v in graph.neighbours[u]:
            missing[v] -= 1
            if missing[v] == 0:
                ready.append(v)
    return len(ready) == graph.num_vertices


def is_spanning_tree(graph, source, parent):
    """Parents are in-neighbours, chains of them end at the source, and all that it reaches has one."""
    reached = {v for v, level in enumerate(bfs_levels(graph, source)) if level != UNREACHED}
    if {v for v in range(graph.num_vertices) if parent[v] != UNREACHED} != reached or parent[
        source
    ] != source:
        return False
    for v in reached - {source}:
        if (parent[v], v) not in graph.edges:
            return False
        steps = 0
        while v != source and steps <= len(reached):
            v, steps = parent[v], steps + 1
        if v != source:
            return False
    return True
