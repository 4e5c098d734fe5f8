"""A workload in no table that brings its own kind of data.

It is reached as `rigged_kind:Counted`.  A module of its own, because a kind is known from when its
workload was loaded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, override

from core import Context, DatasetKind, Job, KindEntry, ReportProgress, Step, Workload, integer

DATASET_KINDS = (KindEntry(name="tally", title="tally sheet", load="rigged_kind:TallySheet"),)


@dataclass(frozen=True, kw_only=True)
class SheetShape:
    rows: int = integer(10, low=1, high=1000, help="Rows of the sheet.")


class TallySheet(DatasetKind):
    name = "tally"
    title = "tally sheet"
    shape = SheetShape

    @override
    def recognises(self, path: Path) -> bool:
        return path.is_file() and path.read_bytes().startswith(b"tally")

    @override
    def files(self, path: Path) -> Sequence[Path]:
        return [path]

    @override
    def make(self, shape: Any, folder: Path, report: ReportProgress) -> Path:
        (folder / "sheet").write_bytes(b"tally" * shape.rows)
        return folder / "sheet"


@dataclass(frozen=True, kw_only=True)
class CountedParameters:
    again: int = integer(1, low=1, high=9, help="How often each is counted.")


class CountedJob(Job[int, bytes]):
    def __init__(self, path: Path) -> None:
        self.items = range(10)
        self._sheet = path.read_bytes()

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (Step("count", lambda item: self._sheet[5 * item : 5 * item + 5]),)

    @override
    def check(self, item: int, result: bytes) -> str:
        return "" if result == b"tally" else "another word"


class Counted(Workload[CountedParameters]):
    name = "counted"
    unit = "row"
    parameters = CountedParameters
    dataset_kinds = ("tally",)

    @override
    def open(self, context: Context[CountedParameters]) -> Job[Any, Any]:
        assert context.dataset.kind == "tally"
        return CountedJob(context.dataset.path)
