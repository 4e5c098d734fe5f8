"""The kinds of dataset that hold FASTA: snapshot, file, folder, and the shapes they are made in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core import (
    Dataset,
    DatasetError,
    DatasetKind,
    ReportProgress,
    flag,
    index_folder,
    integer,
    real,
    tr,
)
from workloads.fasta.bgzf import require_end
from workloads.fasta.fasta_sniffing import begins_as_fasta, fasta_files, form_of, holds_fasta
from workloads.fasta.indexes import beside, every_record_of, records_of
from workloads.fasta.snapshots import (
    ALIASES,
    SEQUENCE_INFO,
    connected,
    require_no_snapshot,
    require_snapshot,
    require_sound_aliases,
    resembles_snapshot,
    snapshot_files,
    snapshots_in,
)
from workloads.shared.datasets import LeftOut, left_out_count, left_out_facts, refusal_of, usual_sum

_SEQUENCES = "Sequences in each file; opening a file costs as much as its index is long."
_MEDIAN = "Median length of a sequence; lengths are log-normal."
_SPREAD = "Standard deviation of the logarithm of the lengths; 0 makes all equally long."
_SEED = "Seed of all sequences and names."
_PACKED, _PLAIN = 0.36, 1.02  # bytes of a base, with BGZF and with the ends of lines
_NAMED = 60  # bytes of a sequence's name, and of its line in the index
_ALIASED = 940  # bytes of a sequence's aliases in the databases of a snapshot
_DATABASES = 60_000  # bytes of empty ones


@dataclass(frozen=True, kw_only=True)
class SeqrepoShape:
    files: int = integer(128, low=1, high=10_000, scale="log10", help="Files of sequences.")
    sequences: int = integer(2000, low=1, high=1_000_000, scale="log10", help=_SEQUENCES)
    median_length: int = integer(
        300, low=1, high=10_000_000, scale="log10", unit="bases", help=_MEDIAN
    )
    spread: float = real(0.8, low=0, high=3, help=_SPREAD)
    seed: int = integer(1, low=0, high=2**31 - 1, help=_SEED)

    @property
    def room(self) -> int:
        sequences = self.files * self.sequences
        bases = usual_sum(sequences, self.median_length, self.spread)
        return round(_PACKED * bases + _ALIASED * sequences + _DATABASES)


@dataclass(frozen=True, kw_only=True)
class SequencesShape:
    sequences: int = integer(2000, low=1, high=1_000_000, scale="log10", help=_SEQUENCES)
    median_length: int = integer(
        2000, low=1, high=10_000_000, scale="log10", unit="bases", help=_MEDIAN
    )
    spread: float = real(0.8, low=0, high=3, help=_SPREAD)
    compressed: bool = flag(True, help="Compress with BGZF, as SeqRepo and most archives do.")
    seed: int = integer(1, low=0, high=2**31 - 1, help=_SEED)

    @property
    def room(self) -> int:
        bases = usual_sum(self.sequences, self.median_length, self.spread)
        return round((_PACKED if self.compressed else _PLAIN) * bases + _NAMED * self.sequences)


@dataclass(frozen=True, kw_only=True)
class FolderShape:
    files: int = integer(128, low=1, high=10_000, scale="log10", help="Files of sequences.")
    sequences: int = integer(2000, low=1, high=1_000_000, scale="log10", help=_SEQUENCES)
    median_length: int = integer(
        300, low=1, high=10_000_000, scale="log10", unit="bases", help=_MEDIAN
    )
    spread: float = real(0.8, low=0, high=3, help=_SPREAD)
    compressed: bool = flag(True, help="Compress with BGZF, as SeqRepo and most archives do.")
    seed: int = integer(1, low=0, high=2**31 - 1, help=_SEED)

    @property
    def room(self) -> int:
        sequences = self.files * self.sequences
        bases = usual_sum(sequences, self.median_length, self.spread)
        return round((_PACKED if self.compressed else _PLAIN) * bases + _NAMED * sequences)


INDEX_SUFFIXES = (".fai", ".gzi")


class Seqrepo(DatasetKind):
    """A SeqRepo snapshot: two SQLite databases and BGZF files of sequences."""

    name = "seqrepo"
    title = "SeqRepo snapshot"
    shape = SeqrepoShape

    def recognises(self, path: Path) -> bool:
        return path.is_dir() and (resembles_snapshot(path) or bool(snapshots_in(path)))

    def content(self, path: Path) -> Sequence[Path]:
        return [path / ALIASES, path / SEQUENCE_INFO, *snapshot_files(path).values()]

    def files(self, path: Path) -> Sequence[Path]:
        return _with_indexes(self.content(path))

    def open(self, path: Path) -> Dataset:
        require_snapshot(path)
        for file in snapshot_files(path).values():
            require_end(file)
        return super().open(path)

    def facts(self, path: Path) -> Mapping[str, int | str]:
        require_sound_aliases(path)
        with connected(path / SEQUENCE_INFO) as info:
            sequences, bases = info.execute("select count(*), sum(len) from seqinfo").fetchone()
        with connected(path / ALIASES) as aliases:
            current, namespaces = aliases.execute(
                "select count(*), count(distinct namespace) from seqalias where is_current = 1"
            ).fetchone()
        return {
            "files": len(snapshot_files(path)),
            "sequences": sequences,
            "bases": bases or 0,
            "aliases": current,
            "namespaces": namespaces,
        }

    def make(self, shape: Any, folder: Path, report: ReportProgress) -> Path:
        from workloads.fasta.make_fasta import make_snapshot

        make_snapshot(shape, folder, report)
        return folder


class Fasta(DatasetKind):
    name = "fasta"
    title = "FASTA file"
    shape = SequencesShape

    def recognises(self, path: Path) -> bool:
        return path.is_file() and begins_as_fasta(path)

    def content(self, path: Path) -> Sequence[Path]:
        return [path]

    def files(self, path: Path) -> Sequence[Path]:
        return _with_indexes([path])

    def open(self, path: Path) -> Dataset:
        form_of(path)
        return super().open(path)

    def explain(self, path: Path) -> DatasetError | None:
        return refusal_of(lambda: form_of(path)) if path.is_file() else None

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Form and sequences, which are counted in the file itself."""
        form, cache = form_of(path), index_folder(self.open(path).fingerprint)
        every = every_record_of(path, form, cache)
        count = len({record.name for record in every})
        told: dict[str, int | str] = {"files": 1, "sequences": count, "form": form.value}
        return told | ({"repeated names": len(every) - count} if len(every) > count else {})

    def make(self, shape: Any, folder: Path, report: ReportProgress) -> Path:
        from workloads.fasta.make_fasta import make_file

        return make_file(shape, folder, report)


