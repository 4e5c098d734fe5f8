"""All commands over hostile sessions: no traceback, nothing that steers a terminal."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE
from peaks import CAN_FORGET

WALK = Path(__file__).with_name("hostile_walk.py")
ROOTS = (WALK.parents[2], WALK.parents[1])
MOST_MEMORY = 300 << 20
LONGEST = 5.0
WANTED = int(os.environ.get("SLUICE_HOSTILE", "0"))
"""Sessions to walk over; 0: some of those that were thought of, and a few random ones."""


@pytest.mark.skipif(not CAN_FORGET, reason="peaks are those of Linux")
def test_that_no_command_falls_over_a_hostile_session(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(WALK), str(tmp_path), str(WANTED)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, ROOTS))},
        timeout=PATIENCE * max(WANTED, 5),
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(told) >= max(WANTED, 10)
    peak = max(told, key=lambda one: one["peak"])
    slowest = max(told, key=lambda one: one["seconds"])
    print(f"{len(told)} sessions; most memory {peak['peak'] >> 20} MiB ({peak['name']}),")
    print(f"longest command {slowest['seconds']:.1f} s of CPU ({slowest['name']})")
    wrong = [f"{one['name']}: {each}" for one in told for each in one["wrong"]]
    assert not wrong, "\n".join(wrong)
    assert peak["peak"] <= MOST_MEMORY
    if WANTED:
        assert slowest["seconds"] <= LONGEST
