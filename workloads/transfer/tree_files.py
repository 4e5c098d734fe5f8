"""A tree of files and its catalogue: of every file its name, its size and its MD5.

A generated tree is in `tree/`, and its catalogue beside it: `tree.json` says what the tree is and
has the digest of `tree.msgpack`, where the files are.  Of a folder of the user's the catalogue is
made when it is first opened, and kept in the cache.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from core import (
    Dataset,
    DatasetError,
    ReportProgress,
    content_of,
    file_state,
    reading,
    tr,
    written_once,
)
from workloads.shared.datasets import CatalogueFiles, LeftOut, digest_of_index, require_inside

HEADING, INDEX, FILES = "tree.json", "tree.msgpack", "tree"
FORMAT = "sluice file tree 1"
BLOCK = 1 << 20
"""Bytes that are read, written and hashed at once."""


class TreeFile(NamedTuple):
    name: str
    """Below the tree's root, with `/` between folders."""
    size: int
    md5: bytes


class TreeHeading(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: str
    files: int
    folders: int
    bytes: int
    digest: str
    """Of the index, and so of every file: the identity of the tree."""


@dataclass(frozen=True, kw_only=True)
class Tree:
    """A tree whose files are known."""

    root: Path
    files: Sequence[TreeFile]
    digest: str
    """The same for the same names and MD5s, wherever the tree is."""
    left_out: Sequence[str] = ()
    """Why files that are there are no part of it."""
    passed_over: Sequence[str] = ()
    """What is there and no file, such as links to folders, and why."""

    @property
    def bytes(self) -> int:
        return sum(file.size for file in self.files)

    def path_of(self, file: TreeFile) -> Path:
        """Where a file is on this machine."""
        return self.root / file.name


CATALOGUE = CatalogueFiles(
    heading=HEADING,
    index=INDEX,
    format=FORMAT,
    headings=msgspec.json.Decoder(TreeHeading),
    rows=msgspec.msgpack.Decoder(tuple[TreeFile, ...]),
    remedy=lambda: tr("generate the tree again"),
)
"""Decoders are made once, while one thread imports: two that have msgspec learn a type at once may
crash."""


def encode_index(files: Sequence[TreeFile]) -> bytes:
    return msgspec.msgpack.encode(files)


def open_tree(dataset: Dataset, cache: Path, report: ReportProgress) -> Tree:
    """The tree of a dataset, generated or the user's own; raises DatasetError.

    cache: folder for the catalogue of the user's own.
    """
    path = dataset.path
    if CATALOGUE.begins(path):
        digest = CATALOGUE.heading_of(path).digest
        return Tree(root=path / FILES, files=CATALOGUE.rows_of(path, digest), digest=digest)
    return _own_tree(path, cache, report)


def part_of(tree: Tree, folder: str) -> Tree:
    """What is in a folder of a tree, as a tree of its own; raises DatasetError without files.

    It tells of all that the whole tree leaves out, wherever that is.
    """
    inside = f"{folder.strip('/')}/"
    files = tuple(
        file._replace(name=file.name.removeprefix(inside))
        for file in tree.files
        if file.name.startswith(inside)
    )
    if not files:
        raise DatasetError(
            tr("the tree has no files in {folder}", folder=folder),
            tr("name another folder of it as below, or none"),
        )
    return Tree(
        root=tree.root / inside,
        files=files,
        digest=digest_of_index(encode_index(files)),
        left_out=tree.left_out,
        passed_over=tree.passed_over,
    )


def holds_folder(path: Path, folder: str) -> bool:
    """Whether the tree of a dataset at that path has such a folder."""
    return (path / FILES if CATALOGUE.begins(path) else path).joinpath(folder.strip("/")).is_dir()


def _own_tree(path: Path, cache: Path, report: ReportProgress) -> Tree:
    """The tree of a folder, or of a single file, that nobody has catalogued."""
    root = path if path.is_dir() else path.parent
    files, names, left_out = list[Path](), list[str](), LeftOut()
    passed_over: list[DatasetError] = []
    for file in files_below(path, passed_over.append):
        with left_out.unless_usable():
            names.append(_name_of(root, file))
            files.append(file)
    left_out.require_rest(files)
    if not files:
        raise DatasetError(tr("{path} holds no files", path=path), tr("choose another folder"))
    if path.is_dir():
        require_inside(root, files)
    state = file_state(*files)

    def write(unfinished: Path) -> None:
        rows = list[TreeFile]()
        doing = tr("reading the files of {tree} for their MD5s", tree=path.name)
        for name, file in zip(names, files, strict=True):
            report(doing, len(rows), len(files), "file")
            size, md5 = hash_file(file)
            rows.append(TreeFile(name, size, md5))
        unfinished.write_bytes(encode_index(rows))

    cache.mkdir(parents=True, exist_ok=True)
    index = content_of(written_once(cache / f"tree-{state}.msgpack", write))
    return Tree(
        root=root,
        files=CATALOGUE.decoded(index, path),
        digest=digest_of_index(index),
        left_out=tuple(map(str, left_out.reasons)),
        passed_over=tuple(map(str, passed_over)),
    )


type PassOver = Callable[[DatasetError], object]
"""Receives why something in a folder is none of its files."""


def _silently(reason: DatasetError) -> None:
    pass


def files_below(path: Path, pass_over: PassOver = _silently) -> Iterator[Path]:
    """All files at or below a path in order, empty and linked ones too, but no linked folders."""
    if path.is_file():
        yield path
    else:
        yield from (path / name for name in names_below(path, pass_over))


def names_below(folder: Path, pass_over: PassOver = _silently) -> Iterator[str]:
    """Names in a folder of the files below it: its own, then those of each folder in order."""
    waiting = [(str(folder), "")]
    while waiting:
        path, prefix = waiting.pop()
        try:
            with os.scandir(path) as entries:
                sorted_entries = sorted(entries, key=lambda one: one.name)
        except OSError as error:  # what cannot be listed has no files
            why = error.strerror or error
            pass_over(DatasetError(tr("{path} cannot be listed: {why}", path=path, why=why)))
            continue
        files, folders = list[str](), list[os.DirEntry[str]]()
        for one in sorted_entries:
            if _is_file(one):
                files.append(prefix + one.name)
            elif one.is_dir(follow_symlinks=False):
                folders.append(one)
            else:
                pass_over(DatasetError(_no_file(one)))
        yield from files
        waiting += [(one.path, f"{prefix}{one.name}/") for one in reversed(folders)]


def _is_file(entry: os.DirEntry[str]) -> bool:
    # An entry that links to itself raises an error where its target is asked for.
    return entry.is_file(follow_symlinks=False) or Path(entry.path).is_file()


def _no_file(entry: os.DirEntry[str]) -> str:
    if not entry.is_symlink():
        return tr("{path} is neither a file nor a folder", path=entry.path)
    if Path(entry.path).is_dir():
        return tr("{path} is a link to a folder, which is not followed", path=entry.path)
    return tr("{path} is a link to nothing that can be read", path=entry.path)


def _name_of(root: Path, file: Path) -> str:
    name = file.relative_to(root).as_posix()
    try:
        name.encode()
    except UnicodeEncodeError as error:
        raise DatasetError(
            tr("{path} has a name that is no Unicode, which no server takes", path=file),
            tr("rename it"),
        ) from error
    return name


def hash_file(path: Path) -> tuple[int, bytes]:
    """Size and MD5 of a file; raises DatasetError where it cannot be read."""
    with reading(path), path.open("rb", buffering=0) as file:
        return hash_blocks(iter(lambda: file.read(BLOCK), b""))


def hash_blocks(blocks: Iterable[bytes]) -> tuple[int, bytes]:
    """Size and MD5 of what they are together."""
    digest, size = hashlib.md5(usedforsecurity=False), 0
    for block in blocks:
        digest.update(block)
        size += len(block)
    return size, digest.digest()
