"""That a child never outlives the engine, not even one that is only just starting."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux sends the signal")

TIED = """
import os, signal, sys
from core.host.end_signals import tie
tie(os.getpgrp(), int(sys.argv[1]))
print("tied", flush=True)
signal.pause()
"""

LARGE = (
    "argparse",
    "asyncio",
    "click",
    "email",
    "hashlib",
    "importlib.metadata",
    "logging",
    "lzma",
    "multiprocessing",
    "numpy",
    "pkgutil",
    "psutil",
    "rich",
    "scipy",
    "sqlite3",
    "subprocess",
)
"""What every trial would wait for."""


def test_that_a_child_is_killed_once_the_engine_s_end_of_the_pipe_closes() -> None:
    life, ours_alone = os.pipe()
    command = [sys.executable, "-c", TIED, str(life)]
    with subprocess.Popen(
        command, pass_fds=(life,), stdout=subprocess.PIPE, start_new_session=True
    ) as child:
        os.close(life)
        assert child.stdout is not None
        assert child.stdout.readline() == b"tied\n"
        os.close(ours_alone)
        assert child.wait(PATIENCE) == -signal.SIGKILL


def test_that_a_child_that_starts_after_the_engine_s_death_does_nothing() -> None:
    life, ours_alone = os.pipe()
    os.close(ours_alone)
    # It would say what is wrong with its other descriptors if it came to look at them.
    command = [sys.executable, "-P", "-m", "core.trial.bootstrap", f"--life={life}", "--hear=-1"]
    done = subprocess.run(
        command, pass_fds=(life,), stderr=subprocess.PIPE, check=False, start_new_session=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    os.close(life)
    assert (done.returncode, done.stderr) == (-signal.SIGKILL, b"")


def test_that_a_child_imports_nothing_large_before_it_knows_its_work() -> None:
    looks = f"import core.trial.child, sys; print(*({{*sys.modules}} & {{*{LARGE!r}}}))"
    done = subprocess.run(
        [sys.executable, "-c", looks], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert not done.stdout.split()


def test_that_a_child_imports_no_folder_of_another_workload() -> None:
    looks = (
        "import sys; from core.catalog.registry import load_workload; load_workload('raw');"
        "print(*{name.split('.')[1] for name in sys.modules if name.startswith('workloads.')})"
    )
    done = subprocess.run(
        [sys.executable, "-c", looks], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    assert {*done.stdout.split()} == {"raw", "shared"}
