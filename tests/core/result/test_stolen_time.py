"""Time in which the hypervisor had the cores is no time of a trial."""

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


def gain(trial: Trial) -> float:
    """How much higher its rate is than the one that the clock on the wall shows."""
    assert trial.throughput is not None
    assert trial.observed_throughput is not None
    return trial.throughput / trial.observed_throughput


@given(shares)
def test_that_a_worker_that_computes_loses_what_was_stolen(share: float) -> None:
    assert gain(robbed(share)) == pytest.approx(1.0 / (1.0 - share))


@given(shares, st.floats(0.01, 1.0))
def test_that_a_worker_that_waits_for_something_else_loses_less(share: float, busy: float) -> None:
    assert gain(robbed(share, busy=busy)) == pytest.approx(1.0 / (1.0 - share * busy))


def test_that_waiting_for_a_core_counts_as_keeping_it_busy() -> None:
    assert gain(robbed(0.2, busy=0.25, waited=10.0)) == pytest.approx(1.0 / 0.8)


def test_that_a_trial_keeps_all_the_cores_busy_that_it_is_bound_to() -> None:
    two = msgspec.structs.replace(robbed(0.2), workers=2 * robbed(0.2).workers)
    assert gain(two) == pytest.approx(1.0 / (1.0 - 0.2 / 2))
    assert gain(msgspec.structs.replace(two, bound_cores=(1,))) == pytest.approx(1.0 / 0.8)


@pytest.mark.parametrize("unknown", ["own", "others", "steal"])
def test_that_nothing_is_left_out_where_something_is_unknown(unknown: str) -> None:
    assert gain(robbed(0.3, **{unknown: None})) == 1.0


def test_that_a_trial_without_a_record_is_taken_as_it_is() -> None:
    assert gain(msgspec.structs.replace(robbed(0.3), noise=None)) == 1.0
    assert gain(msgspec.structs.replace(robbed(0.3), first=None)) == 1.0


def test_that_more_than_half_is_never_left_out() -> None:
    assert gain(robbed(0.99)) == pytest.approx(2.0)


@given(*[st.floats(0.0, 100.0)] * 3)
def test_that_others_lose_their_part_of_what_is_stolen(
    steal: float, own: float, others: float
) -> None:
    share = stolen_share(steal, own, others)
    assert 0.0 <= share <= 1.0
    assert share * (steal + own + others) == pytest.approx(steal, abs=1e-9)


def test_that_bytes_and_operations_are_corrected_alike() -> None:
    plain, taken = robbed(0.0), robbed(0.4)
    assert plain.byte_rate is not None
    assert taken.byte_rate == pytest.approx(plain.byte_rate / 0.6)
