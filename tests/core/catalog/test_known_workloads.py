"""A file that is only looked at does not choose what is imported."""

from __future__ import annotations

import sys
from pathlib import Path

import hostile_sessions
import pytest

from core.catalog import registry
from core.cli import main
from core.errors import UnknownName


def test_that_showing_a_session_imports_no_module_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "planted.py").write_text("raise SystemExit('it ran')\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    change = hostile_sessions.body("specs", hostile_sessions.updated(workload="planted:Workload"))
    path = hostile_sessions.make(tmp_path / "x.sluice", change)
    for words in (["show", str(path), "--why"], ["report", str(path), "-o", "-"]):
        assert main(words) == 0
    assert "planted:Workload" in capsys.readouterr().out
    assert "planted" not in sys.modules


def test_that_nothing_but_a_workload_is_called_for_one() -> None:
    for name in ("os:abort", "os:getpid", ":x", ".x:y", "builtins:dict"):
        with pytest.raises(UnknownName):
            registry.load_workload(name)


def test_that_a_workload_is_known_once_it_was_loaded_to_be_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert registry.known_workload("raw").name == "raw"
    (tmp_path / "known_later.py").write_text(
        "from core import Workload\nfrom core.catalog.load import Load\n\n\n"
        "class Later(Workload):\n    name = 'later'\n    parameters = Load\n\n"
        "    def open(self, context):\n        raise AssertionError\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(UnknownName):
        registry.known_workload("known_later:Later")
    registry.load_workload("known_later:Later")
    assert registry.known_workload("known_later:Later").name == "later"
