"""fastest.py: the fastest variant of every graph, for the README: beside rivals, and with its preparation."""

from evaluation.analyses import blest
from evaluation.methods import size_of
from evaluation.speedups import kernel_ms, pays_after, prepared_ms
from evaluation.text_tables import digits, markdown

# What the fastest variant of a graph stands beside: {column: variants}; of several the fastest.
OF_BFS = {"over serial": ("serial",), "over all cores": ("gap",), "over Blest": (blest.FULL,)}
OF_DFS = {"over serial": ("serial",), "over all cores": ("ckl", "acr")}


def fastest_rows(rows):
    """{graph: {variant: its row under the options that are fastest there}}"""
    found = {}
    for row in sorted(rows, key=kernel_ms, reverse=True):
        found.setdefault(row["graph"], {})[row["variant"]] = row
    return found


def fastest_cells(rows, rivals, beside=()):
    """{graph: {column: cell}}: the fastest variant, how many times faster it is than the fastest of some
    rivals ({column: variants}), and after how many searches its preparation pays.

    beside: rows of other rivals."""
    others = fastest_rows([*beside, *rows])
    found = {}
    for graph, known in fastest_rows(rows).items():
        row = min(known.values(), key=kernel_ms)
        cells = dict(zip(("vertices", "edges"), (f"{size:,}" for size in size_of(row))))
        cells |= {"ms": digits(kernel_ms(row)), "by": row["variant"]}
        for column, variants in rivals.items():
            times = [kernel_ms(others[graph][name]) for name in variants if name in others[graph]]
            cells[column] = f"{digits(min(times) / kernel_ms(row))}x" if times else ""
        all_others = [other for other in (*beside, *rows) if other["graph"] == graph]
        searches = (pays_after(row, all_others) or "never") if len(known) > 1 else ""
        found[graph] = cells | {"prepare ms": digits(prepared_ms(row)), "pays after": searches}
    return found


def by_size(cells):
    """The graphs, those with fewer edges first."""
    return sorted(cells, key=lambda graph: (int(cells[graph]["edges"].replace(",", "")), graph))


def fastest_table(rows, rivals, beside=()):
    """A row a graph, as fastest_cells() has it."""
    found = fastest_cells(rows, rivals, beside)
    header = ["graph", "vertices", "edges", "ms", "by", *rivals, "prepare ms", "pays after"]
    return markdown(
        header, [[graph, *(found[graph][name] for name in header[1:])] for graph in by_size(found)]
    )


def brief_table(of_bfs, of_dfs):
    """A row a graph for the README: some columns of the fastest BFS and DFS, as fastest_cells() has them."""
    columns = {
        "BFS": (of_bfs, ("ms", "by", "over serial", "over all cores", "prepare ms", "pays after")),
        "DFS": (of_dfs, ("ms", "by", "over all cores")),
    }
    header = ["graph", "edges"] + [
        f"{search} {name}" for search, (_, names) in columns.items() for name in names
    ]
    known = {**of_dfs, **of_bfs}
    lines = [
        [graph, known[graph]["edges"]]
        + [cells.get(graph, {}).get(name, "") for cells, names in columns.values() for name in names]
        for graph in by_size(known)
    ]
    return markdown([name.replace("BFS by", "by").replace("DFS by", "by") for name in header], lines)
