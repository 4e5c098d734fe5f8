"""The one gate of all that commands print.

What is printed can come from a session, a file's name, or a driver's message.  Here every invisible
character of it is escaped; colours, ends of lines and the movements of a progress line are added
behind the gate.  No other module of the command line writes to a standard stream.

A stream that cannot be written, because a disk is full or a terminal is gone, loses what is printed
and ends nothing: `guarded` tells at the end that something was lost.
"""

from __future__ import annotations

import errno
import io
import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import TYPE_CHECKING, Any, BinaryIO, TextIO, cast

import click

from core.language import (
    ReportProgress,
    escaped_json,
    one_line,
    report_to_nobody,
    several_lines,
    tr,
)
from core.measure import code_after

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.segment import Segment


OUTPUT_LOST = 1
"""Exit code of a command that did its work, but could not print all of it."""
READER_LEFT = code_after(signal.SIGPIPE)
"""Exit code of one whose reader has left, as `| head` does: that of programs that SIGPIPE ends."""


_AMPLE = 300
_LONGEST = 10_000
"""Letters of a line: a driver's message, or a note, can be a book."""


_CLOSED = OSError(errno.EBADF, os.strerror(errno.EBADF))


class Outlet:
    """A standard stream; once it has failed, what is written to it is lost without an error.

    `stream` is None where whoever started the process has closed it.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self.failure: OSError | None = None
        """Why something is lost."""
        self.buffer = _Bytes(self, stream)

    def __getattr__(self, name: str) -> Any:
        """Everything else is that of the stream, such as its encoding."""
        return getattr(self._stream, name)

    def write(self, text: str, /) -> int:
        """Write a text; letters that the stream's encoding lacks are escaped."""
        stream = self._stream
        if stream is None:
            self.failure = _CLOSED
        else:
            with self.forgiving():
                stream.write(_encodable(text, stream.encoding or "utf-8"))
        return len(text)

    def flush(self) -> None:
        if self._stream is not None:
            with self.forgiving():
                self._stream.flush()

    def isatty(self) -> bool:
        """Whether people see at once what is written."""
        return self._stream is not None and not self._stream.closed and self._stream.isatty()

    @contextmanager
    def forgiving(self) -> Iterator[None]:
        """Note an error of the stream, and have all that it still gets thrown away."""
        try:
            yield
        except ValueError as error:  # it is closed
            self.failure = self.failure or OSError(errno.EBADF, str(error))
        except OSError as error:
            self.failure = self.failure or error
            # What is buffered would fail again when Python ends.
            with suppress(OSError, ValueError):
                nowhere = os.open(os.devnull, os.O_WRONLY)
                try:
                    os.dup2(nowhere, cast("TextIO", self._stream).fileno())
                finally:
                    os.close(nowhere)


class _Bytes:
    def __init__(self, outlet: Outlet, stream: TextIO | None) -> None:
        self._outlet, self._stream = outlet, stream

    def __getattr__(self, name: str) -> Any:
        return getattr(cast("TextIO", self._stream).buffer, name)

    def write(self, data: bytes, /) -> int:
        if self._stream is None:
            self._outlet.failure = _CLOSED
        else:
            with self._outlet.forgiving():
                self._stream.flush()  # text that was printed before
                self._stream.buffer.write(data)
        return len(data)

    def writelines(self, pieces: Iterable[bytes], /) -> None:
        for piece in pieces:
            self.write(piece)

    def flush(self) -> None:
        if self._stream is not None:
            with self._outlet.forgiving():
                self._stream.buffer.flush()


def _encodable(text: str, encoding: str) -> str:
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode(encoding, "backslashreplace").decode(encoding)
    return text


@contextmanager
def guarded() -> Iterator[Callable[[int], int]]:
    """Within the block no standard stream can fail.

    Gives what judges an exit code at the end: a 0 becomes `OUTPUT_LOST` where output was lost, and
    `READER_LEFT` where nobody wanted it.
    """
    before = sys.stdout, sys.stderr
    output, errors = Outlet(sys.stdout), Outlet(sys.stderr)
    sys.stdout, sys.stderr = cast("TextIO", output), cast("TextIO", errors)

    def judged(code: int) -> int:
        output.flush()
        lost = output.failure
        if lost is not None and not isinstance(lost, BrokenPipeError):  # a reader may leave
            say_on_stderr(f"sluice: standard output cannot be written: {lost.strerror or lost}")
        errors.flush()
        # Who closes standard error wants to hear nothing.
        unheard = None if errors.failure is _CLOSED else errors.failure
        failures = [one for one in (lost, unheard) if one is not None]
        if code or not failures:
            return code
        no_reader = all(isinstance(one, BrokenPipeError) for one in failures)
        return READER_LEFT if no_reader else OUTPUT_LOST

    try:
        yield judged
    finally:
        output.flush()
        errors.flush()
        sys.stdout, sys.stderr = before


