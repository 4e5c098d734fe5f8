"""The page cache is looked at, filled and emptied, and says so where it cannot be."""

from __future__ import annotations

import errno
import os
import random
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scarcity import as_ordinary_user

from core.measure import evict
from core.measure.machine.page_cache import (
    CountPages,
    Evicted,
    Warmed,
    counting_methods,
    not_on_disk,
    page_size,
    residency,
    warm,
)
from core.vocabulary import Problem, Residency, is_proven_cold

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs the calls of Linux")
METHODS = list(counting_methods())


def only(method: str) -> dict[str, CountPages]:
    return {method: counting_methods()[method]}


def answer(seen: Residency) -> str:
    """The pages it tells, or its one problem, in short."""
    refused = any("only owners" in problem.text for problem in seen.problems)
    return "only owners" if refused else f"{seen.resident_pages} pages"


def refuse(number: int) -> CountPages:
    def count(descriptor: int, size: int) -> int:
        raise OSError(number, os.strerror(number))

    return count


def lies_on(path: Path) -> str:
    command = ["stat", "--file-system", "--format=%T", str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    if lies_on(tmp_path) in ("tmpfs", "ramfs"):
        pytest.skip("the folder for tests is in memory, and nothing can be evicted from it")
    return tmp_path


@pytest.fixture
def memory_folder() -> Iterator[Path]:
    shared = Path("/dev/shm")
    if not shared.is_dir() or lies_on(shared) != "tmpfs":
        pytest.skip("no tmpfs to write to")
    with tempfile.TemporaryDirectory(dir=shared) as name:
        yield Path(name)


def write(path: Path, size: int) -> Path:
    path.write_bytes(random.Random(size).randbytes(size))
    return path


class TestResidency:
    @pytest.mark.parametrize("method", METHODS)
    def test_that_a_file_just_written_is_all_resident(self, folder: Path, method: str) -> None:
        seen = residency([write(folder / "file", 1_000_001)], methods=only(method))
        assert seen.method == method
        assert seen.files == 1
        assert seen.resident_bytes == seen.total_bytes == 1_000_001
        assert seen.resident_pages == seen.total_pages == -(-1_000_001 // page_size())
        assert seen.fraction == 1.0
        assert not is_proven_cold(seen)

    @pytest.mark.parametrize("method", METHODS)
    def test_that_part_of_a_file_is_seen_as_part(self, folder: Path, method: str) -> None:
        path = write(folder / "file", 1 << 20)
        evict([path])
        with path.open("rb", buffering=0) as file:
            # Without reading ahead; how many pages come with one is up to the file system.
            os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_RANDOM)
            file.read(1)
        assert 0 < residency([path], methods=only(method)).fraction < 1

    @settings(
        deadline=None,
        max_examples=25,
        suppress_health_check=[HealthCheck.function_scoped_fixture],
    )
    @given(sizes=st.lists(st.integers(0, 100_000), max_size=5))
    def test_that_both_methods_agree_on_files_of_any_size(
        self, folder: Path, sizes: list[int]
    ) -> None:
        paths = [write(folder / str(index), size) for index, size in enumerate(sizes)]
        evict(paths[::2])
        seen = [residency(paths, methods=only(method)) for method in METHODS]
        assert {one.total_bytes for one in seen} == {sum(sizes)}
        assert len({(one.files, one.resident_pages, one.total_pages) for one in seen}) == 1

    def test_that_an_empty_file_has_no_pages_and_no_problem(self, folder: Path) -> None:
        seen = residency([write(folder / "empty", 0)])
        assert (seen.files, seen.total_pages, seen.problems) == (1, 0, ())
        assert seen.fraction == 0.0

    def test_that_what_is_not_a_file_is_named_and_left_out(self, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(tmp_path / "socket"))
        (tmp_path / "dangling").symlink_to("nowhere")
        good = write(tmp_path / "good", 10)
        names = ("pipe", "socket", "dangling", "missing")
        paths: list[Path | str] = [tmp_path / name for name in names]
        paths += [tmp_path, Path("/dev/null"), "a\0b", good]
        seen = residency(paths)
        assert seen.files == 1
        assert [problem.text for problem in seen.problems] == [
            "is a pipe, not a file",
            "is a socket, not a file",
            "No such file or directory",
            "No such file or directory",
            "is a directory",
            "is a device, not a file",
            "embedded null byte",
        ]
        assert seen.problems[0].path == str(tmp_path / "pipe")

    def test_that_a_file_with_two_names_counts_once(self, folder: Path) -> None:
        path = write(folder / "file", 5000)
        (folder / "hard").hardlink_to(path)
        (folder / "soft").symlink_to(path)
        seen = residency([path, folder / "hard", folder / "soft", path])
        assert (seen.files, seen.total_bytes) == (1, 5000)

    def test_that_a_method_the_kernel_refuses_is_followed_by_the_next(self, folder: Path) -> None:
        path = write(folder / "file", 5000)
        methods = {"cachestat": refuse(errno.ENOSYS), **only("mincore")}
        assert residency([path], methods=methods).method == "mincore"

    def test_that_a_file_no_method_may_look_at_is_a_problem(self, folder: Path) -> None:
        path = write(folder / "file", 5000)
        seen = residency([path], methods={"mincore": refuse(errno.EPERM)})
        assert seen.method == "none"
        assert seen.files == 0
        assert [problem.text for problem in seen.problems] == [
            "the kernel tells only owners and those who may write the file"
        ]

    def test_that_a_platform_without_methods_says_so(self, folder: Path) -> None:
        seen = residency([write(folder / "file", 10)], methods={})
        assert [problem.text for problem in seen.problems] == [
            "this platform does not tell what is in its page cache"
        ]

    @pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become someone else")
    @pytest.mark.parametrize("method", METHODS)
    def test_that_another_users_file_is_not_taken_for_resident(self, method: str) -> None:
        with tempfile.TemporaryDirectory() as name:
            Path(name).chmod(0o755)
            path = write(Path(name) / "file", 5000)
            path.chmod(0o644)
            evict([path])
            told = as_ordinary_user(lambda: answer(residency([path], methods=only(method))))
        # Kernels before 6.14 let everybody ask cachestat, and it told the truth: nothing.
        allowed = ["only owners"] + ["0 pages"] * (method == "cachestat")
        assert told in allowed

    def test_that_thousands_of_files_leave_no_descriptor_open(self, folder: Path) -> None:
        paths = [write(folder / str(index), 10) for index in range(3000)]
        before = len(os.listdir("/proc/self/fd"))
        assert residency(paths).files == 3000
        assert evict(paths[:300]).after.files == 300
        assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("look", [residency, evict, warm])
def test_that_of_many_problems_the_first_are_told_and_the_others_counted(
    tmp_path: Path, look: Callable[[list[Path]], Residency | Evicted | Warmed]
) -> None:
    """As of a dataset of another user, whose every file is one: they made sessions unreadable."""
    paths = [tmp_path / str(number) for number in range(1000)]
    problems = look(paths).problems
    assert [problem.path for problem in problems[:20]] == [str(path) for path in paths[:20]]
    assert problems[20:] == (Problem("…", "and 980 more"),)
    assert len(look(paths[:21]).problems) == 21


class TestEvict:
    def test_that_dirty_files_end_up_proven_cold(self, folder: Path) -> None:
        paths = [write(folder / str(index), 3_000_000) for index in range(4)]
        done = evict(paths)
        assert done.before.fraction == 1.0
        assert done.after.resident_pages == 0
        assert is_proven_cold(done.after)
        assert done.problems == ()
        assert done.unsupported is None

    def test_that_files_in_memory_only_are_refused(self, memory_folder: Path) -> None:
        path = write(memory_folder / "file", 10_000)
        done = evict([path])
        assert done.problems == (Problem(str(path), "cannot be evicted on tmpfs"),)
        assert done.after.fraction == 1.0

    def test_that_missing_files_are_named(self, tmp_path: Path) -> None:
        done = evict([tmp_path / "missing"])
        assert [problem.text for problem in done.problems] == ["No such file or directory"]
        assert not is_proven_cold(done.after)

    def test_that_a_platform_without_the_call_says_so(self, folder: Path) -> None:
        done = evict([write(folder / "file", 10)], advise=None)
        assert done.unsupported is not None
        assert "posix_fadvise" in done.unsupported
        assert done.after == done.before

    def test_that_a_refusal_of_the_file_system_is_named(self, folder: Path) -> None:
        def advise(descriptor: int, offset: int, length: int, advice: int) -> None:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))

        path = write(folder / "file", 10)
        done = evict([path], advise=advise)
        assert done.problems == (Problem(str(path), "Invalid argument"),)

    def test_that_a_mapped_page_stays_and_is_reported(self, folder: Path) -> None:
        import mmap

        path = write(folder / "file", 1 << 20)
        with (
            path.open("rb") as file,
            mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view,
        ):
            assert sum(view[:: page_size()]) > 0
            assert not is_proven_cold(evict([path]).after)
        assert is_proven_cold(evict([path]).after)


