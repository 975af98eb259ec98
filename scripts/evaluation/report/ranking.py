"""ranking.py: the part of the reproduction report that says which algorithm to use for which graph."""

from evaluation.analyses.fastest import gives_parents, is_usual
from evaluation.comparison import on_equal_terms, over_graphs, prepared_ms, search_ms
from evaluation.records import is_of_gtrav, kind_of, settings_of, traces
from evaluation.report.page import Table, count
from evaluation.results import is_below
from evaluation.text_tables import digits

import pandas as pd

TASKS = {
    "bfs": "Breadth-first search, one source",
    "dfs": "Depth-first search",
    "topo": "Topological order",
    "wcc": "Weakly connected components",
    "scc": "Strongly connected components",
    "msbfs": "Searches from 256 sources, time of each",
    "closeness": "Closeness of every vertex, time a source",
}
SINGLE = ("bfs", "dfs", "topo", "wcc", "scc")  # families with one source, or none
# A graph of several kinds counts as the first of them.
KIND_WORDS = {
    "acyclic": "acyclic graphs",
    "road": "road networks",
    "mesh": "meshes",
    "scale-free": "scale-free graphs",
    "random": "uniformly random graphs",
    "deep": "other graphs of many levels",
    "shallow": "other graphs of few levels",
    "": "other graphs",
}


def task_of(row):
    """Returns the task that a row competes in, or None."""
    if row["family"] == "pairs" or traces(settings_of(row["options"])):
        return None
    if row["family"] == "bfs" and gives_parents(row):
        return None
    if is_below(row["folders"], "batches-256"):
        return "msbfs"
    if row["family"] == "closeness":
        return "closeness" if row["sources"] == row["vertices"] else None
    return row["family"] if row["family"] in TASKS and is_usual(row) else None


def name_of(row, task):
    """Names an implementation among those of a task."""
    if int(row.get("devices") or 1) > 1:
        return f"{row['variant']} ({row['devices']} GPUs)"
    name = f"{row['variant']} ({kind_of(row['device'])})"
    return name if row["family"] == task else f"{row['family']} {name}, each"


def competitors(results):
    """A line for every row of records that competes in a task; alone: ms of one search that pays for all."""
    facts = results.facts
    kinds = {graph: next(kind for kind in KIND_WORDS if kind in (*facts[graph].kinds, "")) for graph in facts}
    lines = [
        {
            "task": task,
            "graph": row["graph"],
            "kind": kinds[row["graph"]],
            "edges": facts[row["graph"]].edges,
            "name": name_of(row, task),
            "variant": row["variant"],
            "place": kind_of(row["device"]),
            "ours": is_of_gtrav(row),
            "ms": search_ms(row),
            "mteps": float(row["mean_search_mteps"]),
            "prepared": prepared_ms(row),
            "alone": prepared_ms(row) + search_ms(row),
            "sources": str(terms),
        }
        for task, row, terms in on_shared_sources(results.rows.to_dict("records"))
        if search_ms(row) > 0
    ]
    return pd.DataFrame(lines)


def on_shared_sources(rows):
    """Yields (task, row, Terms) for every row that competes. Means are over the sources that all rows of the same
    task and graph share, if they share any of large reach."""
    groups = {}
    for row in rows:
        if task := task_of(row):
            groups.setdefault((task, row["graph"]), []).append(row)
    for (task, _), known in groups.items():
        equal, terms = on_equal_terms(known)
        for row in equal:
            yield task, row, terms


def best(rows, cost):
    """The cheapest line of every implementation on each graph, in ascending order of cost."""
    return rows.sort_values(cost, kind="stable").drop_duplicates(["task", "graph", "name"])


def ranking_of_graphs(rows):
    """A line a graph; rows: of a task, the fastest first."""
    lines = []
    for (_, graph), known in rows.groupby(["edges", "graph"]):
        first, *others = known.itertuples()
        line = [graph, KIND_WORDS[first.kind], count(first.edges), first.name]
        line += [digits(first.ms), count(first.mteps), digits(first.prepared)]
        line += [others[0].name, f"{digits(others[0].ms / first.ms)}x"] if others else ["", ""]
        lines.append([*line, str(len(known)), first.sources])
    header = ["graph", "kind", "edges", "fastest", "ms", "MTEPS", "prepared in ms"]
    header += ["runner-up", "times as long", "of", "on"]
    return Table(header, lines)


def ranks_by_kind(rows, cost):
    """{kind: graphs x implementations, times slower than the fastest}, of those on half of its graphs.

    A graph on which only one implementation ran does not show which is better.
    """
    rows = rows[rows.graph.duplicated(keep=False)]
    slower = rows[cost] / rows.groupby("graph")[cost].transform("min")
    found = {}
    for kind, known in rows.assign(slower=slower).groupby("kind"):
        table = known.pivot(index="graph", columns="name", values="slower")
        found[kind] = table.loc[:, 2 * table.count() >= len(table)]
    return {kind: found[kind] for kind in KIND_WORDS if kind in found}


