"""Whether the files that a trial reads are still what they were when its run began.

Size, modification time and inode are compared after each trial, which changes nothing and reads no
data.  An inode alone proves nothing: some file systems number a file anew while it is not in use.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from core.language import Seconds, SluiceError, tr
from core.measure.plain_reads import files_of, reads_own_files, reopened
from core.vocabulary import FileList, RunSpec

_INDEXES = (".fai", ".gzi", ".bai", ".csi", ".crai", ".tbi", ".idx")
"""Files beside the data that readers rebuild at any time."""
_SHARE = 0.01
"""Share of a trial's time that the look after it may take; the look is not measured."""
_LEAST: Seconds = 0.02
_BETWEEN_CLOCKS = 512  # files


class FileState(NamedTuple):
    inode: int
    size: int
    modified: int
    """Nanoseconds since 1970."""


@dataclass
class _Run:
    """The state of a run's files at the first look."""

    states: dict[str, FileState] = field(default_factory=dict)
    watched: dict[tuple[int, tuple[str, ...]], tuple[object, list[str]]] = field(
        default_factory=dict
    )
    """Watched files by the identity of their list, which is kept so that it stays unique."""
    next: int = 0
    """Where the next look begins, if one look cannot get through all files."""


_RUNS: dict[str, _Run] = {}
"""The latest run of this process, by its mark."""


class DataWatch:
    """The files of one trial."""

    def __init__(self, spec: RunSpec, run_id: str) -> None:
        if run_id not in _RUNS:
            _RUNS.clear()
        self._run = _RUNS.setdefault(run_id, _Run())
        self._spec = spec
        self._files: list[str] = []
        self._began = time.monotonic()
        self.partial = False
        """Whether the last look did not get through all files."""

    def begin(self, *, placed: bool) -> None:
        """Remember the state of the files, unless an earlier trial of the run has done so.

        `placed`: all data is in place; before, only the dataset itself is.  Raises OSError and
        SluiceError if the files cannot be listed.
        """
        if self._files or (not placed and reads_own_files(self._spec)):
            return
        setting = self._spec.setting
        if setting.workload.restores_data(setting.parameters):
            return
        files = files_of(self._spec)
        read_beside = setting.workload.other_files(setting.parameters, self._spec.dataset)
        others = tuple(map(os.fspath, read_beside))
        key = id(files), others
        if key not in self._run.watched:
            names = chain(FileList.names_in(files), others)
            self._run.watched[key] = files, [name for name in names if self._remember(name)]
        self._files = self._run.watched[key][1]

    def _remember(self, name: str) -> bool:
        if name.endswith(_INDEXES):
            return False
        if name not in self._run.states and (state := _state_of(name)) is not None:
            self._run.states[name] = state
        return name in self._run.states

    def change(self) -> str:
        """The file that has changed, how, and the remedy; empty if none has."""
        changed = self._changed()
        if not changed:
            return ""
        workload = self._spec.setting.workload
        name, now = changed[0]
        text = self._described(name, now)
        if len(changed) > 1:
            text = tr(
                "{text}; 1 more file changed",
                "{text}; {count:,} more files changed",
                count=len(changed) - 1,
                text=text,
            )
        return str(SluiceError(text, workload.remedy_for_changes))

    def _changed(self) -> list[tuple[str, FileState | None]]:
        begun, run = time.monotonic(), self._run
        until = begun + max(_SHARE * (begun - self._began), _LEAST)
        files, first = self._files, run.next if run.next < len(self._files) else 0
        changed: list[tuple[str, FileState | None]] = []
        renumbered: list[tuple[str, FileState | None]] = []
        for count, index in enumerate(chain(range(first, len(files)), range(first)), 1):
            name = files[index]
            before, now = run.states[name], _state_of(name)
            if before != now:
                alike = now is not None and before[1:] == now[1:]
                (renumbered if alike else changed).append((name, now))
            if count % _BETWEEN_CLOCKS == 0 and time.monotonic() > until and count < len(files):
                self.partial, run.next = True, index + 1
                break
        return changed + (renumbered if renumbered and self._has_other_content() else [])

    def _has_other_content(self) -> bool:
        try:
            reopened(self._spec.dataset)
        except (SluiceError, OSError):
            return True
        return False

    def _described(self, name: str, now: FileState | None) -> str:
        path, before = self._spec.dataset.path, self._run.states[name]
        inside = name.startswith(f"{path}{os.sep}")
        label = os.path.relpath(name, path if inside else path.parent)
        if now is None:
            return tr("{name} was deleted while it was measured", name=label)
        sizes = {"before": before.size, "after": now.size}
        if before.inode != now.inode:
            return tr(
                "{name} was replaced while it was measured: {before:,} B before, {after:,} B after",
                name=label,
                **sizes,
            )
        if now.size > before.size:
            return tr(
                "{name} was appended to while it was measured: "
                "{before:,} B before, {after:,} B after",
                name=label,
                **sizes,
            )
        if now.size < before.size:
            return tr(
                "{name} was cut short while it was measured: "
                "{before:,} B before, {after:,} B after",
                name=label,
                **sizes,
            )
        return tr(
            "{name} was written to while it was measured; its size is still {size:,} B",
            name=label,
            size=now.size,
        )


def _state_of(name: str) -> FileState | None:
    """None if the file is gone or cannot be looked at.  With many files a `Path` would take twice
    the time.
    """
    try:
        status = os.stat(name)
    except OSError:
        return None
    return FileState(status.st_ino, status.st_size, status.st_mtime_ns)
