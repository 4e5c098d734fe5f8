"""What whoever starts a program decides: the signals that end it, and streams that are closed."""

from __future__ import annotations

import os
import signal
from contextlib import suppress


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
