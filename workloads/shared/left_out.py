"""Files of a folder that are left out because they cannot be used, each with its reason."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from core import DatasetError, tr

MOST_TOLD = 10


class LeftOut:
    """Takes the reasons why files are left out, where any may be.

    One odd file among thousands is no reason to measure none of them.
    """

    def __init__(self, *, allowed: bool = True) -> None:
        self._allowed = allowed
        self.reasons: list[DatasetError] = []

    @contextmanager
    def unless_usable(self) -> Iterator[None]:
        """Pass over a file that the block refuses; raises DatasetError where none may be."""
        try:
            yield
        except DatasetError as reason:
            if not self._allowed:
                raise
            self.reasons.append(reason)

    def require_rest(self, rest: object) -> None:
        """Raise the first reason where nothing is left."""
        if self.reasons and not rest:
            raise self.reasons[0]


def told_left_out(reasons: Sequence[str]) -> list[str]:
    """A sentence for each of the first, and one for how many others there are."""
    told = [tr("left out: {reason}", reason=reason) for reason in reasons[:MOST_TOLD]]
    more = len(reasons) - len(told)
    others = tr("left out besides: 1 file", "left out besides: {count:,} files", count=more)
    return [*told, others] if more else told


def facts_left_out(reasons: Sequence[object]) -> dict[str, int | str]:
    """The same as facts of a dataset."""
    told: dict[str, int | str] = {
        f"left out {number}": str(reason) for number, reason in enumerate(reasons[:MOST_TOLD], 1)
    }
    if (more := len(reasons) - MOST_TOLD) > 0:
        told["more left out"] = more
    return told


def count_left_out(facts: Mapping[str, int | str]) -> str:
    """How many files these facts tell of; empty where none is left out."""
    count = sum(name.startswith("left out ") for name in facts) + int(facts.get("more left out", 0))
    return tr("1 file left out", "{count:,} files left out", count=count) if count else ""