def reader_left() -> bool:
    """Whether the reader of standard output has closed it, as `| head` does."""
    return isinstance(getattr(sys.stdout, "failure", None), BrokenPipeError)


def visible(text: str, most: int = _LONGEST) -> str:
    """The text in one line of at most so many letters, with nothing in it that cannot be seen."""
    cut = len(text) - most
    if cut <= 0:
        return one_line(text)
    return f"{one_line(text[:most])}… ({tr('1 more letter', '{count:,} more letters', count=cut)})"


def say(text: str = "", *, bold: bool = False, colour: str | None = None) -> None:
    """Print one line on standard output; styled on a terminal only."""
    line = visible(text)
    if (bold or colour) and _seen(sys.stdout):
        line = click.style(line, bold=bold or None, fg=colour)
    _line(sys.stdout, line)


def say_on_stderr(text: str) -> None:
    _line(sys.stderr, visible(text))


def agrees(question: str) -> bool:
    """Whether somebody at a terminal answers yes; where nobody can, nobody has."""
    if not (sys.stdin is not None and sys.stdin.isatty() and _seen(sys.stderr)):
        return False
    return click.confirm(visible(question), default=False, err=True)


def say_columns(first: str, then: str, *, colour: str) -> None:
    """Print one line on standard output that begins with a coloured word."""
    word = visible(first)
    if _seen(sys.stdout):
        word = click.style(word, fg=colour)
    _line(sys.stdout, f"{word}{visible(then)}")


def say_lines(text: str) -> None:
    _line(sys.stdout, several_lines(text))


def _line(stream: TextIO | None, text: str) -> None:
    if stream is not None:
        stream.write(f"{text}\n")
        stream.flush()


def print_json(value: object, enc_hook: Callable[[Any], Any] | None = None) -> None:
    import msgspec

    print_data(escaped_json(msgspec.json.encode(value, enc_hook=enc_hook)) + b"\n")


def print_data(data: bytes) -> None:
    """Write the bytes of a file to standard output; on a terminal as text without escapes."""
    if sys.stdout is None:
        return
    if sys.stdout.isatty():
        sys.stdout.write(several_lines(data.decode("utf-8", "backslashreplace")))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    sys.stdout.flush()


def print_written(write: Callable[[BinaryIO], object]) -> None:
    """As `print_data`, of what `write` writes; on its way at once where nobody looks."""
    if sys.stdout is None or sys.stdout.isatty():
        whole = io.BytesIO()
        write(whole)
        print_data(whole.getvalue())
        return
    sys.stdout.flush()
    write(sys.stdout.buffer)
    sys.stdout.buffer.flush()


def width() -> int:
    """Columns of the terminal; ample where standard output is a pipe or a file."""
    return shutil.get_terminal_size().columns if _seen(sys.stdout) else _AMPLE


def progress_is_seen() -> bool:
    """Whether standard error is a terminal."""
    return _seen(sys.stderr)


def _seen(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()


def console(*, stderr: bool = False, width: int | None = None) -> Console:
    """A console for tables and progress that takes no markup."""
    return _console_class()(stderr=stderr, width=width, highlight=False, markup=False, emoji=False)


@cache
def _console_class() -> type[Console]:
    from rich.console import Console
    from rich.segment import Segment

    class GatedConsole(Console):
        """A console that escapes all text that it draws."""

        def render(
            self, renderable: RenderableType, options: ConsoleOptions | None = None
        ) -> Iterable[Segment]:
            """What a table or a line consists of; its own movements of the cursor stay."""
            for segment in super().render(renderable, options):
                if segment.control:
                    yield segment
                else:
                    yield Segment(several_lines(segment.text), segment.style)

    return GatedConsole


@contextmanager
def reported_on_terminal(*, quiet: bool) -> Iterator[ReportProgress]:
    """Progress as a bar with the remaining time on a terminal, as a line per stage elsewhere."""
    if quiet:
        yield report_to_nobody
    elif progress_is_seen():
        with _bar() as report:
            yield report
    else:
        stages: set[str] = set()

        def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
            if doing not in stages:
                stages.add(doing)
                say_on_stderr(f"{doing} …")

        yield report


@contextmanager
def _bar() -> Iterator[ReportProgress]:
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TextColumn("{task.fields[unit]}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console(stderr=True), transient=True) as progress:
        tasks: dict[str, int] = {}

        def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
            if doing not in tasks:
                tasks[doing] = progress.add_task(doing, total=None, unit=unit)
            progress.update(tasks[doing], completed=done, total=total or None, unit=unit)  # type: ignore[arg-type]

        yield report
