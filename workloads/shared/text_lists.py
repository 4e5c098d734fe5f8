"""Lists of a user's own, such as regions, ids of reads and paths: text with one entry in a line."""

from __future__ import annotations

import codecs
import gzip
import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import NamedTuple

from core import DatasetError, InvalidParameter, content_of, file_state, naming_file, tr

_LONGEST = 1 << 30
"""Bytes of a list, unpacked."""
_GZIP = b"\x1f\x8b"
_LINE_ENDS = re.compile(r"\r\n|\n|\r")
"""No others: U+2028, U+0085 and vertical tabs stand in names."""


class ListedLine(NamedTuple):
    """A line of a list, and its number from 1."""

    number: int
    text: str


def lines_of(
    path: Path, parameter: str, remedy: str = "", *, most: int = _LONGEST
) -> Sequence[ListedLine]:
    """The lines that are not blank; raises InvalidParameter for what is no text.

    As spreadsheets and tools write them: with any ends of lines and a byte order mark, in UTF-16,
    packed with gzip.  Bytes that are no UTF-8 stay what they are, as in names of files.  `most`:
    bytes of a list, unpacked; what is larger is data.
    """
    try:
        return _lines(path, file_state(path), most)
    except (DatasetError, ValueError) as error:
        cause = error.cause if isinstance(error, DatasetError) else str(error)
        raise InvalidParameter(parameter, cause, remedy) from error
    except OSError as error:
        cause = tr("{path} cannot be read: {why}", path=path, why=error.strerror or error)
        raise InvalidParameter(parameter, cause, remedy) from error


def refused_line(
    path: Path, line: int, why: str, parameter: str, remedy: str = ""
) -> InvalidParameter:
    """What is wrong in a line of a list."""
    cause = tr("{path}, line {line}: {why}", path=path, line=line, why=why)
    return InvalidParameter(parameter, cause, remedy)


@lru_cache(4)
def _lines(path: Path, state: str, most: int) -> Sequence[ListedLine]:
    """Those of a file as it is now: a form asks after each change."""
    content = content_of(path, most + 1)
    if content.startswith(_GZIP):
        content = _unpacked(path, content, most)
    if len(content) > most:
        raise ValueError(tr("{path} is no list: it is too long", path=path))
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        text = content.decode("utf-16", "replace")
    else:
        text = content.decode("utf-8-sig", "surrogateescape")
    if "\0" in text:
        raise ValueError(tr("{path} is no list: it is no text in UTF-8", path=path))
    lines = enumerate(_LINE_ENDS.split(text), 1)
    return tuple(ListedLine(number, line) for number, line in lines if line.strip())


def _unpacked(path: Path, content: bytes, most: int) -> bytes:
    try:
        with naming_file(path), gzip.open(BytesIO(content)) as file:
            return file.read(most + 1)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise ValueError(tr("{path} is cut off or damaged", path=path)) from error
