"""figures.py: the figures of the papers in a report, as SVG. plot/ draws them."""

import io
import multiprocessing
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import NamedTuple

from evaluation.files import ROOT
from evaluation.report.page import Drawings

FOLDER = "figures"  # beside the report
STYLE = "font: 7px 'DejaVu Sans', Verdana, sans-serif; stroke-linejoin: round"  # style of all letters and lines


class Drawing(NamedTuple):
    name: str
    title: str
    svg: str

    @property
    def path(self):
        return f"{FOLDER}/fig_{self.name}.svg"


def begin_drawing(results, papers):
    """Starts to draw the papers' figures, each in a process of its own: {paper: what parts_of() waits for}.

    Nothing is drawn without a GPU: figures show its times."""
    if results.gpu is None:
        return {}
    sys.path.insert(0, str(ROOT / "plot"))
    import draw  # here, as it takes a second

    context = multiprocessing.get_context("fork")  # whose processes have the records already
    pool = ProcessPoolExecutor(mp_context=context, initializer=WITH.append, initargs=[(draw, results)])
    return {paper: [pool.submit(_draw, name) for name in draw.BY_PAPER[paper]] for paper in papers}


WITH = []  # in a process that draws: the module draw, and the results


def _draw(name):
    """A Drawing, or why there is none."""
    draw, results = WITH[-1]
    title = draw.FIGURES[name].__doc__.split("\n")[0].rstrip(".")
    try:
        return Drawing(name, title, as_svg(draw.figure_of(name, results), name))
    except draw.plotting.NothingToDraw as reason:
        return f"{title.partition(':')[0]} is not drawn: {reason}."
    finally:
        draw.plotting.plt.close("all")


def parts_of(drawn):
    """The parts of a report with a paper's figures, and with why others are not drawn."""
    found = [one.result() for one in drawn]
    figures = [one for one in found if isinstance(one, Drawing)]
    return [*([Drawings(figures)] if figures else []), *(one for one in found if isinstance(one, str))]


def as_svg(figure, name):
    """The same text for the same figure, wherever it is drawn; small, as letters stay letters."""
    import matplotlib

    figure.get_layout_engine().execute(figure)
    figure.set_layout_engine("none")  # else savefig() draws the figure once more
    buffer = io.StringIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": name}):
        figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None})
    svg = shortened(buffer.getvalue())
    ids = re.findall(r' id="([^"]*)', svg)  # hashes of all digits, which differ in the last one
    number = {old: f"{name}-{i}" for i, old in enumerate(ids)}
    return re.sub(r'(?<= id="|ef="#|url\(#)[^")]+', lambda found: number[found[0]], svg)


def shortened(svg):
    """An <svg> that can stand in a page: without prolog, names that nothing refers to, and many digits."""
    svg = re.sub(r"\s*<(metadata|defs)>\s*<(rdf:RDF|style).*?</\1>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    svg = svg.replace("xlink:href", "href").replace(' xmlns:xlink="http://www.w3.org/1999/xlink"', "")
    used = set(re.findall(r'(?:url\(|href=")#([^")]+)', svg))
    svg = re.sub(r' id="([^"]*)"', lambda found: found[0] if found[1] in used else "", svg)
    svg = re.sub(r"font-size: 7px; font-family: [^\"]*sans-serif(; )?", "", svg)
    svg = re.sub(r">\s+<", ">\n<", svg.replace("<svg ", f'<svg style="{STYLE}" ', 1).replace(' style=""', ""))
    svg = re.sub(r"<g( [^<>]*)?/>\n", "", svg)
    svg = re.sub(r"<[^<>]*>", lambda tag: " ".join(tag[0].split()), svg)
    return re.sub(r"<[^<>]*>", lambda tag: re.sub(r"\d+\.\d{3,}", lambda n: f"{float(n[0]):.2f}", tag[0]), svg)
