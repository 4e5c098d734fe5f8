"""What is left of programs whose process and guard were both killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from core.catalog.dataset import location_of
from core.cli import main
from core.host.disk_use import RunFolder, abandoned_runs, remove_abandoned_runs
from core.host.processes.process_tree import stamped_with

_DIES = """
import os, signal, sys
from pathlib import Path
from core.host.disk_use import RunFolder
folder = RunFolder(Path(sys.argv[1]), "run-1-00ff")
(folder.path / "out").write_bytes(b"1")
os.kill(os.getpid(), signal.SIGKILL)
"""

_OUTLIVED = """
import os, sys
from pathlib import Path
from core.host.processes.command_run import Command
from core.host.processes.command_run import Commands
from core.host.disk_use import RunFolder
folder = RunFolder(Path(sys.argv[1]), "run-1-00ff").path
commands = Commands(folder.name, folder)
kills = f"kill -KILL {commands.guard.pid} {os.getpid()}; exec sleep 1000"
commands.run(Command(arguments=("setsid", "sh", "-c", kills), environment=os.environ))
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path))
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    place = tmp_path / "indexes" / "data"
    place.mkdir(parents=True)
    return place


def killed_in(place: Path, script: str = _DIES) -> Path:
    done = subprocess.run([sys.executable, "-c", script, str(place)], check=False)
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


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of all that was started")
def test_that_a_program_that_outlived_its_process_and_its_guard_is_told_and_ended_by_the_next(
    place: Path,
) -> None:
    left = killed_in(place, _OUTLIVED)
    (found,) = abandoned_runs()
    assert found.folder == left
    assert found.programs  # `setsid` itself may not be over yet
    remove_abandoned_runs()
    assert stamped_with(f"/{left.name}-") == []
    assert not left.exists()


def test_that_a_folder_that_is_being_made_is_not_taken_for_abandoned(place: Path) -> None:
    over = threading.Event()

    def look() -> None:
        while not over.is_set():
            remove_abandoned_runs(place)

    looking = threading.Thread(target=look)
    looking.start()
    own = [RunFolder(place, f"run-{number}-00ff") for number in range(100)]
    over.set()
    looking.join()
    assert all(one.path.is_dir() for one in own)
    assert abandoned_runs() == ()
    for one in own:
        one.close()


def test_that_a_folder_of_the_users_own_with_such_a_beginning_stays(place: Path) -> None:
    mine = place / "runs-2024-results"
    mine.mkdir()
    RunFolder(place, "run-1-00ff").close()
    assert mine.exists()


def test_that_a_folder_on_a_disk_of_the_users_choice_is_forgotten_once_it_is_gone(
    place: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    notes = tmp_path / "state" / "run-folders"
    own = RunFolder(elsewhere, "run-1-00ff")
    assert len(list(notes.iterdir())) == 1
    own.path.rmdir()
    own.close()
    assert list(notes.iterdir()) == []
    left = killed_in(elsewhere)
    elsewhere.rename(tmp_path / "unplugged")
    remove_abandoned_runs()
    (tmp_path / "unplugged").rename(elsewhere)
    assert [one.folder for one in abandoned_runs()] == [left]
    remove_abandoned_runs()
    assert not left.exists()
    assert list(notes.iterdir()) == []


def test_that_a_note_that_leads_elsewhere_removes_nothing(place: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    notes = tmp_path / "state" / "run-folders"
    notes.mkdir(parents=True)
    (notes / "runs-run-1-00ff-0-00ff-abcdefgh").symlink_to(mine)
    (notes / "mine").symlink_to(mine)
    assert abandoned_runs() == ()
    remove_abandoned_runs()
    assert mine.exists()


@pytest.mark.parametrize("within", ["indexes/data", "elsewhere"])
def test_that_the_folder_of_a_killed_process_is_a_leftover(
    within: str, place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / within).mkdir(exist_ok=True)
    left = killed_in(tmp_path / within)
    main(["leftovers"])
    assert str(left) in capsys.readouterr().out
    main(["leftovers", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "on_servers": [],
        "on_this_machine": [{"folder": location_of(left), "programs": []}],
    }
    assert left.exists()
    assert main(["leftovers", "--remove"]) == 0
    assert f"{left}: files of a program whose run was killed: removed" in capsys.readouterr().out
    assert not left.exists()
