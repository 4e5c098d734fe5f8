"""Machines without a C compiler, and with one that does not compile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest


def without_compiler(patch: pytest.MonkeyPatch) -> None:
    patch.setenv("PATH", "/nowhere")
    patch.delenv("CC", raising=False)


def with_broken_compiler(patch: pytest.MonkeyPatch, folder: Path) -> None:
    broken = folder / "cc"
    broken.write_text("#!/bin/sh\necho no >&2; exit 1\n")
    broken.chmod(0o755)
    patch.setenv("CC", str(broken))
    patch.setenv("SLUICE_CACHE", str(folder / "cache"))


@contextmanager
def looked_for_anew(library: Any) -> Iterator[Callable[[], Any]]:
    """The function that finds a harness has forgotten what it found, before and after."""
    library.cache_clear()
    try:
        yield library
    finally:
        library.cache_clear()


@contextmanager
def machine(way: str, library: Any, patch: pytest.MonkeyPatch) -> Iterator[str]:
    """One with a compiler, for the way `C`, or without, for `Python`."""
    with looked_for_anew(library):
        if way == "Python":
            without_compiler(patch)
        elif library() is None:
            pytest.skip("a C compiler is missing")
        yield way
