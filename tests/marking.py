"""Processes that a test looks at: what they were started with, and which of them are its own."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable
from contextlib import suppress

import psutil

MARK = "SLUICE_TEST_MARK"  # a variable in their environment, which orphans keep
SUITE = "SLUICE_TEST_SUITE"
"""The same of all that one run of the suite has started."""


def marked(mark: str) -> list[psutil.Process]:
    """All living processes that were started under a mark, this one apart."""
    return started(mark, MARK)


def orphans(suite: str) -> list[psutil.Process]:
    """All that a run of the suite has started and that none of this process's children has."""
    ours = {one.pid for one in psutil.Process().children(recursive=True)}
    return _marked(suite, SUITE, ours | {os.getpid()})


def started(mark: str, variable: str) -> list[psutil.Process]:
    """All living processes that have a mark in a variable of their environment, this one apart."""
    return _marked(mark, variable, {os.getpid()})


def _marked(mark: str, variable: str, apart: set[int]) -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter():
        try:
            if (
                process.pid not in apart
                and process.status() != psutil.STATUS_ZOMBIE
                and process.environ().get(variable) == mark
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


def still_there(
    mark: str, seconds: float, look: Callable[[str], list[psutil.Process]] = marked
) -> list[str]:
    """What of the processes under a mark is there after so long, then killed; returns as they end.

    A signal sent is not yet a process ended, and where no init reaps orphans their zombies stay.
    """
    until = time.monotonic() + seconds
    while (left := look(mark)) and time.monotonic() < until:
        select.select([], [], [], 0.005)
    told = [f"{process} {' '.join(arguments_of(process))}".rstrip() for process in left]
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    return told
