"""Words without options, help on one thing, and what was probably meant."""

import fcntl
import os
import struct
import subprocess
import termios

import pytest

from helpers import GTRAV, algorithms, complains, gtrav, gtrav_json, gtrav_ok

SERIAL = ("--variant", "serial", "--sources", "2")


def test_family_and_graphs_are_words(tmp_path):
    assert gtrav_json("bfs", "kron:6", *SERIAL)["graph"]["name"] == "kron:6"
    runs = gtrav_json("bfs", "kron:6", *SERIAL, "path:5")
    assert [run["graph"]["name"] for run in runs] == ["kron:6", "path:5"]
    assert gtrav_json("--graph", "path:4", "bfs", *SERIAL)["algorithm"]["family"] == "bfs"
    (tmp_path / "mine.txt").write_text("0 1\n")
    (tmp_path / "dfs").write_text("0 1\n1 2\n")
    assert gtrav_json("--info", tmp_path / "mine.txt")["vertices"] == 2
    two = gtrav_ok("bfs", "dfs", *SERIAL, "--json", cwd=tmp_path).out  # the family is named: this is the file
    assert '"vertices": 3' in two
    assert gtrav_json("kron:6", "--info")["name"] == "kron:6"


MEANT = {
    "bsf kron:6": "'bfs'",
    "kron10 --info": "'kron:10'",
    "kron --info": "'kron:SCALE[:EDGEFACTOR]'",
    "grid10x20 --info": "'grid:10x20'",
    "dagg:40:0.5 --info": "'dag:40:0.5'",
    "bfs krn:10": "'kron:10'",
    "--graph kron10 --info": "'kron:10'",
    "bfs kron:6 --varaint gap": "'--variant'",
    "bfs kron:6 --variant serail": "'serial'",
    "bfs kron:6 --variant gap --set alpa=3": "'alpha'",
    "--help bsf": "'bfs'",
    "--help bfs:serail": "'serial'",
    "--help genrators": "'generators'",
    "--list bsf": "'bfs'",
    "kron:6 --info --ids dens": "'dense'",
}


@pytest.mark.parametrize("line", MEANT)
def test_what_was_meant(line, tmp_path):
    complains(
        gtrav(*line.split(), "--quiet" if "--help" not in line else "--json", cwd=tmp_path),
        "did you mean",
        MEANT[line],
    )


def test_words_that_mean_nothing(tmp_path):
    complains(gtrav("bfs", "absent.mtx", cwd=tmp_path), "absent.mtx: no such file")
    complains(gtrav("bfs", "kron:6", "quux", cwd=tmp_path), "quux")
    complains(gtrav("kron:6", cwd=tmp_path), "kron:6", "--info")


# ---- help ----


def test_brief_help_fits_a_screen():
    lines = gtrav_ok("-h").out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    text = "\n".join(lines)
    for word in ("Usage:", "gtrav bfs kron:16", "--info", "--write", "--output", "--help FAMILY", "--list"):
        assert word in text
    assert gtrav_ok("--help", "brief").out == gtrav_ok("-h").out
    assert gtrav_ok("-h", "bfs").out == gtrav_ok("--help", "bfs").out


def test_commands_of_the_brief_help_run(tmp_path):
    (tmp_path / "a.mtx").write_text("%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n")
    commands = [
        line.split("  ")[1].split()
        for line in gtrav_ok("-h").out.partition("More:")[0].splitlines()
        if line.startswith("  gtrav ")
    ]
    assert len(commands) == 6
    small = {"kron:16": "kron:8", "road:14": "road:6", "rgg:20": "rgg:6"}
    for command in commands:
        few = ("--sources", "2") if command[1] in ("bfs", "dfs") and "--source" not in command else ()
        gtrav_ok(*[small.get(word, word) for word in command[1:]], *few, cwd=tmp_path)
    assert (tmp_path / "a.npy").exists()


