"""Where what two runs put out first differs, and the filter behind which it does not."""

from __future__ import annotations

import bz2
import gzip
import lzma
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from core import SluiceError, tr
from workloads.command.outputs import files_below, is_data

_CHUNK = 1 << 20
_HEAD = 4096
_SORT = "LC_ALL=C sort"
_NO_PG = "sed '/^@PG/d'"
_SAM_HEADERS = (b"@HD\t", b"@SQ\t", b"@RG\t", b"@PG\t", b"@CO\t")
_SAMTOOLS = f"samtools view -h --no-PG - | {_NO_PG}"

type DigestOf = Callable[[Path, str], str]
"""The digest of a file as a filter leaves it; without one, as it is compared."""


@dataclass(frozen=True)
class Output:
    """What a run put out, as far as it counts: the folder of its files, what it wrote to stdout."""

    folder: Path | None = None
    stdout: Path | None = None

    @property
    def files(self) -> Mapping[str, Path]:
        """By the names they have in messages."""
        found = {} if self.stdout is None else {"stdout": self.stdout}
        if self.folder is not None:
            for file in filter(is_data, files_below(self.folder)):
                found[str(file.relative_to(self.folder))] = file
        return found


def difference(right: Output, other: Output, digest_of: DigestOf) -> tuple[str, str]:
    """Where `other` differs from what is right, and what to do about it; empty = it does not."""
    there, here = right.files, other.files
    if missing := sorted(there.keys() - here.keys()):
        return tr("{name} is missing", name=missing[0]), ""
    if more := sorted(here.keys() - there.keys()):
        return tr("{name} is there in addition", name=more[0]), ""
    pairs = {
        name: (file, here[name])
        for name, file in there.items()
        if digest_of(file, "") != digest_of(here[name], "")
    }
    if not pairs:
        return "", ""
    name, (first, second) = next(iter(pairs.items()))
    where = tr(
        "{name} first differs at byte {at:,} ({size:,} B, there {other:,} B)",
        name=name,
        at=_first_difference(first, second),
        size=second.lstat().st_size,
        other=first.lstat().st_size,
    )
    if len(pairs) > 1:
        where = tr(
            "{where}, and 1 more file",
            "{where}, and {count:,} more files",
            count=len(pairs) - 1,
            where=where,
        )
    written = _agreeing_filter(list(pairs.values()), digest_of)
    return where, _remedy(written, is_stdout=name == "stdout") if written else ""


def _remedy(written: str, *, is_stdout: bool) -> str:
    quoted = '"' + written + '"' if "'" in written else f"'{written}'"
    if is_stdout:
        return tr(
            "they agree behind a filter: write the output into {out} and give --same files --normalise {filter}",
            out="{out}",
            filter=quoted,
        )
    if _NO_PG in written and _SORT not in written:
        return tr(
            "nothing but the command line in the header differs: add --no-PG to samtools, or give --normalise {filter}",
            filter=quoted,
        )
    if _SORT in written:
        return tr(
            "nothing but the order of lines differs: give --normalise {filter}", filter=quoted
        )
    if "/d'" in written:
        return tr(
            "nothing but header lines differ: give --normalise {filter}",
            filter=quoted,
        )
    return tr("they agree once decompressed: give --normalise {filter}", filter=quoted)


def _first_difference(one: Path, other: Path) -> int:
    """The number of the first byte that differs, from 1, as `cmp` counts them."""
    if one.is_symlink() or other.is_symlink():
        return 1
    at = 0
    with one.open("rb") as first, other.open("rb") as second:
        while True:
            left, right = first.read(_CHUNK), second.read(_CHUNK)
            if left != right or not left:
                break
            at += len(left)
    same = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), None)
    return at + (min(len(left), len(right)) if same is None else same) + 1


def _agreeing_filter(pairs: list[tuple[Path, Path]], digest_of: DigestOf) -> str:
    """The first filter behind which all pairs agree; empty where there is none."""
    for written in _filters_for(pairs[0][0]):
        try:
            if all(digest_of(one, written) == digest_of(other, written) for one, other in pairs):
                return written
        except SluiceError:  # it is no file of that kind
            continue
    return ""


def _filters_for(file: Path) -> Iterator[str]:
    """Filters that leave out what programs often write in another way each time."""
    if file.is_symlink():
        return
    decompress, head = _opened(file)
    if head.startswith((b"BAM\1", b"CRAM")):
        if shutil.which("samtools") is not None:
            yield _SAMTOOLS
            yield f"{_SAMTOOLS} | {_SORT}"
        return
    before = f"{decompress} | " if decompress else ""
    if decompress:
        yield decompress
    if head.startswith(_SAM_HEADERS):
        yield before + _NO_PG
        yield f"{before}{_NO_PG} | {_SORT}"
    elif head.startswith(b"#"):
        yield f"{before}sed '/^#/d'"
    if b"\0" not in head:
        yield before + _SORT


def _opened(file: Path) -> tuple[str, bytes]:
    """The program that decompresses a file, and how its content begins."""
    with file.open("rb") as raw:
        head = raw.read(_HEAD)
    try:
        if head.startswith(b"\x1f\x8b"):
            with gzip.open(file) as opened:
                return "gzip -dc", opened.read(_HEAD)
        if head.startswith(b"\xfd7zXZ\0"):
            with lzma.open(file) as opened:
                return "xz -dc", opened.read(_HEAD)
        if head.startswith(b"BZh"):
            with bz2.open(file) as opened:
                return "bzip2 -dc", opened.read(_HEAD)
    except (OSError, EOFError, lzma.LZMAError):
        return "", head
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return "zstd -dc", b""
    return "", head
