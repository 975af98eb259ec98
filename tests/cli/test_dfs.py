"""DiggerBees on the emulator: depths and shapes that its stacks, thieves and overflow must cope with; and the
serial search that recurses."""

import resource

import pytest

from helpers import complains, gtrav, gtrav_json, gtrav_ok

EMULATED = [a["variant"] for a in gtrav_json("--list") if a["family"] == "dfs" and a["emulated"]]
VARIANTS = [variant for variant in ("v1", "v2", "v3", "v4") if variant in EMULATED]
each = pytest.mark.parametrize("variant", VARIANTS)
# Stacks of 64 entries: at some hundred vertices' depth there are flush, refill, overflow and stealing.
SMALL = {"cold-size": 1, "hot-cutoff": 4, "hot-size": 64, "cold-cutoff": 8}
OPTIONS_OF = {"v1": ("cold-size", "hot-cutoff"), "v2": ("cold-size", "hot-cutoff", "hot-size")}


def small(variant):
    names = OPTIONS_OF.get(variant, SMALL)
    return [word for name in names for word in ("--set", f"{name}={SMALL[name]}")]


def run(variant, graph, *more):
    return (f"dfs {graph} --variant {variant} --device cpu-emulator --verify all --quiet", *more)


def reached(*command):
    trials = gtrav_json(*command)["trials"]
    assert all(trial["verified"] is True for trial in trials)
    return [trial["reached"] for trial in trials]


@pytest.mark.slow
@each
def test_a_path_deeper_than_every_stack(variant):
    length = 100000 if variant == "v4" else 20000
    alone = ["--set", "warps-per-block=1", *(["--set", "blocks=1"] if variant in ("v3", "v4") else [])]
    command = run(variant, f"path:{length}", "--source", "0", *small(variant), *alone)
    assert reached(*command) == [length]


@each
@pytest.mark.parametrize("seed", range(3))
def test_many_sources_one_after_the_other(variant, seed):
    """What one traversal leaves in the overflow must not trouble the next."""
    sources = ",".join(str(v) for v in range(0, 700, 100))
    command = run(variant, "path:700", "--source", sources, "--set", f"seed={seed}", *small(variant))
    assert reached(*command) == [700] * 7


def test_recursion_as_deep_as_the_graph(tmp_path):
    """Far deeper than a stack of 8 MB; the result is that of the search with a stack of its own."""
    orders = []
    for mode in ("paper", "best"):
        search = f"dfs path:400000 --variant serial --set mode={mode} --source 5,0 --verify all --quiet"
        gtrav_ok(f"{search} --output", tmp_path / "order.txt")
        orders.append((tmp_path / "order.txt").read_text())
    assert orders[0] == orders[1]


def test_no_room_for_recursion():
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))

    search = "dfs path:5000000 --variant serial --set mode=paper --quiet --sources 1"
    complains(gtrav(search, preexec_fn=limit), "a stack of", "MB for recursion", "mode=best")
