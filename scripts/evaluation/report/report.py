"""Writes the reproduction report: what the papers claim beside what was measured here.

The records are those of the newest run of scripts/run_all.sh, or below the folder that --results names.
report.md and its figures/ go to that folder; --results results/nvidia-h200 writes the committed report anew.
Claims are those of dataset/claims, tested by scripts/claims.py, whose --help says how; nothing is measured here.

Whoever measured may add remarks.csv to the records of a device: columns id, of a claim, and remark, a line on
why it came out so on this machine. It is shown below the claim's note.

Exit status: 0 written, 2 bad usage, claims, remarks or records.
"""

import gc
from collections import Counter
from pathlib import Path

from evaluation import trusted
from evaluation.claims import claims
from evaluation.claims.listing import PAPERS, read_claims, read_table
from evaluation.claims.verdicts import NO_VERDICT, NOT_TESTED, RULES, VERDICTS
from evaluation.command import EvaluationError, new_parser
from evaluation.files import ROOT, write_atomically
from evaluation.records import as_dicts, is_of_gtrav
from evaluation.report.claims_table import Row, claims_table, tables_of_numbers
from evaluation.report.figures import begin_drawing, parts_of
from evaluation.report.overview import MOST_GRAPHS, abstracts, counts, fastest, machine
from evaluation.report.page import Drawings, Table, count, several, written
from evaluation.report.ranking import ranking
from evaluation.results import Results, newest_run

REMARKS = "remarks.csv"


def records_of(results):
    """Which records the report is made of, and which are left out."""
    rows = results.rows
    own = filter(is_of_gtrav, as_dicts(rows[["family", "variant", "note", "version"]].drop_duplicates()))
    versions = sorted({row["version"] for row in own} - {""})
    facts = [["gtrav", ", ".join(versions)]]
    facts.append(["records", f"{several(len(rows), 'row')} of {several(len(results.facts), 'graph')}"])
    if unclean := sum(rows.version.str.endswith("-dirty")):
        words = f"{several(unclean, 'row')} of builds of a tree with changes that no commit has (-dirty)"
        facts.append(["unclean", words])
    facts += [["not in here", f"records of {other}"] for other in results.others]
    elsewhere = Counter(results.left_out_by(trusted.ELSEWHERE).device).items()
    facts += [["not in here", f"{several(n, 'row')} of {cpu} on another machine"] for cpu, n in elsewhere]
    return Table(["", "here"], facts)


def left_out(results):
    rules = [rule for rule in trusted.RULES if rule.name in ("failed", "unverified", "busy")]
    numbers = {rule: len(results.left_out_by(rule.name)) for rule in rules}
    words = [f"{count(number)} that {rule.words}" for rule, number in numbers.items() if number]
    return " and ".join(words) or "no row"


def read_remarks(results, known):
    """Returns {claim id: remark} from remarks.csv of the report's device. EvaluationError names a bad line."""
    ids, found = {claim.id for claim in known}, {}
    paths = [path for path, folders in results.paths(REMARKS) if folders[-1] == results.device]
    for where, row in (line for path in paths for line in read_table(path, ("id", "remark"))):
        if None in row or not (row["remark"] or "").strip():
            raise EvaluationError(f"{where}: it is an id and a remark, in quotes if it has a comma")
        if row["id"] not in ids or row["id"] in found:
            odd = "is there already" if row["id"] in found else "is no claim's"
            raise EvaluationError(f"{where}: id: {row['id']} {odd}")
        found[row["id"]] = row["remark"]
    return found


def papers_of(rows):
    """{name: the paper} of the papers whose claims these are, in the order of dataset/papers.csv."""
    named = {row.claim.paper for row in rows}
    return {name: paper for name, paper in PAPERS.items() if name in named}


def about_paper(rows, figures, gpu):
    """The parts on one paper: its claims, its tables beside ours, its figures. Without a GPU only what was tested."""
    tested = [row for row in rows if row.verdict not in (NO_VERDICT, NOT_TESTED)]
    untested = [row for row in rows if row.verdict == NOT_TESTED]
    numbers = [row for row in rows if row.verdict == NO_VERDICT and (gpu or row.here or row.remark)]
    parts = [claims_table(tested)] if tested else []
    if untested:
        parts.append(claims_table(untested) if gpu else f"{several(len(untested), 'claim')} not tested.")
    for title, table in tables_of_numbers(numbers).items():
        parts += [f"### {title}", table]
    return [*parts, *figures]


