"""Verified is only what was compared, all of it, with an answer of its own."""

from __future__ import annotations

from collections.abc import Mapping

import building
import pytest
from msgspec.structs import replace

from core import Result
from core.tell.checked import checked_in
from core.vocabulary import Cancelled, Complaint


def of_command(threads: int = 4, **parameters: str) -> Result:
    spec = building.spec("command", threads=threads, parameters=parameters)
    return building.result(spec, [building.trial(spec, unit="run", index=at) for at in range(3)])


@pytest.mark.parametrize(
    ("parameters", "text"),
    [
        ({"run": "true", "same": "none"}, "exit code only, output not compared"),
        ({"run": "true", "same": "none", "check": "cmp {out} x"}, "judged by a command of yours"),
        ({"run": "cat x", "same": "stdout"}, "the same output in each run"),
        ({"run": "zstd -T{threads} x", "same": "stdout"}, "the same as with 2 threads"),
    ],
)
def test_that_a_program_is_never_called_verified(parameters: Mapping[str, str], text: str) -> None:
    results = [of_command(threads, **parameters) for threads in (2, 4)]
    compared = checked_in(results)
    assert (compared.text, compared.trust, compared.own) == (text, "plain", False)


def test_that_a_program_with_a_known_output_is_verified() -> None:
    compared = checked_in([of_command(run="cat x", expect="0" * 64)])
    assert (compared.text, compared.own) == ("6,000 runs compared, all right", True)


def test_that_what_a_later_version_measured_is_not_called_verified() -> None:
    spec = building.spec("of another version")
    compared = checked_in([building.result(spec, [building.trial(spec)])])
    assert (compared.text, compared.own) == ("2,000 sequences compared, all right", False)


def test_that_a_sample_is_named_by_its_share() -> None:
    spec = building.spec()
    trial = building.trial(spec, rate=100.0, seconds=1.0)
    workers = tuple(replace(one, compared=12) for one in trial.workers)
    compared = checked_in([building.result(spec, [replace(trial, workers=workers)])])
    assert compared.text == "12 % of sequences compared, all right"
    assert not compared.own


def test_that_errors_are_not_under_a_green_mark() -> None:
    spec = building.spec(threads=1)
    good = building.trial(spec, rate=100.0, seconds=1.0)
    (worker,) = good.workers
    fault = Complaint(wrong_data=False, text="BlockingIOError", count=3, first_item="x")
    bad = replace(good, workers=(replace(worker, errors=3),), complaints=(fault,))
    compared = checked_in([building.result(spec, [good, bad])])
    assert (compared.text, compared.trust) == ("3 of 203 sequences failed", "contradicted")


def test_that_a_cancelled_trial_takes_nothing_from_what_was_verified() -> None:
    spec = building.spec()
    trials = [building.trial(spec, index=at, rate=100.0, seconds=1.0) for at in range(2)]
    cut = replace(trials[0], index=2, outcome=Cancelled(stage="measuring"))
    compared = checked_in([building.result(spec, [*trials, cut])])
    assert (compared.text, compared.own) == ("200 sequences compared, all right", True)
