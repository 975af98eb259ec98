"""fastest.py: the fastest variant of every graph, for the README: beside rivals, and with its preparation.

Other programs stand beside the fastest and are never the fastest themselves.
"""

from evaluation.analyses import blest
from evaluation.equal_terms import on_equal_terms
from evaluation.methods import size_of
from evaluation.speedups import pays_after, prepared_ms, search_ms
from evaluation.text_tables import digits, factor, markdown

# What the fastest variant of a graph stands beside: {column: variants}; of several the fastest.
OF_BFS = {"over serial": ("serial",), "over all cores": ("gap",), "over Blest": (blest.FULL,)}
OF_DFS = {"over serial": ("serial",), "over all cores": ("ckl", "acr")}
# cuGraph, direction-optimizing or top-down: of levels alone, and of levels and parents.
CUGRAPH = (("cugraph", "cugraph-topdown"), ("cugraph-parents", "cugraph-parents-topdown"))
CUGRAPH_MS = "cuGraph ms (with parents)"


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


def cugraph_cell(known):
    """Its least mean times, "2.14 (2.66)"; empty where it has not run. known: {variant: row} of a graph."""
    of = [min((search_ms(known[name]) for name in names if name in known), default=None) for names in CUGRAPH]
    levels, parents = (digits(ms) if ms else "" for ms in of)
    return levels + f" ({parents})" * bool(parents)


def fastest_cells(rows, rivals, programs=()):
    """{graph: {column: cell}}: the fastest variant, how many times faster it is than the fastest of some
    rivals ({column: variants}), and after how many searches its preparation pays.

    programs: rows of other programs; without any there is no column of them."""
    found, beside = {}, fastest_rows(programs)
    for graph, known in fastest_rows(rows).items():
        row = min(known.values(), key=search_ms)
        vertices, edges = size_of(row)
        cells = {"vertices": vertices, "edges": edges, "ms": search_ms(row), "by": row["variant"]}
        for column, variants in rivals.items():
            known_rivals = [known[name] for name in variants if name in known]
            cells[column] = times_as_fast(row, min(known_rivals, key=search_ms)) if known_rivals else None
        if programs:
            cells[CUGRAPH_MS] = cugraph_cell(beside.get(graph, {}))
        all_others = [other for other in rows if other["graph"] == graph]
        searches = str(pays_after(row, all_others) or "never") if len(known) > 1 else None
        found[graph] = {**cells, "prepare ms": prepared_ms(row), "pays after": searches}
    return found


def by_size(cells):
    """The graphs and their cells, those with fewer edges first."""
    return sorted(cells.items(), key=lambda item: (item[1]["edges"], item[0]))


def fastest_table(cells):
    """A row a graph; cells: as fastest_cells() has them."""
    lines = [[graph, *known.values()] for graph, known in by_size(cells)]
    return markdown(["graph", *next(iter(cells.values()))], lines)


def brief_table(of_bfs, of_dfs):
    """A row a graph for the README: some columns of the fastest BFS and DFS, as fastest_cells() has them."""
    wanted = ("ms", "by", "over serial", "over all cores", CUGRAPH_MS, "prepare ms", "pays after")
    columns = [("BFS", of_bfs, name) for name in wanted if any(name in cells for cells in of_bfs.values())]
    columns += [("DFS", of_dfs, name) for name in ("ms", "by", "over all cores")]
    header = [name if name in ("by", CUGRAPH_MS) else f"{search} {name}" for search, _, name in columns]
    lines = [
        [graph, known["edges"], *(cells.get(graph, {}).get(name) for _, cells, name in columns)]
        for graph, known in by_size({**of_dfs, **of_bfs})
    ]
    return markdown(["graph", "edges", *header], lines)
