"""Tests claims of papers against records: dataset/claims/PAPER.csv has a claim a line, and what tests it.

  scripts/claims.py                   every claim: the verdict, the paper's number, ours
  scripts/claims.py diggerbees-ckl    these claims, graph by graph

Columns of dataset/claims/PAPER.csv (PAPER: diggerbees, blest, xbfs, ibfs or warpnet):
  id          a short name, unique
  section     where it stands: abstract; 4.2, table 2; figure 11
  claim       what is claimed, in our words, one line
  value       the paper's number, or its range, such as 1.67-1.82
  unit        of it: x, %, ms, MTEPS, ...; shares and savings are in %
  sense       how ours is held against it: about, a size, two-sided; at least or at most, a bound that it
              names itself ("up to", "no more than", "on every graph"); direction: which is better, no size
  baseline    none: variants of one system, or no comparison; own: the rival is gtrav's implementation of it;
              or the rival's program, a name in dataset/peers.csv
  test        the expression that tests it: a mean of a number, by names of graphs.py, numbers/compare.py and
              numbers/PAPER.py in scripts/evaluation
  untestable  why no record can test it, if so: it has no test then; else empty. Not that a device lacks: a
              test names the device, by on_gpu() or gain_of_gpu(), and is run where there are its rows
  note        what differs in hardware or data, one line; may be empty

Verdicts. The effect of a number is its distance from no difference, which is 1 of factors (in logarithms),
0 of savings and 50 % of shares of graphs. Of a range the nearer end is the paper's number.
  reproduced      ours is close: 0.8 to 1.25 times the paper's number, with half to double of its effect, and
                  a percentage within 10 points; or it keeps the bound of a claim that is `at least` or
                  `at most`, which is kept or broken, with a margin of 2 %; or is on the side of one of
                  direction, by 0.02x or 2 % or more. It needs a grade of same kind and size or better
  consistent      as reproduced, but the grade of the graphs is below that
  stronger        the claim is `about` a lead, no percentage, over a rival's own program on the same GPU; ours
                  is a larger one, and not close. It needs that grade of every graph
  same trend      of a claim `about` a size: on the paper's side with a third of its effect to three times it,
                  and a tenth to ten times its number; a number by itself: half of the paper's to double; a
                  percentage: within 20 points, and two thirds of the paper's to one and a half times it
  not reproduced  anything else, such as a broken bound, or a difference on the other side
  not comparable  a time or a rate by itself, where the paper measured on another GPU; one of the host, where it
                  was another CPU; how a GPU does against a CPU, where it was another GPU or CPU
  not run         there are no rows that tell, such as those of another GPU that it is about; times, rates and
                  other numbers by themselves tell on graphs of the paper's kind and size alone
  not testable here  the claim says why
A share of at least 100 % is all graphs, one of at least 50 % is most; a lead under 2 % on a graph is none.
A number counts once: of the claims of a paper that it would answer, that one has it whose graph is most like
the measured one, or else the first. The others are not run.
Where the paper finds a factor of 1, ours within a tenth of none is reproduced, and within a quarter a trend.
Grades tell how well graphs stand for the paper's, best first: same graph; same generator and size; same kind
and size (within 1.5 times the vertices, edges, edges a vertex and, where the paper tells them, levels of a
BFS); same kind, smaller; other. Of a claim about one graph the paper's own counts before any stand-in of the
same mode. Elsewhere each graph has the best grade as any graph of the paper, and the claim's is the one that
at least half of its graphs have; but it is smaller if, by their median, they have fewer vertices than three
quarters of the paper's graphs of their kinds, with the same factor of 1.5.
A mean leaves out a stand-in of a list where the graphs that it stands for were measured, too.
A verdict adds `own baseline` where the rival is gtrav's implementation of it, or on how many of the graphs it
is as its program did not run there, and `best mode` where a variant that can run as in the paper (mode=paper)
has rows of its best mode alone, on all graphs or on those of the claim. Rows of mode=paper count first.
"""

import math
import re
import statistics
from collections import Counter
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple, Optional

from evaluation import dataset
from evaluation.claims.listing import CLAIMS, NO_BASELINE, PAPERS, Claim, read_claims
from evaluation.claims.verdicts import NOT_RUN, STRONGER, VERDICTS, WITHOUT_NUMBER, judge
from evaluation.command import EvaluationError, new_parser
from evaluation.graphs import SAME_SIZE, Grade, entry_of, grade, kind_of
from evaluation.numbers.compare import Answer
from evaluation.records import BEST, PAPER
from evaluation.results import BY_GRAPH, BY_VARIANT, NOWHERE, MissingError, Results, newest_run

