"""How soon does a new user have an answer, in the window and at the command line?

    PYTHONPATH=. QT_QPA_PLATFORM=offscreen .venv/bin/python tests/benchmarks/bench_first_answer.py
        [--window 10] [--sweeps 10]

Each try in the window begins with an empty home and presses the three buttons of its first steps:
a sample, a sweep of 1 to 8 threads, Start; its time runs from the first button to the last trial.
Each sweep is of 4 numbers of threads, 2 caches and 2 numbers of processes over the sample, as a
command with a budget; the sample is made before.  An answer is a recommendation and not "cannot
tell": a setting with those that are as good, or one that will do for now, since it is surely at
most a told share slower than any other (`core.vocabulary.verdict.WITHIN` at most).

Exits with 1 where less than 9 tries in 10 have an answer within 60 s in the window, or 90 s for
the sweep.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ANSWERED, WINDOW_SECONDS, SWEEP_SECONDS = 0.9, 60.0, 90.0
_SWEEP = ("threads=1,2,4,8", "cache=lru-locked,per-thread", "processes=1,2")
_BUDGET = "85s"
_LONGEST = 300.0
"""Seconds until a try that does not end is given up."""

_ANSWER = """
def answer_of(advice):
    told = advice is not None and (advice.usable or advice.quiet.told)
    return {"answered": told, "says": "nothing" if advice is None else advice.sentence}
"""
_WINDOW = (
    _ANSWER
    + """
import json, os, time
from app.shell.window import MainWindow
from PySide6.QtCore import QTimer
furnish = MainWindow.furnish
def furnish_and_press(window):
    workbench = furnish(window)
    measuring = workbench.measuring
    begun = []
    def step():
        begun.append(time.monotonic())
        workbench.start.sample.click()
    def tell(found):
        # The last summary comes after the run has ended.
        if not measuring.running and found.next.steps:
            from core.judge.advisor import advise_within
            advice = advise_within(found.results, {})
            told = {"seconds": time.monotonic() - begun[0], **answer_of(advice)}
            print(json.dumps({**told, "card": found.card.headline.text}), flush=True)
            os._exit(0)
    measuring.summed_up.connect(tell)
    QTimer.singleShot(50, workbench, step)
    return workbench
MainWindow.furnish = furnish_and_press
from app.__main__ import main
main()
"""
)
_READ = (
    _ANSWER
    + """
import json, sys
from pathlib import Path
from core.judge.advisor import advise_within
from core.run.session.session_file import Session
with Session.read(Path(sys.argv[1])) as session:
    print(json.dumps(answer_of(advise_within(session.results(), {}))))
"""
)


def home_in(folder: Path) -> dict[str, str]:
    """The environment of a user whose home is this folder."""
    own = {key: text for key, text in os.environ.items() if not key.startswith(("SLUICE_", "XDG_"))}
    return own | {"HOME": str(folder)}


def told_by(program: str, *words: str, home: dict[str, str]) -> dict[str, object]:
    """The one line of JSON that the program prints."""
    command = [sys.executable, "-c", program, *words]
    done = subprocess.run(
        command, env=home, capture_output=True, text=True, timeout=_LONGEST, check=True
    )
    return dict(json.loads(done.stdout.splitlines()[-1]))


def in_window(seed: int) -> bool:
    """Whether this try has an answer in time; prints it."""
    with tempfile.TemporaryDirectory() as name:
        told = told_by(_WINDOW, home=home_in(Path(name)))
    return judged(f"window {seed}", told, WINDOW_SECONDS)


def by_sweep(seed: int, home: dict[str, str]) -> bool:
    """The same for the sweep."""
    session = Path(home["HOME"], f"{seed}.sluice")
    command = [sys.executable, "-m", "core", "measure", "fasta", *_SWEEP, "--order-seed", str(seed)]
    command += ["--all", "--budget", _BUDGET, "--no-floor", "--session", str(session)]
    begun = time.monotonic()
    subprocess.run(command, env=home, capture_output=True, timeout=_LONGEST, check=True)
    seconds = time.monotonic() - begun
    told = {"seconds": seconds, **told_by(_READ, str(session), home=home)}
    return judged(f"sweep {seed}", told, SWEEP_SECONDS)


def judged(name: str, told: dict[str, object], limit: float) -> bool:
    """Whether there is an answer in time; prints it."""
    seconds = float(str(told["seconds"]))
    in_time = bool(told["answered"]) and seconds <= limit
    card = f" (card: {told['card']})" if told.get("card", told["says"]) != told["says"] else ""
    print(
        f"{name}, {seconds:.0f} s, {'yes' if in_time else 'NO'}: {told['says']}{card}", flush=True
    )
    return in_time


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--window", type=int, default=10)
    parser.add_argument("--sweeps", type=int, default=10)
    wanted = parser.parse_args()
    windows = sum(in_window(seed) for seed in range(1, wanted.window + 1))
    with tempfile.TemporaryDirectory() as name:
        home = home_in(Path(name))
        subprocess.run(
            [sys.executable, "-m", "core", "measure", "fasta", "--duration", "1", "--repeats", "1"],
            env=home, capture_output=True, check=True,
        )  # fmt: skip
        sweeps = sum(by_sweep(seed, home) for seed in range(1, wanted.sweeps + 1))
    print(f"window: an answer within {WINDOW_SECONDS:.0f} s in {windows} of {wanted.window}")
    print(f"sweep: an answer within {SWEEP_SECONDS:.0f} s in {sweeps} of {wanted.sweeps}")
    fine = windows >= ANSWERED * wanted.window and sweeps >= ANSWERED * wanted.sweeps
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
