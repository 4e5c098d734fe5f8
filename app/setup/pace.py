"""How long work that tells its progress still takes, at the pace so far."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QElapsedTimer

from core import show_left

_PACE_AFTER = 2.0  # s until the pace so far says how long the rest takes


class Pace:
    """Makes a sentence of what is told of some work."""

    def __init__(self) -> None:
        self._doing = ""
        self._since = QElapsedTimer()

    def begin(self) -> None:
        """Forget what was told of earlier work."""
        self._doing = ""

    def said(self, doing: str, done: int, total: int) -> str:
        """What is being done, and the time left where the pace tells it."""
        if doing != self._doing:
            self._doing = doing
            self._since.start()
        told = f"{doing[:1].upper()}{doing[1:]}…"
        if (left := time_left(self._since.elapsed() / 1000, done, total)) is None:
            return told
        sentence = QCoreApplication.translate("Pace", "{doing} {left} left")
        return sentence.format(doing=told, left=show_left(left))


def time_left(gone: float, done: int, total: int) -> float | None:
    """Seconds for the rest at the pace so far; None if the pace says little."""
    if gone < _PACE_AFTER or not 0 < done < total:
        return None
    return gone * (total - done) / done
