"""Where the lab's servers keep their data."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from core.host.folders import lab_folder

pytestmark = pytest.mark.quick


def test_that_servers_on_macos_keep_their_data_below_no_space(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("SLUICE_LAB", raising=False)
    monkeypatch.delenv("SLUICE_CACHE", raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert " " not in str(lab_folder().relative_to(Path.home()))


def test_that_the_setting_names_the_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_LAB", "/srv/lab")
    assert lab_folder() == Path("/srv/lab")
