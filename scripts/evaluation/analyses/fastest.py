"""fastest.py: the fastest variant of every graph, for the README: beside rivals, and with its preparation."""

from evaluation.analyses import blest
from evaluation.equal_terms import on_equal_terms
from evaluation.methods import size_of
from evaluation.speedups import pays_after, prepared_ms, search_ms
from evaluation.text_tables import factor, markdown

# What the fastest variant of a graph stands beside: {column: variants}; of several the fastest.
OF_BFS = {"over serial": ("serial",), "over all cores": ("gap",), "over Blest": (blest.FULL,)}
OF_DFS = {"over serial": ("serial",), "over all cores": ("ckl", "acr")}
PARENTS_CELLS = ("parents ms", "parents over all cores")


def fastest_rows(rows):
    """{graph: {variant: its row under the options that are fastest there}}"""
    found = {}
    for row in sorted(rows, key=search_ms, reverse=True):
        found.setdefault(row["graph"], {})[row["variant"]] = row
    return found


def times_as_fast(row, rival):
    """How many times as fast as a rival, on the first sources that both have: "12.5x", "12.5x (first 8)"."""
    (row, rival), terms = on_equal_terms([row, rival])
    reported = f"{terms.shared} to {terms.most}" if not terms.equal else f"first {terms.shared}"
    fewer = f" ({reported})" if terms.shared < terms.most else ""
    return factor(search_ms(rival) / search_ms(row)) + fewer


def fastest_cells(rows, rivals):
    """{graph: {column: cell}}: the fastest variant, how many times faster it is than the fastest of some
    rivals ({column: variants}), and after how many searches its preparation pays."""
    found = {}
    for graph, known in fastest_rows(rows).items():
        row = min(known.values(), key=search_ms)
        vertices, edges = size_of(row)
        cells = {"vertices": vertices, "edges": edges, "ms": search_ms(row), "by": row["variant"]}
        for column, variants in rivals.items():
            known_rivals = [known[name] for name in variants if name in known]
            cells[column] = times_as_fast(row, min(known_rivals, key=search_ms)) if known_rivals else None
        all_others = [other for other in rows if other["graph"] == graph]
        searches = str(pays_after(row, all_others) or "never") if len(known) > 1 else None
        found[graph] = {**cells, "prepare ms": prepared_ms(row), "pays after": searches}
    return found


def gives_parents(row):
    return "output=parents" in row["options"]


def parents_cells(rows):
    """{graph: {column: cell}}: bfs auto with parents, and how many times as fast as bfs gap with parents."""
    found = {}
    for graph, known in fastest_rows(filter(gives_parents, rows)).items():
        if {"auto", "gap"} <= known.keys():
            faster = times_as_fast(known["auto"], known["gap"])
            found[graph] = dict(zip(PARENTS_CELLS, (search_ms(known["auto"]), faster)))
    return found


def by_size(cells):
    """The graphs and their cells, those with fewer edges first."""
    return sorted(cells.items(), key=lambda item: (item[1]["edges"], item[0]))


def fastest_table(cells):
    """A row a graph; cells: as fastest_cells() has them."""
    lines = [[graph, *known.values()] for graph, known in by_size(cells)]
    return markdown(["graph", *next(iter(cells.values()))], lines)


def parents_table(rows, others):
    """A row a graph: levels, and levels with parents, of bfs auto (rows) and of cuGraph.

    Of cuGraph, direction-optimizing or top-down, the faster one counts."""
    ours, beside = ({}, {}), fastest_rows(others)
    for row in rows:
        ours[gives_parents(row)][row["graph"]] = row
    lines = []
    for row in sorted(ours[True].values(), key=lambda row: size_of(row)[1]):
        known = beside.get(row["graph"], {})
        levels, parents = (
            min((known[name] for name in (of, f"{of}-topdown") if name in known), key=search_ms, default=None)
            for of in ("cugraph", "cugraph-parents")
        )
        if levels and parents and row["graph"] in ours[False]:
            ms = map(search_ms, (ours[False][row["graph"]], row, levels, parents))
            lines.append([row["graph"], size_of(row)[1], *ms, times_as_fast(row, parents)])
    header = ["levels ms", "parents ms", "cuGraph levels ms", "cuGraph parents ms", "parents over cuGraph's"]
    return markdown(["graph", "edges", *header], lines)


def kernels_table(rows):
    """A row a graph: levels of bfs auto and of GPU programs, and with parents; of rows of one run."""
    known = fastest_rows(row for row in rows if not gives_parents(row))
    with_parents = fastest_rows(filter(gives_parents, rows))
    lines = []
    for graph in sorted(known, key=lambda graph: size_of(known[graph]["auto"])[1]):
        levels, parents = known[graph]["auto"], with_parents[graph]["auto"]
        beside = [
            [known[graph][name] for name in (of, f"{of}-topdown") if name in known[graph]]
            for of in ("tigr", "dawn", "doublegraph", "doublegraph-parents")
        ]
        best = [min(found, key=search_ms, default=None) for found in beside]
        ms = [search_ms(row) if row else None for row in (levels, *best[:3], parents, best[3])]
        least = min((row for row in best[:3] if row), key=search_ms)
        faster = [times_as_fast(levels, least), times_as_fast(parents, best[3]) if best[3] else None]
        lines.append([graph, size_of(levels)[1], *ms[:4], faster[0], *ms[4:], faster[1]])
    header = ["levels ms", "Tigr", "DAWN", "doubleGraph", "over the fastest"]
    return markdown(["graph", "edges", *header, "parents ms", "doubleGraph, parents", "over doubleGraph"], lines)


def brief_table(of_bfs, of_dfs):
    """A row a graph for the README: some columns of the fastest BFS and DFS, as fastest_cells() has them."""
    columns = [("BFS", of_bfs, name) for name in ("ms", "by", "over serial", "over all cores")]
    columns += [("BFS", of_bfs, name) for name in PARENTS_CELLS]
    columns += [("BFS", of_bfs, name) for name in ("prepare ms", "pays after")]
    columns += [("DFS", of_dfs, name) for name in ("ms", "by", "over all cores")]
    header = [name if name in ("by", *PARENTS_CELLS) else f"{search} {name}" for search, _, name in columns]
    lines = [
        [graph, known["edges"], *(cells.get(graph, {}).get(name) for _, cells, name in columns)]
        for graph, known in by_size({**of_dfs, **of_bfs})
    ]
    return markdown(["graph", "edges", *header], lines)
