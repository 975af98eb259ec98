"""overview.py: the first screen of a report: the machine and how busy it was, what was measured on it, what the
papers' abstracts claim, and how many claims have which verdict."""

from collections import Counter

from evaluation.claims.listing import PAPERS
from evaluation.claims.verdicts import NOT_TESTED, VERDICTS
from evaluation.records import days_of
from evaluation.report.page import Table, count, several
from evaluation.report.ranking import best, competitors
from evaluation.text_tables import digits

import pandas as pd

ABSTRACT = "abstract"  # begins the section of a claim that stands in one
MOST_GRAPHS = 16  # in the first table: those on which most was measured
FIRST_TASKS = {"bfs": "BFS", "dfs": "DFS"}  # and how that table calls them


def machine(results):
    """Describes the machine, and whether its times can be trusted."""
    known = (*results.rows.cores, *results.busy.cores)
    cores = ", ".join(sorted({cores for cores in known if cores}, key=int))
    facts = [["GPU", results.gpu or "none: nothing was measured on a GPU"]]
    facts.append(["CPU", ", ".join(results.cpus) or "nothing was measured on a CPU"])
    host = results.machine.provenance.get("host")
    facts.append(["host", host] if host else ["cores", cores or "not told: the records are of an older gtrav"])
    facts.append(["how busy", how_busy(results)])
    facts.append(["measured", days_of((*results.rows.date, *results.busy.date)) or "not told"])
    return Table(["", "this machine"], facts)


def how_busy(results):
    """Whether other programs, or a quota, disturbed the measurements."""
    busy, known = results.busy, sum(results.rows.cores != "")
    if len(busy):
        return (
            f"BUSY: {several(len(busy), 'row')} of {count(len(busy) + len(results.rows))} were measured while other "
            f"programs kept up to {max(map(int, busy.busy_cores))} cores busy, a quota stopped the run, or the GPU "
            "lowered its clocks. They are marked below, and give no verdict and no advice. Stop the other programs, "
            "cool the GPU, and measure again with --fresh"
        )
    if not known:
        return "not told: the records are of an older gtrav"
    words = "no other program disturbed the measurements"
    if known == len(results.rows):
        return words
    return f"{words} in the {count(known)} of {count(len(results.rows))} records that say so; older ones do not say"


def fastest(results):
    """The fastest variant of each graph, of the graphs on which most was measured, small ones first."""
    rows = competitors(results).assign(busy="")
    if len(results.busy):
        of_busy = competitors(results.with_rows(results.busy))
        known = set(zip(rows.get("task", ()), rows.get("graph", ())))
        alone = [pair not in known for pair in zip(of_busy.get("task", ()), of_busy.get("graph", ()))]
        rows = pd.concat([rows, of_busy[alone].assign(busy=", busy")], ignore_index=True)
    if rows.empty:
        return None
    rows = rows[rows.ours & rows.task.isin(FIRST_TASKS)]
    graphs = rows.graph.value_counts().index[:MOST_GRAPHS]
    first = best(rows[rows.graph.isin(graphs)], "ms").drop_duplicates(["graph", "task"])
    lines = []
    for (edges, graph), known in first.groupby(["edges", "graph"]):
        of_task = {row.task: row for row in known.itertuples()}
        line = [graph, count(edges)]
        for task in FIRST_TASKS:
            row = of_task.get(task)
            line += [digits(row.ms), f"{row.name}{row.busy}"] if row else ["", ""]
        lines.append(line)
    header = [word for task in FIRST_TASKS.values() for word in (f"{task}, ms", f"fastest {task}")]
    return Table(["graph", "edges", *header], lines) if lines else None


def abstracts(rows, gpu):
    """Sums up the claims of the abstracts, with reasons for the verdicts; without a GPU only those tested."""
    lines = []
    for row in (row for row in rows if row.claim.section.startswith(ABSTRACT)):
        if gpu or row.verdict != NOT_TESTED:
            over = row.mean and f"{row.mean} graph{'s' * (row.mean != '1')}"
            measured = ", ".join(filter(None, (row.here, row.here and over)))
            lines.append([PAPERS[row.claim.paper].name, row.claim.claim, row.paper, measured, row.badge, row.why])
    return Table(["paper", "what its abstract says", "paper's number", "measured here", "verdict", "why"], lines)


def counts(rows):
    """How many claims of each paper have which verdict."""
    groups = {paper.name: [row for row in rows if row.claim.paper == name] for name, paper in PAPERS.items()}
    lines = []
    for name, some in {**groups, "all": rows}.items():
        found = Counter(row.verdict for row in some)
        lines += [[name, *(found[verdict] or "" for verdict in VERDICTS)]] if some else []
    return Table(["claims of", *VERDICTS], lines)
