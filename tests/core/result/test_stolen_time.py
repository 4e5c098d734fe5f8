"""Time in which the hypervisor had the cores is told, and rates are per second on the wall."""

from __future__ import annotations

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.host.machine_noise import MachineNoise, stolen_share
from core.result.result import Trial

pytestmark = pytest.mark.quick

SECONDS = 2.0
shares = st.floats(0.0, 0.45)


def robbed(share: float, *, waited: float = 0.0, busy: float = 1.0, **noise: object) -> Trial:
    """A trial of one worker that kept a core busy for `busy` of its time, but for what was stolen.

    `waited`: seconds for which it waited for a core beside that.
    """
    wanted = busy * SECONDS
    first, last = building.reading(0.0), building.reading(SECONDS)
    return building.trial(
        building.spec(),
        first=msgspec.structs.replace(first, queued=0.0),
        last=msgspec.structs.replace(last, queued=waited),
        noise=MachineNoise(
            **{
                "seconds": SECONDS,
                "cores": 4,
                "own": wanted * (1.0 - share),
                "others": 0.0,
                "steal": wanted * share,
            }
            | noise  # type: ignore[arg-type]
        ),
    )


@given(shares)
def test_that_a_worker_that_computes_loses_what_was_stolen(share: float) -> None:
    assert robbed(share).stolen == pytest.approx(share)


@given(shares, st.floats(0.01, 1.0))
def test_that_a_worker_that_waits_for_something_else_loses_less(share: float, busy: float) -> None:
    assert robbed(share, busy=busy).stolen == pytest.approx(share * busy)


def test_that_waiting_for_a_core_counts_as_keeping_it_busy() -> None:
    assert robbed(0.2, busy=0.25, waited=10.0).stolen == pytest.approx(0.2)


def test_that_waiting_for_a_core_counts_by_its_seconds() -> None:
    half = robbed(0.2, busy=0.25, waited=SECONDS / 4)
    assert half.pressure == pytest.approx(0.5)
    since = msgspec.structs.replace(building.reading(0.0), queued=SECONDS / 8)
    assert msgspec.structs.replace(half, first=since).pressure == pytest.approx(0.375)


@pytest.mark.parametrize("unseen", ["first", "last"])
def test_that_no_waiting_is_known_where_a_kernel_does_not_count_it(unseen: str) -> None:
    waiting = robbed(0.2, busy=0.25)
    bare = msgspec.structs.replace(getattr(waiting, unseen), queued=None)
    assert msgspec.structs.replace(waiting, **{unseen: bare}).pressure == pytest.approx(0.25)


def test_that_it_keeps_no_fewer_than_none_busy_and_no_more_than_all() -> None:
    """The waiting of a process that has ended is missing in the last look."""
    assert robbed(0.2, waited=-10.0).pressure == robbed(0.2).pressure == 1.0
    assert robbed(0.2, busy=0.25, waited=-10.0).pressure == pytest.approx(0.25)
    assert robbed(0.2, waited=10.0).pressure == 1.0
    assert robbed(0.2, seconds=0.0).pressure == 0.0


def test_that_a_trial_keeps_all_the_cores_busy_that_it_is_bound_to() -> None:
    two = msgspec.structs.replace(robbed(0.2), workers=2 * robbed(0.2).workers)
    assert two.stolen == pytest.approx(0.2 / 2)
    assert msgspec.structs.replace(two, bound_cores=(1,)).stolen == pytest.approx(0.2)


@pytest.mark.parametrize("unknown", ["own", "others", "steal"])
def test_that_nothing_was_stolen_as_far_as_is_known_where_something_is_unknown(
    unknown: str,
) -> None:
    assert robbed(0.3, **{unknown: None}).stolen == 0.0


def test_that_a_trial_without_a_record_lost_nothing_that_is_known() -> None:
    assert msgspec.structs.replace(robbed(0.3), noise=None).stolen == 0.0
    assert msgspec.structs.replace(robbed(0.3), first=None).stolen == 0.0


@given(shares)
def test_that_rates_are_those_of_the_clock_on_the_wall(share: float) -> None:
    plain, taken = robbed(0.0), robbed(share)
    assert taken.throughput == plain.throughput
    assert taken.byte_rate == plain.byte_rate


@given(*[st.floats(0.0, 100.0)] * 3)
def test_that_others_lose_their_part_of_what_is_stolen(
    steal: float, own: float, others: float
) -> None:
    share = stolen_share(steal, own, others)
    assert 0.0 <= share <= 1.0
    assert share * (steal + own + others) == pytest.approx(steal, abs=1e-9)
