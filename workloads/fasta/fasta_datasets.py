"""The kinds of dataset that hold FASTA: snapshot, file, folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core import (
    Dataset,
    DatasetError,
    DatasetKind,
    ReportProgress,
    index_folder,
    tr,
)
from workloads.fasta.bgzf_oracle import require_end
from workloads.fasta.fai_table import FaiTable
from workloads.fasta.fasta_files import (
    begins_as_fasta,
    beside,
    every_record_of,
    fasta_files,
    form_of,
    holds_fasta,
)
from workloads.fasta.make_fasta import FolderShape, SeqrepoShape, SequencesShape, make
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
from workloads.shared.datasets import LeftOut, left_out_count, left_out_facts, refusal_of


class _FastaKind(DatasetKind):
    """Common base of the kinds: files of sequences, with the indexes beside them."""

    def files(self, path: Path) -> Sequence[Path]:
        content = self.content(path)
        indexes = (beside(file, suffix) for file in content for suffix in (".fai", ".gzi"))
        return sorted([*content, *(index for index in indexes if index.is_file())])

    def make(self, shape: Any, folder: Path, report: ReportProgress) -> Path:
        return make(shape, folder, report)


class Seqrepo(_FastaKind):
    """A SeqRepo snapshot: two SQLite databases and BGZF files of sequences."""

    name = "seqrepo"
    title = "SeqRepo snapshot"
    shape = SeqrepoShape

    def recognises(self, path: Path) -> bool:
        return path.is_dir() and (resembles_snapshot(path) or bool(snapshots_in(path)))

    def content(self, path: Path) -> Sequence[Path]:
        return [path / ALIASES, path / SEQUENCE_INFO, *snapshot_files(path).values()]

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
        facts = {"files": len(snapshot_files(path)), "sequences": sequences, "bases": bases or 0}
        return {**facts, "aliases": current, "namespaces": namespaces}


class Fasta(_FastaKind):
    name = "fasta"
    title = "FASTA file"
    shape = SequencesShape

    def recognises(self, path: Path) -> bool:
        return path.is_file() and begins_as_fasta(path)

    def content(self, path: Path) -> Sequence[Path]:
        return [path]

    def open(self, path: Path) -> Dataset:
        form_of(path)
        return super().open(path)

    def explain(self, path: Path) -> DatasetError | None:
        return refusal_of(lambda: form_of(path)) if path.is_file() else None

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Form and sequences, which are counted in the file itself."""
        form, cache = form_of(path), index_folder(self.open(path).fingerprint)
        every = every_record_of(path, form, cache)
        count = len(FaiTable(every))
        facts: dict[str, int | str] = {"files": 1, "sequences": count, "form": form.value}
        return facts | ({"repeated names": len(every) - count} if len(every) > count else {})


class FastaFolder(_FastaKind):
    """A folder with FASTA files at any depth; other files are ignored."""

    name = "fasta-folder"
    title = "folder of FASTA files"
    shape = FolderShape

    def recognises(self, path: Path) -> bool:
        """True where one of the first thousand files is FASTA."""
        return path.is_dir() and holds_fasta(path)

    def content(self, path: Path) -> Sequence[Path]:
        return fasta_files(path)

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
        cause = tr("{path} holds no FASTA file", path=path)
        remedy = tr("name a folder with FASTA or BGZF files")
        return DatasetError(cause, remedy) if path.is_dir() else None

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Files and sequences, which are counted in the files themselves.

        One that cannot be counted is told with its reason; raises DatasetError where none can.
        """
        files, cache = self.content(path), index_folder(self.open(path).fingerprint)
        left_out, counts = LeftOut(), []
        for file in files:
            with left_out.unless_usable():
                counts.append(len(FaiTable(every_record_of(file, form_of(file), cache))))
        left_out.require_rest(counts)
        facts = {"files": len(counts), "sequences": sum(counts)}
        return facts | left_out_facts(left_out.reasons)

    def in_short(self, facts: Mapping[str, int | str]) -> Sequence[str]:
        return (left_out_count(facts),)
