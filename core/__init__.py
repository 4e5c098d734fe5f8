"""The engine's front door: every public name, and nothing else.

`__init__.pyi` lists the names, for type checkers and for this module.  A name is loaded when it is
first used, so that `python -m core --help` and the window's first paint import only what they need.
"""

from __future__ import annotations

import importlib
from _frozen_importlib import _DeadlockError  # type: ignore[attr-defined]
from contextlib import suppress
from pathlib import Path
from typing import Any


def _homes() -> dict[str, str]:
    """The module of each name; the list has one `from MODULE import NAME as NAME` a line."""
    names = Path(__file__).with_suffix(".pyi").read_text("utf-8").splitlines()
    words = [line.split() for line in names if line.startswith("from ")]
    return {name: home for _, home, _, name, *_ in words}


_HOME_OF = _homes()

__all__ = sorted(_HOME_OF)  # noqa: PLE0605 -- pinned by tests/core/test_front_door.py


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    while True:
        # A package and a part of it, imported by two threads, wait for each other; Python ends the
        # wait of one of them by this error, and the other thread's import goes on.
        with suppress(_DeadlockError):
            home = importlib.import_module(_HOME_OF[name])
            if not hasattr(home, name):  # a module, which nothing has imported yet
                importlib.import_module(f"{home.__name__}.{name}")
            return getattr(home, name)


def __dir__() -> list[str]:
    return __all__
