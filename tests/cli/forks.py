"""forks.py: runs a script as `python script` does, but without the second that its imports take: in a fork of
a process that has imported packages of requirements.txt, and nothing of ours."""

import atexit
import json
import os
import runpy
import socket
import subprocess
import sys
import tempfile
from functools import cache

PACKAGES = ("jinja2", "matplotlib.pyplot", "pandas", "scipy.sparse")
MOST_BYTES = 1 << 20  # of a request: words and environment


@cache
def server():
    """A socket to the process that forks. It ends when this one does."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = subprocess.Popen([sys.executable, __file__, str(its.fileno())], pass_fds=[its.fileno()])
    its.close()
    atexit.register(process.wait)
    atexit.register(ours.close)  # first
    return ours


def run_script(words, cwd, env, seconds):
    """Exit status, standard output and standard error of a script. Its standard input is empty."""
    asked = {"words": [str(word) for word in words], "cwd": str(cwd), "env": dict(env)}
    with open(os.devnull) as nothing, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        server().settimeout(seconds)
        socket.send_fds(server(), [json.dumps(asked).encode()], [file.fileno() for file in (nothing, out, err)])
        status = int(server().recv(MOST_BYTES))
        out.seek(0)
        err.seek(0)
        return status, out.read(), err.read()


def serve(connection):
    """Returns in each fork, with what was asked for."""
    while True:
        asked, files, _, _ = socket.recv_fds(connection, MOST_BYTES, 3)
        if not asked:
            sys.exit()
        child = os.fork()
        if child == 0:
            connection.close()
            for number, file in enumerate(files):
                os.dup2(file, number)
                os.close(file)
            return json.loads(asked)
        for file in files:
            os.close(file)
        connection.send(str(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])).encode())


if __name__ == "__main__":
    for package in PACKAGES:
        __import__(package)
    request = serve(socket.socket(fileno=int(sys.argv[1])))
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    sys.argv = request["words"]
    sys.path[0] = os.path.dirname(sys.argv[0])
    runpy.run_path(sys.argv[0], run_name="__main__")
