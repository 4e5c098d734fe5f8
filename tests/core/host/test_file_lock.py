"""A lock has one holder, also where lock files come and go."""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

import pytest

from core.host.shared_files import Flock, is_named, lock_at_once, locked


def interrupted(meanwhile: Callable[[], None]) -> Flock:
    """As the kernel, but somebody else does something before the first lock is asked for."""
    waiting = [meanwhile]

    def flock(descriptor: int, operation: int) -> None:
        if waiting:
            waiting.pop()()
        fcntl.flock(descriptor, operation)

    return flock


def test_that_what_is_locked_cannot_be_locked_again(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    held = lock_at_once(path)
    assert held is not None
    assert lock_at_once(path) is None
    held.close()
    again = lock_at_once(path)
    assert again is not None
    again.close()


def test_that_a_lock_file_that_goes_before_it_is_locked_does_not_let_in_two(
    tmp_path: Path,
) -> None:
    """The holder removes it and lets go while the next one has it open, and a third comes."""
    path = tmp_path / "lock"
    holder = lock_at_once(path)
    assert holder is not None

    def let_go() -> None:
        path.unlink()
        holder.close()

    second = lock_at_once(path, flock=interrupted(let_go))
    assert second is not None
    assert is_named(second.fileno(), path)
    assert lock_at_once(path) is None
    second.close()


def test_that_one_who_waits_for_a_lock_file_that_goes_waits_for_the_next_one(
    tmp_path: Path,
) -> None:
    path = tmp_path / "lock"

    with locked(path, flock=interrupted(path.unlink)):
        assert lock_at_once(path) is None


def test_that_a_lock_on_a_file_that_must_be_there_makes_none(tmp_path: Path) -> None:
    path = tmp_path / "entry.json"
    path.write_bytes(b"{}")
    with pytest.raises(FileNotFoundError):
        lock_at_once(path, "rb", flock=interrupted(path.unlink))
    assert not path.exists()


def test_that_who_waits_for_a_lock_says_so(tmp_path: Path) -> None:
    held = lock_at_once(tmp_path / "lock")
    assert held is not None
    waited: list[bool] = []

    def waiting() -> None:
        waited.append(held.closed)
        held.close()

    with locked(tmp_path / "lock", waiting=waiting):
        assert waited == [False]
    with locked(tmp_path / "lock", waiting=waiting):
        assert waited == [False]