class TestWarm:
    def test_that_cold_files_are_read_into_memory_with_progress(self, folder: Path) -> None:
        paths = [write(folder / str(index), 2_500_000) for index in range(2)]
        assert is_proven_cold(evict(paths).after)
        steps: list[tuple[int, int]] = []
        done = warm(paths, lambda read, total: steps.append((read, total)))
        assert done.read_bytes == 5_000_000
        assert done.after.fraction == 1.0
        assert steps[-1] == (5_000_000, 5_000_000)
        assert len(steps) >= 6
        assert steps == sorted(steps)

    def test_that_missing_files_are_named_and_the_rest_is_read(self, folder: Path) -> None:
        done = warm([folder / "missing", write(folder / "file", 10)])
        assert done.read_bytes == 10
        assert [problem.text for problem in done.problems] == ["No such file or directory"]

    def test_that_what_progress_raises_ends_the_warming(self, folder: Path) -> None:
        def stop(read: int, total: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            warm([write(folder / "file", 10)], stop)


@pytest.mark.parametrize(
    ("files", "resident", "total", "problems", "cold"),
    [
        (1, 0, 1000, (), True),
        (1, 1, 1000, (), True),
        (1, 2, 1000, (), False),
        (1, 0, 0, (), True),
        (0, 0, 0, (), False),
        (1, 0, 1000, (Problem("x", "is a directory"),), False),
    ],
)
def test_that_cold_is_proven_only_with_every_file_seen_and_a_thousandth_resident(
    files: int, resident: int, total: int, problems: tuple[Problem, ...], cold: bool
) -> None:
    seen = Residency(
        files=files,
        resident_pages=resident,
        total_pages=total,
        resident_bytes=resident * 4096,
        total_bytes=total * 4096,
        method="cachestat",
        problems=problems,
    )
    assert is_proven_cold(seen) is cold


def test_that_holes_and_what_was_never_written_are_on_no_disk(tmp_path: Path) -> None:
    written, hole = tmp_path / "written", tmp_path / "hole"
    written.write_bytes(b"x" * (1 << 20))
    with hole.open("wb") as file:
        file.truncate(1 << 20)
    if not written.stat().st_blocks or hole.stat().st_blocks:
        pytest.skip("the file system stores holes")
    assert not_on_disk([written]) == ""
    assert not_on_disk([hole]).startswith("100 % of the data is on no disk")
    assert not_on_disk([written, hole]).startswith("50 % ")
    assert not_on_disk([tmp_path / "missing"]) == ""
    with hole.open("r+b") as file:
        file.seek(1 << 19)
        file.write(b"x" * (1 << 19))
    assert not_on_disk([hole]).startswith("50 % ")
