"""Writes the reproduction report: what the papers claim beside what was measured here.

The records are those of the newest run of scripts/run_all.sh, or below the folder that --results names.
report.html, report.md and figures/ go to that folder; --results results/nvidia-h200 writes the committed
report anew. The page report.html needs no other file: tables, figures and style are in it, light and dark.
report.md is the same, and links the figures. Claims are those of dataset/claims, tested by scripts/claims.py,
whose --help says how; nothing is measured here.

Whoever measured may add remarks.csv to the records of a device: columns id, of a claim, and remark, a line on
why it came out so on this machine. It is shown below the claim's note.

Exit status: 0 written, 2 bad usage, claims, remarks or records.
"""

from collections import Counter
from pathlib import Path

from evaluation import trusted
from evaluation.analyses.ranking import ranking
from evaluation.claims import claims
from evaluation.claims.listing import PAPERS, read_claims, read_table
from evaluation.claims.verdicts import NO_VERDICT, NOT_TESTED, RULES
from evaluation.command import EvaluationError, new_parser
from evaluation.files import ROOT, write_atomically
from evaluation.records import days_of, programs_beside_gtrav
from evaluation.report.claims_table import ClaimsTable, Row, tables_of_numbers
from evaluation.report.figures import Drawings, begin_drawing, parts_of
from evaluation.report.overview import MOST_DISAGREEMENTS, MOST_OF_A_PAPER, abstracts, disagreements, overview
from evaluation.report.page import Table, as_markdown, as_page, count, several
from evaluation.results import Results, newest_run

REMARKS = "remarks.csv"
LARGEST = (
    f"The {MOST_DISAGREEMENTS} numbers farthest from the paper's, at most {MOST_OF_A_PAPER} of a paper, and "
    "the reason as far as it is known: the remark of who measured, or the claim's note."
)


# ---- the machine ----


def machine(results):
    rows = results.rows
    others = {name for _, name in programs_beside_gtrav()}
    versions = sorted(set(rows.version[~rows.variant.isin(others)]) - {""})
    facts = [["GPU", results.gpu or "none"]]
    facts.append(["CPU", ", ".join(results.cpus) or "nothing measured on one"])
    facts += [[name, str(results.provenance[name])] for name in ("host",) if name in results.provenance]
    facts.append(["measured", days_of(rows.date) or "not told"])
    facts.append(["gtrav", ", ".join(versions)])
    facts.append(["records", f"{several(len(rows), 'row')} of {several(len(results.facts), 'graph')}"])
    facts += unclean(rows)
    facts += [["not in here", f"records of {other}"] for other in results.others]
    elsewhere = results.elsewhere.items()
    facts += [["not in here", f"{several(n, 'row')} of {cpu} on another machine"] for cpu, n in elsewhere]
    return Table(["", "here"], facts, "facts")


def unclean(rows):
    """How many rows are of builds that no commit can build again: a line, or none."""
    number = sum(rows.version.str.endswith("-dirty"))
    words = f"{several(number, 'row')} of builds of a tree with changes that no commit has (-dirty)"
    return [["unclean", words]] if number else []


def papers_of(rows):
    """{name: the paper} of the papers whose claims these are, in the order of dataset/papers.csv."""
    named = {row.claim.paper for row in rows}
    return {name: paper for name, paper in PAPERS.items() if name in named}


def hardware(results, papers):
    ours = results.gpu or "no GPU"
    rows = [[paper.name, paper.title, paper.reference, paper.gpu, paper.cpu] for paper in papers]
    words = (
        f"The papers measured on other machines than this one ({ours}; {results.cpu or 'no CPU'}). "
        "A ratio of two methods on the same GPU carries over best; one of a GPU to a CPU, or a time by "
        "itself, least. Graphs that are not here are replaced by generated ones like them: "
        "each claim tells on which graphs it was tested."
    )
    return [words, Table(["paper", "what", "by", "its GPU", "its CPU"], rows)]


# ---- claims ----


def read_remarks(results, known):
    """{id of a claim: what whoever measured on the report's device says}; EvaluationError, with the line."""
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


def about_papers(rows, drawn):
    parts = []
    for name, paper in papers_of(rows).items():
        mine = [row for row in rows if row.claim.paper == name]
        parts.append(f"## {paper.name}: {paper.title}")
        parts.append(f"{paper.reference}. Measured there on {paper.gpu} ({paper.cpu}).")
        tested = [row for row in mine if row.verdict not in (NO_VERDICT, NOT_TESTED)]
        untested = [row for row in mine if row.verdict == NOT_TESTED]
        parts += [ClaimsTable(tested)] if tested else []
        parts += [ClaimsTable(untested, f"{several(len(untested), 'claim')} not tested")] if untested else []
        for title, table in tables_of_numbers(row for row in mine if row.verdict == NO_VERDICT).items():
            folded = f"{title}: {several(len(table.rows), 'number')} beside the paper's"
            parts += [f"### {title}", table._replace(folded=folded)]
        parts += parts_of(drawn.get(name, ()))
    return parts


# ---- trust ----


