"""The cache is emptied of what is made again, and of nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.errors import Unavailable
from core.host.disk_use import CacheUse
from core.host.shared_files import locked

pytestmark = pytest.mark.quick
OURS = (
    "datasets/seqrepo-553194c4b2e324cf/sequences/one",
    "datasets/slow5-files-0011223344556677-as-pod5/one.pod5",
    "indexes/04568b5c3fad2c5b0e33a741fa00bc84/one.fai",
    "reports/night.html",
)
OTHERS = (
    "datasets/my genome/one.fa",
    "datasets/human-reference/one.fa",
    "indexes/notes.txt",
    "lab/s3-1eb62fafe763/server",
    "tiles/0123456789abcdef/1",
    "mine.txt",
)


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    """With ten bytes in each of several files, a link to a user's file in an index."""
    folder = tmp_path / "cache"
    for name in (*OURS, *OTHERS):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(bytes(10))
    users = tmp_path / "users.fa"
    users.write_bytes(bytes(1000))
    (folder / OURS[2]).with_name("link.fa").symlink_to(users)
    return folder


def test_that_only_what_is_made_again_is_removed(cache: Path, tmp_path: Path) -> None:
    size = CacheUse(cache).size()
    assert 40 <= size < 1000
    assert CacheUse(cache).empty() == size
    assert [name for name in OURS if (cache / name).exists()] == []
    assert [name for name in OTHERS if not (cache / name).exists()] == []
    assert (tmp_path / "users.fa").stat().st_size == 1000
    assert CacheUse(cache).size() == CacheUse(cache).empty() == 0


def test_that_nothing_is_removed_while_a_run_is_measured(cache: Path) -> None:
    mark = cache / "locks" / "run-0011.lock"
    with locked(mark), pytest.raises(Unavailable, match="being measured"):
        CacheUse(cache).empty()
    assert all((cache / name).exists() for name in OURS)
    assert CacheUse(cache).empty() > 0


def test_that_a_cache_that_is_not_there_is_empty(tmp_path: Path) -> None:
    assert CacheUse(tmp_path / "none").size() == CacheUse(tmp_path / "none").empty() == 0
