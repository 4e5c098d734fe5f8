"""A request to end."""

from __future__ import annotations

import os
import select

import pytest

from core.measure import Cancel

pytestmark = pytest.mark.quick


def open_descriptors() -> set[str]:
    return {name for name in os.listdir("/dev/fd") if os.path.exists(f"/dev/fd/{name}")}  # noqa: PTH110 -- the listing's own is gone


def is_readable(cancel: Cancel) -> bool:
    return bool(select.select([cancel], [], [], 0)[0])


def test_that_a_wait_ends_when_the_end_is_requested() -> None:
    cancel = Cancel()
    assert not is_readable(cancel)
    cancel.request()
    cancel.request()
    assert cancel.requested
    assert is_readable(cancel)


def test_that_nothing_stays_open_when_its_last_holder_is_gone() -> None:
    before = open_descriptors()
    cancel = Cancel()
    assert open_descriptors() != before
    del cancel
    assert open_descriptors() == before


def test_that_it_may_be_closed_twice() -> None:
    before = open_descriptors()
    cancel = Cancel()
    cancel.close()
    assert open_descriptors() == before
    cancel.close()
    assert open_descriptors() == before


def test_that_a_request_after_the_end_is_written_to_nobody_else() -> None:
    cancel = Cancel()
    cancel.close()
    read, write = os.pipe()  # they get the numbers that were its own
    cancel.request()
    assert cancel.requested
    assert not select.select([read], [], [], 0)[0]
    os.close(read)
    os.close(write)
