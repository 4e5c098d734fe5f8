"""What a sweep over real transfers advises, and why."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from lab_servers import behind_proxy

from core.analysis.diagnosis import Cause
from core.cli import main

LATENCY = 0.1
"""Seconds: far more than a thread computes, or waits for a core of a busy machine."""
PART = 5 << 20
MOST_MEMORY, MOST_FILES = 2 << 30, 500
BRIEF = ("--duration", "1s", "--repeats", "2", "--no-floor", "--json")


@pytest.fixture
def mixed_tree(tmp_path: Path) -> Path:
    """Small files, and one of three parts or of two."""
    root = tmp_path / "mixed"
    root.mkdir()
    for number in range(9):
        (root / f"small-{number}").write_bytes(b"%d" % number * 1000)
    (root / "large").write_bytes(bytes(2 * PART + 1))
    return root


@pytest.mark.slow
@pytest.mark.lab("s3")
def test_that_threads_and_part_size_are_advised_within_limits_and_the_latency_named(
    s3: Mapping[str, Any], mixed_tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with behind_proxy(tmp_path / "proxy", s3["address"], latency=LATENCY) as address:
        reached = {**s3, "address": address, "direction": "down"}
        del reached["part_size"]
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in reached.items()]
        limits = [f"--most-memory={MOST_MEMORY}", f"--most-files={MOST_FILES}"]
        given = ["--dataset", str(mixed_tree), "--session", str(tmp_path / "swept.sluice")]
        axes = ["threads=1,4", f"part-size={PART},{2 * PART}"]
        assert main(["measure", "transfer", *axes, *given, *flags, *limits, *BRIEF]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (advice,) = [one["advice"] for one in events if one["type"] == "advised"]
    assert advice["values"]["threads"] == 4, advice
    assert advice["values"]["part_size"] in (PART, 2 * PART)
    assert 0 < advice["memory"] <= MOST_MEMORY
    assert advice["refused"] == []
    assert advice["reasons"]
    (why,) = [one["diagnosis"] for one in events if one["type"] == "diagnosed"]
    assert why["cause"] == Cause.NETWORK.value, why
    assert "threads 4" in why["of"]
    assert any("the threads wait" in told for told in why["evidence"]), why
