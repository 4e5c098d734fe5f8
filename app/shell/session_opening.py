"""What the window shows of a session that was opened, and of a new one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.style import dialogs

if TYPE_CHECKING:
    from app.shell.run_actions import RunActions
    from app.shell.step_actions import StepActions
    from app.shell.window_parts import WindowParts
    from app.work.session_actions import SessionActions
    from app.work.shown_run import Measuring
    from core import Opened, Prepared


class SessionOpening(QObject):
    """Shows an opened session's run, and offers to measure what is left of it."""

    def __init__(
        self,
        parts: WindowParts,
        desk: SessionActions,
        measuring: Measuring,
        run: RunActions,
        steps: StepActions,
    ) -> None:
        super().__init__(parts)
        self._parts, self._desk, self._measuring = parts, desk, measuring
        self._run, self._steps = run, steps
        self._recovering = False
        desk.opened.connect(self._take_opened)
        desk.damaged.connect(self._offer_to_salvage)

    def recover(self) -> None:
        """The session that is about to be opened has a run that was not finished."""
        self._recovering = True

    def begin_anew(self) -> None:
        """Close the session; the next run begins another."""
        self._desk.let_go()
        self._measuring.clear()
        self._run.clear()
        self._parts.verdict.clear()
        self._run.changed.emit()

    def _offer_to_salvage(self, path: Path, why: str) -> None:
        dialogs.offer_to_salvage(self._parts, why, lambda: self._desk.salvage(path))

    def _take_opened(self, opened: Opened) -> None:
        prepared, recovering, self._recovering = opened.prepared, self._recovering, False
        if self._measuring.running or (recovering and opened.busy):
            prepared.session.close()  # what another window measures is that window's
            return
        if recovering:
            self._desk.remember(begun=False)
        self._desk.hold(prepared.session, opened.title)
        self._run.clear_live()
        self._parts.views.show_recorded(opened.seen)
        self._measuring.show(prepared)
        if opened.asked is not None:
            self._steps.fill(opened.asked)
        name = prepared.session.path.name
        self._parts.strip.finish(self.tr("Opened {}").format(name), 0.0)
        self._run.count()
        self._run.changed.emit()
        if opened.remaining:
            resume = partial(self._resume, prepared)
            title = self._desk.title()
            self._steps.consent.ask_about_rest(prepared, title, opened.remaining, resume)

    def _resume(self, prepared: Prepared) -> None:
        if not self._measuring.running and self._desk.session is prepared.session:
            self._measuring.start(prepared.rest_of(prepared.session, prepared.run.id))
