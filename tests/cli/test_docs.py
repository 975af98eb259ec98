"""README.md and docs/: links lead somewhere, names are in the code, commands run, tables are up to date."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from helpers import GTRAV, ROOT, algorithms, execute, gtrav_json, gtrav_ok, ok, script


def pages():
    """The repository's pages; those of the README and docs/ where git, or its folder, is not there."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "*.md"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True).stdout.split()
    except FileNotFoundError:
        listed = []
    return listed or ["README.md", *(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/*.md"))]


PAGES = pages()
SYSTEMS = ("diggerbees", "blest", "xbfs", "ibfs", "warpnet")
CODE_FOLDERS = ("src", "kernels", "baselines", "scripts", "tests", "plot", "bench")
INVENTED = {"baselines/bfs_mine.c"}


def text_of(page):
    """The page without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(), flags=re.MULTILINE | re.DOTALL)


def anchors(page):
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_links(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        linked = (ROOT / page).parent / path if path else ROOT / page
        assert linked.exists(), target
        assert not anchor or anchor in anchors(linked.resolve().relative_to(ROOT)), target


@pytest.mark.parametrize("page", ["README.md", *(name for name in PAGES if name.startswith("docs/"))])
def test_files_that_are_named(page):
    for name in re.findall(r"`([\w./-]+)`", text_of(page)):
        if name.split("/")[0] in CODE_FOLDERS and "/" in name and name not in INVENTED:
            assert (ROOT / name).exists() or "_N." in name, name


def tables(page):
    """Each table of a page as a list of dicts."""
    for table in re.findall(r"(?:^\|.*\|\n)+", text_of(page), re.MULTILINE):
        lines = [re.split(r"(?<!\\)\|", line)[1:-1] for line in table.splitlines()]
        cells = [[cell.strip() for cell in line] for line in lines]
        yield [dict(zip(cells[0], row)) for row in cells[2:]]


def mapped(page):
    for rows in tables(page):
        if rows and {"file", "names"} <= set(rows[0]):
            yield from rows


def code_of(cell):
    """The text of the files of a cell: a path, then names of others in the same folder; or a folder."""
    first, *others = re.findall(r"`([^`]+)`", cell)
    folder = (ROOT / first).parent
    paths = [path for name in (ROOT / first, *(folder / name for name in others)) for path in files_of(name)]
    return "".join(path.read_text() for path in paths)


def files_of(path):
    return sorted(path.iterdir()) if path.is_dir() else [path]


@pytest.mark.parametrize("system", SYSTEMS)
def test_names_of_the_code(system):
    rows = list(mapped(f"docs/{system}.md"))
    assert len(rows) > 7
    for row in rows:
        code = code_of(row["file"])
        names = re.findall(r"`([^`]+)`", row["names"])
        assert names, row
        for name in names:
            assert re.search(rf"\b{re.escape(name)}\b", code), f"{row['file']}: no {name}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_page_has_all_its_parts(system):
    headings = re.findall(r"^## (.*)$", text_of(f"docs/{system}.md"), re.MULTILINE)
    assert [heading for heading in headings if not heading.startswith("The baselines")] == [
        f"What the {'thesis' if system == 'ibfs' else 'paper'} does",
        "Where it is in the code",
        "Where it differs, and why",
        "Measured",
    ]


def test_every_algorithm_has_a_page():
    pages = "".join(text_of(f"docs/{name}.md") for name in (*SYSTEMS, "beyond"))
    for algorithm in algorithms():
        assert re.search(rf"\b{re.escape(algorithm['variant'])}\b", pages), algorithm["variant"]


def test_tables_are_up_to_date():
    ok(script("scripts/tables.py", "readme", "--check"))


def test_commands_of_the_readme(tmp_path):
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "gtrav").symlink_to(Path(GTRAV).resolve())
    examples = (ROOT / "README.md").read_text().partition("## Examples\n")[2]
    block = examples.partition("```\n")[2].partition("```")[0]
    lines = [line.partition(" # ")[0] for line in block.splitlines()]
    assert len(lines) > 8
    named = set(",".join(re.findall(r"--variant (\S+)", block)).split(","))
    here = {entry["variant"] for entry in gtrav_json("--list") if entry["available"] or entry["emulated"]}
    if not named <= here:
        lines = [line for line in lines if "--variant" not in line]
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "OMP_WAIT_POLICY": "passive"}
    for line in lines:
        result = execute(["bash", "-c", line], cwd=tmp_path, env=environment)
        assert result.status == 0, f"{line}: {result.err}"
    for name in ("results/local", "closeness.npy", "rgg12.mtx"):
        assert (tmp_path / name).exists()


def test_the_readme_shows_a_run_and_six_graphs():
    text = (ROOT / "README.md").read_text()
    shown = text.partition("$ gtrav bfs kron:16\n")[2].partition("```")[0].splitlines()
    made = gtrav_ok("bfs", "kron:16", "--variant", "gap", "--sources", "2").out.splitlines()
    assert shown[1].startswith("no GPU here") and shown[2] == made[0] and shown[3].split() == made[1].split()
    (table,) = [rows for rows in tables("README.md") if "BFS ms" in rows[0]]
    assert len(table) == 6 and len(table[0]) <= 8
    assert "millions of traversed edges per second" in text
