"""libgtrav as others see it: what is installed and exported, and programs built against it elsewhere."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from helpers import GTRAV, ROOT

BUILD = Path(GTRAV).parent
PREFIX = "/opt/gtrav"  # installed below DESTDIR
EXAMPLE = ROOT / "examples" / "c" / "lengths.c"
SHARED = BUILD / "libgtrav.so.1"
NEITHER = re.compile(r"cuda|^cu[A-Z]|__tsan|__asan|__ubsan|MPI|nccl", re.IGNORECASE)


def run(*command, **options):
    return subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True, **options).stdout


def exported():
    """The functions of the header."""
    text = (ROOT / "include" / "gtrav.h").read_text()
    return set(re.findall(r"^GTRAV_API .*?(gtrav_\w+)\(", text, re.MULTILINE))


def symbols(path, *options):
    lines = run("nm", *options, str(path)).splitlines()
    return {line.split()[-1].split("@")[0] for line in lines if len(line.split()) > 1}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The folder in which make install has put the library."""
    folder = tmp_path_factory.mktemp("installed")
    run("make", "install-library", f"DESTDIR={folder}", f"PREFIX={PREFIX}", f"BUILD={BUILD}", *without_nvcc())
    return folder


def without_nvcc():
    """As the build under test was made, so that make has nothing to do."""
    made_with = (BUILD / "parts_found").read_text()
    return [] if "GTRAV_CUDA" in made_with else ["NVCC="]


@pytest.mark.slow
def test_make_install_is_short_and_tells_of_path(tmp_path):
    """In a copy of the build, whose libraries are linked again."""
    build, prefix = tmp_path / "build", tmp_path / "prefix"
    shutil.copytree(BUILD, build, ignore=shutil.ignore_patterns("tests", "debug", "*.a", SHARED.name), symlinks=True)
    words = ("make", "install", f"PREFIX={prefix}", f"BUILD={build}", *without_nvcc())
    told = f"install: {prefix}/bin is not on PATH; "
    output = run(*words)
    assert f"-shared -o {build}/{SHARED.name}\n" in output and max(map(len, output.splitlines())) < 1000
    assert told in output and os.access(prefix / "bin" / "gtrav", os.X_OK)
    assert told not in run(*words, env={**os.environ, "PATH": f"{os.environ['PATH']}:{prefix}/bin"})
    assert "is not on PATH" not in run(*words, f"DESTDIR={tmp_path}/image")
    run("make", "uninstall", f"PREFIX={prefix}", f"BUILD={build}", *without_nvcc())
    assert not [path for path in prefix.rglob("*") if not path.is_dir()]


def flags(installed, *options):
    """What pkg-config says, for the folder where the library is until it is moved to its place."""
    folder = {"PKG_CONFIG_PATH": f"{installed}{PREFIX}/lib/pkgconfig", "PKG_CONFIG_SYSROOT_DIR": str(installed)}
    return run("pkg-config", *options, "gtrav", env={**os.environ, **folder}).split()


def run_example(installed, program, *arguments):
    environment = {**os.environ, "LD_LIBRARY_PATH": f"{installed}{PREFIX}/lib"}
    return subprocess.run([str(program), *arguments], capture_output=True, text=True, env=environment, timeout=600)


needs_pkg_config = pytest.mark.skipif(not shutil.which("pkg-config"), reason="needs pkg-config")


def test_the_libraries_export_what_the_header_declares():
    assert symbols(SHARED, "-D", "--defined-only") - {"GTRAV_1"} == exported()
    assert symbols(BUILD / "libgtrav.a", "-g", "--defined-only") == exported()


@pytest.mark.parametrize("name, option", [("libgtrav.so.1", "-D"), ("libgtrav.a", "-g")])
def test_nothing_of_cuda_mpi_or_a_sanitizer_is_needed(name, option):
    assert [each for each in symbols(BUILD / name, option, "--undefined-only") if NEITHER.search(each)] == []


def test_soname():
    dynamic = run("readelf", "-d", str(SHARED))
    assert "Library soname: [libgtrav.so.1]" in dynamic
    assert not re.search(r"NEEDED.*(cuda|mpi)", dynamic)


