"""The messages between the two sides of the process boundary, as JSON lines.

Numbers that change while the clock runs are in the block of shared counters; messages carry stages,
endings and facts that do not change.

    near side (parent)        far side (child)
    Assignment ──────────────▶ opens the workload, enters the workers, warms up
               ◀────────────── PhaseProgress … Hide … Ready
    Turn       ──────────────▶ the workers measure together
               ◀────────────── Turned: they wait again
    Check      ──────────────▶ they verify
               ◀────────────── Checked
    Turn       ──────────────▶ …
               ◀────────────── ClockStopped: nothing is left to do
    Close      ──────────────▶ verifies the rest
               ◀────────────── PhaseProgress … Verified
                               releases everything
               ◀────────────── Finished; ends itself and what it has started

         or, outside trials:
    HelperTask ──────────────▶ does it
               ◀────────────── PhaseProgress … Hide … HelperDone, Finished

Before its end a child sends Survived if it cannot end its own processes.

A child that hears Close before its first Turn releases everything at once.  A child that hears it
while its workers wait for a turn makes them end.  A child may send Broke at any time: the
workload's code raised.
"""

from __future__ import annotations

import os
import signal
import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import Literal

import msgspec

from core.language import Name, SluiceError, ending, remembered, safe, said
from core.measure.machine.processes.survivors import Survivor
from core.measure.machine.shortages import shortage
from core.vocabulary import Complaint, Dataset, Load, PhaseProgress, RunSpec, Value

_LONGEST_TRACE = 8000  # characters of its end


class Assignment(msgspec.Struct, frozen=True, kw_only=True, tag="assignment"):
    """First line to the child: its task."""

    spec: RunSpec
    process: int
    """Its number on its node."""
    node: int = 0
    """The number of its node, of as many as the load has."""
    run_id: str
    mark: str
    slots: int
    """Slots of the whole block; this process has those from process × threads on."""


class HelperTask(msgspec.Struct, frozen=True, kw_only=True, tag="helper-task"):
    """First line to the child in place of an assignment: what to do outside trials."""

    what: Literal["place", "refer", "try", "clean-up", "adopt", "audit"]
    workload: str = ""
    parameters: dict[str, Value]
    """Parameters of the workload; to adopt a dataset, those of its location."""
    dataset: Dataset | None = None
    """The dataset to place, or that of the audited trial."""
    mark: str = ""
    """Mark of the data to remove or to audit, or of what a reference leaves meanwhile."""
    run_id: str = ""
    load: Load | None = None
    """Load of the job that makes the reference."""
    kind: str = ""
    """Kind of a dataset to adopt."""
    folder: str = ""
    """Where to catalogue an adopted dataset."""

    @property
    def stage(self) -> str:
        return HELPER_TASKS[self.what]


HELPER_TASKS = {
    "place": "placing",
    "refer": "preparing",
    "try": "trying",
    "clean-up": "cleaning up",
    "adopt": "adopting",
    "audit": "auditing",
}


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """To a fork server: one child; its descriptors come along: pipes, block, life and output."""

    stamp: str
    environment: dict[str, str]
    workload: str
    """Imported before the fork; empty = it is left to the child, as the dataset's kind is."""
    kind: str
    imports: tuple[str, ...] = ()
    """Modules that are imported before the fork."""


class Turn(msgspec.Struct, frozen=True, tag="turn"):
    """Work for the time in the block's header, or until no work is left."""


class Check(msgspec.Struct, frozen=True, tag="check"):
    """Verify the work since the last time, in the rest between two turns."""


class Close(msgspec.Struct, frozen=True, tag="close"):
    """Verify the kept results, if anything was measured, and release everything."""


class Ready(msgspec.Struct, frozen=True, kw_only=True, tag="ready"):
    """Everything before the clock is done."""

    workers: int
    steps: tuple[str, ...]
    unit: str
    baseline_rss: int
    operation: int = 0
    """Nanoseconds per operation at the end of the warm-up, for the slowest worker; 0 = unknown."""
    client_threads: int = 0
    audits: bool = False
    """Whether the job audits its writes after the clock has stopped."""
    tallies: tuple[Name, ...] = ()
    """Names of the workload's live counts, in the order of their words."""
    cores: tuple[int, ...] = ()
    """Numbers of the cores that the process is bound to; empty = to none."""
    whole: bool = False
    """Whether the trial is one window: its only worker's clock stands still while it verifies."""
    notes: tuple[str, ...] = ()
    """Notes of the job on its data."""
    opened: int = 0
    """When everything was open and the first operation began, in ns of this machine's clock."""


class Turned(msgspec.Struct, frozen=True, tag="turned"):
    """The turn is over: every worker waits or has done all its work."""


class Checked(msgspec.Struct, frozen=True, tag="checked"):
    """The check is done, as far as there was time for it."""


