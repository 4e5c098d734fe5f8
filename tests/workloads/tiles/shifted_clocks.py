"""The workload `tiles` on a machine whose clock is wrong, as botocore sees it."""

from __future__ import annotations

import datetime
from typing import Any, override

from core import Context, Job
from workloads.tiles.tile_parameters import TileParameters
from workloads.tiles.tiles_workload import TilesOfImagery

_HOUR = datetime.timedelta(hours=1)


def shift_clock() -> None:
    """Have this process sign its requests as of an hour ago."""
    from botocore import auth

    right = auth.get_current_datetime
    auth.get_current_datetime = lambda *given, **named: right(*given, **named) - _HOUR


class SlowClock(TilesOfImagery):
    """The clock is wrong from the start of a trial."""

    @override
    def open(self, context: Context[TileParameters]) -> Job[Any, Any]:
        shift_clock()
        return super().open(context)


class JumpingClock(TilesOfImagery):
    """The clock jumps once all is open."""

    @override
    def open(self, context: Context[TileParameters]) -> Job[Any, Any]:
        job = super().open(context)
        shift_clock()
        return job
