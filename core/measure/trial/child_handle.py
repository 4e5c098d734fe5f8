"""The child processes of trials as their parent sees them: start, messages, end.

Nothing here raises because of anything that a child says or leaves behind.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

import msgspec

from core.language import Seconds, ending, longest_form, printed_lines, remember, remembered
from core.measure.machine.about_program import import_path
from core.measure.machine.folders import is_trouble, unusable
from core.measure.machine.processes.supervisor import Life, Program, Supervised, Supervisor
from core.measure.machine.processes.survivors import Survivor, write_down
from core.measure.machine.program_versions import OUTER_PYTHONPATH
from core.measure.machine.shared_files import OutputFile
from core.measure.trial.cancel import Cancel
from core.measure.trial.messages import (
    HELPER_TASKS,
    Broke,
    Checked,
    ClockStopped,
    Complained,
    Finished,
    FromChild,
    HelperDone,
    Hide,
    Ready,
    Survived,
    Turned,
    Verified,
    encode_message,
)
from core.vocabulary import PhaseProgress

if TYPE_CHECKING:
    from core.measure.trial.child_group import TrialProcesses
    from core.measure.trial.fork_server import Origin

STAGES = (
    "starting",
    "loading",
    "preparing",
    "warming up",
    "waiting",
    "measuring",
    "ending",
    "verifying",
    "closing",
    *HELPER_TASKS.values(),
)
"""Stages of a child, in order; it waits for the other children before and after the clock. Tasks of
helper processes are no part of a trial."""

_GRACE: Seconds = 0.1  # for a child's exit after it has closed its pipe
_MOST_OUTPUT = 2**20  # bytes of a child's output kept on disk
_LAST_OUTPUT = 4000  # characters of that output that go into a crash
_LONGEST_MESSAGE = 2**20  # bytes; a longer line is not one of our messages


@dataclass
class ChildProcess:
    """One child: its messages so far, and whether it is still there."""

    child: Supervised
    hear: int
    _say: int
    _output: OutputFile
    _resources: ExitStack
    stage: str = STAGES[0]
    detail: str = ""
    """The last step that it reported; empty when a stage begins."""
    ready: Ready | None = None
    turned: bool = True
    """Whether it has no turn."""
    checked: bool = True
    """Whether it has no check to do."""
    measured: bool = False
    complained: Complained | None = None
    verified: Verified | None = None
    finished: bool = False
    done: HelperDone | None = None
    survived: tuple[Survivor, ...] = ()
    """Processes that it has started and could not end."""
    broke: Broke | None = None
    silent: bool = False
    """The child's end of the pipe is closed."""
    _buffered: bytes = b""
    _heard_out: bool = False
    _late: list[FromChild] = field(default_factory=list)
    """Messages that were heard only after its end."""

    @classmethod
    def start(
        cls, supervisor: Supervisor, block: int, origin: Origin | None = None
    ) -> ChildProcess:
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
            output = OutputFile(ours.enter_context(_output_file()), _MOST_OUTPUT)
            drawn = dict(origin.environment) if origin is not None else {}
            life = Life()
            child = supervisor.start(
                Program(
                    arguments=child_command(life=life.theirs, hear=hears, say=says, block=block),
                    environment=own_environment() | drawn,
                    stdout=output.file,
                    stderr=output.file,
                    pass_fds=(hears, says, block),
                    life=life,
                    measured=True,
                    fork=origin.fork if origin is not None else None,
                )
            )
            return cls(child, hear, say, output, ours.pop_all())

    @property
    def running(self) -> bool:
        return self.child.running

    def send(self, message: msgspec.Struct) -> None:
        """Send a message; if the child is already gone, the next `listen` notices it."""
        try:
            os.write(self._say, encode_message(message))
        except BrokenPipeError:
            pass
        except OSError as error:
            self._lose(error)

    def listen(self) -> list[FromChild]:
        """The messages since the last call; also updates the state of the child."""
        try:
            read = os.read(self.hear, 2**20)
        except BlockingIOError:
            return []
        except OSError as error:
            self._lose(error)
            read = b""
        if not read:
            self.silent = True
            self.child.wait(_GRACE)
        *lines, self._buffered = (self._buffered + read).split(b"\n")
        messages: list[FromChild] = []
        garbled = len(self._buffered) > _LONGEST_MESSAGE
        if garbled:
            self._buffered = b""
        try:
            for line in lines:
                messages.append(msgspec.json.decode(line, type=FromChild))
                self._take(messages[-1])  # messages before any garbage still count
        except (msgspec.MsgspecError, UnicodeDecodeError):
            garbled = True
        if garbled:
            self._garbled()
        return messages

    def _lose(self, error: OSError) -> None:
        """The pipe to the child has failed."""
        message = f"the pipe between Sluice and its child failed: {error.strerror}"
        self._break(type(error).__name__, message)

    def _garbled(self) -> None:
        message = "something else than the engine wrote into the engine's pipe"
        self._break("GarbledWords", message)

    def _break(self, error: str, message: str) -> None:
        broke = Broke(stage=self.stage, error=error, message=message, trace="")
        self.broke = self.broke or broke

    def _take(self, message: FromChild) -> None:  # noqa: C901, PLR0912 -- one case for each message
        match message:
            case PhaseProgress(phase=stage, detail=detail) if stage in STAGES:
                self.stage, self.detail = stage, detail
            case Ready():
                self.ready = message
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
                self.complained = message
            case Verified():
                self.verified = message
            case HelperDone():
                self.done = message
            case Finished():
                self.finished = True
            case Survived(survivors=survivors):
                self.survived = survivors
            case Broke():
                self.broke = message
            case PhaseProgress():
                self._garbled()

    def gone(self) -> bool:
        """Whether it has ended; if so, everything it said has been heard (see `late_progress`)."""
        if self.running:
            return False
        if not self._heard_out:
            # One read takes all that a pipe can hold.  Do not wait for the pipe's end: a
            # grandchild that was forked without exec can keep it open.
            self._heard_out = True
            self._late = self.listen()
        return True

    def late_progress(self) -> list[PhaseProgress]:
        """The progress that only `gone` has heard, each message once."""
        messages, self._late = self._late, []
        return [message for message in messages if isinstance(message, PhaseProgress)]

    @property
    def died(self) -> bool:
        """Whether it is gone but did not finish; a child that finishes kills itself."""
        if not self.gone() or self.broke is not None:
            return False
        # Check this only now: `gone` may just have heard its last words.
        return not (self.finished and self.child.code == -signal.SIGKILL)

    def last_output(self) -> str:
        """The end of what it wrote to stdout and stderr, as far as it can be read."""
        output = self._output.end(_end_of_output()).decode("utf-8", "replace")
        return "\n".join(printed_lines(ending(output, _LAST_OUTPUT, remembered())))

    def bound_output(self) -> None:
        """Keep a flood of output from filling the disk, but remember its end."""
        self._output.bound(_end_of_output())

    def survivors(self) -> tuple[Survivor, ...]:
        """Its processes that still run after it was closed; they are also written down."""
        survivors = (now for one in self.survived if (now := one.now) is not None)
        running = tuple({one.pid: one for one in (*survivors, *self.child.survivors())}.values())
        write_down(running)
        return running

    def close(self) -> None:
        """Kill it and what it has left behind, and close the descriptors."""
        self.child.kill()
        self._resources.close()


