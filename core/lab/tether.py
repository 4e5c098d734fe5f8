"""Starts programs that die with who started them, whatever the program is.

`tied` starts one: a few lines of Python tie the process group to a pipe and then become the
program.  Where the kernel has no such tie (macOS) they stay, and end the group themselves.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from core.trial.bootstrap import tie

_KERNEL = "--kernel"
_ITSELF = "--itself"


@dataclass(frozen=True, kw_only=True)
class Tied:
    """A program that was started, and the end of the pipe that it lives on."""

    popen: subprocess.Popen[bytes]
    life: int

    def let_go(self) -> None:
        """Close the pipe: whatever of the group is left dies."""
        os.close(self.life)


def tied(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    output: IO[bytes],
    tie_by: str = _KERNEL if sys.platform == "linux" else _ITSELF,
) -> Tied:
    """Start a program in a process group of its own, with a pipe as stdin; raises OSError.

    `env` is added to this process's own environment; it is what secrets may be in.
    """
    theirs, ours = os.pipe()
    try:
        popen = subprocess.Popen(
            [sys.executable, "-P", "-m", "core.lab.tether", tie_by, str(theirs), *argv],
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=output,
            env={**os.environ, "PYTHONPATH": import_path(), **env},
            cwd=cwd,
            pass_fds=[theirs],
            start_new_session=True,
        )
    except OSError:
        os.close(ours)
        raise
    finally:
        os.close(theirs)
    return Tied(popen=popen, life=ours)


def import_path() -> str:
    """Where this process finds modules, for one that it starts."""
    return os.pathsep.join(path or str(Path.cwd()) for path in sys.path)


def main(arguments: list[str]) -> int:
    """Tie this process group to the pipe, then become the program or wait for it."""
    how, life, argv = arguments[0], int(arguments[1]), arguments[2:]
    try:
        if how == _ITSELF:
            return _stay(argv, life)
        os.set_inheritable(life, True)  # a tie lasts as long as somebody holds the pipe
        tie(os.getpgrp(), life)
        if select.select([life], [], [], 0)[0]:  # closed before the tie existed
            os.killpg(0, signal.SIGKILL)
        os.execvp(argv[0], argv)
    except OSError as error:
        print(f"{argv[0]}: {error.strerror}", file=sys.stderr)  # noqa: T201 -- it is the log
        return 127


def _stay(argv: list[str], life: int) -> int:
    """Run the program, and kill the group when the pipe closes."""
    child = subprocess.Popen(argv)
    signal.signal(signal.SIGTERM, lambda number, frame: child.send_signal(number))
    ended, tell_ended = os.pipe()

    def wait() -> None:
        child.wait()
        os.close(tell_ended)

    threading.Thread(target=wait, daemon=True).start()
    if life in select.select([life, ended], [], [])[0]:
        os.killpg(0, signal.SIGKILL)
    return child.returncode if child.returncode >= 0 else 128 - child.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
