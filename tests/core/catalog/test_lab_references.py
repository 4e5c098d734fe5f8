"""References to the credentials of the lab's servers."""

from __future__ import annotations

from pathlib import Path

import building
import msgspec
import pytest

from core.catalog.parameters import Secret, reveal
from core.errors import InvalidParameter, Unavailable
from core.host.lab_records import write_lab_credentials
from core.language import sanitise
from core.plan.spec import secrets_of

KEY = Secret(name="key", help="A key.")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path))
    monkeypatch.setattr(sanitise, "_REMEMBERED", {})  # so that later tests do not know of these
    return tmp_path


def test_that_a_reference_names_a_server_and_a_secret() -> None:
    assert KEY.parse("lab:s3/secret-key") == "lab:s3/secret-key"
    for wrong in ("lab:s3", "lab:/secret-key", "lab:s3/", "lab:s3/a b", "lab:../x/y"):
        with pytest.raises(InvalidParameter):
            KEY.parse(wrong)


def test_that_what_is_in_the_credentials_is_revealed(folder: Path) -> None:
    write_lab_credentials(folder, {"s3": {"secret-key": "sööö/%"}})
    assert reveal("lab:s3/secret-key") == "sööö/%"
    with pytest.raises(Unavailable, match="lab:s3/other"):
        reveal("lab:s3/other")


def test_that_credentials_that_cannot_be_read_are_none(folder: Path) -> None:
    (folder / "credentials.json").write_bytes(b"{ half")
    with pytest.raises(Unavailable, match="python -m core lab start s3"):
        reveal("lab:s3/secret-key")


def test_that_secrets_of_the_lab_are_masked_in_what_a_run_writes(folder: Path) -> None:
    write_lab_credentials(folder, {"s3": {"secret-key": "sööö/%"}})
    of = msgspec.structs.replace(
        building.spec(), parameters={"key": "lab:s3/secret-key", "other": "lab:s3/gone"}
    )
    assert secrets_of([of])["sööö/%"] == "lab:s3/secret-key"
