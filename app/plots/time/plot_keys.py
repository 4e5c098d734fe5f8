"""What keys do in the plots of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

if TYPE_CHECKING:
    from app.plots.time.run_plots import RunPlots

_STEP = 0.1
"""Seconds that an arrow moves the crosshair, at least."""


def press(event: QKeyEvent, plots: RunPlots) -> bool:
    """Do what a key asks for; whether it asks for anything."""
    match event.key():
        case Qt.Key.Key_Left | Qt.Key.Key_Right as key:
            way = -1 if key == Qt.Key.Key_Left else 1
            step = way * max(_STEP, plots.visible.length / 200)
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                plots.pan(10 * step)
            else:
                plots.pointing.step(step, event.modifiers())
        case Qt.Key.Key_Plus | Qt.Key.Key_Equal:
            plots.zoom(plots.pointing.at, 0.8)
        case Qt.Key.Key_Minus:
            plots.zoom(plots.pointing.at, 1.25)
        case Qt.Key.Key_Home:
            plots.show_all()
        case Qt.Key.Key_Escape:
            return _leave(plots)
        case key if Qt.Key.Key_1 <= key < Qt.Key.Key_1 + len(plots.panels):
            plots.show_plot(plots.panels[key - Qt.Key.Key_1])
        case _:
            return False
    return True


def _leave(plots: RunPlots) -> bool:
    """Point at nothing any more, or else follow what is measured; whether there was either."""
    if plots.pointing.anywhere:
        plots.pointing.unselect()
        plots.pointing.unpoint()
        return True
    if plots.chosen:
        plots.show_all()
        return True
    return False
