"""How many threads can be started here; imports next to nothing, as starts ask first."""

from __future__ import annotations

import os
import threading


def started_threads() -> tuple[int, RuntimeError | None]:
    """How many of as many threads as OpenBLAS starts could be started, and why no more."""
    over = threading.Event()
    started: list[threading.Thread] = []
    try:
        for _ in range(max((os.cpu_count() or 1) - 1, 1)):
            thread = threading.Thread(target=over.wait, daemon=True)
            thread.start()
            started.append(thread)
    except RuntimeError as error:
        return len(started), error
    finally:
        over.set()
        for thread in started:
            thread.join()
    return len(started), None
