"""Complaints are told by kind, few of them, and none goes uncounted."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.trial.operation_timer import Complaints

pytestmark = pytest.mark.quick


@given(numbers=st.lists(st.integers(0, 10**9), min_size=1, max_size=50))
def test_that_complaints_that_differ_in_numbers_only_are_one_kind(numbers: list[int]) -> None:
    complaints = Complaints()
    for number in numbers:
        complaints.add(wrong_data=True, text=f"{number} of 5 bases", item=str(number))
    (one,) = complaints.found.values()
    assert (one.count, one.text) == (len(numbers), f"{numbers[0]} of 5 bases")
    assert one.first_item == str(numbers[0])


def test_that_complaints_that_differ_in_uuids_only_are_one_kind() -> None:
    complaints = Complaints()
    for name in (uuid4(), UUID(int=0), uuid4()):
        complaints.add(wrong_data=True, text=f"read {name} differs: samples", item="batch")
    (one,) = complaints.found.values()
    assert one.count == 3


def test_that_an_item_is_called_alike_however_often_complaints_are_merged() -> None:
    complaints, others = Complaints(), Complaints()
    others.add(wrong_data=True, text="differs", item="read 'a' of reads.blow5")
    complaints.merge(others)
    assert [one.first_item for one in complaints.found.values()] == ["read 'a' of reads.blow5"]


def test_that_kinds_of_complaints_are_bounded_and_none_is_lost() -> None:
    complaints, others = Complaints(), Complaints()
    for number in range(100):
        text = "x" * (number + 1)
        complaints.add(wrong_data=False, text=text, item=str(number))
        others.add(wrong_data=False, text=text, item=str(number))
    complaints.merge(others)
    assert len(complaints.found) <= 22
    assert sum(one.count for one in complaints.found.values()) == 200
    assert all(len(one.text) <= 500 for one in complaints.found.values())
