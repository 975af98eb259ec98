"""balance.py: how evenly blocks share the tasks of DiggerBees (figure 9), from what gtrav --tasks writes."""

import statistics

from evaluation.equal_terms import SMALL_SHARE
from evaluation.files import RecordsError
from evaluation.records import read_frame
from evaluation.text_tables import markdown

# Of a device's folder, by DiggerBees's balance-policy: where gtrav --tasks writes the tasks of every block.
TASKS_FOLDERS = ("balance_baseline", "balance_diggerbees")


def read_tasks(path):
    """A list for every trial of a balance file: the tasks of each block."""
    rows = read_frame(path, numbers=("block", "tasks"))
    if rows.empty:
        raise RecordsError(f"{path}: no trial in it")
    if rows.block[0] != 0:
        raise RecordsError(f"{path}: a trial begins with block {rows.block[0]}")
    return rows.tasks.groupby((rows.block == 0).cumsum()).apply(list).tolist()


def variation(trials):
    """The coefficient of variation of tasks per block, as a mean over the trials that have a task a block.

    Those of small reach, under 1% of the most tasks, are left out. None where none is left."""
    least = SMALL_SHARE * max(map(sum, trials), default=0)
    spreads = [
        statistics.pstdev(tasks) / statistics.fmean(tasks) for tasks in trials if sum(tasks) >= max(len(tasks), least)
    ]
    return statistics.fmean(spreads) if spreads else None


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
