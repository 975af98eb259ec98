"""text_tables.py: numbers and tables as text, as tables, figures and the report print them."""

import csv
import io
import re

from evaluation.command import printable
from evaluation.comparison import over_graphs
from evaluation.files import is_number

MARKUP = re.compile(r"\||<(?=[A-Za-z/!?])")
NUMBER = re.compile(r"(\*{0,2}[\d.,]+x?\*{0,2})?")


def digits(value):
    """Three significant digits, thousands grouped: 0.0324, 12.5, 4,550."""
    if value >= 100:
        return f"{float(f'{value:.3g}'):,.0f}"
    places = 2 if value == 0 else max(0, 2 - int(f"{value:e}".split("e")[1]))
    return f"{value:.{places}f}"


def factor(ratio):
    """How many times faster, as a cell; nothing where that is not known."""
    return f"{digits(ratio)}x" if ratio else ""


def legible(value):
    """A cell's text: nothing for None, floats by digits(), the thousands of integers grouped."""
    if value is None:
        return ""
    if isinstance(value, float):
        return digits(value)
    return f"{value:,}" if isinstance(value, int) else str(value)


def in_cell(value):
    """A cell's text in Markdown, in which a name can neither end the cell nor be read as HTML."""
    return MARKUP.sub(lambda found: "\\|" if found[0] == "|" else "&lt;", printable(legible(value)))


def markdown(header, rows):
    """A Markdown table that is also legible as text; columns of numbers are right-aligned."""
    columns = []
    for name, *cells in zip(header, *rows):
        column = [name, *map(in_cell, cells)]
        width = max(3, *map(len, column))
        numeric = all(NUMBER.fullmatch(text) for text in column[1:])
        column.insert(1, "-" * (width - 1) + ":" if numeric else "-" * width)
        columns.append([text.rjust(width) if numeric else text.ljust(width) for text in column])
    return "".join(f"| {' | '.join(line)} |\n" for line in zip(*columns))


def as_table(frame, *header):
    """Makes a table of a DataFrame. header: the titles of the columns of its index."""
    values = frame.astype(object).where(frame.notna(), None).values.tolist()
    places = frame.index.to_frame().values.tolist()
    return [*header, *frame.columns], [[*place, *line] for place, line in zip(places, values)]


def with_means(header, rows, speedups):
    """Returns a table, and below its rows the least, the greatest and the mean of the speedups, {column: numbers}."""
    means = []
    for name, of in (("min", min), ("max", max), ("geometric mean", over_graphs)):
        cells = {column: f"{of(known):.2f}x" for column, known in speedups.items() if known}
        means.append([f"{name} speedup", *map(cells.get, header[1:])])
    return header, [*rows, *means] if rows else []


def as_csv(header, rows):
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([map(no_formula, row) for row in (header, *rows)])
    return text.getvalue()


def no_formula(cell):
    """The cell, with a ' before what a spreadsheet would run."""
    runs = isinstance(cell, str) and cell.startswith(("=", "+", "-", "@")) and not is_number(cell)
    return f"'{cell}" if runs else cell
