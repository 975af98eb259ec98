"""setup.py: builds libgtrav and the program by the repository's Makefile and puts them into the wheel.

The repository is the folder above this one or, in a source distribution, the folder source/ beside this file. The
library has GPU kernels if make finds nvcc, for the GPU of this machine or else for Hopper. The environment may set
what config.mk lists, such as NVCC= or CUDA_ARCH=all. GTRAV_PREBUILT=build/package uses files that make has built
before. Everything else is in pyproject.toml."""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
BUILD = "build/wheel"
FILES = ("gtrav", "libgtrav.so.1", "libgtrav_python.so")  # in BUILD/package
# What make needs for the library.
NEEDED = ("Makefile", "config.mk", "VERSION", "LICENSE", "include", "src", "baselines", "kernels")


def repository():
    """Finds the folder that has the sources of the library."""
    for folder in (HERE / "source", HERE.parent):
        if all((folder / name).exists() for name in ("Makefile", "VERSION", "include/gtrav.h")):
            return folder
    sys.exit(
        f"gtrav: {HERE} is neither in a checkout of gtrav nor has its sources in source/: run pip install "
        f"./python in the checkout, by pip 21.3 or newer"
    )


def tell(text):
    """Writes a line to the terminal, since pip hides what a build prints; without a terminal, to standard output."""
    try:
        with open("/dev/tty", "w") as terminal:
            print(f"\n{text}", file=terminal)
    except OSError:
        print(text, flush=True)


def built_files():
    """Returns the folder of the library and the program; builds them unless they are prebuilt."""
    prebuilt = os.environ.get("GTRAV_PREBUILT")
    if prebuilt:
        return Path(prebuilt)
    make = shutil.which("make")
    if not make:
        sys.exit("gtrav: make is missing: install GNU make, a C compiler, zlib (make, gcc, zlib1g-dev on Debian)")
    # If another make called pip, its settings are not for this one.
    ours = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    settings = ("BOOST=", "MPI=", "WEBGPU_LIBRARY=libwgpu_native-release.so")  # a file of the package wgpu
    command, begin = [make, "--silent", f"BUILD={BUILD}", *settings], time.monotonic()
    told = subprocess.run([*command, "parts"], cwd=repository(), env=ours, stdout=subprocess.PIPE, text=True)
    cuda = told.stdout.partition("\n")[0]  # CUDA: which nvcc, for which GPU
    tell(f"gtrav: compiling libgtrav, 1 minute on two cores, with nvcc 4 to 12. {' '.join(cuda.split())}")
    files = [f"{BUILD}/package/{name}" for name in FILES]
    if subprocess.run([*command, *files], cwd=repository(), env=ours, check=False).returncode:
        sys.exit(f"gtrav: building libgtrav failed in {repository()}: see the messages of make above")
    tell(f"gtrav: compiled libgtrav in {time.monotonic() - begin:.0f} s")
    return repository() / BUILD / "package"


class BuildWithLibrary(build_py):
    """Copies these files beside the modules. An editable installation uses those in the checkout's build/."""

    def run(self):
        super().run()
        if not self.editable_mode:
            folder = built_files()
            for name in FILES:
                shutil.copy2(folder / name, Path(self.build_lib) / "gtrav" / name)


class WithSources(sdist):
    """Adds the sources of the library to a source distribution."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        source, target = repository(), Path(base_dir) / "source"
        for name in NEEDED:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (source / name).is_dir() else shutil.copy2
            copy(source / name, target / name)


class WithLibrary(Distribution):
    """A distribution for one kind of machine."""

    def has_ext_modules(self):
        return True


class OfThisMachine(bdist_wheel):
    """A wheel for one kind of machine and any Python 3: the library does not use Python."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


commands = {"build_py": BuildWithLibrary, "sdist": WithSources, "bdist_wheel": OfThisMachine}
setup(version=(repository() / "VERSION").read_text().strip(), cmdclass=commands, distclass=WithLibrary)
