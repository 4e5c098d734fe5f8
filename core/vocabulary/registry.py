"""Finds workloads and dataset kinds without importing them.

Every folder of the `workloads` package has a light `__init__` with two tables: `WORKLOADS`,
a tuple of `Entry`, and `DATASET_KINDS`, a tuple of `KindEntry`.  Installed packages add theirs
through the entry-point group `sluice.workloads` (each naming a module with the same tables).
A name of the form `module:Class` reaches a workload that is in no table: authors of I/O
libraries measure their own readers that way.  Its module can have a table `DATASET_KINDS` too,
which counts once the workload is loaded.
"""

from __future__ import annotations

import functools
import importlib
import os
import struct
import sys
import traceback
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from core.language import (
    DamagedDataset,
    DatasetError,
    SluiceError,
    UnknownName,
    UsageError,
    tr,
    tr_word,
)
from core.vocabulary.dataset import AnyFiles, Dataset, DatasetKind, content_of
from core.vocabulary.declarations import declared
from core.vocabulary.job import Counter, OfPrograms
from core.vocabulary.parameters import Driver, Value
from core.vocabulary.workload import ServerUse, Workload

_ENTRY_POINTS = "sluice.workloads"
_OURS = Path(__file__).parents[1]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One row of the table of workloads: enough to list it, and where to load it from."""

    name: str
    title: str
    purpose: str
    """One line: the question it answers."""
    load: str
    """`module:Class`."""
    drivers: tuple[Driver, ...] = ()
    """Packages that every part of it needs; an option names its own."""
    counters: tuple[Counter, ...] = ()
    """Counters of its jobs that matter as much as the throughput: tables and exports show them."""
    leading: tuple[str, ...] = ("throughput",)
    """Keys of the metrics that its users think in, the first figure first: card, tables and report
    begin with them."""
    time_each: str = ""
    """What the metric of that key is titled, such as Time per tile; empty = its own title."""
    servers: tuple[ServerUse, ...] = ()
    """Servers of the lab that it can be measured with, where the user has none."""
    addresses: Mapping[str, Mapping[str, Value]] = field(default_factory=dict)
    """Patterns of addresses that it measures, such as `s3://*.tif`, each with the values that suit
    what is there; the address is the value of `address`."""
    unreadable: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """Patterns of addresses of data that it reads elsewhere only, each with cause and remedy."""
    place: int = 0
    """Its position in lists, the smallest first; equal ones by the names of their folders."""

    def workload(self) -> Workload[Any]:
        """The workload itself; raises Unavailable, with an install hint, for a missing driver."""
        for driver in self.drivers:
            driver.require()
        loaded: Workload[Any] = _load(self.load)()
        return loaded


@dataclass(frozen=True, kw_only=True)
class KindEntry:
    """One row of the table of dataset kinds; recognised in table order."""

    name: str
    title: str
    load: str

    def kind(self) -> DatasetKind:
        loaded: DatasetKind = _load(self.load)()
        return loaded


@lru_cache
def workloads() -> Mapping[str, Entry]:
    return _ours_first(_own_workloads(), "WORKLOADS")


@lru_cache
def _own_workloads() -> Mapping[str, Entry]:
    rows: dict[str, Entry] = _rows(_own_tables(), "WORKLOADS")
    return dict(sorted(rows.items(), key=lambda row: row[1].place))


@lru_cache
def dataset_kinds() -> Mapping[str, KindEntry]:
    """All dataset kinds by name, the most specific first, plain files last."""
    kinds = _ours_first({row.name: row for row in own_dataset_kinds()}, "DATASET_KINDS")
    files = KindEntry(
        name=AnyFiles.name, title=AnyFiles.title, load="core.vocabulary.dataset:AnyFiles"
    )
    return kinds | _BROUGHT | kinds | {files.name: files}


def own_dataset_kinds() -> Iterator[KindEntry]:
    """Sluice's own dataset kinds, table by table; a table is imported when it is reached."""
    for table in _own_tables():
        yield from getattr(table, "DATASET_KINDS", ())


