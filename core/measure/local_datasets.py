"""Datasets on this machine: Sluice makes its own ones, and inspects any.

Files and datasets are made once, atomically, and reused.  Several processes can need the same one
at the same moment; one makes it while the others wait.  A rename gives it its name at the end, so
that a kill at any moment leaves nothing half-made that looks complete.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from core.language import (
    DamagedDataset,
    DatasetError,
    SluiceError,
    UsageError,
    report_to_nobody,
    show_count,
    show_share,
    show_size,
    tr,
    tr_word,
    watched_by,
)
from core.measure.machine.folders import cache_folder
from core.measure.machine.removal import remove_tree
from core.measure.machine.shared_files import UNFINISHED, lock_of, locked
from core.vocabulary import (
    AnyFiles,
    Dataset,
    FileList,
    build,
    dataset_kind,
    digest_of,
    file_state,
    open_dataset,
    registry,
    regular_files,
    values_of,
)

if TYPE_CHECKING:
    from core.language import ReportProgress
    from core.vocabulary import DatasetKind


_MARGIN = 0.02
"""Share of the data that folders and partly filled blocks take in addition."""


def require_space(folder: Path, size: int, remedy: str = "") -> None:
    """Raise DatasetError unless the disk of a folder, which need not exist, has that much left."""
    there = next(one for one in (folder, *folder.parents) if one.exists())
    try:
        free, on_disk = shutil.disk_usage(there).free, round((1 + _MARGIN) * size)
    except OSError:  # a container may forbid the call; a full disk is reported later
        return
    if free < on_disk:
        raise DatasetError(
            tr(
                "{folder} has room for {free}, but {needed} are needed",
                folder=folder,
                free=show_size(free),
                needed=show_size(on_disk),
            ),
            remedy or tr("make room, name a folder on a larger disk, or choose less data"),
        )


_MANIFEST = "sluice-dataset.json"
_LAYOUT = 1
"""Increased when the same shape gives other bytes, so that older data is made anew."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The contents of a generated folder, as it records them."""

    kind: str
    shape: dict[str, int | float | str | bool]
    digest: str
    location: str
    """Where the dataset is, relative to the folder."""
    fingerprint: str
    bytes: int


def make_dataset(
    kind_name: str,
    shape: Any,
    folder: Path | None = None,
    report: ReportProgress = report_to_nobody,
) -> Dataset:
    """A generated dataset of that shape, made now or found complete from before.

    Without a folder it goes to the cache, where a damaged one is made anew.  A given folder
    must be absent, empty, or one that this function made.  Raises UsageError, and DatasetError also
    where the disk has no room for it.
    """
    kind = dataset_kind(kind_name)
    digest = digest_of((_LAYOUT, kind_name, values_of(shape)))
    ours = folder is None
    target = (folder or cache_folder() / "datasets" / f"{kind_name}-{digest}").absolute()
    with locked(lock_of(target)):
        if (existing := _existing(kind, target, digest)) is not None:
            return existing
        if not ours and _foreign(target):
            raise UsageError(f"{target} is not empty", "name a new folder")
        if room := kind.room(shape):
            elsewhere = tr("make room there, or name another folder: SLUICE_CACHE") if ours else ""
            require_space(target, room, elsewhere)
            report(tr("making data, about {size} on disk", size=show_size(room)))
        return _made(kind, shape, target, digest, report)


def convert_dataset(
    path: Path, to: str, folder: Path | None = None, report: ReportProgress = report_to_nobody
) -> Dataset:
    """The data at a path in another format, made now or, in the cache, found from before.

    A given folder must be absent or empty.  Raises UsageError, DatasetError, Unavailable.
    """
    dataset = open_dataset(path)
    kind = dataset_kind(dataset.kind)
    if kind.name == AnyFiles.name and (reason := registry.refusal(path)):
        raise reason
    if to not in kind.conversions:
        formats = ", ".join(kind.conversions) or "nothing"
        raise UsageError(f"{kind.title} cannot be converted to {to}", f"it can to: {formats}")
    name = f"{kind.name}-{file_state(*kind.listed(path).names)}-as-{to}"
    target = (folder or cache_folder() / "datasets" / name).absolute()
    with locked(lock_of(target)):
        if folder is None and target.exists():
            return open_dataset(target)
        with new_folder(target) as new:
            kind.convert(path, to, new, report)
    return open_dataset(target)


@contextmanager
def new_folder(target: Path) -> Iterator[Path]:
    """An empty folder that gets the target's name at the end of the block.

    Nothing is left of it where the block raises.  Raises UsageError unless the target is absent or
    empty.
    """
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise UsageError(f"{target} is not empty", "name a new folder")
    with _unfinished(target) as new:
        yield new


@contextmanager
def _unfinished(target: Path) -> Iterator[Path]:
    """As `new_folder`; the target is absent or empty at the end of the block."""
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_name(UNFINISHED.format(target.name))
    remove_tree(new)  # of a process that was killed
    new.mkdir()
    try:
        yield new
        if target.exists():
            target.rmdir()
        new.rename(target)
    finally:
        remove_tree(new)


def _read_manifest(folder: Path) -> Manifest | None:
    try:
        return _READ.decode((folder / _MANIFEST).read_bytes())
    except (OSError, msgspec.DecodeError):
        return None


def _existing(kind: DatasetKind, folder: Path, digest: str) -> Dataset | None:
    manifest = _read_manifest(folder)
    if manifest is None or manifest.digest != digest:
        return None
    path = folder / manifest.location
    try:
        dataset = kind.open(path)
        size = _bytes_of(kind, path)
    except (DatasetError, OSError):
        return None
    whole = dataset.fingerprint == manifest.fingerprint and size == manifest.bytes
    return dataset if whole else None


