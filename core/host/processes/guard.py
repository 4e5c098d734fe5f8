"""Ends the processes of a process that dies, and removes its folder.

It is a shell with a pipe from that process, which the kernel closes at its death, however it came.
It finds the processes by their stamps.  Where there is no /proc, each line adds a process group or
takes one away; elsewhere nothing is written, since a shell that wakes up delays what is measured.
"""

from __future__ import annotations

import os
import subprocess
from contextlib import suppress
from pathlib import Path
from typing import IO

from core.host.processes.process_tree import STAMP
from core.language.units import Seconds

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
[ -z "$2" ] || rm -rf -- "$2"
"""


class Guard:
    """The guard of this process; `mark` is in the stamps of what it has started."""

    def __init__(self, mark: str, folder: Path | None) -> None:
        """`folder` is removed after a death; raises OSError where no shell can be started."""
        self._popen = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "sh", mark, str(folder or "")],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # it outlives what kills the process and its group
            # Who ends this process by its stamp leaves the guard to end the rest.
            env={name: value for name, value in os.environ.items() if name != STAMP},
            bufsize=0,
        )
        assert self._popen.stdin is not None
        self._tell: IO[bytes] = self._popen.stdin

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
        """This process group has ended."""
        if not _FINDS_STAMPS:
            self._say(f"- {group}\n")

    def close(self) -> None:
        """Nothing is left to be guarded."""
        self._say(".\n")
        self._tell.close()
        try:
            self._popen.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()

    def _say(self, line: str) -> None:
        with suppress(BrokenPipeError):  # it was killed, which the next start tells
            os.write(self._tell.fileno(), line.encode())
