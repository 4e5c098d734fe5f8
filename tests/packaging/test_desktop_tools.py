"""The desktop's own tools find no fault with what they are told of Sluice."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from loading import PACKAGING, packaging_module

DESKTOP = PACKAGING / "desktop"


def told(*command: object) -> str:
    """What it says; it must find no fault."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.tool("desktop-file-validate")
def test_that_the_entry_in_the_menu_is_valid() -> None:
    assert not told("desktop-file-validate", DESKTOP / "sluice.desktop")


@pytest.mark.tool("appstreamcli")
def test_that_the_description_for_software_centres_is_valid() -> None:
    description = DESKTOP / "local.sluice.Sluice.metainfo.xml"
    assert "Validation was successful" in told("appstreamcli", "validate", "--no-net", description)


@pytest.mark.tool("update-mime-database")
def test_that_sessions_become_a_kind_of_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    mime = tmp_path / "mime"
    (mime / "packages").mkdir(parents=True)
    shutil.copy(DESKTOP / "sluice.xml", mime / "packages")
    assert not told("update-mime-database", mime)
    assert "application/vnd.sluice.session:*.sluice" in (mime / "globs2").read_text("utf-8")
    assert b"SLCE" in (mime / "magic").read_bytes()


@pytest.mark.tool("groff")
@pytest.mark.parametrize("page", ["commands_page", "window_page"])
def test_that_a_manual_page_is_set_without_a_warning(page: str, tmp_path: Path) -> None:
    file = tmp_path / "page.1"
    file.write_text(getattr(packaging_module("man_page"), page)(0), "utf-8")
    assert not told("groff", "-man", "-ww", "-K", "utf8", "-T", "utf8", "-z", file)
