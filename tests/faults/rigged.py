"""A workload that works well, or fails in a chosen way, at a chosen place and in a process."""

from __future__ import annotations

import ctypes
import itertools
import os
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any

from core import Context, Job, Step, Workload, choice, flag, integer, real
from core.measure.trial.turn_gate import TurnTaker

CLOSED = "closed"
FOR_EVER = 3600
LIMIT = 50  # descriptors
FLOOD = 8 * 2**20  # bytes, many times what is kept


class Panic(BaseException):
    """What readers written in Rust raise."""


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def stand_deaf() -> None:
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(FOR_EVER)


def write_all(fd: int, data: bytes) -> None:
    while data:
        data = data[os.write(fd, data) :]


def babble(data: bytes) -> None:
    """Write into the pipe of the engine's words."""
    (say,) = [int(one.partition("=")[2]) for one in sys.argv if one.startswith("--say=")]
    write_all(say, data)


def print_with_closed_output() -> None:
    os.close(1)
    os.close(2)
    print("nobody listens")
    sys.stdout.flush()


def flood_and_abort() -> None:
    write_all(1, b"much ado\n" * (FLOOD // 9))
    os.abort()


def flood_rest_and_abort() -> None:
    write_all(1, b"much ado\n" * (FLOOD // 9))
    time.sleep(1)  # so that the engine has cut the output before the end
    os.abort()


def compute(seconds: float) -> None:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def compute_in_programs(seconds: float) -> None:
    """One after the other, none of which lives for long."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        subprocess.run([sys.executable, "-c", "sum(range(10**7))"], check=True)


def leave_thread() -> None:
    threading.Thread(target=time.sleep, args=(FOR_EVER,), name="left behind").start()


def die_waiting() -> None:
    """Die by a thread of the job's own, once a worker waits for its turn."""

    def waits(frame: FrameType | None) -> bool:
        return frame is not None and (
            frame.f_code is TurnTaker.wait.__code__ or waits(frame.f_back)
        )

    def watch() -> None:
        while not any(map(waits, sys._current_frames().values())):
            time.sleep(0.001)
        os.kill(os.getpid(), signal.SIGKILL)

    threading.Thread(target=watch, daemon=True).start()


def leave_program() -> None:
    subprocess.Popen(["sleep", str(FOR_EVER)])


def leave_fork() -> None:
    if os.fork() == 0:
        time.sleep(FOR_EVER)
        os._exit(0)


def fork_and_return() -> None:
    """Return in the new process, too, and here once that has ended."""
    if pid := os.fork():
        os.waitpid(pid, 0)


def fork_and_raise() -> None:
    if not (pid := os.fork()):
        raise RuntimeError("rigged")
    os.waitpid(pid, 0)


def rise(error: BaseException) -> None:
    raise error


FAILED = itertools.count()
FAILURES = 3


def raise_and_hang() -> None:
    """Fail a few times, then hang."""
    if next(FAILED) < FAILURES:
        raise RuntimeError("rigged")
    time.sleep(FOR_EVER)


def take_all_descriptors() -> None:
    with suppress(OSError):
        while True:
            os.dup(0)


def open_database_without_descriptors() -> None:
    place = Path(tempfile.gettempdir(), "x.sqlite3")  # which needs a descriptor, too
    take_all_descriptors()
    sqlite3.connect(place).execute("create table t (c)")


def leave_daemon() -> None:
    """A program that is nobody's child, has a session of its own, and no variables."""
    folder = tempfile.gettempdir()
    loop = f"(while :; do sleep 0.1; done >/dev/null 2>&1 & echo >{folder}/daemon)"
    subprocess.run(["env", "-i", "setsid", "sh", "-c", loop, folder], check=True)


def leave_daemon_and_die() -> None:
    """Once it was looked at, as happens each second."""
    leave_daemon()
    time.sleep(3)
    os.kill(os.getpid(), signal.SIGSEGV)


def run_out_of_memory() -> None:
    """Of the control group that the environment names."""
    Path(os.environ["RIGGED_GROUP"]).write_text(str(os.getpid()))
    kept = []
    while True:
        kept.append(bytearray(2**20))


def close_everything() -> None:
    os.closerange(3, 1024)


ACTS: Mapping[str, Callable[[], object]] = {
    "nothing": lambda: None,
    "segfault": lambda: ctypes.string_at(0),
    "abort": os.abort,
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "leave-0": lambda: os._exit(0),
    "leave-3": lambda: os._exit(3),
    "c-exit": lambda: ctypes.CDLL(None).exit(1),
    "sys-exit": lambda: sys.exit(4),
    "raise": lambda: rise(RuntimeError("rigged")),
    "raise-memory": lambda: rise(MemoryError()),
    "raise-stop": lambda: rise(StopIteration()),
    "raise-panic": lambda: rise(Panic("rigged")),
    "raise-unspeakable": lambda: rise(UnspeakableError()),
    "raise-escapes": lambda: rise(RuntimeError("\x1b]0;pwned\x07\x1b[2J\x9b31m\u202e\x08")),
    "raise-surrogate": lambda: rise(RuntimeError("no file \udcff")),
    "hang": lambda: time.sleep(FOR_EVER),
    "compute": lambda: None,
    "compute in programs": lambda: None,
    "compute for ever": lambda: compute(FOR_EVER),
    "hang-gil": lambda: ctypes.PyDLL(None).sleep(FOR_EVER),
    "hang-deaf": stand_deaf,
    "raise-and-hang": raise_and_hang,
    "take-descriptor": lambda: os.dup(0),
    "open-database": open_database_without_descriptors,
    "flood-stdout": lambda: write_all(1, bytes(range(256)) * (FLOOD // 256)),
    "flood-stderr": lambda: write_all(2, b"\xff\0\n" * (FLOOD // 3)),
    "flood-and-abort": flood_and_abort,
    "flood-rest-and-abort": flood_rest_and_abort,
    "print-closed": print_with_closed_output,
    "babble": lambda: babble(b'{"type":"lies"}\n\xff\xfe\n'),
    "babble-on": lambda: babble(b"\0" * (2 * 2**20)),
    "leave-thread": leave_thread,
    "die-waiting": die_waiting,
    "leave-program": leave_program,
    "leave-fork": leave_fork,
    "leave-daemon": leave_daemon,
    "leave-daemon-and-die": leave_daemon_and_die,
    "run-out-of-memory": run_out_of_memory,
    "fork-and-return": fork_and_return,
    "fork-and-raise": fork_and_raise,
    "close-everything": close_everything,
}
PLACES = ("open", "enter", "operation", "check", "exit", "close")


@dataclass(frozen=True, kw_only=True)
class RiggedParameters:
    act: str = choice("nothing", options=dict.fromkeys(ACTS, "What goes wrong."), help="What.")
    at: str = choice("operation", options=dict.fromkeys(PLACES, "A place."), help="Where.")
    first: int = integer(0, low=0, high=10**9, help="First operation at which it happens.")
    last: int = integer(10**9, low=0, high=10**9, help="Last one.")
    process: int = integer(-1, low=-1, high=255, help="In which process; -1 in each.")
    answer: str = choice(
        "right",
        options={"right": "As written.", "wrong": "Others.", "short": "Half."},
        help="What operations return from the first on.",
    )
    checking: str = choice(
        "later", options={"later": "After.", "between": "At once."}, help="When."
    )
    pace: float = real(0.0, low=0, high=60, unit="seconds", help="Time an operation takes.")
    signs: bool = flag(False, help="Whether closing the job is seen from a file.")
    looks: bool = flag(False, help="Whether counters tell the cores that workers may run on.")
    limit: int = integer(0, low=0, high=10**6, help="Most descriptors of the child; 0 = as is.")


class RiggedJob(Job[int, bytes]):
    def __init__(self, context: Context[RiggedParameters]) -> None:
        self.items = range(1000)
        self.checking = "between" if context.parameters.checking == "between" else "later"
        self._wishes = wishes = context.parameters
        self._stall = context.load.stall
        self._mine = wishes.process in (-1, context.process)
        self._count = itertools.count()
        self._cores: set[int] = set()
        if wishes.limit:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wishes.limit, wishes.limit))
        self._act("open")

    def _act(self, at: str) -> None:
        if self._mine and self._wishes.at == at:
            ACTS[self._wishes.act]()
            if self._wishes.act == "compute":
                compute(3 * self._stall)
            if self._wishes.act == "compute in programs":
                compute_in_programs(3 * self._stall)

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        self._act("enter")
        self._cores |= os.sched_getaffinity(0)  # of this worker's thread
        yield (Step("answer", self._answer),)
        self._act("exit")

    def _answer(self, item: int) -> bytes:
        wishes = self._wishes
        if wishes.pace:
            time.sleep(wishes.pace)
        right = item.to_bytes(8)
        if not wishes.first <= next(self._count) <= wishes.last:
            return right
        self._act("operation")
        return {"right": right, "wrong": right[::-1], "short": right[:4]}[wishes.answer]

    def check(self, item: int, result: bytes) -> str:
        self._act("check")
        if len(result) != 8:
            return f"{len(result)} of 8 bytes"
        return "" if int.from_bytes(result) == item else "other bytes"

    def counters(self) -> Mapping[str, float]:
        cores = self._cores if self._wishes.looks else ()
        seen = {f"core {core}": 1.0 for core in cores}
        return {"asked": next(self._count), "share": float("nan"), **seen}

    def close(self) -> None:
        if self._wishes.signs:
            Path(tempfile.gettempdir(), CLOSED).touch()
        self._act("close")


class Rigged(Workload[RiggedParameters]):
    name = "rigged"
    unit = "answer"
    parameters = RiggedParameters
    dataset_kinds = ("files",)
    imports = ("sqlite3", "subprocess")  # so that the server of its children loads it, too

    def open(self, context: Context[RiggedParameters]) -> Job[Any, Any]:
        context.report("opening")
        return RiggedJob(context)


class Restless(Rigged):
    """Goes on by itself between operations, as it says."""

    name = "restless"
    turns = False