LEAST_GRAPHS = 3  # of a mean of graphs some of which have rows of the best mode alone


class Tested(NamedTuple):
    """A claim, and what the records tell of it."""

    claim: Claim
    answer: Answer
    verdict: str
    grade: Optional[Grade] = None  # of the graphs as stand-ins of the paper's; None: it is about no graph
    best: Optional[float] = None  # the same number of the best modes, where the verdict is of mode=paper
    provisos: tuple = ()

    @property
    def reported(self):
        return ", ".join([self.verdict, *self.provisos])


def ask(results, claim):
    """The Answer that the claim's test gives: of the rows of the results' mode alone, or of those of the best mode,
    too, if they do not tell; graph by graph if it is about a graph or several."""
    if claim.test is None:
        return Answer({}, missing="way to test it here")
    answer = Answer({})
    for instead in (NOWHERE, BY_VARIANT, BY_GRAPH):
        try:
            found = claim.test(results.with_mode(results.mode, instead))
        except MissingError as error:
            answer = Answer({}, missing=str(error))
            continue
        graphs = {key.graph for key in found.numbers}
        if instead != BY_GRAPH or found.graph or len(graphs) >= LEAST_GRAPHS:
            return found._replace(of_hardware=found.of_hardware or len(found.places) > 1)
    return answer


def test_claims(results, claims):
    """A Tested of each claim: in the modes that are as in the papers where those were measured."""
    tested = [test(results.with_mode(PAPER), results.with_mode(BEST), claim) for claim in claims]
    owner = {}
    for one in sorted(tested, key=partial(likeness, results), reverse=True):
        owner.setdefault(shared_number(one), one.claim.id)
    return [counted_once(one, owner) for one in tested]


def shared_number(tested):
    """What several claims of a paper share if one number of the same rows tests them."""
    answer = tested.answer
    known = answer.value is not None
    return (tested.claim.paper, answer.value, *answer.numbers.items()) if known else tested.claim.id


def likeness(results, tested):
    """How well the graph that a claim was tested on stands for the paper's: by its grade, then its edges."""
    entry = entry_of(tested.answer.graph)
    found = [results.facts[key.graph].edges for key in tested.answer.numbers if key.graph in results.facts]
    apart = abs(math.log(max(found[0], 1) / entry.edges)) if found and entry and entry.edges else math.inf
    return tested.grade or 0, -apart


def counted_once(tested, owner):
    """The tested claim; without the number if another one has it."""
    other = owner[shared_number(tested)]
    if other == tested.claim.id:
        return tested
    return Tested(tested.claim, Answer({}, missing=f"number of its own: {other} has it"), NOT_RUN)


GPU_MODEL, CPU_MODEL = r"\b\w*\d\w*", r"\b\d{4}\w*"


def is_among(device, hardware, model):
    """Whether a paper's hardware includes a device: "nvidia-geforce-rtx-2070" is among "RTX 2070"."""
    return not set(re.findall(model, hardware.lower())).isdisjoint((device or "").split("-"))


def is_as_in_paper(results, paper, answer):
    """Whether an answer is of the paper's CPU, if the CPU has a part in it, and of its GPU unless of the host."""
    same_cpu, same_gpu = is_among(results.cpu, paper.cpu, CPU_MODEL), is_among(results.gpu, paper.gpu, GPU_MODEL)
    return same_cpu if answer.of_host else same_gpu and (same_cpu or "CPU" not in answer.places)


def test(as_in_paper, at_best, claim):
    """as_in_paper, at_best: the same Results with one mode or the other first. The best mode's number is kept
    only if it is about the same graphs."""
    answer = ask(as_in_paper, claim)
    grade = graded(as_in_paper, claim.paper, answer)
    if answer.less_is_better is not None and grade is not None and grade < Grade.SAME_SIZE:
        answer = Answer({}, missing="graphs of the paper's kind and size, on which its numbers depend")
    verdict = judge(answer, claim, grade, is_as_in_paper(as_in_paper, PAPERS[claim.paper], answer))
    if verdict in WITHOUT_NUMBER:
        return Tested(claim, answer, verdict)
    if verdict == STRONGER and grade is not None:  # on every graph like the paper's, else a trend
        verdict = judge(answer, claim, graded(as_in_paper, claim.paper, answer, of_every=True))
    ours = ask(at_best, claim)
    same_graphs = ours.numbers.keys() == answer.numbers.keys()  # a number of other graphs would mislead
    graphs = {key.graph for key in answer.numbers}
    runs = [run for run in answer.runs if run.graph in graphs]
    best = ours.value if same_graphs and any(run.mode == PAPER for run in runs) else None
    in_best = any(run.mode == BEST and run[1:3] in as_in_paper.with_modes for run in runs)
    provisos = [said_of_baseline(claim.baseline, graphs, runs), "best mode" if in_best else ""]
    return Tested(claim, answer, verdict, grade, best, tuple(filter(None, provisos)))


