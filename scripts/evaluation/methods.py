"""methods.py: a Method, which names rows of the records, and a Metric, a number by which rows are compared."""

from functools import partial
from typing import Callable, NamedTuple, Optional

from evaluation.comparison import TIME
from evaluation.records import BALANCE


class Method(NamedTuple):
    """A variant with options. Options that are not named are those that most of its rows have.

    Families beside those of the records: blest (its steps), pairs (path lengths) and balance (policies of stealing).
    A named value matches up to a colon: reorder=random."""

    family: str
    variant: str
    options: tuple = ()  # pairs of name and value
    any_options: bool = False  # True: rows with any options, the best of each graph
    below: Optional[str] = None  # the folder of its rows; None: that of usual runs
    of_campaign: bool = False  # of Blest or XBFS: the newest row of a graph counts, not the one with most sources
    title: str = ""  # its name in the report; "": a name made of the fields above

    def __str__(self):
        if self.title:
            return self.title
        words = [f"{name}={value}" for name, value in self.options]
        return ",".join([f"{self.family}:{self.variant}", *words, *["options=any"] * self.any_options])


class Metric(NamedTuple):
    """A number that rows have: a column, or what a function makes of a row (a dict)."""

    column: str
    less_is_better: bool = True
    function: Optional[Callable] = None

    def of(self, row):
        """The number of a row, or None."""
        if self.function:
            return self.function(row)
        text = row.get(self.column, "")
        return None if text == "" else float(text)

    @property
    def of_hardware(self):
        """Whether it is a time or a rate."""
        return self.column.endswith(("_ms", "_s", "mteps"))

    @property
    def of_host(self):
        """Whether it is a time of the host, even for a search on the GPU."""
        return self.column == "reorder_ms"


def method(family, variant, any_options=False, **options):
    """Makes a Method. The keyword hot_cutoff=32 is the option hot-cutoff=32."""
    named = tuple((name.replace("_", "-"), str(value)) for name, value in options.items())
    return Method(family, variant, named, any_options, family if family in ("pairs", BALANCE) else None)


bfs, dfs, topo, msbfs, closeness, pairs, balance = (
    partial(method, family) for family in ("bfs", "dfs", "topo", "msbfs", "closeness", "pairs", BALANCE)
)

SEARCH = Metric(TIME)  # the whole search, by which methods are compared unless their paper times a part
