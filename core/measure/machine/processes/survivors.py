"""Processes that could not be ended: named, and written down for as long as they run.

One that has become another user's may not be killed by us, and hides its stamp from us; one that
the kernel holds does not die.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import override

import msgspec

from core.language import Finite, Name, Seconds, Whole, tr
from core.measure.machine.folders import make_private, state_folder

_CLOCK_SET: Seconds = 2.0
"""By how much the time at which a process began may seem to change."""


class Survivor(msgspec.Struct, frozen=True, kw_only=True):
    pid: Whole
    started: Finite
    """Seconds since 1970, UTC; with it no other process is mistaken for this one."""
    name: Name
    user: Name

    @override
    def __str__(self) -> str:
        return tr(
            "{name} ({pid}) of user {user} still runs: end it with sudo kill -KILL {pid}",
            name=self.name,
            pid=self.pid,
            user=self.user,
        )

    @property
    def now(self) -> Survivor | None:
        """The same process as it is now, perhaps of another user; None if it has ended."""
        now = running_process(self.pid)
        same = now is not None and abs(now.started - self.started) < _CLOCK_SET
        return now if same else None


def running_process(pid: int) -> Survivor | None:
    """A process as it is now; None if it has ended."""
    import psutil

    with suppress(psutil.Error, OSError):
        process = psutil.Process(pid)
        if process.status() not in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
            return Survivor(
                pid=pid,
                started=process.create_time(),
                name=process.name(),
                user=process.username(),
            )
    return None


def write_down(found: Iterable[Survivor]) -> None:
    """Remember them for `survivors`."""
    for one in found:
        with suppress(OSError):  # it is said now all the same
            make_private(_folder())
            (_folder() / f"{one.pid}.json").write_bytes(msgspec.json.encode(one))


def survivors() -> tuple[Survivor, ...]:
    """Those that were written down and still run; the others are forgotten."""
    running: list[Survivor] = []
    for path in sorted(_folder().glob("*.json")):
        with suppress(OSError, msgspec.MsgspecError):
            one = msgspec.json.decode(path.read_bytes(), type=Survivor)
            if now := one.now:
                running.append(now)
            else:
                path.unlink()
    return tuple(running)


def _folder() -> Path:
    return state_folder() / "survivors"
