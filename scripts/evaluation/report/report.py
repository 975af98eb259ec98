"""Writes the reproduction report: what the papers claim beside what was measured here.

The records are those of the newest run of scripts/run_all.sh, or below the folder that --results names.
report.html and report.md go to that folder; --results results/nvidia-h200 writes the committed report anew.
The page report.html needs no other file: tables, plots and style are in it, light and dark. report.md is
the same without plots. Claims are those of dataset/claims.csv, tested by scripts/claims.py, whose --help says
how; nothing is measured here.

Whoever measured may add remarks.csv to the records of a device: columns id, of a claim, and remark, a line on
why it came out so on this machine. It is shown below the claim's note.

Exit status: 0 written, 2 bad usage, claims, remarks or records.
"""

import argparse
import csv
import itertools
import math
import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from evaluation.analyses import msbfs, xbfs
from evaluation.analyses.ranking import ranking
from evaluation.campaigns import peers
from evaluation.claims import claims, queries
from evaluation.claims.claims import NOT_REPRODUCED, NOT_RUN, PAPERS, REPRODUCED, TREND, VERDICTS
from evaluation.claims.queries import ClaimsError, Results
from evaluation.records import RESULTS, ROOT, write_atomically
from evaluation.report.page import (
    Code,
    Folded,
    Heading,
    Items,
    OnlyMarkdown,
    Picture,
    Rich,
    Table,
    Text,
    as_markdown,
    as_page,
    count,
    dot_plot,
    escaped,
    number,
    several,
    shortened,
)
from evaluation.speedups import over_graphs
from evaluation.text_tables import digits

SIGNS = {REPRODUCED: "✓", TREND: "≈", NOT_REPRODUCED: "✗", NOT_RUN: "–"}
MOST_LISTED = 40  # graphs of a claim
REMARKS = "remarks.csv"
STATUS = "status.csv"  # of a run of scripts/run_all.sh


# ---- verdicts ----


def ratio_track(value, verdict):
    """Ours over the paper's, as a dot between a tenth and ten times; what lies beyond stands at the end."""
    at = 50 + 50 * max(-1.0, min(1.0, math.log10(value))) if value > 0 else 0
    return (
        '<svg class="track" width="100%" height="14" aria-hidden="true">'
        f'<rect class="band" x="{50 + 50 * math.log10(claims.CLOSE):.1f}%" '
        f'width="{-100 * math.log10(claims.CLOSE):.1f}%" height="14"/>'
        '<line class="grid" x1="0" x2="100%" y1="7" y2="7"/>'
        '<line class="unit" x1="50%" x2="50%" y1="0" y2="14"/>'
        f'<circle class="v{VERDICTS.index(verdict)}" cx="{4 + 0.92 * at:.1f}%" cy="7" r="5"/></svg>'
    )


def verdict_bar(counts):
    total, x, parts = sum(counts.values()), 0.0, []
    for place, verdict in enumerate(VERDICTS):
        width = 100 * counts[verdict] / total
        parts.append(
            f'<rect class="v{place}" x="{x:.2f}%" width="{width:.2f}%" height="16">'
            f"<title>{verdict}: {counts[verdict]}</title></rect>"
        )
        x += width
    return f'<svg class="bar" width="100%" height="16" aria-hidden="true">{"".join(parts)}</svg>'


def badge(verdict):
    place = VERDICTS.index(verdict)
    shown = f'<span class="badge w{place}">{SIGNS[verdict]} {verdict}</span>'
    return Rich(f"{SIGNS[verdict]} {verdict}", shown)


# ---- the machine ----


def days_of(rows):
    days = sorted({row["date"][:10] for row in rows if row["date"]})
    if not days:
        return "not told"
    return days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"


def machine(results):
    rows = results.rows
    others = {peer.peer for peer in peers.read_peers(peers.PEERS)}
    versions = sorted({row["version"] for row in rows if row["variant"] not in others} - {""})
    facts = [["GPU", results.gpu or "none"]]
    facts.append(["CPU", results.cpu or "nothing measured on one"])
    facts += [[name, str(results.provenance[name])] for name in ("host",) if name in results.provenance]
    facts.append(["measured", days_of(rows)])
    facts.append(["gtrav", ", ".join(versions)])
    facts.append(["records", f"{count(len(rows))} of {several(len(results.facts), 'graph')}"])
    return Table(["", "here"], facts, "facts")


