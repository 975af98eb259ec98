"""setup.py: builds libgtrav and the program by the repository's Makefile and puts them into the wheel.

The repository is the folder above this one or, in a source distribution, the folder source/ beside this
file. The library has the GPU's kernels if make finds nvcc; settings of config.mk can be given in the
environment, such as NVCC= or CUDA_ARCH=all. GTRAV_PREBUILT=build/package takes what make has built before.
Everything else is in pyproject.toml."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

HERE = Path(__file__).resolve().parent
BUILD = "build/wheel"
FILES = ("gtrav", "libgtrav.so.1")  # in BUILD/package
# What make needs for the library.
NEEDED = ("Makefile", "config.mk", "VERSION", "LICENSE", "include", "src", "baselines", "kernels")


def repository():
    """The folder that has the sources of the library."""
    for folder in (HERE / "source", HERE.parent):
        if all((folder / name).exists() for name in ("Makefile", "VERSION", "include/gtrav.h")):
            return folder
    sys.exit(
        f"gtrav: {HERE} is neither in a checkout of gtrav nor has its sources in source/: run pip install "
        f"./python in the checkout, by pip 21.3 or newer"
    )


def built_files():
    """The folder of the library and the program, built if need be."""
    prebuilt = os.environ.get("GTRAV_PREBUILT")
    if prebuilt:
        return Path(prebuilt)
    make = shutil.which("make")
    if not make:
        sys.exit("gtrav: make is missing: install GNU make, a C compiler, zlib (make, gcc, zlib1g-dev on Debian)")
    # This make is no part of one that may have called pip.
    ours = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    settings = ("BOOST=", "MPI=", "WEBGPU_LIBRARY=libwgpu_native-release.so")  # which the package wgpu has
    command = [make, "--silent", f"BUILD={BUILD}", *settings, *(f"{BUILD}/package/{name}" for name in FILES)]
    if subprocess.run(command, cwd=repository(), env=ours, check=False).returncode:
        sys.exit(f"gtrav: building libgtrav failed in {repository()}: see the messages of make above")
    return repository() / BUILD / "package"


class BuildWithLibrary(build_py):
    """Copies both beside the modules. An editable installation uses those of the checkout's build/."""

    def run(self):
        super().run()
        if not self.editable_mode:
            folder = built_files()
            for name in FILES:
                shutil.copy2(folder / name, Path(self.build_lib) / "gtrav" / name)


class WithSources(sdist):
    """A source distribution has the sources of the library, too."""

    def make_release_tree(self, base_dir, files):
        super().make_release_tree(base_dir, files)
        source, target = repository(), Path(base_dir) / "source"
        for name in NEEDED:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            copy = shutil.copytree if (source / name).is_dir() else shutil.copy2
            copy(source / name, target / name)


class WithLibrary(Distribution):
    """A distribution of one kind of machine."""

    def has_ext_modules(self):
        return True


class OfThisMachine(bdist_wheel):
    """A wheel for one kind of machine, but for any Python 3: the library knows nothing of Python."""

    def get_tag(self):
        return "py3", "none", super().get_tag()[2]


commands = {"build_py": BuildWithLibrary, "sdist": WithSources, "bdist_wheel": OfThisMachine}
setup(version=(repository() / "VERSION").read_text().strip(), cmdclass=commands, distclass=WithLibrary)
