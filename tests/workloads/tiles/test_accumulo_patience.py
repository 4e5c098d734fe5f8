"""Accumulo's own client where ZooKeeper is gone: each call ends when its time is over."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import without_zookeeper
from driving import need_drivers
from faulty_proxy import faulty
from store_conformance import Site
from without_zookeeper import LAYER

pytestmark = [pytest.mark.lab("accumulo"), pytest.mark.slow]

TOLD = re.compile(r"no answer within [\d.]+ s, while the client waits for ZooKeeper")


@pytest.fixture
def told(accumulo_site: Site) -> Iterator[dict[str, tuple[str, str]]]:
    """What each call raises where ZooKeeper is gone, and what the store advises then."""
    need_drivers("tiles", store="accumulo", address="somewhere")
    before, port, after = re.split(r"(?<=127\.0\.0\.1:)(\d+)", accumulo_site.address)
    child = subprocess.Popen(
        [sys.executable, without_zookeeper.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        with faulty(int(port)) as front:
            asked = {"address": f"{before}{front}{after}", "parameters": accumulo_site.parameters}
            child.stdin.write(json.dumps(asked) + "\n")
            child.stdin.flush()
            assert child.stdout.readline() == "ready\n"
        found, _ = child.communicate("gone\n")
        yield {name: (error, advice) for name, (error, advice) in json.loads(found).items()}
    finally:
        child.kill()
        child.communicate()
        with accumulo_site.opened(LAYER) as direct:
            direct.remove()


def test_that_calls_without_zookeeper_end_in_time_and_not_one_after_the_other(
    told: dict[str, tuple[str, str]],
) -> None:
    in_time = [name for name, (error, _) in told.items() if TOLD.search(error)]
    # One of them can be the first to hear from the client itself that it has given up.
    assert len(in_time) >= len(told) - 1
    for name, (error, advice) in told.items():
        assert re.search("zookeeper", error, re.IGNORECASE), (name, error)
        assert "look whether the server still runs" in advice
