"""The window's typeface, which comes with Sluice, and its five sizes."""

from __future__ import annotations

import sys

from PySide6.QtGui import QFont, QFontDatabase

from core import resources_folder

_PIXELS = {"small": 12, "plain": 13, "title": 15, "figure": 19, "hero": 30}
_PER_POINT = 1.0 if sys.platform == "darwin" else 96 / 72
"""Pixels of a point, before a desktop enlarges its texts."""
_FAMILY = "Inter"


def points(size: str) -> float:
    """A size of type in points, so that it grows with the texts of the desktop."""
    return _PIXELS[size] / _PER_POINT


def window_font() -> QFont:
    """The font of everything; the system's own where that of Sluice cannot be read."""
    folder = resources_folder() / "fonts"
    loaded = [QFontDatabase.addApplicationFont(str(file)) for file in folder.glob("*.[ot]tf")]
    font = QFont(_FAMILY) if loaded and min(loaded) >= 0 else QFont()
    font.setPointSizeF(points("plain"))
    font.setFeature(QFont.Tag("tnum"), 1)  # figures that change stay where they are
    return font
