"""How this program is called here, and which version it is.

Every child of a trial imports this module, so slow imports stand in the functions that need them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

FROM_SOURCE = ("python", "-m", "core")


PROGRAM = ("sluice",) if getattr(sys, "frozen", False) else FROM_SOURCE
"""The packaged program is its own interpreter, so there is no `python` to type."""


def command_text(*arguments: str) -> str:
    """A command to be shown, such as `python -m core lab start s3`."""
    return " ".join((*PROGRAM, *arguments))


def as_typed_here(text: str) -> str:
    """The examples in a text, with the program as it is called here.

    What sets up extras in a checkout is the wheel with them elsewhere.
    """
    text = text.replace(" ".join(FROM_SOURCE), command_text())
    in_checkout = (Path(__file__).parents[2] / "Makefile").is_file()
    return text if in_checkout else _SETTING_UP.sub(_wheel_with_extras, text)


_SETTING_UP = re.compile(r'make \.venv EXTRAS="([\w ]+)"')


def _wheel_with_extras(command: re.Match[str]) -> str:
    extras = ",".join((*command[1].split(), "app"))  # the last may be cut where it is shown
    return f"uv tool install 'sluice-{sluice_version()}-py3-none-any.whl[{extras}]'"


UNKNOWN = "unknown"


def sluice_version() -> str:
    """The installed version; `unknown` where the source is run without being installed."""
    return version_of("sluice")


def version_of(name: str) -> str:
    """The installed version; `unknown` without the package, or where its metadata is unreadable."""
    # At the top, it would be half of the imports of `--help`.
    from importlib.metadata import PackageNotFoundError
    from importlib.metadata import distribution as installed

    try:
        version = installed(name).metadata.get("Version")  # None where it is not readable
    except (PackageNotFoundError, OSError):
        version = None
    return version or UNKNOWN
