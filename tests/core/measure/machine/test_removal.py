"""Removal takes what is in a folder, however deep and locked, and nothing that is mounted there."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from scarcity import as_ordinary_user, may_mount

from core.measure import remove_tree
from core.measure.machine.processes.process_tree import Guard
from core.measure.machine.removal import as_in_mounts, mounts_below

pytestmark = pytest.mark.quick


def deep_tree(folder: Path, levels: int = 1200) -> None:
    """Folders one in another, deeper than a path can be long."""
    here = os.open(folder, os.O_RDONLY)
    for _ in range(levels):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("file", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)


@pytest.fixture(params=["plain", "with space\\\tand #"])
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    folder = tmp_path / request.param
    folder.mkdir()
    return folder


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    """A folder of somebody else's, on the same disk."""
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (theirs / "precious").write_text("theirs")
    return theirs


@pytest.fixture
def mount(folder: Path) -> Iterator[list[Path]]:
    mounted: list[Path] = []
    yield mounted
    for place in mounted:
        subprocess.run(["umount", "-l", place], check=True)


def bind(source: Path, place: Path, mounted: list[Path]) -> None:
    subprocess.run(["mount", "--bind", source, place], check=True)
    mounted.append(place)


def test_that_a_tree_deeper_than_a_path_can_be_long_is_removed(folder: Path) -> None:
    deep_tree(folder)
    assert remove_tree(folder) == ()
    assert not folder.exists()


def test_that_files_links_and_folders_are_removed_and_what_links_lead_to_stays(
    folder: Path, theirs: Path
) -> None:
    (folder / "a" / "b").mkdir(parents=True)
    (folder / "a" / "b" / "file").write_text("")
    (folder / "a" / "link").symlink_to(theirs)
    os.mkfifo(folder / "pipe")
    alone, link = theirs / "alone", theirs / "link"
    alone.write_text("")
    link.symlink_to(folder)
    assert remove_tree(folder) == remove_tree(alone) == remove_tree(link) == ()
    assert remove_tree(folder / "never" / "there") == ()
    assert [path.name for path in theirs.iterdir()] == ["precious"]
    assert not folder.exists()


def test_that_folders_that_may_not_be_written_or_read_are_removed_by_their_owner() -> None:
    def work() -> str:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
            for mode in (0o000, 0o300, 0o400, 0o500):
                locked = Path(name, "out", f"{mode:o}")
                (locked / "in").mkdir(parents=True)
                (locked / "in" / "file").write_text("")
                (locked / "in").chmod(mode)
                locked.chmod(mode)
            told = [str(one) for one in remove_tree(Path(name, "out"))]
            return f"{told} {Path(name, 'out').exists()}"

    assert as_ordinary_user(work) == "[] False"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root makes a file of another user's")
def test_that_what_belongs_to_another_user_stays_and_is_named() -> None:
    with tempfile.TemporaryDirectory() as place:
        theirs = Path(place, "out", "theirs")
        theirs.mkdir(parents=True)
        (theirs / "file").write_text("")
        (theirs.parent / "ours").write_text("")
        for folder in (theirs.parent.parent, theirs.parent):
            folder.chmod(0o777)
        told = as_ordinary_user(lambda: str([str(one) for one in remove_tree(theirs.parent)]))
        why = "cannot be removed: Permission denied; it belongs to user 0"
        assert f"{theirs / 'file'} {why}" in told
        assert [path.name for path in theirs.parent.iterdir()] == ["theirs"]


@may_mount
@pytest.mark.parametrize("below", ["", "deeper"])
def test_that_a_folder_bound_from_the_same_disk_keeps_its_files(
    below: str, folder: Path, theirs: Path, mount: list[Path]
) -> None:
    place = folder / below
    place.mkdir(exist_ok=True)
    (folder / "ours").write_text("")
    bind(theirs, place, mount)
    assert mounts_below(folder) == (place,)
    (remains,) = remove_tree(folder)
    assert remains.path == place
    assert "something is mounted there" in str(remains)
    assert (theirs / "precious").read_text() == "theirs"
    if below:
        assert [path.name for path in folder.iterdir()] == ["deeper"]


@may_mount
def test_that_a_bound_file_and_another_disk_keep_their_content(
    folder: Path, theirs: Path, mount: list[Path]
) -> None:
    (folder / "file").write_text("")
    (folder / "disk").mkdir()
    bind(theirs / "precious", folder / "file", mount)
    subprocess.run(["mount", "-t", "tmpfs", "none", folder / "disk"], check=True)
    mount.append(folder / "disk")
    (folder / "disk" / "precious").write_text("theirs")
    remains = {one.path.name: one.why for one in remove_tree(folder)}
    assert remains.keys() == {"file", "disk"}
    assert all("something is mounted there" in why for why in remains.values())
    assert (folder / "disk" / "precious").read_text() == "theirs"
    assert (theirs / "precious").read_text() == "theirs"


@may_mount
def test_that_the_guard_of_a_killed_process_empties_no_mount(
    folder: Path, theirs: Path, mount: list[Path]
) -> None:
    (folder / "bound").mkdir()
    bind(theirs, folder / "bound", mount)
    guard = Guard("run-1-00ff", folder)
    guard._to_guard.close()  # as the kernel does at our death
    assert guard._popen.wait() == 0
    assert (theirs / "precious").exists()


@pytest.mark.parametrize("levels", [0, 1200])
def test_that_the_guard_of_a_killed_process_removes_its_folder(folder: Path, levels: int) -> None:
    deep_tree(folder, levels)
    guard = Guard("run-1-00ff", folder)
    guard._to_guard.close()
    guard._popen.wait()
    assert not folder.exists()


def test_that_a_path_is_written_as_the_list_of_mounts_has_it(tmp_path: Path) -> None:
    odd = tmp_path / "a b\tc\\d"
    odd.mkdir()
    assert as_in_mounts(odd) == rf"{tmp_path}/a\040b\011c\134d"
