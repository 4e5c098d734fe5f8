"""Set-up does nothing that is done, keeps what was asked for, and installs what a machine takes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from loading import PACKAGING, packaging_module

prerequisites = packaging_module("prerequisites")
set_up = packaging_module("set_up")

pytestmark = pytest.mark.quick


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A .venv that was set up with `app s3`."""
    monkeypatch.setattr(set_up, "READY", tmp_path / ".ready")
    monkeypatch.setattr(set_up, "PYTHON", Path(sys.executable))
    set_up.READY.write_text(f"{set_up.ROOT}\n{set_up.fingerprint()}\napp s3\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("asked", "done"), [([], True), (["s3"], True), (["app", "s3"], True), (["s3", "spark"], False)]
)
def test_that_only_a_new_extra_is_work(installed: Path, asked: list[str], done: bool) -> None:
    assert set_up.is_ready(asked) is done


@pytest.mark.parametrize(
    "line", [0, 1], ids=["a checkout that was moved", "a lock that was changed"]
)
def test_that_what_was_installed_otherwise_is_work(installed: Path, line: int) -> None:
    lines = set_up.READY.read_text("utf-8").splitlines()
    lines[line] = "other"
    set_up.READY.write_text("\n".join(lines), "utf-8")
    assert not set_up.is_ready([])


def test_that_a_venv_without_its_python_or_its_last_line_is_work(
    installed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(set_up, "PYTHON", installed / "gone")
    assert not set_up.is_ready([])
    set_up.READY.unlink()
    assert set_up.read_ready() == ("", "", [])


class Installer:
    """Ways to install that fail for some flags; the log is what was asked of the open one."""

    def __init__(self, *refused: str, closed: int = 0) -> None:
        self.refused, self.closed = {*refused}, closed
        self.asked: list[tuple[str, ...]] = []

    def ways(self, uv: str, python: str) -> list[object]:
        return [lambda *flags: False] * self.closed + [self.install]

    def install(self, *flags: str) -> bool:
        self.asked.append(flags)
        return not self.refused & {*flags}


@pytest.mark.parametrize(
    ("refused", "sparse", "has"),
    [
        ((), True, ["app", "sparse", "s3"]),
        ((), False, ["app", "s3"]),
        (("--extra=sparse",), True, ["app", "s3"]),
        (("--extra=sparse", "--extra=app"), True, ["s3"]),
    ],
)
def test_that_as_much_is_installed_as_the_machine_takes(
    refused: Sequence[str], sparse: bool, has: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    installer = Installer(*refused, closed=2)
    monkeypatch.setattr(set_up, "ways", installer.ways)
    assert set_up.install("uv", "python", ["s3"], sparse=sparse) == has
    assert installer.asked[0] == (set_up.ONLY_TOOLS,)
    assert installer.asked[-1] == tuple(f"--extra={extra}" for extra in has)


def test_that_without_a_network_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(set_up, "ways", Installer(set_up.ONLY_TOOLS).ways)
    with pytest.raises(SystemExit):
        set_up.install("uv", "python", ["s3"], sparse=True)
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert "check the network" in said[0]


def test_that_pip_is_given_uv_with_every_hash_of_the_lock(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(prerequisites, "BOOTSTRAP", tmp_path)
    words = prerequisites.pinned("uv").read_text("utf-8").split()
    assert words[0].startswith("uv==")
    assert len(words) > 10
    assert all(word.startswith("--hash=sha256:") for word in words[1:])


def test_that_a_second_set_up_waits_for_the_first(tmp_path: Path) -> None:
    script = (
        "import sys; from pathlib import Path; import set_up; set_up.BOOTSTRAP = Path(sys.argv[1]);"
        "set_up.hold_lock(); print('held', flush=True); sys.stdin.read()"
    )
    start = [sys.executable, "-c", script, str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(PACKAGING)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(start, env=env, text=True, **pipes) as first:  # type: ignore[call-overload]
        assert first.stdout.readline() == "held\n"
        with subprocess.Popen(start, env=env, text=True, **pipes) as second:  # type: ignore[call-overload]
            assert f"process {first.pid} is running" in second.stderr.readline()
            first.communicate()
            assert second.stdout.readline() == "held\n"
            second.communicate()


def test_that_an_unknown_extra_is_answered_with_those_there_are() -> None:
    asked = [sys.executable, str(PACKAGING / "set_up.py"), "s4"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith("set-up: no such extra: s4 (there are: app ")
    assert len(done.stderr.splitlines()) == 1
