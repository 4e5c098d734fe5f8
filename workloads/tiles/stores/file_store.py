"""Tiles as files: a folder for each layer, in it one file for each key."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import override

from core import DatasetError, InvalidParameter, SluiceError, remove_tree, tr
from workloads.shared.datasets import require_inside
from workloads.shared.servers import make_room
from workloads.tiles.stores.store import Opening, Store, key_names_remedy, key_of

MANIFEST = "manifest"
_READ = os.O_RDONLY | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC


def file_of(folder: Path, key: int) -> Path:
    return folder / str(key)


def _choose_another() -> str:
    return tr("choose a folder that you may write to as the address")


class _Names(dict[int, str]):
    """The files of keys: those of prepared keys are looked up, any other is worked out."""

    def __init__(self, name_of: Callable[[int], str]) -> None:
        super().__init__()
        self._name_of = name_of

    def __missing__(self, key: int) -> str:
        return self._name_of(key)


class FileStore(Store):
    """Each read opens a file, reads all of it at its position, and closes it.

    Files are named relative to the open folder, so that the path to it is walked once.  It has no
    batch form: several keys are read one after the other.
    """

    local = True

    def __init__(self, opening: Opening) -> None:
        if not opening.address:
            raise InvalidParameter("address", tr("tiles in files need a folder"), tr("name one"))
        self._path = Path(opening.address) / opening.layer
        self._names = _Names(self.name_of)
        try:
            if not opening.as_it_is:
                self._path.mkdir(parents=True, exist_ok=True)
            self._folder = os.open(self._path, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise SluiceError(
                tr("{path} cannot be used: {why}", path=self._path, why=error.strerror),
                tr("check the address and the name of the layer")
                if opening.as_it_is
                else _choose_another(),
            ) from error

    @override
    def remedy(self, error: Exception) -> str:
        number = error.errno if isinstance(error, OSError) else None
        if number in (errno.ENOSPC, errno.EDQUOT):
            return make_room()
        return _choose_another() if number in (errno.EACCES, errno.EPERM, errno.EROFS) else ""

    def name_of(self, key: int) -> str:
        """The file of a key, below the folder of the layer."""
        return str(key)

    @override
    def prepare(self, keys: Iterable[int]) -> None:
        self._names.update((key, self.name_of(key)) for key in keys)

    @override
    def get(self, key: int) -> bytes | None:
        return self.getter()(key)

    @override
    def getter(self) -> Callable[[int], bytes | None]:
        names, folder, flags, open_file = self._names, self._folder, _READ, os.open
        size_of, pread, close = os.fstat, os.pread, os.close

        def get(key: int) -> bytes | None:
            try:
                descriptor = open_file(names[key], flags, dir_fd=folder)
            except FileNotFoundError:
                return None
            try:
                return pread(descriptor, size_of(descriptor).st_size, 0)
            finally:
                close(descriptor)

        return get

    @override
    def get_many(self, keys: Sequence[int]) -> Sequence[bytes | None]:
        return list(map(self.getter(), keys))

    @override
    def keys(self) -> Iterable[int]:
        """The names of the files in the folder; raises DatasetError for a link out of it, and for
        a folder in it, as tiles by zoom and column have.
        """
        names = [name for name in os.listdir(self._folder) if not name.startswith(".")]
        for name in names:
            if (self._path / name).is_dir():
                raise DatasetError(
                    tr(
                        "{path} is a folder, and tiles are files side by side",
                        path=self._path / name,
                    ),
                    key_names_remedy(),
                )
        require_inside(self._path, (self._path / name for name in names))
        return [key_of(name) for name in names if name != MANIFEST]

    @override
    def put(self, key: int, value: bytes) -> None:
        descriptor = os.open(self.name_of(key), _WRITE, 0o644, dir_fd=self._folder)
        try:
            written = os.write(descriptor, value)
            while written < len(value):  # a disc that is nearly full takes a part, then raises
                written += os.write(descriptor, value[written:])
        finally:
            os.close(descriptor)

    @override
    def manifest(self) -> bytes | None:
        try:
            return (self._path / MANIFEST).read_bytes()
        except FileNotFoundError:
            return None

    @override
    def set_manifest(self, value: bytes) -> None:
        unfinished = self._path / f".{MANIFEST}"
        with unfinished.open("wb") as file:
            file.write(value)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(self._path / MANIFEST)

    @override
    def remove(self) -> int:
        names = [name for name in os.listdir(self._folder) if not name.startswith(".")]
        # The manifest first: of a layer that is half removed, nobody may think it is complete.
        for name in sorted(names, key=lambda name: name != MANIFEST):
            (self._path / name).unlink(missing_ok=True)
        remove_tree(self._path)
        return len(names)

    @override
    def close(self) -> None:
        os.close(self._folder)
