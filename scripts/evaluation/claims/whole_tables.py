"""whole_tables.py: measures that test a whole table of a paper by one number."""

import math
from contextlib import suppress

from evaluation.claims.measures import answer, known, measure
from evaluation.claims.results import MissingError
from evaluation.grades import Grade, grade


@measure
def least_of(results, *leads):
    """The lead over the best rival: on each graph the least of these measures, of those that are known."""
    found = {}
    for lead in leads:
        with suppress(MissingError):
            for key, faster in lead(results).numbers.items():
                found[key] = min(faster, found.get(key, math.inf))
    return answer(results, known(found, "a rival on the same graph"), no_difference=1)


@measure
def over_paper(results, of, graphs, numbers):
    """Ours over the paper's numbers of these graphs, one each; of graphs of the paper's kind and size alone.

    A graph that stands for several counts once, for the first."""
    ours, found = of(results), {}
    for graph, number in zip(graphs, numbers):
        with suppress(MissingError):
            for key, mine in results.choose(ours.numbers, graph).items():
                if grade(graph.paper, key.graph, results.facts[key.graph]) >= Grade.SAME_SIZE:
                    found.setdefault(key, mine / number)
    missing = "graphs of the paper's kind and size, on which its numbers depend"
    return ours._replace(numbers=known(found, missing), no_difference=None)