_BROUGHT: dict[str, KindEntry] = {}
"""Dataset kinds from the modules of loaded workloads that are in no table."""


def counters(workload: str = "") -> Mapping[str, Counter]:
    """The counters in a workload's table, by name; of all workloads without a name."""
    entries = [entry] if (entry := _entry(workload)) else [] if workload else workloads().values()
    return {counter.name: counter for entry in entries for counter in entry.counters}


def runs_programs(workload: str) -> bool:
    """Whether its operations are runs of programs, whose CPU time it counts."""
    return bool(workload) and OfPrograms.CPU in counters(workload)


def has_wire(workload: str) -> bool:
    """Whether it counts what moves between it and servers."""
    return bool(workload) and "wire bytes" in counters(workload)


def purpose_of(workload: str) -> str:
    """The question that the workload of that name answers; its name if it is in no table."""
    entry = _entry(workload)
    return entry.purpose if entry else workload


def leading_keys(workload: str) -> tuple[str, ...]:
    """Keys of the metrics that come first where that workload is measured."""
    entry = _entry(workload)
    return entry.leading if entry else Entry.leading


def title_of_time(workload: str) -> str:
    """That workload's own title of the time of an operation; empty = it has none."""
    entry = _entry(workload)
    return entry.time_each if entry else ""


def load_workload(name: str) -> Workload[Any]:
    """The workload of that name or at that `module:Class`; raises UnknownName, Unavailable.

    This runs a module's code, so it is only for workloads that a user wants to measure.
    """
    if entry := _entry(name):
        return entry.workload()
    module, colon, _ = name.partition(":")
    if colon and module and not module.startswith(".") and (workload := _brought(name)):
        rows: dict[str, KindEntry] = _rows([importlib.import_module(module)], "DATASET_KINDS")
        if rows.keys() - dataset_kinds():
            _BROUGHT.update(rows)
            dataset_kinds.cache_clear()
        _LOADED.add(name)
        return workload
    raise UnknownName("workload", name, tuple(workloads()))


def _brought(name: str) -> Workload[Any] | None:
    """The workload at a user's `module:Class`; None if it is no workload.

    Raises UnknownName, and UsageError for code that fails while it is loaded.
    """
    try:
        loaded = _load(name)
        if not (isinstance(loaded, type) and issubclass(loaded, Workload)):
            return None
        workload: Workload[Any] = loaded()
        declared(workload.parameters)
    except SluiceError:
        raise
    except Exception as error:  # a user's code may raise anything
        raise UsageError(f"{name} cannot be loaded: {_load_error(error)}") from error
    return workload


def _load_error(error: Exception) -> str:
    """The error, with its line in the user's own code."""
    text = f"{type(error).__name__}: {error}"
    for frame in traceback.extract_tb(error.__traceback__):
        ours = Path(frame.filename).is_relative_to(_OURS) or frame.filename == importlib.__file__
        if not (ours or frame.filename.startswith("<frozen")):
            return f"{text} ({Path(frame.filename).name}, line {frame.lineno})"
    return text


def require_known(name: str) -> None:
    """Raise UnknownName for a `module:Class` that this process has not loaded to measure it.

    For workloads that are only displayed: a file must not choose the code that is imported.
    """
    if ":" in name and name not in _LOADED and not _entry(name):
        raise UnknownName("workload", name, tuple(workloads()))


_LOADED: set[str] = set()
"""Each `module:Class` that this process has loaded."""


def _entry(name: str) -> Entry | None:
    # A trial's child needs one: searching all folders and installed packages would delay it.
    return _namesake(name) or _own_workloads().get(name) or workloads().get(name)