def hardware(results):
    ours = results.gpu or "no GPU"
    rows = [[paper.name, paper.title, paper.reference, paper.gpu, paper.cpu] for paper in PAPERS.values()]
    return [
        Text(
            f"The papers measured on other machines than this one ({ours}; {results.cpu or 'no CPU'}). "
            "A ratio of two methods on the same GPU carries over best; one of a GPU to a CPU, or a time by "
            "itself, least. Graphs that are not here are replaced by generated ones like them: "
            "each claim tells on which graphs it was tested."
        ),
        Table(["paper", "what", "by", "its GPU", "its CPU"], rows),
    ]


# ---- claims ----


def summary(tested):
    counts = {name: Counter(one.verdict for one in tested if one.claim.paper == name) for name in PAPERS}
    rows = []
    for name, found in counts.items():
        if found:
            bar = Rich("", verdict_bar(found))
            rows.append([PAPERS[name].name, *(found[verdict] or "" for verdict in VERDICTS), bar])
    total = sum(counts.values(), Counter())
    rows.append(["all", *(total[verdict] or "" for verdict in VERDICTS), Rich("", verdict_bar(total))])
    signed = [
        Rich(verdict, f'<span class="s{i}">{SIGNS[verdict]}</span> <span class="word">{verdict}</span>')
        for i, verdict in enumerate(VERDICTS)
    ]
    return total, Table(["paper", *signed, ""], rows, "summary")


def listed(values):
    """Graph by graph, the first of them."""
    shown = "; ".join(
        f"{key} {digits(value)}" for key, value in itertools.islice(values.items(), MOST_LISTED)
    )
    return f"{shown}; and {len(values) - MOST_LISTED} more" if len(values) > MOST_LISTED else shown


def read_remarks(results, known):
    """{id of a claim: what whoever measured on the report's device says}; ClaimsError, with the line."""
    ids, found = {claim.id for claim in known}, {}
    for path, folders in results.paths(REMARKS):
        if folders[-1] != results.device:
            continue
        try:
            with open(path, newline="", encoding="utf-8") as file:
                reader = csv.DictReader(file, strict=True)
                if reader.fieldnames != ["id", "remark"]:
                    raise ClaimsError(f"{path}: line 1: the columns are id,remark")
                for row in reader:
                    where = f"{path}: line {reader.line_num}"
                    if None in row or not (row["remark"] or "").strip():
                        raise ClaimsError(f"{where}: it is an id and a remark, in quotes if it has a comma")
                    if row["id"] not in ids or row["id"] in found:
                        odd = "is there already" if row["id"] in found else "is no claim's"
                        raise ClaimsError(f"{where}: id: {row['id']} {odd}")
                    found[row["id"]] = row["remark"]
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise ClaimsError(f"cannot read {path}: {error}") from error
    return found


def claim_cell(claim, outcome, remark):
    words = [f'<span class="claim">{escaped(claim.claim)}</span>']
    words.append(f'<span class="small">{escaped(claim.section)}</span>')
    if claim.note:
        words.append(f'<span class="small note">{escaped(claim.note)}</span>')
    if remark:
        words.append(f'<span class="small remark"><b>remark of who measured:</b> {escaped(remark)}</span>')
    told = f"here {escaped(listed(outcome.values))}" if outcome.values else f"no {escaped(outcome.missing)}"
    words.append(
        f"<details><summary>how</summary><code>{escaped(claim.query.text)}</code> "
        f"in the paper {claim.sense} {escaped(number(claim.value, claim.unit))}; {told}</details>"
    )
    return Rich(claim.claim, "".join(words))


def stands_for(claim, outcome):
    """The graph that a claim is about, where another stands for it."""
    name = claim.query.settings.get("graph", "").partition(",")[0]
    return name if not any(queries.is_named(key.graph, [name]) for key in outcome.values) else ""


def graphs_cell(claim, outcome):
    """How many and which mean of them, and of one or two which and in place of which."""
    names = list(dict.fromkeys(key.graph for key in outcome.values))
    words = [", ".join(names)] if 0 < len(names) <= 2 else []
    short = [", ".join(map(shortened, names))] if words else []
    other = [f"for {name}" for name in (stands_for(claim, outcome),) if name]
    words, short = (some + other for some in (words, short))
    below = "".join(f'<span class="small">{escaped(word)}</span>' for word in short)
    many = f"{name_of_mean(claim.query)} of {len(names)}" if len(names) > 1 else str(len(names))
    text = f"{many}: {', '.join(words)}" if words else many
    return Rich(text, f"{many} {below}") if names else ""


