"""balance.py: how evenly blocks share the tasks of DiggerBees (figure 9), from what gtrav --tasks writes."""

import statistics

from evaluation.records import TASKS_FOLDERS, read_tasks, variation
from evaluation.text_tables import markdown


def table_of(counted, policy):
    """A row a graph: the spread of this policy's tasks per block, and Var. of both where both are there."""
    rows = []
    for name, folder in counted:
        file = f"balance_{name.replace('/', '_')}.csv"
        trials = read_tasks(folder / TASKS_FOLDERS[policy] / file)
        tasks = [count for trial in trials for count in trial]
        spread = [min(tasks), statistics.median(tasks), max(tasks)]
        paths = [folder / name / file for name in TASKS_FOLDERS]
        vars_ = [variation(read_tasks(path)) if path.is_file() else None for path in paths]
        counts = [str(len(trials[0])), str(len(trials)), *(f"{value:,.0f}" for value in spread)]
        rows.append([name, *counts, *vars_])
    spread = [f"{word} tasks" for word in ("min", "median", "max")]
    return markdown(["graph", "blocks", "sources", *spread, "Var. baseline", "Var. DiggerBees"], rows)
