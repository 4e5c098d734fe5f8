"""Asks before anything runs that a session names, unless this user has begun it here."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

import core
from app.style import dialogs
from app.style.dialogs import ConsentDialog
from app.work.question import Question
from core import SluiceError, one_line

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
    count: Callable[[], str] = str
    """Finds what is asked about the requests that it makes to servers; empty = nothing."""
    changes: tuple[str, ...] = ()
    """How the data of a run has changed; compared once the user wants to resume it."""
    requests: str = ""
    """What is asked about them."""


class PlanConsent(QObject):
    """Goes on at once with what is trusted; otherwise it first shows what would run."""

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._parts, self._measuring = parts, parts.measuring
        self._looking, self._agreeing = Question(parts.pool, self), Question(parts.pool, self)
        self._looking.answered.connect(self._take)
        self._agreeing.answered.connect(self._go_on)
        for question in (self._looking, self._agreeing):
            question.refused.connect(partial(parts.complain, self.tr("Measuring")))

    def ask_about_run(self, run: Prepared, then: Then) -> None:
        """Go on with something that the shown run names."""
        if run.trusted:
            then()
        else:
            self._look(_Intent(then=then, run=run), run)

    def ask_about_remaining(self, run: Prepared, title: str, remaining: int, then: Then) -> None:
        """Offer to resume the shown run, which was not finished."""
        self._look(
            _Intent(then=then, run=run, title=title, remaining=remaining, count=run.question), run
        )

    def _look(self, intent: _Intent, run: Prepared) -> None:
        self._looking.ask(
            lambda _: replace(intent, would_run=run.would_run(), trusted=run.is_trusted())
        )

    def ask_about_requests(self, request: Request, dataset: Dataset, then: Then) -> None:
        """Go on with a request, unless it asks a server of the user's for very much."""
        uses = core.FormParameters(request.of_workload).servers()
        if not any(request.values.get(use.parameter) for use in uses):
            then()
            return
        self._agree(_Intent(then=then, count=lambda: core.Preflight.question(request, dataset)))

    def ask_about_pair(self, pair: tuple[Result, Result], cluster: str, then: Then) -> None:
        """Go on with settings of any session, on the cluster that the shown run names."""
        now, own = self._measuring.now, self._parts.held.place
        sessions = [own] if own is not None else []
        specs, trusted = [result.spec for result in pair], not cluster or (now and now.trusted)
        self._looking.ask(
            lambda _: _Intent(
                then=then,
                would_run=core.WouldRun.of(specs, cluster),
                trusted=bool(trusted) and core.WouldRun.all_trusted(specs, sessions),
                count=lambda: core.Prepared.question_in_turn(*pair, cluster),
            )
        )

    def _take(self, intent: _Intent) -> None:
        if not self._is_shown(intent):
            return
        agree = partial(self._agree, intent)
        if intent.trusted and intent.remaining:
            dialogs.offer_to_resume(self._parts, intent.title, intent.remaining, agree)
        elif intent.trusted:
            agree()
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
            despite = partial(self._go_on, replace(intent, changes=()))
            dialogs.ask_despite(self._parts, intent.changes, despite)
        elif intent.requests:
            dialogs.ask_about_requests(self._parts, intent.requests, intent.then)
        else:
            intent.then()

    def _is_shown(self, intent: _Intent) -> bool:
        """Whether the window still shows the run that was asked about, and measures nothing."""
        return not self._measuring.running and intent.run in (None, self._measuring.now)


def _agreed(intent: _Intent) -> _Intent:
    """Trust the run, and look at its data and its requests only now, since that may take long."""
    changes: tuple[str, ...] = ()
    if intent.run is not None:
        if not intent.trusted:
            intent.run.trust()
        changes = intent.run.data_changes() if intent.remaining else ()
    requests = ""
    with suppress(SluiceError):  # what is wrong is for the run to say
        requests = intent.count()
    return replace(intent, changes=changes, requests=requests)
