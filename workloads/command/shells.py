"""Which shell reads a line: one in which every member of a pipe counts, where there is a pipe."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache

from core import Unavailable, tr

SHELL = "/bin/sh"
SIGPIPE_CODE = 128 + 13
"""How a shell says that a program wrote into a pipe whose reader had enough, such as `head`."""
_PIPE = re.compile(r"(?<!\|)\|(?!\|)")
TELLS = """trap 'sluice_ended="${PIPESTATUS[*]}"; case " $sluice_ended " in \
*" "[1-9]*" "*" "*) echo "the members of the pipe ended with $sluice_ended" >&2; esac' EXIT; """
"""Which member failed; a line that sets a trap of its own goes without."""


def has_pipe(line: str) -> bool:
    """Whether there may be a pipe in a line: one between quotes is none, and does no harm."""
    return _PIPE.search(line) is not None


def reader_of(line: str) -> tuple[Sequence[str], str]:
    """The command to which a line is handed, and what is to stand before it.

    Raises Unavailable where a failure within a pipe would not be noticed.
    """
    if not has_pipe(line):
        return (SHELL, "-c"), ""
    shell, tells = _piping()
    return (shell, "-o", "pipefail", "-c"), tells


@cache
def _piping() -> tuple[str, str]:
    if (bash := shutil.which("bash")) is not None:
        return bash, TELLS
    known = subprocess.run(
        [SHELL, "-o", "pipefail", "-c", ":"], check=False, capture_output=True, timeout=60
    )
    if known.returncode == 0:
        return SHELL, ""
    raise Unavailable(
        tr("here /bin/sh does not notice which program of a pipe fails"),
        tr("install bash, which does"),
    )
