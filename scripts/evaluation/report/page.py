"""page.py: the parts of a report, as Markdown and, by report.html.j2, as HTML.

Prose is a string of Markdown: headings, paragraphs with `code` and **strong words**, indented code. Tables
and figures are objects.
The page needs no other file: its style (report.css), light or dark, and its figures (SVG) are in it.
"""

import math
import re
import textwrap
from pathlib import Path
from typing import NamedTuple

from evaluation.text_tables import digits, markdown

import jinja2
from markupsafe import Markup, escape

FOLDER = Path(__file__).parent
NUMBER = re.compile(r"(-?[\d.,]+ ?(x|%|ms|s|MB|of \d+)?)?")


class Cell(NamedTuple):
    """A cell with a class of the style."""

    text: str
    kind: str

    def __str__(self):
        return self.text


class Table(NamedTuple):
    header: list
    rows: list
    kind: str = ""
    folded: str = ""  # what stands on the page where it is folded

    def numeric(self, column):
        return all(NUMBER.fullmatch(str(row[column])) for row in self.rows)

    def markdown(self):
        def plain(content):
            return escaped(content).replace("\n", " ")

        return markdown(self.header, [list(map(plain, row)) for row in self.rows])


def as_page(title, parts):
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    filters = (anchor, block, digits, inline, number, shortened)
    environment.filters.update({function.__name__: function for function in filters})
    template = environment.get_template("report.html.j2")
    sections = re.findall("^## (.*)", as_markdown(title, parts), re.MULTILINE)
    words = {"title": title, "sections": sections, "short": shortened}
    return template.render(words, parts=parts).lstrip()


def as_markdown(title, parts):
    texts = (f"{escaped(part)}\n" if isinstance(part, str) else part.markdown() for part in parts)
    return "\n".join([f"# {escaped(title)}\n", *texts])


# ---- words ----


def escaped(content):
    """Markdown in which names that records give, say of a graph, are neither HTML nor links or pictures."""
    parts = re.split(r"(`[^`]*`)", str(content))  # every second one is code, which shows them as they are
    return "".join(
        part if number % 2 else part.replace("<", "&lt;").replace("[", "\\[") for number, part in enumerate(parts)
    )


def anchor(title):
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def block(text):
    """A heading, code or a paragraph of Markdown as HTML."""
    if text.startswith("    "):
        return Markup("<pre>{}\n</pre>").format(textwrap.dedent(text))
    marks, _, title = text.partition(" ")
    if set(marks) == {"#"}:
        return Markup('<h{0} id="{1}">{2}</h{0}>').format(len(marks), anchor(title), title)
    return Markup("<p>{}</p>").format(inline(text))


def inline(text):
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text)))
    return Markup(re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text))


def number(value, unit=""):
    return f"{digits(value)}{unit if unit in ('x', '%', '') else f' {unit}'}"


def count(value):
    return f"{value:,.0f}"


def several(number_of, word):
    return f"{number_of:,} {word}{'' if number_of == 1 else 's'}"


def shortened(name):
    """A graph's name that fits beside a plot."""
    return name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 6]}…{name[-5:]}"


# ---- axes ----

LONGEST_LABEL = 17  # letters of a graph's name on a narrow screen


class Scale:
    """A logarithmic axis over some numbers, in per cent."""

    def __init__(self, numbers):
        known = [math.log10(value) for value in numbers]
        low, high = min(known), max(known)
        room = max(0.05 * (high - low), 0.04)
        self.low, self.high = low - room, high + room

    def at(self, value):
        return 100 * (math.log10(value) - self.low) / (self.high - self.low)

    def ticks(self):
        """Powers of ten, and numbers between where these are few; none if the numbers lie close together."""
        for steps in ((1,), (1, 2, 5), (1, 1.5, 2, 3, 4, 5, 6, 8)):
            powers = range(math.floor(self.low), math.ceil(self.high) + 1)
            found = [step * 10**power for power in powers for step in steps]
            found = [value for value in found if self.low <= math.log10(value) <= self.high]
            if len(found) >= 3:
                break
        return found[:: max(1, -(-len(found) // 6))]
