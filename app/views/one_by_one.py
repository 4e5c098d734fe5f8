"""Trials that take turns, for plots that draw one trial after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core import Moment

type Begin = Callable[[int, str], None]
type Look = Callable[[int, Moment], None]


class OneByOne:
    """Passes on one trial as it comes; the others wait until that one has ended.

    So every trial has its own piece of the axis, as in a session that is opened later, and
    something moves all the time.
    """

    def __init__(self, begin: Begin, look: Look) -> None:
        self._begin, self._look = begin, look
        self.clear()

    def clear(self) -> None:
        """No trial is measured."""
        self._drawn: int | None = None
        self._in_turns: set[int] = set()
        self._names: dict[int, str] = {}
        """Trials that have started but are not drawn yet, in order."""
        self._waiting: dict[int, list[Moment]] = {}
        self._ended: set[int] = set()

    def start(self, index: int, name: str) -> None:
        """Another trial begins; it is drawn at once where no other is."""
        self._names[index] = name
        if self._drawn is None:
            self._next(index)

    def round(self, indexes: Sequence[int]) -> None:
        """These take turns."""
        self._in_turns.update(indexes)

    def add(self, index: int, moment: Moment) -> None:
        """One more look at one of them."""
        if index != self._drawn and index in self._names and self._drawn not in self._in_turns:
            self._next(index)
        if index == self._drawn:
            self._look(index, moment)
        elif index in self._names:
            self._waiting.setdefault(index, []).append(moment)

    def end(self, index: int) -> None:
        """A trial is over; if it was the drawn one, the next is drawn."""
        if index in self._names:
            self._ended.add(index)
        if index != self._drawn:
            return
        self._drawn = None
        for first in list(self._names):
            self._next(first)
            if first not in self._ended:
                return
        self._drawn = None

    def _next(self, index: int) -> None:
        self._drawn = index
        self._begin(index, self._names.pop(index))
        for moment in self._waiting.pop(index, ()):
            self._look(index, moment)