@lru_cache
def _namesake(name: str) -> Entry | None:
    """The workload in a folder of the same name, as most are."""
    if not name.isidentifier() or find_spec(f"workloads.{name}") is None:
        return None
    rows: dict[str, Entry] = _rows([importlib.import_module(f"workloads.{name}")], "WORKLOADS")
    return rows.get(name)


def takers_of(address: str) -> list[tuple[str, Mapping[str, Value]]]:
    """The workloads for an address, with values that suit it; those that name its ending first.

    Raises UsageError for data that is read elsewhere only.
    """
    bare = address.partition("?")[0].rstrip("/").lower()
    for entry in workloads().values():
        for pattern, why in entry.unreadable.items():
            if fnmatchcase(bare, pattern):
                raise UsageError(*map(tr_word, why))
    matches = [
        (pattern, name, values)
        for name, entry in workloads().items()
        for pattern, values in entry.addresses.items()
        if fnmatchcase(bare, pattern)
    ]
    matches.sort(key=lambda one: (one[0].endswith("*"), -len(one[0])))
    return [(name, {**values, "address": address}) for _, name, values in matches]


def servers_of(name: str) -> tuple[ServerUse, ...]:
    """The servers of the lab that a workload needs; none if it is in no table."""
    entry = _entry(name)
    return entry.servers if entry else ()


def dataset_kind(name: str) -> DatasetKind:
    """The dataset kind of that name; raises UnknownName."""
    if name == AnyFiles.name:
        return AnyFiles()
    # A trial's child needs only one, as in `_entry`.
    own = next((row for row in own_dataset_kinds() if row.name == name), None)
    entry = own or dataset_kinds().get(name)
    if entry is None:
        raise UnknownName("dataset kind", name, tuple(dataset_kinds()))
    return entry.kind()


def open_dataset(path: Path, kinds: tuple[str, ...] = ()) -> Dataset:
    """The dataset at a path, recognised by looking inside.

    `kinds`: the accepted kinds (empty = any).  Raises a DatasetError that names the contents.
    """
    with naming(path):
        matches = recognised(path)
        if matches and not kinds:
            return _opened_as_any(matches, path)
        for kind in matches:
            if kind.name in kinds:
                return kind.open(path)
        for name in kinds:
            if reason := dataset_kind(name).explain(path):
                raise reason
    if path.is_file() and content_of(path, len(_POINTER)) == _POINTER:
        raise DatasetError(
            tr("{path} only says where Git LFS keeps the data", path=path),
            tr("fetch it: git lfs pull"),
        )
    titles = [kind.title for kind in matches if kind.name != AnyFiles.name]
    contents = either(titles) or (tr("other files") if matches else tr("nothing readable"))
    accepted = "; ".join(tr_word(dataset_kinds()[name].title) for name in kinds) or tr("data")
    raise DatasetError(
        tr(
            "{path} holds {seen}, and what is read here is: {asked}",
            path=path,
            seen=contents,
            asked=accepted,
        )
    )


