"""fastest.py: the fastest variant of every graph, for the README: beside rivals, and with its preparation."""

from evaluation.analyses import blest
from evaluation.comparison import on_equal_terms, pays_after, prepared_ms, search_ms
from evaluation.methods import size_of
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


def levels_and_parents(rows):
    """[(row of levels, row with parents)] of bfs auto on the graphs that have both, small ones first."""
    levels, parents = (
        {row["graph"]: row for row in rows if gives_parents(row) == wanted} for wanted in (False, True)
    )
    both = [(levels[graph], row) for graph, row in parents.items() if graph in levels]
    return sorted(both, key=lambda pair: size_of(pair[0])[1])


def faster_way(known, program):
    """Of a graph's {variant: row} a program's faster one, direction-optimizing or top-down; None: neither ran."""
    ways = (known[name] for name in (program, f"{program}-topdown") if name in known)
    return min(ways, key=search_ms, default=None)


def parents_table(rows, others):
    """A row a graph: levels, and levels with parents, of bfs auto (rows) and of cuGraph."""
    beside, lines = fastest_rows(others), []
    for pair in levels_and_parents(rows):
        graph = pair[0]["graph"]
        theirs = [faster_way(beside.get(graph, {}), name) for name in ("cugraph", "cugraph-parents")]
        if all(theirs):
            ms = map(search_ms, (*pair, *theirs))
            lines.append([graph, size_of(pair[0])[1], *ms, times_as_fast(pair[1], theirs[1])])
    header = ["levels ms", "parents ms", "cuGraph levels ms", "cuGraph parents ms", "parents over cuGraph's"]
    return markdown(["graph", "edges", *header], lines)


def kernels_table(rows):
    """A row a graph: levels of bfs auto and of GPU programs, and with parents; of rows of one run."""
    beside, lines = fastest_rows(row for row in rows if row["variant"] != "auto"), []
    for levels, parents in levels_and_parents([row for row in rows if row["variant"] == "auto"]):
        known = beside[levels["graph"]]
        *of_levels, of_parents = (
            faster_way(known, name) for name in ("tigr", "dawn", "doublegraph", "doublegraph-parents")
        )
        ms = [search_ms(row) if row else None for row in (levels, *of_levels, parents, of_parents)]
        over_fastest = times_as_fast(levels, min(filter(None, of_levels), key=search_ms))
        over_parents = times_as_fast(parents, of_parents) if of_parents else None
        lines.append([levels["graph"], size_of(levels)[1], *ms[:4], over_fastest, *ms[4:], over_parents])
    header = ["levels ms", "Tigr", "DAWN", "doubleGraph", "over the fastest"]
    return markdown(["graph", "edges", *header, "parents ms", "doubleGraph, parents", "over doubleGraph"], lines)


def brief_table(of_bfs, of_dfs):
    """A row a graph for the README: some columns of the fastest BFS and DFS, as fastest_cells() has them."""
    of_search = ("ms", "by", "over serial", "over all cores", *PARENTS_CELLS, "prepare ms", "pays after")
    columns = [("BFS", of_bfs, name) for name in of_search]
    columns += [("DFS", of_dfs, name) for name in ("ms", "by", "over all cores")]
    header = [name if name in ("by", *PARENTS_CELLS) else f"{search} {name}" for search, _, name in columns]
    lines = [
        [graph, known["edges"], *(cells.get(graph, {}).get(name) for _, cells, name in columns)]
        for graph, known in by_size({**of_dfs, **of_bfs})
    ]
    return markdown(["graph", "edges", *header], lines)
