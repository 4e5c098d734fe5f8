"""What a client tells of files, at once or a moment later, counts once and in time."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import pytest
from patience import PATIENCE
from transferring import Counting, a_pass, new_mark

from core.language import Unavailable
from core.vocabulary import build
from workloads.transfer.acknowledged_files import (
    Acknowledged,
    acknowledged,
    forget_acknowledged,
)
from workloads.transfer.synapse_service import token_of
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import BEGUN

pytestmark = pytest.mark.quick

NAMES = tuple(f"file-{number}" for number in range(400))


def test_that_what_is_noted_counts_when_it_is_told(tmp_path: Path) -> None:
    meter = Counting()
    going = a_pass(tmp_path, meter, NAMES)
    going.note_begun("file-0")
    going.note_begun("file-1")
    going.note_done("file-1")
    assert going.has_begun("file-0")
    assert (meter.tallies, meter.done_operations, going.done_names) == ({}, 0, set())
    going.report_noted()
    going.report_noted()
    assert meter.tallies == {BEGUN: 2}
    assert (meter.done_operations, meter.timed, meter.bytes) == (1, 1, 10)
    assert going.done_names == {"file-1"}


def test_that_bytes_which_moved_before_do_not_move_again_with_the_end(tmp_path: Path) -> None:
    meter = Counting()
    going = a_pass(tmp_path, meter, NAMES)
    going.note_begun("file-0")
    going.moved("file-0", 7)
    going.note_done("file-0")
    going.report_noted()
    assert meter.bytes == 10


def test_that_a_file_told_at_once_and_noted_counts_once(tmp_path: Path) -> None:
    meter = Counting()
    going = a_pass(tmp_path, meter, NAMES)
    going.begun("file-0")
    going.note_begun("file-0")
    going.done("file-0")
    going.note_done("file-0")
    going.note_done("file-0")
    going.failed("file-1", "broken")
    going.note_done("file-1")
    going.report_noted()
    assert (meter.tallies, meter.done_operations, len(meter.faults)) == ({BEGUN: 1}, 1, 1)


def test_that_the_end_of_a_pass_tells_what_was_noted_and_nothing_that_comes_later(
    tmp_path: Path,
) -> None:
    meter = Counting()
    going = a_pass(tmp_path, meter, NAMES)
    going.note_begun("file-0")
    going.note_done("file-0")
    going.end(cut=True)
    going.note_begun("file-1")
    going.note_done("file-1")
    going.report_noted()
    assert (meter.tallies, meter.done_operations) == ({BEGUN: 1}, 1)
    assert going.rows() == ["0/file-0"]


def test_that_what_counts_is_acknowledged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    mark, going = new_mark(), a_pass(tmp_path, Counting(), NAMES)
    going.acknowledged = Acknowledged(mark, 0, NAMES)
    going.acknowledged.begin()
    going.note_done("file-3")
    assert acknowledged(mark, NAMES) == {0: frozenset()}
    going.report_noted()
    assert acknowledged(mark, NAMES) == {0: frozenset({"file-3"})}
    going.acknowledged.remove()


@pytest.mark.parametrize("names", [NAMES, ()], ids=["in memory", "in a file"])
def test_that_what_was_acknowledged_is_gone_once_it_is_known_and_later_files_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: Sequence[str]
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    mark = new_mark()
    one = Acknowledged(mark, 3, names)
    one.begin()
    one.add("file-3")
    assert acknowledged(mark, names) == {3: frozenset({"file-3"})}
    one.remove()
    assert acknowledged(mark, names) == {}
    one.add("file-4")
    assert acknowledged(mark, names) == {3: frozenset({"file-4"})}
    one.remove()


@pytest.mark.parametrize("token", ["tökén", "two\nlines"])
def test_that_a_token_that_no_header_takes_is_refused_without_being_shown(
    monkeypatch: pytest.MonkeyPatch, token: str
) -> None:
    monkeypatch.setenv("SLUICE_TEST_TOKEN", token)
    given = {"client": "synapse-sync", "token": "env:SLUICE_TEST_TOKEN"}
    with pytest.raises(Unavailable, match="the secret at env:SLUICE_TEST_TOKEN has") as refused:
        token_of(build(TransferParameters, given))
    assert token not in str(refused.value)


def test_that_many_threads_lose_no_file_while_another_tells(tmp_path: Path) -> None:
    meter = Counting()
    going = a_pass(tmp_path, meter, NAMES)
    left = iter(NAMES)

    def work() -> None:
        for name in left:
            going.note_begun(name)
            going.note_done(name)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        going.report_noted()
    going.end(cut=False)
    assert meter.tallies == {BEGUN: len(NAMES)}
    assert meter.done_operations == meter.timed == len(NAMES)
    assert going.done_names == set(NAMES)


def test_that_who_waits_for_files_is_told_of_those_that_were_noted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "workloads.transfer.transfer_pass.STOP_CHECK_SECONDS", PATIENCE
    )  # no look of its own helps it
    going = a_pass(tmp_path, Counting(), NAMES)
    waited: list[bool] = []
    waiting = threading.Thread(target=lambda: waited.append(going.wait_for(2)))
    waiting.start()
    for name in NAMES[:2]:
        going.note_done(name)
    going.report_noted()
    waiting.join(PATIENCE / 2)
    assert waited == [True]


def test_that_names_of_files_that_are_done_survive_whatever_is_in_them(cache: Path) -> None:
    names = ("two\nlines", "ünï/çødé – 木.bin", "with spaces", "long-" * 51)
    known = Acknowledged("a-mark", 3)
    for name in names:
        known.add(name)
    with (cache / "transfers" / "done" / "a-mark" / "3").open("ab") as file:
        file.write(b"cut off in its mid")
    assert acknowledged("a-mark") == {3: frozenset(names)}
    assert acknowledged("another-mark") == {}
    known.remove()
    assert acknowledged("a-mark") == {}
    Acknowledged("a-mark", 0).add("one")
    forget_acknowledged("a-mark")
    assert acknowledged("a-mark") == {}


def test_that_files_of_the_tree_are_known_once_their_pass_has_begun(cache: Path) -> None:
    tree = ("one", "sub/two", "three")
    known = Acknowledged("a-mark", 2, tree)
    assert acknowledged("a-mark", tree) == {}
    known.begin()
    assert acknowledged("a-mark", tree) == {2: frozenset()}
    for name in ("sub/two", "not in the tree", "one"):
        known.add(name)
    assert acknowledged("a-mark", tree) == {2: frozenset({"one", "sub/two", "not in the tree"})}
    known.remove()
    assert acknowledged("a-mark", tree) == {}
    assert not (cache / "transfers" / "done" / "a-mark").exists()
