"""Data that is too small to show what threads bring says so before it is measured."""

from collections.abc import Callable
from typing import Any

import pytest

from core.catalog.dataset import Dataset
from core.plan.foreseen import of_little_data
from core.plan.specify import specify


@pytest.fixture
def twenty_reads(made: Callable[[str], Dataset]) -> Dataset:
    return made("signal")


def said(data: Dataset, *threads: int, **values: Any) -> tuple[str, ...]:
    return of_little_data(
        [specify("signal", data, {"threads": count, **values}) for count in threads]
    )


@pytest.mark.parametrize("reader", ["blow5-c", "pod5-io"])
def test_that_fewer_than_four_reads_for_each_thread_are_said(
    twenty_reads: Dataset, reader: str
) -> None:
    (told,) = said(twenty_reads, 1, 8, 2, reader=reader)
    assert told == (
        "20 reads are too few to show what workers bring (8): a batch could have 1,000; "
        "take data with more reads"
    )


def test_that_enough_reads_or_a_batch_that_they_fill_is_nothing_to_say(
    twenty_reads: Dataset,
) -> None:
    assert said(twenty_reads, 1, 4) == ()
    assert said(twenty_reads, 8, batch_size=10) == ()


def test_that_one_thread_asks_for_no_more_reads_than_there_are(twenty_reads: Dataset) -> None:
    assert said(twenty_reads, 1, reads=1) == ()
