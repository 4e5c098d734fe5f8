"""What a file holds, without what equal runs write differently into it.

Only what is known of a format is left out: lines of a header that name the command or the day, the
times of an archive's members, and how what is compressed is cut into blocks.  All else counts.  A
file of no known format is its bytes, and so is one that is damaged.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import shutil
import struct
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from io import BufferedReader, RawIOBase
from pathlib import Path
from typing import IO, Any, NamedTuple, cast, override

from core import naming_file, tr
from workloads.command import formats
from workloads.command.program_run import sha256_of

_CHUNK = 1 << 20
_HEAD = 4096
_MAGIC = 6
DAMAGED = (
    *(EOFError, OSError, ValueError, struct.error, zlib.error, lzma.LZMAError),
    *(zipfile.BadZipFile, NotImplementedError, RuntimeError),  # of archives that are encrypted
)
"""What reading a file raises that is not what it begins like."""

type Source = BufferedReader | IO[bytes]


class Form(NamedTuple):
    """What a file is, by its first bytes; all empty = nothing that is known."""

    compression: str = ""
    format: str = ""
    is_text: bool = False


NOTHING_KNOWN = Form()


@dataclass(frozen=True)
class Content:
    """What counts of a file."""

    digest: str
    """SHA-256; of a file of no known format, or a damaged one, of its bytes."""
    left_out: Counter[str] = field(default_factory=Counter)
    """What does not count, and how often it was there: `lines that begin with @PG`."""
    form: Form = NOTHING_KNOWN
    damage: str = ""
    """Why it cannot be read as what it begins like."""


def content_of(file: Path) -> Content:
    """Raises OSError for a file that cannot be read at all."""
    if file.is_symlink():
        return Content(sha256_of(file))
    form, damage, left_out = NOTHING_KNOWN, "", Counter[str]()
    try:
        form = form_of(file)
        if form.compression or form.format:
            digest = hashlib.sha256(f"{form.compression} {form.format}\0".encode())
            for piece in pieces_of(file, form, left_out):
                digest.update(piece)
            return Content(digest.hexdigest(), left_out, form)
    except DAMAGED as error:
        form, damage = NOTHING_KNOWN, str(error) or type(error).__name__
    return Content(sha256_of(file), form=form, damage=damage)


def form_of(file: Path) -> Form:
    """Raises what is in DAMAGED where it is damaged at its start."""
    with file.open("rb") as raw:
        magic = raw.read(_MAGIC)
    compression = next(
        (name for start, name in _COMPRESSIONS.items() if magic.startswith(start)), ""
    )
    with ExitStack() as resources:
        head = _opened(file, compression, resources).read(_HEAD)
    kind = formats.format_of(head)
    if kind == "zip" and compression:
        kind = ""  # it is read from its end
    return Form(compression, kind, b"\0" not in head and kind not in formats.BINARY)


def pieces_of(
    file: Path, form: Form, left_out: Counter[str], *, whole: bool = False
) -> Iterator[bytes]:
    """What counts, in order, in pieces of at most a MiB, or one record where those are `whole`."""
    with ExitStack() as resources, naming_file(file):
        if form.format == "zip":
            yield from formats.of_zip(file, left_out)
            return
        source = _opened(file, form.compression, resources)
        reader = formats.READERS.get(form.format)
        if reader is not None:
            yield from reader(source, left_out, whole)
        yield from formats.rest_of(source)


def program_for(file: Path) -> str:
    """The line of a shell that shows what a file holds, where only a program can; else empty."""
    if file.is_symlink():
        return ""
    with file.open("rb") as raw:
        head = raw.read(_MAGIC)
    for magic, (program, line) in _BY_PROGRAM.items():
        if head.startswith(magic) and shutil.which(program) is not None:
            return line
    return ""


NO_PG = "sed '/^@PG/d'"
DECODED = f"samtools view -h --no-PG - | {NO_PG}"
_BY_PROGRAM: Mapping[bytes, tuple[str, str]] = {
    b"CRAM": ("samtools", DECODED),
    b"\x28\xb5\x2f\xfd": ("zstd", "zstd -dcq"),
    b"\x04\x22\x4d\x18": ("lz4", "lz4 -dcq"),
    b"LZIP": ("lzip", "lzip -dc"),
}
_COMPRESSIONS = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"\xfd7zXZ\0": "xz"}


type _Decompressor = bz2.BZ2Decompressor | lzma.LZMADecompressor


class _Decompressed(RawIOBase):
    """What several streams hold that stand one behind another.

    Unlike the readers of the standard library it refuses what stands behind them and is none.
    """

    def __init__(self, raw: IO[bytes], new: Callable[[], _Decompressor]) -> None:
        self._raw, self._new = raw, new
        self._current = new()

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, room: Any) -> int:
        while True:
            data = b""
            if self._current.eof:
                data = self._current.unused_data or self._raw.read(_CHUNK)
                if not data:
                    return 0
                self._current = self._new()
            elif self._current.needs_input and not (data := self._raw.read(_CHUNK)):
                raise EOFError(tr("it ends before its end"))
            if got := self._current.decompress(data, len(room)):
                room[: len(got)] = got
                return len(got)


def _opened(file: Path, compression: str, resources: ExitStack) -> Source:
    raw = resources.enter_context(file.open("rb"))
    match compression:
        case "gzip":
            return cast("Source", resources.enter_context(gzip.open(raw)))
        case "bzip2":
            return BufferedReader(_Decompressed(raw, bz2.BZ2Decompressor), _CHUNK)
        case "xz":
            return BufferedReader(_Decompressed(raw, lzma.LZMADecompressor), _CHUNK)
    return raw
