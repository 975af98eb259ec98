"""verdicts.py: how ours is held against a paper's number. The rules in words stand in claims.py."""

import math

from evaluation.claims.listing import ABOUT, AT_LEAST, DIRECTION, NO_BASELINE, OWN
from evaluation.command import EvaluationError
from evaluation.graphs import Grade
from evaluation.numbers.compare import MOST, NOISE

REPRODUCED, CONSISTENT, STRONGER = "reproduced", "consistent", "stronger"
TREND, NOT_REPRODUCED, NOT_COMPARABLE = "same trend", "not reproduced", "not comparable"
NOT_RUN, NOT_TESTABLE = "not run", "not testable here"
VERDICTS = (REPRODUCED, CONSISTENT, STRONGER, TREND, NOT_REPRODUCED, NOT_COMPARABLE, NOT_RUN, NOT_TESTABLE)
WITHOUT_NUMBER = (NOT_RUN, NOT_TESTABLE)

CLOSE = 0.8  # of the paper's number, up to 1 / CLOSE of it
HALF = 0.5  # of the paper's effect, up to double; of a number that is no effect, where a trend ends
THIRD, TENTH = 1 / 3, 0.1  # shares of the paper's effect and number; a trend, or its inverse, has more
EVEN, NEARLY_EVEN = 0.1, 0.25  # as far from no difference is none, where the paper finds none; a trend
CLOSE_POINTS, NEAR_POINTS = 10, 20  # a percentage is as near to the paper's, if it is close; a trend
NEAR = 2 / 3  # of the paper's percentage, up to 1 / NEAR of it, where a trend ends
ALL = 100  # of the graphs, %


def judge(answer, claim, grade=None, same_device=True):
    """The verdict on a claim; grade: of its graphs as stand-ins, None: it is about none; same_device: the
    paper measured on the GPU of the records, or of a number of the host on their CPU."""
    if claim.untestable:
        return NOT_TESTABLE
    if answer.value is None:
        return NOT_RUN
    if answer.of_hardware and not same_device:
        return NOT_COMPARABLE
    verdict = held_against(answer, claim)
    is_unlike = grade is not None and grade < Grade.SAME_SIZE
    return {REPRODUCED: CONSISTENT, STRONGER: TREND}.get(verdict, verdict) if is_unlike else verdict


def held_against(answer, claim):
    """The verdict by the numbers alone."""
    ours, paper, nothing = answer.value, claim.nearest(answer.value), answer.no_difference
    if nothing == MOST and claim.sense == AT_LEAST and paper in (MOST, ALL):
        return REPRODUCED if ours > MOST and paper in (MOST, ours) else NOT_REPRODUCED
    if claim.sense == DIRECTION:
        return of_direction(ours, paper, nothing, claim)
    if claim.sense != ABOUT:
        return of_bound(ours, paper, claim.sense)
    if ours == paper:
        return REPRODUCED
    if claim.unit == "%":
        return of_percentage(ours, paper, nothing)
    if paper == nothing:
        return of_no_difference(ours, nothing)
    if nothing is None:
        return of_number(ours, paper)
    is_lead = claim.baseline not in (NO_BASELINE, OWN) and paper > nothing and not answer.of_hardware
    return of_effect(ours, paper, nothing, is_lead)


def of_bound(ours, paper, sense):
    """The verdict on a bound, which is kept or broken; within the noise it is kept."""
    beyond = paper - ours if sense == AT_LEAST else ours - paper
    return REPRODUCED if beyond <= NOISE * abs(paper) else NOT_REPRODUCED


def of_percentage(ours, paper, nothing):
    """The verdict on a percentage; on the other side of no difference it is no trend."""
    points, share = abs(ours - paper), 1 if paper == nothing else paper and ours / paper
    if nothing is not None and (ours - nothing) * (paper - nothing) < 0:
        return NOT_REPRODUCED
    if points <= CLOSE_POINTS and is_between(CLOSE, share):
        return REPRODUCED
    return TREND if points <= NEAR_POINTS and is_between(NEAR, share) else NOT_REPRODUCED


def of_direction(ours, paper, nothing, claim):
    if nothing is None or paper == nothing:
        raise EvaluationError(f"{claim.id}: sense: its number has no direction")
    is_noise = abs(ours - nothing) < NOISE * scale_of(nothing)
    return NOT_REPRODUCED if is_noise or effect(ours, paper, nothing) <= 0 else REPRODUCED


def of_number(ours, paper):
    """The verdict on a number by itself, such as a time."""
    if is_close(ours, paper):
        return REPRODUCED
    return TREND if is_between(HALF, paper and ours / paper) else NOT_REPRODUCED


def of_no_difference(ours, nothing):
    """The verdict where the paper finds no difference."""
    ratio = nothing == 1 and ours > 0
    gap = max(ours, 1 / ours) - 1 if ratio else abs(ours - nothing) / scale_of(nothing)
    return REPRODUCED if gap <= EVEN else TREND if gap <= NEARLY_EVEN else NOT_REPRODUCED


def of_effect(ours, paper, nothing, is_lead):
    """The verdict where the paper finds a difference. is_lead: over a rival, as what is stronger is."""
    share = effect(ours, paper, nothing)
    if is_close(ours, paper) and is_between(HALF, share):
        return REPRODUCED
    if share > 1 and is_lead:
        return STRONGER
    return TREND if is_between(THIRD, share) and is_between(TENTH, ours / paper) else NOT_REPRODUCED


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
