"""verdicts.py: how ours is held against a paper's number. The rules in words stand in claims.py."""

import math

from evaluation.claims.listing import ABOUT, AT_LEAST, AT_MOST, DIRECTION
from evaluation.claims.measures import MOST
from evaluation.command import EvaluationError
from evaluation.grades import Grade

REPRODUCED, CONSISTENT, STRONGER = "reproduced", "consistent", "stronger"
TREND, NOT_REPRODUCED = "same trend", "not reproduced"
NOT_RUN, NOT_TESTABLE = "not run", "not testable here"
VERDICTS = (REPRODUCED, CONSISTENT, STRONGER, TREND, NOT_REPRODUCED, NOT_RUN, NOT_TESTABLE)
WITHOUT_NUMBER = (NOT_RUN, NOT_TESTABLE)

CLOSE = 0.8  # of the paper's number, up to 1 / CLOSE of it
HALF = 0.5  # of the paper's effect, up to double; of a number that is no effect, where a trend ends
THIRD = 1 / 3  # of the paper's effect: less is no trend
EVEN, NEARLY_EVEN = 0.1, 0.25  # as far from no difference is none, where the paper finds none; a trend
NOISE = 0.02  # as near to no difference tells no direction
ALL = 100  # of the graphs, %


def judge(answer, claim, grade=None):
    """The verdict on a claim; grade: of its graphs as stand-ins, None: it is about none."""
    if claim.untestable:
        return NOT_TESTABLE
    if answer.value is None:
        return NOT_RUN
    verdict = held_against(answer, claim)
    is_unlike = grade is not None and grade < Grade.SAME_SIZE
    return CONSISTENT if verdict == REPRODUCED and is_unlike else verdict


def held_against(answer, claim):
    """The verdict by the numbers alone."""
    ours, paper, nothing = answer.value, claim.nearest(answer.value), answer.no_difference
    if nothing == MOST and claim.sense == AT_LEAST and paper in (MOST, ALL):
        return of_graphs(ours, paper)
    if claim.sense == DIRECTION:
        return of_direction(ours, paper, nothing, claim)
    if ours == paper or {AT_LEAST: ours > paper, AT_MOST: ours < paper}.get(claim.sense):
        return REPRODUCED
    if nothing is None or (nothing == MOST and claim.sense == ABOUT):
        return of_number(ours, paper, answer.less_is_better if claim.sense == ABOUT else None)
    if paper == nothing:
        return of_no_difference(ours, nothing)
    return of_effect(ours, paper, nothing, claim.sense)


def of_graphs(ours, paper):
    """The verdict on a share that should be all graphs, or most."""
    if ours > MOST and (paper == MOST or ours == ALL):
        return REPRODUCED
    return TREND if ours > MOST else NOT_REPRODUCED


def of_direction(ours, paper, nothing, claim):
    if nothing is None or paper == nothing:
        raise EvaluationError(f"{claim.id}: sense: its number has no direction")
    is_noise = abs(ours - nothing) < NOISE * scale_of(nothing)
    return NOT_REPRODUCED if is_noise or effect(ours, paper, nothing) <= 0 else REPRODUCED


def of_number(ours, paper, less_is_better):
    """The verdict on a number by itself, such as a time."""
    if is_close(ours, paper):
        return REPRODUCED
    if less_is_better is not None and (ours < paper) == less_is_better:
        return STRONGER
    return TREND if is_between(HALF, paper and ours / paper) else NOT_REPRODUCED


def of_no_difference(ours, nothing):
    """The verdict where the paper finds no difference."""
    ratio = nothing == 1 and ours > 0
    gap = max(ours, 1 / ours) - 1 if ratio else abs(ours - nothing) / scale_of(nothing)
    return REPRODUCED if gap <= EVEN else TREND if gap <= NEARLY_EVEN else NOT_REPRODUCED


def of_effect(ours, paper, nothing, sense):
    """The verdict where the paper finds a difference."""
    share = effect(ours, paper, nothing)
    if is_close(ours, paper) and is_between(HALF, share):
        return REPRODUCED
    if share > 1 and sense == ABOUT:
        return STRONGER
    return TREND if is_between(THIRD, share) else NOT_REPRODUCED


def effect(ours, paper, nothing):
    """Our distance from no difference over the paper's; distances of factors are logarithms."""
    if nothing == 1 and min(ours, paper) > 0:
        return math.log(ours) / math.log(paper)
    return (ours - nothing) / (paper - nothing)


def scale_of(nothing):
    """The unit of a distance from no difference: 1 for factors, 100 for shares and savings in per cent."""
    return 1 if nothing == 1 else 100


def is_close(ours, paper):
    return paper != 0 and is_between(CLOSE, ours / paper)


def is_between(least, share):
    """Whether a share is at least so much, and at most its inverse."""
    return least <= share <= 1 / least
