"""The manual page: all that --help tells stands in it, and it is roff that renders without a warning."""

import re
import shutil
import subprocess

import pytest

from helpers import GTRAV, ROOT, algorithms, execute, gtrav_ok

SECTIONS = [
    *("NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "ALGORITHMS", "EXIT STATUS", "ENVIRONMENT", "FILES"),
    *("EXAMPLES", "SEE ALSO"),
]
MACROS = {"TH", "SH", "SS", "TP", "PP", "B", "BR", "RS", "RE", "nf", "fi", "nh"}
ESCAPES = r"\\(-|&|\((rs|dq|aq|ga|ha|ti))"


@pytest.fixture(scope="module")
def page():
    return gtrav_ok("--man").out


@pytest.fixture(scope="module")
def help_text():
    return gtrav_ok("--help").out


def plain(text):
    for roff, character in (("dq", '"'), ("aq", "'"), ("ga", "`"), ("ha", "^"), ("ti", "~"), ("rs", "\\")):
        text = text.replace(f"\\({roff}", character)
    return text.replace("\\&", "").replace("\\-", "-")


def labels(page, section):
    """The labels of the entries (.TP) of a section."""
    body = plain(page).partition(f"\n.SH {section}\n")[2].partition("\n.SH ")[0]
    return re.findall(r"^\.TP\n\.B (.*)$", body, re.MULTILINE)


def test_everything_of_help_is_there(page, help_text):
    head, _, rest = help_text.partition("\nOptions of the algorithms")
    in_help = re.findall(r"^  (\S.*?)(?:  +.*)?$", head.partition("\nWhat to run")[2], re.MULTILINE)
    in_help = [label for label in in_help if not re.match(r"\w+ [\w-]+: ", label)]  # orders of algorithms
    assert len(in_help) > 40
    assert labels(page, "OPTIONS") == in_help
    text = " ".join(plain(page).split())
    for help_of_algorithm in re.findall(r"^  \w+ \S+: (\S+)", rest, re.MULTILINE):
        assert f".B {help_of_algorithm} " in text
    for command in re.findall(r"^  ((?:mpirun|gtrav) .*)$", rest, re.MULTILINE):
        assert command in labels(page, "EXAMPLES")
    assert labels(page, "EXIT STATUS") == ["0", "1", "2", "3", "130", "143"]


def test_every_algorithm_is_there(page):
    found = labels(page, "ALGORITHMS")
    for algorithm in algorithms():
        assert f"{algorithm['family']} {algorithm['variant']}" in found
        assert f"{algorithm['title']}. From: {algorithm['citation']}." in " ".join(plain(page).split())


def test_it_is_well_formed(page):
    assert page.isascii()
    assert re.findall(r"^\.SH (.*)$", page, re.MULTILINE) == SECTIONS
    assert page.count("\n.RS\n") == page.count("\n.RE\n")
    for line in page.splitlines()[1:]:
        assert line == line.rstrip() != ""
        assert not line.startswith("'")
        if line.startswith("."):
            assert line[1:].partition(" ")[0] in MACROS, line
        assert not re.search(r"[\\\"'`^~-]", re.sub(ESCAPES, "", line)), line


@pytest.mark.parametrize("command", ["groff -man -Tutf8 -ww", "man --warnings -P cat -l -", "mandoc -Tutf8 -Werror"])
def test_it_renders(command, page):
    if shutil.which(command.split()[0]) is None:
        pytest.skip(f"no {command.split()[0]}")
    result = subprocess.run(command.split(), input=page, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    shown = re.sub(".\b", "", re.sub("\x1b\\[[0-9;]*m", "", result.stdout))
    for word in ("--output-parents", "jaccard[:W]", ".gtrav", "mpirun(1)", "gtrav --graph rgg:20"):
        assert word in shown


@pytest.mark.slow
def test_make_installs_it_and_what_completes_options(page):
    built = ROOT / "build" / "gtrav.1"
    if str(ROOT / "build" / "gtrav") == str(GTRAV):
        assert built.read_text() == page
    shown = execute(["make", "--silent", "-n", "install", "PREFIX=/usr", "DESTDIR=/x"], cwd=ROOT).out
    for path in ("man/man1/gtrav.1", "bash-completion/completions/gtrav", "zsh/site-functions/_gtrav"):
        assert f"/x/usr/share/{path}" in shown
