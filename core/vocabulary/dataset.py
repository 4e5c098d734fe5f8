"""Datasets: the bytes a run works on, their kinds, and how a path is recognised.

A `Dataset` is a value: kind, place, fingerprint.  A `DatasetKind` knows one family of
layouts; workload folders provide them and `core.vocabulary.registry` finds them.
"""

from __future__ import annotations

import errno
import os
import stat
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import batched
from os.path import relpath
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar
from urllib.parse import unquote_to_bytes

import msgspec

from core.language import DatasetError, ReportProgress, counted, naming_file, reading
from core.vocabulary.file_list import FileList, list_files, regular_files

if TYPE_CHECKING:
    from hashlib import blake2b

_SAMPLED = 4096  # bytes read at each end of a file for its fingerprint
_TOGETHER = 512  # files whose ends are hashed at once


class Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """The bytes a run works on.  `location` is an absolute path or a URL without credentials.

    A path that is not valid Unicode is kept as a `file:` URL, because neither a digest nor a
    session nor an export could hold it as text.
    """

    kind: str
    location: str
    fingerprint: str

    @property
    def local(self) -> bool:
        """Whether the data is in files of this machine."""
        return "://" not in self.location or self.location.startswith("file:")

    @property
    def path(self) -> Path:
        """The location of a local dataset."""
        if self.location.startswith("file:"):
            # Not `urlsplit`, which raises for some locations in sessions from elsewhere.
            written = self.location.removeprefix("file:").lstrip("/")
            return Path("/", os.fsdecode(unquote_to_bytes(written)))
        return Path(self.location)


def location_of(path: Path) -> str:
    place = path.resolve()
    try:
        str(place).encode()
    except UnicodeEncodeError:
        return place.as_uri()
    return str(place)


