"""Recognises a file by its content; its name does not matter."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from core import DatasetError, reading, regular_files
from workloads.signal import blow5, pod5footer, slow5header

BLOW5, POD5 = "blow5", "pod5"
_MOST_FILES = 1000
"""Number of files of a folder that are read to recognise it."""


def format_of(path: Path) -> str:
    """`blow5` (which SLOW5 is too) or `pod5`; empty for what is neither.  Raises DatasetError."""
    with reading(path), path.open("rb", buffering=0) as file:
        head = file.read(len(slow5header.TEXT_MAGIC))
    if head.startswith((slow5header.MAGIC, slow5header.TEXT_MAGIC)):
        return BLOW5
    return POD5 if head.startswith(pod5footer.MAGIC) else ""


def require_whole(path: Path) -> None:
    """Raise DatasetError for a file that was cut off or cannot be read for another plain reason."""
    if format_of(path) == POD5:
        pod5footer.require_end(path)
    elif not blow5.read_header(path).text:
        blow5.require_end(path)


def signal_files(path: Path, wanted: str = "") -> list[Path]:
    """The files of a format, or of both, at or below a path; others are passed over.

    In a folder, those that are not whole are passed over too, unless none is.
    """
    files = _all(path, wanted)
    return [file for file in files if not _fault(path, file)] or files


def cut_off(path: Path) -> list[DatasetError]:
    """Why signal files of a folder are not read that are not whole."""
    return [fault for file in _all(path, "") if (fault := _fault(path, file))]


def _fault(path: Path, file: Path) -> DatasetError | None:
    if path.is_dir():
        try:
            require_whole(file)
        except DatasetError as error:
            return error
    return None


def _all(path: Path, wanted: str) -> list[Path]:
    return sorted(file for file in regular_files(path) if _is(file, wanted))


def called_otherwise(path: Path) -> bool:
    """Whether slow5lib, which goes by names, takes it for text though it is binary, or reversed."""
    other = ".blow5" if blow5.read_header(path).text else ".slow5"
    return path.suffix == other


def formats(path: Path) -> set[str]:
    """The formats at or below a path, as far as its first files show."""
    return {found for file in _first(path) if (found := _format(file))}


def press_of(path: Path) -> str:
    """How a BLOW5 file's records are compressed: `zstd`, `zlib`, `none`; `text` for SLOW5."""
    header = blow5.read_header(path)
    return "text" if header.text else header.record_press


def _first(path: Path) -> Iterator[Path]:
    return islice(iter(regular_files(path)), _MOST_FILES)


def _is(path: Path, wanted: str) -> bool:
    found = _format(path)
    return found == wanted if wanted else bool(found)


def _format(path: Path) -> str:
    try:
        return format_of(path)
    except DatasetError:
        return ""
