"""A record of everything that trials may leave outside this machine, made before they begin.

An engine that is killed removes nothing from a server.  So each trial that may leave something has
a file in the folder of leftovers from before its first process until everything is removed.  The
engine holds a lock on it, which the kernel releases at its death.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import msgspec

from core.language import SluiceError
from core.measure.machine.folders import make_private, state_folder, unusable
from core.measure.machine.lab_records import is_served, lab_site
from core.measure.machine.shared_files import lock_at_once, new_name, remove_abandoned, sync
from core.vocabulary import Location, RunSpec, Value, declared


class Leftover(msgspec.Struct, frozen=True, kw_only=True):
    """The possible remains of one trial outside; it holds references to secrets, but no secrets."""

    mark: str
    """Part of the name of everything that the trial has left."""
    workload: str
    parameters: dict[str, Value]
    address: str
    """Where the remains are: the locations among the parameters."""
    started: float
    """Seconds since 1970, UTC."""
    lab_site: str = ""
    """The data folder of the lab's server that holds it; empty for any other server."""

    @property
    def gone(self) -> bool:
        """Whether it is gone with the lab's server that held it."""
        return bool(self.lab_site) and not is_served(self.lab_site)


class LeftoverEntry:
    """The record of a running trial; `close` leaves it on disk, `remove` deletes it."""

    def __init__(self, leftover: Leftover) -> None:
        """Written, locked, and safe from a power failure; raises OSError, NotWritten."""
        folder = _folder()
        self._path = folder / f"{leftover.mark}.json"
        new = new_name(folder)
        try:
            make_private(folder)
            remove_abandoned(folder)
            self._file: IO[bytes] = new.open("xb")
        except OSError as error:
            raise unusable(error) from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX)
            self._file.write(msgspec.json.encode(leftover))
            self._file.flush()
            os.fsync(self._file.fileno())
            new.replace(self._path)
            sync(folder)
        except BaseException:
            new.unlink(missing_ok=True)
            self._file.close()
            raise

    def remove(self) -> None:
        """Everything is removed from outside."""
        with suppress(OSError):  # the next start tries again
            self._path.unlink(missing_ok=True)

    def close(self) -> None:
        self._file.close()


def leftover_of(spec: RunSpec, mark: str, started: float) -> Leftover | None:
    """The possible remains of a trial; None if it leaves nothing, or cannot even be loaded."""
    try:
        workload = spec.setting.workload
        if not workload.leaves(spec.setting.parameters):
            return None
    except SluiceError:  # the trial itself says so
        return None
    names = [kind.name for kind in declared(workload.parameters) if isinstance(kind, Location)]
    return Leftover(
        mark=mark,
        workload=spec.workload,
        parameters=spec.parameters,
        address=" ".join(str(spec.parameters[one]) for one in names if spec.parameters.get(one)),
        started=started,
        lab_site=lab_site(spec.parameters.values()),
    )


def leftovers() -> tuple[Leftover, ...]:
    """The possible remains of trials whose engine is dead, the oldest first."""
    with _abandoned() as entries:
        return tuple(sorted((one for one, _ in entries), key=lambda one: one.started))


@dataclass
class Removal:
    """Whether this process may remove a leftover, and whether it has."""

    mine: bool
    done: bool = False


@contextmanager
def claimed(mark: str) -> Iterator[Removal]:
    """Hold a leftover, so that nobody else removes it; once removed, it is off the list."""
    with _abandoned() as entries:
        paths = [path for one, path in entries if one.mark == mark]
        removal = Removal(mine=bool(paths))
        yield removal
        for path in paths if removal.done else ():
            path.unlink(missing_ok=True)


@contextmanager
def _abandoned() -> Iterator[list[tuple[Leftover, Path]]]:
    """The entries that no process holds, with their files; all are held meanwhile.

    Entries of what is gone with a server of the lab are removed.
    """
    entries: list[tuple[Leftover, Path]] = []
    files: list[IO[bytes]] = []
    try:
        for path in sorted(_folder().glob("*.json")):
            with suppress(OSError, msgspec.MsgspecError):
                if (file := lock_at_once(path, "rb")) is not None:
                    files.append(file)
                    leftover = msgspec.json.decode(file.read(), type=Leftover)
                    if leftover.gone:
                        path.unlink(missing_ok=True)
                    else:
                        entries.append((leftover, path))
        yield entries
    finally:
        for file in files:
            file.close()


def _folder() -> Path:
    return state_folder() / "leftovers"
