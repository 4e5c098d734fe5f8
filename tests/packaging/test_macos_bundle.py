"""Sluice.app says of itself what the other packages say."""

from __future__ import annotations

import plistlib
import re
import subprocess
import tomllib

import pytest
from loading import PACKAGING, ROOT, packaging_module

pytestmark = pytest.mark.quick

macos_bundle = packaging_module("macos_bundle")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def test_that_a_session_is_opened_by_the_app() -> None:
    told = macos_bundle.information()
    (kind,) = told["CFBundleDocumentTypes"]
    (declared,) = told["UTExportedTypeDeclarations"]
    assert kind["LSItemContentTypes"] == [declared["UTTypeIdentifier"]]
    tags = declared["UTTypeTagSpecification"]
    mime = (PACKAGING / "desktop" / "sluice.xml").read_text("utf-8")
    assert tags["public.filename-extension"] == re.findall(r'pattern="\*\.(\w+)"', mime)
    assert tags["public.mime-type"] == re.findall(r'mime-type type="([^"]+)"', mime)


def test_that_its_information_is_a_property_list_of_this_version() -> None:
    options = macos_bundle.bundle_options()
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
