"""What the window has as it was last time: its panes, its form, whether first steps are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSettings

from app.setup.kept_form import Unreadable, form_from, text_of
from core import InvalidParameter

if TYPE_CHECKING:
    from app.setup.undo import FormHistory
    from app.shell.run_actions import RunActions
    from app.shell.window_parts import WindowParts


class KeptState(QObject):
    """Restores it at the start, and keeps it in the settings."""

    def __init__(
        self, settings: QSettings, parts: WindowParts, history: FormHistory, run: RunActions
    ) -> None:
        super().__init__(parts)
        self._settings, self._parts = settings, parts
        self._history, self._run = history, run

    def restore(self) -> None:
        """Have all as it was."""
        self._parts.panes.restore(self._settings.value("panes"))
        self._parts.sides.restore(self._settings.value("sides"))
        if (kept := self._settings.value("form")) is not None:
            self._restore_form(kept)
        self.show_first_steps(shown=str(self._settings.value("guide", "true")) == "true")

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
        if (sides := self._parts.sides.state) is not None:
            self._settings.setValue("sides", sides)
        if (panes := self._parts.panes.state) is not None:
            self._settings.setValue("panes", panes)
        self._settings.setValue("form", text_of(self._parts.setup.state()))

    def show_first_steps(self, *, shown: bool) -> None:
        """Show the first steps, which have the place of an empty table, now and at the start."""
        self._settings.setValue("guide", "true" if shown else "false")
        self._parts.first_steps.setVisible(shown)
        self._parts.results.setVisible(not shown or self._run.shown is not None)