def said_of_baseline(baseline, graphs, runs):
    """Words on how many graphs the rival is gtrav's implementation; empty: on none."""
    if baseline == NO_BASELINE:
        return ""
    own = graphs - {run.graph for run in runs if run.variant == baseline}
    if not own:
        return ""
    return "own baseline" if own == graphs else f"own baseline on {len(own)} of {len(graphs)}"


def graded(results, paper, answer, of_every=False):
    """The best grade that at least half of an answer's graphs have, or every one, or less if they are small ones
    of the paper's; None if they are none that was loaded."""
    graphs = {key.graph: results.facts[key.graph] for key in answer.numbers if key.graph in results.facts}
    papers = (answer.graph,) if answer.graph else graphs_of(paper)
    grades = sorted(
        (best_grade(papers, name, facts._replace(kinds=frozenset())) for name, facts in graphs.items()), reverse=True
    )
    most = grades[-1 if of_every else (len(grades) - 1) // 2] if grades else None
    return min(most, Grade.SMALLER) if grades and are_small_ones(papers, graphs) else most


def are_small_ones(papers, graphs):
    """Whether most of some graphs are smaller than three quarters of the paper's graphs of their kinds.

    papers: the names of those; graphs: {name: Facts}."""
    kinds = {kind_of(name.removesuffix("+undirected")) for name in graphs}
    sizes = [entry.vertices for entry in map(entry_of, papers) if entry and kind_of(entry.name) in kinds]
    sizes = [size for size in sizes if size]
    least = statistics.quantiles(sizes, n=4)[0] / SAME_SIZE if len(sizes) > 1 else 0
    return len(graphs) > 1 and statistics.median(facts.vertices for facts in graphs.values()) < least


@cache
def graphs_of(paper):
    """The names of a paper's graphs, by its lists in dataset/."""
    lists = (dataset.ROOT / "dataset" / f"{name}.csv" for name in PAPERS[paper].lists.split())
    return tuple(dict.fromkeys(entry.name for path in lists for entry in dataset.read_list(path)))


@cache
def best_grade(papers, graph, facts):
    """The best Grade of a measured graph as any of these graphs of a paper."""
    return max(grade(name, graph, facts) for name in papers)


# ---- the command line ----


def add_options(parser):
    """Options that this script and report.py share."""
    words = "records (default: those of the newest run of scripts/run_all.sh)"
    parser.add_argument("--results", type=Path, metavar="DIR", help=words)
    parser.add_argument("--device", help="the GPU, or a CPU alone (default: the GPU that most rows are of)")
    parser.add_argument("--claims", type=Path, default=CLAIMS, metavar="DIR", help="default: dataset/claims")


def line_of(tested):
    """A line on a claim: the verdict with its provisos, the id, the paper's number, ours and the grade."""
    claim, answer = tested.claim, tested.answer
    ours = f"no {answer.missing}" if answer.missing else f"{answer.value:.4g} of {len(answer.numbers)}"
    ours = claim.untestable or f"ours {ours}"
    best = [] if tested.best is None else [f"best {tested.best:.4g}"]
    grade = [] if tested.grade is None else [str(tested.grade)]
    reported = ", ".join([f"{claim.reported} {claim.unit}", ours, *best, *grade, *tested.provisos])
    return f"{tested.verdict:17}  {claim.id:28}  {reported}"


def main():
    parser = new_parser(__doc__)
    parser.add_argument("id", nargs="*", help="these claims, graph by graph")
    add_options(parser)
    arguments = parser.parse_args()
    claims = {claim.id: claim for claim in read_claims(arguments.claims)}
    unknown = [name for name in arguments.id if name not in claims]
    if unknown:
        raise EvaluationError(f"no claim '{unknown[0]}' in {arguments.claims}")
    results = Results.read(arguments.results or newest_run(), arguments.device)
    papers = {claims[name].paper for name in arguments.id} or PAPERS
    tested = test_claims(results, [claim for claim in claims.values() if claim.paper in papers])
    by_id = {one.claim.id: one for one in tested}
    tested = [by_id[name] for name in arguments.id or by_id]
    for one in tested:
        for key, number in one.answer.numbers.items() if arguments.id else ():
            print(f"{number:12.4g}  {key}")
        print(line_of(one))
    if not arguments.id:
        counts = Counter(one.verdict for one in tested)
        print(", ".join(f"{verdict} {counts[verdict]}" for verdict in VERDICTS))
    return 0
