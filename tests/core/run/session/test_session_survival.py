"""What is left of a session after kill -9, and after damage to its file."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import building
import fuzzing
import pytest
import session_writer

from core.language import SessionError
from core.run import Session, salvage

WRITER = Path(__file__).with_name("session_writer.py")
ROOTS = (WRITER.parents[4], WRITER.parents[3])


@dataclass
class Writers:
    """Writes into sessions, each time in a process of its own."""

    popen: subprocess.Popen[str]

    def killed(self, path: Path, drawn: random.Random) -> list[tuple[int, int]]:
        """Kill a writer at a random moment; the trials it had acknowledged, by run."""
        asked, told = self.popen.stdin, self.popen.stdout
        assert asked is not None
        assert told is not None
        asked.write(f"{path}\n")
        asked.flush()
        writer = int(told.readline())
        wanted = drawn.choice((0, 0, 1, 2, 3, 5))
        lines = [told.readline() for _ in range(wanted)]
        # A moment later, whether or not another line comes: in the middle of a transaction.
        signal.sigtimedwait([], drawn.uniform(0, 0.06))
        os.kill(writer, signal.SIGKILL)
        lines += iter(told.readline, session_writer.GONE)
        return [(int(run), int(index)) for run, index in map(str.split, lines)]


@pytest.fixture(scope="module")
def writers() -> Iterator[Writers]:
    with subprocess.Popen(
        [sys.executable, str(WRITER)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, ROOTS))},
    ) as popen:
        yield Writers(popen)
        popen.kill()


def survive(writers: Writers, path: Path, rounds: int, seed: int) -> None:
    drawn = fuzzing.drawn(seed)
    acknowledged: set[tuple[int, int]] = set()
    for _ in range(rounds):
        acknowledged |= set(writers.killed(path, drawn))
        if not path.exists():
            assert not acknowledged
            continue
        as_left = path.read_bytes()
        with Session.read(path) as session:
            kept = trials_in(session)
            assert acknowledged <= kept
        assert path.read_bytes() == as_left
        with Session.open(path) as session:
            assert trials_in(session) == kept
        assert not path.with_name("x.sluice-journal").exists()
        with closing(sqlite3.connect(path)) as plain:
            assert plain.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert acknowledged


def trials_in(session: Session) -> set[tuple[int, int]]:
    """Every trial of the session, each compared with what was written."""
    slots = {slot.index: slot for slot in session_writer.PLAN.slots()}
    kept = set()
    for run in session.runs():
        for trial in session.trials(run.id):
            assert trial == building.trial(slots[trial.index].spec, index=trial.index)
            kept.add((run.id, trial.index))
    return kept


@pytest.mark.fuzz
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_that_every_acknowledged_trial_survives_kill_9(
    writers: Writers, seed: int, tmp_path: Path
) -> None:
    survive(writers, tmp_path / "x.sluice", rounds=fuzzing.rounds(20), seed=seed)


DIES_WHILE_WRITING = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("DELETE FROM trials")
connection.execute("CREATE TABLE half_done AS SELECT randomblob(100000) AS x")
os._exit(9)
"""


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A session of two runs with six trials each."""
    return written(tmp_path_factory.mktemp("content") / "x.sluice", threads=(1, 2, 4))


def written(path: Path, threads: Sequence[int]) -> bytes:
    """A session of two runs, with two trials of each of these numbers of threads."""
    plan = building.plan([building.spec(threads=count) for count in threads], repeats=2)
    drawn = random.Random(1)
    with Session.create(path, title="mine") as session:
        for _ in range(2):
            places = {"/data/snapshot": building.file_system()}
            run = session.begin_run(plan, building.environment(), places, ("sluice", "measure"))
            for slot in plan.slots():
                # Long and random, so that trials spill over several pages each.
                words = drawn.randbytes(drawn.choice((10, 4000))).hex()
                session.append(run, building.trial(slot.spec, index=slot.index, notes=(words,)))
            session.note("done", run)
            session.end_run(run, "completed")
    return path.read_bytes()


@pytest.fixture
def path(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "x.sluice"
    path.write_bytes(content)
    return path


def everything(session: Session) -> object:
    runs = session.runs()
    return (
        session.title,
        session.created,
        session.sluice,
        session.notes(),
        runs,
        session.results(),
        [session.remaining(run.id) for run in runs],
    )


@pytest.fixture(scope="module")
def whole(content: bytes, tmp_path_factory: pytest.TempPathFactory) -> object:
    return read_whole(tmp_path_factory.mktemp("whole") / "x.sluice", content)


def read_whole(path: Path, content: bytes) -> object:
    path.write_bytes(content)
    with Session.read(path) as session:
        return everything(session)


def half_write(path: Path) -> None:
    """Leave the file as a writer does that is killed after it began to change it."""
    subprocess.run([sys.executable, "-c", DIES_WHILE_WRITING, str(path)], check=False)
    assert path.with_name(path.name + "-journal").stat().st_size


@pytest.mark.quick
def test_that_reading_undoes_a_half_written_trial_in_a_copy_only(path: Path, whole: object) -> None:
    half_write(path)
    as_left = {file: file.read_bytes() for file in path.parent.iterdir()}
    assert len(as_left) == 2
    with Session.read(path) as session:
        assert everything(session) == whole
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == as_left


@pytest.mark.quick
def test_that_opening_undoes_a_half_written_trial(path: Path, whole: object) -> None:
    half_write(path)
    with Session.open(path) as session:
        assert everything(session) == whole
    assert [file.name for file in path.parent.iterdir()] == [path.name]


@pytest.mark.quick
def test_that_a_reader_outlives_the_death_of_the_writer(path: Path, whole: object) -> None:
    with Session.read(path) as reader:
        half_write(path)
        assert everything(reader) == whole
        with Session.open(path) as writer:
            writer.note("taken up again")
        assert [note.text for note in reader.notes()] == ["done", "done", "taken up again"]


@pytest.mark.quick
def test_that_a_session_someone_switched_to_wal_is_read_and_turned_back(
    path: Path, whole: object
) -> None:
    with closing(sqlite3.connect(path)) as plain:
        plain.execute("PRAGMA journal_mode = WAL")
    with Session.read(path) as session:
        assert everything(session) == whole
    with Session.open(path) as session:
        session.note("x")
    assert path.read_bytes()[18:20] == b"\x01\x01"
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def damages(content: bytes, seed: int, count: int) -> Iterator[bytes]:  # noqa: C901 -- all kinds
    """The content with bits turned, pages wiped, ends cut off."""
    drawn = fuzzing.drawn(seed)
    size = len(content)

    def turn_bits(data: bytearray) -> None:
        for _ in range(drawn.choice((1, 1, 1, 4))):
            data[drawn.randrange(size)] ^= 1 << drawn.randrange(8)

    def change_the_header(data: bytearray) -> None:
        data[drawn.randrange(100)] = drawn.randrange(256)

    def change_the_schema(data: bytearray) -> None:
        data[drawn.randrange(100, 4096)] = drawn.randrange(256)

    def wipe(data: bytearray) -> None:
        start = drawn.randrange(size)
        data[start : start + 4096] = bytes(len(data[start : start + 4096]))

    def cut(data: bytearray) -> None:
        del data[drawn.randrange(size) :]

    def swap_pages(data: bytearray) -> None:
        a, b = (4096 * drawn.randrange(size // 4096) for _ in range(2))
        data[a : a + 4096], data[b : b + 4096] = data[b : b + 4096], data[a : a + 4096]

    kinds: tuple[Callable[[bytearray], None], ...] = (
        turn_bits, turn_bits, change_the_header, change_the_schema, wipe, cut, swap_pages,
    )  # fmt: skip
    for place in range(count):
        data = bytearray(content)
        kinds[place % len(kinds)](data)
        yield bytes(data)


def assert_told_or_intact(path: Path, content: bytes, whole: object, seed: int, count: int) -> None:
    refused = 0
    count = fuzzing.rounds(count)
    for data in damages(content, seed, count):
        path.write_bytes(data)
        try:
            with Session.read(path) as session:
                assert everything(session) == whole
        except SessionError as error:
            assert "\n" not in str(error)  # noqa: PT017
            refused += 1
        assert path.read_bytes() == data
        try:
            with Session.open(path) as session:
                assert everything(session) == whole
                session.note("still writable")
        except SessionError:
            pass
    assert 0 < refused < count


@pytest.fixture
def in_memory() -> Iterator[Path]:
    """A folder on no disk, if there is such: what SQLite syncs is nothing that damage changes."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder)


