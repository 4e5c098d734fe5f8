"""How long workers measure together before they verify, and how long they work before that.

Threads that have slept are often woken on one core, where they do not contend for the interpreter's
lock, and only after some 30 ms does the scheduler know them well enough to spread them: two threads
on blocks of 64 KiB were 8 to 12 % faster in windows of 0.1 s than in whole trials, and are 1 to 2 %
apart with a run-in (`bench_turns.py --pairs 3 --quiet`).  To bind each thread to another core for a
moment does not help: they come together again.

Where threads are more than cores, or wait for the interpreter's lock, they run one after the other.
A window must outlast several such rounds, or threads that never ran are what is measured.
"""

from __future__ import annotations

from core.catalog.load import Load
from core.host.environment import usable_cores
from core.language.units import Seconds

RUN_IN: Seconds = 0.05
"""Before each window of several workers."""
_LATENCIES = 2
"""Operations of each worker in a run-in: where they wait for each other, those of a start in step
would be counted as if they did not."""
_PART = 4
"""Of the time of a trial that its run-in is at most, or there is none."""
WINDOW: Seconds = 1.0
"""Of a trial in one piece."""
_OPERATIONS = 20
"""In such a window, at least."""
_SHIFT: Seconds = 0.005
"""For which a thread keeps a core, or the interpreter's lock, while others want it."""
_ROUNDS = 3


def several_rounds(workers: int) -> Seconds:
    """The least length of a window in which all of so many workers run several times."""
    return _ROUNDS * _SHIFT * workers if workers > usable_cores() else 0.0


def run_in_for(load: Load, operation: Seconds, workers: int) -> Seconds:
    """How long the run-in of each window is, where operations take this long; 0 for none.

    None where a trial is over after some operations: they might all be done in run-ins.
    """
    if workers == 1 or not load.duration or load.operations:
        return 0.0
    length = max(RUN_IN, several_rounds(workers) / _ROUNDS, _LATENCIES * operation)
    return length if length <= max(RUN_IN, load.duration / _PART) else 0.0


def window_for(load: Load, operation: Seconds, workers: int) -> Seconds | None:
    """How long a window of a trial in one piece is; None = as long as the trial."""
    length = max(WINDOW, _OPERATIONS * operation, several_rounds(workers))
    return None if load.duration and length > load.duration / 2 else length
