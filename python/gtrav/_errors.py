"""_errors.py: exceptions and warnings. A message is one line: what failed, where, and what to do."""

from __future__ import annotations

import re
import sys
import warnings

WRONG, INPUT, DEVICE, INTERRUPTED = 1, 2, 3, 130  # enum gtrav_status of gtrav.h


class Error(Exception):
    """A call of gtrav failed. `status` is a gtrav_status of gtrav.h, and the exit status of the program gtrav."""

    status = INPUT


class InputError(Error, ValueError):
    """The input or usage is wrong, or the host lacks memory or permission."""


class InputTypeError(InputError, TypeError):
    """An argument has a wrong type, or a keyword is unknown."""


class DeviceError(Error, RuntimeError):
    """The GPU is missing, too small, or failed."""

    status = DEVICE


class WrongResultError(Error, RuntimeError):
    """Verification found a wrong result."""

    status = WRONG


class CancelledError(Error, RuntimeError):
    """The progress callback returned True."""

    status = INTERRUPTED


class WeightsIgnored(UserWarning):
    """The input has weights that differ; lengths count edges, not weights."""


for _kind in (Error, InputError, InputTypeError, DeviceError, WrongResultError, CancelledError, WeightsIgnored):
    _kind.__module__ = "gtrav"  # where users find it

_BY_STATUS = {kind.status: kind for kind in (InputError, DeviceError, WrongResultError, CancelledError)}


FLAGS = ("undirected", "directed", "cache")  # of load_options.h, like the others:
FILE_OPTIONS = (*FLAGS, "ids", "columns", "header", "header_counts", "vertices", "vertex_column", "weights")
OPTION = r"(?<!gtrav )(?<![^\s(])--"  # not in a command of the program, nor in the name of a file
NAMES = "|".join((*FILE_OPTIONS, "device", "sources")).replace("_", "-")
VALUES = r"any|dense|text|auto|yes|no|cpu|gpu|webgpu|cpu-emulator|NAME|\d[\d,]*"
IN_PYTHON = (
    (r"\bcount-edges=yes", lambda found: "weight=False"),
    (OPTION + r"set ([^\s=]+)=(.*?):", lambda found: f"options={{{found[1]!r}: {found[2]!r}}}:"),
    (OPTION + rf"({NAMES}) ({VALUES})(?![\w-])", lambda found: f"{_word(found)}={found[2]!r}"),
    (OPTION + rf"({'|'.join(FLAGS)})(?![\w-])", lambda found: f"{found[1]}=True"),
    (OPTION + rf"({NAMES})(?![\w-])", lambda found: _word(found)),
)


def _word(option):
    return option[1].replace("-", "_")


def error_of(status: int, text: str) -> Error:
    """Makes the exception of a status of gtrav.h. In its message, options of the program become keywords."""
    for option, keyword in IN_PYTHON:
        text = re.sub(option, keyword, text)
    return _BY_STATUS.get(status, Error)(text)


def warn(text: str, kind: type[Warning] = UserWarning) -> None:
    """Warns at the line that called the package."""
    frame, level = sys._getframe(1), 2
    while frame is not None and frame.f_globals.get("__package__") == "gtrav":
        frame, level = frame.f_back, level + 1
    warnings.warn(text, kind, stacklevel=level)
