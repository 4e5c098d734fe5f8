"""Clients that are commands: s5cmd, and any that says in lines what it has done."""

from __future__ import annotations

import json
import os
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from patience import PATIENCE
from transferring import Counting, a_pass

from core.language import InvalidParameter, SluiceError, Unavailable
from core.measure.machine.processes import followed_program
from core.vocabulary import build
from workloads.transfer.clients import BY_NAME, ClientProgram
from workloads.transfer.clients.s3_commands import (
    Failure,
    S5cmdCommand,
    TransferCommand,
    s5cmd_options,
)
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_pass import Pass

pytestmark = pytest.mark.quick

ADDRESS = "s3://bucket/some/where?endpoint=http://127.0.0.1:9"
FILES = ("one", "sub/one", "with spaces and é")

# Stands in for the program: it says what s5cmd does, in the words of its own tests.
SAYS = """#!/bin/sh
printf '%s\\n' "$@" > "$SLUICE_TEST_SAID/arguments"
env > "$SLUICE_TEST_SAID/environment"
cat "$SLUICE_TEST_SAID/done"
cat "$SLUICE_TEST_SAID/failed" >&2
exit $(cat "$SLUICE_TEST_SAID/code")
"""


def asked(**values: Any) -> TransferParameters:
    found: TransferParameters = build(
        TransferParameters, {"client": "s5cmd", "address": ADDRESS, **values}
    )
    return found


