"""One child process of a trial as its parent sees it: its start, its messages, its end.

Nothing here raises because of anything that a child says or leaves behind.
"""

from __future__ import annotations

import fcntl
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import IO

import msgspec

from core.host.program import import_path
from core.host.punch_hole import punch_hole
from core.host.surroundings import is_trouble, unusable
from core.host.users_environment import OUTER_PYTHONPATH
from core.language.sanitise import ending, longest_form, remember, remembered
from core.language.units import Seconds
from core.trial.bootstrap import tie
from core.trial.messages import (
    ERRANDS,
    Broke,
    Checked,
    ClockStopped,
    Complained,
    Doing,
    Done,
    Finished,
    FromChild,
    Hide,
    Ready,
    Turned,
    Verified,
    encode_message,
)

STAGES = (
    "starting",
    "loading",
    "preparing",
    "warming up",
    "waiting",
    "measuring",
    "ending",
    "verifying",
    "tearing down",
    *ERRANDS.values(),
)
"""What a child does, in this order; it waits for the others before and after the clock runs.
Errands are no part of a trial."""

_GRACE: Seconds = 0.1  # for a child's exit after it has closed its pipe
_MOST_OUTPUT = 2**20  # bytes of a child's output kept on disk
_LAST_WORDS = 4000  # characters of that output that go into a crash
_LONGEST_WORD = 2**20  # bytes; a longer line is not one of our messages


