"""The files at or below a path, many at a time.

A `Path` takes several times the time and memory of its text, and a second look at a file as long as
the first.  So files are listed as texts with their sizes, and a `Path` is made where one is used.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import overload, override

from core.language import counted

type PassOver = Callable[[OSError], object]

_NO_FILE = (errno.ENOENT, errno.ELOOP)
"""Errors of links that lead nowhere, and of files that are just being deleted."""


class FileList(Sequence[Path]):
    """Files of a dataset, how large each was when it was listed, and how much was not readable."""

    def __init__(self, names: Sequence[str], sizes: Sequence[int], refused: int = 0) -> None:
        self.names = names
        self.sizes = sizes
        self.refused = refused

    @staticmethod
    def of(files: Sequence[Path]) -> FileList:
        """The same files, looked at now where they are no such list; raises OSError."""
        if isinstance(files, FileList):
            return files
        names = list(map(os.fspath, files))
        return FileList(names, [os.stat(name).st_size for name in names])

    @staticmethod
    def names_in(files: Iterable[Path | str]) -> Iterable[str]:
        """Files as texts."""
        return files.names if isinstance(files, FileList) else (os.fspath(one) for one in files)

    @staticmethod
    @contextmanager
    def listed_once() -> Iterator[None]:
        """Each folder is listed once within the block, by whoever asks first."""
        token = _LISTED.set({})
        try:
            yield
        finally:
            _LISTED.reset(token)

    @override
    def __len__(self) -> int:
        return len(self.names)

    @override
    def __iter__(self) -> Iterator[Path]:
        return map(Path, self.names)

    @overload
    def __getitem__(self, index: int) -> Path: ...

    @overload
    def __getitem__(self, index: slice) -> FileList: ...

    @override
    def __getitem__(self, index: int | slice) -> Path | FileList:
        if isinstance(index, slice):
            return FileList(self.names[index], self.sizes[index])
        return Path(self.names[index])

    @override
    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # as of a list


def list_files(path: Path) -> FileList:
    """All non-empty regular files at or below a path, sorted; otherwise as `regular_files`."""
    listed = _LISTED.get()
    if listed is not None and path in listed:
        return listed[path]
    refused: list[OSError] = []
    # As paths are sorted, part by part: no name has a zero byte, so that none comes before its end.
    sizes = dict(_regular(path, refused.append))
    names = sorted(sizes, key=lambda name: name.replace(os.sep, "\0"))
    files = FileList(names, [sizes[name] for name in names], len(refused))
    if listed is not None:
        listed[path] = files
    return files


_LISTED: ContextVar[dict[Path, FileList] | None] = ContextVar("listed", default=None)


def regular_files(path: Path, pass_over: PassOver = lambda _: None) -> Iterator[Path]:
    """The non-empty regular files at or below a path, linked files too, but no linked folders.

    Unreadable entries below it are passed over.  Raises OSError for an unreadable path.
    """
    return (Path(name) for name, _ in _regular(path, pass_over))


def _regular(path: Path, pass_over: PassOver) -> Iterator[tuple[str, int]]:
    """Names and sizes, those of a folder before those of the folders in it."""
    try:
        status = path.stat()
    except FileNotFoundError:
        return
    if not stat.S_ISDIR(status.st_mode):
        if stat.S_ISREG(status.st_mode) and status.st_size:
            yield str(path), status.st_size
        return
    yield from counted(_below(str(path), pass_over))


def _below(path: str, pass_over: PassOver) -> Iterator[tuple[str, int]]:
    waiting = [path]
    while waiting:
        folders = list[str]()
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if size := _size_of(entry, folders, pass_over):
                        yield entry.path, size
        except OSError as error:
            pass_over(error)
        waiting += reversed(folders)


def _size_of(entry: os.DirEntry[str], folders: list[str], pass_over: PassOver) -> int:
    """Bytes of a regular file; 0 of anything else, of which a folder is added to the folders."""
    try:
        if entry.is_dir():
            if not entry.is_symlink():
                folders.append(entry.path)
            return 0
        status = entry.stat()
    except OSError as error:
        if error.errno not in _NO_FILE:
            pass_over(error)
        return 0
    return status.st_size if stat.S_ISREG(status.st_mode) else 0
