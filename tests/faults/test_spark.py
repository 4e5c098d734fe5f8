"""A reader on Spark brings processes that start processes: none outlives what it belongs to."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from marking import MARK, arguments_of, marked, still_there
from patience import PATIENCE

from core.language import report_to_nobody
from core.measure import make_dataset
from workloads.tiles.make_layer import LayerShape
from workloads.tiles.tile_parameters import PYSPARK

pytestmark = [pytest.mark.slow]


def wait_for_readers(mark: str, run: subprocess.Popen[bytes], said: Path) -> None:
    """Until Spark's own Python works: its daemon, and what this has forked."""
    until = time.monotonic() + PATIENCE
    while sum("pyspark.daemon" in " ".join(arguments_of(one)) for one in marked(mark)) < 3:
        assert run.poll() is None, f"the run has ended by itself: {said.read_text()}"
        assert time.monotonic() < until, "Spark does not come up"
        select.select([], [], [], 0.05)


def is_fork_server(process: psutil.Process) -> bool:
    return any(word.startswith("--requests=") for word in process.cmdline())


@pytest.mark.skipif(
    not PYSPARK.installed and os.environ.get("CI") != "true", reason="pyspark is missing"
)
@pytest.mark.parametrize("killed", ["parent", "child"])
def test_that_of_a_run_on_spark_that_is_killed_no_process_is_left(
    tmp_path: Path, killed: str
) -> None:
    data = tmp_path / "layer"
    make_dataset("tile-layer", LayerShape(columns=4, rows=4, tile_size=16), data, report_to_nobody)
    mark = f"spark-{os.getpid()}-{killed}"
    command = (
        *(sys.executable, "-P", "-m", "core", "measure", "tiles", "--dataset", str(data)),
        *("--reader", "rdd", "--master", "local[2]", "--duration", "600", "--repeats", "1"),
        *("--stall", f"{PATIENCE}s"),  # Spark may come up as slowly as this waits for it
        *("--session", str(tmp_path / "killed.sluice")),
    )
    places = {name: str(tmp_path / name.lower()) for name in ("SLUICE_CACHE", "SLUICE_STATE")}
    said = tmp_path / "said.txt"
    with said.open("wb") as output:
        run = subprocess.Popen(
            command, env=os.environ | places | {MARK: mark}, stdout=output, stderr=output
        )
    try:
        wait_for_readers(mark, run, said)
        started = [one for one in psutil.Process(run.pid).children() if one.name() != "sh"]
        (child,) = [one for one in started if not is_fork_server(one)]
        os.kill(run.pid if killed == "parent" else child.pid, signal.SIGKILL)
        run.wait(PATIENCE)
    finally:
        run.kill()
        run.wait()
    assert still_there(mark, PATIENCE) == []
