"""text_tables.py: numbers and tables as text, as tables, figures and the report print them."""

import csv
import io
import re

NUMBER = re.compile(r"(\*{0,2}[\d.,]+x?\*{0,2})?")


def digits(value):
    """Three significant digits, thousands grouped: 0.0324, 12.5, 4,550."""
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    places = 2 if value == 0 else max(0, 2 - int(f"{value:e}".split("e")[1]))
    return f"{value:.{places}f}"


def markdown(header, rows):
    """A Markdown table that is also legible as text; columns of numbers are right-aligned."""
    cells = [list(map(str, header)), *[list(map(str, row)) for row in rows]]
    columns = []
    for column in zip(*cells):
        width = max(3, *map(len, column))
        if all(NUMBER.fullmatch(text) for text in column[1:]):
            columns.append(
                [column[0].rjust(width), "-" * (width - 1) + ":", *(t.rjust(width) for t in column[1:])]
            )
        else:
            columns.append([column[0].ljust(width), "-" * width, *(t.ljust(width) for t in column[1:])])
    return "".join(f"| {' | '.join(line)} |\n" for line in zip(*columns))


def as_csv(header, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([header, *rows])
    return text.getvalue()
