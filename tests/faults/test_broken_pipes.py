"""A pipe to a child that fails is the outcome of its trial, not the end of the run."""

from __future__ import annotations

import os
import pty
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from core.measure import OutputFile, Program, Supervised, Supervisor
from core.measure.trial.child_handle import ChildProcess
from core.measure.trial.messages import Close


@pytest.fixture
def child() -> Iterator[Supervised]:
    with Supervisor() as supervisor:
        yield supervisor.start(Program(arguments=("sleep", "3600")))


@pytest.fixture
def failing() -> Iterator[int]:
    """A descriptor whose reading fails with EIO."""
    ours, theirs = pty.openpty()
    os.close(theirs)
    yield ours
    os.close(ours)


@pytest.fixture
def full() -> Iterator[int]:
    """A descriptor whose writing fails with ENOSPC."""
    opened = os.open("/dev/full", os.O_WRONLY)
    yield opened
    os.close(opened)


@pytest.fixture
def process(child: Supervised, failing: int, full: int) -> Iterator[ChildProcess]:
    """A child whose pipes fail, both ways."""
    with tempfile.TemporaryFile() as output:
        yield ChildProcess(child, failing, full, OutputFile(output, 2**20), ExitStack())


def test_that_a_pipe_that_cannot_be_read_is_told_by_its_error(process: ChildProcess) -> None:
    assert process.listen() == []
    assert process.silent
    assert process.broke is not None
    assert process.broke.error == "OSError"
    assert "Input/output error" in process.broke.message


def test_that_a_pipe_that_cannot_be_written_is_told_by_its_error(process: ChildProcess) -> None:
    process.send(Close())
    assert process.broke is not None
    assert "No space left on device" in process.broke.message


def test_that_output_that_cannot_be_read_hides_no_outcome(
    child: Supervised, failing: int, full: int
) -> None:
    with os.fdopen(os.dup(failing), "rb", buffering=0) as output:
        one = ChildProcess(child, failing, full, OutputFile(output, 2**20), ExitStack())
        one.bound_output()
        assert one.last_output() == ""


@pytest.fixture
def flooded(child: Supervised, failing: int, full: int) -> Iterator[ChildProcess]:
    """A child that has written much more than is kept."""
    with tempfile.TemporaryFile(buffering=0) as output:
        output.write(b"much ado\n" * 500_000)
        yield ChildProcess(child, failing, full, OutputFile(output, 2**20), ExitStack())


def test_that_output_is_freed_without_a_cut_that_could_take_later_words(
    flooded: ChildProcess,
) -> None:
    output = flooded._output.file
    before = os.fstat(output.fileno())
    flooded.bound_output()
    after = os.fstat(output.fileno())
    if after.st_size:  # this file system can make holes
        assert after.st_size == before.st_size
        assert after.st_blocks * 512 < 2**20
    output.write(b"aborted")
    assert flooded.last_output().endswith("much ado\naborted")


def test_that_output_is_bounded_where_no_hole_can_be_made(
    flooded: ChildProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "core.measure.machine.shared_files.punch_hole", lambda descriptor, length: False
    )
    flooded.bound_output()
    assert os.fstat(flooded._output.file.fileno()).st_size == 0
    flooded._output.file.seek(0)
    flooded._output.file.write(b"aborted")
    assert flooded.last_output().endswith("much ado\naborted")