def _end_of_output() -> int:
    """Bytes that hold the last output, however long the secrets to hide in it are."""
    return _LAST_OUTPUT + longest_form(remembered())


def _output_file() -> IO[bytes]:
    try:
        return tempfile.TemporaryFile()
    except OSError as error:
        if is_trouble(error):
            raise
        raise unusable(error) from error


def own_environment() -> dict[str, str]:
    """That of a child: programs that it runs for the user get the user's own path again."""
    users = os.environ.get(OUTER_PYTHONPATH, os.environ.get("PYTHONPATH", ""))
    return os.environ | {"PYTHONPATH": import_path(), OUTER_PYTHONPATH: users}


def child_command(**descriptors: int) -> list[str]:
    """The command that starts a child; a packaged Sluice answers to it as Python does."""
    start = [sys.executable, "-P", "-m", "core.measure.trial.bootstrap"]
    return [*start, *(f"--{name}={number}" for name, number in descriptors.items())]


class Listener:
    """Waits for messages of all children, and for a request to cancel."""

    def __init__(self, cancel: Cancel) -> None:
        self.cancel = cancel
        self._selector = selectors.PollSelector()
        self._selector.register(cancel, selectors.EVENT_READ)

    def add(self, process: ChildProcess, live: TrialProcesses) -> None:
        self._selector.register(process.hear, selectors.EVENT_READ, (live, process))

    def remove(self, process: ChildProcess) -> None:
        with suppress(KeyError):
            self._selector.unregister(process.hear)

    @contextmanager
    def ignoring_cancel(self) -> Iterator[None]:
        """Ignore the request to cancel for a while; otherwise it would end every wait."""
        self._selector.unregister(self.cancel)
        try:
            yield
        finally:
            self._selector.register(self.cancel, selectors.EVENT_READ)

    def listen(self, wait: float) -> Iterator[tuple[TrialProcesses, FromChild]]:
        """Wait for messages or a request to cancel; yields who said what."""
        for key, _ in self._selector.select(wait):
            if key.data is None:
                continue
            live, process = key.data
            messages = process.listen()
            if process.silent:
                self.remove(process)
            yield from ((live, message) for message in messages)

    def drain(self, wait: float = 0.0) -> None:
        """Listen, and let each process take in the messages of its child."""
        for _ in self.listen(wait):
            pass
