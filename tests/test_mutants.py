"""`make mutants` changes one place at a time, and knows which tests find it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from mutants.mutations import mutants_of

FOLDER = Path(__file__).parent / "mutants"
PRODUCT = """\
def least(numbers: list[int]) -> int:
    if len(numbers) < 1:
        raise ValueError("nothing")
    return sorted(numbers)[0]


def unknown() -> int:
    return 7
"""
TESTS = '''\
import subprocess, sys

import pytest
from core.toy.least import least

def test_that_nothing_has_no_least_number() -> None:
    with pytest.raises(ValueError, match="nothing"):
        least([])

def test_that_a_process_ends() -> None:
    told = "from core.toy.least import least; print(least([2, 1]))"
    assert subprocess.run([sys.executable, "-c", told], stdout=subprocess.PIPE).returncode == 0
'''  # fmt: skip


@pytest.mark.parametrize(
    ("line", "kind", "after"),
    [
        ("held = a < b", "comparison flipped", ["held = (a <= b)", "held = (a >= b)"]),
        ("held = é is b", "comparison flipped", ["held = (é is not b)"]),
        ("limit = 30", "constant changed", ["limit = 31"]),
        ("limit: Literal[1] = True", "constant changed", ["limit: Literal[1] = False"]),
        ("close(file)", "line dropped", ["pass"]),
        ("for x in y: continue", "line dropped", ["for x in y: pass"]),
        ("raise ValueError", "exception swallowed", ["pass"]),
        ("r = f(a, b, c)", "argument exchanged", ["r = f(b, a, c)"]),
        ("r = min(a, b), f(a, a), f(*a, b), f(a)", "", []),
        ("text = f'{a:>8}'", "", []),
    ],
)
def test_that_a_place_becomes_what_a_slip_would_make_of_it(
    line: str, kind: str, after: list[str]
) -> None:
    found = mutants_of("core/toy/one.py", line.encode())
    assert [one.applied(line.encode()).decode() for one in found] == after
    assert {one.kind for one in found} <= {kind}


def test_that_a_fault_lives_where_no_test_looks(tmp_path: Path) -> None:
    for name, text in {"core/toy/least.py": PRODUCT, "tests/test_toy.py": TESTS}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    done = subprocess.run(
        [sys.executable, FOLDER / "driver.py", "--tree", tmp_path, "--jobs", "1", "--count", "9"],
        capture_output=True, text=True, check=True,
        env=os.environ | {
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONPATH": os.pathsep.join([str(FOLDER), str(FOLDER.parent)]),
        },
    ).stdout  # fmt: skip
    ends = {line[9:].partition(" (")[0]: line[:9].strip() for line in done.splitlines()}
    place = "core/toy/least.py"
    assert ends[f'{place}:3: exception swallowed: raise ValueError("nothing") → pass'] == "died"
    assert ends[f"{place}:4: constant changed: 0 → 1"] == "survived"
    assert f"{place}:8: constant changed: 7 → 8" in done.partition("reached by no test")[2]
    assert done.splitlines()[-1].split() == ["all", "6", "2", "3", "1"]
