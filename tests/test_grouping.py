"""How several processes share the suite: file by file, the longest first."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import grouping
import pytest

pytestmark = pytest.mark.quick


class Process:
    """One that shares the suite, as the scheduler sees it."""

    gateway = SimpleNamespace(id="gw")
    shutting_down = False

    def __init__(self) -> None:
        self.given: list[int] = []

    def send_runtest_some(self, indices: list[int]) -> None:
        self.given += indices

    def shutdown(self) -> None:
        self.shutting_down = True


def scheduled(processes: int) -> grouping.Grouped:
    option = SimpleNamespace(loadscopereorder=True)
    return grouping.Grouped(
        SimpleNamespace(getvalue=lambda _: ["popen"] * processes, option=option)
    )


def test_that_a_process_that_ends_leaves_one_that_is_not_ready_yet_alone() -> None:
    scheduler = scheduled(2)
    tests = [f"tests/test_{number}.py::test_it" for number in range(20)]
    first, second, late = Process(), Process(), Process()
    for node in (first, second):
        scheduler.add_node(node)
        scheduler.add_node_collection(node, tests)
    scheduler.schedule()
    scheduler.add_node(late)
    scheduler.remove_node(first)
    assert not late.given
    scheduler.add_node_collection(late, tests)
    scheduler.schedule()
    assert late.given


def test_that_the_groups_that_took_longest_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(grouping, "DURATIONS", tmp_path / "durations.json")
    grouping.keep({"tests/test_2.py": 90.04, "tests/test_3.py": 300.0, "tests/test_1.py": 0.2})
    scheduler = scheduled(1)
    tests = [f"tests/test_{number}.py::test_{n}" for number in range(4) for n in range(4 - number)]
    scheduler.add_node(node := Process())
    scheduler.add_node_collection(node, tests)
    scheduler.schedule()
    for index in range(len(tests)):
        scheduler.mark_test_complete(node, node.given[index], 0.5)
    assert [tests[index][:15] for index in node.given] == [
        f"tests/test_{number}.py"[:15] for number in (3, 2, 2, 0, 0, 0, 0, 1, 1, 1)
    ]
    assert scheduler.took["tests/test_1.py"] == 1.5


def test_that_all_groups_whose_durations_are_kept_exist() -> None:
    root = Path(__file__).parents[1]
    groups = set(grouping.durations()) - {group for _, group in grouping.GROUPS}
    assert [name for name in groups if not (root / name).is_file()] == []
