"""Threads may read the first trial of a process at the same time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from patience import PATIENCE

READ = """
import sys, threading
import building, msgspec
from core.result.result import Trial
from core.session.rows import decoded, encode_safely
trial = msgspec.structs.replace(building.trial(building.spec()), moments=())
body = encode_safely(trial, {}).encode()
gate = threading.Barrier(8)
sys.setswitchinterval(1e-6)
def read():
    gate.wait()
    assert decoded(body, Trial) == trial
threads = [threading.Thread(target=read) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
"""


def test_that_threads_that_read_their_first_trial_at_the_same_time_do_not_crash() -> None:
    found = os.pathsep.join([str(Path.cwd()), str(Path.cwd() / "tests")])
    readers = [
        subprocess.Popen([sys.executable, "-c", READ], env={**os.environ, "PYTHONPATH": found})
        for _ in range(4)
    ]
    assert [reader.wait(PATIENCE) for reader in readers] == [0] * 4
