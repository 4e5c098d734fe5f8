"""By what a desktop knows Sluice: one name, one kind of file, one version, on Linux and macOS.

The desktop's own tools find no fault with it.
"""

from __future__ import annotations

import configparser
import plistlib
import re
import shutil
import subprocess
import tomllib
from pathlib import Path
from xml.etree import ElementTree

import pytest
from loading import PACKAGING, ROOT, packaging_module

from core.run.session.schema import APPLICATION_ID

pytestmark = pytest.mark.quick

contents = packaging_module("contents")
deb = packaging_module("deb")
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
    page = deb.commands_page(0)
    for words in ("measure", "dataset make", "lab start", "report", "selfcheck"):
        assert f".SS sluice {words}" in page
    assert "python" not in page.replace("zarr\\-python", "")  # which is a library
    assert "1970" in page
    known = {".TH", ".SH", ".SS", ".TP", ".B", ".BR", ".I", ".PP", ".nf", ".fi"}
    requests = {line.split()[0] for line in page.splitlines() if line[:1] in (".", "'")}
    assert requests <= known
    assert deb.escaped(".so /etc/passwd\n'x -y\\z") == "\\&.so /etc/passwd\n\\&'x \\-y\\ez"


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
    file.write_text(getattr(deb, page)(0), "utf-8")
    assert not told("groff", "-man", "-ww", "-K", "utf8", "-T", "utf8", "-z", file)


def test_that_a_session_is_opened_by_the_app() -> None:
    told = contents.information()
    (kind,) = told["CFBundleDocumentTypes"]
    (declared,) = told["UTExportedTypeDeclarations"]
    assert kind["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    tags = declared["UTTypeTagSpecification"]
    mime = (PACKAGING / "desktop" / "sluice.xml").read_text("utf-8")
    assert tags["public.filename-extension"] == re.findall(r'pattern="\*\.(\w+)"', mime)
    assert tags["public.mime-type"] == re.findall(r'mime-type type="([^"]+)"', mime)


def test_that_its_information_is_a_property_list_of_this_version() -> None:
    options = contents.bundle_options()
    assert plistlib.loads(plistlib.dumps(options["info_plist"])) == options["info_plist"]
    assert options["version"] == PROJECT["version"]
    assert (ROOT / "resources" / "icons" / "sluice-512.png").samefile(options["icon"])


def test_that_its_entitlements_are_a_property_list_of_permissions() -> None:
    entitlements = plistlib.loads((PACKAGING / "macos" / "entitlements.plist").read_bytes())
    assert entitlements
    assert all(name.startswith("com.apple.security.") for name in entitlements)


@pytest.mark.parametrize("script", sorted((PACKAGING / "macos").glob("*.sh")), ids=lambda p: p.name)
def test_that_a_script_for_macos_is_one_that_sh_reads(script: object) -> None:
    subprocess.run(["sh", "-n", str(script)], check=True)
