"""`watch` follows a real run from another process, here or through ssh."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from patience import PATIENCE

ROOT = Path(__file__).parents[3]


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """An own home, and data for the raw workload."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one.bin").write_bytes(bytes(1 << 20))
    return os.environ | {
        "SLUICE_SESSIONS": str(tmp_path),
        "SLUICE_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": str(ROOT),
    }


def sluice(*words: str) -> list[str]:
    return [sys.executable, "-m", "core", *words]


@contextmanager
def measuring(
    tmp_path: Path, surroundings: dict[str, str], repeats: int
) -> Iterator[subprocess.Popen[str]]:
    """A run that has its first trial behind it; ended with the context."""
    command = sluice(
        "measure", "raw", "--dataset", str(tmp_path / "data"), "--duration", "1s", "--warm-up", "0",
        "--repeats", str(repeats), "--no-floor", "--session", str(tmp_path / "far.sluice"),
    )  # fmt: skip
    with subprocess.Popen(
        command, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as begun:
        assert begun.stderr is not None
        try:
            assert any(line.startswith("[1/") for line in begun.stderr)
            yield begun
        finally:
            begun.kill()
            begun.communicate()


def watch(surroundings: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        sluice("watch", *words, "--every", "1"),
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_that_a_run_of_another_process_is_followed_to_its_results(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    with measuring(tmp_path, surroundings, 3) as other:
        seen = watch(surroundings, str(tmp_path / "far.sluice"))
        assert other.poll() is not None or other.wait(PATIENCE) == 0
    assert seen.returncode == 0, seen.stderr
    trials = [line for line in seen.stderr.splitlines() if line.startswith("[")]
    assert [line.split(":")[0] for line in trials] == [f"[{n}/3] raw" for n in (1, 2, 3)]
    assert "completed" in seen.stdout


def test_that_a_killed_run_is_told_from_one_that_is_slow(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    with measuring(tmp_path, surroundings, 1000):
        pass  # it is killed
    seen = watch(surroundings, str(tmp_path / "far.sluice"))
    assert seen.returncode == 1
    assert "nobody measures it" in seen.stderr


def test_that_another_machine_is_asked_through_ssh_with_words_that_stay_whole(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    fake = tmp_path / "bin" / "ssh"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n')
    fake.chmod(0o755)
    surroundings["PATH"] = f"{fake.parent}{os.pathsep}{surroundings['PATH']}"
    seen = watch(surroundings, "me@head.example:a night; rm x.sluice", "--remote", "env A=1 sluice")
    assert seen.returncode == 7
    assert seen.stdout.splitlines() == [
        "me@head.example",
        "--",
        "env A=1 sluice watch 'a night; rm x.sluice' --every 1",
    ]
    assert watch(surroundings, "-oProxyCommand=x:last").returncode == 2
