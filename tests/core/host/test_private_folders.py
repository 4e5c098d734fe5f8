"""What Sluice makes for itself is its user's alone, whoever makes it first."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from core.cli import main
from core.host.folders import index_folder
from core.session import Session


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
    assert {*modes.values()} == {0o600}
