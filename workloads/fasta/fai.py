"""FASTA indexes (`.fai`): read, written, and made by an own scan of the sequences.

One record per sequence: name, length in bases, offset of the first base in the content,
bases and bytes per line.  All lines of a sequence but the last must be equally long.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from core import DatasetError

_SPACE = b" \t\r\v\f"
_NEWLINE = ord("\n")


class Record(NamedTuple):
    """Where a sequence is and how it is laid out; lengths in bases, the rest in bytes."""

    name: str
    length: int
    offset: int
    line_bases: int
    line_width: int

    def place(self, base: int) -> int:
        """Offset of a base in the content."""
        if not self.line_bases:
            return self.offset
        lines, rest = divmod(base, self.line_bases)
        return self.offset + lines * self.line_width + rest


def read_fai(path: Path) -> list[Record]:
    """The records of an index file, later ones of a repeated name left out; raises DatasetError."""
    records: dict[str, Record] = {}
    try:
        for line in path.read_text("utf-8").splitlines():
            name, *numbers = line.split("\t")
            record = Record(name, *map(int, numbers))
            records.setdefault(name, record)
    except (TypeError, ValueError) as error:
        raise DatasetError(f"{path} is not a FASTA index", "delete it or build it again") from error
    except OSError as error:
        raise DatasetError(f"{path} cannot be read: {error.strerror}") from error
    return list(records.values())


def fai(records: Iterable[Record]) -> bytes:
    """The bytes of an index file."""
    lines = ("\t".join(map(str, record)) + "\n" for record in records)
    return "".join(lines).encode()


def scan(pieces: Iterable[bytes], path: Path) -> Iterator[Record]:
    """The records of FASTA content, in order; raises DatasetError where it cannot be indexed."""
    scanner = _Scanner(path)
    for line in _lines(pieces):
        done = scanner.take(line)
        if done is not None:
            yield done
    last = scanner.finish()
    if last is not None:
        yield last
    if not scanner.found:
        raise DatasetError(f"{path} holds no sequence")


def _lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Lines with their ends; a line that spans many pieces is joined once."""
    begun: list[bytes] = []
    for piece in pieces:
        lines = piece.splitlines(keepends=True) if b"\r" not in piece else _split(piece)
        if begun and lines:
            begun.append(lines.pop(0))
            if not begun[-1].endswith(b"\n"):
                continue
            yield b"".join(begun)
            begun = []
        if lines and not lines[-1].endswith(b"\n"):
            begun = [lines.pop()]
        yield from lines
    if begun:
        yield b"".join(begun)


def _split(piece: bytes) -> list[bytes]:
    # splitlines also splits at a lone carriage return, which may be one of a pair cut in two.
    lines = [line + b"\n" for line in piece.split(b"\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


class _Scanner:
    def __init__(self, path: Path) -> None:
        self._path = path
        self._position = 0
        self._seen: set[str] = set()
        self._name: str | None = None
        self._offset = self._length = self._bases = self._width = 0
        self._ended = False

    @property
    def found(self) -> bool:
        """Whether any sequence was there."""
        return bool(self._seen)

    def take(self, line: bytes) -> Record | None:
        """Take the next line; returns the record that it ends."""
        self._position += len(line)
        usual = len(line) == self._width and line[-1] == _NEWLINE and not self._ended
        if usual and line[:-1].isalpha():
            self._length += self._bases
            return None
        if line.startswith(b">"):
            done = self.finish()
            self._begin(line)
            return done
        bases = line.rstrip(_SPACE + b"\n")
        if self._name is None:
            if bases:
                raise self._refusal("has text before the first '>'")
        elif not bases:
            self._ended = True
        else:
            self._lengthen(bases, len(line))
        return None

    def finish(self) -> Record | None:
        """The record under way, unless its name was there before: readers know the first only."""
        if self._name is None or self._name in self._seen:
            return None
        self._seen.add(self._name)
        return Record(self._name, self._length, self._offset, self._bases, self._width)

    def _begin(self, line: bytes) -> None:
        words = line[1:].split(None, 1)
        if not words:
            raise self._refusal("has a header without a name", "name the sequence")
        try:
            self._name = words[0].decode()
        except UnicodeDecodeError:
            raise self._refusal("has a sequence whose name is not UTF-8", "rename it") from None
        self._offset = self._position
        self._length = self._bases = self._width = 0
        self._ended = False

    def _lengthen(self, bases: bytes, width: int) -> None:
        if len(bases.split()) > 1 or bases[:1].isspace():
            raise self._refusal(f"has white space inside the sequence {self._name}", "remove it")
        if not self._bases:
            self._bases, self._width = len(bases), width
        elif self._ended or len(bases) > self._bases:
            raise self._refusal(
                f"has lines of different lengths in the sequence {self._name}",
                "fold it again, such as with `fold -w 60`",
            )
        self._ended = (len(bases), width) != (self._bases, self._width)
        self._length += len(bases)

    def _refusal(self, what: str, remedy: str = "") -> DatasetError:
        return DatasetError(f"{self._path} {what}", remedy)
