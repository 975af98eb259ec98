"""scripts/check_sizes.py sees what is too large in C and in Python."""

import pytest

import check_sizes
from helpers import ROOT, execute

RUFF = ROOT / ".venv" / "bin" / "ruff"

C_FUNCTION = """static __global__ void __launch_bounds__(256, 1)
    expand(struct search search, const uint32_t (&counts)[4], uint32_t level)
{
    for (int i = 0; i < 3; i++)
        if (i > 1) {
            while (i < 2)
                i++;
        } else if (i == 0)
            work(i);
    work(level);
}
"""
PYTHON_FUNCTION = """def work(a, b, *, c=1):
    for x in a:
        if x:
            pass
        elif b:
            with c:
                pass
"""


@pytest.fixture
def tree(tmp_path, monkeypatch):
    monkeypatch.setattr(check_sizes, "ROOT", tmp_path)
    monkeypatch.setattr(check_sizes, "sources", lambda: sorted(tmp_path.glob("*.[cp]*")))
    return tmp_path


def test_functions_are_measured():
    assert list(check_sizes.c_functions(C_FUNCTION.splitlines())) == [("expand", 3, 11, 3)]
    assert list(check_sizes.python_functions(PYTHON_FUNCTION)) == [("work", 0, 7, 0)]


def test_what_is_too_large_is_named(tree, capsys):
    (tree / "long.c").write_text("int x;\n" * 601)
    body = "    work();\n" * 59
    (tree / "wide.c").write_text(
        f"void wide(int a, int b, int c, int d, int e, int f, int g, int h)\n{{\n{body}}}\n"
    )
    assert check_sizes.main() == 1
    reported = [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()]
    assert reported == [
        "long.c: over 600 lines; split it",
        "wide.c: wide: over 60 lines; split it",
        "wide.c: wide: over 7 parameters; split it",
    ]


def test_what_is_small_enough_is_not_named(tree, capsys):
    (tree / "short.c").write_text("int x;\n" * 600)
    assert check_sizes.main() == 0
    assert capsys.readouterr().err == ""


@pytest.mark.skipif(not RUFF.is_file(), reason="ruff is not installed: .venv stands in for another Python")
def test_ruff_limits_parameters_and_nesting(tmp_path):
    deep = "".join(f"{'    ' * i}if a > {i}:\n" for i in range(1, 6)) + "    " * 6 + "print(a)\n"
    (tmp_path / "work.py").write_text(f"def work(a, b, c, d, e, f, g, *, h=1):\n{deep}")
    words = ("--no-cache", "--output-format", "concise", "--config", ROOT / "pyproject.toml")
    result = execute([RUFF, "check", *words, tmp_path / "work.py"])
    assert "PLR0913 Too many arguments in function definition (8 > 7)" in result.out
    assert "PLR1702 Too many nested blocks (5 > 4)" in result.out


def test_it_runs_as_make_lint_runs_it():
    assert "scripts/check_sizes.py" in (ROOT / "Makefile").read_text()
