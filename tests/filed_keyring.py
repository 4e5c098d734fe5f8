"""A keyring in a file, as `PYTHON_KEYRING_BACKEND` names it: real programs ask it for passwords."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, override

from keyring.backend import KeyringBackend

if TYPE_CHECKING:
    import pytest

SERVICE = "planted"
_FILE = "SLUICE_TEST_KEYRING"


class FileKeyring(KeyringBackend):
    """Passwords by user, of one service."""

    priority = 1

    @override
    def get_password(self, service: str, username: str) -> str | None:
        known: dict[str, str] = json.loads(Path(os.environ[_FILE]).read_text("utf-8"))
        return known.get(username) if service == SERVICE else None

    @override
    def set_password(self, service: str, username: str, password: str) -> None:
        raise NotImplementedError

    @override
    def delete_password(self, service: str, username: str) -> None:
        raise NotImplementedError


def fill_keyring(patch: pytest.MonkeyPatch, file: Path, passwords: Mapping[str, str]) -> None:
    """Have this process and its children find these passwords in the keyring, by user."""
    file.write_text(json.dumps(passwords), "utf-8")
    patch.setenv(_FILE, str(file))
    patch.setenv("PYTHON_KEYRING_BACKEND", f"{FileKeyring.__module__}.{FileKeyring.__name__}")


def kept_as(user: str) -> str:
    """The reference to the password of a user."""
    return f"keyring:{SERVICE}/{user}"
