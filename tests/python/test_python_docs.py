"""docs/python.md and docs/sql.md: their sessions give what they show, and other tests run their commands."""

import ast
import doctest
import os
import re
import subprocess
import sys
from configparser import ConfigParser
from importlib import metadata

import pytest

from package import PACKAGE, ROOT

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# test_wheel.py does what the first two do, test_sql.py the third.
EXAMPLE = "PYTHONPATH=python examples/sql/path_lengths.py"
NOTEBOOK = re.search(r"^sed .* (?=\| jupytext)", (ROOT / "docs" / "python.md").read_text(), re.MULTILINE).group()
INSTALL = re.compile(r"pip install '\./python\[(\w+)\]'")
AWAY = """
import sys
class Away:
    def find_spec(name, *_):
        if name in {names}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Away)
"""
COMMANDS = {"pip install './python[all]'", "make python", EXAMPLE, f"{EXAMPLE} --recursive 10"}
NEEDS = {
    "python.md": {"networkx": "3.5", "pyarrow": "14"},
    "sql.md": {"duckdb": "1", "pyarrow": "14"},
}  # oldest versions


def installed_with(extra):
    """The names of all that the extra of pyproject.toml installs, as far as it is installed here."""
    project = ConfigParser(delimiters="=", strict=False)
    project.read(PACKAGE / "pyproject.toml")
    lists = project["project"]["dependencies"], project["project.optional-dependencies"][extra]
    wanted, found = [each for text in lists for each in ast.literal_eval(text)], set()
    while wanted:
        name = re.match(r"[\w.-]+", wanted.pop()).group().lower().replace("_", "-")
        try:
            requires = [] if name in found else metadata.distribution(name).requires or []
        except metadata.PackageNotFoundError:
            continue
        found.add(name)
        wanted += [each for each in requires if "extra ==" not in each]
    return found


def modules_of(distributions):
    files = (file for each in distributions for file in each.files or ())
    return {file.parts[0].partition(".")[0] for file in files if file.name.endswith((".py", ".so"))}


@pytest.mark.parametrize("page", NEEDS)
def test_a_page(page, tmp_path):
    """Its sessions run where nothing can be imported but what its own install line installs."""
    for module, oldest in NEEDS[page].items():
        pytest.importorskip(module, minversion=oldest)
    text = (ROOT / "docs" / page).read_text()
    blocks = BLOCK.findall(text)
    assert {language for language, _ in blocks} <= {"pycon", ""}
    commands = {line for language, text in blocks for line in text.splitlines() if not language}
    assert {line for line in commands if not line.startswith(NOTEBOOK)} <= COMMANDS
    names = installed_with(INSTALL.search(text).group(1)) | {"gtrav"}
    by_name = {(each.metadata["Name"] or "").lower().replace("_", "-"): each for each in metadata.distributions()}
    there = modules_of(each for name, each in by_name.items() if name in names)
    away = modules_of(each for name, each in by_name.items() if name not in names) - there
    assert {"pytest", "ruff"} & away and len(doctest.DocTestParser().get_examples(text)) > 10
    (tmp_path / "sitecustomize.py").write_text(AWAY.format(names=sorted(away)))
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), os.environ["PYTHONPATH"]])}
    command = [sys.executable, "-m", "doctest", "-o", "ELLIPSIS", "-o", "NORMALIZE_WHITESPACE", ROOT / "docs" / page]
    ran = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("page", ["README.md", "python/README.md"])
def test_a_readme(page):
    (text,) = [text for language, text in BLOCK.findall((ROOT / page).read_text()) if language == "python"]
    exec(text, {})


def test_the_notebook():
    """Its cells are the statements of the page, without what they show, and run therefore."""
    made = subprocess.run(["bash", "-c", NOTEBOOK], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    cells = [text for language, text in BLOCK.findall(made) if language == "python"]
    sessions = [text for language, text in BLOCK.findall((ROOT / "docs" / "python.md").read_text()) if language]
    parser = doctest.DocTestParser()
    assert cells and cells == ["".join(example.source for example in parser.get_examples(text)) for text in sessions]
