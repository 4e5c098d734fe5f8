"""Runs the code that an answer is copied as, in a process of its own, as its users do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from core.catalog.dataset import Dataset
from core.catalog.declarations import build
from core.catalog.load import Load
from core.catalog.registry import load_workload

BYTES = 3 * 1000 + 1  # no multiple of a block of 100 bytes
CALLS: list[tuple[dict[str, Any], str]] = [
    ({"layout": "gap"}, "3001 bytes"),
    ({"layout": "stride", "holder": "file-system", "compare": False}, "3001 bytes"),
    ({"operation": "need", "layout": "contiguous"}, "1 ranges"),
    ({"operation": "need", "need_at": "start", "greedy_length": 64, "need_size": 8}, "0 ranges"),
    ({"operation": "write", "sharing": "split"}, "3001 bytes"),
    ({"operation": "write", "sharing": "whole", "layout": "overwrite"}, "9003 bytes"),
]
"""Parameters of calls on a sparse file, and what three threads have done then."""


def copied(workload: str, dataset: Dataset, *, threads: int = 3, **values: Any) -> dict[str, str]:
    """What is copied out of an answer, by language or tool."""
    loaded = load_workload(workload)
    parameters = build(loaded.parameters, values)
    return dict(loaded.in_code(parameters, Load(threads=threads), dataset))


def printed_by(code: str, environment: Mapping[str, str] | None = None) -> str:
    """What such code in Python prints."""
    ran = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **(environment or {})},
        check=False,
    )
    assert not ran.returncode, f"{code}\n{ran.stderr}"
    return ran.stdout.strip()
