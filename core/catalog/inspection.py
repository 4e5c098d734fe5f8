"""What a user wants to know about a dataset before measuring on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from core.catalog import registry
from core.catalog.dataset import AnyFiles, Dataset, passed_over
from core.errors import DamagedDataset, DatasetError
from core.language.telling import counted, tell_nobody, watched_by
from core.language.translation import tr, tr_word
from core.language.units import show_count, show_share, show_size

if TYPE_CHECKING:
    from core.catalog.dataset import DatasetKind
    from core.language.telling import Tell


class Inspection(msgspec.Struct, frozen=True, kw_only=True):
    """One look at a dataset; changes nothing."""

    dataset: Dataset
    title: str
    files: int
    bytes: int
    facts: Mapping[str, int | str]
    resident: float | None
    """Share of it in the page cache; None where that is unknown."""
    problem: str = ""
    """Why it cannot be read as its own kind, where the workload can use it anyway."""
    in_short: Sequence[str] = ()
    """The most telling of the facts, as texts."""
    passed_over: int = 0
    """Files and folders in it that cannot be read, and are no part of it."""

    def sentence(self) -> str:
        """`SeqRepo snapshot · 122 files · 1.1 GiB · 87 % in page cache`."""
        parts = [
            tr_word(self.title),
            tr("1 file", "{count:,} files", count=self.files),
            show_size(self.bytes),
            *self.in_short,
        ]
        if self.resident is not None:
            parts.append(tr("{share} in page cache", share=show_share(self.resident)))
        if self.passed_over:
            count = show_count(self.passed_over)
            parts.append(tr("unreadable and left out: {count}", count=count))
        return " · ".join(parts)

    @staticmethod
    def of(path: Path, workload: str = "", tell: Tell = tell_nobody) -> Inspection:
        """The data at a path, as the named workload or any other reads it; raises DatasetError.

        It ends in the middle of many files where `tell` raises.
        """
        with watched_by(tell):
            return Inspection._of(path, workload)

    @staticmethod
    def _of(path: Path, workload: str) -> Inspection:
        from core.host.pagecache import residency

        dataset = find_dataset(workload, path) if workload else registry.open_dataset(path)
        kind = registry.dataset_kind(dataset.kind)
        with registry.naming(path):
            try:
                facts, problem = _facts(kind, path, workload)
            except DatasetError as error:
                if workload or path.is_file():
                    # It was recognised, so it is data of this kind that is not as it should be.
                    raise DamagedDataset(error.cause, error.remedy) from error
                # A folder that only looks like more is a folder of files.
                kind, problem = AnyFiles(), str(error)
                dataset, facts = kind.open(path), kind.facts(path)
            files = kind.files(path)
            resident = residency(counted(files))
            return Inspection(
                dataset=dataset,
                title=kind.title,
                files=len(files),
                bytes=sum(file.stat().st_size for file in counted(files)),
                facts=facts,
                in_short=tuple(filter(None, kind.in_short(facts))) if facts else (),
                resident=resident.fraction if resident.files else None,
                problem=problem,
                passed_over=passed_over(path),
            )


def _facts(kind: DatasetKind, path: Path, workload: str) -> tuple[Mapping[str, int | str], str]:
    """The facts, and faults of the data that do not matter to the workload."""
    if kind.name == AnyFiles.name:
        return kind.facts(path), str(registry.refusal(path) or "")
    try:
        return kind.facts(path), ""
    except DatasetError as error:
        if not workload or registry.load_workload(workload).dataset_kinds:
            raise
        return {}, str(error)


def find_dataset(name: str, path: Path) -> Dataset:
    """The dataset at a path, as the workload of that name reads it; raises DatasetError."""
    return registry.open_dataset(path, registry.load_workload(name).dataset_kinds)
