"""Starts a process for each path that it reads; that one appends trials to the session there.

It prints its id first, and the index of each trial once it is acknowledged.  Python and the engine
are imported only once.
"""

from __future__ import annotations

import os
import sys
import traceback
from pathlib import Path

import building

from core.run import Session

PLAN = building.plan([building.spec(threads=threads) for threads in (1, 2)], repeats=500)
GONE = "gone\n"


def main() -> None:
    """Serve until there are no more paths."""
    for line in sys.stdin:
        writer = os.fork()
        if not writer:
            _write_and_leave(Path(line.removesuffix("\n")))
        os.waitpid(writer, 0)
        tell(GONE)


def _write_and_leave(path: Path) -> None:
    try:
        write(path)
    finally:
        traceback.print_exc()
        os._exit(1)


def write(path: Path) -> None:
    """Append to the session at the path, which is created first where there is none."""
    tell(f"{os.getpid()}\n")
    with Session.open(path) if path.exists() else Session.create(path) as session:
        run = session.begin_run(PLAN, building.environment(), {}, ("sluice", "measure"))
        for slot in PLAN.slots():
            session.append(run, building.trial(slot.spec, index=slot.index))
            tell(f"{run} {slot.index}\n")


def tell(line: str) -> None:
    sys.stdout.write(line)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
