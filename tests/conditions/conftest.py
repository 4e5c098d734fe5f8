"""Every condition of a family is a test; it has a folder that every user may look into."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def place() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sluice-condition-") as folder:
        yield Path(folder)
