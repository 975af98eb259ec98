"""docs/python.md and docs/sql.md: their sessions give what they show, and other tests run their commands."""

import doctest
import re
import subprocess

import pytest

from package import ROOT

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# test_wheel.py does what the first two do, test_sql.py the third.
EXAMPLE = "PYTHONPATH=python examples/sql/path_lengths.py"
NOTEBOOK = re.search(r"^sed .* (?=\| jupytext)", (ROOT / "docs" / "python.md").read_text(), re.MULTILINE).group()
COMMANDS = {"pip install ./python", "make python", EXAMPLE, f"{EXAMPLE} --recursive 10"}
NEEDS = {"python.md": {"networkx": "3.5"}, "sql.md": {"duckdb": "1", "pyarrow": "14"}}  # oldest versions


@pytest.mark.parametrize("page", NEEDS)
def test_a_page(page, tmp_path, monkeypatch):
    for module, oldest in NEEDS[page].items():
        pytest.importorskip(module, minversion=oldest)
    monkeypatch.chdir(tmp_path)
    blocks = BLOCK.findall((ROOT / "docs" / page).read_text())
    assert {language for language, _ in blocks} <= {"pycon", ""}
    commands = {line for language, text in blocks for line in text.splitlines() if not language}
    assert {line for line in commands if not line.startswith(NOTEBOOK)} <= COMMANDS
    session = "\n".join(text for language, text in blocks if language)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(session, {}, page, page, 0)
    assert len(test.examples) > 10
    runner = doctest.DocTestRunner(optionflags=flags)
    report = []
    runner.run(test, out=report.append)
    assert runner.failures == 0, "".join(report)


def test_the_notebook():
    """Its cells are the statements of the page, without what they show, and run therefore."""
    made = subprocess.run(["bash", "-c", NOTEBOOK], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    cells = [text for language, text in BLOCK.findall(made) if language == "python"]
    sessions = [text for language, text in BLOCK.findall((ROOT / "docs" / "python.md").read_text()) if language]
    parser = doctest.DocTestParser()
    assert cells and cells == ["".join(example.source for example in parser.get_examples(text)) for text in sessions]