MEANS = {"geomean": "geometric mean", "mean": "arithmetic mean", "min": "least", "max": "greatest"}


def name_of_mean(query):
    """What makes one number of those of the graphs."""
    take = query.settings.get("take", queries.MEASURES[query.measure].take)
    return "share" if query.measure == "share" else MEANS.get(take, take)


def on_which_graphs(tested):
    """What the verdicts mean in short, and how much of it was tested on the papers' own graphs."""
    run = [one for one in tested if one.verdict != NOT_RUN]
    named = [one for one in run if "graph" in one.claim.query.settings]
    replaced = sum(bool(stands_for(one.claim, one.outcome)) for one in named)
    words = (
        "Reproduced: within a fifth of the paper's number, or better. Same trend: on its side, but less. "
        "The rules stand below, under “How verified”."
    )
    if replaced:
        words += (
            f" Of {several(len(named), 'claim')} about one graph {replaced} were tested on another that "
            "stands for it, usually smaller; means are over the graphs that were measured, not the paper's."
        )
    return words


def claims_table(tested, remarks):
    rows = []
    for claim, outcome, verdict in tested:
        share = outcome.value / claim.value if outcome.value is not None and claim.value else None
        shown = Rich("", "")
        if share is not None:
            shown = Rich(digits(share), f"{ratio_track(share, verdict)}{digits(share)}")
        rows.append(
            [
                badge(verdict),
                claim_cell(claim, outcome, remarks.get(claim.id)),
                Rich(claim.section, ""),
                number(claim.value, claim.unit),
                number(outcome.value, claim.unit) if outcome.value is not None else "",
                shown,
                graphs_cell(claim, outcome),
                Rich(claim.note, ""),
                Rich(remarks.get(claim.id, ""), ""),
            ]
        )
    header = ["verdict", "claim", "section", "paper", "here", "here / paper", "graphs", "note"]
    return ClaimsTable([*header, "remark of who measured"], rows)


class ClaimsTable(Table):
    """In HTML section, note and remark stand below the claim."""

    def html(self):
        keep = [0, 1, 3, 4, 5, 6]
        header = [self.header[i] for i in keep]
        header[4] = Rich(header[4], f'{header[4]}<span class="axis"><i>0.1</i><i>1</i><i>10</i></span>')
        return Table(header, [[row[i] for i in keep] for row in self.rows], "claims").html()


# A picture or two a paper: title, unit, {series: query}, and the paper's means where they are like these.
class Plot(NamedTuple):
    title: str
    unit: str
    queries: dict
    paper: dict = {}


DFS = {"CKL-PDFS": "ckl", "ACR-PDFS": "acr", "NVG-DFS": "nvg", "DiggerBees": "v4", "gtrav v5": "v5"}
SCHEMES = ("ibfs-workgroup", "ibfs-coalesced", "ibfs-bottomup", "ibfs-auto", "rows", "auto")
STEPS = {"(A)": "A", "(AB)": "AB", "(ABC)": "ABC", "(ABCD)": "ABCD", "(Full)": "Full"}
PLOTS = {
    "diggerbees": (
        Plot(
            "Depth-first search, mean MTEPS",
            "",
            {name: f"value of=dfs:{variant} metric=mteps" for name, variant in DFS.items()},
        ),
    ),
    "blest": (
        Plot(
            "Times faster than BerryBees, part by part",
            "x",
            {name: f"speedup of=blest:{step} over=blest:BerryBees" for name, step in STEPS.items()},
        ),
        Plot(
            "256 searches: times faster than naive ones",
            "x",
            {
                **{
                    title: f"speedup of={name.replace(' ', ':')} over=msbfs:blest-naive in=batches-256"
                    for name, title in msbfs.ABLATION.items()
                    if title != "(Naive)"
                },
                "gtrav auto": "speedup of=msbfs:auto over=msbfs:blest-naive in=batches-256",
            },
            {title: mean for title, mean in msbfs.PAPER_SPEEDUPS.items() if title != "(Naive)"},
        ),
    ),
    "xbfs": (
        Plot(
            "Times faster than Enterprise, part by part",
            "x",
            {
                xbfs.ABLATION[name]: f"speedup of=xbfs:{name.replace(' ', '')} over=xbfs:Enterprise"
                for name in (xbfs.AD, xbfs.WB, xbfs.FULL)
            },
            {xbfs.ABLATION[name]: xbfs.PAPER_SPEEDUPS[name] for name in (xbfs.AD, xbfs.WB, xbfs.FULL)},
        ),
    ),
    "ibfs": (
        Plot(
            "Lengths of 1,000 paths, ms",
            "ms",
            {name: f"value of=pairs:{name},pairs=1000" for name in SCHEMES},
        ),
        Plot(
            "Lengths of 65,536 paths, ms",
            "ms",
            {name: f"value of=pairs:{name},pairs=65536" for name in SCHEMES},
        ),
    ),
    "warpnet": (
        Plot(
            "BFS, ms",
            "ms",
            {
                **{name: f"value of=bfs:{name} kind=not-acyclic" for name in ("queue", "bitmap", "warp")},
                "gtrav auto": "value of=bfs:auto kind=not-acyclic",
            },
        ),
    ),
}