class FastaFolder(DatasetKind):
    """A folder with FASTA files at any depth; other files are ignored."""

    name = "fasta-folder"
    title = "folder of FASTA files"
    shape = FolderShape

    def recognises(self, path: Path) -> bool:
        """True where one of the first thousand files is FASTA."""
        return path.is_dir() and holds_fasta(path)

    def content(self, path: Path) -> Sequence[Path]:
        return fasta_files(path)

    def files(self, path: Path) -> Sequence[Path]:
        return _with_indexes(self.content(path))

    def open(self, path: Path) -> Dataset:
        """The folder; raises DatasetError where each of its FASTA files was cut off.

        Also where it holds a snapshot, whose files are not to be taken for all that there is.
        """
        require_no_snapshot(path)
        left_out, forms = LeftOut(), []
        for file in self.content(path):
            with left_out.unless_usable():
                forms.append(form_of(file))
        left_out.require_rest(forms)
        return super().open(path)

    def explain(self, path: Path) -> DatasetError | None:
        if not path.is_dir():
            return None
        return DatasetError(
            tr("{path} holds no FASTA file", path=path),
            tr("name a folder with FASTA or BGZF files"),
        )

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Files and sequences, which are counted in the files themselves.

        One that cannot be counted is told with its reason; raises DatasetError where none can.
        """
        files, dataset = self.content(path), self.open(path)
        left_out, counts = LeftOut(), []
        for file in files:
            with left_out.unless_usable():
                counts.append(_count(dataset, file))
        left_out.require_rest(counts)
        told = {"files": len(counts), "sequences": sum(counts)}
        return told | left_out_facts(left_out.reasons)

    def in_short(self, facts: Mapping[str, int | str]) -> Sequence[str]:
        return (left_out_count(facts),)

    def make(self, shape: Any, folder: Path, report: ReportProgress) -> Path:
        from workloads.fasta.make_fasta import make_folder

        make_folder(shape, folder, report)
        return folder


def _with_indexes(files: Sequence[Path]) -> list[Path]:
    indexes = (beside(file, suffix) for file in files for suffix in INDEX_SUFFIXES)
    return sorted([*files, *(index for index in indexes if index.is_file())])


def _count(dataset: Dataset, file: Path) -> int:
    return len(records_of(file, form_of(file), index_folder(dataset.fingerprint)))
