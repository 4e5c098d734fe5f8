"""The shapes of sampling: what is seen of one process, and of all processes of a trial."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Protocol

import msgspec


class InputOutput(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What one process has read and written; fields as in `Reading`."""

    read_bytes: int | None = None
    written_bytes: int | None = None
    read_chars: int | None = None
    written_chars: int | None = None
    read_calls: int | None = None
    write_calls: int | None = None


class ProcessSample(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What is cheapest to know of one process; fields as in `Reading`."""

    rss: int
    rss_anonymous: int | None = None
    rss_file: int | None = None
    threads: int
    cpu_user: float
    cpu_system: float


class ProcessTotals(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """What of one process only grows, so that it is not needed as often; fields as in `Reading`."""

    peak_rss: int | None = None
    io: InputOutput = InputOutput()


class Switches(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Context switches of the living threads of one process."""

    voluntary: int
    involuntary: int
    queued: float | None = None
    """Seconds spent ready to run, but waiting for a core."""


class Process(Protocol):
    """One process seen from outside.

    No method raises when the process has ended. `sample` then gives None, the others give
    None, 0 or nothing, and everything stays that way even if the pid is reused.
    """

    def sample(self) -> ProcessSample | None: ...

    def total(self) -> ProcessTotals: ...

    def count_fds(self) -> int | None:
        """Number of open files, or None where only a listing could tell."""

    def list_fds(self) -> int | None:
        """Number of open files at a cost that grows with it, or None if that is refused."""

    def count_fds_below(self, roots: Collection[str]) -> int | None:
        """Number of open files that are one of the resolved roots or lie below one."""

    def count_switches(self) -> Switches | None: ...

    def proportional(self) -> int | None:
        """Bytes resident, of each page the share that its process has in it (PSS).

        Takes longer the more memory there is; None if the system does not report it.
        """

    def children(self) -> Collection[int]:
        """Pids of the processes it started that have not ended."""

    def close(self) -> None:
        """Let go of what is held open to look at it."""


def known_sum[Number: (int, float)](values: Iterable[Number | None]) -> Number | int | None:
    """The sum, or None when one of the values is unknown."""
    addends = list(values)
    return None if None in addends else sum(value for value in addends if value)
