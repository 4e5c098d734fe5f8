"""Processes that a test looks at: what they were started with, and which of them are its own."""

from __future__ import annotations

import os
import select
import time

import psutil

MARK = "SLUICE_TEST_MARK"  # a variable in their environment, which orphans keep


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


def arguments_of(process: psutil.Process) -> list[str]:
    """What it was started with; nothing where it has ended, be it while it was asked."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


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
