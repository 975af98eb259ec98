"""Grades of the graphs that stand for those of the papers."""

from evaluation import dataset
from evaluation.graphs import KINDS, Facts, Grade, entry_of, grade, kind_of, kinds_of, listed_graphs, remade

import pytest


@pytest.mark.parametrize(
    ("paper_graph", "graph", "edges", "words"),
    [
        ("cnr-2000", "cnr-2000", 3_128_710, "same graph"),
        ("cnr-2000", "cnr-2000+undirected", 5_500_000, "same graph"),
        ("GAP-kron", "kron:27", 4_223_264_644, "same generator and size"),
        ("GAP-kron", "kron:27:8", 2_150_000_000, "same kind, smaller"),
        ("GAP-urand", "urand:27", 4_294_966_740, "same generator and size"),
        ("rgg_n_2_24_s0", "rgg:24", 265_000_000, "same generator and size"),
        ("delaunay_n24", "delaunay:24", 100_663_202, "same generator and size"),
        ("delaunay_n24", "delaunay:20", 6_291_372, "same kind, smaller"),
        ("kron_g500-logn21", "kron:21:48", 182_082_942, "same generator and size"),
        ("dag:5000:0.4", "dag:5000:0.4", 5_000_000, "same generator and size"),
        ("snb:10", "snb:10", 4_609_902, "same kind and size"),
        ("europe_osm", "road:22", 99_800_000, "same kind and size"),
        ("europe_osm", "road:21", 50_000_000, "same kind, smaller"),
        ("europe_osm", "USA-road-d.NE", 3_868_020, "same kind, smaller"),
        ("europe_osm", "kron:22", 128_000_000, "other"),
        ("hollywood-2009", "kron:20:54", 100_000_000, "same kind and size"),
        ("hollywood-2009", "kron:24", 520_000_000, "other"),  # larger is not smaller
        ("uk-2005", "web:25", 900_000_000, "same kind and size"),
        ("uk-2005", "web:25+undirected", 1_600_000_000, "same kind and size"),
        ("uk-2005", "web:25", 1_600_000_000, "other"),
        ("uk-2005", "cnr-2000", 3_128_710, "same kind, smaller"),
        ("not-in-any-list", "kron:20", 31_000_000, "other"),
    ],
)
def test_grades(paper_graph, graph, edges, words):
    entry = entry_of(paper_graph)
    assert str(grade(paper_graph, graph, Facts((entry and entry.vertices) or 0, edges))) == words


def test_as_many_edges_of_fewer_vertices_are_another_size():
    words = {118_000_000: "same kind and size", 33_000_000: "same kind, smaller"}
    assert {n: str(grade("webbase-2001", "web:25:28", Facts(n, 1_000_000_000))) for n in words} == words


def test_another_degree_or_as_many_levels_are_another_size():
    webbase, europe = entry_of("webbase-2001"), entry_of("europe_osm")
    alike = "same kind and size"
    for vertices, edges, words in (
        (1.4, 0.9, "same kind, smaller"),
        (1.4, 1.1, alike),
        (0.7, 1.2, "same kind, smaller"),
    ):
        facts = Facts(int(webbase.vertices * vertices), int(webbase.edges * edges))
        assert str(grade("webbase-2001", "web:27:7", facts)) == words
    for levels, words in {
        12_000: alike,
        11_000: "same kind, smaller",
        0: alike,
        27_000: "same kind, smaller",
    }.items():
        facts = Facts(europe.vertices, europe.edges, levels=levels)
        assert str(grade("europe_osm", "road:22", facts)) == words


def test_higgs_twitter_is_not_like_a_tiny_graph():
    assert grade("higgs-twitter", "kron:14:2", Facts(16384, 62114)) < Grade.SAME_SIZE


def test_order():
    """The better the greater; the first three let a claim be reproduced."""
    words = ["same graph", "same generator and size", "same kind and size"]
    assert [str(grade) for grade in sorted(Grade, reverse=True)[:3]] == words
    assert Grade.SAME_GRAPH > Grade.SAME_SIZE > Grade.SMALLER > Grade.OTHER


def test_kinds_of_all_lists():
    """Every graph of the lists has a kind, but for DIMACS10's random mixtures and a few of no kind."""
    unknown = {entries[0].name for entries in listed_graphs().values() if not kind_of(entries[0].name)}
    assert {name for name in unknown if not name.startswith("vsp_")} <= {"chesapeake", "Spielman_k600"}
    assert [kind_of(name) for name in ("kmer_V1r", "mawi_201512020330", "nlpkkt240", "GAP-web")] == [
        *("k-mer", "traffic", "3-D mesh", "web")
    ]
    used = {kind_of(entries[0].name) for entries in listed_graphs().values()}
    assert used >= {kind for kind, _ in KINDS.values()} - {"acyclic"}


def test_what_kinds_are_called_in_claims():
    """By the kind, and not by the words of lists: Blest's table II calls the first two scale-free."""
    kinds = {"GAP-urand": "random", "nlpkkt240": "mesh", "web:20:5": "scale-free", "kmer:18": "chains"}
    for name, kind in kinds.items():
        assert kinds_of(name, depth=500) == {kind, "deep"}, name
    assert kinds_of("chesapeake", depth=None) == set()


def test_remade_graphs_can_be_made():
    """The sizes of the papers' graphs: a spec's scale is the logarithm of the vertices."""
    for entries in listed_graphs().values():
        spec = remade(entries[0].name)
        if spec and not entries[0].generated:
            assert 2 ** int(spec.split(":")[1]) in range(entries[0].vertices, entries[0].vertices + 16), spec


@pytest.mark.parametrize("name", ["benchmark_list.csv", "blest14_graphs.csv"])
def test_stand_ins_are_of_the_same_kind(name):
    """And there is one wherever the kind is known."""
    for entry in dataset.read_list(dataset.ROOT / "dataset" / name):
        kind = kind_of(entry.name)
        assert kind == kind_of(entry.stand_in) or not kind, entry.name
