"""A process that appends trials and prints the index of each once it is acknowledged."""

from __future__ import annotations

import sys
from pathlib import Path

import building

from core.session import Session

PLAN = building.plan([building.spec(threads=threads) for threads in (1, 2)], repeats=500)


def main(path: Path) -> None:
    """Append to the session at the path, which is created first where there is none."""
    tell("ready")
    with Session.open(path) if path.exists() else Session.create(path) as session:
        run = session.begin_run(PLAN, building.environment(), {}, ("sluice", "run"))
        for slot in PLAN.slots():
            session.append(run, building.trial(slot.spec, index=slot.index))
            tell(f"{run} {slot.index}")


def tell(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
