"""Takes PySide out of the imports of modules that ask it for nothing.

PySide replaces `__import__`, so that a module can ask for another spelling of Qt's names with `from
__feature__ import snake_case`.  To know which modules name PySide at all it reads the source of
each that is imported, which the window waits for.  Nothing here, and nothing that is used here,
asks for that.
"""

from __future__ import annotations

import builtins


def import_plainly() -> None:
    """Import as Python does by itself, from now on; PySide keeps that for everybody to see."""
    before = getattr(builtins, "__orig_import__", None)
    if before is not None:
        builtins.__import__ = before
