"""The card of a run's results as values, for the window to draw.

`core.tell.card_text` says the headline, and `core.tell.result_card` makes the card.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from core.language import capitalised, marked, tr
from core.vocabulary import DECLARE_BELOW, Doubt, Grade, Mood

type Trust = Literal["holds", "plain", "open", "contradicted"]
"""What something says of the answer; `plain`: neither for it nor against it."""


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What results were compared with; `holds`: all of them, with an answer of their own."""

    text: str
    trust: Trust
    help: str
    brief: str
    """The same where there is little room for it."""
    done: int = 0
    """Operations, those that failed too."""
    compared: int = 0
    wrong: int = 0
    failed: int = 0

    @property
    def own(self) -> bool:
        """Whether all were compared with an answer that the reader under test has not made."""
        return self.trust == "holds"


def but(faults: str) -> str:
    """What went wrong, as a sentence behind the answer."""
    return tr("But {faults}.", faults=faults)


class Headline(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence, its details, and whether it is good news."""

    mood: Mood
    text: str
    detail: str
    doubts: tuple[Doubt, ...] = ()
    """Why it is not good news; the detail says it too."""
    further: str = ""
    """The detail without the doubts."""
    grade: Grade | None = None
    """How sure the order is; None where nothing is put in order."""
    faults: str = ""
    """What went wrong with some settings; the text says it too."""
    beside: bool = False
    """Whether that holds beside the programs that ran, and not without them."""

    def without_faults(self, text: str) -> str:
        """A text of its own without what went wrong."""
        return text.removesuffix(but(self.faults)).rstrip() if self.faults else text

    @property
    def how_sure(self) -> str:
        """`sure`, `leading for now`; empty without a grade."""
        if self.grade is None:
            return ""
        return tr("{grade} for now", grade=self.grade.text) if self.beside else self.grade.text


_MARKS: dict[Trust, str] = {"holds": "✓", "plain": "○", "open": "!", "contradicted": "≠"}


class CardFigure(msgspec.Struct, frozen=True, kw_only=True):
    title: str
    text: str
    help: str


class Badge(msgspec.Struct, frozen=True, kw_only=True):
    """One reason to trust the answer, or not to; `help` says it in full."""

    trust: Trust
    name: str
    help: str = ""
    bars: int | None = None
    """How many of three are full, where it says how sure something is."""

    @property
    def text(self) -> str:
        """With its mark, so that its colour is not needed."""
        return f"{_MARKS[self.trust]} {self.name}"


class Snippet(msgspec.Struct, frozen=True, kw_only=True):
    """A setting in the terms of one language or tool."""

    where: str
    """`Python`, `Snakemake`, `Shell`: a name, which is not translated."""
    text: str


def level_text() -> str:
    """Behind an interval; the verdict, which has one line for it, goes without."""
    return marked(f"({100 * (1.0 - DECLARE_BELOW):.4g} %)")


class ResultCard(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that the card shows but what to do next."""

    headline: Headline
    number: str = ""
    """The figure that matters most, without its unit; empty where there is none."""
    unit: str = ""
    interval: str = ""
    """How sure the number is, in words."""
    setting: str = ""
    reason: str = ""
    """The answer in a sentence, where it says more than the number and its setting."""
    detail: str = ""
    """What else there is to say that neither the figures nor the badges do."""
    figures: tuple[CardFigure, ...] = ()
    badges: tuple[Badge, ...] = ()
    compared: Checked | None = None
    """What was compared, and with what; one of the badges says it too.  None before any trial."""
    about: str = ""
    """Dataset, machine and date in one line."""
    copies: tuple[Snippet, ...] = ()
    """The setting in the terms of the user's own program."""
    beside: str = ""
    """What other programs did meanwhile, in sentences; empty where the machine was quiet."""
    wire: tuple[str, ...] = ()
    """What the network carried, in sentences."""
    idle: Doubt | None = None
    """Where some workers had nothing to do, so that no number of them is advised."""

    @property
    def sentence(self) -> str:
        """The answer as one would say it to a colleague, without its reasons."""
        answer, faults = self._parted[0], self.headline.faults
        return tr("{answer}, but {faults}", answer=answer, faults=faults) if faults else answer

    @property
    def why(self) -> str:
        """The reasons, and the figure behind them."""
        interval = self.interval.removesuffix(level_text()).rstrip()
        figure = " ".join(filter(None, (self.number, self.unit, interval)))
        if interval and interval in self._parted[1]:
            figure = f"{self.number} {self.unit}"
        figures = () if self.sentence in figure else (figure,)
        level = interval if self.sentence and self.sentence in figure else ""
        # Where the answer is for now, or nothing is advised, other programs are the reason already.
        is_reason = self.headline.beside or not (self.number or self.headline.grade is not None)
        beside = "" if is_reason else self.beside
        return " · ".join(filter(None, (beside, self._parted[1], *self.wire, *figures, level)))

    @property
    def _parted(self) -> tuple[str, str]:
        if self.number and not self.reason:
            return f"{self.number} {self.unit}", ""
        answer = self.headline.without_faults(self.reason or self.headline.text)
        # What comes first is the advice; what stands behind a colon or a semicolon are reasons,
        # but behind the colon of "leading so far" stands who leads.
        leading = self.headline.grade is Grade.LEADING or self.headline.mood == "bad"
        ends = [answer.find(mark) for mark in ("; ", ". ", *(() if leading else (": ",)))]
        end = min((at for at in ends if at > 0), default=len(answer))
        reasons = answer[end + 1 :].strip()
        return answer[:end].rstrip("."), capitalised(reasons)

    @property
    def text(self) -> str:
        """The card in lines, for a message or a note."""
        whole = " ".join(filter(None, (self.number, self.unit)))
        lines = (
            " · ".join(filter(None, (whole, self.interval, self.setting))),
            self.reason,
            " · ".join(self.wire),
            self.detail,
            " · ".join(f"{figure.title} {figure.text}" for figure in self.figures),
            " · ".join(badge.text for badge in self.badges),
            self.about,
        )
        return "\n".join(filter(None, lines)) + "\n"
