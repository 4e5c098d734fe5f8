"""Makes a condition in a process of its own, runs Sluice under it, and holds it to its word.

Whatever the condition: no traceback, the exit code, a sentence that fits, nothing of others
changed, no process left, and no folder left that `leftovers` does not name.
"""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from conditions import Condition
from patience import PATIENCE
from without_calls import ARCHITECTURES

ROOT = Path(__file__).parents[2]
_WITHOUT_CALLS = ROOT / "tests" / "without_calls.py"
_MARK = "SLUICE_CONDITION"
_READER = "--inh-caps=-all,+dac_read_search --ambient-caps=-all,+dac_read_search"
"""An ordinary user may still read an interpreter that lies in root's home."""
_USERS = {"nobody": 65534, "unknown": 54321}
_GROUPS = Path("/sys/fs/cgroup")


@dataclass(frozen=True)
class Outcome:
    """What came of a condition."""

    code: int
    said: str
    """The line that fits, or else the first one."""
    faults: tuple[str, ...]
    """What did not hold; empty = all did."""
    printed: str


@cache
def _root_of_namespaces() -> tuple[str, ...]:
    """What gives a command mounts of its own; none where nothing does."""
    mounts = "mount -t tmpfs tmpfs /mnt"
    for way in (
        ("unshare", "-m", "--propagation", "private"),
        ("unshare", "-rm", "--propagation", "private"),
    ):
        with suppress(OSError):
            done = subprocess.run([*way, "sh", "-c", mounts], capture_output=True, check=False)
            if done.returncode == 0:
                return way
    return ()


def _mounts(condition: Condition) -> bool:
    return "mount" in f"{condition.before}{condition.run}"


def _way(condition: Condition) -> tuple[str, ...]:
    """What the shell of the condition is started with."""
    return _root_of_namespaces() if _mounts(condition) or condition.wrapper else ()


def lacking(condition: Condition) -> str:
    """Why this machine cannot have the condition; empty where it can."""
    return next(_lacking(condition), "")


def _lacking(condition: Condition) -> Iterator[str]:
    if sys.platform != "linux":
        yield "it needs Linux"
    if condition.without and platform.machine() not in ARCHITECTURES:
        yield f"calls have other numbers on {platform.machine()}"
    if _mounts(condition) and not _root_of_namespaces():
        yield "it needs mounts of its own (root, or user namespaces)"
    if os.geteuid() and (condition.user != "root" or condition.group):
        yield "it needs root"
    programs = ("setpriv",) * (condition.user != "root") + condition.needs
    yield from (f"it needs {one}" for one in programs if shutil.which(one) is None)
    yield from (
        f"it needs control groups with {one}" for one in condition.group if not any(_parents(one))
    )
    if condition.program == "app" and find_spec("PySide6") is None:
        yield "it needs PySide6"
    if condition.wrapper.startswith("unshare"):
        way = [*_way(condition), *condition.wrapper.split(), "true"]
        done = subprocess.run(way, capture_output=True, text=True, check=False)
        if done.returncode:
            yield done.stderr.strip()


def _parents(name: str) -> Iterator[Path]:
    """Where a control group with such a file can be made."""
    controller = name.partition(".")[0]
    both = {
        "pids.max": "tasks",
        "cpu.max": "cpu.cfs_quota_us",
        "memory.max": "memory.limit_in_bytes",
    }
    if (_GROUPS / controller / both[name]).exists() and os.access(_GROUPS / controller, os.W_OK):
        yield _GROUPS / controller
    subtree = _GROUPS / "cgroup.subtree_control"
    if os.access(subtree, os.W_OK) and controller in subtree.read_text().split():
        yield _GROUPS


@contextmanager
def _grouped(files: Mapping[str, str]) -> Iterator[Path | None]:
    """The list of processes of a new control group; None where none is wanted."""
    if not files:
        yield None
        return
    ((name, value),) = files.items()
    group = next(_parents(name)) / f"sluice-test-{uuid.uuid4().hex}"
    group.mkdir()
    try:
        if (group / name).exists():
            (group / name).write_text(value)
        elif name == "cpu.max":
            quota, period = value.split()
            (group / "cpu.cfs_period_us").write_text(period)
            (group / "cpu.cfs_quota_us").write_text(quota)
        else:
            (group / "memory.limit_in_bytes").write_text(value)
        yield group / "cgroup.procs"
    finally:
        group.rmdir()  # all that was in it has ended


def hold(condition: Condition, folder: Path) -> Outcome:
    """Run it in a folder of its own."""
    mark = uuid.uuid4().hex
    _fill(folder, condition)
    before = _digests(folder / "others")
    with _grouped(condition.group) as group, _ended(mark):
        command = [*_way(condition), "bash", "-c", _script(condition, group)]
        unmade, running = _run(command, folder, mark)
    printed = "".join(_text(folder / name) for name in ("err", "out"))
    code = int(_text(folder / "code") or -1)
    faults = [
        *(_held_of_text(condition, code, printed)),
        *([unmade] if unmade else []),
        *(f"afterwards: {line}" for line in _text(folder / "after").splitlines()),
        *(f"{one} still runs" for one in running),
        *(["something of others was changed"] if _digests(folder / "others") != before else []),
        *_held_of_folders(folder, condition),
    ]
    return Outcome(code, _fitting_line(condition, printed), tuple(faults[:_MOST]), printed)


_MOST = 5


