"""Folders that cannot be used: one line that names them and the variable for another."""

from __future__ import annotations

import errno
import json
import os
import resource
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from patience import PATIENCE

from core.language import NotWritten, Unavailable, UsageError, show_size
from core.measure import (
    cache_folder,
    expanded,
    home_folder,
    index_folder,
    lab_folder,
    sessions_folder,
    state_folder,
    unusable,
    unwritten,
)
from core.run import Session
from core.tell.cli import main
from core.tell.cli.doctor_command import doctor

ROOT = Path(__file__).parents[4]
SHORT = ("--duration", "50ms", "--warm-up", "0", "--repeats", "1", "--no-floor")


@pytest.fixture
def no_folder(tmp_path: Path) -> Path:
    """A place where nobody can make a folder, not even root."""
    (tmp_path / "file").write_bytes(b"")
    return tmp_path / "file" / "folder"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "some.bin").write_bytes(bytes(100_000))
    return folder


def carried_out(*arguments: str, **environment: str) -> tuple[int, str]:
    """Exit code and standard error of a command."""
    done = subprocess.run(
        [sys.executable, "-m", "core", *arguments],
        capture_output=True,
        cwd=ROOT,
        env=os.environ | environment,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stderr.decode()


def test_that_a_cache_that_cannot_be_made_ends_a_run_before_its_first_trial(
    no_folder: Path, data: Path, tmp_path: Path
) -> None:
    session = tmp_path / "a.sluice"
    wanted = ("measure", "raw", "--dataset", str(data), *SHORT, "--session", str(session))
    code, said = carried_out(*wanted, SLUICE_CACHE=str(no_folder))
    assert code == 1
    assert len(said.splitlines()) == 1
    assert str(no_folder) in said
    assert "set SLUICE_CACHE to a folder that can be written" in said
    assert not session.exists()


def test_that_a_cache_that_cannot_be_made_is_named_where_data_is_generated(
    no_folder: Path,
) -> None:
    code, said = carried_out("dataset", "make", "fasta", SLUICE_CACHE=str(no_folder))
    assert code == 1
    assert len(said.splitlines()) == 1
    assert "SLUICE_CACHE" in said


def test_that_the_doctor_says_what_room_there_is(tmp_path: Path) -> None:
    places = {f"SLUICE_{name}": str(tmp_path / name) for name in ("CACHE", "SESSIONS", "STATE")}
    done = CliRunner(env=places | {"TMPDIR": str(tmp_path)}).invoke(doctor, ["--json"])
    found = {one["subject"]: one for one in json.loads(done.output)}
    for name in ("data", "sessions", "state", "temporary files"):
        assert " free" in found[f"room for {name}"]["found"]
    whole = os.statvfs(tmp_path).f_blocks * os.statvfs(tmp_path).f_frsize
    assert f" of {show_size(whole)} free" in found["room for data"]["found"]
    assert found["room in memory"]["found"].partition(" available")[1]
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert found["room for open files"]["found"] == f"{limit:,} at once in each process"


def test_that_the_doctor_names_a_cache_that_cannot_be_made(no_folder: Path) -> None:
    code, said = carried_out("doctor", SLUICE_CACHE=str(no_folder))
    assert (code, said) == (1, "")


@pytest.mark.parametrize(
    ("folder", "variable"),
    [
        (cache_folder, "SLUICE_CACHE"),
        (sessions_folder, "SLUICE_SESSIONS"),
        (state_folder, "SLUICE_STATE"),
    ],
)
def test_that_an_error_within_a_folder_names_its_variable(
    folder: object, variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("CACHE", "SESSIONS", "STATE", "LAB"):
        monkeypatch.setenv(f"SLUICE_{name}", str(tmp_path / name.lower()))
    assert callable(folder)
    error = PermissionError(errno.EACCES, "Permission denied", str(folder() / "x" / "y"))
    assert unusable(error).remedy == f"set {variable} to a folder that can be written"


def test_that_no_folder_for_temporary_files_names_its_variable() -> None:
    error = FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")
    assert "TMPDIR" in unusable(error).remedy


def test_that_an_index_folder_that_cannot_be_made_names_its_variable(
    no_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(no_folder))
    with pytest.raises(NotWritten, match="SLUICE_CACHE"):
        index_folder("00ff")


def test_that_a_full_disk_is_no_mistake_of_the_user() -> None:
    full = unwritten(Path("x"), OSError(errno.ENOSPC, "No space left on device"))
    assert (type(full), full.exit_code) == (NotWritten, 1)
    refused = unwritten(Path("x"), PermissionError(errno.EACCES, "Permission denied"))
    assert (type(refused), refused.exit_code) == (UsageError, 2)


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user whom the system does not know, without HOME."""

    def unknown(who: object) -> object:
        raise KeyError(who)

    for name in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)


@pytest.mark.parametrize(
    ("folder", "variable"),
    [
        (cache_folder, "SLUICE_CACHE"),
        (sessions_folder, "SLUICE_SESSIONS"),
        (state_folder, "SLUICE_STATE"),
        (lab_folder, "SLUICE_LAB"),
    ],
)
@pytest.mark.usefixtures("nobody")
def test_that_without_a_home_the_variable_is_named(
    folder: Callable[[], Path], variable: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv(variable, raising=False)
    with pytest.raises(Unavailable, match=rf"there is no home folder \(set HOME or {variable}\)"):
        folder()
    monkeypatch.setenv(variable, str(tmp_path))
    assert folder().is_relative_to(tmp_path)


@pytest.mark.usefixtures("nobody")
def test_that_a_path_of_nobody_stays_as_it_is() -> None:
    assert home_folder() is None
    assert expanded("~/genome.fa") == Path("~/genome.fa")
    assert expanded("~nobody-at-all/genome.fa") == Path("~nobody-at-all/genome.fa")


@pytest.mark.usefixtures("nobody")
def test_that_doctor_says_which_variables_stand_in_for_a_home(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SLUICE_CACHE", "SLUICE_SESSIONS", "SLUICE_STATE"):
        monkeypatch.delenv(name, raising=False)
    done = CliRunner().invoke(doctor, ["--json"])
    told = {one["subject"]: one for one in json.loads(done.output)}
    assert told["folder for sessions"]["remedy"] == "set HOME or SLUICE_SESSIONS"
    assert "cold page cache" in told


@pytest.mark.quick
def test_that_servers_on_macos_keep_their_data_below_no_space(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SLUICE_LAB", raising=False)
    monkeypatch.delenv("SLUICE_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert " " not in str(lab_folder().relative_to(Path.home()))


@pytest.mark.quick
def test_that_the_setting_names_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_LAB", "/srv/lab")
    assert lab_folder() == Path("/srv/lab")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    place = tmp_path / "kept"
    for name in ("SLUICE_CACHE", "SLUICE_SESSIONS", "SLUICE_STATE"):
        monkeypatch.setenv(name, str(place / name))
    before = os.umask(0)
    yield place
    os.umask(before)


@pytest.mark.parametrize("make", [lambda: index_folder("00ff" * 8), lambda: main(["doctor"])])
def test_that_its_folders_are_private_whatever_the_umask(
    make: Callable[[], object], place: Path
) -> None:
    make()
    folders = [place, *(one for one in place.glob("**") if one.is_dir())]
    assert len(folders) > 2
    assert {stat.S_IMODE(one.stat().st_mode) for one in folders} == {0o700}


def test_that_a_session_and_its_copy_are_private_whatever_the_umask(place: Path) -> None:
    place.mkdir()
    one, copy = place / "one.sluice", place / "copy.sluice"
    with Session.create(one) as session:
        session.copy_to(copy)
        modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in place.iterdir()}
    assert {one.name, copy.name} <= modes.keys()
    assert modes.pop("SLUICE_STATE", 0o700) == 0o700
    assert {*modes.values()} == {0o600}
