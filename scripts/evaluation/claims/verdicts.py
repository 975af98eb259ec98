"""verdicts.py: how a number of ours is held against a paper's. RULES says it in words, and the report prints them."""

import math

from evaluation.numbers.compare import NOISE

AT_LEAST, AT_MOST, ABOUT, DIRECTION, NUMBER = "at least", "at most", "about", "direction", "number"
SENSES = (AT_LEAST, AT_MOST, ABOUT, DIRECTION, NUMBER)
REPRODUCED, PARTLY, NOT_REPRODUCED, NOT_TESTED = "reproduced", "partly", "not reproduced", "not tested"
VERDICTS = (REPRODUCED, PARTLY, NOT_REPRODUCED, NOT_TESTED)
NO_VERDICT = ""  # for a number by itself
OTHER_HARDWARE, NO_GRAPH, NOT_MEASURED = "other hardware", "graph not to be had", "not measured"
REASONS = (OTHER_HARDWARE, NO_GRAPH, NOT_MEASURED)  # why a claim is not tested

CLOSE = 0.8  # from so much of the paper's number up to 1 / CLOSE of it
CLOSE_POINTS = 10  # by so many a percentage may differ, too
HALF, THIRD = 0.5, 1 / 3  # so much of the paper's effect
EVEN, NEARLY_EVEN = 0.1, 0.25  # as far from no difference is none; nearly none

RULES = (
    "A claim has a verdict if it is about a mean, a trend or a rule; or about one graph, and was measured on that "
    "one or on one of the same generator and size. Other numbers stand in the papers' tables, without a "
    "verdict, beside ours on a graph of the same kind and size.",
    "The effect of a number is its distance from no difference: from 1 of a factor (in logarithms), from 50 % of "
    "a share of graphs, from 0 of a saving. Of a range, the end nearer to ours is the paper's number.",
    "reproduced: 0.8 to 1.25 times the paper's number, with half to double of its effect; a percentage is no more "
    "than 10 points away, and an effect is 2 % or more. A bound (at least, at most) is kept, or missed by at most "
    "2 %. Where only the side is claimed, ours is on it by 2 % or more.",
    "partly: on the paper's side, with at least a third of its effect; a bound is broken, but a third of its effect "
    "is there. A number without an effect, such as a size: half to double.",
    "not reproduced: anything else. The remark tells the measured cause, or says that it is unknown.",
    "not tested, for one of three reasons: other hardware, graph not to be had, not measured. Times, rates, and "
    "how a GPU does against a CPU need the paper's hardware.",
    "Where the paper finds no difference, ours within 10 % of none is reproduced, and within 25 % partly.",
    "A comparison takes the same sources on both sides; of two of gtrav's own programs also one build and one day. "
    "If the paper tells its number of each graph, its mean is taken over the graphs that are here.",
)


def judge(ours, claim, nothing):
    """Returns the verdict on a number. claim: the paper's number and sense; nothing: the number without any
    difference, which is 1 for factors; None: there is no such number."""
    paper = claim.nearest(ours)
    share = effect(ours, paper, nothing)
    if claim.sense == DIRECTION:
        return REPRODUCED if share > 0 and abs(ours - nothing) >= NOISE * scale_of(nothing) else NOT_REPRODUCED
    if claim.sense != ABOUT:
        beyond = paper - ours if claim.sense == AT_LEAST else ours - paper
        kept = beyond <= (NOISE * paper if nothing == 1 else 0)
        return REPRODUCED if kept else PARTLY if share and THIRD <= share < 1 else NOT_REPRODUCED
    if ours == paper:
        return REPRODUCED
    if paper == nothing:
        gap = max(ours, 1 / ours) - 1 if nothing == 1 and ours > 0 else abs(ours - nothing) / scale_of(nothing)
        return REPRODUCED if gap <= EVEN else PARTLY if gap <= NEARLY_EVEN else NOT_REPRODUCED
    times = ours / paper if paper else 0
    close = is_within(times, CLOSE) and (claim.unit != "%" or abs(ours - paper) <= CLOSE_POINTS)
    if share is None:
        return REPRODUCED if close else PARTLY if is_within(times, HALF) else NOT_REPRODUCED
    is_seen = abs(ours - nothing) >= NOISE * scale_of(nothing)
    return REPRODUCED if close and is_seen and is_within(share, HALF) else PARTLY if share >= THIRD else NOT_REPRODUCED


def effect(ours, paper, nothing):
    """Returns our effect divided by the paper's; None: the paper's number shows no effect."""
    if nothing is None or paper == nothing:
        return None
    if nothing == 1 and min(ours, paper) > 0:
        return math.log(ours) / math.log(paper)
    return (ours - nothing) / (paper - nothing)


def scale_of(nothing):
    """The unit of a distance from no difference: 1 for factors, 100 for shares and savings in per cent."""
    return 1 if nothing == 1 else 100


def is_within(times, least):
    """Whether a factor lies between `least` and its inverse."""
    return least <= times <= 1 / least
