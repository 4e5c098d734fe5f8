"""How long a test waits for what must come: generous, because others may be using the machine.

A test fails by waiting in vain, not by waiting long; how quickly something comes is a matter of
`tests/benchmarks`.
"""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds."""
MILLISECONDS = round(1000 * PATIENCE)
"""The same for Qt."""


def without_busy(errors: str) -> str:
    """The lines of a command's standard error but the one about other programs."""
    lines = errors.splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("Other programs take"))


def until(so: Callable[[], bool]) -> None:
    """Wait patiently until it is so."""
    limit = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < limit
        time.sleep(0.05)
