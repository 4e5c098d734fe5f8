"""What programs wrote whose process and guard were both killed."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from core.cli import main
from core.host import run_folders
from core.host.run_folders import RunFolder, abandoned_runs

_DIES = """
import os, signal, sys
from pathlib import Path
from core.host.run_folders import RunFolder
folder = RunFolder(Path(sys.argv[1]), "run-1-00ff")
(folder.path / "out").write_bytes(b"1")
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path))
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    monkeypatch.setattr(run_folders, "_FRESH", -1.0)
    place = tmp_path / "indexes" / "data"
    place.mkdir(parents=True)
    return place


def killed_in(place: Path) -> Path:
    done = subprocess.run([sys.executable, "-c", _DIES, str(place)], check=False)
    assert done.returncode == -signal.SIGKILL
    (folder,) = place.glob("runs-*")
    return folder


def test_that_the_folder_of_a_killed_process_is_removed_by_the_next(place: Path) -> None:
    left = killed_in(place)
    own = RunFolder(place, "run-2-00ff")
    assert not left.exists()
    another = RunFolder(place, "run-3-00ff")  # which leaves the folder of a living one alone
    assert own.path.exists()
    assert abandoned_runs() == ()
    own.close()
    another.close()


def test_that_a_folder_of_the_users_own_with_such_a_beginning_stays(place: Path) -> None:
    mine = place / "runs-2024-results"
    mine.mkdir()
    RunFolder(place, "run-1-00ff").close()
    assert mine.exists()


def test_that_the_folder_of_a_killed_process_is_a_leftover(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    left = killed_in(place)
    main(["leftovers"])
    assert str(left) in capsys.readouterr().out
    assert left.exists()
    assert main(["leftovers", "--sweep"]) == 0
    assert f"{left}: removed" in capsys.readouterr().out
    assert not left.exists()
