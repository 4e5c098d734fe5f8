"""The cache loses what is made again, and nothing else; folders of killed programs are removed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from core.language import Unavailable
from core.measure import CacheUse, RunFolder, abandoned_runs, locked, remove_abandoned_runs
from core.measure.machine.processes.process_tree import stamped_with
from core.measure.machine.shared_files import makers_lock
from core.tell.cli import main
from core.vocabulary import location_of

_DIES = """
import os, signal, sys
from pathlib import Path
from core.measure.machine.disk_use import RunFolder
folder = RunFolder(Path(sys.argv[1]), "run-1-00ff")
(folder.path / "out").write_bytes(b"1")
os.kill(os.getpid(), signal.SIGKILL)
"""

_OUTLIVED = """
import os, sys
from pathlib import Path
from core.measure.machine.processes.measured_commands import Command
from core.measure.machine.processes.measured_commands import Commands
from core.measure.machine.disk_use import RunFolder
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


def test_that_a_new_folder_that_another_process_sweeps_away_is_made_again(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between its making and its lock it looks like one that a killed process has left."""
    make = tempfile.mkdtemp
    swept: list[Path] = []

    def made_and_swept(**where: Any) -> str:
        folder = make(**where)
        if not swept:
            swept.append(Path(folder))
            swept[0].rmdir()
        return folder

    monkeypatch.setattr(tempfile, "mkdtemp", made_and_swept)
    own = RunFolder(place, "run-1-00ff")
    assert own.path.is_dir()
    assert [own.path] != swept
    own.remove()
    assert list(place.iterdir()) == []


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
        "still_running": [],
        "on_this_machine": [{"folder": location_of(left), "programs": [], "mounts": []}],
    }
    assert left.exists()
    assert main(["leftovers", "--remove"]) == 0
    assert f"{left}: files that programs have left: removed" in capsys.readouterr().out
    assert not left.exists()


@pytest.mark.quick
def test_that_data_whose_maker_was_killed_is_a_leftover_and_data_being_made_is_none(
    place: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    dataset = tmp_path / "datasets" / ".raw-0011223344556677.unfinished"
    dataset.mkdir(parents=True)
    (dataset / "part").write_bytes(b"1")
    index = place / ".one.fai.unfinished"
    index.write_bytes(b"1")
    with locked(makers_lock(dataset)), locked(makers_lock(index)):
        assert abandoned_runs() == remove_abandoned_runs() == ()
    main(["leftovers"])
    told = capsys.readouterr().out
    assert f"{dataset}: data that is not finished" in told
    assert f"{index}: data that is not finished" in told
    assert main(["leftovers", "--remove"]) == 0
    assert not dataset.exists()
    assert not index.exists()


OURS = (
    "datasets/seqrepo-553194c4b2e324cf/sequences/one",
    "datasets/slow5-files-0011223344556677-as-pod5/one.pod5",
    "indexes/04568b5c3fad2c5b0e33a741fa00bc84/one.fai",
    "reports/night.html",
)
OTHERS = (
    "datasets/my genome/one.fa",
    "datasets/human-reference/one.fa",
    "indexes/notes.txt",
    "lab/s3-1eb62fafe763/server",
    "tiles/0123456789abcdef/1",
    "mine.txt",
)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """With ten bytes in each of several files, a link to a user's file in an index."""
    folder = tmp_path / "cache"
    for name in (*OURS, *OTHERS):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(bytes(10))
    users = tmp_path / "users.fa"
    users.write_bytes(bytes(1000))
    (folder / OURS[2]).with_name("link.fa").symlink_to(users)
    return folder


@pytest.mark.quick
def test_that_only_what_is_made_again_is_removed(cache: Path, tmp_path: Path) -> None:
    size = CacheUse(cache).size()
    assert 40 <= size < 1000
    assert CacheUse(cache).empty() == size
    assert [name for name in OURS if (cache / name).exists()] == []
    assert [name for name in OTHERS if not (cache / name).exists()] == []
    assert (tmp_path / "users.fa").stat().st_size == 1000
    assert CacheUse(cache).size() == CacheUse(cache).empty() == 0


@pytest.mark.quick
def test_that_nothing_is_removed_while_a_run_is_measured(cache: Path) -> None:
    mark = cache / "locks" / "run-0011.lock"
    with locked(mark), pytest.raises(Unavailable, match="being measured"):
        CacheUse(cache).empty()
    assert all((cache / name).exists() for name in OURS)
    assert CacheUse(cache).empty() > 0


@pytest.mark.quick
def test_that_a_cache_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert CacheUse(tmp_path / "none").size() == CacheUse(tmp_path / "none").empty() == 0
