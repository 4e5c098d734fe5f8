"""Nodes and threads that are varied together show what saturates a store whose limits are known.

One thread gets at most 1 / 28 ms = 36 answers a second, a node 50, and all nodes together 100.  So
one node never saturates the store, and two with one thread each have 71 at most.  Two nodes with
two threads each could have 143 and get 100, which is all there is; more only wait for each other.
Four nodes with one thread each get as much by as many threads.  All nodes share this machine, where
each is another program to the others: on few cores the answer may be for now.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from dask_cluster import DaskProcesses
from patience import PATIENCE
from rationed import RATE

from core.judge import typical
from core.run import Session
from core.vocabulary import Advice, Dataset

HERE = Path(__file__).parent
_TUNE = (
    *(sys.executable, "-m", "core", "--path", str(HERE), "measure", "rationed:Rationed"),
    *("nodes=1,2,4", "threads=1,2", "--duration=0.6", "--warm-up=0.2"),
    *("--no-floor", "--json"),
)


@pytest.fixture
def port() -> Iterator[int]:
    """Where a store listens that rations its answers."""
    with subprocess.Popen(
        [sys.executable, str(HERE / "rationed.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as server:
        assert server.stdout is not None
        yield int(server.stdout.readline())


def tuned(dask: DaskProcesses, session: Path, *words: str) -> Advice:
    """What is advised of nodes and threads; all trials are in the session."""
    done = subprocess.run(
        [*_TUNE, *words, f"--session={session}", f"--cluster={dask.address}"],
        capture_output=True,
        check=False,
        timeout=3 * PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    told = [msgspec.json.decode(line) for line in done.stdout.splitlines()]
    (advice,) = [one["advice"] for one in told if one["type"] == "advised"]
    return msgspec.convert(advice, Advice)


@pytest.mark.slow
def test_that_as_few_nodes_and_threads_are_advised_as_saturate_a_store(
    dask: DaskProcesses, data: Dataset, port: int, tmp_path: Path
) -> None:
    for _ in range(4):
        dask.worker(before=(str(HERE),))
    session = tmp_path / "tuned.sluice"
    advice = tuned(dask, session, f"--port={port}", f"--dataset={data.location}")
    print(advice.sentence)
    assert advice.values in ({"threads": 2, "nodes": 2}, {"threads": 1, "nodes": 4}) or (
        advice.beside and advice.taken > 0.0
    )
    with Session.read(session) as kept:
        results = kept.results()
    assert all(result.valid for result in results)
    (best,) = [result for result in results if result.spec == advice.spec]
    rate = typical(best)
    print(f"{rate:.1f} answers/s in {advice.trials} trials; confident: {advice.confident}")
    assert rate == pytest.approx(RATE, rel=0.15)
    least = [result for result in results if result.spec.load.nodes == 1]
    assert all((typical(result) or 0) < 0.7 * RATE for result in least)
