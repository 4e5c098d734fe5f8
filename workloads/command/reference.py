"""What a command puts out with the fewest threads, which all other runs are held against.

It is made before the clock, twice: what differs from itself cannot be compared.  Its digest is a
file of the run's own in the cache, since its settings are measured in several processes.  The
output itself may be large: to tell where another differs, and behind which filter it does not, it
is made once more.
"""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import os
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import NamedTuple

from core import SluiceError, tr
from workloads.command.program_run import files_below, is_data

_CHUNK = 1 << 20
_HEAD = 4096
_SORT = "LC_ALL=C sort"
_NO_PG = "sed '/^@PG/d'"
_SAM_HEADERS = (b"@HD\t", b"@SQ\t", b"@RG\t", b"@PG\t", b"@CO\t")
_SAMTOOLS = f"samtools view -h --no-PG - | {_NO_PG}"

type DigestOf = Callable[[Path, str], str]
"""The digest of a file as a filter leaves it; without one, as it is compared."""


@dataclass(frozen=True)
class RunOutput:
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

    @property
    def is_empty(self) -> bool:
        """Whether no file is there, but for what went to stdout; that alone may well be nothing."""
        return self.folder is not None and not any(
            name != "stdout" or file.stat().st_size for name, file in self.files.items()
        )


def difference(right: RunOutput, other: RunOutput, digest_of: DigestOf) -> tuple[str, str]:
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
        return tr("nothing but header lines differ: give --normalise {filter}", filter=quoted)
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


_EXPLAINED = 3
"""Outputs of a trial whose difference is looked for; of more, only that they differ is told."""

type MakeOutput = Callable[[int, int], AbstractContextManager[RunOutput]]
"""What a run puts out that is not measured, with so many threads, and the number of the run."""


class KnownOutput(NamedTuple):
    digest: str
    threads: int
    """With how many it was made."""


class Reference:
    """The output of some setting, by whatever process it was made."""

    def __init__(
        self,
        cache: Path,
        run_id: str,
        meaning: Sequence[str],
        make: MakeOutput,
        digest_of: Callable[[Path, str], str],
    ) -> None:
        """`meaning`: all that the output depends on beside the dataset; never the threads.

        `digest_of`: of a file as a filter leaves it.
        """
        key = hashlib.sha256("\0".join((run_id, *meaning)).encode("utf-8", "surrogateescape"))
        self._path = cache / "outputs-of-commands" / key.hexdigest()[:32]
        self._known: KnownOutput | None = None
        self._make = make
        self._digest_of = digest_of
        self._explained: dict[str, str] = {}
        self._lock = Lock()

    @property
    def known(self) -> KnownOutput | None:
        """None where it was not made yet."""
        if self._known is None:
            with suppress(FileNotFoundError):
                digest, _, threads = self._path.read_text("ascii").rpartition(" ")
                self._known = KnownOutput(digest, int(threads))
        return self._known

    def make(self, threads: int, digest: Callable[[RunOutput], str]) -> None:
        """Make it, unless it is there; raises SluiceError where it differs from itself."""
        if self.known is not None:
            return
        with self._make(threads, 0) as first, self._make(threads, 1) as second:
            if first.is_empty:
                raise SluiceError(
                    tr("the command put out nothing that could be compared"),
                    tr(
                        "have it write its files into {out}, or give --same stdout or --same none",
                        out="{out}",
                    ),
                )
            made = KnownOutput(digest(first), threads)
            if made.digest != digest(second):
                where, remedy = difference(first, second, self._digest_of)
                raise SluiceError(
                    tr("two runs with the same values differ: {where}", where=where),
                    remedy or tr("leave out what differs with --normalise, or give --same none"),
                )
        self._note(made)

    def complaint(self, digest: str, threads: int, output: RunOutput | None) -> str:
        """What is wrong with an output of this digest; empty where it is that of the reference.

        `output`: None where it is not kept, as of stdout: it is made once more, with `threads`.
        """
        known = self.known
        if known is None or digest == known.digest:
            return ""
        with self._lock:
            if digest not in self._explained and len(self._explained) < _EXPLAINED:
                self._explained[digest] = self._explain(known, threads, output)
        where = self._explained.get(digest) or tr("it differs")
        return tr(
            "other output than with threads={threads}: {where}", threads=known.threads, where=where
        )

    def _explain(self, known: KnownOutput, threads: int, output: RunOutput | None) -> str:
        try:
            with self._make(known.threads, 0) as right:
                if output is not None:
                    where, remedy = difference(right, output, self._digest_of)
                else:
                    with self._make(threads, 1) as again:
                        where, remedy = difference(right, again, self._digest_of)
        except SluiceError as error:
            return str(error)
        return f"{where} ({remedy})" if remedy else where

    def _note(self, made: KnownOutput) -> None:
        """Where another process was sooner, that one's counts."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        written = self._path.with_suffix(f".{os.getpid()}")
        written.write_text(f"{made.digest} {made.threads}", "ascii")
        with suppress(FileExistsError):
            # A link comes to be with its content, and only if there is none.
            self._path.hardlink_to(written)
        written.unlink()
