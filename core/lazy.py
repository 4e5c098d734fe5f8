"""Faces of packages: names that are loaded when they are first used.

The `__init__.pyi` of such a package lists its names, for type checkers and for this module.  So
`python -m core --help` and the window's first paint import only what they need.
"""

from __future__ import annotations

import importlib
from _frozen_importlib import _DeadlockError  # type: ignore[attr-defined]
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any


def face(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of the package whose `__init__.py` is that file."""
    homes = _homes(Path(file).with_suffix(".pyi"))
    names = sorted(homes)

    def load(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        while True:
            # A package and a part of it, imported by two threads, wait for each other; Python ends
            # the wait of one of them by this error, and the other thread's import goes on.
            with suppress(_DeadlockError):
                home = importlib.import_module(homes[name])
                if not hasattr(home, name):  # a module, which nothing has imported yet
                    importlib.import_module(f"{home.__name__}.{name}")
                return getattr(home, name)

    return load, lambda: names, names


def _homes(listing: Path) -> dict[str, str]:
    """The module of each name; the list has one `from MODULE import NAME as NAME` a line."""
    words = [line.split() for line in listing.read_text("utf-8").splitlines()]
    return {line[3]: line[1] for line in words if line and line[0] == "from"}
