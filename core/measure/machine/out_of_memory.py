"""Memory that runs out: whom the kernel kills first, and whether it has killed (Linux).

Every child of a trial comes by this module, so it imports next to nothing.
"""

from __future__ import annotations

import os
from contextlib import suppress

_FIRST = b"1000"
"""The highest score of proc(5): measured programs can be run again, the user's own cannot."""


def be_killed_first() -> None:
    """Have the kernel kill this process, and what it will start, before all others."""
    with suppress(OSError):  # another system, or it may not be written in this container
        score = os.open("/proc/self/oom_score_adj", os.O_WRONLY)
        try:
            os.write(score, _FIRST)
        finally:
            os.close(score)


def kernel_kills() -> int:
    """How many processes the kernel has killed for want of memory since the machine began.

    Among them are those that met the limit of a control group.  0 if that is unknown.
    """
    with suppress(OSError, ValueError), open("/proc/vmstat", encoding="utf-8") as counters:  # noqa: PTH123 -- pathlib takes long to import
        for line in counters:
            if line.startswith("oom_kill "):
                return int(line.split()[1])
    return 0
