"""What kinds of datasets share: files of a user's own that are left out, links, drawn lengths."""

from __future__ import annotations

from math import erf, exp, log, sqrt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from core import DatasetError, tr, written_once


MOST_LISTED = 10


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


def left_out_notes(reasons: Sequence[str]) -> list[str]:
    """A sentence for each of the first, and one for how many others there are."""
    told = [tr("left out: {reason}", reason=reason) for reason in reasons[:MOST_LISTED]]
    more = len(reasons) - len(told)
    others = tr("left out besides: 1 file", "left out besides: {count:,} files", count=more)
    return [*told, others] if more else told


def left_out_facts(reasons: Sequence[object]) -> dict[str, int | str]:
    """The same as facts of a dataset."""
    told: dict[str, int | str] = {
        f"left out {number}": str(reason) for number, reason in enumerate(reasons[:MOST_LISTED], 1)
    }
    if (more := len(reasons) - MOST_LISTED) > 0:
        told["more left out"] = more
    return told


def left_out_count(facts: Mapping[str, int | str]) -> str:
    """How many files these facts tell of; empty where none is left out."""
    count = sum(name.startswith("left out ") for name in facts) + int(facts.get("more left out", 0))
    return tr("1 file left out", "{count:,} files left out", count=count) if count else ""


def require_inside(root: Path, files: Iterable[Path]) -> None:
    """Raise DatasetError for a link among these files to what is not below the root."""
    inside = root.resolve()
    for file in files:
        if file.is_symlink() and not (there := file.resolve()).is_relative_to(inside):
            raise DatasetError(
                tr(
                    "{path} is a link that leads out of the folder, to {there}",
                    path=file,
                    there=there,
                ),
                tr("put the file itself there, remove the link, or choose another folder"),
            )


def linked(link: Path, target: Path) -> Path:
    """A link to a file under a name that a library goes by, made where it is missing."""

    def make(unfinished: Path) -> None:
        unfinished.unlink(missing_ok=True)  # left by a process that was killed
        unfinished.symlink_to(target.resolve())

    return written_once(link, make)


def usual_sum(count: int, median: float, spread: float) -> float:
    """About the sum of that many lengths, `spread` being the deviation of their logarithm.

    Of wide spreads the mean comes from lengths so rare that few draws hardly meet them, so those
    beyond the longest of so many draws are left out: E[X; X < exp(s z)] = exp(s²/2) Φ(z - s) for
    the median 1, and z = √(2 ln n).
    """
    longest = sqrt(2 * log(max(count, 2)))
    mean = median * exp(spread * spread / 2)
    shorter = (1 + erf((longest - spread) / sqrt(2))) / 2
    return count * max(median, mean * shorter)