def _foreign(folder: Path) -> bool:
    """Whether a folder holds anything that was not generated."""
    if not folder.exists():
        return False
    return not folder.is_dir() or (_read_manifest(folder) is None and any(folder.iterdir()))


def _made(
    kind: DatasetKind, shape: Any, target: Path, digest: str, report: ReportProgress
) -> Dataset:
    with _unfinished(target) as new:
        path = kind.make(shape, new, report)
        manifest = Manifest(
            kind=kind.name,
            shape=values_of(shape),
            digest=digest,
            location=os.path.relpath(path, new),
            fingerprint=kind.open(path).fingerprint,
            bytes=_bytes_of(kind, path),
        )
        (new / _MANIFEST).write_bytes(msgspec.json.encode(manifest) + b"\n")
        if target.exists():
            remove_tree(target)
    return kind.open(target / manifest.location)


def _bytes_of(kind: DatasetKind, path: Path) -> int:
    return sum(kind.listed(path).sizes)


def sample_dataset(
    name: str,
    report: ReportProgress = report_to_nobody,
    shape: Mapping[str, object] | None = None,
    data: str = "",
) -> Dataset:
    """A generated dataset for a workload, of its first kind that can be generated, in the cache.

    `shape`: values of its shape, for another one than the kind's sample; `data`: another kind.
    """
    kind, values = _sample_of(name, shape, data)
    return make_dataset(kind.name, values, None, report)


def sample_room(name: str, shape: Mapping[str, object] | None = None, data: str = "") -> int:
    """About how many bytes on disk that dataset takes; raises UsageError as `sample_dataset`."""
    kind, values = _sample_of(name, shape, data)
    return kind.room(values)


def _sample_of(name: str, shape: Mapping[str, object] | None, data: str) -> tuple[DatasetKind, Any]:
    kinds: Iterable[str] = (data,) if data else _kinds_of(name)
    for kind_name in kinds or (row.name for row in registry.own_dataset_kinds()):
        kind = registry.dataset_kind(kind_name)
        if kind.shape is not None:
            return kind, build(kind.shape, shape) if shape else kind.sample()
    raise UsageError(
        tr("{workload} has no dataset that can be generated", workload=name),
        tr("give one with --dataset"),
    )


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
    """Unreadable files and folders in it, which are no part of it."""

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
    def of(path: Path, workload: str = "", report: ReportProgress = report_to_nobody) -> Inspection:
        """The data at a path, as the named workload or any other reads it; raises DatasetError.

        It ends in the middle of many files where `report` raises.
        """
        with watched_by(report), FileList.listed_once():
            return Inspection._of(path, workload)

    @staticmethod
    def unfit(path: Path) -> Mapping[str, str]:
        """By name of each workload that does not read the data at a path, why, in a few words."""
        with FileList.listed_once():
            matches = registry.recognised(path)
        names, reasons = {kind.name for kind in matches}, {}
        for name, entry in registry.workloads().items():
            with suppress(SluiceError):  # its own form says which driver is missing
                kinds = entry.workload().dataset_kinds
                if kinds and names.isdisjoint(kinds):
                    reasons[name] = tr("reads no {kind}", kind=tr_word(matches[0].title))
        return reasons

    @staticmethod
    def _of(path: Path, workload: str) -> Inspection:
        from core.measure.machine.page_cache import share_in_memory

        dataset = find_dataset(workload, path) if workload else registry.open_dataset(path)
        kind = registry.dataset_kind(dataset.kind)
        with registry.naming(path):
            try:
                facts, problem = _facts(kind, path, workload)
            except DatasetError as error:
                if workload or path.is_file():
                    # It was recognised, so it is damaged data of this kind.
                    raise DamagedDataset(error.cause, error.remedy) from error
                # A folder that only looks like more is a folder of files.
                kind, problem = AnyFiles(), str(error)
                dataset, facts = kind.open(path), kind.facts(path)
            files = kind.listed(path)
            return Inspection(
                dataset=dataset,
                title=kind.title,
                files=len(files),
                bytes=sum(files.sizes),
                facts=facts,
                in_short=tuple(filter(None, kind.in_short(facts))) if facts else (),
                resident=share_in_memory(files),
                problem=problem,
                passed_over=_passed_over(path, files, whole=kind.name == AnyFiles.name),
            )


def _passed_over(path: Path, files: Sequence[Path], *, whole: bool) -> int:
    """How many files and folders below a path cannot be read; `files`: those of its dataset.

    The `whole` list was opened for its fingerprint, which raises where a file cannot be read.
    """
    if whole and isinstance(files, FileList):
        return files.refused
    refused: list[OSError] = []
    effective = os.access in os.supports_effective_ids
    closed = sum(
        not os.access(file, os.R_OK, effective_ids=effective)
        for file in regular_files(path, refused.append)
    )
    return closed + len(refused)


def _facts(kind: DatasetKind, path: Path, workload: str) -> tuple[Mapping[str, int | str], str]:
    """The facts, and faults of the data that do not matter to the workload."""
    if kind.name == AnyFiles.name:
        return kind.facts(path), str(registry.refusal(path) or "")
    try:
        return kind.facts(path), ""
    except DatasetError as error:
        if not workload or _kinds_of(workload):
            raise
        return {}, str(error)


def find_dataset(name: str, path: Path) -> Dataset:
    """The dataset at a path, as the workload of that name reads it; raises DatasetError."""
    return registry.open_dataset(path, _kinds_of(name))


def _kinds_of(workload: str) -> tuple[str, ...]:
    """The kinds of data that the workload of that name reads; none where it reads any."""
    return registry.load_workload(workload).dataset_kinds


_READ = msgspec.json.Decoder(Manifest)
"""Made once, at import: two threads that have msgspec learn a type at once may crash."""
