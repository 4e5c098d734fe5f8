"""Regions of a user's own: lines of BED, regions as samtools writes them, or names of sequences.

chr1<TAB>100<TAB>200    BED: from 0, without its end; more columns are passed over
chr1:101-200            samtools: from 1, with its end
chr1                    the whole sequence
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from core import DatasetError, InvalidParameter, content_of, file_state, tr

_HEADS = ("track", "browser")
_OF_SAMTOOLS = re.compile(r"(.+):([\d,]+)(?:-([\d,]+))?")


class Region(NamedTuple):
    """A part of a named sequence; without a stop up to its end."""

    name: str
    start: int
    stop: int | None
    line: int


def regions_in(path: Path) -> tuple[Region, ...]:
    """The regions that a file lists, in its order; raises InvalidParameter."""
    try:
        return _listed(path, file_state(path))
    except DatasetError as error:
        raise InvalidParameter("regions", error.cause) from error
    except (OSError, UnicodeDecodeError) as error:
        told = tr("{path} cannot be read: {why}", path=path, why=error)
        raise InvalidParameter("regions", told) from error


@lru_cache(4)
def _listed(path: Path, state: str) -> tuple[Region, ...]:
    """Those of a file as it is now: a form asks after each change."""
    found = tuple(
        _region(path, number, line)
        for number, line in enumerate(content_of(path).decode("utf-8-sig").splitlines(), 1)
        if line.strip() and not line.startswith("#") and line.split()[0] not in _HEADS
    )
    if not found:
        raise InvalidParameter("regions", tr("{path} lists no region", path=path))
    return found


def _region(path: Path, number: int, line: str) -> Region:
    columns = line.split("\t") if "\t" in line else line.split()
    name = columns[0].strip()
    if len(columns) == 1:
        return Region(name, 0, None, number)
    numbers = [column.strip() for column in columns[1:3]]
    if len(numbers) < 2 or not all(one.isdecimal() for one in numbers):
        raise _refused(path, number, tr("a line has a name, or a name, a start and an end"))
    start, stop = map(int, numbers)
    return Region(name, start, stop, number)


def placed[Place](
    path: Path, region: Region, find: Callable[[str], tuple[Place, int] | None]
) -> tuple[Place, int, int, int]:
    """Where a region's sequence is, its length, start and stop; raises InvalidParameter.

    `find` gives what is known of a name, and its length.
    """
    name, start, stop, line = region
    found = find(name)
    if found is None and stop is None and (told := _OF_SAMTOOLS.fullmatch(name)):
        found = find(told[1])
        start = int(told[2].replace(",", "")) - 1
        stop = int(told[3].replace(",", "")) if told[3] else None
    if found is None:
        raise _refused(path, line, tr("the dataset has no sequence {name}", name=name))
    place, length = found
    stop = length if stop is None else stop
    if not 0 <= start < stop <= length:
        raise _refused(
            path,
            line,
            tr(
                "{name} has 1 base, so not this part of it",
                "{name} has {count:,} bases, so not this part of it",
                count=length,
                name=name,
            ),
        )
    return place, length, start, stop


def _refused(path: Path, line: int, why: str) -> InvalidParameter:
    return InvalidParameter(
        "regions", tr("{path}, line {line}: {why}", path=path, line=line, why=why)
    )
