"""The kinds of dataset that hold FASTA: snapshot, file, folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from core import Dataset, DatasetError, DatasetKind, Tell, say
from workloads.fasta.bgzf import require_end
from workloads.fasta.indexes import all_records, beside
from workloads.fasta.lookup import ALIASES, SEQUENCE_INFO, SEQUENCES, connected, is_snapshot
from workloads.fasta.shapes import FolderShape, SeqrepoShape, SequencesShape
from workloads.fasta.sniffing import fasta_files, form_of, holds_fasta

INDEX_SUFFIXES = (".fai", ".gzi")


class Seqrepo(DatasetKind):
    """A SeqRepo snapshot: two SQLite databases and BGZF files of sequences."""

    name = "seqrepo"
    title = "SeqRepo snapshot"
    shape = SeqrepoShape

    def recognises(self, path: Path) -> bool:
        """True for a folder with both databases."""
        return path.is_dir() and is_snapshot(path)

    def content(self, path: Path) -> Sequence[Path]:
        """The databases and the sequence files; raises DatasetError where some are missing."""
        return [path / ALIASES, path / SEQUENCE_INFO, *snapshot_files(path).values()]

    def files(self, path: Path) -> Sequence[Path]:
        """The content and the indexes beside it."""
        return _with_indexes(self.content(path))

    def open(self, path: Path) -> Dataset:
        """The snapshot; raises DatasetError where it is damaged or a sequence file was cut off."""
        for file in snapshot_files(path).values():
            require_end(file)
        return super().open(path)

    def explain(self, path: Path) -> DatasetError | None:
        """A folder of snapshots, or a snapshot that lacks a database."""
        if not path.is_dir():
            return None
        inside = sorted(child for child in path.iterdir() if child.is_dir() and is_snapshot(child))
        if inside:
            return DatasetError(
                say("{path} holds SeqRepo snapshots but is not one itself", path=path),
                say("name one, such as {name}", name=inside[-1]),
            )
        for name, other in ((ALIASES, SEQUENCE_INFO), (SEQUENCE_INFO, ALIASES)):
            if (path / name).exists() and not (path / other).exists():
                return DatasetError(
                    say("{path} is a SeqRepo snapshot without {name}", path=path, name=other),
                    say("fetch it again"),
                )
        return None

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Files, sequences, bases, aliases, namespaces."""
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

    def make(self, shape: Any, folder: Path, tell: Tell) -> Path:
        """A snapshot that SeqRepo itself can read."""
        from workloads.fasta.make import make_snapshot

        make_snapshot(shape, folder, tell)
        return folder


class Fasta(DatasetKind):
    """One FASTA file, plain or BGZF."""

    name = "fasta"
    title = "FASTA file"
    shape = SequencesShape

    def recognises(self, path: Path) -> bool:
        """True for a whole file whose content begins with '>'."""
        return path.is_file() and _refusal(path) is None

    def content(self, path: Path) -> Sequence[Path]:
        """The file."""
        return [path]

    def files(self, path: Path) -> Sequence[Path]:
        """The file and the indexes beside it."""
        return _with_indexes([path])

    def explain(self, path: Path) -> DatasetError | None:
        """What a file is instead of whole FASTA."""
        return _refusal(path) if path.is_file() else None

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Form and sequences; counts by scanning where there is no index."""
        form = form_of(path)
        return {"files": 1, "sequences": all_records([path], [form]), "form": form.value}

    def make(self, shape: Any, folder: Path, tell: Tell) -> Path:
        """A file of random sequences with its indexes."""
        from workloads.fasta.make import make_file

        return make_file(shape, folder, tell)


class FastaFolder(DatasetKind):
    """A folder with FASTA files at any depth; whatever else is in it is passed over."""

    name = "fasta-folder"
    title = "folder of FASTA files"
    shape = FolderShape

    def recognises(self, path: Path) -> bool:
        """True where one of the first thousand files is FASTA."""
        return path.is_dir() and holds_fasta(path)

    def content(self, path: Path) -> Sequence[Path]:
        """The FASTA files."""
        return fasta_files(path)

    def files(self, path: Path) -> Sequence[Path]:
        """The FASTA files and the indexes beside them."""
        return _with_indexes(self.content(path))

    def open(self, path: Path) -> Dataset:
        """The folder; raises DatasetError where one of its FASTA files was cut off."""
        for file in self.content(path):
            form_of(file)
        return super().open(path)

    def explain(self, path: Path) -> DatasetError | None:
        """A folder without FASTA."""
        if not path.is_dir():
            return None
        return DatasetError(
            say("{path} holds no FASTA file", path=path),
            say("name a folder with FASTA or BGZF files"),
        )

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Files and sequences; counts by scanning where there is no index."""
        files = self.content(path)
        forms = [form_of(file) for file in files]
        return {"files": len(files), "sequences": all_records(files, forms)}

    def make(self, shape: Any, folder: Path, tell: Tell) -> Path:
        """Files of random sequences with their indexes."""
        from workloads.fasta.make import make_folder

        make_folder(shape, folder, tell)
        return folder


def snapshot_files(root: Path) -> dict[str, Path]:
    """The sequence files of a snapshot by the names its database gives them.

    Raises DatasetError where one is missing or named outside the snapshot.
    """
    with connected(root / SEQUENCE_INFO) as info:
        names = [row[0] for row in info.execute("select distinct relpath from seqinfo order by 1")]
    files = {name: root / SEQUENCES / name for name in names}
    base = (root / SEQUENCES).resolve()
    for name, file in files.items():
        if Path(name).is_absolute() or ".." in Path(name).parts:
            raise DatasetError(
                say("{path} names a file outside of itself: {name}", path=root, name=name),
                say("do not trust it"),
            )
        if not file.is_file():
            raise DatasetError(
                say("{path} is incomplete: {name} is missing", path=root, name=base / name),
                say("finish fetching the snapshot"),
            )
    return files


def _with_indexes(files: Sequence[Path]) -> list[Path]:
    indexes = (beside(file, suffix) for file in files for suffix in INDEX_SUFFIXES)
    return sorted([*files, *(index for index in indexes if index.is_file())])


def _refusal(path: Path) -> DatasetError | None:
    try:
        form_of(path)
    except DatasetError as refusal:
        return refusal
    return None
