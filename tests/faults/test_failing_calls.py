"""Every call to the system can fail: no traceback, no hang, no corrupt session, no orphan.

As SQLite does it (https://sqlite.org/testing.html, 3): one call fails, the first of its kind, then
the second, and so on.  The library that lets it fail is compiled here and preloaded.
"""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import fuzzing
import hostile_sessions
import pytest
from marking import MARK, still_there
from patience import PATIENCE

from core.errors import SessionError
from core.session import Session

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
    "run raw": ("run", "raw", "--dataset", "{data}", *SHORT),
    "run fasta": ("run", "fasta", "--dataset", "{fasta}", *SHORT),
    "show": ("show", "{old}", "--why"),
    "export": ("export", "{old}", "-o", "{folder}/results.csv"),
    "report": ("report", "{old}", "-o", "{folder}/report.html"),
}
CALLS = (
    "openat", "read", "write", "pwrite", "fsync", "mmap", "clone", "pipe2", "memfd_create", "fcntl",
    "unlink",
)  # fmt: skip
ERRORS = (errno.ENOSPC, errno.EIO, errno.EMFILE, errno.ENOMEM, errno.EACCES)
CODES = (0, 1, 2)
WANTED = int(os.environ.get("SLUICE_FAILURES", "0"))
"""Of each call, how many fail in turn, in each command; 0: a few that are drawn."""
DRAWN = 16

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


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("library") / "failing_calls.so"
    source = HERE / "failing_calls.c"
    subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", made, source, "-ldl"], check=True)
    return made


@pytest.fixture
def names(tmp_path: Path) -> dict[str, str]:
    data = tmp_path / "data"
    data.mkdir()
    (data / "some.bin").write_bytes(bytes(100_000))
    (tmp_path / "some.fa").write_text(">one\n" + "ACGT" * 5000 + "\n>two\n" + "TTGCA" * 4000 + "\n")
    hostile_sessions.sound(tmp_path / "old.sluice")
    return {
        "data": str(data),
        "fasta": str(tmp_path / "some.fa"),
        "old": str(tmp_path / "old.sluice"),
        "new": str(tmp_path / "new.sluice"),
        "folder": str(tmp_path),
    }


def failures() -> Iterator[Failure]:
    if WANTED:
        for command in COMMANDS:
            for call in CALLS:
                yield from (Failure(command, call, at) for at in range(1, WANTED + 1))
        return
    drawn = fuzzing.drawn(17)
    for _ in range(fuzzing.rounds(DRAWN)):
        command, call = drawn.choice(list(COMMANDS)), drawn.choice(CALLS)
        yield Failure(command, call, drawn.choice((1, 2, 3, 5, 8, 13, 40, 100)))


def carried_out(failure: Failure, library: Path, names: dict[str, str]) -> tuple[int, str]:
    """Exit code and standard error of the command."""
    folder = Path(names["folder"])
    for left in ("new.sluice", "results.csv", "report.html"):
        (folder / left).unlink(missing_ok=True)
    words = [word.format(**names) for word in COMMANDS[failure.command]]
    given = [str(library), failure.call, str(failure.at), str(failure.error)]
    environment = os.environ | {
        "LD_PRELOAD": str(library),
        "PYTHONPATH": os.pathsep.join(map(str, ROOTS)),
        MARK: folder.name,
        **{f"SLUICE_{name}": str(folder / name) for name in ("CACHE", "SESSIONS", "STATE")},
    }
    done = subprocess.run(
        [sys.executable, str(HERE / "failing_command.py"), *given, *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment,
        timeout=PATIENCE,
        check=False,
    )
    return done.returncode, done.stderr.decode("utf-8", "replace")


def what_is_wrong(code: int, said: str, names: dict[str, str]) -> list[str]:
    wrong = [] if code in CODES else [f"exit code {code}: {said[-500:]}"]
    if "Traceback" in said or "Exception ignored" in said:
        wrong.append(said[-1500:])
    new = Path(names["new"])
    if new.exists():
        try:
            with Session.read(new) as session:
                for run in session.runs():
                    session.results(run.id)
        except SessionError as error:
            wrong.append(f"a corrupt session: {error}")
    wrong += still_there(Path(names["folder"]).name, PATIENCE)
    return wrong


def test_that_a_call_that_fails_costs_no_traceback_no_session_and_leaves_no_orphan(
    library: Path, names: dict[str, str]
) -> None:
    told: list[str] = []
    counts: Counter[str] = Counter()
    beyond: set[tuple[str, str]] = set()
    for failure in failures():
        if (failure.command, failure.call) in beyond:
            continue
        code, said = carried_out(failure, library, names)
        if said.endswith("failed 0\n") and WANTED:  # there are no more calls of that kind
            beyond.add((failure.command, failure.call))
            continue
        counts[f"exit code {code}"] += 1
        told += [f"{failure}: {one}" for one in what_is_wrong(code, said, names)]
    print(f"{counts.total()} calls failed: {dict(counts)}")
    assert not told, "\n".join(told)