class ClockStopped(msgspec.Struct, frozen=True, tag="measured"):
    """The clock has stopped; nothing is closed yet."""


class Complained(msgspec.Struct, frozen=True, tag="complained"):
    """The complaints so far of a process that may be killed before it is Verified."""

    complaints: tuple[Complaint, ...]


class Verified(msgspec.Struct, frozen=True, kw_only=True, tag="verified"):
    """Every result is verified; nothing is closed yet."""

    complaints: tuple[Complaint, ...]
    counters: dict[str, float]
    verification: int
    """Nanoseconds, during and after the run, all workers."""
    self_cost: float
    """Nanoseconds that the loop adds to each operation at the pace of the first worker's run."""
    notes: tuple[str, ...] = ()
    """Notes of the job by now."""


class Hide(msgspec.Struct, frozen=True, kw_only=True, tag="hide"):
    """The child has used a secret: replace it wherever it appears in what is stored or shown.

    The one message that holds a secret.  It stays in the pipe between the two processes.
    """

    secret: str
    reference: str


class HelperDone(msgspec.Struct, frozen=True, tag="done"):
    """A task is done."""

    count: int
    """How much it made or removed; after an audit, the operations that are verified now."""
    complaints: tuple[Complaint, ...] = ()
    counters: dict[str, float] = {}
    text: str = ""
    """What a try has shown."""


class Finished(msgspec.Struct, frozen=True, tag="finished"):
    """Everything is closed."""


class Survived(msgspec.Struct, frozen=True, tag="survived"):
    """Processes that the child has started and could not end."""

    survivors: tuple[Survivor, ...]


class Broke(msgspec.Struct, frozen=True, kw_only=True, tag="broke"):
    """The workload's code raised outside an operation."""

    stage: str
    error: str
    message: str
    trace: str
    item: str = ""
    """The data in preparation, and the step that it was in."""

    @staticmethod
    def by(error: BaseException, stage: str, lacking: str, item: str = "") -> Broke:
        """The message about an error that is being handled; `lacking`: the shortage that caused it.

        Errors of ours need neither a trace nor the item.
        """
        text, ours = said(error), isinstance(error, SluiceError)
        return Broke(
            stage=stage,
            error=type(error).__name__,
            message=f"{text} ({lacking})" if text and lacking else text or lacking,
            trace="" if ours else ending(traceback.format_exc(), _LONGEST_TRACE, remembered()),
            item="" if ours else item,
        )


type ToChild = Turn | Check | Close
type FromChild = (
    PhaseProgress
    | Ready
    | Hide
    | Turned
    | Checked
    | ClockStopped
    | Complained
    | Verified
    | HelperDone
    | Finished
    | Survived
    | Broke
)


def encode_message(message: msgspec.Struct) -> bytes:
    """One message as a line; text from outside, such as file names, is sanitised.

    A child's task holds only references to secrets.  A user's name that is also somebody's secret
    has to reach it unchanged.
    """
    unchanged = isinstance(message, Hide | Assignment | HelperTask)
    return msgspec.json.encode(safe(message, {} if unchanged else remembered())) + b"\n"


_CLOSE = encode_message(Close()).rstrip()


class Wire:
    """The two pipes for messages.  A thread reads the parent's, to notice its death at once."""

    def __init__(self, hear_fd: int, say_fd: int) -> None:
        self._say_fd = say_fd
        self._lock = threading.Lock()
        self._heard: SimpleQueue[bytes] = SimpleQueue()
        self.at_close: Callable[[], None] = lambda: None
        """Called by the listening thread when the parent sends Close."""
        try:
            threading.Thread(target=self._listen, args=(hear_fd,), name="wire", daemon=True).start()
        except RuntimeError as error:
            self.send(Broke.by(error, "starting", shortage(error)))
            raise

    def _listen(self, fd: int) -> None:
        try:
            with os.fdopen(fd, "rb", buffering=0) as pipe:
                buffered = b""
                while read := pipe.read(65536):
                    *lines, buffered = (buffered + read).split(b"\n")
                    for heard in lines:
                        self._heard.put(heard)
                        if heard == _CLOSE:
                            self.at_close()
        finally:
            # The parent is gone, or cannot be heard: end this process and all it has started.
            os.killpg(0, signal.SIGKILL)

    def task(self) -> Assignment | HelperTask:
        """The parent's first message."""
        return msgspec.json.decode(self._heard.get(), type=Assignment | HelperTask)

    def hear(self) -> ToChild:
        """The next message of the parent."""
        return msgspec.json.decode(self._heard.get(), type=Turn | Check | Close)

    def send(self, message: FromChild) -> None:
        """Send a message to the parent as a whole line; works from any thread."""
        with self._lock:
            unsent = encode_message(message)
            while unsent:
                unsent = unsent[os.write(self._say_fd, unsent) :]
