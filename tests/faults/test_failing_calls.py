"""Every call to the system can fail: no traceback, no hang, no corrupt session, no orphan.

As SQLite does it (https://sqlite.org/testing.html, 3): one call fails, the first of its kind, then
the second, and so on.  The library that lets it fail is compiled here and preloaded.
"""

from __future__ import annotations

import errno
import json
import math
import os
import re
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import fuzzing
import hostile_sessions
import pytest
from marking import MARK, still_there
from patience import PATIENCE

from core.language import SessionError
from core.run import Session

HERE = Path(__file__).parent
ROOTS = (HERE.parents[1], HERE.parent)
SHORT = (
    "--duration",
    "50ms",
    "--warm-up",
    "0",
    "--repeats",
    "2",
    "--no-floor",
    "--session",
    "{new}",
)
COMMANDS: Mapping[str, tuple[str, ...]] = {
    "measure raw": ("measure", "raw", "--dataset", "{data}", *SHORT),
    "measure fasta": ("measure", "fasta", "--dataset", "{fasta}", *SHORT),
    "show": ("show", "{old}", "--why"),
    "export": ("export", "{old}", "-o", "{folder}/results.csv"),
    "report": ("report", "{old}", "-o", "{folder}/report.html"),
}
CALLS = (
    "openat", "read", "write", "pwrite", "fsync", "mmap", "clone", "pipe2", "memfd_create", "fcntl",
    "unlink",
)  # fmt: skip
ERRORS = (errno.ENOSPC, errno.EIO, errno.EMFILE, errno.ENOMEM, errno.EACCES)
CODES = ("0", "1", "2")
WANTED = int(os.environ.get("SLUICE_FAILURES", "0"))
"""Of each call, how many fail in turn, in each command; 0: a few that are drawn."""
MINUTES = float(os.environ.get("SLUICE_FAILURES_MINUTES", "0"))
"""After which no more calls are made to fail; 0: never."""
DRAWN = 10

pytestmark = [
    pytest.mark.fuzz,
    pytest.mark.skipif(
        sys.platform != "linux" or shutil.which("cc") is None, reason="needs Linux and a compiler"
    ),
]


@dataclass(frozen=True)
class Failure:
    """One call that fails in a command."""

    command: str
    call: str
    at: int

    @property
    def error(self) -> int:
        return ERRORS[self.at % len(ERRORS)]

    def __str__(self) -> str:
        return f"{self.command}, {self.call} {self.at} fails with {errno.errorcode[self.error]}"