class Said:
    """A program on PATH that says what it is told to, and remembers how it was called."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        program = folder / "s5cmd"
        program.write_text(SAYS)
        program.chmod(0o755)
        monkeypatch.setenv("PATH", str(folder), prepend=":")
        monkeypatch.setenv("SLUICE_TEST_SAID", str(folder))

    def says(self, done: list[Any], failed: list[Any], code: int) -> None:
        for name, lines in {"done": done, "failed": failed}.items():
            (self.folder / name).write_text("".join(f"{json.dumps(line)}\n" for line in lines))
        (self.folder / "code").write_text(str(code))

    @property
    def arguments(self) -> list[str]:
        return (self.folder / "arguments").read_text().splitlines()


@pytest.fixture
def said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Said:
    folder = tmp_path / "bin"
    folder.mkdir()
    return Said(folder, monkeypatch)


def copied(source: str, destination: str) -> dict[str, Any]:
    return {
        "operation": "cp",
        "success": True,
        "source": source,
        "destination": destination,
        "object": {"type": "file", "size": 10},
    }


THERE = "s3://bucket/some/where/sent-mark/0/"


@pytest.mark.parametrize("direction", ["up", "down"])
def test_that_each_file_is_told_as_its_line_says(
    tmp_path: Path, said: Said, direction: str
) -> None:
    ends = {name: (f"{tmp_path}/{name}", f"{THERE}{name}") for name in FILES}
    lines = [pair if direction == "up" else pair[::-1] for pair in ends.values()]
    failed = {
        "operation": "cp",
        "command": " ".join(("cp", *lines[1])),
        "error": "SlowDown: reduce your rate",
    }
    said.says([copied(*lines[0]), copied(*lines[2])], [failed], 1)
    meter = Counting()
    going = a_pass(tmp_path, meter, FILES)
    client = S5cmdCommand(asked(direction=direction), 7)
    (client.upload if direction == "up" else client.download)(going)
    assert going.done_names == {FILES[0], FILES[2]}
    assert meter.bytes == 20
    assert meter.timed == 0
    (fault,) = meter.faults
    assert (fault.item, fault.text) == (FILES[1], "SlowDown: reduce your rate")
    wanted = [f"{tmp_path}/", THERE] if direction == "up" else [f"{THERE}*", f"{tmp_path}/"]
    assert said.arguments[-2:] == wanted


def test_that_the_options_are_those_of_the_parameters_and_no_secret(
    tmp_path: Path, said: Said, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_TEST_KEY", "a-secret-key")
    parameters = asked(
        access_key="env:SLUICE_TEST_KEY",
        secret_key="env:SLUICE_TEST_KEY",
        part_size=16 << 20,
        attempts=3,
        region="somewhere",
    )
    said.says([], [], 0)
    S5cmdCommand(parameters, 7).upload(a_pass(tmp_path, Counting(), FILES))
    assert said.arguments[:-2] == s5cmd_options(parameters, 7)
    told = dict(zip(said.arguments, said.arguments[1:], strict=False))
    assert told["--endpoint-url"] == "http://127.0.0.1:9"
    assert (told["--numworkers"], told["--retry-count"]) == ("7", "2")
    assert (told["--part-size"], told["--concurrency"]) == ("16", "7")
    assert "a-secret-key" not in " ".join(said.arguments)
    environment = (said.folder / "environment").read_text().splitlines()
    assert "AWS_SECRET_ACCESS_KEY=a-secret-key" in environment
    assert "AWS_REGION=somewhere" in environment


def test_that_parts_that_are_no_whole_mib_are_refused() -> None:
    with pytest.raises(InvalidParameter, match="whole MiB"):
        S5cmdCommand(asked(part_size=(5 << 20) + 1), 1)


def test_that_a_program_that_is_missing_is_told_with_how_to_get_it() -> None:
    absent = ClientProgram(
        module="no-such-program", distribution="none", install="get it somewhere"
    )
    assert not absent.installed
    with pytest.raises(Unavailable, match="no-such-program is not on PATH") as told:
        absent.require()
    assert "get it somewhere" in told.value.remedy
    assert any(isinstance(one, ClientProgram) for one in BY_NAME["s5cmd"].drivers)


NAMES = ("one", "two", "three")
DEAF = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)"


def follow(going: Pass, code: str) -> None:
    """Run a command that says `code` in Python; a line of its output is a file that is done."""
    run = TransferCommand(going, "command", [sys.executable, "-u", "-c", code], os.environ)
    run.follow(lambda line: line if line in NAMES else None, failed_in)


def failed_in(line: str) -> Failure | None:
    name, found, why = line.partition(" failed: ")
    return Failure(name, why) if found else None


def test_that_its_lines_are_told_as_they_come(tmp_path: Path) -> None:
    meter = Counting()
    going = a_pass(tmp_path, meter, NAMES)
    follow(going, "import sys; print('one'); print('?'); print('two failed: no', file=sys.stderr)")
    assert going.done_names == {"one"}
    (fault,) = meter.faults
    assert (fault.item, fault.text) == ("two", "no")


def test_that_one_that_fails_without_a_word_of_a_file_is_an_error_with_its_last_words(
    tmp_path: Path,
) -> None:
    with pytest.raises(SluiceError, match="command ended with 3: it is broken"):
        follow(
            a_pass(tmp_path, Counting(), NAMES),
            "import sys; print('it is broken', file=sys.stderr); sys.exit(3)",
        )


SKIPS = "import sys; print('one'); print('skipped: a pipe', file=sys.stderr); "


@pytest.mark.parametrize(
    ("end", "told"),
    [
        ("sys.exit(2)", ""),
        ("sys.exit(1)", "command ended with 1"),
        ("print('it is broken', file=sys.stderr); sys.exit(2)", "ended with 2: it is broken"),
    ],
)
def test_that_one_that_only_passes_over_what_is_no_file_has_not_failed(
    tmp_path: Path, end: str, told: str
) -> None:
    going = a_pass(tmp_path, Counting(), NAMES)
    code = [sys.executable, "-u", "-c", SKIPS + end]
    run = TransferCommand(going, "command", code, os.environ)
    with pytest.raises(SluiceError, match=told) if told else nullcontext():
        run.follow(lambda line: line, failed_in, "skipped: ")
    assert going.done_names == {"one"}


@pytest.mark.parametrize("first", ["pass", DEAF], ids=["heeding", "deaf"])
def test_that_it_ends_where_the_trial_is_to_end_and_that_is_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    monkeypatch.setattr(followed_program, "_ASKED", 0.5)
    meter = Counting(stop_after=2, holds=False)
    going = a_pass(tmp_path, meter, NAMES)
    before = time.monotonic()
    follow(going, f"{first}; print('one'); print('two'); import time; time.sleep({5 * PATIENCE})")
    assert time.monotonic() - before < PATIENCE
    assert going.done_names == {"one", "two"}
    assert meter.faults == []


def test_that_one_that_is_over_before_anybody_looks_has_told_all(tmp_path: Path) -> None:
    meter = Counting(stop_after=2, holds=False)
    going = a_pass(tmp_path, meter, NAMES)
    follow(going, "print('one'); print('two'); print('three')")
    assert going.done_names == set(NAMES)
    assert meter.faults == []