def nearest(slower):
    """Returns the implementation nearest to the fastest, and its distance. slower: as in ranks_by_kind()."""
    means = {name: over_graphs(times.dropna()) for name, times in slower.items()}
    use = min(means, key=lambda name: (means[name], -slower[name].count()))
    return use, means[use]


def slower_than(use, slower):
    """Names the next three, and how many times slower than `use` each is on the graphs of both."""
    ratios = slower.div(slower[use], axis=0).dropna(axis=1, how="all").drop(columns=use)
    means = sorted((over_graphs(times.dropna()), name, times.count()) for name, times in ratios.items())
    all_of_it = slower[use].count()
    return "; ".join(
        f"{name} {digits(times)}x" + ("" if graphs == all_of_it else f" on {graphs}")
        for times, name, graphs in means[:3]
    )


def recommendations(task, rows, alone):
    """A sentence, and a table a row a kind of graph; alone: as rows, by what one search takes in all."""
    lines, best_on = [], {}
    by_kind_alone = ranks_by_kind(alone, "alone") if task in SINGLE else {}
    for kind, slower in ranks_by_kind(rows, "ms").items():
        use, off = nearest(slower)
        graphs = slower[use].dropna().index
        best_on.setdefault(use, []).append(KIND_WORDS[kind])
        line = [KIND_WORDS[kind], str(len(graphs)), use, f"{digits(off)}x"]
        line += [slower_than(use, slower), f"{slower.shape[1]} of {rows.name.nunique()}"]
        if task in SINGLE:
            prepared = rows.prepared[(rows.name == use) & rows.graph.isin(graphs)]
            line += [digits(prepared.median()), nearest(by_kind_alone[kind])[0]]
        lines.append(line)
    sentence = "; ".join(f"**{name}** on {', '.join(kinds)}" for name, kinds in best_on.items())
    header = ["on", "graphs", "use", "times the fastest", "runners-up: times as long", "compared"]
    header += ["prepares, ms", "for one search alone"] if task in SINGLE else []
    sentence = f"Over many searches: {sentence}" if task in SINGLE else sentence
    return [f"{sentence}.", Table(header, lines)]


def ranking(results):
    rows, parts = competitors(results), []
    if rows.empty:
        return []
    for task, title in TASKS.items():
        ours = rows[rows.ours & (rows.task == task)]
        fastest = best(ours, "ms")
        if fastest.graph.duplicated().any():
            parts.append(f"### {title}")
            parts += recommendations(task, fastest, best(ours, "alone"))
            parts.append(ranking_of_graphs(fastest))
    if not parts:
        return []
    where = [f"{kind} is {name}" for kind, name in (("GPU", results.gpu), ("CPU", results.cpu)) if name]
    return [
        "## Which algorithm for which graph",
        f"gtrav's own implementations ({'; '.join(where)}), by the time of a whole search, the reset of what "
        "the last one left included, each with the options that are fastest on the graph. By kind of graph, "
        "of those that two or more ran on: "
        "which is nearest to the fastest on each (geometric mean), among those that ran on half of them; "
        "`compared` tells how many these are, of all that were measured at all. How much slower others "
        "are is on the graphs that both ran on. What comes before a search (the graph copied to the GPU, "
        "put into another order, an index built) pays over many; the last column counts it in. MTEPS count "
        "an undirected edge twice, once from each end.",
        *parts,
        *other_programs(best(rows, "ms")),
    ]


def other_programs(rows):
    """Programs that are not ours, beside our fastest on the CPU and on the GPU; rows: from best()."""
    lines = []
    for (task, graph), known in rows[rows.task.isin(["bfs", "dfs"])].sort_index().groupby(["task", "graph"]):
        ours = known[known.ours].groupby("place").ms.min()
        if ours.empty:
            continue
        times = [ours.get(place) for place in ("CPU", "GPU")]
        for other in known[~known.ours].itertuples():
            own = [digits(ms) if ms else "" for ms in times]
            faster = [f"{digits(other.ms / ms)}x" if ms else "" for ms in times]
            lines.append([graph, task, other.variant, digits(other.ms), *own, *faster])
    if not lines:
        return []
    header = ["graph", "", "program", "its ms", "gtrav CPU ms", "gtrav GPU ms", "CPU faster", "GPU faster"]
    return [
        "### Other programs on the same graphs and sources",
        "Times are what a program says of its search; gtrav's are its fastest on each device, without "
        "what comes before. The libraries' DFS goes in the serial order, where gtrav's parallel ones "
        "find any depth-first tree.",
        Table(header, lines),
    ]
