"""`make conditions`: what Sluice does under each condition, a row for each; names as arguments."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from conditions import CONDITIONS, Condition
from holding import hold, lacking

_MOST = 110
"""Letters of what was said."""


def row(condition: Condition) -> tuple[str, ...]:
    """Condition, what was run, exit code, what was said, and whether it held."""
    if why := lacking(condition):
        return condition.name, condition.run, "–", "–", f"not on this machine: {why}"
    with tempfile.TemporaryDirectory(prefix="sluice-condition-") as folder:
        outcome = hold(condition, Path(folder))
    held = "held" if not outcome.faults else f"FAILED: {'; '.join(outcome.faults)}"
    return condition.name, condition.run, str(outcome.code), outcome.said, held


def rows(names: list[str]) -> Iterator[tuple[str, ...]]:
    """Those whose name has one of these words in it; all where there is none."""
    wanted = [one for one in CONDITIONS if not names or any(name in one.name for name in names)]
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as threads:
        yield from threads.map(row, wanted)


def main(names: list[str]) -> int:
    """Print the table; returns 1 where something did not hold."""
    failed = 0
    print("condition | what was run | exit code | what Sluice said | held")
    for one in rows(names):
        name, run, code, said, held = one
        print(" | ".join((name, " ".join(run.split()[:3]), code, said[:_MOST], held)), flush=True)
        failed += held.startswith("FAILED")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
