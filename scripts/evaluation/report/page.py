"""page.py: the text of a report in Markdown, made of the template report.md.j2; its tables, figures and words."""

import re
from pathlib import Path
from typing import NamedTuple

from evaluation.text_tables import digits, markdown

import jinja2


class Table(NamedTuple):
    header: list
    rows: list

    def __str__(self):
        return markdown(self.header, [[escaped(cell).replace("\n", " ") for cell in row] for row in self.rows])


class Drawings(NamedTuple):
    """A paper's figures, beside each other."""

    figures: list

    def __str__(self):
        return "".join(f"![{figure.title}]({figure.path})\n" for figure in self.figures)


def written(**values):
    """The report. Each of its paragraphs is one line."""
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        undefined=jinja2.StrictUndefined,
        finalize=lambda value: value if isinstance(value, (Table, Drawings)) else escaped(value),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    text = environment.get_template("report.md.j2").render(**values)
    return "\n\n".join(map(joined, filter(None, re.split(r"\n{2,}", text.strip())))) + "\n"


def joined(block):
    """A paragraph in one line; code, lists, tables and figures as they are."""
    return block if block.startswith(("    ", "| ", "![")) else re.sub(r"\n(?!- )", " ", block)


def escaped(content):
    """Markdown in which names that records give, say of a graph, are neither HTML nor links or pictures."""
    # Code shows them as they are.
    return re.sub(r"`[^`]*`|<|\[", lambda found: {"<": "&lt;", "[": "\\["}.get(found[0], found[0]), str(content))


def number(value, unit=""):
    return f"{digits(value)}{unit if unit in ('x', '%', '') else f' {unit}'}"


def count(value):
    return f"{value:,.0f}"


def several(number_of, word):
    return f"{number_of:,} {word}{'' if number_of == 1 else 's'}"
