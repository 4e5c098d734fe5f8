"""Many starts at the same moment: each has a session of its own, with all that it measured."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

from core.run import Session

SCRIPT = Path(__file__).with_name("parallel_starts.py")
ROOTS = (SCRIPT.parents[2], SCRIPT.parents[1])
ROUNDS = int(os.environ.get("SLUICE_STARTS", "0"))
"""How often; 0: eight starts once."""
SHORT = ("--duration", "20ms", "--warm-up", "0", "--repeats", "1", "--no-floor", "--json")


@pytest.mark.parametrize("starts", [8, 64] if ROUNDS else [8])
def test_that_runs_that_start_at_once_have_sessions_of_their_own(
    starts: int, tmp_path: Path
) -> None:
    data = tmp_path / "some.bin"
    data.write_bytes(bytes(100_000))
    for number in range(max(ROUNDS, 1)):
        place = tmp_path / str(number)
        done = subprocess.run(
            [
                sys.executable,
                str(SCRIPT),
                str(starts),
                "measure",
                "raw",
                "--dataset",
                str(data),
                *SHORT,
            ],
            capture_output=True,
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join(map(str, ROOTS)), "SLUICE_SESSIONS": str(place)}
            | {"SLUICE_CACHE": str(tmp_path / "cache")},
            timeout=PATIENCE * 10,
            check=False,
        )
        *_, codes = done.stdout.decode().splitlines()
        assert codes.split() == ["0"] * starts, done.stderr.decode()[-2000:]
        sessions = list(place.glob("sessions/*.sluice"))
        assert len(sessions) == starts
        for path in sessions:
            with Session.read(path) as session:
                (run,) = session.runs()
                assert (run.how, run.trials) == ("completed", 1)
