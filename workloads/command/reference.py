"""What a command puts out with the fewest threads, which all other runs are held against.

It is made before the clock, twice: what differs from itself cannot be compared.  Where a run takes
long, the first that is measured with as many threads is the second one.  Its digest is a
file of the run's own in the cache, since its settings are measured in several processes.  The
output itself may be large: to tell where another differs, and behind which filter it does not, it
is made once more, and kept for as long as the job is open.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from pathlib import Path
from threading import Lock

import msgspec

from core import Fault, SluiceError, tr
from workloads.command.content_comparer import ContentComparer
from workloads.command.differences import Difference, RunOutput, difference

_LONG = 2.0
"""Seconds of a run from which on its output is made once."""
_EXPLAINED = 20
"""Outputs of a trial whose difference is looked for; of more, only that they differ is told."""

type MakeOutput = Callable[[int, int], AbstractContextManager[RunOutput]]
"""What a run puts out that is not measured, with so many threads, and the number of the run."""


class KnownOutput(msgspec.Struct, frozen=True):
    """What was put out."""

    digest: str
    threads: int
    """With how many it was made."""
    notes: Sequence[str]
    """How it is compared, in sentences."""
    seconds: float
    """How long the run took."""


class Reference:
    """The output of some setting, by whatever process it was made."""

    def __init__(
        self,
        cache: Path,
        run_id: str,
        meaning: Sequence[str],
        make: MakeOutput,
        comparer: ContentComparer,
    ) -> None:
        """`meaning`: all that the output depends on beside the dataset; never the threads."""
        key = hashlib.sha256("\0".join((run_id, *meaning)).encode("utf-8", "surrogateescape"))
        self._path = cache / "outputs-of-commands" / key.hexdigest()[:32]
        self._known: KnownOutput | None = None
        self._make = make
        self._comparer = comparer
        self._right: RunOutput | None = None
        self._held = ExitStack()
        self._explained: dict[str, Fault] = {}
        self._lock = Lock()

    @property
    def known(self) -> KnownOutput | None:
        """None where it was not made yet."""
        if self._known is None:
            with suppress(FileNotFoundError):
                self._known = msgspec.json.decode(self._path.read_bytes(), type=KnownOutput)
        return self._known

    def make(self, threads: int) -> None:
        """Make it, unless it is there; raises SluiceError where it differs from itself."""
        if self.known is not None:
            return
        comparer = self._comparer
        with ExitStack() as outputs:
            first = outputs.enter_context(self._make(threads, 0))
            _require_something(first)
            made = KnownOutput(
                comparer.digest(first), threads, comparer.notes(first), first.seconds
            )
            if first.seconds < _LONG:
                second = outputs.enter_context(self._make(threads, 1))
                if made.digest != comparer.digest(second):
                    cause = difference(first, second, comparer)
                    raise SluiceError(_of_itself(cause), cause.remedy or _leave_out())
        self._note(made)

    def adopt(self, digest: str, threads: int) -> None:
        """Take a measured output for it, if it was not made yet."""
        if self.known is None:
            self._note(KnownOutput(digest, threads, (), 0.0))

    def note_pace(self, seconds: float) -> None:
        """So long a run took, where nothing is compared and nobody knows yet."""
        if self.known is None:
            self._note(KnownOutput("", 0, (), seconds))

    def complaint(self, digest: str, threads: int, output: RunOutput) -> Fault | None:
        """What is wrong with an output of this digest; None where it is that of the reference."""
        record = self.known
        if record is None or digest == record.digest:
            return None
        with self._lock:
            if digest not in self._explained and len(self._explained) < _EXPLAINED:
                self._explained[digest] = self._explain(record, threads, output)
        return self._explained.get(digest) or Fault(
            tr("other output than with threads={threads}: it differs", threads=record.threads)
        )

    def _explain(self, record: KnownOutput, threads: int, output: RunOutput) -> Fault:
        comparer = self._comparer
        try:
            if self._right is None:
                self._right = self._held.enter_context(self._make(record.threads, 0))
            cause = difference(self._right, output, comparer)
            is_itself = threads == record.threads or comparer.digest(self._right) != record.digest
        except SluiceError as error:
            cause, is_itself = Difference(str(error)), False
        if is_itself:
            message = tr(
                "{what} ({remedy})", what=_of_itself(cause), remedy=cause.remedy or _leave_out()
            )
            return Fault(message, wrong_data=False)
        message = tr(
            "other output than with threads={threads}: {where}",
            threads=record.threads,
            where=f"{cause.where} ({cause.remedy})" if cause.remedy else cause.where,
        )
        return Fault(message, wrong_data=not cause.is_order)

    def close(self) -> None:
        """Remove the output that was made once more."""
        self._held.close()

    def _note(self, made: KnownOutput) -> None:
        """Where another process was sooner, that one's counts."""
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        written = self._path.with_suffix(f".{os.getpid()}")
        written.touch(mode=0o600)
        written.write_bytes(msgspec.json.encode(made))
        with suppress(FileExistsError):
            # A link comes to be with its content, and only if there is none.
            self._path.hardlink_to(written)
        written.unlink()


def _require_something(output: RunOutput) -> None:
    if output.is_empty:
        raise SluiceError(
            tr("the command put out nothing that could be compared"),
            tr(
                "have it write its files into {out}, or give --same stdout or --same none",
                out="{out}",
            ),
        )


def _of_itself(cause: Difference) -> str:
    where = cause.where or tr("what they write changes now and then")
    return tr("runs with the same setting write different output: {where}", where=where)


def _leave_out() -> str:
    return tr("leave out what differs with --normalise, or give --same none")
