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
              names itself ("no more than", "on every graph"); direction: which is better, no size;
              number: not at all, as it is a number of other hardware by itself
  baseline    none: variants of one system, or no comparison; own: the rival is gtrav's implementation of it;
              or the rival's program, a name in dataset/peers.csv
  test        the expression that tests it: a mean of a number, by names of graphs.py, methods.py,
              numbers/compare.py and numbers/PAPER.py in scripts/evaluation
  untestable  why no record can test it, if so: one of the reasons for "not tested", a colon, and the detail
  note        what differs in hardware or data, one line; may be empty. It begins with "implausible" where the
              paper's number cannot be

The report prints how verdicts are reached (RULES in claims/verdicts.py). A number of one graph has no verdict, and
its line begins with "-", unless it was measured on that graph, or on one of the same generator and size.
"""

import re
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from evaluation.claims import verdicts
from evaluation.claims.listing import CLAIMS, NO_BASELINE, PAPERS, Claim, read_claims
from evaluation.command import EvaluationError, new_parser
from evaluation.graphs import Facts, Grade, grade
from evaluation.numbers.compare import Answer
from evaluation.records import BEST, PAPER
from evaluation.results import MissingError, Results, newest_run


class Tested(NamedTuple):
    """A claim, with its answer and verdict by the records."""

    claim: Claim
    answer: Answer
    verdict: str
    reason: str = ""  # why it is not tested
    proviso: str = ""


def test_claims(results, claims):
    """A Tested of each claim: in the modes that are as in the papers where those were measured."""
    return [test(results.with_mode(PAPER), claim) for claim in claims]


def test(results, claim):
    answer, rank = ask(results, claim), Grade.OTHER
    graph = next((key.graph for key in answer.numbers), "")
    if graph and claim.graph:  # how well the measured graph stands for the claim's
        rank = grade(claim.graph, graph, results.facts.get(graph, Facts()))
    if claim.graph and rank < Grade.SAME_SIZE and not answer.missing:
        answer = Answer({}, missing="graph of its kind and size")
    proviso, paper = proviso_of(results, claim, answer), PAPERS[claim.paper]
    as_in_paper = not answer.of_hardware or is_as_in_paper(results, paper, answer)
    if not has_verdict(claim, rank, as_in_paper):
        return Tested(claim, answer, verdicts.NO_VERDICT, proviso=proviso)
    reason = claim.untestable
    if answer.missing and not reason:
        why = verdicts.OTHER_HARDWARE if "_gpu(" in str(claim.test) else verdicts.NOT_MEASURED
        reason = f"{why}: no {answer.missing}"
    elif not as_in_paper:
        reason = f"{verdicts.OTHER_HARDWARE}: {paper.gpu}, and a CPU {paper.cpu} in the paper"
    if reason:
        return Tested(claim, answer, verdicts.NOT_TESTED, reason, proviso)
    verdict = verdicts.judge(answer.value, over_the_same_graphs(claim, answer), answer.no_difference)
    return Tested(claim, answer, verdict, proviso=proviso)


def ask(results, claim):
    """The Answer that the claim's test gives."""
    if claim.test is None:
        return Answer({}, missing="way to test it here")
    try:
        answer = claim.test.of(results)
    except MissingError as error:
        return Answer({}, missing=str(error))
    return answer._replace(of_hardware=answer.of_hardware or len(answer.places) > 1)


def over_the_same_graphs(claim, answer):
    """Returns the claim with the paper's mean over the answer's graphs, if the paper gives numbers for them."""
    mean = answer.papers_mean
    if mean is None or claim.sense in (verdicts.AT_LEAST, verdicts.AT_MOST):
        return claim
    return claim._replace(low=mean, high=mean)


def has_verdict(claim, rank, as_in_paper):
    """Whether the claim is about several graphs, or its graph or one of the same generator and size was measured. If
    hardware matters, it must be as in the paper."""
    if claim.sense == verdicts.NUMBER or claim.is_implausible:
        return False
    return not claim.graph or (rank >= Grade.SAME_GENERATOR and as_in_paper)


GPU_MODEL, CPU_MODEL = r"\b\w*\d\w*", r"\b\d{4}\w*"


def is_among(device, hardware, model):
    """Whether a paper's hardware includes a device: "nvidia-geforce-rtx-2070" is among "RTX 2070"."""
    return not set(re.findall(model, hardware.lower())).isdisjoint((device or "").split("-"))


def is_as_in_paper(results, paper, answer):
    """Whether an answer is of the paper's CPU, if the CPU has a part in it, and of its GPU unless of the host."""
    same_cpu, same_gpu = is_among(results.cpu, paper.cpu, CPU_MODEL), is_among(results.gpu, paper.gpu, GPU_MODEL)
    return same_cpu if answer.of_host else same_gpu and (same_cpu or "CPU" not in answer.places)


def proviso_of(results, claim, answer):
    """Says on how many graphs the rival is gtrav's implementation, and whether rows of the best mode stand in."""
    graphs = {key.graph for key in answer.numbers}
    runs = [run for run in answer.runs if run.graph in graphs]
    own = graphs - {run.graph for run in runs if run.variant == claim.baseline}
    words = []
    if own and claim.baseline != NO_BASELINE:
        words.append("own baseline" if own == graphs else f"own baseline on {len(own)} of {len(graphs)}")
    if any(run.mode == BEST and run[1:3] in results.with_modes for run in runs):
        words.append("best mode")
    return ", ".join(words)


def add_options(parser):
    """Options that this script and report.py share."""
    words = "records (default: those of the newest run of scripts/run_all.sh)"
    parser.add_argument("--results", type=Path, metavar="DIR", help=words)
    parser.add_argument("--device", help="the GPU, or a CPU alone (default: the GPU that most rows are of)")
    parser.add_argument("--claims", type=Path, default=CLAIMS, metavar="DIR", help="default: dataset/claims")


def line_of(tested):
    """A line on a claim: the verdict, the id, the paper's number, ours, and why it is not tested."""
    claim, answer = tested.claim, tested.answer
    ours = f"ours {answer.value:.4g} of {len(answer.numbers)}" if answer.value is not None else ""
    missing = f"no {answer.missing}" if answer.missing and not tested.reason else ""
    reported = filter(None, [f"{claim.reported} {claim.unit}", ours, tested.proviso, missing, tested.reason])
    return f"{tested.verdict or '-':15}  {claim.id:28}  {', '.join(reported)}"


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
    tested = test_claims(results, [claims[name] for name in arguments.id or claims])
    for one in tested:
        for key, number in one.answer.numbers.items() if arguments.id else ():
            print(f"{number:12.4g}  {key}")
        print(line_of(one))
    if not arguments.id:
        counts = Counter(one.verdict for one in tested)
        words = [f"{verdict} {counts[verdict]}" for verdict in verdicts.VERDICTS]
        print(", ".join([*words, f"without a verdict {counts[verdicts.NO_VERDICT]}"]))
    return 0
