"""What a run has written below its folder: its size, and one digest of all of it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

from core import naming_file

_ROOM = 1 << 20


def files_below(folder: Path) -> Iterator[Path]:
    """Its regular files and links, sorted by their names; links are not followed."""
    for place, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            yield Path(place, name)


def bytes_below(folder: Path) -> int:
    """What its files hold."""
    return sum(file.lstat().st_size for file in files_below(folder))


def sha256_of(file: Path) -> str:
    """Of a file's content; of a link, of where it leads."""
    digest = hashlib.sha256()
    if file.is_symlink():
        digest.update(os.fsencode(file.readlink()))
        return digest.hexdigest()
    with naming_file(file), file.open("rb", buffering=0) as opened:
        while block := opened.read(_ROOM):
            digest.update(block)
    return digest.hexdigest()


def sha256_of_all(folder: Path, digest_of: Callable[[Path], str] = sha256_of) -> str:
    """Of the only file; of several or none, of the list of their names and digests."""
    found = [(file, digest_of(file)) for file in files_below(folder) if is_data(file)]
    if len(found) == 1:
        return found[0][1]
    digest = hashlib.sha256()
    for file, content in found:
        digest.update(os.fsencode(file.relative_to(folder)) + b"\0" + content.encode() + b"\n")
    return digest.hexdigest()


def is_data(file: Path) -> bool:
    """Whether it is a file or a link, and no pipe or socket, which has no content."""
    return file.is_symlink() or file.is_file()
