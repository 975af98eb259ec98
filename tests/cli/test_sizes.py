"""scripts/check_sizes.py sees what is too large in C and in Python."""

import pytest

import check_sizes
from helpers import ROOT

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
    assert list(check_sizes.python_functions(PYTHON_FUNCTION)) == [("work", 3, 7, 3)]


def test_what_is_too_large_is_named(tree, capsys):
    (tree / "long.c").write_text("int x;\n" * 601)
    body = "    work();\n" * 59
    (tree / "wide.c").write_text(
        f"void wide(int a, int b, int c, int d, int e, int f, int g, int h)\n{{\n{body}}}\n"
    )
    (tree / "deep.py").write_text(
        "def deep():\n" + "".join(" " * i + "if 1:\n" for i in range(1, 6)) + " " * 6 + "pass\n"
    )
    assert check_sizes.main() == 1
    told = [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()]
    assert told == [
        "deep.py: deep: nested over 4 deep; split it",
        "long.c: over 600 lines; split it",
        "wide.c: wide: over 60 lines; split it",
        "wide.c: wide: over 7 parameters; split it",
    ]


def test_what_is_small_enough_is_not_named(tree, capsys):
    (tree / "short.c").write_text("int x;\n" * 600)
    assert check_sizes.main() == 0
    assert capsys.readouterr().err == ""


def test_it_runs_as_make_lint_runs_it():
    assert "scripts/check_sizes.py" in (ROOT / "Makefile").read_text()
