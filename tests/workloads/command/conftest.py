"""Folders of a test's own, and lines for programs."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLUICE_CACHE", "SLUICE_SESSIONS", "SLUICE_STATE"):
        monkeypatch.setenv(name, str(tmp_path / name))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A file of a thousand lines, in order."""
    file = tmp_path / "lines.txt"
    file.write_text("".join(f"{number}\n" for number in range(1000)))
    return file
