"""ranking.py: the part of the reproduction report that says which algorithm to use for which graph."""

import itertools
import statistics

from evaluation.claims.results import is_below
from evaluation.records import kind_of, programs_beside_gtrav, settings_of
from evaluation.report.page import Cell, Heading, Table, Text, count
from evaluation.speedups import kernel_ms, over_graphs, prepared_ms
from evaluation.text_tables import digits

TASKS = {
    "bfs": "Breadth-first search, one source",
    "dfs": "Depth-first search",
    "reach": "Reachability",
    "topo": "Topological order",
    "msbfs": "Searches from 256 sources, time of each",
    "closeness": "Closeness of every vertex, time a source",
}
SINGLE = ("bfs", "dfs", "reach", "topo")  # of one source, or none
SHOWN_KINDS = ("acyclic", "road", "mesh", "scale-free", "random", "deep", "shallow")
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


def kind_of_graph(results, graph):
    kinds = results.facts[graph].kinds
    return next((kind for kind in SHOWN_KINDS if kind in kinds), "")


def task_of(row):
    """What a row competes in, or None."""
    if settings_of(row["options"]).get("trace", "0") != "0" or row["family"] == "pairs":
        return None
    if is_below(row["folders"], "batches-256"):
        return "msbfs"
    if row["family"] == "closeness":
        return "closeness" if row["sources"] == row["vertices"] else None
    if is_below(row["folders"], None) or is_below(row["folders"], "xbfs-times"):
        return row["family"] if row["family"] in TASKS else None
    return None


def best_rows(results, cost):
    """{task: {graph: {implementation: its fastest row, by cost(row)}}}"""
    found = {}
    for row in results.rows.to_dict("records"):
        task = task_of(row)
        if task is None or float(row["mean_kernel_ms"]) <= 0:
            continue
        name = f"{row['variant']} ({kind_of(row['device'])})"
        if row["family"] != task:
            name = f"{row['family']} {name}, each"
        if int(row.get("devices") or 1) > 1:
            name = f"{row['variant']} ({row['devices']} GPUs)"
        known = found.setdefault(task, {}).setdefault(row["graph"], {})
        if name not in known or cost(row) < cost(known[name]):
            known[name] = row
    return found


def alone_ms(row):
    """Of one search, and no other that shares what comes before it."""
    return prepared_ms(row) + float(row["mean_time_ms"])


def is_ours(row, others):
    return (row["family"], row["variant"]) not in others


def ranking_of_graphs(results, graphs):
    rows = []
    for graph in sorted(graphs, key=lambda graph: (results.facts[graph].edges, graph)):
        order = sorted(graphs[graph], key=lambda name: kernel_ms(graphs[graph][name]))
        best = graphs[graph][order[0]]
        line = [graph, KIND_WORDS[kind_of_graph(results, graph)], count(results.facts[graph].edges)]
        line += [Cell(order[0], "strong"), digits(kernel_ms(best))]
        line += [count(float(best["mean_mteps"])), digits(prepared_ms(best))]
        if len(order) > 1:
            second = graphs[graph][order[1]]
            line += [order[1], f"{digits(kernel_ms(second) / kernel_ms(best))}x"]
        else:
            line += ["", ""]
        rows.append([*line, str(len(order))])
    header = ["graph", "kind", "edges", "fastest", "ms", "MTEPS", "prepared in ms", "next", "slower", "of"]
    return Table(header, rows, folded="graph by graph")


def ranks_by_kind(results, graphs, cost=kernel_ms):
    """{kind: {implementation: {graph: times slower than the fastest}}}, of those on half of its graphs.

    A graph that a single implementation ran on tells nothing of which is better.
    """
    by_kind = {}
    for graph, known in graphs.items():
        best = min(map(cost, known.values()))
        if len(known) > 1:
            slower = by_kind.setdefault(kind_of_graph(results, graph), {})
            for name, row in known.items():
                slower.setdefault(name, {})[graph] = cost(row) / best
    return {
        kind: {
            name: on
            for name, on in by_kind[kind].items()
            if 2 * len(on) >= len({*itertools.chain(*by_kind[kind].values())})
        }
        for kind in (*SHOWN_KINDS, "")
        if kind in by_kind
    }


def nearest(slower):
    """Of {implementation: {graph: times slower than the fastest}} the nearest to it, and how far off."""
    means = {name: over_graphs(on.values()) for name, on in slower.items()}
    use = min(means, key=lambda name: (means[name], -len(slower[name])))
    return use, means[use]


