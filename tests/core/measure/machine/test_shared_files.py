"""A lock has one holder, also where lock files come and go; files are there whole or not at all."""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from core.measure import lock_at_once, locked, make_private, put_in_place
from core.measure.machine.shared_files import Flock, is_named


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


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def write(path: Path, meanwhile: Callable[[], object], *, overwrite: bool) -> None:
    with put_in_place(path, overwrite=overwrite) as new:
        new.write_text("ours")
        meanwhile()


def test_that_a_file_appears_only_when_it_is_whole(tmp_path: Path) -> None:
    with put_in_place(tmp_path / "a.csv", overwrite=False) as new:
        new.write_text("all of it")
        assert "a.csv" not in names(tmp_path)
    assert names(tmp_path) == {"a.csv"}
    assert (tmp_path / "a.csv").read_text() == "all of it"


def test_that_a_failure_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("before")
    with pytest.raises(ZeroDivisionError):
        write(path, lambda: 1 // 0, overwrite=True)
    assert names(tmp_path) == {"a.csv"}
    assert path.read_text() == "before"


def test_that_a_file_which_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    with pytest.raises(FileExistsError):
        write(path, lambda: path.write_text("theirs"), overwrite=False)
    assert path.read_text() == "theirs"
    assert names(tmp_path) == {"a.csv"}


def test_that_what_a_killed_writer_left_goes_after_a_day(tmp_path: Path) -> None:
    old, young = tmp_path / ".sluice-0123.new", tmp_path / ".sluice-4567.new"
    for path in (old, young):
        path.touch()
    os.utime(old, (0, time.time() - 90_000))
    with put_in_place(tmp_path / "a.csv", overwrite=False):
        pass
    assert names(tmp_path) == {young.name, "a.csv"}


def test_that_a_new_file_is_its_owners_alone_and_one_that_was_there_keeps_its_readers(
    tmp_path: Path,
) -> None:
    for before in (None, 0o644):
        path = tmp_path / f"{before}.csv"
        if before is not None:
            path.touch()
            path.chmod(before)
        with put_in_place(path, overwrite=True) as new:
            new.write_bytes(b"1")
        assert stat.S_IMODE(path.stat().st_mode) == (before or 0o600)


def test_that_a_folder_that_is_made_is_its_owners_alone_and_those_around_it_stay(
    tmp_path: Path,
) -> None:
    tmp_path.chmod(0o755)
    make_private(tmp_path / "a" / "b")
    modes = [stat.S_IMODE(one.stat().st_mode) for one in (tmp_path, *sorted(tmp_path.rglob("*")))]
    assert modes == [0o755, 0o700, 0o700]
