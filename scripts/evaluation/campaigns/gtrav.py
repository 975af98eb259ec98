"""gtrav.py: runs gtrav, reads its answers, and finds out why it failed."""

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
IMPORTANT = re.compile(r"(warning|gtrav): ")  # the beginning of a line that is a warning or an error
LONGEST_TAIL = 1 << 16  # bytes of gtrav's last messages that are kept


def ask(*command):
    """Returns the JSON that gtrav prints for a command with --json. CalledProcessError: it failed."""
    return json.loads(subprocess.run(list(map(str, command)), stdout=subprocess.PIPE, check=True).stdout)


def known_algorithms(gtrav):
    return ask(gtrav, "--list", "--json")


def devices_of(algorithms, emulated):
    """Returns {"FAMILY VARIANT": device} of the algorithms that can run, with emulated also on the emulator."""
    return {
        f"{a['family']} {a['variant']}": a["device"] if a["available"] else "cpu-emulator"
        for a in algorithms
        if a["available"] or (emulated and a["emulated"])
    }


def run_and_listen(command, log):
    """Runs gtrav. Returns its exit status, and why it failed, by its own messages if there are any.

    Its tables go to the log. Its messages go to stderr, without a terminal only its warnings and errors."""
    log.write(f"\n$ {shlex.join(command)}\n")
    log.flush()
    process, pressed = None, []

    # gtrav ends its trial and keeps its results, and must not be killed meanwhile. Ctrl-C reaches gtrav, too, and
    # the same signal twice would kill it, so this passes on the other one.
    def pass_on(number, _):
        pressed.append(number)
        if process is not None:
            process.send_signal(signal.SIGTERM if number == signal.SIGINT else signal.SIGINT)

    before = {number: signal.signal(number, pass_on) for number in (signal.SIGINT, signal.SIGTERM)}
    # If this program has a terminal, gtrav gets one, to draw its progress on.
    on_terminal = sys.stderr.isatty()
    reader, writer = like_our_terminal() if on_terminal else os.pipe()
    process = subprocess.Popen(command, stdout=log, stderr=writer)
    os.close(writer)
    said = b""
    while piece := read_piece(reader):
        if on_terminal:
            os.write(sys.stderr.fileno(), piece)
        said = (said + piece)[-LONGEST_TAIL:]
    os.close(reader)
    code = process.wait()
    for number, handler in before.items():
        signal.signal(number, handler)
    if not on_terminal:
        for line in filter(IMPORTANT.match, said.decode(errors="replace").splitlines()):
            print(line, file=sys.stderr, flush=True)
    if pressed or code in (INTERRUPTED, 128 + signal.SIGTERM):
        return INTERRUPTED, "interrupted"
    return code, why_it_failed(code, said.decode(errors="replace")) if code else ""


def like_our_terminal():
    """Makes a terminal of the size of stderr's. Returns the end to read from, and the end to give to a program."""
    reader, writer = os.openpty()
    fcntl.ioctl(writer, termios.TIOCSWINSZ, fcntl.ioctl(sys.stderr.fileno(), termios.TIOCGWINSZ, bytes(8)))
    return reader, writer


def read_piece(reader):
    try:
        return os.read(reader, LONGEST_TAIL)
    except OSError as error:  # the terminal was closed at its other end
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
