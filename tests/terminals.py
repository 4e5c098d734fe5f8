"""A terminal that a command prints on, and what on it steers a terminal."""

from __future__ import annotations

import errno
import os
import pty
import re
import threading
from contextlib import redirect_stderr, redirect_stdout

from core.language import INVISIBLE
from core.tell.cli import main

_OURS = re.compile(
    r"\x1b\[[0-9;]*m"  # colours
    r"|\r(?=\x1b\[)|\x1b\[[12]?[AK]|\x1b\[\?25[lh]"  # a progress line that is drawn anew
)


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """The exit code of a command, and what it prints on a terminal."""
    ours, theirs = pty.openpty()
    seen: list[str] = []
    reader = threading.Thread(target=lambda: seen.append(all_printed(ours)))
    reader.start()
    try:
        with (
            os.fdopen(theirs, "w", encoding="utf-8") as stream,
            redirect_stdout(stream),
            redirect_stderr(stream),
        ):
            code = main(list(arguments))
    finally:
        reader.join()
        os.close(ours)
    return code, seen[0]


def all_printed(terminal: int) -> str:
    """What is printed until nobody holds the other end; it holds only some KiB at a time."""
    seen = b""
    try:
        while part := os.read(terminal, 65536):
            seen += part
    except OSError as error:  # how Linux says that the other end is closed
        if error.errno != errno.EIO:
            raise
    return seen.decode()


def steering(printed: str) -> set[str]:
    """What in a command's output would steer the terminal, besides colours and progress."""
    shown = _OURS.sub("", printed).replace("\r\n", "\n")
    return set(INVISIBLE.findall(shown)) - {"\n"}
