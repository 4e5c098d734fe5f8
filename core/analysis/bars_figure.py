"""What a plot of bars shows, made once: the window and the report draw the same."""

from __future__ import annotations

from dataclasses import dataclass

from core.language.units import show

_REACH = 1.6
"""How far above the highest value an interval can reach before it is cut."""


@dataclass(frozen=True, kw_only=True)
class FigureBar:
    """One bar: a setting, or a part of what one did."""

    name: str
    value: float = 0.0
    low: float | None = None
    high: float | None = None
    trials: tuple[float, ...] = ()
    text: str = ""
    """The value for people, or why there is none."""
    failed: bool = False
    setting: str = ""
    """The digest of its spec; empty for a part."""
    rank: int | None = 0
    """The place of its colour; None for a muted one."""
    out: bool = False
    """Whether it is not measured any more, or surely behind."""

    @property
    def ends(self) -> tuple[float, float]:
        """Those of its interval; its value twice where it has none."""
        return (
            self.value if self.low is None else self.low,
            self.value if self.high is None else self.high,
        )


@dataclass(frozen=True, kw_only=True)
class BarsFigure:
    """Bars below each other, in their order."""

    title: str = ""
    bars: tuple[FigureBar, ...] = ()
    whole: float = 0.0
    """The value of a bar that fills the plot; 0 = that of the longest."""
    more: int = 0
    """How many bars follow that are not given, since they have no room anyway."""

    @staticmethod
    def bar_so_far(setting: str, name: str, rate: float, rank: int | None) -> FigureBar:
        """That of a setting whose first trial still runs, by its operations/s until now."""
        return FigureBar(setting=setting, name=name, value=rate, text=show(rate, "rate"), rank=rank)

    @property
    def top(self) -> float:
        """The value at the end of the plot; wide intervals are cut, so that bars stay long."""
        highest = max((one.value for one in self.bars), default=0.0)
        ends = (min(one.ends[1], _REACH * highest) for one in self.bars)
        return self.whole or max(ends, default=0.0) or 1.0
