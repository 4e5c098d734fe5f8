"""A command in a process of its own: what its lines say counts, and it ends when it is told to."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from patience import PATIENCE
from transferring import Counting, a_pass

from core.errors import SluiceError
from core.host.processes import running_program
from workloads.transfer.clients.client import Failure, TransferCommand
from workloads.transfer.transfer_pass import Pass

pytestmark = pytest.mark.quick

FILES = ("one", "two", "three")
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"


def follow(going: Pass, code: str) -> None:
    """Run a command that says `code` in Python; a line of its output is a file that is done."""
    run = TransferCommand(going, "command", [sys.executable, "-u", "-c", code], os.environ)
    run.follow(lambda line: line if line in FILES else None, failed_in)


def failed_in(line: str) -> Failure | None:
    name, found, why = line.partition(" failed: ")
    return Failure(name, why) if found else None


def test_that_its_lines_are_told_as_they_come(tmp_path: Path) -> None:
    meter = Counting()
    going = a_pass(tmp_path, meter, FILES)
    follow(going, "import sys; print('one'); print('?'); print('two failed: no', file=sys.stderr)")
    assert going.done_names == {"one"}
    (fault,) = meter.faults
    assert (fault.item, fault.text) == ("two", "no")


def test_that_one_that_fails_without_a_word_of_a_file_is_an_error_with_its_last_words(
    tmp_path: Path,
) -> None:
    with pytest.raises(SluiceError, match="command ended with 3: it is broken"):
        follow(
            a_pass(tmp_path, Counting(), FILES),
            "import sys; print('it is broken', file=sys.stderr); sys.exit(3)",
        )


@pytest.mark.parametrize("first", ["pass", DEAF], ids=["heeding", "deaf"])
def test_that_it_ends_where_the_trial_is_to_end_and_that_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setattr(running_program, "_ASKED", 0.5)
    meter = Counting(stop_after=2, holds=False)
    going = a_pass(tmp_path, meter, FILES)
    before = time.monotonic()
    follow(going, f"{first}; print('one'); print('two'); import time; time.sleep({5 * PATIENCE})")
    assert time.monotonic() - before < PATIENCE
    assert going.done_names == {"one", "two"}
    assert meter.faults == []


def test_that_one_that_is_over_before_anybody_looks_has_told_all(tmp_path: Path) -> None:
    meter = Counting(stop_after=2, holds=False)
    going = a_pass(tmp_path, meter, FILES)
    follow(going, "print('one'); print('two'); print('three')")
    assert going.done_names == set(FILES)
    assert meter.faults == []