def _run(command: Sequence[str], folder: Path, mark: str) -> tuple[str, list[str]]:
    """Why the condition was not made or did not end, and what still runs afterwards."""
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=_environment(folder, mark),
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "it does not end", []
    unmade = f"the condition could not be made: {done.stderr}" if done.returncode else ""
    return unmade, [_text(process / "comm").strip() for process in _marked(mark)]


def _fill(folder: Path, condition: Condition) -> None:
    folder.chmod(0o755)
    for name in ("cache", "sessions", "state", "tmp", "home", "data", "others", "mnt"):
        (folder / name).mkdir()
        if condition.user != "root" and name not in ("data", "others"):
            os.chown(folder / name, _USERS[condition.user], _USERS[condition.user])
    (folder / "data" / "some.bin").write_bytes(bytes(range(250)) * 400)
    (folder / "data" / "some.fa").write_text(">one\n" + "ACGT" * 15 + "\n" + "ACGT" * 15 + "\n")
    (folder / "others" / "precious").write_text("of somebody else\n")
    (folder / "others" / "folder").mkdir()
    (folder / "others" / "folder" / "more").write_text("more\n")


def _environment(folder: Path, mark: str) -> dict[str, str]:
    return {
        "W": str(folder),
        "HOME": str(folder / "home"),
        "SLUICE_CACHE": str(folder / "cache"),
        "SLUICE_SESSIONS": str(folder / "sessions"),
        "SLUICE_STATE": str(folder / "state"),
        "TMPDIR": str(folder / "tmp"),
        "PYTHONPATH": str(ROOT),
        "SLUICE": f"{sys.executable} -m core",
        "LANG": "C.UTF-8",
        "PATH": os.environ["PATH"],
        "QT_QPA_PLATFORM": "offscreen",
        _MARK: mark,
    }


def _script(condition: Condition, group: Path | None) -> str:
    command = f"{sys.executable} -m {condition.program} {condition.run}"
    if condition.without:
        answer, *calls = condition.without
        command = f"{sys.executable} {_WITHOUT_CALLS} {answer} {' '.join(calls)} -- {command}"
    if condition.user != "root":
        number = _USERS[condition.user]
        command = (
            f"$SETPRIV --reuid={number} --regid={number} --clear-groups {_READER} "
            f"bash -c {_quoted(f'{condition.limits}\nexec {command}')}"
        )
    elif condition.wrapper.startswith("script"):
        command = f"{condition.wrapper} {_quoted(f'stty cols 20; {command}')} /dev/null"
    else:
        command = f"{condition.wrapper} {command}"
    lines = [
        "set -eu",
        "SETPRIV=$(type -P setpriv || true)",
        condition.before,
        "set +e",
        "(",
        f"echo $BASHPID >{group} || exit 99" if group else "",
        condition.limits if condition.user == "root" else "",
        f"exec {command} {condition.streams}",
        ") >$W/out 2>$W/err",
        "echo $? >$W/code",
        "export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        ": >$W/after",
        *(
            f"{line} >/dev/null 2>&1 || echo {shlex.quote(line)} >>$W/after"
            for line in condition.after.splitlines()
        ),
        "exit 0",
    ]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """Quoted for a shell that still replaces variables."""
    return '"' + re.sub(r'(["`\\])', r"\\\1", text) + '"'


def _text(path: Path) -> str:
    try:
        return path.read_text("utf-8", "replace")
    except OSError:
        return ""


def _held_of_text(condition: Condition, code: int, printed: str) -> Iterator[str]:
    if "Traceback (most recent call last)" in printed:
        yield "there is a traceback"
    if code != condition.code:
        yield f"it ended with {code}, and {condition.code} is right"
    if not re.search(condition.says, printed):
        yield f"nothing says {condition.says}"


def _fitting_line(condition: Condition, printed: str) -> str:
    lines = [line for line in printed.splitlines() if line.strip()]
    fitting = [line for line in lines if re.search(condition.says, line)]
    return " ".join(next(iter([*fitting, *lines]), "").split())


def _digests(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(
            path.read_bytes() if path.is_file() else b""
        ).hexdigest()
        for path in sorted(folder.rglob("*"))
    }


_GUARDS = 20.0
"""Seconds in which the guard of a process that was killed has removed what it left."""


def _held_of_folders(folder: Path, condition: Condition) -> Iterator[str]:
    """What is left that `leftovers` does not name, once the condition is over."""
    notes = (folder / "state").glob("run-folders/*")
    left = [*folder.glob("cache/indexes/*/runs-*"), *(one for one in notes if one.exists())]
    if left:
        done = subprocess.run(
            [sys.executable, "-m", "core", "leftovers"],
            env=_environment(folder, ""),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        yield from (f"{one} is left" for one in left if one.name not in done.stdout)
    end = time.monotonic() + _GUARDS
    while any((folder / "tmp").glob("runs-*")) and time.monotonic() < end:
        time.sleep(0.1)
    yield from (f"{one} is left" for one in sorted((folder / "tmp").iterdir()))
    yield from (f"{one} is left" for one in sorted((folder / "data").glob("*.sluice*")))


@contextmanager
def _ended(mark: str) -> Iterator[None]:
    """Have nothing of a row run any more, whatever came of it."""
    try:
        yield
    finally:
        for process in _marked(mark):
            with suppress(ProcessLookupError):
                os.kill(int(process.name), signal.SIGKILL)


def _marked(mark: str) -> list[Path]:
    """The processes that carry the mark of a row."""
    found = []
    for process in Path("/proc").iterdir():
        with suppress(OSError):
            if f"{_MARK}={mark}".encode() in (process / "environ").read_bytes().split(b"\0"):
                found.append(process)
    return found
