"""Nodes in containers of their own, out of nothing but the namespaces of Linux.

One network holds a bridge, the scheduler and the coordinator.  Each node is behind a cable of its
own, with its own address, host name, home, working folder, `/tmp` and processes.  The nodes are
inside the PID namespace of the network, whose first process reads a pipe that we hold: with us the
kernel ends everything in it, however we end.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import ExitStack, suppress
from functools import cache
from pathlib import Path
from typing import Self

import psutil
from patience import PATIENCE, until

SHARED = Path("/mnt")
"""Where the network and its nodes see the one folder that they share."""
_ADDRESS = "10.77.0.{}"
_ROOT = Path(__file__).parents[4]
_UNSHARE = (
    *("unshare", "--mount", "--uts", "--ipc", "--net", "--pid"),
    *("--fork", "--kill-child", "--propagation", "private"),
)
_NAMESPACES = {"mount": "mnt", "uts": "uts", "ipc": "ipc", "net": "net", "pid": "pid"}
"""As nsenter calls them, and as /proc does."""
_FIRST = """
set -e
mount -t proc proc /proc
hostname "$1"
[ -z "$2" ] || mount --bind "$2" /mnt
[ -z "$3" ] || mount -t tmpfs tmpfs /tmp
ip link set lo up
echo ready
exec cat
"""
"""The first process of a container, which ends with its input: NAME, FOLDER to share, OWN /tmp."""


@cache
def refusal() -> str:
    """Why there can be no containers here, with the command that is refused; else empty."""
    if any(Path(place).resolve().is_relative_to("/tmp") for place in (_ROOT, sys.prefix)):
        return "the checkout is in /tmp, of which each container has its own"
    for tried in (
        "mount -t tmpfs tmpfs /tmp",
        "ip link add bridge0 type bridge",
        "ip link add veth0 type veth peer name inner0",
    ):
        command = [*_UNSHARE, *tried.split()]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except OSError as error:
            return f"{' '.join(command)}: {error.strerror}"
        except subprocess.CalledProcessError as error:
            return f"{' '.join(command)}: {error.stderr.strip()}"
    return ""


class Container:
    """Namespaces with a first process; a context, at whose end no process in them is left."""

    def __init__(self, name: str, shared: Path, outer: Container | None = None) -> None:
        self.name = name
        self.first = 0
        """The first process, by its number outside."""
        self._shared = shared
        self._outer = outer
        self._started: list[subprocess.Popen[bytes]] = []
        self._held = ExitStack()

    def __enter__(self) -> Self:
        (self._shared / self.name).mkdir()
        outer = self._outer.entering() if self._outer else []
        own = ["", "own"] if self._outer else [str(self._shared), ""]
        with self.output("first").open("wb") as errors:
            holder = subprocess.Popen(
                [*outer, *_UNSHARE, "sh", "-c", _FIRST, "first", self.name, *own],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                start_new_session=True,
            )
        with ExitStack() as held:
            held.enter_context(holder)  # closes its input, and waits for its end
            assert holder.stdout is not None
            assert holder.stdout.readline() == b"ready\n", self.output("first").read_text()
            family = psutil.Process(holder.pid).children(recursive=True)
            (self.first,) = [one.pid for one in family if not one.children()]
            self._held = held.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        inside = self.processes()
        self._held.close()
        assert not psutil.wait_procs(inside, PATIENCE)[1], f"{self.name} has not ended"

    def entering(self, *only: str) -> list[str]:
        """What runs the command behind it inside, in all of its namespaces or only in some."""
        names = only or tuple(_NAMESPACES)
        return ["nsenter", *(f"--{one}=/proc/{self.first}/ns/{_NAMESPACES[one]}" for one in names)]

    def ip(self, words: str) -> None:
        """Set up its network; processes have the numbers that they have outside."""
        subprocess.run([*self.entering("net"), "ip", *words.split()], check=True)

    def start(self, name: str, *words: str) -> subprocess.Popen[bytes]:
        """Start our Python inside, in a home and a working folder of its own; see `output`."""
        home = SHARED / self.name
        bare = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
        tests = _ROOT / "tests"
        places = (_ROOT, tests, tests / "faults", tests / "core" / "measure" / "cluster")
        bare["PYTHONPATH"] = os.pathsep.join(map(str, places))
        shown = self.output(name)
        with shown.open("wb") as output, shown.with_suffix(".err").open("wb") as errors:
            started = subprocess.Popen(
                [*self.entering(), f"--wdns={home}", sys.executable, *words],
                env=bare | {"HOME": str(home)},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
        self._started.append(started)
        self._held.callback(started.wait, PATIENCE)
        self._held.callback(self._kill)
        return started

    def _kill(self) -> None:
        """Have the kernel end all processes inside."""
        with suppress(ProcessLookupError):
            os.kill(self.first, 9)

    def output(self, name: str) -> Path:
        """The file with what `start` of that name has printed."""
        return self._shared / self.name / f"{name}.txt"

    def processes(self) -> list[psutil.Process]:
        """All that is inside but in no container within, as it is seen from outside."""
        own = _namespace_of(self.first)
        return [one for one in psutil.process_iter() if own and _namespace_of(one.pid) == own]

    def begun(self) -> list[psutil.Process]:
        """Those of them that others have begun which we have started."""
        own = {self.first}
        for one in self._started:
            own |= {child.pid for child in psutil.Process(one.pid).children()}  # nsenter's
        return [one for one in self.processes() if one.pid not in own]


class Containers:
    """A network with a scheduler, and nodes in it; a context, at whose end all of it is gone."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        """What all see as `SHARED`."""
        self.address = ""
        self.nodes: list[Container] = []
        self.network = Container("network", folder)
        self._held = ExitStack()

    def __enter__(self) -> Self:
        with ExitStack() as held:
            held.enter_context(self.network)
            self.network.ip("link add bridge0 type bridge")
            self.network.ip(f"addr add {_ADDRESS.format(1)}/24 dev bridge0")
            self.network.ip("link set bridge0 up")
            self.address = self._schedule()
            self._held = held.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._held.close()

    def _schedule(self) -> str:
        shown = "scheduler.json"
        self.network.start(
            "scheduler",
            *("-m", "distributed.cli.dask_scheduler", f"--host={_ADDRESS.format(1)}", "--port=0"),
            *("--no-dashboard", f"--scheduler-file={shown}"),
        )
        found: list[str] = []

        def is_there() -> bool:
            with suppress(OSError, ValueError):  # not there, or half written
                told = (self.folder / self.network.name / shown).read_text("utf-8")
                found.append(json.loads(told)["address"])
            return bool(found)

        until(is_there)
        return found[0]

    def node(self) -> Container:
        """One more node, with a Dask worker."""
        number = len(self.nodes) + 1
        node = Container(f"node-{number}", self.folder, self.network)
        self._held.enter_context(node)
        self.nodes.append(node)
        own = _ADDRESS.format(number + 1)
        self.network.ip(f"link add veth{number} type veth peer name inner{number}")
        self.network.ip(f"link set inner{number} netns {node.first}")
        self.network.ip(f"link set veth{number} master bridge0 up")
        node.ip(f"addr add {own}/24 dev inner{number}")
        node.ip(f"link set inner{number} up")
        node.start(
            "worker",
            *("-m", "distributed.cli.dask_worker", self.address, f"--host={own}", "--nthreads=1"),
            *("--no-nanny", "--no-dashboard", "--memory-limit=0", f"--name={node.name}"),
        )
        return node

    def cut(self, node: Container) -> None:
        """Take the node off the network."""
        self.network.ip(f"link set veth{self.nodes.index(node) + 1} down")


def _namespace_of(pid: int) -> str:
    """Of its processes; empty for one that is gone."""
    try:
        return str(Path(f"/proc/{pid}/ns/pid").readlink())
    except OSError:
        return ""
