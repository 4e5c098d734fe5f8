"""What CPU a process and its programs took."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from rigged_cpu import compute

from core.measure.machine.descendants import cpu_of_process, cpu_of_programs

pytestmark = pytest.mark.quick

TAKES = 50_000_000
SPINS = f"""
import sys, time
while time.process_time_ns() < {TAKES}: pass
print("done", flush=True)
sys.stdin.read()
"""


def test_that_all_threads_of_a_process_count() -> None:
    before = cpu_of_process()
    thread = threading.Thread(target=compute, args=(TAKES,))
    thread.start()
    thread.join()
    assert cpu_of_process() - before >= TAKES


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the system has no /proc")
def test_that_a_program_counts_while_it_lives_and_once_it_was_waited_for() -> None:
    of_programs, of_process = cpu_of_programs(), cpu_of_process()
    with subprocess.Popen(
        [sys.executable, "-c", SPINS], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == b"done\n"
        living = cpu_of_programs() - of_programs
        assert living > 0.5 * TAKES  # in ticks of the kernel
        assert program.stdin is not None
        program.stdin.close()
        program.wait()
    assert cpu_of_programs() == of_programs
    assert cpu_of_process() - of_process >= TAKES
