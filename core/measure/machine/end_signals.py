"""How processes end: signals, the tie to the process that started them, and closed streams."""

from __future__ import annotations

import fcntl
import os
import signal
import sys
from contextlib import suppress


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


def end_signals() -> dict[signal.Signals, int]:
    """Ctrl+C, SIGTERM and SIGHUP, each with the exit code after it.

    Under `nohup` a terminal that is closed ends nothing.
    """
    ends = {number: code_after(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        del ends[signal.SIGHUP]
    return ends


def code_after(number: int) -> int:
    """The exit code of a program that such a signal ended, as shells give it."""
    return 128 + number


_STANDARD = range(3)


def fill_closed_streams() -> None:
    """Open nothing in place of each standard stream that is closed.

    The next file, pipe or session would else get its number; children would read it as their input,
    and what a library prints would be written into it.
    """
    with suppress(OSError):  # no descriptor is left, and so none is closed
        while (opened := os.open(os.devnull, os.O_RDWR)) in _STANDARD:
            os.set_inheritable(opened, True)
        os.close(opened)
