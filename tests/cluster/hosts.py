"""hosts.py: two machines that are none: network namespaces of Linux, joined by a cable that can be pulled.

Each has a host name of its own, so Open MPI takes them for machines and goes from one to the other by TCP.
mpirun runs on the first and starts its daemon on the second through a script in place of ssh. Nothing goes
through the networks of this machine."""

import os
import shutil
import signal
import subprocess
import time

from mpi import NO_MPI, environment

ADDRESSES = ("10.99.0.1", "10.99.0.2")
LINK = "cable"


def ip(*words):
    subprocess.run(["ip", *words], check=True, capture_output=True)


def why_not():
    """Why there cannot be such hosts here, or None."""
    if NO_MPI is not None:
        return NO_MPI
    for tool in ("ip", "unshare"):
        if shutil.which(tool) is None:
            return f"no {tool} here (install iproute2 and util-linux)"
    name = f"gtrav-try-{os.getpid()}"
    try:
        ip("netns", "add", name)
        ip("netns", "del", name)
    except subprocess.CalledProcessError as error:
        return f"network namespaces cannot be made: {error.stderr.decode().strip()}"
    return None


class Hosts:
    def __init__(self, folder):
        self.folder = folder
        self.names = [f"gtrav-{os.getpid()}-{which}" for which in "ab"]
        self.agent = folder / "agent"

    def __enter__(self):
        try:
            for name in self.names:
                ip("netns", "add", name)
                ip("-n", name, "link", "set", "lo", "up")
            first, second = self.names
            ip("-n", first, "link", "add", LINK, "type", "veth", "peer", "name", LINK, "netns", second)
            for name, address in zip(self.names, ADDRESSES):
                ip("-n", name, "address", "add", f"{address}/24", "dev", LINK)
                ip("-n", name, "link", "set", LINK, "up")
        except BaseException:
            self.__exit__()
            raise
        self.agent.write_text(f'#!/bin/sh\nshift\nexec {" ".join(self.shell(1))} "$*"\n')
        self.agent.chmod(0o755)
        return self

    def __exit__(self, *_):
        for which, name in enumerate(self.names):
            self.kill(which)
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    def shell(self, which):
        """What runs a line of shell on a host. Its temporary files are its own, as on a machine."""
        temporary = self.folder / f"tmp-{which}"
        temporary.mkdir(exist_ok=True)
        enter = f"hostname host{which} && export TMPDIR={temporary} && eval"
        return ["ip", "netns", "exec", self.names[which], "unshare", "--uts", "sh", "-c", f"'{enter} \"$0\"'"]

    def start(self, per_host, *command):
        """mpirun with so many ranks on each host; a process whose messages can be read."""
        hosts = ",".join(f"{address}:{count}" for address, count in zip(ADDRESSES, per_host) if count > 0)
        asked = ("--host", hosts, "-n", sum(per_host), "--mca", "plm_rsh_agent", self.agent)
        words = ["mpirun", *asked, *command]
        shell = [word.strip("'") for word in self.shell(0)]
        return subprocess.Popen(
            [*shell, " ".join(str(word) for word in words)],
            cwd=self.folder,
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def processes(self, which, program=""):
        """Ids of the host's processes, whose command line begins with the program's name."""
        listed = subprocess.run(["ip", "netns", "pids", self.names[which]], capture_output=True, text=True)
        found = []
        for pid in listed.stdout.split():
            try:
                with open(f"/proc/{pid}/cmdline") as file:
                    if file.read().startswith(program):
                        found.append(int(pid))
            except OSError:
                continue
        return found

    def kill(self, which, program=""):
        """All of the host's processes, at once; bounded."""
        for _ in range(50):
            pids = self.processes(which, program)
            for pid in pids:
                try:
                    os.kill(pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            if not pids:
                return
            time.sleep(0.1)

    def pull_cable(self):
        ip("-n", self.names[1], "link", "set", LINK, "down")

    def join_cable(self):
        ip("-n", self.names[1], "link", "set", LINK, "up")
