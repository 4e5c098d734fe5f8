"""`make shake` shakes every process of the suite, and only where it is asked to."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "shaking"
STARTS = """
import pauses, subprocess, threading
slept = []
pauses.time.sleep = slept.append
for _ in range(50):
    thread = threading.Thread(target=str)
    thread.start()
    thread.join()
threads = len(slept)
for _ in range(10):
    subprocess.run(["true"], check=True)
print(threads > 0, len(slept) > threads)
"""


@pytest.mark.parametrize(("seed", "paused"), [("1", "True True"), ("", "False False")])
def test_that_threads_and_processes_pause_where_it_is_asked_for(seed: str, paused: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTS], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": str(FOLDER), "SLUICE_SHAKE": seed},
    )  # fmt: skip
    assert done.stdout.strip() == paused
