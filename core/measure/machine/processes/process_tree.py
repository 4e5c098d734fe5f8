"""The descendants of a program, wherever they have gone: found, ended, collected."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from time import monotonic, sleep
from typing import IO, TYPE_CHECKING

from core.language import Seconds
from core.measure.machine.descendants import (
    GUARD,
    STAMP,
    children_of,
    descendants_of,
    is_guard,
    stamp_of,
)
from core.measure.machine.end_signals import code_after
from core.measure.machine.processes.survivors import Survivor, running_process
from core.measure.machine.removal import as_in_mounts

if TYPE_CHECKING:
    import psutil


_PR_SET_CHILD_SUBREAPER = 36  # of prctl.h
_ROUNDS = 20
"""How often what carries a stamp is looked for: one that is killed may just have started more."""
_GONE = (ProcessLookupError, PermissionError)  # macOS says EPERM for zombies
_PROC = Path("/proc")
_KILLED: Seconds = 5.0
_GLANCE: Seconds = 0.002


def take_in_orphans(*, yes: bool) -> None:
    """Become the parent of what loses its own below this process (Linux), or no longer."""
    if sys.platform == "linux":
        import ctypes  # which a child does not wait for before it knows its work

        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, int(yes), 0, 0, 0)


def signal_group(group: int, number: signal.Signals) -> None:
    with suppress(*_GONE):
        os.killpg(group, number)


def kill(pid: int) -> bool:
    """Kill a process; False if it has become another user's and may not be killed."""
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return True
    except PermissionError:  # or it is a zombie
        return running_process(pid) is None
    return True


def end_all(look: Callable[[], Sequence[Survivor]]) -> Sequence[Survivor]:
    """Kill what `look` finds until it finds nothing more; returns what cannot be ended."""
    until = monotonic() + _KILLED
    while running := look():
        # All of them: one may be killed, and another may not.
        if not any([kill(one.pid) for one in running]) or monotonic() > until:  # noqa: C419
            break
        sleep(_GLANCE)
    return running


def kill_tree(leader: int) -> bool:
    """Kill a process, its group, and what of its descendants has left that.

    Returns whether the process itself may be killed.
    """
    below = tuple(_endable_below(leader))
    # All of the group at once: a shell that outlives what it waits for may end well.
    signal_group(leader, signal.SIGKILL)
    for pid in below:
        kill(pid)
    return kill(leader)


def _endable_below(pid: int) -> Iterator[int]:
    """All below a process but guards: they end by themselves, once what they guard is removed."""
    return (below for below in descendants_of(pid) if not is_guard(below))


def kill_descendants() -> tuple[Survivor, ...]:
    """Kill all below this process; returns what may not be killed, and still runs."""
    refused = [pid for pid in tuple(_endable_below(os.getpid())) if not kill(pid)]
    return tuple(one for pid in refused if (one := running_process(pid)) is not None)


def kill_stamped(part: str) -> None:
    """Kill all processes with that part in their stamps, wherever they have gone."""
    for _ in range(_ROUNDS):
        pids = stamped_with(part)
        if not pids:
            break
        for pid in pids:
            kill(pid)


def run_as_parent(command: Sequence[str]) -> int:
    """Run a program, then end what it left running, a daemon that hides its origin, too.

    In a process of its own, which becomes the parent of whatever the program loses: any other one
    would become that of what its other threads' programs lose.  Returns the exit code.
    """
    import subprocess  # which a trial's child does not need

    take_in_orphans(yes=True)
    try:
        code = subprocess.call(command)
    except OSError:
        code = 127
    for _ in range(_ROUNDS):
        orphans = children_of(os.getpid())
        if not any([kill(orphan) and collect(orphan) for orphan in orphans]):  # noqa: C419 -- all
            break
    return code if code >= 0 else code_after(-code)


def collect(pid: int) -> bool:
    """Wait a while for a child that was killed or has ended; whether it has.

    The kernel may hold it, as on a dead server's file.
    """
    until = monotonic() + _KILLED
    while not has_ended(pid):
        if monotonic() > until:
            return False
        sleep(_GLANCE)
    with suppress(ChildProcessError):
        os.waitpid(pid, 0)
    return True


def has_ended(pid: int) -> bool:
    """Whether a child of ours only waits to be collected, or was."""
    if hasattr(os, "waitid"):
        try:
            return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True
        except OSError:  # a container may forbid the call
            pass
    import psutil

    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True


def end_of(pid: int) -> int:
    """A descriptor that becomes readable when a child of ours has ended; -1 where there is none."""
    if sys.platform != "linux":
        return -1
    with suppress(OSError):  # before Linux 5.3, in a container that forbids it, none is left
        return os.pidfd_open(pid)
    try:
        watched, held_open = os.pipe()
    except OSError:
        return -1
    try:
        Thread(target=_await_end, args=(pid, held_open), name="await an end", daemon=True).start()
    except RuntimeError:  # no thread can be started
        os.close(watched)
        os.close(held_open)
        return -1
    return watched


