"""Adopts a user's own data: it is catalogued once, in a process of its own, and stays in place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from core.catalog.dataset import Dataset
from core.catalog.generate import lock_of, new_folder
from core.catalog.parameters import values_of
from core.catalog.registry import dataset_kind
from core.errors import SluiceError, UsageError, names_below
from core.host.file_lock import locked
from core.language.units import Seconds
from core.result.outcome import Completed, Failed, Outcome, describe
from core.trial.cancel import Cancel
from core.trial.helper_process import Runner
from core.trial.messages import HelperTask, PhaseProgress


class NotAdoptedError(SluiceError):
    """Adopting did not come to its end; nothing is left of it."""


class MistakenAdoptionError(NotAdoptedError, UsageError):
    """What was asked for cannot be adopted as it was given, such as a mistaken address."""


class Adoption:
    """Catalogues data of a kind in a folder; afterwards `dataset` is what can be measured."""

    def __init__(self, kind: str, wishes: Any, folder: Path) -> None:
        """`wishes` is what the kind's `adoption` declares; the folder is absent or empty."""
        self.dataset: Dataset | None = None
        self._kind = kind
        self._wishes = wishes
        self._folder = folder.absolute()

    def run(self, cancel: Cancel, *, stall: Seconds) -> Iterator[PhaseProgress]:
        """Catalogue it, unless it says nothing for `stall`; yields the progress.

        Raises UsageError, and NotAdoptedError also where it was cancelled; both in one where the
        kind of data raised a UsageError.
        """
        with locked(lock_of(self._folder)), new_folder(self._folder) as new:
            task = HelperTask(
                what="adopt",
                kind=self._kind,
                parameters=values_of(self._wishes),
                folder=str(new),
            )
            runner = Runner(task, cancel, stall=stall)
            yield from runner.run()
            if not isinstance(runner.outcome, Completed):
                raise _not_adopted(runner.outcome)
        self.dataset = dataset_kind(self._kind).open(self._folder)


def _not_adopted(outcome: Outcome) -> NotAdoptedError:
    """A mistake of the user's in its own words, all else as trials tell it."""
    if not isinstance(outcome, Failed) or outcome.trace:
        return NotAdoptedError(describe(outcome))
    mistaken = outcome.error in names_below(UsageError)
    return (MistakenAdoptionError if mistaken else NotAdoptedError)(outcome.message)
