"""Asks before anything runs that a session names, unless this user has begun it here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

import core
from app.style import dialogs
from app.style.dialogs import ConsentDialog
from app.work.question import Question
from core import one_line

if TYPE_CHECKING:
    from app.shell.window_parts import WindowParts
    from core import Dataset, Prepared, Request, Result, WouldRun

type Then = Callable[[], object]


@dataclass(frozen=True, kw_only=True)
class _Intent:
    """What the user wants to go on with, and what a look at it has shown."""

    then: Then
    run: Prepared | None = None
    """The run whose plan consent counts for; None = for this once."""
    title: str = ""
    remaining: int = 0
    """Trials of a run that is resumed."""
    would_run: WouldRun | None = None
    trusted: bool = False
    changes: tuple[str, ...] = ()
    """How the data of a run has changed; compared once the user wants to resume it."""


class PlanConsent(QObject):
    """Goes on at once with what is trusted; otherwise it first shows what would run."""

    def __init__(self, parts: WindowParts, sessions: Callable[[], Sequence[Path]]) -> None:
        """`sessions`: those whose results are shown."""
        super().__init__(parts)
        self._parts, self._measuring, self._sessions = parts, parts.measuring, sessions
        self._looking, self._agreeing = Question(parts.pool, self), Question(parts.pool, self)
        self._counting = Question(parts.pool, self)
        self._counting.answered.connect(self._take_requests)
        self._looking.answered.connect(self._take)
        self._agreeing.answered.connect(self._go_on)
        for question in (self._looking, self._agreeing, self._counting):
            question.refused.connect(partial(parts.complain, self.tr("Measuring")))

    def ask_about_run(self, run: Prepared, then: Then) -> None:
        """Go on with something that the shown run names."""
        if run.trusted:
            then()
        else:
            self.ask_about_remaining(run, "", 0, then)

    def ask_about_requests(self, request: Request, dataset: Dataset, then: Then) -> None:
        """Go on with a request, unless it asks a server of the user's for very much."""
        uses = core.FormParameters(request.of_workload).servers()
        if not any(request.values.get(use.parameter) for use in uses):
            then()
            return
        self._counting.ask(lambda _: (core.Preflight.question(request, dataset), then))

    def _take_requests(self, counted: tuple[str, Then]) -> None:
        question, then = counted
        if question and not self._measuring.running:
            dialogs.ask_about_requests(self._parts, question, then)
        elif not self._measuring.running:
            then()

    def ask_about_remaining(self, run: Prepared, title: str, remaining: int, then: Then) -> None:
        """Offer to resume the shown run, which was not finished."""
        intent = _Intent(then=then, run=run, title=title, remaining=remaining)
        self._looking.ask(
            lambda _: replace(intent, would_run=run.would_run(), trusted=run.is_trusted())
        )

    def ask_about_pair(self, pair: Sequence[Result], cluster: str, then: Then) -> None:
        """Go on with settings of any session, on the cluster that the shown run names."""
        now, sessions = self._measuring.now, self._sessions()
        specs, trusted = [result.spec for result in pair], not cluster or (now and now.trusted)
        self._looking.ask(
            lambda _: _Intent(
                then=then,
                would_run=core.WouldRun.of(specs, cluster),
                trusted=bool(trusted) and core.WouldRun.all_trusted(specs, sessions),
            )
        )

    def _take(self, intent: _Intent) -> None:
        if not self._is_shown(intent):
            return
        agree = partial(self._agree, intent)
        if intent.trusted and intent.remaining:
            dialogs.offer_to_resume(self._parts, intent.title, intent.remaining, agree)
        elif intent.trusted:
            intent.then()
        elif intent.would_run is not None:
            box = ConsentDialog(intent.would_run, intent.remaining, self._parts)
            box.accepted.connect(agree)
            dialogs.open_in_turn(box)

    def _agree(self, intent: _Intent) -> None:
        if intent.remaining:
            self._parts.say(self.tr("Comparing the data with what was measured"))
        self._agreeing.ask(lambda _: _agreed(intent))

    def _go_on(self, intent: _Intent) -> None:
        if not self._is_shown(intent):
            return
        if intent.changes:
            self._parts.say(one_line(intent.changes[0]))
            dialogs.ask_despite(self._parts, intent.changes, intent.then)
        else:
            intent.then()

    def _is_shown(self, intent: _Intent) -> bool:
        """Whether the window still shows the run that was asked about, and measures nothing."""
        return not self._measuring.running and intent.run in (None, self._measuring.now)


def _agreed(intent: _Intent) -> _Intent:
    """Trust the run, and look at its data only now, since that may take long."""
    if intent.run is None:
        return intent
    if not intent.trusted:
        intent.run.trust()
    return replace(intent, changes=intent.run.data_changes() if intent.remaining else ())