def test_installed_files(installed):
    files = {str(path.relative_to(installed))[len(PREFIX) :] for path in installed.rglob("*") if not path.is_dir()}
    assert files == {
        "include/gtrav.h",
        "lib/libgtrav.so",
        "lib/libgtrav.so.1",
        "lib/libgtrav.a",
        "lib/.debug/libgtrav.so.1.debug",
        "lib/cmake/gtrav/gtrav-config.cmake",
        "lib/cmake/gtrav/gtrav-config-version.cmake",
        "lib/pkgconfig/gtrav.pc",
    }
    library = installed / f"{PREFIX[1:]}/lib/libgtrav.so.1"
    sections = {path: run("readelf", "-SW", str(path)) for path in (library, *library.parent.glob(".debug/*"))}
    assert [".debug_info" in text for text in sections.values()] == [False, True]
    assert ".gnu_debuglink" in sections[library]


@pytest.mark.skipif(not shutil.which("cmake"), reason="needs CMake")
def test_cmake(installed, tmp_path):
    release = (ROOT / "VERSION").read_text().strip()
    (tmp_path / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.13)\nproject(lengths C)\n"
        f"find_package(gtrav {release} REQUIRED)\nadd_executable(lengths {EXAMPLE})\n"
        "target_link_libraries(lengths gtrav::gtrav)\n"
    )
    run("cmake", "-S", tmp_path, "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={installed}{PREFIX}")
    run("cmake", "--build", tmp_path)
    assert run_example(installed, tmp_path / "lengths", "path:5", "0", "3").stdout.startswith("0 -> 3: 3 edges")


@needs_pkg_config
def test_pkg_config(installed):
    assert flags(installed, "--modversion") == [(ROOT / "VERSION").read_text().strip()]


@needs_pkg_config
def test_the_example(installed, tmp_path):
    words = flags(installed, "--cflags", "--libs")
    shutil.copy(EXAMPLE, tmp_path)
    compiler = ["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "lengths.c", "-o", "lengths"]
    subprocess.run([*compiler, *words], check=True, cwd=tmp_path)
    (tmp_path / "flights.csv").write_text("src,dst\nberlin,oslo\noslo,lima\n")
    for words, status, out, said in (
        ("path:5 0 3 4 4", 0, "0 -> 3: 3 edges: 0 1 2 3\n4 -> 4: 0 edges: 4\n", ""),
        (
            f"{tmp_path}/flights.csv berlin lima lima oslo",
            *(0, "berlin -> lima: 2 edges: berlin oslo lima\nlima -> oslo: no path\n", ""),
        ),
        ("nonsense:5 0 3", 2, "", "nonsense"),
        ("path:5 0 9", 2, "", "9"),
    ):
        result = run_example(installed, tmp_path / "lengths", *words.split())
        assert (result.returncode, result.stdout, result.stderr.count("\n")) == (status, out, status // 2)
        assert said in result.stderr


PAGE = (ROOT / "docs/library.md").read_text()


def blocks(language):
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@needs_pkg_config
def test_commands_of_the_page(tmp_path):
    """Each command gives the lines below it. The first one installs below a home of its own."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    make = " ".join(["make", "--silent", "-C", str(ROOT), f"BUILD={BUILD}", *without_nvcc()])
    commands, expected = [], []
    for line in "".join(blocks("console")).splitlines():
        (commands if line.startswith("$ ") else expected).append(line.removeprefix("$ "))
    assert commands[0].startswith("make ")
    commands[0] = commands[0].replace("make", make, 1) + " >&2"
    environment = {**os.environ, "HOME": str(tmp_path)}
    result = subprocess.run(
        ["bash", "-ec", "\n".join(commands)], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == expected


@needs_pkg_config
def test_code_of_the_page(installed, tmp_path):
    """The blocks of C are one program."""
    show = "static bool show(void *context, const char *phase, uint64_t done, uint64_t total)\n"
    show += "{\n(void)context, (void)phase, (void)done, (void)total;\nreturn false;\n}\n"
    includes = "#include <gtrav.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
    program = f"{includes}{show}int main(void)\n{{\n{''.join(blocks('c'))}}}\n"
    (tmp_path / "page.c").write_text(program)
    words = flags(installed, "--cflags", "--libs")
    subprocess.run(["cc", "-std=c17", "-Wall", "-Werror", "page.c", "-o", "page", *words], check=True, cwd=tmp_path)
    result = run_example(installed, tmp_path / "page")
    assert (result.returncode, result.stdout, result.stderr) == (0, "bfs gap on cpu\n", "")
