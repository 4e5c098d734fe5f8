"""Processes of runs of every workload are killed: nothing is left that `leftovers` does not remove.

`SLUICE_KILLS=60` kills so many.
"""

from __future__ import annotations

import os
import random
import re
import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import fuzzing
import psutil
import pytest
from marking import arguments_of, marked, still_there
from patience import PATIENCE
from victims import KilledRun

from core.language import SessionError
from core.run import Session
from core.tell.cli import main

KILLS = 8
SHORT = ("--warm-up", "0", "--no-floor", "--json", "--stall", "30s", "--deadline", "2min")
PLACES = ("SLUICE_CACHE", "SLUICE_STATE", "SLUICE_SESSIONS", "TMPDIR")

_LEAVES_FILES = f"""
import os, subprocess, sys
os.makedirs(sys.argv[1] + "/a/b")
open(sys.argv[1] + "/a/b/file", "w").write("written")
os.chmod(sys.argv[1] + "/a", 0o500)
subprocess.run([{sys.executable!r}, "-S", "-c", "import time; time.sleep(0.1)"], start_new_session=True)
"""
"""A program that leaves a folder that may not be written, and runs one in a session of its own."""
_PROGRAM = shlex.join(
    [sys.executable, "-S", "-c", _LEAVES_FILES.replace("{", "{{").replace("}", "}}")]
)

RUNS: Mapping[str, Sequence[str]] = {
    "raw": ("raw", "processes=1,2", "--duration", "0.2"),
    "fasta": ("fasta", "threads=1,2", "--duration", "0.2"),
    "signal": ("signal", "processes=1,2", "--duration", "0.2"),
    "sparse": ("sparse", "--threads", "2", "--duration", "0.2"),
    "tiles": ("tiles", "--direction", "write", "--threads", "2", "--duration", "0.2"),
    "transfer": ("transfer", "--client", "copy", "--threads", "2", "--operations", "2"),
    "raster": ("raster", "--threads", "2", "--duration", "0.2"),
    "sparse-remote": ("sparse-remote", "--duration", "0.2"),
    "command": ("command", "--run", f"{_PROGRAM} {{out}}", "--threads", "2", "--duration", "0.5"),
}


def victims(run: KilledRun, drawn: random.Random) -> list[psutil.Process]:
    """The run itself, any process of it, or the run and each shell that guards others."""
    ours = sorted(marked(run.mark), key=lambda process: process.pid)
    own = [process for process in ours if process.pid == run.popen.pid]
    match drawn.choice(("run", "any", "run and guards")):
        case "any" if ours:
            return [drawn.choice(ours)]
        case "run and guards":
            return [*(one for one in ours if "/bin/sh" in arguments_of(one)[:1]), *own]
    return own


KEPT = (
    r"SLUICE_CACHE/(datasets/[a-z0-9]|indexes/|reports/|native/|locks/).*",
    r"SLUICE_CACHE/(tiles|transfers/there)/.*",  # placed once, and used again
    r"SLUICE_STATE/(timings\.json|trust/.*)",
    r"SLUICE_SESSIONS/.*",
    r".*/\.sluice-[0-9a-f]+\.new",  # removed by a later one of its kind
)
"""What runs keep: samples, indexes, reports, what stands for a server, how long things take."""


def is_kept(path: str) -> bool:
    made_again = any(re.fullmatch(one, path) for one in KEPT)
    return made_again and "/runs-" not in path and ".unfinished" not in path


def remains(folder: Path) -> Iterator[str]:
    """What is left of a run after `leftovers --remove`, in words."""
    if main(["leftovers", "--remove"]):
        yield "not all was removed"
    for name in PLACES:
        for path in (folder / name).rglob("*"):
            if not path.is_dir() and not is_kept(str(path.relative_to(folder))):
                yield str(path)
    yield from map(str, (folder / "TMPDIR").iterdir())
    for path in (folder / "SLUICE_SESSIONS").rglob("*.sluice"):
        try:
            with Session.read(path) as session:
                session.results()
        except SessionError as error:
            yield f"{path.name}: {error}"


@pytest.mark.fuzz
@pytest.mark.parametrize("kind", RUNS)
def test_that_nothing_is_left_of_a_run_of_which_processes_are_killed(
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    pace: float,
) -> None:
    for name in PLACES:
        (tmp_path / name).mkdir()
        monkeypatch.setenv(name, str(tmp_path / name))
    drawn = fuzzing.drawn(len(kind))
    kills = int(os.environ.get("SLUICE_KILLS") or fuzzing.rounds(KILLS))
    for number in range(-(-kills // len(RUNS))):
        mark = f"{os.getpid()}-{kind}-{number}"
        run = KilledRun(["measure", *RUNS[kind], *SHORT, "--repeats", "2"], mark, tmp_path / "log")
        longer = drawn.uniform(0, 8 * pace)
        run.go_on(longer)
        killed = victims(run, drawn)
        told = [f"{one.pid} {' '.join(arguments_of(one))[:80]}" for one in killed]
        for one in killed:
            one.kill()
        run.wait(PATIENCE)
        assert not still_there(mark, PATIENCE), (longer, told)
        left = list(remains(tmp_path))
        assert not left, (longer, told, run.complained(), capsys.readouterr().out)
