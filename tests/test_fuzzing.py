"""Random choices and pauses of the suite are the same in every run, and as they are asked for."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from pathlib import Path

import fuzzing
import pytest

TESTS = Path(__file__).parent
DRAWS = """
import fuzzing
from hypothesis import given, settings
from hypothesis import strategies as some

drawn = []

@given(some.integers())
@settings(max_examples=20)
def test_draws(number):
    drawn.append(number)

def test_tells():
    assert len(drawn) > 0
    print("drawn", drawn, fuzzing.drawn(4).random(), fuzzing.rounds(7))
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(TESTS))
    # The inner runs would import Qt each time.
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("CI", raising=False)
    for name in ("SLUICE_FUZZ", "SLUICE_SEED"):
        monkeypatch.delenv(name, raising=False)
    pytester.makeconftest((TESTS / "conftest.py").read_text(encoding="utf-8"))
    pytester.makeini("[pytest]\nmarkers =\n    fuzz: chooses at random\n    timeout: in seconds\n")
    pytester.makepyfile(DRAWS)
    return pytester


def draw(suite: pytest.Pytester, *arguments: str) -> tuple[list[int], str]:
    """The numbers that hypothesis drew, and what else was chosen."""
    ran = suite.runpytest_subprocess("-s", *arguments)
    (line,) = [line for line in ran.outlines if "drawn [" in line]
    numbers, rest = line.partition("drawn ")[2].split("] ")
    return ast.literal_eval(f"{numbers}]"), rest


def test_that_every_run_chooses_the_same(suite: pytest.Pytester) -> None:
    first = draw(suite)
    assert draw(suite) == first
    assert first[1].endswith(" 7")
    assert len(first[0]) <= 20


def test_that_what_else_is_loaded_changes_no_choice(suite: pytest.Pytester) -> None:
    suite.makepyfile(test_many=DRAWS.replace("20", "1000"))
    suite.makepyfile(loaded=f"NUMBERS = {list(range(10**9, 10**9 + 200))}")
    alone = draw(suite, "test_many.py")
    assert draw(suite, "test_many.py", "-p", "loaded") == alone


def test_that_a_search_chooses_other_examples_and_more_of_them(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual = draw(suite)
    monkeypatch.setenv("SLUICE_FUZZ", "5")
    monkeypatch.setenv("SLUICE_SEED", "1")
    searched = draw(suite)
    assert len(searched[0]) > 60
    assert searched[1].endswith(" 35")
    assert searched[1].split()[0] != usual[1].split()[0]
    assert draw(suite) == searched
    monkeypatch.setenv("SLUICE_SEED", "2")
    assert draw(suite)[0] != searched[0]


def test_that_a_search_runs_what_chooses_at_random_and_says_how_to_repeat_it(
    suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_FUZZ", "2")
    ran = suite.runpytest_subprocess("-m", "fuzz")
    ran.assert_outcomes(passed=1, deselected=1)
    ran.stdout.re_match_lines([r"fuzz: SLUICE_FUZZ=2 SLUICE_SEED=\d+ repeats this search"])


UNSEEDED = re.compile(
    r"os\.urandom|SystemRandom|default_rng\(\)|Random\(\)|import secrets\b"
    r"|random\.(random|randint|choice|shuffle|uniform|sample|randbytes)\("
)


@pytest.mark.quick
def test_that_no_test_draws_without_a_seed() -> None:
    spared = (TESTS / "benchmarks", Path(fuzzing.__file__), Path(__file__))
    files = [
        path
        for path in sorted(TESTS.rglob("*.py"))
        if not any(path.is_relative_to(one) for one in spared)
    ]
    found = {
        f"{path.relative_to(TESTS)}:{at}"
        for path in files
        for at, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if UNSEEDED.search(line)
    }
    assert len(files) > 50
    assert not found


STARTS = """
import pauses, subprocess, threading
slept = []
pauses.time.sleep = slept.append
for _ in range(50):
    thread = threading.Thread(target=str)
    thread.start()
    thread.join()
threads = len(slept)
for _ in range(10):
    subprocess.run(["true"], check=True)
print(threads > 0, len(slept) > threads)
"""


@pytest.mark.parametrize(("seed", "paused"), [("1", "True True"), ("", "False False")])
def test_that_threads_and_processes_pause_where_it_is_asked_for(seed: str, paused: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STARTS], capture_output=True, text=True, check=True,
        env=os.environ | {"PYTHONPATH": str(TESTS / "shaking"), "SLUICE_SHAKE": seed},
    )  # fmt: skip
    assert done.stdout.strip() == paused