def test_help_on_a_family():
    for family in {algorithm["family"] for algorithm in algorithms()}:
        text = gtrav_ok("--help", family).out
        assert text.startswith(f"{family}: ")
        for algorithm in gtrav_json("--list"):
            assert (f"  {algorithm['variant']} " in text) or algorithm["family"] != family
    assert "  gap " in gtrav_ok("--help", "bfs").out
    assert "alpha=" in gtrav_ok("--help", "bfs").out
    assert "  gap " not in gtrav_ok("--help", "dfs").out
    assert "  pbfs " in gtrav_ok("--help", "closeness").out


def test_help_on_one_thing():
    text = gtrav_ok("--help", "bfs:gap").out
    assert "alpha=" in text and "Beamer" in text
    assert "serial" not in text
    assert "kron:SCALE" in gtrav_ok("--help", "generators").out
    assert "jaccard" in gtrav_ok("--help=orders").out
    assert "--sources-file" in gtrav_ok("--help", "options").out
    for topic in ("bfs", "bfs:gap", "generators", "orders", "options", "all"):
        assert max(map(len, gtrav_ok("--help", topic).out.splitlines())) <= 100


def test_list_of_a_family():
    everything = gtrav_json("--list")
    assert gtrav_json("--list", "dfs") == [entry for entry in everything if entry["family"] == "dfs"]
    table = gtrav_ok("--list", "dfs").out
    assert "serial" in table and "gap" not in table
    assert {entry["family"] for entry in gtrav_json("--list", "closeness")} == {"msbfs"}


# ---- tables on a terminal ----


def on_terminal(columns, *arguments):
    """What gtrav prints where standard output is a terminal so wide."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen([GTRAV, *arguments], stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 4096):
                text += piece
        except OSError:  # how Linux tells that the other end is closed
            pass
    os.close(ours)
    assert process.returncode == 0
    return text.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 130])
def test_tables_fit_a_terminal(columns):
    table = on_terminal(columns, "--list")
    assert max(map(len, table.splitlines())) <= columns
    words = " ".join(table.split()).replace("family ", "").replace("variant ", "")
    for algorithm in gtrav_json("--list"):
        assert f"{algorithm['family']} {algorithm['variant']} " in words
    several = "serial,gap,auto,queue,bitmap,warp,dobfs"
    available = {a["variant"] for a in gtrav_json("--list", "bfs") if a["available"] or a["emulated"]}
    several = ",".join(name for name in several.split(",") if name in available)
    results = on_terminal(columns, "bfs", "kron:6", "--variant", several, "--sources", "1", "--wide")
    title, _, results = results.partition("\n")
    assert title == "kron:6: 64 vertices, 390 undirected edges (780 stored)"
    assert max(map(len, results.splitlines())) <= columns
    for name in several.split(","):
        assert f"bfs {name}" in results
    usual = on_terminal(80, "bfs", "kron:6", "--variant", "serial,gap", "--sources", "1").splitlines()
    assert usual[1].startswith("algorithm") and max(map(len, usual)) <= 80
    facts = on_terminal(columns, "kron:8", "--info")
    assert max(map(len, facts.splitlines())) <= max(columns, 100)


def test_tables_are_whole_where_a_program_reads_them():
    piped = gtrav_ok("--list").out
    for algorithm in gtrav_json("--list"):
        assert any(
            algorithm["citation"] in line and algorithm["title"] in line for line in piped.splitlines()
        )


def test_what_a_build_lacks_is_named():
    """Package and command, for what this build was made without."""
    emulated = any(entry["emulated"] for entry in gtrav_json("--list"))
    if emulated:
        pytest.skip("this build has the emulator")
    for variant in ((), ("--variant", "queue")):
        result = gtrav("bfs", "kron:6", *variant, "--device", "cpu-emulator", "--quiet")
        complains(result, "libboost-context-dev", "run make", status=2 if variant else 3)