def plot_of(results, plot):
    """The picture; None where fewer than two of its series were measured."""
    found = {}
    for name, text in plot.queries.items():
        values = queries.evaluate(results, queries.read_query(text)).values
        if values:
            found[name] = {key: value for key, value in values.items() if value > 0}
    if len(found) < 2:
        return None
    keys = sorted({key for values in found.values() for key in values}, key=by_size(results))
    rows = {str(key): {n: values[key] for n, values in found.items() if key in values} for key in keys}
    rows = {label: values for label, values in rows.items() if len(values) > 1}
    if not rows:
        return None
    if plot.unit == "x" and len(rows) > 1:
        rows["geometric mean"] = {n: over_graphs(v.values()) for n, v in found.items()}
    paper = {name: value for name, value in plot.paper.items() if name in found}
    return Picture(plot.title, dot_plot(rows, list(found), plot.unit, paper))


def by_size(results):
    return lambda key: (results.facts.get(key.graph, (0, 0))[1], key)


def about_papers(results, tested, remarks):
    parts = []
    for name, paper in PAPERS.items():
        mine = [one for one in tested if one.claim.paper == name]
        parts.append(Heading(2, f"{paper.name}: {paper.title}"))
        parts.append(Text(f"{paper.reference}. Measured there on {paper.gpu} ({paper.cpu}).", "small"))
        run = [one for one in mine if one.verdict != NOT_RUN]
        if run:
            parts.append(claims_table(run, remarks))
        if len(run) < len(mine):
            absent = [one for one in mine if one.verdict == NOT_RUN]
            parts.append(Folded(f"{several(len(absent), 'claim')} not run", claims_table(absent, remarks)))
        pictures = [plot_of(results, plot) for plot in PLOTS[name]]
        parts += [picture for picture in pictures if picture]
    return parts


# ---- trust ----


def verification(results):
    rows = [row for row in results.rows if row["date"]]  # the rest are summaries of such
    checked = Counter(row["verified"] for row in rows)
    searches = sum(int(row["sources"]) for row in rows)
    left = [
        f"{count(n)} that {w}"
        for w, n in (("failed", results.left_out["FAILED"]), ("nobody verified", results.left_out["none"]))
        if n
    ]
    return [
        Heading(2, "How verified"),
        Text(
            f"Of {count(len(rows))} rows ({count(searches)} searches), in {count(checked['all'])} "
            "every result was compared with a serial algorithm's, in "
            f"{count(checked['first'])} that of the first source. "
            f"Left out: {' and '.join(left) or 'no row'}. Levels must be equal; a depth-first tree must "
            "reach what can be reached, over arcs of the graph; an order must respect every arc."
        ),
        *on_the_emulator(results),
        *[
            Text(f"`{path.name}` beside the records tells of the whole test suite on {results.gpu}.")
            for path in sorted(results.folder.rglob("test-gpu.md"))
            if path.parent.name == results.gpu
        ],
        Text("How a verdict is reached, the same for every claim:"),
        *rules(),
    ]


def on_the_emulator(results):
    """What the emulator has shown: answers, and nothing of times."""
    rows = [row for row in results.emulated if row["date"]]
    if not rows:
        return []
    searches = sum(int(row["sources"]) for row in rows)
    return [
        Text(
            f"{count(len(rows))} more rows ({count(searches)} searches) are of the emulator, which runs GPU "
            "code on the CPU. Their answers were verified in the same way. Their times are not times of a "
            "GPU: no verdict, table or plot here uses these rows."
        )
    ]


