"""fastest.py: the fastest variant of every graph, for the README: beside rivals, and with its preparation."""

import blest
from speedups import kernel_ms, pays_after, prepared_ms
from text_tables import digits, markdown

# What the fastest variant of a graph stands beside: {column: variants}; of several the fastest.
OF_BFS = {"over serial": ("serial",), "over all cores": ("gap",), "over Blest": (blest.FULL,)}
OF_DFS = {"over serial": ("serial",), "over all cores": ("ckl", "acr")}


def fastest_rows(rows):
    """{graph: {variant: its row under the options that are fastest there}}"""
    found = {}
    for row in sorted(rows, key=kernel_ms, reverse=True):
        found.setdefault(row["graph"], {})[row["variant"]] = row
    return found


def fastest_table(rows, rivals, beside=()):
    """A row a graph: the fastest variant, how many times faster it is than the fastest of some rivals
    ({column: variants}), and after how many searches its preparation pays. beside: rows of other rivals."""
    found = fastest_rows(rows)
    others = fastest_rows([*beside, *rows])
    lines = []
    for graph, known in found.items():
        row = min(known.values(), key=kernel_ms)
        sizes = [int(float(row[name])) for name in ("vertices", "edges")]
        line = [graph, *(f"{size:,}" for size in sizes), digits(kernel_ms(row)), row["variant"]]
        for variants in rivals.values():
            times = [kernel_ms(others[graph][name]) for name in variants if name in others[graph]]
            line.append(f"{digits(min(times) / kernel_ms(row))}x" if times else "")
        all_others = [other for other in (*beside, *rows) if other["graph"] == graph]
        searches = (pays_after(row, all_others) or "never") if len(known) > 1 else ""
        line += [digits(prepared_ms(row)), searches]
        lines.append((sizes[1], graph, line))
    header = ["graph", "vertices", "edges", "ms", "by", *rivals, "prepare ms", "pays after"]
    return markdown(header, [line for *_, line in sorted(lines)])