FOUND = (
    *(Failure("report", "read", at) for at in (9, 16, 55)),
    *(Failure("measure raw", "read", at) for at in (44, 49, 54)),
)
"""What failed once: with a traceback, a report; and a package's metadata, whose version then was
none, which made a session that could not be read."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("library") / "failing_calls.so"
    source = HERE / "failing_calls.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", made, source, "-ldl"], check=True)
    return made


def names(folder: Path) -> dict[str, str]:
    """What the commands are given, by the words in braces; made in that folder."""
    data = folder / "data"
    data.mkdir(parents=True)
    (data / "some.bin").write_bytes(bytes(100_000))
    (folder / "some.fa").write_text(">one\n" + "ACGT" * 5000 + "\n>two\n" + "TTGCA" * 4000 + "\n")
    hostile_sessions.sound(folder / "old.sluice")
    return {
        "data": str(data),
        "fasta": str(folder / "some.fa"),
        "old": str(folder / "old.sluice"),
        "new": str(folder / "new.sluice"),
        "folder": str(folder),
    }


def failures() -> Iterator[Failure]:
    if WANTED:
        every = [
            Failure(command, call, at)
            for command in COMMANDS
            for call in CALLS
            for at in range(1, WANTED + 1)
        ]
        # Mixed, so that what is done when the time is up is some of everything.
        fuzzing.drawn(17).shuffle(every)
        yield from every
        return
    yield from FOUND
    drawn = fuzzing.drawn(17)
    for _ in range(fuzzing.rounds(DRAWN)):
        command, call = drawn.choice(list(COMMANDS)), drawn.choice(CALLS)
        yield Failure(command, call, drawn.choice((1, 2, 3, 5, 8, 13, 40, 100)))


class Server:
    """A process of `failing_command.py`; one thread at a time may use it."""

    def __init__(self, library: Path, folder: Path, *, loaded: bool) -> None:
        """`loaded`: commands find everything imported."""
        self._popen = subprocess.Popen(
            [sys.executable, str(HERE / "failing_command.py"), str(library)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ
            | {"LD_PRELOAD": str(library), "PYTHONPATH": os.pathsep.join(map(str, ROOTS))},
            text=True,
        )
        for command in COMMANDS if loaded else ():
            self._ask(command, names(folder / command), here=True)

    def carry_out(self, failure: Failure, given: dict[str, str]) -> tuple[str, str]:
        """Exit code and standard error of the command."""
        said = Path(given["folder"], "said")
        call = (failure.call, failure.at, failure.error)
        self._ask(failure.command, given, call=call, said=str(said), patience=PATIENCE)
        assert self._popen.stdout is not None
        code = self._popen.stdout.readline().strip()
        return code, said.read_text("utf-8", "replace")

    def _ask(self, command: str, given: dict[str, str], *, here: bool = False, **how: Any) -> None:
        folder = Path(given["folder"])
        asked = {
            "here": here,
            "words": [word.format(**given) for word in COMMANDS[command]],
            "environment": {
                MARK: str(folder),
                **{f"SLUICE_{name}": str(folder / name) for name in ("CACHE", "SESSIONS", "STATE")},
            },
        }
        assert self._popen.stdin is not None
        self._popen.stdin.write(json.dumps(asked | how) + "\n")
        self._popen.stdin.flush()

    def close(self) -> None:
        """End it."""
        with self._popen:
            pass


OF_IMPORTING = re.compile(
    r"Exception ignored in: .*\nTraceback .*\n"
    r'(  File "<frozen importlib\._bootstrap>", line \d+, in \w+\n)+MemoryError: *\n'
)
"""Python's own words where the memory for a lock of an import fails as the lock is given up; the
import has succeeded by then, and nothing that is run can hear of it."""
OF_BLAS = "OpenBLAS blas_thread_init: pthread_create failed"
"""After which OpenBLAS interrupts its process as Ctrl+C would, while NumPy is being imported."""


def words_of_others(code: str, said: str) -> tuple[str, Counter[str]]:
    """What else was said, and how often others spoke, of what no caller of theirs can mend."""
    rest, imports = OF_IMPORTING.subn("", said)
    interrupted = code == "130" and OF_BLAS in said
    return rest, Counter({"Python's import": imports, "OpenBLAS": int(interrupted)})


def what_is_wrong(code: str, said: str, given: dict[str, str]) -> list[str]:
    said, others = words_of_others(code, said)
    expected = code in CODES or others["OpenBLAS"]
    wrong = [] if expected else [f"exit code {code}: {said[-500:]}"]
    if "Traceback" in said or "Exception ignored" in said:
        wrong.append(said[-1500:])
    new = Path(given["new"])
    if new.exists():
        try:
            with Session.read(new) as session:
                for run in session.runs():
                    session.results(run.id)
        except SessionError as error:
            wrong.append(f"a corrupt session: {error}")
    return wrong + still_there(given["folder"], PATIENCE)


class Walk:
    """Lets calls fail one after the other, and remembers how the commands ended."""

    def __init__(self, servers: Sequence[Server], folder: Path) -> None:
        self._servers = SimpleQueue[Server]()
        for server in servers:
            self._servers.put(server)
        self._folder = folder
        self._until = time.monotonic() + 60 * MINUTES if MINUTES else math.inf
        self._beyond: dict[tuple[str, str], int] = {}
        """The first call of its kind that a command does not make."""
        self.endings: Counter[tuple[str, str]] = Counter()
        """By command and exit code."""
        self.calls: Counter[str] = Counter()
        self.others: Counter[str] = Counter()
        self.left = 0
        """How many there was no time for."""
        self.wrong: list[str] = []

    def step(self, failure: Failure) -> None:
        """Let one call fail; many threads do so at once."""
        if failure.at >= self._beyond.get((failure.command, failure.call), WANTED + 1000):
            return
        if time.monotonic() > self._until:
            self.left += 1
            return
        folder = self._folder / str(failure).replace(" ", "-")
        given = names(folder)
        server = self._servers.get()
        try:
            code, said = server.carry_out(failure, given)
        finally:
            self._servers.put(server)
        if said.endswith("failed 0\n") and WANTED:
            before = self._beyond.get((failure.command, failure.call), failure.at)
            self._beyond[failure.command, failure.call] = min(before, failure.at)
        else:
            self.endings[failure.command, f"exit code {code}"] += 1
            self.calls[failure.call] += 1
            self.others += words_of_others(code, said)[1]
            if not self.calls.total() % 100:
                print(f"{self.calls.total()} calls failed", flush=True)
        self._blame(failure, what_is_wrong(code, said, given))
        shutil.rmtree(folder, ignore_errors=True)

    def _blame(self, failure: Failure, wrong: list[str]) -> None:
        self.wrong += (told := [f"{failure}: {one}" for one in wrong])
        for line in told:  # long before the end
            print(line, flush=True)

    def told(self) -> str:
        """How many calls failed, and how the commands ended."""
        lines = [f"{self.calls.total()} calls failed: {dict(self.calls)}"]
        lines += [f"{command}, {how}: {n}" for (command, how), n in sorted(self.endings.items())]
        lines.append(f"ended or complained about by others: {dict(+self.others)}")
        return "\n".join([*lines, f"no time was left for at most {self.left} more"])


def test_that_only_what_importing_itself_complains_of_is_taken_for_others_words() -> None:
    ignored = "Exception ignored in: <function cb at 0x7f>\nTraceback (most recent call last):\n"
    frame = '  File "<frozen importlib._bootstrap>", line 1357, in _find_and_load\n'
    of_python = f"{ignored}{frame}MemoryError: \n"
    assert words_of_others("0", f"{of_python}done\n") == (
        "done\n",
        {"Python's import": 1, "OpenBLAS": 0},
    )
    for ours in (
        f'{ignored}  File "core/run/session/session_file.py", line 3, in close\nMemoryError: \n',
        f'{ignored}{frame}  File "core/run/session/session_file.py", line 3, in close\nMemoryError: \n',
        f"Traceback (most recent call last):\n{frame}MemoryError: \n",
    ):
        assert words_of_others("0", ours) == (ours, {"Python's import": 0, "OpenBLAS": 0})
    assert words_of_others("130", "sluice: interrupted\n")[1]["OpenBLAS"] == 0


@pytest.mark.parametrize("loaded", [True, False], ids=["loaded", "importing"])
def test_that_a_call_that_fails_costs_no_traceback_no_session_and_leaves_no_orphan(
    loaded: bool, library: Path, tmp_path: Path
) -> None:
    """Without what is loaded, most calls of a command are those of its imports."""
    count = os.cpu_count() or 1
    with ExitStack() as held, ThreadPoolExecutor(count) as pool:
        servers = [
            Server(library, tmp_path / f"server {number}", loaded=loaded) for number in range(count)
        ]
        for server in servers:
            held.callback(server.close)
        walk = Walk(servers, tmp_path)
        for done in [pool.submit(walk.step, failure) for failure in failures()]:
            done.result()
    print(walk.told())
    assert not walk.wrong, "\n".join(walk.wrong)
