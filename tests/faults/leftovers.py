"""Holds a test to leave nothing behind, whatever died in it."""

from __future__ import annotations

import gc
import os
import select
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from marking import MARK, still_there
from patience import PATIENCE


@contextmanager
def nothing_left_of_it(folder: Path) -> Iterator[str]:
    """Holds what is done within to leave no process, file, memory or descriptor; gives its mark.

    The mark is an environment variable's value, by which descendants are known, orphans too.
    """
    mark = uuid.uuid4().hex
    temporary, cache = folder / "temporary", folder / "cache"
    temporary.mkdir()
    gc.collect()  # what tests before have let go of would be closed in between
    shared, descriptors = _shared_memory(), _descriptors()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tempfile, "tempdir", str(temporary))
        for name, value in (
            ("TMPDIR", temporary),
            ("SLUICE_CACHE", cache),
            ("SLUICE_STATE", folder / "state"),
            (MARK, mark),
        ):
            patch.setenv(name, str(value))
        yield mark
    gc.collect()
    left = _descriptors().items() - descriptors.items()
    assert not left, f"left open: {dict(left)}"
    assert not still_there(mark, PATIENCE)
    assert not list(temporary.iterdir())
    assert not [path for path in cache.rglob("*") if not path.is_dir()]
    assert not _still_shared(shared)


def _descriptors() -> dict[str, str]:
    if sys.platform != "linux":
        return {}
    found = {}
    for name in os.listdir("/proc/self/fd"):
        try:
            found[name] = str(Path("/proc/self/fd", name).readlink())
        except OSError:  # that of the listing itself
            continue
    return found


def _still_shared(before: set[str]) -> set[str]:
    """What is new in shared memory and stays there: what is of others, in between, does not."""
    until = time.monotonic() + PATIENCE
    while (left := _shared_memory() - before) and time.monotonic() < until:
        select.select([], [], [], 0.05)
    return left


def _shared_memory() -> set[str]:
    folder = Path("/dev/shm")
    return {path.name for path in folder.glob("*sluice*")} if folder.is_dir() else set()
