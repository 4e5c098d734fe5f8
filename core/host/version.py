"""Which Sluice this is."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def sluice_version() -> str:
    """The installed version; `unknown` where the source is run without being installed."""
    try:
        return version("sluice")
    except PackageNotFoundError:
        return "unknown"
