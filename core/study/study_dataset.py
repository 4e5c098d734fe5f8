"""The data that a workload is measured on, or a study repeated, where the user names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.catalog.generate import sample_dataset, sample_room
from core.language.telling import tell_nobody

if TYPE_CHECKING:
    from core.catalog.dataset import Dataset
    from core.language.telling import Tell


def generated(
    workload: str, study: str = "", tell: Tell = tell_nobody, *, full: bool = False
) -> Dataset:
    """A generated dataset in the cache; for a study one that has what its cells name.

    `full`: as large as in the publication.  Raises UnknownName, UsageError, DatasetError.
    """
    if not study:
        return sample_dataset(workload, tell)
    from core.study.preset import load_study

    asked = load_study(study)
    return sample_dataset(asked.workload, tell, asked.full if full else asked.sample, asked.data)


def generated_room(workload: str, study: str = "", *, full: bool = False) -> int:
    """About how many bytes on disk that dataset takes; raises UnknownName, UsageError."""
    if not study:
        return sample_room(workload)
    from core.study.preset import load_study

    asked = load_study(study)
    return sample_room(asked.workload, asked.full if full else asked.sample, asked.data)
