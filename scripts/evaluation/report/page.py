"""page.py: what a report is made of: parts that tell themselves as HTML and as Markdown, and their page.

A page stands for itself: its style (report.css) is in it, its pictures are SVG of its colours, light or dark.
"""

import html
import itertools
import math
import re
from pathlib import Path
from typing import NamedTuple

from evaluation.text_tables import digits, markdown

STYLE = Path(__file__).with_name("report.css")


class Rich(NamedTuple):
    """A cell that is more than text in HTML."""

    text: str
    html: str

    def __str__(self):
        return self.text


class Heading(NamedTuple):
    level: int
    text: str

    def html(self):
        name = f' id="{anchor(self.text)}"' if self.level == 2 else ""
        return f"<h{self.level}{name}>{escaped(self.text)}</h{self.level}>"

    def markdown(self):
        return f"{'#' * self.level} {self.text}\n"


class Text(NamedTuple):
    text: str  # with `code` and **strong words**
    kind: str = ""

    def html(self):
        kind = f' class="{self.kind}"' if self.kind else ""
        return f"<p{kind}>{inline(self.text)}</p>"

    def markdown(self):
        return f"{self.text}\n"


class Code(NamedTuple):
    text: str

    def html(self):
        return f"<pre>{escaped(self.text)}</pre>"

    def markdown(self):
        return "".join(f"    {line}\n" for line in self.text.splitlines())


class Items(NamedTuple):
    lines: list

    def html(self):
        return f"<ul>{''.join(f'<li>{inline(line)}</li>' for line in self.lines)}</ul>"

    def markdown(self):
        return "".join(f"- {line}\n" for line in self.lines)


class Table(NamedTuple):
    header: list
    rows: list
    kind: str = ""

    def html(self):
        numeric = [
            all(re.fullmatch(r"(-?[\d.,]+ ?(x|%|ms|s|MB|of \d+)?)?", str(row[i])) for row in self.rows)
            for i in range(len(self.header))
        ]

        def cell(tag, number, content):
            kind = ' class="n"' if numeric[number] else ""
            label = f' data-label="{escaped(self.header[number])}"' if tag == "td" else ""
            return f"<{tag}{kind}{label}>{as_html(content)}</{tag}>"

        lines = [
            f"<tr>{''.join(cell('td', i, content) for i, content in enumerate(row))}</tr>"
            for row in self.rows
        ]
        head = "".join(cell("th", i, name) for i, name in enumerate(self.header))
        body = "\n".join(lines)
        return (
            f'<div class="wide"><table class="{self.kind}"><thead><tr>{head}</tr></thead>\n'
            f"<tbody>{body}</tbody></table></div>"
        )

    def markdown(self):
        def plain(content):
            return str(content).replace("|", "\\|").replace("\n", " ")

        return markdown(self.header, [list(map(plain, row)) for row in self.rows])


class Picture(NamedTuple):
    title: str
    svg: str

    def html(self):
        return f"<figure><figcaption>{inline(self.title)}</figcaption>{self.svg}</figure>"

    def markdown(self):
        return ""


class OnlyMarkdown(NamedTuple):
    part: NamedTuple

    def html(self):
        return ""

    def markdown(self):
        return self.part.markdown()


def escaped(text):
    return html.escape(str(text))


def as_html(content):
    return content.html if isinstance(content, Rich) else escaped(content)


def inline(text):
    text = re.sub(r"`([^`]+)`", r"<code>\1</code>", escaped(text))
    return re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", text)


def anchor(text):
    return re.sub(r"\W+", "-", text.lower()).strip("-")


def number(value, unit=""):
    if value is None:
        return ""
    return f"{digits(value)}{unit if unit in ('x', '%', '') else f' {unit}'}"


def count(value):
    return f"{value:,.0f}"


def shortened(name):
    """A graph's name that fits beside a plot."""
    return name if len(name) <= LONGEST_LABEL else f"{name[: LONGEST_LABEL - 6]}…{name[-5:]}"


def several(number_of, word):
    return f"{number_of:,} {word}{'' if number_of == 1 else 's'}"


class Folded(NamedTuple):
    title: str
    part: NamedTuple

    def html(self):
        return f"<details><summary>{escaped(self.title)}</summary>{self.part.html()}</details>"

    def markdown(self):
        return self.part.markdown()


# ---- pictures: SVG in per cent of the width and pixels of height, so that letters stay as large ----

COLORS = 8  # that the style has
ROW = 20  # pixels
LONGEST_LABEL = 17  # letters beside a plot on a narrow screen
MOST_LINES = 40
LEFT, WIDTH = 30, 66  # per cent: where the scale begins, and how wide it is


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


def dot_plot(rows, series, unit, reference=None):
    """Numbers of {label: {series: value}}, a line a label; reference: {series: the paper's}, as rings."""
    lines = dict(itertools.islice(rows.items(), MOST_LINES))
    if reference:
        lines["the paper's mean"] = reference
    scale = Scale([value for values in lines.values() for value in values.values()])
    height = ROW * (len(lines) + 1)
    parts = [f'<svg class="plot" width="100%" height="{height + 4}">']
    inner = [f'<svg x="{LEFT}%" width="{WIDTH}%" height="{height + 4}" overflow="visible">']
    for tick in scale.ticks():
        x = f"{scale.at(tick):.2f}%"
        kind = "unit" if tick == 1 and unit == "x" else "grid"
        inner.append(f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="{height - ROW + 4}"/>')
        inner.append(f'<text class="tick" x="{x}" y="{height - 2}">{tick:g}{escaped(unit)}</text>')
    for place, (label, values) in enumerate(lines.items()):
        y = place * ROW + ROW / 2
        parts.append(
            f'<text class="label" x="{LEFT - 1.5}%" y="{y + 4}">{escaped(shortened(label))}'
            f"<title>{escaped(label)}</title></text>"
        )
        ends = [f"{scale.at(of(values.values())):.2f}%" for of in (min, max)]
        inner.append(f'<line class="span" x1="{ends[0]}" x2="{ends[1]}" y1="{y}" y2="{y}"/>')
        ring = " ring" if reference and label == "the paper's mean" else ""
        for name, value in values.items():
            told = f"{label}, {name}: {number(value, unit)}"
            at = f'cx="{scale.at(value):.2f}%" cy="{y}" r="5"'
            color = f"c{series.index(name) % COLORS}"
            inner.append(f'<circle class="{color}{ring}" {at}><title>{escaped(told)}</title></circle>')
    keys = "".join(
        f'<span><i class="b{i % COLORS}"></i>{escaped(name)}</span>' for i, name in enumerate(series)
    )
    more = f'<p class="small">the first {MOST_LINES} of {len(rows)}</p>' if len(rows) > MOST_LINES else ""
    return f'<div class="keys">{keys}</div>{"".join([*parts, *inner])}</svg></svg>{more}'


# ---- the whole ----


def as_page(parts):
    title = next(part.text for part in parts if isinstance(part, Heading))
    headings = [part.text for part in parts if isinstance(part, Heading) and part.level == 2]
    links = "".join(f'<a href="#{anchor(text)}">{escaped(text.partition(":")[0])}</a>' for text in headings)
    body = [part.html() for part in parts]
    body.insert(1, f"<nav>{links}</nav>")
    style = STYLE.read_text(encoding="utf-8")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escaped(title)}</title>\n<style>{style}</style></head>\n<body>\n"
        + "\n".join(filter(None, body))
        + "\n</body>\n</html>\n"
    )


def as_markdown(parts):
    return "\n".join(filter(None, (part.markdown() for part in parts)))