class DatasetKind(ABC):
    """One family of layouts, recognised by looking inside."""

    name: ClassVar[str]
    title: ClassVar[str]
    shape: ClassVar[type | None] = None
    """Declaring dataclass of what `make` can generate; None where nothing can be.

    Its property `room`, where it has one, says about how many bytes on disk that takes, without
    making anything.
    """
    conversions: ClassVar[tuple[str, ...]] = ()
    """Formats that `convert` can write."""
    adoption: ClassVar[type | None] = None
    """Declaring dataclass of where `adopt` finds data; None where nothing can be adopted."""

    @abstractmethod
    def recognises(self, path: Path) -> bool:
        """Whether the path has this layout; reads little, changes nothing."""

    @abstractmethod
    def files(self, path: Path) -> Sequence[Path]:
        """Every local file that a run may read, sorted; they are warmed, evicted and counted."""

    def listed(self, path: Path) -> FileList:
        """The same files, as texts and with their sizes; raises OSError."""
        return FileList.of(self.files(path))

    def content(self, path: Path) -> Sequence[Path]:
        """The files that make the data's identity: all but indexes that can be built again."""
        return self.files(path)

    def explain(self, path: Path) -> DatasetError | None:
        """Why a path that is not recognised cannot be read as this kind, and the remedy.

        None where it does not even resemble this kind.
        """
        return None

    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Facts for the user (`sequences`, `aliases`, …); raises DatasetError."""
        return {}

    def in_short(self, facts: Mapping[str, int | str]) -> Sequence[str]:
        """The facts to show beside files and size, such as `4 reads`."""
        return ()

    def make(self, shape: Any, folder: Path, report: ReportProgress) -> Path:
        """Generate a dataset of that shape into an empty folder, the same bytes for the same shape.

        Returns where it is: the folder, or the file in it.
        """
        raise DatasetError(f"{self.title} cannot be generated")

    def room(self, shape: Any) -> int:
        """About how many bytes on disk `make` takes for that shape; 0 = not known."""
        return int(getattr(shape, "room", 0))

    def sample(self) -> Any:
        """The shape that is generated where no dataset is named: small, by default as declared."""
        assert self.shape is not None
        return self.shape()

    def convert(self, path: Path, to: str, folder: Path, report: ReportProgress) -> None:
        """Write the data as one of `conversions`, checked, to an empty folder; or SluiceError."""
        raise DatasetError(f"{self.title} cannot be converted")

    def adopt(self, wishes: Any, folder: Path, report: ReportProgress) -> None:
        """Catalogue a user's own data where it is, into an empty folder; raises SluiceError.

        `wishes` is an `adoption`.  The data is read and never changed.  Called in a process of its
        own, where drivers raise what they like; it should `report` now and then.
        """
        raise DatasetError(f"{self.title} cannot be adopted")

    def open(self, path: Path) -> Dataset:
        """The dataset at a path that this kind recognises; raises DatasetError if it is empty."""
        files = self.content(path)
        if not files:
            raise DatasetError(f"{path} holds no data that can be read as {self.title}")
        root = path if path.is_dir() else path.parent
        return Dataset(
            kind=self.name, location=location_of(path), fingerprint=fingerprint(root, files)
        )


class AnyFiles(DatasetKind):
    """A file or a folder of files with any content, as the raw workload reads them."""

    name = "files"
    title = "files"

    def recognises(self, path: Path) -> bool:
        """True for any readable, non-empty file or folder with such a file."""
        return any(True for _ in regular_files(path))

    def files(self, path: Path) -> Sequence[Path]:
        """All non-empty regular files at or below the path."""
        return list_files(path)


def content_of(path: Path, most: int = -1) -> bytes:
    """All that a file holds, or its first bytes; raises OSError.

    Pipes, devices and the like are refused: reading one could last for ever.
    """

    def without_waiting(place: str, flags: int) -> int:
        return os.open(place, flags | os.O_NONBLOCK)

    # Not os.fdopen, which leaves the descriptor of a folder open.
    with (
        naming_file(path),
        open(path, "rb", buffering=0, opener=without_waiting) as file,
    ):
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "Not a regular file", str(path))
        return file.read(most)


def _hash_of(size: int) -> blake2b:
    import hashlib  # which loads OpenSSL; a trial's child seldom needs it

    return hashlib.blake2b(digest_size=size)


def fingerprint(root: Path, files: Sequence[Path]) -> str:
    """Identity of a set of files: BLAKE2b of their relative names, sizes and both ends.

    Cheap on terabytes and equal on every machine that holds the same data.  It misses a change in
    the middle of a file that keeps its size, so anything derived from the content is kept under
    `file_state` instead.  Raises DatasetError where a file cannot be read.
    """
    inside = os.path.join(root, "")  # noqa: PTH118 -- of texts, as the names are

    def pieces() -> Iterator[bytes]:
        for name in counted(FileList.names_in(files)):
            size, ends = _ends_of(name)
            relative = name.removeprefix(inside) if name.startswith(inside) else relpath(name, root)
            yield f"{relative}\0{size}\0".encode("utf-8", "surrogateescape")
            yield ends

    digest = _hash_of(16)
    if len(files) <= _TOGETHER:
        digest.update(b"".join(pieces()))
    else:
        _hash_beside(digest, batched(pieces(), 2 * _TOGETHER))
    return digest.hexdigest()


def _hash_beside(digest: blake2b, batches: Iterable[Iterable[bytes]]) -> None:
    """Hash batch after batch, in a thread: for many files that takes as long as to open them."""
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(1) as thread:
        before = thread.submit(lambda: None)
        for batch in batches:
            joined = b"".join(batch)
            before.result()
            before = thread.submit(digest.update, joined)
        before.result()


def _ends_of(name: str) -> tuple[int, bytes]:
    """The size of a file, and both ends of it."""
    try:
        opened = os.open(name, os.O_RDONLY | os.O_CLOEXEC)
        try:
            size = os.fstat(opened).st_size
            head = os.pread(opened, _SAMPLED, 0)
            tail = head if size <= _SAMPLED else os.pread(opened, _SAMPLED, size - _SAMPLED)
        finally:
            os.close(opened)
    except OSError as error:
        with reading(Path(name)):
            raise error
    return size, head + tail


def digest_of(value: object) -> str:
    """Identity of a value: 16 hexadecimal digits over all that it holds."""
    digest = _hash_of(8)
    digest.update(msgspec.json.encode(value, order="deterministic"))
    return digest.hexdigest()


def file_state(*files: Path | str) -> str:
    """Identity of files as they are on this machine now: 16 hex digits; raises DatasetError.

    It is the key for anything derived from a file's content.  Size and modification time alone are
    not enough: tools restore the time (`rsync -t`, `touch -r`), and a replaced file can have both.
    The inode and the time of its last change cannot be set.
    """
    digest = _hash_of(8)
    for file in files:
        try:
            status = os.stat(file)
        except OSError as error:
            with reading(Path(file)):
                raise error
        state = (status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
        digest.update(f"{file}\0{state}\0".encode("utf-8", "surrogateescape"))
    return digest.hexdigest()