def _await_end(pid: int, held_open: int) -> None:
    """Close a pipe once a child has ended, which its other end sees at once."""
    try:
        os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    except OSError:  # it was collected, or the call is forbidden, too
        while not has_ended(pid):
            sleep(_GLANCE)
    finally:
        os.close(held_open)


def name_of(pid: int) -> str:
    """The program's name as the kernel has it; its number if that is unknown."""
    with suppress(OSError):
        return (_PROC / str(pid) / "comm").read_bytes().decode("utf-8", "replace").strip()
    return str(pid)


def stamped_with(part: str) -> Collection[int]:
    """All processes of the machine with that part in their stamp and a slash, where /proc tells."""
    try:
        pids = [int(name) for name in os.listdir(_PROC) if name.isdecimal()]
    except OSError:
        return []
    return [pid for pid in pids if part in f"{stamp_of(pid)}/"]


def group_of(pid: int) -> int:
    """The group of a process; 0 if it is gone."""
    with suppress(*_GONE):
        return os.getpgid(pid)
    return 0


def programs_memory(pid: int) -> int:
    """Bytes resident of the stamped programs below a process and all that they have started.

    What several share counts once, where the system tells.
    """
    import psutil

    programs: list[psutil.Process] = []
    with suppress(psutil.Error):
        for child in psutil.Process(pid).children():
            with suppress(psutil.Error):
                if child.environ().get(STAMP, GUARD[STAMP]) != GUARD[STAMP]:
                    programs += [child, *child.children(recursive=True)]
    return sum(map(_memory_of, programs))


def _memory_of(process: psutil.Process) -> int:
    import psutil

    with suppress(psutil.Error):
        memory = process.memory_full_info()
        return int(getattr(memory, "pss", memory.rss))
    return 0


_FINDS_STAMPS = Path("/proc/self/environ").exists()
_PATIENCE: Seconds = 60.0
_SCRIPT = """
trap '' HUP INT TERM
groups=' '
while read -r sign group; do
  case $sign in
    +) groups="$groups$group " ;;
    -) groups="${groups%% $group *} ${groups#* $group }" ;;
    .) exit ;;
  esac
done
for group in $groups; do kill -KILL -"$group" 2>/dev/null; done
for round in 1 2 3; do
  for found in $(grep -lsF "/$1." /proc/[0-9]*/environ 2>/dev/null); do
    process=${found#/proc/}
    process=${process%/environ}
    kill -KILL -"$process" 2>/dev/null
    kill -KILL "$process" 2>/dev/null
  done
done
same_disk=$2
shift 2
while [ -n "$1" ]; do
  mounted=
  while read -r number parent device root point rest; do
    case $point in "$2" | "$2"/*) mounted=yes ;; esac
  done </proc/self/mountinfo
  [ -n "$mounted" ] || rm -rf $same_disk -- "$1"
  shift 2
done
"""
"""A folder with mounts of others stays, and is reported as left over."""
_SAME_DISK = "-x" if sys.platform == "darwin" else ""


class Guard:
    """Ends the processes of this process when it dies, and removes its folders.

    `mark` is in their stamps.  It is a shell with a pipe from this process, which the kernel closes
    at its death, however it came.  Where there is no /proc, each line adds a process group or takes
    one away; elsewhere nothing is written, since a shell that wakes up delays what is measured.
    """

    def __init__(self, mark: str, *folders: Path) -> None:
        """`folders` are removed after a death; raises OSError if no shell can be started."""
        import subprocess  # which a trial's child has no guard to start with

        self._popen = subprocess.Popen(
            # How `rm` stays on a disk; each folder, and its name in the list of mounts.
            ["/bin/sh", "-c", _SCRIPT, "sh", mark, _SAME_DISK]
            + [text for folder in folders for text in (str(folder), as_in_mounts(folder))],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # it outlives what kills the process and its group
            # Who ends this process by its stamp leaves the guard to end the rest.
            env={**os.environ, **GUARD},
            bufsize=0,
        )
        assert self._popen.stdin is not None
        self._to_guard: IO[bytes] = self._popen.stdin

    @property
    def pid(self) -> int:
        """Of the shell."""
        return self._popen.pid

    def require(self) -> None:
        """Raise ChildProcessError where somebody has killed it."""
        if self._popen.poll() is not None:
            raise ChildProcessError("the guard of the programs was killed")

    def add(self, group: int) -> None:
        """From now on this process group ends with the process."""
        if not _FINDS_STAMPS:
            self._say(f"+ {group}\n")

    def remove(self, group: int) -> None:
        if not _FINDS_STAMPS:
            self._say(f"- {group}\n")

    def close(self) -> None:
        import subprocess

        self._say(".\n")
        self._to_guard.close()
        try:
            self._popen.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()

    def _say(self, line: str) -> None:
        with suppress(BrokenPipeError):  # it was killed, which the next start tells
            os.write(self._to_guard.fileno(), line.encode())
