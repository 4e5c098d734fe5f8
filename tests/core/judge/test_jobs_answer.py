"""Of programs at once: what is advised, what that is against, and what does it cheaper."""

from __future__ import annotations

import building
import pytest

from core.judge import advise
from core.vocabulary import Result, build, values_of
from workloads.command.command_parameters import CommandParameters

pytestmark = pytest.mark.quick


def measured(jobs: int, threads: int, rate: float, cpu: float) -> Result:
    """Five trials of so many runs a second, each of which takes so many core-seconds."""
    values = values_of(build(CommandParameters, {"run": "pigz -p {threads} -c {each}"}))
    spec = building.spec("command", parameters=values, threads=threads, processes=jobs)
    trials = []
    for index, wobble in enumerate((0.995, 1.0, 1.005, 0.998, 1.002)):
        one = building.trial(spec, index=index, rate=rate * wobble, seconds=400.0)
        counters = {
            "CPU seconds": cpu * wobble * one.operations,
            "wall seconds": jobs / rate * one.operations,
            "bytes resident at most": float(jobs << 30),
        }
        trials.append(
            building.trial(
                spec, index=index, rate=rate * wobble, seconds=400.0, block=index, counters=counters
            )
        )
    return building.result(spec, trials)


RESULTS = (
    measured(1, 1, 1.0, 1.0),
    measured(1, 8, 4.0, 1.9),
    measured(2, 4, 8.0, 1.5),
    measured(8, 1, 7.4, 1.1),
)


def test_that_the_gain_is_against_one_at_a_time_and_a_cheaper_setting_is_named() -> None:
    advice = advise(RESULTS)
    assert advice is not None
    assert advice.sentence.startswith(
        "Use 2 files at once, 4 threads each: 2.00× (2.00× to 2.00×) 1 file at a time, 8 threads. "
    )
    assert advice.sentence.endswith("8 files at once, 1 thread each: 7.50 % slower, 27 % cheaper.")


def test_that_figures_are_of_one_file_and_of_all_in_an_hour() -> None:
    advice = advise(RESULTS)
    assert advice is not None
    chosen, alone = (one.text for one in advice.at_once)
    assert chosen.startswith("2 files at once, 4 threads each: 28,800 an hour (")
    assert chosen.endswith("one takes 250 ms, 1.50 core-seconds, 1.0 GiB")
    assert alone.startswith("1 file at a time, 8 threads: 14,400 an hour (")


def test_that_nothing_is_cheaper_where_that_is_not_sure_or_too_slow() -> None:
    equal = advise((*RESULTS[:3], measured(8, 1, 7.4, 1.5)))
    slow = advise((*RESULTS[:3], measured(8, 1, 6.9, 1.0)))
    assert equal is not None
    assert slow is not None
    assert (equal.cheaper, slow.cheaper) == (None, None)


def test_that_other_work_has_no_such_figures() -> None:
    advice = advise([building.good(building.spec(threads=n), 1.0, 1.0, 1.0) for n in (1, 2)])
    assert advice is not None
    assert advice.at_once == ()
