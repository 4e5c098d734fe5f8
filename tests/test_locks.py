"""What uv.lock holds: everything, with hashes, at PyPI's own addresses."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "uv.lock").read_text("utf-8")
PACKAGES: list[dict[str, Any]] = tomllib.loads(TEXT)["package"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def test_that_the_lock_names_no_mirror() -> None:
    assert {*re.findall(r"\w+://[^/\"]+", TEXT)} == {
        "https://pypi.org",
        "https://files.pythonhosted.org",
    }


def test_that_every_file_of_a_locked_package_has_a_hash() -> None:
    files = {
        package["name"]: [*package.get("wheels", ()), *filter(None, [package.get("sdist")])]
        for package in PACKAGES
        if package["name"] != "sluice"
    }
    assert len(files) > 50
    bare = [
        name
        for name, held in files.items()
        if not held or not all(file["hash"].startswith("sha256:") for file in held)
    ]
    assert not bare


def test_that_the_lock_belongs_to_the_declared_requirements() -> None:
    (ours,) = (package for package in PACKAGES if package["name"] == "sluice")
    assert {*ours["metadata"]["provides-extras"]} == {*PROJECT["project"]["optional-dependencies"]}
    for declared, locked in (
        (_names(PROJECT["project"]["dependencies"]), ours["dependencies"]),
        *(
            (_names(wanted), ours["optional-dependencies"][extra])
            for extra, wanted in PROJECT["project"]["optional-dependencies"].items()
        ),
        *(
            (_names(wanted), ours["dev-dependencies"][group])
            for group, wanted in PROJECT["dependency-groups"].items()
        ),
    ):
        assert declared == {one["name"] for one in locked}


def _names(requirements: list[str]) -> set[str]:
    found = (re.match(r"[\w.-]+", requirement) for requirement in requirements)
    return {re.sub(r"[-_.]+", "-", name.group()).lower() for name in found if name}
