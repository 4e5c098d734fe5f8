"""Where a trial's child looks for modules."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.host.processes.supervisor import Supervisor
from core.trial.child_process import ChildProcess


def test_that_a_child_searches_where_its_parent_does_and_nowhere_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    monkeypatch.chdir(tmp_path)
    for entry in ("__editable__.some.finder.__path_hook__", "/not/there", "there", ""):
        monkeypatch.setattr(sys, "path", [entry, *sys.path])
    started = []
    supervisor = Supervisor()

    def start(command: list[str], env: dict[str, str], **_: object) -> subprocess.Popen[bytes]:
        started.append(env["PYTHONPATH"].split(os.pathsep))
        raise OSError("not now")

    monkeypatch.setattr(subprocess, "Popen", start)
    with pytest.raises(OSError, match="not now"):
        ChildProcess.start(supervisor, 0)
    supervisor.close()
    (searched,) = started
    assert searched[:2] == [str(tmp_path), "there"]
    assert all(Path(entry).exists() for entry in searched)
