"""Processes that a test has started, known by a variable in their environment: orphans too."""

from __future__ import annotations

import os
import select
import time

import psutil

MARK = "SLUICE_TEST_MARK"


def marked(mark: str) -> list[psutil.Process]:
    """All living processes that were started under a mark, this one apart."""
    found = []
    for process in psutil.process_iter():
        try:
            if (
                process.pid != os.getpid()
                and process.status() != psutil.STATUS_ZOMBIE
                and process.environ().get(MARK) == mark
            ):
                found.append(process)
        except psutil.Error:
            continue
    return found


def still_there(mark: str, seconds: float) -> list[str]:
    """What of the processes under a mark is there after so long, then killed; returns as they end.

    A signal sent is not yet a process ended, and where no init reaps orphans their zombies stay.
    """
    until = time.monotonic() + seconds
    while (left := marked(mark)) and time.monotonic() < until:
        select.select([], [], [], 0.005)
    for process in left:
        process.kill()
    return [str(process) for process in left]
