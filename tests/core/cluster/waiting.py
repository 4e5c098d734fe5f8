"""Waits for what other processes do."""

from __future__ import annotations

import time
from collections.abc import Callable

from patience import PATIENCE


def until(so: Callable[[], bool]) -> None:
    """Wait patiently until it is so."""
    limit = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < limit
        time.sleep(0.05)
