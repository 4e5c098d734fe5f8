"""Takes from a test's process what a machine can be short of."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from patience import PATIENCE

from core.measure import descriptors


@contextmanager
def none_left(spare: int = 0) -> Iterator[None]:
    """No descriptor but `spare` is left to this process until the end of the block."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    seen = descriptors()
    assert seen is not None
    resource.setrlimit(resource.RLIMIT_NOFILE, (seen.used + 40, before[1]))
    taken: list[int] = []
    try:
        with suppress(OSError):
            while True:
                taken.append(os.dup(0))
        for _ in range(spare):
            os.close(taken.pop())
        yield
    finally:
        for descriptor in taken:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


may_mount = pytest.mark.skipif(
    sys.platform != "linux"
    or os.geteuid() != 0
    or subprocess.run(["unshare", "-m", "true"], capture_output=True, check=False).returncode != 0,
    reason="only root of a Linux machine that lets him may mount",
)

_GROUPS = Path("/sys/fs/cgroup")


@contextmanager
def little_memory(limit: int) -> Iterator[Path]:
    """A control group with that much memory; what a process id is written into to join it.

    Skips the test where the machine lets nobody make one.
    """
    old = (_GROUPS / "memory").is_dir()
    group = (_GROUPS / "memory" if old else _GROUPS) / f"sluice-test-{os.getpid()}"
    try:
        if not old:
            (_GROUPS / "cgroup.subtree_control").write_text("+memory")
        group.mkdir()
    except OSError as error:
        pytest.skip(f"no control group can be made here: {error}")
    try:
        try:
            (group / ("memory.limit_in_bytes" if old else "memory.max")).write_text(str(limit))
        except OSError as error:
            pytest.skip(f"no control group can have a limit here: {error}")
        with suppress(OSError):  # no swap to go into, or the kernel does not count it
            (group / "memory.swap.max").write_text("0")
        yield group / "cgroup.procs"
    finally:
        until = time.monotonic() + PATIENCE
        while (group / "cgroup.procs").read_text() and time.monotonic() < until:
            time.sleep(0.01)
        group.rmdir()


NOBODY = 65534


def as_ordinary_user(work: Callable[[], str]) -> str:
    """What the work returns in a child that is not root, or how it failed."""

    def ordinary() -> str:
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        return work()

    return in_child(ordinary)


def in_child(work: Callable[[], str]) -> str:
    """What the work returns in a child, whose limits are its own, or how it failed."""
    out, into = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(into, work().encode())
        except BaseException as error:  # noqa: BLE001 -- the other process is to see it
            os.write(into, f"{type(error).__name__}: {error}".encode())
        finally:
            os._exit(0)
    os.close(into)
    with open(out, "rb") as told:  # noqa: PTH123 -- a descriptor, not a path
        answer = told.read().decode()
    os.waitpid(child, 0)
    return answer


@contextmanager
def becoming_root() -> Iterator[tuple[str, str]]:
    """A line for the shell of any user that sleeps as root, and one that waits until it does.

    Skips the test where only others could make one.
    """
    compiler = shutil.which("cc")
    if sys.platform != "linux" or os.geteuid() != 0 or compiler is None:
        pytest.skip("only root of a Linux machine with a C compiler makes a program of root's")
    with tempfile.TemporaryDirectory() as folder:
        if os.statvfs(folder).f_flag & os.ST_NOSUID:
            pytest.skip(f"no program in {folder} becomes another user")
        Path(folder).chmod(0o755)
        program = Path(folder, "becoming-root")
        source = Path(__file__).with_name("setuid.c")
        subprocess.run([compiler, "-o", program, source], check=True)
        program.chmod(0o4755)
        ready = Path(folder, "ready")
        sleeps = f'{program} /bin/sh -c "echo >{ready}; exec sleep 3600"'
        yield sleeps, f"until [ -e {ready} ]; do sleep 0.02; done"
