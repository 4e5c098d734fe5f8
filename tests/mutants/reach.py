"""Which test reaches which line of the product, in its own process and in those that it starts.

coverage.py has contexts for this, but not with `sys.monitoring`, and loses those of a process that
is killed, as many here are.  So each new line is written at once, into a file of the test.

PYTEST_DONT_REWRITE: it is loaded before pytest is.
"""

from __future__ import annotations

import hashlib
import json
import os
import sys
from pathlib import Path
from types import CodeType
from typing import Any

FOLDER = os.environ.get("SLUICE_REACH", "")
"""Where it is written, one file for each test."""
ROOT = os.environ.get("SLUICE_REACH_ROOT", "")
"""The tree whose code counts."""
ENDED = "ended.jsonl"
"""The phases of tests: name, outcome, seconds."""
_TOPS = tuple(f"{ROOT}/{top}/" for top in ("app", "core", "workloads"))
_current: list[int] = []
"""The open file of the test that runs."""


def file_of(test: str) -> str:
    return hashlib.sha1(test.encode(), usedforsecurity=False).hexdigest()


def begin() -> None:
    """Note lines from now on; those of a process that a test starts are that test's."""
    tool, events = sys.monitoring.COVERAGE_ID, sys.monitoring.events
    seen = set()

    def function_starts(code: CodeType, offset: int) -> object:
        if code not in seen and code.co_filename.startswith(_TOPS):
            seen.add(code)
            sys.monitoring.set_local_events(tool, code, events.LINE)
        return sys.monitoring.DISABLE

    def line_starts(code: CodeType, line: int) -> object:
        if _current:
            os.write(_current[0], f"{code.co_filename[len(ROOT) + 1 :]}:{line}\n".encode())
        return sys.monitoring.DISABLE

    sys.monitoring.use_tool_id(tool, "reach")
    sys.monitoring.register_callback(tool, events.PY_START, function_starts)
    sys.monitoring.register_callback(tool, events.LINE, line_starts)
    sys.monitoring.set_events(tool, events.PY_START)
    if running := os.environ.get("PYTEST_CURRENT_TEST"):
        _turn_to(running.rpartition(" (")[0])


def _turn_to(test: str) -> None:
    new = os.open(Path(FOLDER) / file_of(test), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    if _current:
        os.close(_current.pop())
    _current.append(new)
    sys.monitoring.restart_events()


def pytest_runtest_logstart(nodeid: str) -> None:
    """Turn to the next test; pytest calls this in each process that runs tests."""
    if FOLDER:
        _turn_to(nodeid)


def pytest_runtest_logreport(report: Any) -> None:
    if FOLDER and "PYTEST_XDIST_WORKER" not in os.environ:
        with Path(FOLDER, ENDED).open("a", encoding="utf-8") as ended:
            ended.write(json.dumps([report.nodeid, report.outcome, report.duration]) + "\n")
