"""What kinds of datasets share: files of a user's own that are left out, links, drawn lengths."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from math import erf, exp, log, sqrt
from pathlib import Path

import msgspec

from core import (
    DatasetError,
    ReportProgress,
    content_of,
    one_line,
    reading,
    report_to_nobody,
    tr,
    written_once,
)

MOST_LISTED = 10
_OF_VALUES = (ValueError, TypeError, LookupError, ArithmeticError, AttributeError)
_OF_MEDIA = (OSError, RuntimeError, EOFError, MemoryError, struct.error, zlib.error)
DAMAGE: tuple[type[Exception], ...] = (*_OF_VALUES, *_OF_MEDIA)
"""What libraries raise for data that is damaged or not known to them."""


@contextmanager
def decoding(where: object) -> Iterator[None]:
    """What libraries raise for damaged or unknown content becomes a DatasetError."""
    try:
        yield
    except DAMAGE as error:
        why = one_line(" ".join(str(error).split())) or type(error).__name__
        if isinstance(error, LookupError | ArithmeticError | AttributeError | TypeError):
            why = tr("a directory in it is damaged: {why}", why=why)
        raise DatasetError(tr("{path} cannot be decoded: {why}", path=where, why=why)) from error


class LeftOut:
    """Takes the reasons why files are left out, where any may be.

    One odd file among thousands is no reason to measure none of them.
    """

    def __init__(self, *, allowed: bool = True) -> None:
        self._allowed = allowed
        self.reasons: list[DatasetError] = []

    @contextmanager
    def unless_usable(self) -> Iterator[None]:
        """Pass over a file that the block refuses; raises DatasetError where none may be."""
        try:
            yield
        except DatasetError as reason:
            if not self._allowed:
                raise
            self.reasons.append(reason)

    def require_rest(self, rest: object) -> None:
        """Raise the first reason where nothing is left."""
        if self.reasons and not rest:
            raise self.reasons[0]


def left_out_notes(reasons: Sequence[str]) -> list[str]:
    """A sentence for each of the first, and one for how many others there are."""
    notes = [tr("left out: {reason}", reason=reason) for reason in reasons[:MOST_LISTED]]
    more = len(reasons) - len(notes)
    others = tr("left out besides: 1 file", "left out besides: {count:,} files", count=more)
    return [*notes, others] if more else notes


def left_out_facts(reasons: Sequence[object]) -> dict[str, int | str]:
    """The same as facts of a dataset."""
    more, listed = len(reasons) - MOST_LISTED, enumerate(reasons[:MOST_LISTED], 1)
    facts: dict[str, int | str] = {f"left out {number}": str(reason) for number, reason in listed}
    return facts | ({"more left out": more} if more > 0 else {})


def left_out_count(facts: Mapping[str, int | str]) -> str:
    """How many files these facts tell of; empty where none is left out."""
    count = sum(name.startswith("left out ") for name in facts) + int(facts.get("more left out", 0))
    return tr("1 file left out", "{count:,} files left out", count=count) if count else ""


def require_inside(root: Path, files: Iterable[Path]) -> None:
    """Raise DatasetError for a link among these files to what is not below the root."""
    inside = root.resolve()
    for file in files:
        if file.is_symlink() and not (there := file.resolve()).is_relative_to(inside):
            paths = {"path": file, "there": there}
            raise DatasetError(
                tr("{path} is a link that leads out of the folder, to {there}", **paths),
                tr("put the file itself there, remove the link, or choose another folder"),
            )


def linked(link: Path, target: Path) -> Path:
    """A link to a file under a name that a library goes by, made where it is missing."""

    def make(unfinished: Path) -> None:
        unfinished.unlink(missing_ok=True)  # left by a process that was killed
        unfinished.symlink_to(target.resolve())

    return written_once(link, make)


_MOST_HEADING = 1 << 16


def digest_of_index(index: bytes) -> str:
    """The identity of what an index lists."""
    return blake2b(index, digest_size=16).hexdigest()


@dataclass(frozen=True, kw_only=True)
class CatalogueFiles[Heading, Rows]:
    """A heading in JSON says what a generated dataset is, and has the digest of its index."""

    heading: str
    index: str
    format: str
    """Stands in the heading, by which the dataset is recognised."""
    headings: msgspec.json.Decoder[Heading]
    rows: msgspec.msgpack.Decoder[Rows]
    remedy: Callable[[], str]
    """What to do where one is damaged."""

    def begins(self, path: Path) -> bool:
        """Whether a folder has what says that it is such a dataset."""
        try:
            return self.format.encode() in content_of(path / self.heading, _MOST_HEADING)
        except OSError:
            return False

    def heading_of(self, path: Path) -> Heading:
        """What a folder says that it is; raises DatasetError where it is damaged."""
        file = path / self.heading
        with self._decoding(file):
            return self.headings.decode(_read(file))

    def rows_of(self, path: Path, digest: str) -> Rows:
        """What the index of that digest lists; raises DatasetError."""
        index = _read(path / self.index)
        if digest_of_index(index) != digest:
            why = tr("it is not the one that {file} names", file=self.heading)
            raise self.damaged(path / self.index, why)
        return self.decoded(index, path / self.index)

    def decoded(self, index: bytes, path: Path) -> Rows:
        """What an index lists, which is that of a path; raises DatasetError."""
        with self._decoding(path):
            return self.rows.decode(index)

    def write(self, folder: Path, heading: object, index: bytes) -> None:
        """Write both; the heading has the digest of the index."""
        (folder / self.index).write_bytes(index)
        text = msgspec.json.format(msgspec.json.encode(heading))
        (folder / self.heading).write_bytes(text + b"\n")

    def damaged(self, path: Path, why: str) -> DatasetError:
        """The error for a file that is not as it was written."""
        return DatasetError(tr("{path} is damaged: {why}", path=path, why=why), self.remedy())

    @contextmanager
    def _decoding(self, path: Path) -> Iterator[None]:
        try:
            yield
        except msgspec.DecodeError as error:
            raise self.damaged(path, str(error)) from error


def _read(path: Path) -> bytes:
    with reading(path):
        return content_of(path)


def refusal_of(look: Callable[[], object]) -> DatasetError | None:
    """Why something cannot be read; None where it can."""
    try:
        look()
    except DatasetError as refusal:
        return refusal
    return None


def usual_sum(count: int, median: float, spread: float) -> float:
    """About the sum of that many lengths, `spread` being the deviation of their logarithm.

    Of wide spreads the mean comes from lengths so rare that few draws hardly meet them, so those
    beyond the longest of so many draws are left out: E[X; X < exp(s z)] = exp(s²/2) Φ(z - s) for
    the median 1, and z = √(2 ln n).
    """
    longest = sqrt(2 * log(max(count, 2)))
    mean = median * exp(spread * spread / 2)
    shorter = (1 + erf((longest - spread) / sqrt(2))) / 2
    return count * max(median, mean * shorter)


class _Cached(msgspec.Struct, frozen=True):
    checksum: bytes
    packed: msgspec.Raw


_CACHED = msgspec.msgpack.Decoder(_Cached)
"""Made once, while one thread imports: two that have msgspec learn a type at once may crash."""


def cached[Value](
    path: Path,
    kind: type[Value],
    compute: Callable[[], Value],
    report: ReportProgress = report_to_nobody,
    *,
    anew: bool = False,
) -> Value:
    """The value kept in a file, computed where it is missing or damaged or wanted `anew`.

    Raises DatasetError where it cannot be stored.
    """

    def write(unfinished: Path) -> None:
        packed = msgspec.msgpack.encode(compute())
        nothing = msgspec.msgpack.encode(None)
        head = msgspec.msgpack.encode(_Cached(_checksum(packed), msgspec.Raw(nothing)))
        with unfinished.open("wb") as file:  # in parts, as it can be large
            file.writelines((head.removesuffix(nothing), packed))

    for again in (anew, True):
        if again:
            path.unlink(missing_ok=True)
        if (value := _kept(written_once(path, write, report), kind)) is not None:
            return value
    raise DatasetError(f"{path} cannot be kept", "make room in the cache folder")


def _checksum(packed: bytes | memoryview) -> bytes:
    return blake2b(packed, digest_size=16).digest()


def _kept[Value](path: Path, kind: type[Value]) -> Value | None:
    try:
        stored = _CACHED.decode(path.read_bytes())
        if _checksum(memoryview(stored.packed)) != stored.checksum:
            return None
        return msgspec.msgpack.decode(stored.packed, type=kind)
    except (OSError, msgspec.DecodeError):
        return None
