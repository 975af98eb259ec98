"""scripts/check_sizes.py sees what is too large in C, and ruff in Python."""

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


def test_functions_are_measured():
    assert list(check_sizes.functions(C_FUNCTION.splitlines())) == [("expand", 3, 11, 3)]


def test_what_is_too_large_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(check_sizes, "ROOT", tmp_path)
    (tmp_path / "src").mkdir()
    for name, text in (("Makefile", "\n" * 600), ("src/short.c", "int x;\n" * 600)):
        (tmp_path / name).write_text(text)
    assert (check_sizes.main(), capsys.readouterr().err) == (0, "")
    (tmp_path / "src" / "long.c").write_text("int x;\n" * 601)
    head = "void wide(int a, int b, int c, int d, int e, int f, int g, int h)\n{\n"
    (tmp_path / "src" / "wide.c").write_text(head + "    work();\n" * 59 + "}\n")
    assert check_sizes.main() == 1
    assert [line.partition(": ")[2] for line in capsys.readouterr().err.splitlines()] == [
        "src/long.c: over 600 lines; split it",
        "src/wide.c: wide: over 60 lines; split it",
        "src/wide.c: wide: over 7 parameters; split it",
    ]


@pytest.mark.skipif(not RUFF.is_file(), reason="ruff is not installed: .venv stands in for another Python")
def test_ruff_limits_functions(tmp_path):
    deep = "".join(f"{'    ' * i}if a > {i}:\n" for i in range(1, 6)) + "    " * 6 + "print(a)\n"
    (tmp_path / "work.py").write_text(f"def work(a, b, c, d, e, f, g, *, h=1):\n{deep}" + "    b += 1\n" * 50)
    words = ("--no-cache", "--output-format", "concise", "--config", ROOT / "pyproject.toml")
    result = execute([RUFF, "check", *words, tmp_path / "work.py"])
    assert "PLR0913 Too many arguments in function definition (8 > 7)" in result.out
    assert "PLR0915 Too many statements (56 > 50)" in result.out
    assert "PLR1702 Too many nested blocks (5 > 4)" in result.out
