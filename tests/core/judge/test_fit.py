"""What is left out because it cannot fit the cores or the memory, and how that is said."""

from __future__ import annotations

import random
from collections.abc import Mapping

import building
import pytest

from core.judge import unfit, within_cores
from core.judge.fit import memory_each, too_large
from core.vocabulary import Dataset, Result, RunSpec, build, label, values_of
from workloads.command.command_parameters import CommandParameters

pytestmark = pytest.mark.quick
GIB = float(1 << 30)


def pigz(jobs: int, threads: int, data: Dataset | None = None) -> RunSpec:
    values = values_of(build(CommandParameters, {"run": "pigz -p {threads} -c {each}"}))
    return building.spec("command", parameters=values, data=data, threads=threads, processes=jobs)


def measured(spec: RunSpec, gib: float) -> Result:
    trial = building.trial(spec, counters={"bytes resident at most": gib * GIB})
    return building.result(spec, [trial])


def test_that_what_has_more_threads_than_cores_is_left_out_and_nothing_else() -> None:
    drawn = random.Random(7)
    for _ in range(50):
        cores = drawn.randint(1, 64)
        specs = [pigz(jobs, threads) for jobs in (1, 2, 5, 9) for threads in (1, 3, 8)]
        kept = within_cores(specs, cores)
        assert kept == tuple(one for one in specs if one.load.workers <= cores)


def test_that_all_are_kept_where_none_fits_or_one_number_alone_varies() -> None:
    crowded = (pigz(4, 8), pigz(8, 8), pigz(8, 16))
    assert within_cores(crowded, 2) == crowded
    only_threads = (pigz(1, 2), pigz(1, 8))
    assert within_cores(only_threads, 2) == only_threads


def test_that_threads_of_readers_are_no_cores() -> None:
    specs = tuple(
        building.spec("raw", parameters={}, threads=threads, processes=processes)
        for threads in (1, 64)
        for processes in (1, 64)
    )
    assert within_cores(specs, 2) == specs


def test_that_only_what_surely_takes_too_much_memory_is_too_large() -> None:
    """The truth of a run grows with its threads, and some of it was measured."""
    drawn = random.Random(8)
    for _ in range(200):
        base, step, room = drawn.randint(1, 50), drawn.randint(0, 9), drawn.randint(1, 400)
        truth = {threads: float(base + step * threads) for threads in range(1, 9)}
        known: Mapping[int, float] = {one: truth[one] for one in drawn.sample(range(1, 9), 3)}
        for jobs in range(1, 9):
            for threads in range(1, 9):
                is_left_out = too_large((jobs, threads), known, room)
                assert not is_left_out or jobs * truth[threads] > room
                if threads in known and jobs > 1:
                    assert is_left_out == (jobs * truth[threads] > room)


def test_that_nothing_is_too_large_before_anything_was_measured() -> None:
    assert memory_each([]) == {}
    assert not too_large((64, 64), {}, 1.0)


def test_that_each_cell_that_does_not_fit_says_why() -> None:
    """The machine has 8 cores and 32 GiB."""
    every = [pigz(jobs, threads) for jobs in (1, 4, 8) for threads in (1, 2)]
    planned = within_cores(every, 8)
    results = [measured(pigz(1, 1), 6.25), measured(pigz(1, 2), 6.5)]
    assert unfit(planned, results) == {
        (8, 1): "8 × 6.2 GiB = 50.0 GiB of 32.0 GiB",
        (8, 2): "more threads than 8 cores",
    }
    assert unfit(planned, []) == {}
    assert unfit([building.spec()], [building.good(building.spec(), 1.0)]) == {}


def test_that_a_cell_that_was_measured_is_named_by_nobody() -> None:
    planned = (pigz(1, 1), pigz(8, 1))
    results = [measured(pigz(1, 1), 6.25), measured(pigz(8, 1), 31.0)]
    assert unfit(planned, results) == {}


def test_that_settings_of_programs_are_called_by_files_at_once() -> None:
    names = ("threads", "processes")
    assert label(pigz(8, 4), names) == "8 files at once, 4 threads each"
    assert label(pigz(1, 16), names) == "1 file at a time, 16 threads"
    assert label(pigz(8, 1), ["processes"]) == "8 files at once"
    assert label(pigz(1, 4), ["threads"]) == "4 threads"
    assert label(building.spec(threads=4, processes=8), names) == "8 processes of 4 threads"
