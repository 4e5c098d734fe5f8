"""What the window has as it was last time: its panes and its form."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings

from app.setup.form_history import Unreadable, form_from, text_of
from core import InvalidParameter

if TYPE_CHECKING:
    from app.setup.form_history import FormHistory
    from app.shell.window_parts import WindowParts


class KeptState(QObject):
    """Restores it at the start, and keeps it in the settings."""

    def __init__(self, settings: QSettings, parts: WindowParts, history: FormHistory) -> None:
        super().__init__(parts)
        self._settings, self._parts = settings, parts
        self._history = history

    def restore(self) -> None:
        """Have all as it was."""
        self._parts.panes.restore(self._settings.value("panes"))
        if (kept := self._settings.value("form")) is not None:
            self._restore_form(kept)

    def _restore_form(self, kept: object) -> None:
        """Fill in the form; what cannot be read is set aside, and keeps nobody from working."""
        before = self._parts.setup.state()
        try:
            self._history.restore(form_from(kept))
        except (Unreadable, InvalidParameter, ArithmeticError):
            self._history.restore(before)
            self._settings.setValue("form set aside", kept)
            self._settings.remove("form")
            said = self.tr("The form of last time cannot be read; it is set aside in the settings")
            self._parts.strip.finish(said, 0.0)

    def keep(self) -> None:
        """Save the panes and the form for the next start."""
        if (panes := self._parts.panes.state) is not None:
            self._settings.setValue("panes", panes)
        self._settings.setValue("form", text_of(self._parts.setup.state()))
