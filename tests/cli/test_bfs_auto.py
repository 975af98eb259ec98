"""bfs auto on the emulator: which BFS it takes for which graph."""

import pytest

from helpers import gtrav_json

ANY = [a for a in gtrav_json("--list") if a["emulated"] and (a["family"], a["variant"]) == ("bfs", "auto")]
pytestmark = pytest.mark.skipif(not ANY, reason="no bfs auto in this build runs on the emulator")

RUN = [
    "--algo",
    "bfs",
    "--variant",
    "auto",
    "--device",
    "cpu-emulator",
    "--sources",
    "16",
    "--verify",
    "first",
    "--json",
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("graph", "engine", "least", "most"),
    [
        ("grid:50x50", "kball", 50, 200),  # has 50 to 99
        ("path:1000", "kball", 200, 2000),
        ("urand:15:2", "stream", 5, 30),  # sparse: three steps from a vertex find 80 others
        ("kron:11", "stream", 5, 50),
    ],
)
def test_the_engine_fits_the_growth(graph, engine, least, most):
    result = gtrav_json("--graph", graph, *RUN)
    words = result["note"].split()
    assert words[:3] == [engine, "for", "about"]
    assert least <= int(words[3]) <= most