def recommendations(results, task, graphs, alone):
    """A sentence, and a table a row a kind of graph; alone: as graphs, by what one search takes in all."""
    rows, best_on = [], {}
    implementations = {name for known in graphs.values() for name in known}
    by_kind_alone = ranks_by_kind(results, alone, alone_ms) if task in SINGLE else {}
    for kind, slower in ranks_by_kind(results, graphs).items():
        use, off = nearest(slower)
        others = []
        for name, on in slower.items():
            both = [on[graph] / slower[use][graph] for graph in on if graph in slower[use]]
            if name != use and both:
                among = "" if len(both) == len(slower[use]) else f" on {len(both)}"
                others.append((over_graphs(both), name, among))
        after = "; ".join(f"{name} {digits(times)}x{among}" for times, name, among in sorted(others)[:3])
        best_on.setdefault(use, []).append(KIND_WORDS[kind])
        line = [KIND_WORDS[kind], str(len(slower[use])), Cell(use, "strong")]
        line += [f"{digits(off)}x", after, f"{len(slower)} of {len(implementations)}"]
        if task in SINGLE:
            prepared = [prepared_ms(graphs[graph][use]) for graph in slower[use]]
            line += [digits(statistics.median(prepared)), nearest(by_kind_alone[kind])[0]]
        rows.append(line)
    sentence = "; ".join(f"**{name}** on {', '.join(kinds)}" for name, kinds in best_on.items())
    header = ["on", "graphs", "use", "off the fastest", "next, slower than that", "compared"]
    header += ["prepares, ms", "for one search alone"] if task in SINGLE else []
    sentence = f"Over many searches: {sentence}" if task in SINGLE else sentence
    return [Text(f"{sentence}."), Table(header, rows, "advice")]


def ranking(results):
    others = programs_beside_gtrav()
    found = best_rows(results, kernel_ms)
    ours, alone = (
        {
            task: {
                graph: {name: row for name, row in known.items() if is_ours(row, others)}
                for graph, known in graphs.items()
                if any(is_ours(row, others) for row in known.values())
            }
            for task, graphs in best.items()
        }
        for best in (found, best_rows(results, alone_ms))
    )
    parts = []
    for task, title in TASKS.items():
        graphs = ours.get(task, {})
        if any(len(known) > 1 for known in graphs.values()):
            parts.append(Heading(3, title))
            parts += recommendations(results, task, graphs, alone[task])
            parts.append(ranking_of_graphs(results, graphs))
    if not parts:
        return []
    where = [f"{kind} is {name}" for kind, name in (("GPU", results.gpu), ("CPU", results.cpu)) if name]
    return [
        Heading(2, "Which algorithm for which graph"),
        Text(
            f"gtrav's own implementations ({'; '.join(where)}), by the time of the search alone, each with "
            "the options that are fastest on the graph. By kind of graph, of those that two or more ran on: "
            "which is nearest to the fastest on each (geometric mean), among those that ran on half of them; "
            "`compared` tells how many these are, of all that were measured at all. How much slower others "
            "are is on the graphs that both ran on. What comes before a search (the graph copied to the GPU, "
            "put into another order, an index built) pays over many; the last column counts it in."
        ),
        *parts,
        *other_programs(found, others),
    ]


def other_programs(found, others):
    """Programs that are not ours, beside our fastest on the CPU and on the GPU."""
    rows = []
    for task in ("bfs", "dfs"):
        for graph, known in sorted(found.get(task, {}).items()):
            ours = [row for row in known.values() if is_ours(row, others)]
            best = {
                kind: min((kernel_ms(row) for row in ours if kind_of(row["device"]) == kind), default=None)
                for kind in ("CPU", "GPU")
            }
            for row in known.values():
                if ours and not is_ours(row, others):
                    faster = [f"{digits(kernel_ms(row) / ms)}x" if ms else "" for ms in best.values()]
                    own = [digits(ms) if ms else "" for ms in best.values()]
                    rows.append([graph, task, row["variant"], digits(kernel_ms(row)), *own, *faster])
    if not rows:
        return []
    header = ["graph", "", "program", "its ms", "gtrav CPU ms", "gtrav GPU ms", "CPU faster", "GPU faster"]
    return [
        Heading(3, "Other programs on the same graphs and sources"),
        Text(
            "Times are what a program says of its search; gtrav's are its fastest on each device, without "
            "what comes before. The libraries' DFS goes in the serial order, where gtrav's parallel ones "
            "find any depth-first tree."
        ),
        Table(header, rows),
    ]