def not_tested(rows):
    """How many claims are not tested for which reason."""
    reasons = {}
    for row in rows:
        reasons.setdefault((PAPERS[row.claim.paper].name, row.reason), []).append(row.claim.section)
    lines = [
        [paper, reason, str(len(sections)), "; ".join(dict.fromkeys("; ".join(sections).split("; ")))]
        for (paper, reason), sections in reasons.items()
    ]
    return Table(["paper", "why", "claims", "of"], lines)


def values_of(results, rows, figures):
    """Returns the values for report.md.j2. rows: those of all claims; figures: {paper: parts_of() its figures}."""
    judged = [row for row in rows if row.verdict != NO_VERDICT]
    untested = [row for row in judged if row.verdict == NOT_TESTED]
    papers, gpu = papers_of(rows), results.gpu
    found = Counter(row.verdict for row in judged)
    modes = " ".join(PAPERS[name].modes for name in papers_of(untested)).split()
    return {
        "gpu": gpu,
        "rows": rows,
        "judged": judged,
        "untested": untested,
        "papers": papers,
        "rules": RULES,
        "count": count,
        "several": several,
        "searches": lambda some: some.sources.astype(int).sum(),
        "most_graphs": MOST_GRAPHS,
        "machine": machine(results),
        "fastest": fastest(results),
        "abstracts": abstracts(judged, gpu),
        "words": ", ".join(f"**{found[verdict]}** {verdict}" for verdict in VERDICTS),
        "counts": counts(judged),
        "hardware": Table(
            ["paper", "what", "by", "its GPU", "its CPU"],
            [[paper.name, paper.title, paper.reference, paper.gpu, paper.cpu] for paper in papers.values()],
        ),
        "of_paper": lambda name: about_paper([r for r in rows if r.claim.paper == name], figures.get(name, ()), gpu),
        "ranking": ranking(results),
        "checked": results.rows[results.rows.date != ""],  # the rest are summaries of such
        "left_out": left_out(results),
        "emulated": results.left_out_by("emulated").query("date != ''"),
        "suites": [path.name for path in sorted(results.folder.rglob("test-gpu.md")) if path.parent.name == gpu],
        "modes": ", ".join(f"`{mode}`" for mode in dict.fromkeys(modes)),
        "not_tested": not_tested(untested),
        "records": records_of(results),
        "shown": [row for row in rows if gpu or row.here],
    }


def command_of(arguments):
    """The words of the command that writes the report again."""
    folder = arguments.results.resolve()
    folder = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else arguments.results
    options = f" --device {arguments.device}" if arguments.device else ""
    return f"{folder}{options}" + (f" --paper {arguments.paper}" if arguments.paper else "")


def main():
    parser = new_parser(__doc__)
    claims.add_options(parser)
    parser.add_argument("--paper", choices=PAPERS, help="the claims of this paper alone")
    parser.add_argument("--to", type=Path, metavar="DIR", help="where it goes (default: to the records)")
    arguments = parser.parse_args()
    arguments.results = arguments.results or newest_run()
    gc.disable()  # nearly all objects are rows, which stay: collecting takes a tenth of the time, and finds nothing
    known = read_claims(arguments.claims)
    known = [claim for claim in known if arguments.paper in (None, claim.paper)]
    results = Results.read(arguments.results, arguments.device)
    folder = arguments.to or arguments.results
    remarks = read_remarks(results, known)
    drawn = begin_drawing(results, dict.fromkeys(claim.paper for claim in known))
    rows = [Row(one, remarks.get(one.claim.id, "")) for one in claims.test_claims(results, known)]
    about = PAPERS[arguments.paper].name if arguments.paper else "five papers"
    figures = {paper: parts_of(some) for paper, some in drawn.items()}
    values = values_of(results, rows, figures)
    text = written(about=about, device=results.device, again=command_of(arguments), **values)
    for part in (part for parts in figures.values() for part in parts if isinstance(part, Drawings)):
        for figure in part.figures:
            write_atomically(folder / figure.path, figure.svg)
    write_atomically(folder / "report.md", text)
    print(folder / "report.md")
    return 0
