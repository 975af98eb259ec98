"""Help on everything and on one thing, and tables on a terminal."""

import fcntl
import os
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest

from helpers import BANNER, GTRAV, ROOT, algorithms, complains, gtrav, gtrav_json, gtrav_ok

LISTING = gtrav_json("--list")


def test_brief_help_fits_a_screen():
    lines = gtrav_ok("-h").out.splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    assert gtrav_ok("--help brief").out == gtrav_ok("-h").out
    assert gtrav_ok("-h bfs").out == gtrav_ok("--help bfs").out


def test_the_list_fits_a_screen():
    """All families and variants, on a terminal and where a program reads them."""
    lines = on_terminal(80, "--list").splitlines()
    assert len(lines) <= 24 and max(map(len, lines)) <= 80
    assert lines[:3] == gtrav_ok("--list").out.splitlines()[:3]
    for algorithm in LISTING:
        row = on_terminal(1000, f"--list {algorithm['family']}").splitlines()[2]
        assert row.startswith(f"{algorithm['family']} ")
        assert re.search(rf" {algorithm['variant']}\*?([,;]|$)", row.partition(f"{algorithm['device']}")[2])


def test_commands_of_the_brief_help_run(tmp_path):
    (tmp_path / "a.mtx").write_text(BANNER)
    lines = gtrav_ok("-h").out.partition("More:")[0].splitlines()
    commands = [line.split("  ")[1].split() for line in lines if line.startswith("  gtrav ")]
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
        assert all(f"  {a['variant']} " in text for a in LISTING if a["family"] == family)
    assert "  gap " not in gtrav_ok("--help dfs").out


HELP = {
    "": "--algo --graph --sources-file kron:SCALE alpha --output",
    "bfs": "alpha=",
    "bfs:gap": "alpha= Beamer",
    "closeness": "pbfs",
    "generators": "kron:SCALE",
    "orders": "natural rcm jaccard[:W] random[:SEED] auto",
    "options": "--sources-file --reorder",
}


@pytest.mark.parametrize("topic", HELP)
def test_help_on_one_thing(topic):
    text = gtrav_ok("--help", *topic.split()).out
    assert all(word in text for word in HELP[topic].split())
    assert max(map(len, text.splitlines())) <= 100
    assert topic != "bfs:gap" or "serial" not in text


COMPLETED = {
    "gtrav b": ["bfs", "betweenness"],
    "gtrav bfs kr": ["kron:"],
    "gtrav bfs:se": ["serial"],
    "gtrav wcc kron:8 --variant ": [a["variant"] for a in LISTING if a["family"] == "wcc"],
    "gtrav bfs kron:8 -": {"--output", "--version", "--graph"},
    "gtrav bfs kron:8 --reorder r": ["rcm", "random"],
    "gtrav bfs a file.mtx": [],
    "gtrav bfs fo": ["folder/", "format.mtx"],
}


def test_completion(tmp_path):
    """Words that bash offers at the end of a line."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "format.mtx").touch()
    script = 'source "$1"; COMP_LINE=$2 COMP_POINT=${#2}; _gtrav "$3"; printf "%s\\n" "${COMPREPLY[@]}"'
    words = ("bash", "-c", script, "bash", ROOT / "src/cli/completion.bash")
    for line, wanted in COMPLETED.items():
        asked = (*words, line, Path(GTRAV).resolve())
        offered = subprocess.run(asked, cwd=tmp_path, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
        assert set(wanted) <= set(offered) if isinstance(wanted, set) else sorted(offered) == sorted(wanted), line


# ---- tables on a terminal ----


def on_terminal(columns, words):
    """What gtrav prints where standard output is a terminal so wide."""
    ours, theirs = os.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen([GTRAV, *words.split()], stdout=theirs, stderr=subprocess.DEVNULL) as process:
        os.close(theirs)
        text = b""
        try:
            while piece := os.read(ours, 4096):
                text += piece
        except OSError:  # Linux reports so that the other end is closed
            pass
    os.close(ours)
    assert process.returncode == 0
    return text.decode().replace("\r\n", "\n")


@pytest.mark.parametrize("columns", [40, 60, 80, 100, 130])
def test_tables_fit_a_terminal(columns):
    table = on_terminal(columns, "--list --long")
    assert max(map(len, table.splitlines())) <= columns
    words = " ".join(table.split()).replace("family ", "").replace("variant ", "")
    for algorithm in LISTING:
        assert f"{algorithm['family']} {algorithm['variant']} " in words
    wanted = ("serial", "gap", "auto", "queue", "bitmap", "warp", "dobfs")
    here = {a["variant"] for a in LISTING if a["family"] == "bfs" and (a["available"] or a["emulated"])}
    several = [name for name in wanted if name in here]
    results = on_terminal(columns, f"bfs kron:6 --variant {','.join(several)} --sources 1 --wide")
    title, _, results = results.partition("\n")
    assert title == "kron:6: 64 vertices, 390 undirected edges (780 stored)"
    assert max(map(len, results.splitlines())) <= columns
    assert all(f"bfs {name}" in results for name in several)
    usual = on_terminal(80, "bfs kron:6 --variant serial,gap --sources 4").splitlines()
    assert usual[1].startswith("algorithm") and max(map(len, usual)) <= 80
    facts = on_terminal(columns, "kron:8 --info")
    assert max(map(len, facts.splitlines())) <= max(columns, 100)


def test_tables_are_whole_where_a_program_reads_them():
    piped = gtrav_ok("--list --long").out.splitlines()
    for algorithm in LISTING:
        assert any(algorithm["citation"] in line and algorithm["title"] in line for line in piped)


def test_what_a_build_lacks_is_named():
    """Package and command, for what this build was made without."""
    if any(entry["emulated"] for entry in LISTING):
        pytest.skip("this build has the emulator")
    for variant in ("", "--variant queue"):
        result = gtrav(f"bfs kron:6 {variant} --device cpu-emulator --quiet")
        complains(result, "libboost-context-dev", "run make", status=2 if variant else 3)
