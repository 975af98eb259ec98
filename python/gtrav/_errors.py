"""_errors.py: what gtrav raises. The message is one line: what failed, where, and what to do."""

from __future__ import annotations

WRONG, INPUT, DEVICE, INTERRUPTED = 1, 2, 3, 130  # enum gtrav_status of gtrav.h


class Error(Exception):
    """A call of gtrav failed. `status` is that of gtrav.h, and the exit status of the program gtrav."""

    status = INPUT


class InputError(Error, ValueError):
    """Bad input or usage, or no memory or no permission for it on the host."""


class DeviceError(Error, RuntimeError):
    """The GPU is missing, too small, or failed."""

    status = DEVICE


class WrongResultError(Error, RuntimeError):
    """Verification was asked for, and found the result wrong."""

    status = WRONG


class CancelledError(Error, RuntimeError):
    """The progress callback returned True."""

    status = INTERRUPTED


for _kind in (Error, InputError, DeviceError, WrongResultError, CancelledError):
    _kind.__module__ = "gtrav"  # where users find it

_BY_STATUS = {kind.status: kind for kind in (InputError, DeviceError, WrongResultError, CancelledError)}


def error_of(status: int, text: str) -> Error:
    """The exception for a status of gtrav.h and its message."""
    return _BY_STATUS.get(status, Error)(text)
