"""Pauses at random where work changes hands, which bring out what comes right by luck alone.

A thread may begin late or be done before its starter goes on; so may a process; a signal may arrive
long before or after the next line, and a file get its name.  All of it happens on a busy machine,
some of it once in a thousand runs.  `make shake` has every Python process of the suite begin with
this; the window's tests pause before and after what the pool does, too (`tests/app/conftest.py`).
"""

from __future__ import annotations

import _posixsubprocess
import os
import random
import threading
import time
from collections.abc import Callable
from typing import Any

SEED = os.environ.get("SLUICE_SHAKE", "")
LONGEST = 0.25
"""Seconds."""
_OFTEN = 0.4
_drawn = random.Random(f"{SEED} {os.getpid()}")


def pause(often: float = _OFTEN) -> None:
    """Pause for a while, in so many of all cases."""
    if _drawn.random() < often:
        time.sleep(_drawn.uniform(0, LONGEST))


def shaken(act: Callable[..., Any], often: float = _OFTEN) -> Callable[..., Any]:
    """The same with pauses before and after it."""

    def unsteady(*given: Any, **named: Any) -> Any:
        pause(often)
        done = act(*given, **named)
        pause(often)
        return done

    return unsteady


def begin() -> None:
    """Shake this process from now on."""
    start = threading.Thread.start

    def start_shaken(thread: threading.Thread) -> None:
        thread.run = shaken(thread.run)  # type: ignore[method-assign]
        start(thread)
        pause()

    threading.Thread.start = start_shaken  # type: ignore[method-assign]
    # Beneath `subprocess`, which is not loaded by every process, and beneath `multiprocessing`.
    _posixsubprocess.fork_exec = shaken(_posixsubprocess.fork_exec)
    for name in ("kill", "killpg", "rename", "replace"):
        setattr(os, name, shaken(getattr(os, name), 0.3))
    pause()
