"""Whether installed packages may have entry points, told from their files alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.host.program import may_have_entry_points


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that is all of the path."""
    monkeypatch.setattr("sys.path", [str(tmp_path), str(tmp_path / "missing")])
    return tmp_path


def install(place: Path, name: str, group: str) -> None:
    folder = place / name
    folder.mkdir()
    (folder / "entry_points.txt").write_text(f"[{group}]\nreads = some.module\n")


@pytest.mark.parametrize("name", ["reader-1.0.dist-info", "reader.egg-info"])
def test_that_a_package_with_entry_points_of_the_group_is_noticed(place: Path, name: str) -> None:
    install(place, name, "sluice.workloads")
    assert may_have_entry_points("sluice.workloads")


def test_that_packages_of_other_groups_and_without_any_do_not_count(place: Path) -> None:
    install(place, "tool-1.0.dist-info", "console_scripts")
    (place / "plain-1.0.dist-info").mkdir()
    install(place, "reader", "sluice.workloads")  # the package itself, not its metadata
    assert not may_have_entry_points("sluice.workloads")


def test_that_of_an_archive_on_the_path_anything_is_possible(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    archive = place / "packages.zip"
    archive.write_bytes(b"PK")
    monkeypatch.setattr("sys.path", [str(archive)])
    assert may_have_entry_points("sluice.workloads")