@pytest.mark.fuzz
@pytest.mark.slow
def test_that_a_damaged_session_is_told_or_intact_and_never_changed(in_memory: Path) -> None:
    # Of few trials: of many, most are read again and again for damage that is elsewhere.
    path = in_memory / "x.sluice"
    content = written(path, threads=(1,))
    whole = read_whole(path, content)
    assert_told_or_intact(path, content, whole, seed=2, count=1200)


@pytest.mark.quick
def test_that_salvage_keeps_all_of_a_whole_session(
    path: Path, tmp_path: Path, whole: object, content: bytes
) -> None:
    kept = salvage(path, tmp_path / "new.sluice")
    assert (kept.runs, kept.trials, kept.whole) == (2, 12, True)
    with Session.read(tmp_path / "new.sluice") as session:
        assert everything(session) == whole
    assert path.read_bytes() == content


def test_that_salvage_keeps_only_what_was_written(
    in_memory: Path, content: bytes, whole: object
) -> None:
    path = in_memory / "x.sluice"
    path.write_bytes(content)
    with Session.read(path) as session:
        written = {(run.id, t.index): t for run in session.runs() for t in session.trials(run.id)}
    kept_in_all = 0
    for place, data in enumerate(damages(content, seed=3, count=28)):
        path.write_bytes(data)
        to = in_memory / f"{place}.sluice"
        try:
            kept = salvage(path, to)
        except SessionError as error:
            assert "nothing of" in str(error)  # noqa: PT017
            assert not to.exists()
            continue
        with Session.open(to) as session:
            found = {(run.id, t.index): t for run in session.runs() for t in session.trials(run.id)}
            assert found.items() <= written.items()
            assert len(found) == kept.trials
            if kept.whole:
                assert everything(session) == whole
        kept_in_all += kept.trials
        assert path.read_bytes() == data
    assert kept_in_all > 28 * 12 * 0.5


@pytest.mark.quick
def test_that_salvage_of_a_file_cut_short_keeps_its_beginning(
    path: Path, tmp_path: Path, content: bytes
) -> None:
    path.write_bytes(content[: len(content) * 9 // 10])
    with pytest.raises(SessionError, match="can be salvaged"):
        Session.read(path)
    kept = salvage(path, tmp_path / "new.sluice")
    assert not kept.whole
    assert 0 < kept.trials < 12


@pytest.mark.quick
def test_that_salvage_finds_no_session_in_something_else(path: Path, tmp_path: Path) -> None:
    path.write_bytes(b"hello " * 10_000)
    with pytest.raises(SessionError, match="nothing of"):
        salvage(path, tmp_path / "new.sluice")
    assert [file.name for file in tmp_path.iterdir()] == [path.name]
