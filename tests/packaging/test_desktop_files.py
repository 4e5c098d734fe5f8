"""By what a desktop knows Sluice: one name, one kind of file, one version everywhere."""

from __future__ import annotations

import configparser
import re
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from loading import PACKAGING, ROOT, packaging_module

from core.session.schema import APPLICATION_ID

pytestmark = pytest.mark.quick

DESKTOP = PACKAGING / "desktop"
ICONS = ROOT / "resources" / "icons"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
COMPONENT = ElementTree.parse(DESKTOP / "local.sluice.Sluice.metainfo.xml").getroot()
KIND = "application/vnd.sluice.session"


def entry() -> configparser.SectionProxy:
    read = configparser.RawConfigParser()
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read(DESKTOP / "sluice.desktop", "utf-8")
    return read["Desktop Entry"]


def test_that_a_double_click_on_a_session_opens_the_window_with_it() -> None:
    mime = ElementTree.parse(DESKTOP / "sluice.xml").getroot()
    (kind,) = mime
    names = {one.tag.rpartition("}")[2]: one for one in kind}
    assert kind.get("type") == KIND
    assert names["glob"].get("pattern") == "*.sluice"
    assert entry()["MimeType"] == f"{KIND};"
    assert entry()["Exec"] == "sluice-app %F"
    assert "sluice-app" in PROJECT["gui-scripts"]
    assert COMPONENT.findtext("provides/mediatype") == KIND


def test_that_a_session_under_another_name_is_known_by_its_first_bytes() -> None:
    text = (DESKTOP / "sluice.xml").read_text("utf-8")
    (value,) = re.findall(r'offset="68" value="(....)"', text)
    assert int.from_bytes(value.encode()) == APPLICATION_ID


def test_that_every_place_says_the_same_name() -> None:
    window = (ROOT / "app" / "__main__.py").read_text("utf-8")
    assert 'setDesktopFileName("sluice")' in window
    assert entry()["Icon"] == COMPONENT.findtext("icon") == "sluice"
    assert COMPONENT.findtext("launchable") == "sluice.desktop"
    assert {one.text for one in COMPONENT.iterfind("provides/binary")} == {
        *PROJECT["scripts"],
        *PROJECT["gui-scripts"],
    }
    assert COMPONENT.findtext("project_license") == PROJECT["license"]


def test_that_the_newest_release_is_this_version() -> None:
    newest = COMPONENT.find("releases/release")
    assert newest is not None
    assert newest.get("version") == PROJECT["version"]


def test_that_manual_pages_hold_every_command_and_no_stray_request(tmp_path: Path) -> None:
    man_page = packaging_module("man_page")
    page = man_page.commands_page(0)
    for words in ("measure", "dataset make", "lab start", "report", "selfcheck"):
        assert f".SS sluice {words}" in page
    assert "python" not in page
    assert "1970" in page
    known = {".TH", ".SH", ".SS", ".TP", ".B", ".BR", ".I", ".PP", ".nf", ".fi"}
    requests = {line.split()[0] for line in page.splitlines() if line[:1] in (".", "'")}
    assert requests <= known
    assert man_page.escaped(".so /etc/passwd\n'x -y\\z") == "\\&.so /etc/passwd\n\\&'x \\-y\\ez"
