"""One run of the command: its values, what it wrote into its folder, and how it ended."""

from __future__ import annotations

import hashlib
import os
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core import (
    Command,
    Fault,
    Ran,
    RunFolder,
    SluiceError,
    naming_file,
    remove_tree,
    show,
    tr,
)
from workloads.command.shells import SIGPIPE_CODE

_ROOM = 1 << 20


def files_below(
    folder: Path, pass_over: Callable[[OSError], object] | None = None
) -> Iterator[Path]:
    """Its regular files and links, sorted by their names; links are not followed.

    Raises OSError where a folder cannot be looked at, such as one whose path is too long, unless
    that is passed over.
    """

    def refuse(error: OSError) -> None:
        raise error

    for place, folders, names in os.walk(folder, onerror=pass_over or refuse):
        folders.sort()
        for name in sorted(names):
            yield Path(place, name)


def bytes_below(folder: Path) -> int:
    """Of its files, as far as folders can be looked at."""
    return sum(file.lstat().st_size for file in files_below(folder, lambda _: None))


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


def sha256_of_all(files: Mapping[str, Path], digest_of: Callable[[Path], str] = sha256_of) -> str:
    """Of the only file; of several or none, of the list of their names and digests."""
    digests = [(name, digest_of(file)) for name, file in files.items()]
    if len(digests) == 1:
        return digests[0][1]
    digest = hashlib.sha256()
    for name, content in digests:
        digest.update(os.fsencode(name) + b"\0" + content.encode() + b"\n")
    return digest.hexdigest()


def is_data(file: Path) -> bool:
    """Whether it is a file or a link, and no pipe or socket, which has no content."""
    return file.is_symlink() or file.is_file()


_LAST = 5
"""Lines of last words that are told."""
_MOST_LINES, _MOST_BYTES = 20, 4096
"""Of output that is shown."""


@dataclass(frozen=True)
class RunFolders:
    """Where a process makes the folders of its runs."""

    outputs: RunFolder
    """On the disk that the user has chosen for `{out}`."""
    temporary: RunFolder
    """Where programs write without a TMPDIR of ours: another disk would have another speed."""


@dataclass
class ProgramRun:
    """A run; `number` tells it from all others of this process."""

    number: int
    worker: int
    folder: Path
    values: Mapping[str, str]
    """What each placeholder stands for."""
    temporary: Path
    """The TMPDIR of its own."""
    rows: tuple[str, ...] = ()
    """What it did, a row for each thing."""
    stdout: Path | None = None
    """The file of what it writes to stdout; None where that is thrown away."""
    size: int = 0
    """Bytes of the file that it works on, where each run has its own."""
    judged: tuple[Fault, ...] | None = None
    _written: int | None = None

    @property
    def written(self) -> int:
        """Bytes in its folder, when they were first asked for."""
        if self._written is None:
            self._written = bytes_below(self.folder)
        return self._written

    def end(self, ran: Ran) -> Sequence[str]:
        self.rows = (f"run {self.number}", f"ended with {ran.code}")
        return self.rows

    def remove(self) -> Sequence[str]:
        """Give back the space; what it wrote is known.  Returns what cannot be removed, and why."""
        if self.stdout is not None:
            self.stdout.unlink(missing_ok=True)
        remains = (*remove_tree(self.folder), *remove_tree(self.temporary))
        return [str(one) for one in remains]


def require_success(title: str, ran: Ran, *, is_pipe: bool = False) -> None:
    """Raise SluiceError, with the reason, unless a program ended well and left nothing behind.

    A member of a pipe whose reader had enough ended well.
    """
    if ran.survivors:
        raise SluiceError(f"{title}: {'; '.join(map(str, ran.survivors))}")
    if ran.cut == "timeout":
        raise SluiceError(
            tr(
                "{program} ran into its time limit and was gone after {time}",
                program=title,
                time=show(ran.seconds, "seconds"),
            ),
            tr("give it longer with --timeout"),
        )
    if ran.cut == "stall":
        raise SluiceError(
            tr("{program} did nothing any more and was ended", program=title),
            tr("give it longer with --idle"),
        )
    if not (is_pipe and ran.code == SIGPIPE_CODE):
        _require_exit(title, ran)
    if ran.left:
        raise SluiceError(
            tr(
                "{program} left running: {names}",
                program=title,
                names=", ".join(dict.fromkeys(ran.left)),
            ),
            tr(
                "have it stay in the foreground: Sluice does not measure what goes on after its end"
            ),
        )


def _require_exit(title: str, ran: Ran) -> None:
    if ran.out_of_memory:
        raise SluiceError(
            tr(
                "{program} was killed by the kernel: the machine or its control group ran out of memory",
                program=title,
            ),
            tr("have it take less, or measure with fewer threads"),
        )
    if ran.code < 0:
        raise SluiceError(
            tr(
                "{program} was killed by signal {number}{said}",
                program=title,
                number=-ran.code,
                said=_said(ran),
            ),
            ran.limit,
        )
    if ran.code:
        again = "exist" in ran.last_words
        raise SluiceError(
            tr("{program} ended with {code}{said}", program=title, code=ran.code, said=_said(ran)),
            tr("each run needs a place of its own: have it write into {out}", out="{out}")
            if again
            else ran.limit,
        )


def _said(ran: Ran) -> str:
    lines = dict.fromkeys(line.strip() for line in ran.last_words.split("\n"))
    text = "; ".join(list(lines)[-_LAST:])
    return f": {text}" if text else ""


def text_of_run(command: Command, ran: Ran, going: ProgramRun, *, is_pipe: bool) -> str:
    """A run for a person to read: the command, how it ended, the end of its output, its files."""
    end = tr("exit code {code}, {time}", code=ran.code, time=show(ran.seconds, "seconds"))
    lines = [shlex.join(command.arguments), "", end]
    try:
        require_success(Path(command.arguments[0]).name, ran, is_pipe=is_pipe)
    except SluiceError as error:
        lines.append(str(error))
    if going.stdout is not None and (size := going.stdout.stat().st_size):
        lines += ["", tr("stdout, {size}:", size=show(size, "bytes")), *_end_of(going.stdout)]
    if ran.last_words.strip():
        lines += ["", "stderr:", *ran.last_words.strip().splitlines()[-_MOST_LINES:]]
    files = [*files_below(going.folder, lambda _: None)]
    if files:
        lines += ["", tr("files in {out}:", out="{out}")]
    for file in files[:_MOST_LINES]:
        lines.append(f"{file.relative_to(going.folder)}  {show(file.lstat().st_size, 'bytes')}")
    if more := len(files[_MOST_LINES:]):
        lines.append(tr("and 1 more", "and {count:,} more", count=more))
    return "\n".join(lines)


def _end_of(file: Path) -> Sequence[str]:
    with file.open("rb") as opened:
        opened.seek(max(file.stat().st_size - _MOST_BYTES, 0))
        content = opened.read()
    if b"\0" in content:
        return (tr("(no text)"),)
    return content.decode("utf-8", "replace").splitlines()[-_MOST_LINES:]
