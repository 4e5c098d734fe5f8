"""Asks before anything runs that a session names, unless this user has begun it here."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.style import dialogs
from app.style.dialogs import ConsentDialog
from app.work.question import Question
from core import one_line

if TYPE_CHECKING:
    from app.shell.window_parts import WindowParts
    from core import Prepared, Result, WouldRun

type Then = Callable[[], object]


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What is to be gone on with, and what is known of it once it was looked at."""

    then: Then
    of: Prepared | None = None
    """The run whose plan consent counts for; None = for this once."""
    title: str = ""
    remaining: int = 0
    """Trials of a run that is resumed."""
    would_run: WouldRun | None = None
    trusted: bool = False
    changes: tuple[str, ...] = ()
    """How the data of a run that is resumed has changed; known once it is to be resumed."""


class PlanConsent(QObject):
    """Goes on at once with what is trusted; otherwise shows first what would run."""

    def __init__(self, parts: WindowParts, sessions: Callable[[], Sequence[Path]]) -> None:
        """`sessions`: those whose results are shown."""
        super().__init__(parts)
        self._parts, self._measuring, self._sessions = parts, parts.measuring, sessions
        self._looking, self._agreeing = Question(parts.pool, self), Question(parts.pool, self)
        self._looking.answered.connect(self._take)
        self._agreeing.answered.connect(self._go_on)
        for question in (self._looking, self._agreeing):
            question.refused.connect(partial(parts.complain, self.tr("Measuring")))

    def ask_about_run(self, shown: Prepared, then: Then) -> None:
        """Go on with something that a shown run names."""
        if shown.trusted:
            then()
        else:
            self._looking.ask(lambda _: _run_looked_at(_Asked(then=then, of=shown)))

    def ask_about_rest(self, shown: Prepared, title: str, remaining: int, then: Then) -> None:
        """Offer to resume a run that was not finished."""
        asked = _Asked(then=then, of=shown, title=title, remaining=remaining)
        self._looking.ask(lambda _: _run_looked_at(asked))

    def ask_about_pair(self, pair: Sequence[Result], cluster: str, then: Then) -> None:
        """Go on with settings of any session, on the cluster that the shown run names."""
        shown, sessions = self._measuring.now, self._sessions()
        asked = _Asked(then=then, trusted=not cluster or (shown is not None and shown.trusted))
        self._looking.ask(lambda _: _pair_looked_at(asked, pair, sessions, cluster))

    def _take(self, asked: _Asked) -> None:
        if not self._is_shown(asked):
            return
        go_on = partial(self._compare, asked)
        if asked.trusted and asked.remaining:
            dialogs.offer_to_resume(self._parts, asked.title, asked.remaining, go_on)
        elif asked.trusted:
            asked.then()
        elif asked.would_run is not None:
            box = ConsentDialog(asked.would_run, asked.remaining, self._parts)
            box.accepted.connect(go_on)
            dialogs.open_in_turn(box)

    def _compare(self, asked: _Asked) -> None:
        if asked.remaining:
            self._parts.say(self.tr("Comparing the data with what was measured"))
        self._agreeing.ask(lambda _: _agreed(asked))

    def _go_on(self, asked: _Asked) -> None:
        if not self._is_shown(asked):
            return
        if asked.changes:
            self._parts.say(one_line(asked.changes[0]))
            dialogs.ask_despite(self._parts, asked.changes, asked.then)
        else:
            asked.then()

    def _is_shown(self, asked: _Asked) -> bool:
        """Whether the window still shows the run that was asked about, and measures nothing."""
        return not self._measuring.running and asked.of in (None, self._measuring.now)


def _run_looked_at(asked: _Asked) -> _Asked:
    assert asked.of is not None
    return replace(asked, would_run=asked.of.would_run(), trusted=asked.of.is_trusted())


def _pair_looked_at(
    asked: _Asked, pair: Sequence[Result], sessions: Sequence[Path], cluster: str
) -> _Asked:
    from core import WouldRun

    specs = [result.spec for result in pair]
    trusted = asked.trusted and WouldRun.all_trusted(specs, sessions)
    return replace(asked, would_run=WouldRun.of(specs, cluster), trusted=trusted)


def _agreed(asked: _Asked) -> _Asked:
    """The user wants it; the data is looked at only now, since that may take long."""
    run = asked.of
    if run is None:
        return asked
    if not asked.trusted:
        run.trust()
    return replace(asked, changes=run.data_changes() if asked.remaining else ())
