"""What trials use while they are prepared, before anything is measured.

Nobody knows how long preparing takes, so its time is counted backwards from where the first piece
of the axis begins: what is measured lies where it does in a recording, which has none of this.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from app.plots.time.timeline import PAUSE
from core import Moment

_MOST = 1_200
"""Looks that are kept: two minutes of them, of longer times fewer a second."""


class _Look(NamedTuple):
    trial: int
    time: float
    """Seconds since the first one."""
    moment: Moment


class Preparing:
    """Looks at one trial after the other."""

    def __init__(self) -> None:
        self._looks: list[_Look] = []
        self._newest: _Look | None = None
        self._count, self._every = 0, 1

    def __bool__(self) -> bool:
        return bool(self._looks)

    def add(self, trial: int, moment: Moment) -> None:
        """One more look; while another trial was looked at, no time has gone by for this one."""
        time, before = 0.0, self._newest
        if before is not None:
            same = before.trial == trial
            time = before.time + (max(moment.at - before.moment.at, 0.0) if same else 0.0)
        self._newest = _Look(trial, time, moment)
        if self._count % self._every == 0:
            self._looks.append(self._newest)
        self._count += 1
        if len(self._looks) > _MOST:
            del self._looks[1::2]
            self._every *= 2

    def pieces(self) -> Iterator[tuple[int, list[float], list[Moment]]]:
        """By trial, in order: its index, the times on the axis, and the looks."""
        end = PAUSE + (self._newest.time if self._newest is not None else 0.0)
        for trial, looks in groupby(self._looks, key=lambda look: look.trial):
            these = list(looks)
            yield trial, [look.time - end for look in these], [look.moment for look in these]
