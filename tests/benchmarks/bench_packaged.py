"""What a packaged Sluice costs at its start beside the same Sluice in this environment.

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_packaged.py build/package/editions/sluice

`sluice --help`, a Python that does nothing, which is what a child of a trial begins with, and the
window's first paint: in turns, so that other programs delay both alike.  Exits with 1 where the
help or the first paint takes more than 1.5 times as long as here.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

MOST = 1.5
HELP = ("-P", "-m", "core", "--help")
NOTHING = ("-c", "pass")
# A process of its own ends with the first paint.
PAINT = """
import os
from app.shell.window import MainWindow
paint = MainWindow.paintEvent
def first_paint(window, event):
    paint(window, event)
    os._exit(0)
MainWindow.paintEvent = first_paint
from app.shell.launcher import main
main()
"""


def seconds(command: Sequence[str | Path]) -> float:
    """How long a command takes; it must succeed."""
    begun = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begun


def ratio(packaged: Sequence[str | Path], here: Sequence[str | Path], rounds: int) -> float:
    """The median of neighbours' ratios, of which the first only warm the page cache."""
    pairs = [(seconds(packaged), seconds(here)) for _ in range(rounds + 1)][1:]
    first, second = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"  packaged {1000 * first:.0f} ms, here {1000 * second:.0f} ms")
    return statistics.median(one / other for one, other in pairs)


def main() -> int:
    parser = argparse.ArgumentParser(description="Compare the starts of a packaged Sluice.")
    parser.add_argument("folder", type=Path, help="what a package was unpacked into")
    parser.add_argument("--rounds", type=int, default=15)
    asked = parser.parse_args()
    program = asked.folder / "sluice"
    if not os.access(program, os.X_OK):
        parser.error(f"there is no program {program}")
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # no user compiles at each start
    with tempfile.TemporaryDirectory() as home:
        os.environ |= {"SLUICE_SESSIONS": home, "XDG_CONFIG_HOME": f"{home}/config"}
        found = {
            "sluice --help": ratio([program, "--help"], [sys.executable, *HELP], asked.rounds),
            "a Python that does nothing": ratio(
                [program, *NOTHING], [sys.executable, *NOTHING], asked.rounds
            ),
            "first paint": ratio(
                [program, "-c", PAINT], [sys.executable, "-c", PAINT], asked.rounds
            ),
        }
    for name, times in found.items():
        print(f"{name}: {times:.2f} times as long as here")
    fine = all(found[name] <= MOST for name in ("sluice --help", "first paint"))
    print("within all limits" if fine else f"OVER THE LIMIT of {MOST}")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
