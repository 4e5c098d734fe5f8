"""What makes a figure doubtful is said of it: it still climbs, or workers had no work."""

from __future__ import annotations

import building
import pytest
from msgspec.structs import replace

from core import Result, Trial
from core.judge import doubts_within
from core.judge.trust import unsettling
from core.vocabulary import Moment

_TENTHS = 40


def paced(index: int, rates: tuple[float, ...]) -> Trial:
    """A trial whose operations per second change from one part of it to the next."""
    done, moments = 0.0, []
    for tenth in range(1, _TENTHS + 1):
        done += rates[(tenth - 1) * len(rates) // _TENTHS] / 10
        moments.append(
            Moment(
                at=tenth / 10, operations=(int(done),), cpu=(0,), bytes=0, errors=0, wrong=0,
                p50=0, p99=0, reading=None,
            )
        )  # fmt: skip
    return building.trial(building.spec(), index=index, moments=tuple(moments))


def of(*rates: tuple[float, ...]) -> Result:
    return building.result(building.spec(), [paced(at, one) for at, one in enumerate(rates)])


@pytest.mark.parametrize(
    ("rates", "climbs"),
    [
        ([(1000, 1500, 2000, 2500)] * 3, True),
        ([(1000, 2500, 2500, 2500)] * 3, False),
        ([(1000, 1500, 2000, 2500)] * 2 + [(2000, 2000, 2000, 2000)], False),
        ([(10, 15, 20, 25)] * 3, False),
        ([(2500, 1500, 2000, 2500)] * 3, False),
    ],
    ids=["climbs", "warms up", "not in each", "few operations", "after a stall"],
)
def test_that_a_throughput_that_still_climbs_is_doubted(
    rates: list[tuple[float, ...]], climbs: bool
) -> None:
    texts = [doubt.text for doubt in doubts_within(of(*rates))]
    assert any(text.startswith("Throughput still climbs") for text in texts) is climbs


def test_that_workers_without_work_unsettle_an_answer() -> None:
    spec = building.spec(threads=2)
    whole = building.trial(spec)
    busy, idle = whole.workers
    idle = replace(idle, operations=0, items=0)
    trial = replace(whole, workers=(busy, idle))
    (doubt,) = unsettling([building.result(spec, [trial])])
    assert doubt.text == "1 of 2 workers had work."
    assert doubt.unsettles
    assert doubt.idle == (busy.operations, 0)
    assert not unsettling([building.result(spec, [whole])])
