"""Carries out commands of Sluice in each of which one call of the C library fails.

Argument: the library.  Reads a line of JSON for each command, carries it out in a fork of this
process, and prints its exit code.  A command that is carried out `here` has everything imported, so
that the calls which fail later are those of the commands' own work.
"""

from __future__ import annotations

import ctypes
import json
import os
import select
import signal
import sys
import traceback
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Any

from core.tell.cli import main


def serve(library: str) -> None:
    """Answer until nobody asks any more."""
    shim = ctypes.CDLL(library)
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["here"]:
            _load(asked)
            continue
        child = os.fork()
        if child == 0:
            _carry_out(shim, asked)
        print(_code_within(child, asked["patience"]), flush=True)


def _load(asked: Any) -> None:
    """Have all imported that a command imports."""
    os.environ |= asked["environment"]
    with redirect_stdout(sys.stderr):
        main(list(asked["words"]))


def _code_within(child: int, seconds: float) -> int | str:
    """The exit code of a process, or `hangs`."""
    ended = os.pidfd_open(child)
    try:
        if not _readable(ended, seconds):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return "hangs"
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    finally:
        os.close(ended)


def _readable(descriptor: int, seconds: float) -> bool:
    return bool(select.select([descriptor], [], [], seconds)[0])


def _carry_out(shim: Any, asked: Any) -> None:
    """Become the command, and end."""
    os.setsid()
    os.environ |= asked["environment"]
    said = os.open(asked["said"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    nothing = os.open(os.devnull, os.O_RDWR)
    for opened, standard in ((nothing, 0), (nothing, 1), (said, 2)):
        os.dup2(opened, standard)
    os.close(said)
    os.close(nothing)
    code = 1
    try:
        code = _failing(shim, asked["call"], asked["words"])
    except SystemExit as ended:  # as an interrupted run ends
        code = ended.code if isinstance(ended.code, int) else 1
    except BaseException:  # noqa: BLE001 -- what is looked for
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _failing(shim: Any, call: Sequence[Any], words: Sequence[str]) -> int:
    name, at, number = call
    shim.let_fail(name.encode(), ctypes.c_long(at), number)
    try:
        return main(list(words))
    finally:
        failed = shim.has_failed()
        shim.let_fail(b"", ctypes.c_long(0), 0)
        # Beside the exit code: whether there were as many calls at all.
        sys.stderr.flush()
        os.write(2, f"failed {failed}\n".encode())


if __name__ == "__main__":
    serve(sys.argv[1])
