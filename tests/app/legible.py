"""What of the texts in sight is too faint to be read, from rendered pixels."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from colour import contrast
from numpy.typing import NDArray
from pixels import Place, commonest, piece, rendered, texts
from PySide6.QtWidgets import QWidget

from app.shell.window import MainWindow
from app.style.theme import THEMES, Theme

LEAST_TEXT, LEAST_CURVE, LEAST_EDGE = 7.0, 3.0, 3.0


def unreadable(root: QWidget) -> list[str]:
    """Texts in sight whose ink keeps less than the contrast with what it stands on.

    Texts of disabled controls are held to the same: they say what there is to be enabled.
    """
    root.ensurePolished()
    screen = rendered(root)
    return [told for place in texts(root) if (told := too_faint(screen, place))]


def too_faint(screen: NDArray[np.uint32], place: Place) -> str:
    """Which text keeps how much contrast between which colours; empty where it is enough."""
    colours = commonest(piece(screen, place.area), 2)
    assert len(colours) == 2, f"nothing is drawn of {place.name!r}"
    found = contrast(*colours)
    return "" if found >= LEAST_TEXT else f"{found:.2f} {'/'.join(colours)}: {place.name!r}"


def themes(window: MainWindow) -> Iterator[Theme]:
    """The window in each of its themes, one after the other."""
    for theme in THEMES:
        window.appearance.choose(theme.name)
        yield theme
