"""The data that a workload is measured on, or a study repeated, where the user names none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.catalog.local_datasets import sample_dataset, sample_room
from core.language.reporting import tell_nobody

if TYPE_CHECKING:
    from core.catalog.dataset import Dataset
    from core.language.reporting import Tell


@dataclass(frozen=True)
class SampleData:
    """A dataset that is generated in the cache; for a study one that has what its cells name."""

    workload: str
    study: str = ""
    full: bool = False
    """Whether it is as large as in the publication."""

    def make(self, tell: Tell = tell_nobody) -> Dataset:
        """The dataset; raises UnknownName, UsageError, DatasetError."""
        if not self.study:
            return sample_dataset(self.workload, tell)
        from core.study.preset import load_study

        study = load_study(self.study)
        shape = study.full if self.full else study.sample
        return sample_dataset(study.workload, tell, shape, study.data)

    def room(self) -> int:
        """About how many bytes on disk it takes; raises UnknownName, UsageError."""
        if not self.study:
            return sample_room(self.workload)
        from core.study.preset import load_study

        study = load_study(self.study)
        return sample_room(study.workload, study.full if self.full else study.sample, study.data)
