"""What slow5lib needs beside a file: a link under the right name, an index of the reads' ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from core import Tell, file_state, tell_nobody, written_once
from workloads.signal import blow5
from workloads.signal.catalogue import Catalogue
from workloads.signal.slow5lib import Handle

_LONGEST_NAME = 100


def indexes_of(
    catalogues: Sequence[Catalogue], cache: Path, tell: Tell = tell_nobody
) -> list[Path]:
    """slow5lib's index of every file, built in the cache folder where it is missing."""
    return [_index(one.path, cache, tell) for one in catalogues]


def _index(path: Path, cache: Path, tell: Tell) -> Path:
    tell(f"indexing {path.name}")
    link = linked(path, cache)
    index = link.with_name(link.name + ".idx")

    def build(unfinished: Path) -> None:
        handle = Handle(opened_by_name(path, cache), path)
        try:
            handle.write_index(unfinished)
        finally:
            handle.close()

    return written_once(index, build, tell)


def opened_by_name(path: Path, cache: Path) -> Path:
    """What slow5lib is to open, which it names in its messages: the file itself.

    A link to it where its name is none that slow5lib takes for the content.
    """
    plain = str(path).isprintable() and path.name.endswith(_suffix(path))
    return path if plain else linked(path, cache)


def _suffix(path: Path) -> str:
    return ".slow5" if blow5.read_header(path).text else ".blow5"


def linked(path: Path, cache: Path) -> Path:
    """A link to the file in the cache folder, beside which slow5lib's index may be.

    Its name ends as slow5lib expects for the content, with any ending of the file's own name, and
    begins with that, so that it is recognised in slow5lib's messages.
    """
    name = re.sub(r"[^\w.-]", "_", path.stem, flags=re.ASCII)[:_LONGEST_NAME]
    link = cache / "slow5" / file_state(path) / f"{name}{_suffix(path)}"
    link.parent.mkdir(parents=True, exist_ok=True)
    return written_once(link, lambda unfinished: _link(unfinished, path))


def _link(unfinished: Path, target: Path) -> None:
    unfinished.unlink(missing_ok=True)  # left by a process that was killed
    unfinished.symlink_to(target.resolve())
