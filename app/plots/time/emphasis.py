"""Which settings are drawn, which of them in full colour, and which colour each of these has.

Among many curves nobody can tell all apart: those that matter have colours and markers, the others
are muted.  A setting's place among all gives its colour, or the next free one, so that colours are
the same whenever the same settings have them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from app.plots.time.trace import Trace

MOST = 6
"""The largest number of settings in full colour: as many as there are colours and markers."""
MOST_MUTED = 60
"""The largest number of others that are drawn: more are one grey area, and a second's work."""
_HOLD = 1.05
"""By how much a setting must be faster than one in colour to take its place: else colours would
flicker between settings that are equally fast."""


class Emphasised(NamedTuple):
    """Settings in full colour, with the places of their colours; and those that are decided."""

    ranks: Mapping[str, int]
    decided: Collection[str]
    hidden: Collection[str] = ()
    """Those whose curves are not drawn."""
    muted: tuple[str, ...] = ()
    """Others that are drawn, below those in full colour."""


class Emphasis:
    """Gives colours to a few settings; those that have some are not lightly replaced."""

    def __init__(self) -> None:
        self.picked: Collection[str] = ()
        """The settings that the user has selected."""
        self.hovered = ""
        """The setting under the mouse, which has a colour beside those that are chosen."""
        self.decided: frozenset[str] = frozenset()
        """The settings that are not measured any more."""
        self.hidden: frozenset[str] = frozenset()
        """The settings whose curves the user has hidden."""
        self._chosen: frozenset[str] = frozenset()

    def toggle(self, setting: str) -> None:
        """Hide the curves of a setting, or show them again."""
        self.hidden ^= {setting}

    def among(self, traces: Mapping[str, Trace]) -> Emphasised:
        """What is emphasised among these settings; nothing is where there is one alone."""
        decided = self.decided.intersection(traces)
        if len(traces) < 2:
            return Emphasised({}, decided)
        chosen = self._choose(traces)
        if self.hovered in traces and self.hovered not in chosen:
            chosen = [self.hovered, *chosen][:MOST]
        ranks: dict[str, int] = {}
        for place, key in enumerate(traces):
            if key in chosen:
                free = [rank for rank in range(MOST) if rank not in ranks.values()]
                ranks[key] = place % MOST if place % MOST in free else free[0]
        others = [key for key in traces if key not in ranks]
        # From all over, and the same ones as long as the same settings are in colour.
        muted = tuple(others[:: -(-len(others) // MOST_MUTED) or 1])
        return Emphasised(ranks, decided, self.hidden.intersection(traces), muted)

    def _choose(self, traces: Mapping[str, Trace]) -> list[str]:
        """The picked ones where there are any; else the fastest of those that are not decided, or
        of all once all are decided.
        """
        wanted = [key for key in traces if key in self.picked]
        wanted = wanted or [key for key in traces if key not in self.decided] or list(traces)
        rates = {key: traces[key].rate * (_HOLD if key in self._chosen else 1) for key in wanted}
        fastest = sorted(wanted, key=rates.__getitem__, reverse=True)[:MOST]
        self._chosen = frozenset(fastest)
        return fastest
