"""What room there is is said of the tightest limit: of the disk, the machine or a control group."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.measure import disk_room, group_memory, group_processes

pytestmark = pytest.mark.quick


def written(root: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    return root


def test_that_the_tightest_group_of_version_2_counts_and_its_page_cache_is_available(
    tmp_path: Path,
) -> None:
    root = written(
        tmp_path,
        {
            "proc/self/cgroup": "0::/job/step\n",
            "sys/fs/cgroup/job/memory.max": "1000\n",
            "sys/fs/cgroup/job/memory.current": "900\n",
            "sys/fs/cgroup/job/memory.stat": "anon 500\nfile 400\n",
            "sys/fs/cgroup/job/step/memory.max": "max\n",
            "sys/fs/cgroup/job/step/memory.current": "800\n",
            "sys/fs/cgroup/job/step/memory.stat": "anon 400\nfile 400\n",
            "sys/fs/cgroup/job/pids.max": "30\n",
            "sys/fs/cgroup/job/pids.current": "12\n",
        },
    )
    assert group_memory(root) == (500, 1000)
    assert group_processes(root) == (12, 30)


def test_that_a_group_of_version_1_counts_and_its_number_for_no_limit_is_none(
    tmp_path: Path,
) -> None:
    root = written(
        tmp_path,
        {
            "proc/self/cgroup": "5:memory:/job\n4:pids:/job\n",
            "sys/fs/cgroup/memory/job/memory.limit_in_bytes": "2000\n",
            "sys/fs/cgroup/memory/job/memory.usage_in_bytes": "700\n",
            "sys/fs/cgroup/memory/job/memory.stat": "cache 1\ntotal_cache 200\n",
            "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n",
            "sys/fs/cgroup/memory/memory.usage_in_bytes": "1\n",
            "sys/fs/cgroup/memory/memory.stat": "total_cache 1\n",
            "sys/fs/cgroup/pids/job/pids.max": "max\n",
            "sys/fs/cgroup/pids/job/pids.current": "12\n",
        },
    )
    assert group_memory(root) == (1500, 2000)
    assert group_processes(root) is None


def test_that_a_machine_without_groups_has_no_limit_by_them(tmp_path: Path) -> None:
    assert group_memory(tmp_path) is None
    assert group_processes(tmp_path) is None


def test_that_a_disk_has_no_more_free_than_it_has(tmp_path: Path) -> None:
    room = disk_room(tmp_path)
    assert 0 <= room.free <= room.whole
    assert room.files is None or room.files >= 0
