"""Which settings' curves are drawn, in full colour or muted.

Among many curves nobody can tell all apart: those that matter have colours and markers, the others
are muted.  A setting's place among all gives its colour, or the next free one, so that colours are
the same whenever the same settings have them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from app.plots.time.trace import Trace

MOST = 5
"""The largest number of settings in full colour: as many as there are colours and markers."""
MOST_MUTED = 60
"""The largest number of others that are drawn: more are one grey area, and a second's work."""
_HOLD = 1.05
"""By how much a setting must be faster than one in colour to take its place: else colours would
flicker between settings that are equally fast."""


class Emphasised(NamedTuple):
    """How the curves of settings are drawn."""

    ranks: Mapping[str, int]
    """The settings in full colour, each with the place of its colour."""
    decided: Collection[str]
    """Those that are not measured any more."""
    hidden: Collection[str] = ()
    """Those whose curves are not drawn."""
    muted: tuple[str, ...] = ()
    """Others that are drawn, below those in full colour."""


class Emphasis:
    """Gives colours to a few settings; those that have some are not lightly replaced."""

    def __init__(self) -> None:
        self.picked: Collection[str] = ()
        """The settings that the user has selected."""
        self.decided: frozenset[str] = frozenset()
        """The settings that are not measured any more."""
        self.hidden: frozenset[str] = frozenset()
        """The settings whose curves the user has hidden."""
        self.colours: Mapping[str, int] = {}
        """The place of the colour that a setting has in the plot of the answer."""
        self._chosen: frozenset[str] = frozenset()

    def toggle(self, setting: str) -> None:
        """Hide the curves of a setting, or show them again."""
        self.hidden ^= {setting}

    def choose(self, traces: Mapping[str, Trace]) -> Emphasised:
        """Choose anew among these settings; a single one is not emphasised."""
        decided = self.decided.intersection(traces)
        if len(traces) < 2:
            return Emphasised({}, decided)
        coloured = self._fastest(traces)
        self._chosen = frozenset(coloured)
        ranks = _ranks(traces, coloured, self.colours)
        others = [key for key in traces if key not in ranks]
        # From all over, and the same ones as long as the same settings are in colour.
        muted = tuple(others[:: -(-len(others) // MOST_MUTED) or 1])
        return Emphasised(ranks, decided, self.hidden.intersection(traces), muted)

    def _fastest(self, traces: Mapping[str, Trace]) -> list[str]:
        """The fastest of the settings that matter now.

        These are the picked ones; without any, those that are not decided; without any, all.
        """
        candidates = (
            [key for key in traces if key in self.picked]
            or [key for key in traces if key not in self.decided]
            or list(traces)
        )
        rates = {
            key: traces[key].rate * (_HOLD if key in self._chosen else 1) for key in candidates
        }
        return sorted(candidates, key=rates.__getitem__, reverse=True)[:MOST]


def _ranks(
    settings: Iterable[str], coloured: Collection[str], colours: Mapping[str, int]
) -> dict[str, int]:
    """The places of the colours: a setting's own, or the next that is free."""
    ranks: dict[str, int] = {}
    for place, key in enumerate(settings):
        if key in coloured:
            free = [rank for rank in range(MOST) if rank not in ranks.values()]
            own = colours.get(key, place) % MOST
            ranks[key] = own if own in free else free[0]
    return ranks
