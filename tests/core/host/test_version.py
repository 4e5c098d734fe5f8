"""The versions of packages that are recorded with every trial."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.host.environment import describe_environment
from core.host.program import UNKNOWN, version_of


@pytest.fixture
def unreadable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a distribution whose metadata is there but cannot be opened."""
    (tmp_path / "some_driver-1.0.dist-info" / "METADATA").mkdir(parents=True)
    monkeypatch.syspath_prepend(str(tmp_path))
    return "some-driver"


def test_that_a_version_is_told_as_it_is_installed() -> None:
    assert version_of("msgspec")[0].isdigit()
    assert version_of("no-such-package-anywhere") == UNKNOWN


def test_that_metadata_that_cannot_be_read_is_an_unknown_version_and_not_none(
    unreadable: str,
) -> None:
    assert version_of(unreadable) == UNKNOWN
    assert unreadable not in describe_environment([unreadable, "msgspec"]).versions
