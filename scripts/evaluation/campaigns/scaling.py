"""Runs CPU algorithms that have the option `threads` with 1, 2, 4, ... threads, and prints how they scale.

A cell is the mean ms of a search and the speedup over the first number of threads. Words after -- are given
to gtrav as they are: scaling.py kron:20 road:17 -- --sources 16 --csv keeps the records, and goes on
from them.
"""

from evaluation.campaigns.gtrav import PROGRAM, ask
from evaluation.command import new_parser, parse_words
from evaluation.text_tables import digits, markdown


def search_ms(arguments, threads):
    """{(graph, variant): mean ms of a search}"""
    graphs = [word for graph in arguments.graph for word in ("--graph", graph)]
    algorithm = ["--algo", arguments.algo, "--variant", arguments.variant, "--set", f"threads={threads}"]
    runs = ask(PROGRAM, *algorithm, *graphs, "--json", "--quiet", *arguments.extra)
    return {(r["graph"]["name"], r["algorithm"]["variant"]): r["summary"]["mean_time_ms"] for r in runs}


def main():
    parser = new_parser(__doc__)
    add = parser.add_argument
    add("graph", nargs="+", help="graphs, as gtrav's --graph takes them")
    add("--algo", default="dfs", help="the family (default: dfs)")
    add("--variant", default="ckl,acr", help="its variants (default: ckl,acr)")
    counts = "numbers of threads (default: 1,2,4,8,16)"
    add("--threads", default="1,2,4,8,16", metavar="N[,N...]", help=counts)
    arguments = parse_words(parser)

    counts = arguments.threads.split(",")
    times = [search_ms(arguments, threads) for threads in counts]
    lines = [
        [*key, *(f"{digits(ms[key])} ({digits(first / ms[key]) if ms[key] else '-'}x)" for ms in times)]
        for key, first in times[0].items()
    ]
    print(markdown(["graph", "variant", *(f"{threads} threads" for threads in counts)], lines), end="")
