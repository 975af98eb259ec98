"""page.py: the parts of a report, as Markdown and, by report.html.j2, as HTML.

Prose is a string of Markdown: headings, paragraphs with `code` and **strong words**, indented code. Tables
and figures are objects.
The page needs no other file: its style (report.css), light or dark, and its figures (SVG) are in it.
"""

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

from evaluation.text_tables import digits, markdown

import jinja2
from markupsafe import Markup, escape

FOLDER = Path(__file__).parent
PLACE = "\0{}\0"  # marks a table or figures in the prose
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
    folded: str = ""  # its title on the page, where it is folded

    def numeric(self, column):
        return all(NUMBER.fullmatch(str(row[column])) for row in self.rows)

    def markdown(self):
        def plain(content):
            return escaped(content).replace("\n", " ")

        return markdown(self.header, [list(map(plain, row)) for row in self.rows])


def template(name):
    """A template of this folder. Those of HTML escape what they show."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        undefined=jinja2.StrictUndefined,
        autoescape=".html" in name,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters.update(anchor=anchor, block=block)
    return environment.get_template(name)


def parts_from(**values):
    """The parts of report.md.j2: its prose, and between it the tables and figures that it puts there."""
    placed = []

    def put(part):
        placed.append(part)
        return PLACE.format(len(placed) - 1)

    words = re.split(PLACE.format(r"(\d+)"), template("report.md.j2").render(put=put, **values))
    parts = [placed[int(part)] if number % 2 else joined(part) for number, part in enumerate(words)]
    return [part for part in parts if part]


def joined(text):
    """Prose with each paragraph, but no code or list, in a line."""
    blocks = [block.strip("\n") for block in re.split(r"\n{2,}", text)]
    return "\n\n".join(block if block[:4] == "    " else re.sub(r"\n(?!- )", " ", block) for block in blocks if block)


def as_page(title, parts):
    sections = re.findall("^## (.*)", as_markdown(title, parts), re.MULTILINE)
    return template("report.html.j2").render(title=title, sections=sections, parts=parts).lstrip()


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
    """A heading, code, a list or a paragraph of Markdown as HTML."""
    if text.startswith("    "):
        return Markup("<pre>{}\n</pre>").format(textwrap.dedent(text))
    marks, _, title = text.partition(" ")
    if set(marks) == {"#"}:
        place = Markup(' id="{}"').format(anchor(title)) if marks == "##" else ""
        return Markup("<h{0}{1}>{2}</h{0}>").format(len(marks), place, title)
    if text.startswith("- "):
        lines = [Markup("<li>{}</li>").format(inline(line[2:])) for line in text.splitlines()]
        return Markup("<ul>{}</ul>").format(Markup("").join(lines))
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
