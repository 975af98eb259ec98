"""scripts/check_sizes.py sees what is too large."""

import check_sizes

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