@dataclass
class Process:
    """One child: what it has said so far, and whether it is still there."""

    popen: subprocess.Popen[bytes]
    hear: int
    _say: int
    _output: IO[bytes]
    _held: ExitStack
    stage: str = STAGES[0]
    detail: str = ""
    """What it last said it is busy with; empty when a stage begins."""
    ready: Ready | None = None
    turned: bool = True
    """It has no turn."""
    checked: bool = True
    """It was not told to check, or has done so."""
    measured: bool = False
    complained: Complained | None = None
    verified: Verified | None = None
    finished: bool = False
    done: Done | None = None
    broke: Broke | None = None
    silent: bool = False
    """The child's end of the pipe is closed."""
    _buffered: bytes = b""
    _heard_out: bool = False
    _late: list[FromChild] = field(default_factory=list)
    """What was heard only when it had ended."""
    _cut: bytes = b""
    """The end of the output that was removed from the disk, where no hole can be made."""
    _freed: int = 0
    """Bytes of output before which the file is a hole."""

    @classmethod
    def start(cls, block: int) -> Process:
        """A new child that inherits the block; leaves nothing behind when it raises.

        Raises OSError, and NotWritten where there is no folder for temporary files.
        """
        with ExitStack() as ours, ExitStack() as theirs:
            hears, say = os.pipe()
            theirs.callback(os.close, hears)
            ours.callback(os.close, say)
            hear, says = os.pipe()
            theirs.callback(os.close, says)
            ours.callback(os.close, hear)
            os.set_blocking(hear, False)
            life, ours_alone = os.pipe()
            theirs.callback(os.close, life)
            ours.callback(os.close, ours_alone)
            output = ours.enter_context(_output_file())
            # All output goes to the end of the file, also after the file was truncated.
            fcntl.fcntl(output, fcntl.F_SETFL, os.O_APPEND)
            popen = subprocess.Popen(
                child_command(life, hears, says, block),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=(hears, says, block, life),
                start_new_session=True,  # only this process reacts to Ctrl+C in a terminal
                env=os.environ | _environment(),
            )
            tie(popen.pid, life)  # the child does so too, after Python has started
            return cls(popen, hear, say, output, ours.pop_all())

    @property
    def running(self) -> bool:
        """Whether the process still runs."""
        return self.popen.poll() is None

    def tell(self, word: msgspec.Struct) -> None:
        """Send a message; if the child is already gone, the next `listen` notices it."""
        try:
            os.write(self._say, encode_message(word))
        except BrokenPipeError:
            pass
        except OSError as error:
            self._lose(error)

    def listen(self) -> list[FromChild]:
        """The messages since the last call; also updates what is known of the child."""
        try:
            read = os.read(self.hear, 2**20)
        except BlockingIOError:
            return []
        except OSError as error:
            self._lose(error)
            read = b""
        if not read:
            self.silent = True
            with suppress(subprocess.TimeoutExpired):
                self.popen.wait(_GRACE)
        *lines, self._buffered = (self._buffered + read).split(b"\n")
        words: list[FromChild] = []
        garbled = len(self._buffered) > _LONGEST_WORD
        if garbled:
            self._buffered = b""
        try:
            for told in lines:
                words.append(msgspec.json.decode(told, type=FromChild))
                self._take(words[-1])  # messages before any garbage still count
        except (msgspec.MsgspecError, UnicodeDecodeError):
            garbled = True
        if garbled:
            self._garbled()
        return words

    def _lose(self, error: OSError) -> None:
        """The child cannot be talked to any more."""
        self.broke = self.broke or Broke(
            stage=self.stage,
            error=type(error).__name__,
            message=f"the pipe between Sluice and its child failed: {error.strerror}",
            trace="",
        )

    def _garbled(self) -> None:
        self.broke = self.broke or Broke(
            stage=self.stage,
            error="GarbledWords",
            message="something else than the engine wrote into the engine's pipe",
            trace="",
        )

    def _take(self, word: FromChild) -> None:  # noqa: C901 -- one case for each message
        match word:
            case Doing(stage=stage, detail=detail) if stage in STAGES:
                self.stage, self.detail = stage, detail
            case Ready():
                self.ready = word
                self.stage, self.detail = "waiting", ""
            case Hide(secret=secret, reference=reference):
                remember(secret, reference)
            case Turned():
                self.turned = True
            case Checked():
                self.checked = True
            case ClockStopped():
                self.measured = True
                self.stage = "ending"
            case Complained():
                self.complained = word
            case Verified():
                self.verified = word
            case Done():
                self.done = word
            case Finished():
                self.finished = True
            case Broke():
                self.broke = word
            case Doing():
                self._garbled()

    def gone(self) -> bool:
        """Whether it has ended; if so, everything it said has been heard (see `late_words`)."""
        if self.running:
            return False
        if not self._heard_out:
            # One read takes all that a pipe can hold.  Do not wait for the pipe's end: a
            # grandchild that was forked without exec can keep it open.
            self._heard_out = True
            self._late = self.listen()
        return True

    def late_words(self) -> list[FromChild]:
        """The messages that `gone` has heard, each of them once, for whoever tells its progress."""
        words, self._late = self._late, []
        return words

    @property
    def died(self) -> bool:
        """Whether it is gone but did not finish; a child that finishes kills itself."""
        if not self.gone() or self.broke is not None:
            return False
        # Check this only now: `gone` may just have heard its last words.
        return not (self.finished and self.popen.returncode == -signal.SIGKILL)

    def last_words(self) -> str:
        """The end of what it wrote to stdout and stderr, as far as it can be read."""
        tail = b""
        with suppress(OSError):
            tail = self._tail(self._output_size)
        told = (self._cut + tail).decode("utf-8", "replace")
        return ending(told, _LAST_WORDS, remembered())

    def bound_output(self) -> None:
        """Keep a flood of output from filling the disk; remembers the end so far."""
        with suppress(OSError):  # a disk that fails; the trial itself goes on
            self._bound_output()

    def _bound_output(self) -> None:
        size = self._output_size
        if size - self._freed > _MOST_OUTPUT:
            tail = self._tail(size)
            if punch_hole(self._output.fileno(), size - len(tail)):
                self._freed = size - len(tail)
            # Output between the read and the cut is lost, so the cut waits for a pause; in a flood
            # without a pause the loss does not matter.
            elif self._output_size == size or size > 16 * _MOST_OUTPUT:
                self._cut = tail
                os.ftruncate(self._output.fileno(), 0)

    @property
    def _output_size(self) -> int:
        return os.fstat(self._output.fileno()).st_size

    def _tail(self, size: int) -> bytes:
        most = _LAST_WORDS + longest_form(remembered())
        return os.pread(self._output.fileno(), most, max(0, size - most))

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to the child and everything it has started."""
        with suppress(ProcessLookupError, PermissionError):  # gone; macOS says EPERM for zombies
            os.killpg(self.popen.pid, number)

    def close(self) -> None:
        """Kill what it has left behind in its group, and close the descriptors."""
        self.signal(signal.SIGKILL)
        self._held.close()


def _output_file() -> IO[bytes]:
    try:
        return tempfile.TemporaryFile()
    except OSError as error:
        if is_trouble(error):
            raise
        raise unusable(error) from error


def child_command(life: int, hears: int, says: int, block: int) -> list[str]:
    """The command that starts a child; a packaged Sluice answers to it as Python does."""
    start = [sys.executable, "-P", "-m", "core.trial.bootstrap"]
    told = {"life": life, "hear": hears, "say": says, "block": block}
    return [*start, *(f"--{name}={number}" for name, number in told.items())]


def _environment() -> dict[str, str]:
    """What a child needs of its own; programs that it runs for the user get the user's again."""
    users = os.environ.get(OUTER_PYTHONPATH, os.environ.get("PYTHONPATH", ""))
    return {"PYTHONPATH": import_path(), OUTER_PYTHONPATH: users}