_POINTER = b"version https://git-lfs.github.com/spec/"
"""Start of a file that stands in a checkout for a large one that was not fetched."""


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn errors from reading data into a DatasetError that names the file.

    Kinds of data raise DatasetError themselves for faults that they know.  The other errors are
    faults of the file system and unexpected content.
    """
    try:
        yield
    except OSError as error:
        place, why = error.filename or path, error.strerror or error
        raise DatasetError(tr("{path} cannot be read: {why}", path=place, why=why)) from error
    except UNFORESEEN as error:
        why = f"{type(error).__name__}: {error}"
        raise DatasetError(tr("{path} cannot be read: {why}", path=path, why=why)) from error


UNFORESEEN = (
    ArithmeticError,
    ValueError,
    LookupError,
    EOFError,
    MemoryError,
    RecursionError,
    struct.error,
    zlib.error,
)
"""Errors that decoding arbitrary bytes can raise."""


def recognised(path: Path) -> Sequence[DatasetKind]:
    """What the data at a path may be, the most specific first; raises DatasetError."""
    if not path.exists():
        raise DatasetError(tr("{path} does not exist", path=path), tr("check the path"))
    if path.resolve() == Path(path.resolve().anchor):  # it holds the kernel's files, too
        raise DatasetError(
            tr("{path} is the root of the file system", path=path), tr("name a folder with data")
        )
    return [kind for entry in dataset_kinds().values() if (kind := entry.kind()).recognises(path)]


def _opened_as_any(kinds: Sequence[DatasetKind], path: Path) -> Dataset:
    """As the first kind that can open it; plain files are the last resort."""
    *specific, last = kinds
    for kind in specific:
        with suppress(DatasetError), naming(path):
            return kind.open(path)
    return last.open(path)


def refusal(path: Path) -> DamagedDataset | None:
    """Why a path cannot be read as the kind it looks like; None where it can, or for plain files.

    Such a path still holds files, so a workload that reads any files can use it.
    """
    for name in dataset_kinds():
        kind = dataset_kind(name)
        if name == AnyFiles.name:
            continue
        try:
            with naming(path):
                if not kind.recognises(path):
                    continue
                kind.open(path)
        except DatasetError as reason:
            cause = tr(
                "it seems to be: {kind}; but {why}", kind=tr_word(kind.title), why=reason.cause
            )
            return DamagedDataset(cause, reason.remedy)
        return None
    return None


def either(titles: Iterable[str]) -> str:
    """One or another: `FASTA file or SeqRepo snapshot`."""
    words = list(map(tr_word, titles)) or [""]
    return functools.reduce(lambda one, two: tr("{one} or {two}", one=one, two=two), words)


def _load(place: str) -> Any:
    module_name, _, name = place.partition(":")
    try:
        return getattr(importlib.import_module(module_name), name)
    except ModuleNotFoundError as error:
        if error.name is not None and module_name.startswith(error.name):
            raise UnknownName("workload", place, tuple(workloads())) from error
        raise
    except AttributeError as error:
        raise UnknownName("workload", place, tuple(workloads())) from error


def _rows(tables: Iterable[ModuleType], name: str) -> dict[str, Any]:
    return {row.name: row for module in tables for row in getattr(module, name, ())}


def _ours_first[Row](ours: Mapping[str, Row], table: str) -> dict[str, Row]:
    """Our own rows, then rows of installed packages with other names."""
    return {**ours, **_rows(_installed_tables(), table), **ours}


def _own_tables() -> Iterator[ModuleType]:
    import pkgutil

    # By name, because the engine must not import the code that it measures.
    package = importlib.import_module("workloads")
    for module in pkgutil.iter_modules(package.__path__):
        if module.ispkg:
            yield importlib.import_module(f"workloads.{module.name}")


def _installed_tables() -> Iterator[ModuleType]:
    if not may_have_entry_points(_ENTRY_POINTS):
        return
    from importlib.metadata import entry_points

    for point in entry_points(group=_ENTRY_POINTS):
        yield point.load()


_METADATA = (".dist-info", ".egg-info")


def may_have_entry_points(group: str) -> bool:
    """False only where no package on the path names the group in its entry points.

    `importlib.metadata` answers exactly.  But importing it, and letting it read every
    installed package in vain, would delay the start of each trial's child.
    """
    return _may_have(group.encode(), tuple(sys.path))


@lru_cache
def _may_have(group: bytes, path: tuple[str, ...]) -> bool:
    return any(group in text for folder in path for text in _declarations(folder, group))


def _declarations(folder: str, group: bytes) -> Iterator[bytes]:
    """The entry points of the packages in a folder; the group itself for an unreadable archive."""
    try:
        names = os.listdir(folder or os.curdir)
    except NotADirectoryError:
        yield group
        return
    except OSError:  # Python passes over it too
        return
    for name in names:
        if name.endswith(_METADATA):
            try:
                yield (Path(folder) / name / "entry_points.txt").read_bytes()
            except OSError:  # it has none
                continue
