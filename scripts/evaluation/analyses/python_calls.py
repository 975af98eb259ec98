"""Calls of the Python package beside other libraries: the table of docs/python.md, from the records that
scripts/python_calls.py has written."""

from evaluation.files import read_rows
from evaluation.text_tables import factor, markdown

FILE = "python_calls.csv"  # in the folder of a CPU
OWN = "gtrav"


def table(results):
    """A row for each task of a graph: wall and CPU ms of gtrav, and of the other library with the least CPU
    time; None: nothing was measured."""
    paths = sorted(results.glob(f"cpu-*/{FILE}"))
    if not paths:
        return None
    rows = read_rows(paths[-1], numbers=("threads", "wall_ms", "cpu_ms"))
    most, body = max(float(row["threads"]) for row in rows), []
    for graph, task in dict.fromkeys((row["graph"], row["task"]) for row in rows):
        known = {}
        for row in rows:
            if (row["graph"], row["task"]) == (graph, task):
                times = float(row["wall_ms"]), float(row["cpu_ms"])
                known[row["library"], float(row["threads"])] = times
        others = {
            cells[1]: (name, *cells) for (name, threads), cells in known.items() if name != OWN and threads == 1
        }
        if not {(OWN, most), (OWN, 1)} <= known.keys():
            continue
        own, alone = known[OWN, most], known[OWN, 1]
        best, wall, cpu = others[min(others)] if others else (None, None, None)
        body.append([graph, task, *own, *alone, best, wall, cpu, factor(cpu / alone[1]) if cpu else ""])
    header = ["graph", "task", f"{most:g} threads: ms", "CPU ms", "1 thread: ms", "CPU ms"]
    header += ["best other", "ms", "CPU ms", "CPU ms over ours"]
    return f"Measured {rows[0]['date']} on {rows[0]['device']}.\n\n" + markdown(header, body)
