"""What was begun here is known by its bytes; nothing else is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import building
import pytest
from foreign_sessions import changed, one_byte

from core.language import NotTrusted, NotWritten
from core.run import Run, Session, agree, begin_recording, is_trusted, require_trust
from core.run.session.plan_trust import trust

SPECS = tuple(building.spec("raw", parameters={"block_size": 4096}, threads=n) for n in (1, 2))
COMMAND = ("sluice", "measure", "raw", "--cluster", "tcp://10.0.0.1:8786")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    return tmp_path / "state"


def begun(path: Path) -> Path:
    with Session.create(path) as session:
        begin_recording(building.plan(SPECS, repeats=3, title="of mine"), session, COMMAND)
    return path


def run_in(path: Path) -> Run:
    with Session.read(path) as session:
        (run,) = session.runs()
    return run


def test_that_what_is_begun_here_is_trusted_and_so_is_a_copy_of_it(tmp_path: Path) -> None:
    path = begun(tmp_path / "own.sluice")
    assert is_trusted(run_in(path))
    shutil.copy(path, tmp_path / "copy.sluice")
    require_trust(run_in(tmp_path / "copy.sluice"))


def test_that_what_is_only_written_is_not(tmp_path: Path) -> None:
    with Session.create(tmp_path / "sent.sluice") as session:
        session.begin_run(building.plan(SPECS), building.environment(), {}, COMMAND)
    assert not is_trusted(run_in(tmp_path / "sent.sluice"))
    with pytest.raises(NotTrusted):
        require_trust(run_in(tmp_path / "sent.sluice"))


@pytest.mark.parametrize(
    ("table", "column", "old", "new"),
    [
        ("runs", "plan", '"seed":1', '"seed":2'),
        ("runs", "plan", '"repeats":3', '"repeats":4'),
        ("runs", "plan", '"of mine"', '"of mino"'),
        ("runs", "command", ":8786", ":8787"),
        ("runs", "command", "10.0.0.1", "10.0.0.2"),
        ("specs", "body", '"block_size":4096', '"block_size":4097'),
        ("specs", "body", '"raw"', '"rax"'),
        ("specs", "body", "/data/snapshot", "/data/snapshox"),
        ("specs", "body", '"seed":1', '"seed":3'),
    ],
)
def test_that_any_changed_byte_asks_again(
    tmp_path: Path, table: str, column: str, old: str, new: str
) -> None:
    path = begun(tmp_path / "own.sluice")
    changed(path, one_byte(table, column, old, new))
    assert not is_trusted(run_in(path))


def test_that_consent_counts_for_one_plan_alone(tmp_path: Path) -> None:
    runs = []
    with Session.create(tmp_path / "sent.sluice") as session:
        for seed in (1, 2):
            plan = building.plan(SPECS, seed=seed)
            session.begin_run(plan, building.environment(), {}, COMMAND)
        runs = list(session.runs())
    trust(runs[0])
    assert list(map(is_trusted, runs)) == [True, False]


def test_that_another_home_does_not_trust_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = begun(tmp_path / "own.sluice")
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "elsewhere"))
    assert not is_trusted(run_in(path))


def test_that_the_key_is_the_users_alone_and_one_that_others_can_read_is_replaced(
    tmp_path: Path, state: Path
) -> None:
    path = begun(tmp_path / "own.sluice")
    key = state / "trust" / "key"
    assert key.stat().st_mode & 0o777 == (state / "trust" / "plans").stat().st_mode & 0o777 == 0o600
    assert key.parent.stat().st_mode & 0o777 == 0o700
    before = key.read_bytes()
    key.chmod(0o644)
    assert not is_trusted(run_in(path))
    trust(run_in(path))
    assert is_trusted(run_in(path))
    assert key.read_bytes() != before
    assert key.stat().st_mode & 0o777 == 0o600


def test_that_a_list_without_its_key_says_nothing(tmp_path: Path, state: Path) -> None:
    path = begun(tmp_path / "own.sluice")
    (state / "trust" / "key").unlink()
    assert not is_trusted(run_in(path))


def test_that_a_run_is_measured_where_nothing_can_be_signed(tmp_path: Path, state: Path) -> None:
    state.write_text("no folder")
    path = begun(tmp_path / "own.sluice")
    assert not is_trusted(run_in(path))
    with pytest.raises(NotWritten, match="SLUICE_STATE"):
        trust(run_in(path))
    assert os.path.isfile(state)  # noqa: PTH113 -- untouched


def sent(path: Path) -> Path:
    with Session.create(path) as session:
        session.begin_run(building.plan(SPECS), building.environment(), {}, COMMAND)
    return path


def test_that_a_session_is_ones_own_where_one_has_begun_it_wherever_it_is_moved(
    tmp_path: Path,
) -> None:
    path = begun(tmp_path / "own.sluice")
    with Session.open(path.rename(tmp_path / "moved.sluice")) as session:
        assert session.own


def test_that_who_agrees_to_what_somebody_else_has_begun_does_not_own_it(tmp_path: Path) -> None:
    path = sent(tmp_path / "sent.sluice")
    agree(run_in(path))
    assert is_trusted(run_in(path))
    with Session.open(path) as session:
        assert not session.own
        session.copy_to(tmp_path / "copy.sluice")
    with Session.open(tmp_path / "copy.sluice") as copy:
        assert copy.own
    with Session.create(tmp_path / "again.sluice") as again:  # the same plan, begun here
        begin_recording(run_in(path).plan, again, COMMAND)
        assert again.own


def test_that_what_was_trusted_before_files_had_owners_is_ones_own(tmp_path: Path) -> None:
    path = sent(tmp_path / "old.sluice")
    trust(run_in(path))  # all that a version before has kept
    with Session.read(path) as session:
        assert session.own