def rules():
    """Those of verdicts, as scripts/claims.py states them."""
    text = claims.__doc__.partition("Verdicts:\n")[2]
    found = re.findall(r"^  (\S.*?)  +(.*(?:\n {4,}.*)*)", text, re.MULTILINE)
    rest = " ".join(line for line in text.splitlines() if line[:1] != " ")
    rows = [[badge(verdict), " ".join(rule.replace("`", "").split())] for verdict, rule in found]
    return [Table(["verdict", "where"], rows), Text(rest.strip())]


def rebuilding(arguments):
    folder = arguments.results.resolve()
    folder = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else arguments.results
    words = [f"--results {folder}"]
    words += [f"--device {arguments.device}"] if arguments.device else []
    return [
        Heading(2, "To build this report again"),
        Text("From the records that are there, in seconds; and after measuring more:"),
        Code(
            f"scripts/report.py {' '.join(words)}\n"
            "scripts/run_all.sh --help      # what measures what, and how long it takes\n"
            "scripts/claims.py --help       # the claims' queries\n"
        ),
    ]


def not_run(tested):
    absent = [one for one in tested if one.verdict == NOT_RUN]
    if not absent:
        return []
    reasons = {}
    for claim, outcome, _ in absent:
        reasons.setdefault((PAPERS[claim.paper].name, outcome.missing), []).append(claim.section)
    rows = [
        [paper, missing, str(len(sections)), "; ".join(dict.fromkeys("; ".join(sections).split("; ")))]
        for (paper, missing), sections in reasons.items()
    ]
    modes = sorted({PAPERS[claim.paper].modes for claim, _, _ in absent})
    named = ", ".join(f"`{mode}`" for mode in dict.fromkeys(" ".join(modes).split()))
    return [
        Heading(2, "Not run, and why"),
        Text(f"Modes of `scripts/run_all.sh` that measure what is missing: {named}."),
        Table(["paper", "missing", "claims", "of"], rows),
    ]


def appendix(tested):
    """In HTML this stands with each claim."""
    lines = [
        f"{claim.claim}: `{claim.query.text}`, in the paper {claim.sense} {number(claim.value, claim.unit)}; "
        + (f"here {listed(outcome.values)}" if outcome.values else f"no {outcome.missing}")
        for claim, outcome, _ in tested
    ]
    return [OnlyMarkdown(Heading(2, "What each claim was tested by")), OnlyMarkdown(Items(lines))]


# ---- the whole ----


def report(results, tested, remarks, arguments):
    """The parts, in order; the first is the title."""
    total, table = summary(tested)
    words = ", ".join(f"**{total[verdict]}** {verdict}" for verdict in VERDICTS)
    without_gpu = []
    if results.gpu is None:
        without_gpu = [Text("No GPU was measured: claims about one are not run.")]
    return [
        Heading(1, f"What holds of five papers on {results.device}"),
        Text(f"{several(len(tested), 'claim')} of {several(len(PAPERS), 'paper')}: {words}.", "lead"),
        *without_gpu,
        Text(on_which_graphs(tested)),
        table,
        Heading(2, "The machine"),
        machine(results),
        *hardware(results),
        *about_papers(results, tested, remarks),
        *ranking(results),
        *verification(results),
        *not_run(tested),
        *rebuilding(arguments),
        *appendix(tested),
    ]


def newest_results():
    """The folder of the newest run of scripts/run_all.sh on this machine."""
    runs = [path for path in RESULTS.glob(f"*/{STATUS}") if path.is_file()]
    if not runs:
        raise ClaimsError(
            f"no run of scripts/run_all.sh in {RESULTS}; quick_start makes one; --results names other records"
        )
    return max(runs, key=lambda path: path.stat().st_mtime).parent


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--results", type=Path, metavar="DIR", help="records (default: those of the newest run)"
    )
    claims.add_options(parser)
    parser.add_argument("--to", type=Path, metavar="DIR", help="where it goes (default: to the records)")
    arguments = parser.parse_args()
    arguments.results = arguments.results or newest_results()
    known = claims.read_claims(arguments.claims)
    results = Results(arguments.results, arguments.device)
    folder = arguments.to or arguments.results
    remarks = read_remarks(results, known)
    parts = report(results, claims.test_claims(results, known), remarks, arguments)
    for name, text in (("report.html", as_page(parts)), ("report.md", as_markdown(parts))):
        write_atomically(folder / name, text)
        print(folder / name)
    return 0
