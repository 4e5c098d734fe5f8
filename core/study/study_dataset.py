"""The data that a study is repeated on where the user names none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.catalog.generate import sample_dataset, sample_room
from core.language.telling import tell_nobody
from core.study.preset import load_study

if TYPE_CHECKING:
    from core.catalog.dataset import Dataset
    from core.language.telling import Tell


def study_dataset(name: str, tell: Tell = tell_nobody, *, full: bool = False) -> Dataset:
    """A generated dataset that has what the cells of a study name, in the cache.

    `full`: as large as in the publication.  Raises UnknownName, UsageError, DatasetError.
    """
    study = load_study(name)
    return sample_dataset(study.workload, tell, study.full if full else study.sample, study.data)


def study_room(name: str, *, full: bool = False) -> int:
    """About how many bytes on disk that dataset takes; raises UnknownName, UsageError."""
    study = load_study(name)
    return sample_room(study.workload, study.full if full else study.sample, study.data)
