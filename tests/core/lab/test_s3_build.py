"""The build of the S3 server, which takes minutes the first time."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from core.lab.recipe import Kit
from core.lab.servers.s3 import S3


class NoLongerWantedError(Exception):
    """Nobody waits for the build any more."""


def test_that_a_build_nobody_waits_for_any_more_ends_at_once(tmp_path: Path) -> None:
    go, written = tmp_path / "go-program", tmp_path / "pid"
    go.write_text(f"#!/bin/sh\necho $$ > {written}.new; mv {written}.new {written}\nexec sleep 600")
    go.chmod(0o700)

    def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        if written.exists():
            raise NoLongerWantedError

    with pytest.raises(NoLongerWantedError):
        S3.prepare(Kit(folder=tmp_path, report=report, go_program=go))
    assert not psutil.pid_exists(int(written.read_text()))
