"""Has the kernel end a process group with the process that holds the other end of a pipe."""

from __future__ import annotations

import fcntl
import os
import signal
import sys


def tie(group: int, life: int) -> None:
    """Make the kernel kill a process group when the other end of the pipe `life` closes (Linux).

    Nobody writes into it: only the engine has the other end, and its closing is the signal.  A
    child also notices the engine's death by itself, but not before its imports and not while
    foreign code holds the GIL.  PR_SET_PDEATHSIG would not kill what the child has started.
    """
    if sys.platform == "linux":
        fcntl.fcntl(life, fcntl.F_SETOWN, -group)
        fcntl.fcntl(life, fcntl.F_SETSIG, signal.SIGKILL)
        fcntl.fcntl(life, fcntl.F_SETFL, os.O_ASYNC)