def verification(results):
    rows = results.rows[results.rows.date != ""]  # the rest are summaries of such
    checked = Counter(rows.verified)
    searches = rows.sources.astype(int).sum()
    left = [
        f"{count(number)} that {rule.__doc__}"
        for rule in (trusted.failed, trusted.unverified)
        if (number := results.number_left_out(rule))
    ]
    return [
        "## How verified",
        f"Of {count(len(rows))} rows ({count(searches)} searches), in {count(checked['all'])} "
        f"every result was compared with a serial algorithm's, in {count(checked['first'])} that of the "
        f"first source. Left out: {' and '.join(left) or 'no row'}. Levels must be equal; a depth-first tree "
        "must reach what can be reached, over edges of the graph; an order must respect every edge.",
        *on_the_emulator(results),
        *[
            f"`{path.name}` beside the records tells of the whole test suite on {results.gpu}."
            for path in sorted(results.folder.rglob("test-gpu.md"))
            if path.parent.name == results.gpu
        ],
    ]


def on_the_emulator(results):
    """What the emulator has shown: answers, and nothing of times."""
    rows = results.emulated[results.emulated.date != ""]
    if rows.empty:
        return []
    searches = rows.sources.astype(int).sum()
    return [
        f"{count(len(rows))} more rows ({count(searches)} searches) are of the emulator, which runs GPU "
        "code on the CPU. Their answers were verified in the same way. Their times are not times of a "
        "GPU: no verdict, table or plot here uses these rows."
    ]


def rules():
    """The rules of verdicts, a line each."""
    return ["\n".join(f"- {rule}" for rule in RULES)]


def rebuilding(arguments):
    folder = arguments.results.resolve()
    folder = folder.relative_to(ROOT) if folder.is_relative_to(ROOT) else arguments.results
    options = f" --device {arguments.device}" if arguments.device else ""
    options += f" --paper {arguments.paper}" if arguments.paper else ""
    return f"""\
## To build this report again

From the records that are there, in seconds; and after measuring more:

    scripts/report.py --results {folder}{options}
    scripts/run_all.sh --help      # what measures what, and how long it takes
    scripts/claims.py --help       # the claims, one by one"""


def not_tested(rows):
    absent = [row for row in rows if row.verdict == NOT_TESTED]
    if not absent:
        return []
    reasons = {}
    for row in absent:
        reasons.setdefault((PAPERS[row.claim.paper].name, row.reason), []).append(row.claim.section)
    lines = [
        [paper, reason, str(len(sections)), "; ".join(dict.fromkeys("; ".join(sections).split("; ")))]
        for (paper, reason), sections in reasons.items()
    ]
    modes = " ".join(sorted({PAPERS[row.claim.paper].modes for row in absent}))
    named = ", ".join(f"`{mode}`" for mode in dict.fromkeys(modes.split()))
    return [
        "## Not tested, and why",
        f"Modes of `scripts/run_all.sh` that measure what these papers need: {named}.",
        Table(["paper", "why", "claims", "of"], lines),
    ]


def appendix(rows):
    """What tested each claim. Only the Markdown has it: the page shows it with the claim."""
    lines = [" ".join(f"- {row.claim.claim}: {row.how}".split()) for row in rows]
    return ["## What each claim was tested by", "\n".join(lines)]


# ---- the whole ----


def report(results, rows, drawn, arguments):
    """The parts, in order."""
    judged = [row for row in rows if row.verdict != NO_VERDICT]
    summary = overview(judged)
    words = ", ".join(f"**{number}** {verdict}" for verdict, number in summary.papers.counts["all"].items())
    apart = disagreements(judged)
    without_gpu = ["No GPU was measured: claims about one are not tested."] if results.gpu is None else []
    first = abstracts(judged)
    return [
        *([first] if first.rows else []),
        f"{several(len(judged), 'claim')} of {several(len(papers_of(judged)), 'paper')}: {words}. "
        f"{several(len(rows) - len(judged), 'number')} of single graphs or of other hardware: in the papers' tables.",
        *without_gpu,
        summary,
        *rules(),
        *(["## The largest disagreements", LARGEST, apart] if apart else []),
        "## The machine",
        machine(results),
        *hardware(results, papers_of(rows).values()),
        *about_papers(rows, drawn),
        *ranking(results),
        *verification(results),
        *not_tested(rows),
        rebuilding(arguments),
    ]


def main():
    parser = new_parser(__doc__)
    claims.add_options(parser)
    parser.add_argument("--paper", choices=PAPERS, help="the claims of this paper alone")
    parser.add_argument("--to", type=Path, metavar="DIR", help="where it goes (default: to the records)")
    arguments = parser.parse_args()
    arguments.results = arguments.results or newest_run()
    known = read_claims(arguments.claims)
    known = [claim for claim in known if arguments.paper in (None, claim.paper)]
    results = Results.read(arguments.results, arguments.device)
    folder = arguments.to or arguments.results
    remarks = read_remarks(results, known)
    drawn = begin_drawing(results, dict.fromkeys(claim.paper for claim in known))
    tested = claims.test_claims(results, known)
    rows = [Row(one, remarks.get(one.claim.id, "")) for one in tested]
    parts = report(results, rows, drawn, arguments)
    about = PAPERS[arguments.paper].name if arguments.paper else "five papers"
    title = f"What holds of {about} on {results.device}"
    pages = {"report.html": as_page(title, parts), "report.md": as_markdown(title, [*parts, *appendix(rows)])}
    figures = [figure for part in parts if isinstance(part, Drawings) for figure in part.figures]
    for name, text in {**{figure.path: figure.svg for figure in figures}, **pages}.items():
        write_atomically(folder / name, text)
    for name in pages:
        print(folder / name)
    return 0
