"""What is kept of a file's content goes by a state that cannot be restored."""

import os
import shutil
from pathlib import Path

import pytest

from core.catalog.dataset import file_state
from core.errors import DatasetError

pytestmark = pytest.mark.quick


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "data"
    path.write_bytes(b"A" * 10_000)
    return path


def _change_in_place(path: Path) -> None:
    with path.open("r+b") as opened:
        opened.seek(5000)
        opened.write(b"C")


def _put_another_in_its_place(path: Path) -> None:
    other = path.with_name("other")
    other.write_bytes(b"C" * 10_000)
    other.replace(path)


@pytest.mark.parametrize("change", [_change_in_place, _put_another_in_its_place])
def test_that_a_change_is_seen_whose_size_and_time_are_restored(file: Path, change: object) -> None:
    before, times = file_state(file), file.stat()
    assert callable(change)
    change(file)
    os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert (file.stat().st_size, file.stat().st_mtime_ns) == (times.st_size, times.st_mtime_ns)
    assert file_state(file) != before


def test_that_reading_changes_nothing(file: Path) -> None:
    before = file_state(file)
    file.read_bytes()
    assert file_state(file) == before


def test_that_the_order_and_number_of_files_count(file: Path) -> None:
    copy = file.with_name("copy")
    shutil.copy2(file, copy)
    states = {file_state(*files) for files in ([file], [copy], [file, copy], [copy, file])}
    assert len(states) == 4


def test_that_a_file_that_is_gone_is_named(file: Path) -> None:
    file.unlink()
    with pytest.raises(DatasetError, match="data cannot be read"):
        file_state(file)
