"""gtrav.py: runs gtrav, asks it what it knows, and listens to what it says when it fails."""

import errno
import fcntl
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import termios

from evaluation.command import INTERRUPTED
from evaluation.files import ROOT

PROGRAM = os.environ.get("GTRAV", str(ROOT / "build" / "gtrav"))
LONGEST_TAIL = 1 << 16  # of what gtrav says last


def ask(*command):
    """What gtrav answers in JSON to a command with --json; CalledProcessError: it failed."""
    return json.loads(subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, check=True).stdout)


def known_algorithms(gtrav):
    return ask(gtrav, "--list", "--json")


def devices_of(algorithms, emulated):
    """{"FAMILY VARIANT": the device to run it on} of those that can run; emulated: also on the emulator."""
    return {
        f"{a['family']} {a['variant']}": a["device"] if a["available"] else "cpu-emulator"
        for a in algorithms
        if a["available"] or (emulated and a["emulated"])
    }


def run_and_listen(command, log):
    """gtrav's exit status, and why it failed, in its own words if it has said any.

    Its tables go to the log, its messages stay on stderr."""
    log.write(f"\n$ {shlex.join(command)}\n")
    log.flush()
    process, pressed = None, []

    # gtrav ends its trial, keeps what it has, and must not be killed meanwhile. Ctrl-C reaches it too: it is
    # told by the other signal, since twice the same would kill it.
    def pass_on(number, _):
        pressed.append(number)
        if process is not None:
            process.send_signal(signal.SIGTERM if number == signal.SIGINT else signal.SIGINT)

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
    # On a terminal gtrav shall see one, to draw its progress on.
    reader, writer = like_our_terminal() if sys.stderr.isatty() else os.pipe()
    process = subprocess.Popen(command, stdout=log, stderr=writer)
    os.close(writer)
    said = b""
    while piece := read_piece(reader):
        os.write(sys.stderr.fileno(), piece)
        said = (said + piece)[-LONGEST_TAIL:]
    os.close(reader)
    code = process.wait()
    for number, handler in before.items():
        signal.signal(number, handler)
    if pressed or code in (INTERRUPTED, 128 + signal.SIGTERM):
        return INTERRUPTED, "interrupted"
    return code, why_it_failed(code, said.decode(errors="replace")) if code else ""


def like_our_terminal():
    """A terminal as large as the one that stderr is: an end to read from, and one to be given."""
    reader, writer = os.openpty()
    fcntl.ioctl(writer, termios.TIOCSWINSZ, fcntl.ioctl(sys.stderr.fileno(), termios.TIOCGWINSZ, bytes(8)))
    return reader, writer


def read_piece(reader):
    try:
        return os.read(reader, LONGEST_TAIL)
    except OSError as error:  # what a terminal answers once nobody has it
        if error.errno != errno.EIO:
            raise
        return b""


def why_it_failed(code, said):
    complaints = re.findall(r"^gtrav: (.+?)\s*$", said.replace("\r", "\n"), re.MULTILINE)
    if complaints:
        return "; ".join(dict.fromkeys(complaints))
    if code < 0:
        likely = ", perhaps for want of memory" if -code == signal.SIGKILL else ""
        return f"killed by signal {-code}{likely}"
    return f"gtrav ended with status {code}"
