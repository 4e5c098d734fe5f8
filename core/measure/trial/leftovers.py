"""What trials leave outside this machine, written down before they begin.

An engine that is killed removes nothing from a server.  So each trial that may leave something has
a file in the folder of leftovers from before its first process until everything is removed.  The
engine holds a lock on it, which the kernel releases at its death.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
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
    """What one trial may have left outside; it holds references to secrets and no secrets."""

    mark: str
    """In the name of everything that it has left."""
    workload: str
    parameters: dict[str, Value]
    address: str
    """Where it is: what the parameters give as locations."""
    started: float
    """Seconds since 1970, UTC."""
    lab_site: str = ""
    """Where the lab's server has its data on which it is; empty where it is another server."""

    @property
    def gone(self) -> bool:
        """Whether it went with the lab's server on which it was."""
        return bool(self.lab_site) and not is_served(self.lab_site)


class LeftoverEntry:
    """The line of a running trial; `close` leaves it to be found, `remove` takes it away."""

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
        with suppress(OSError):  # told again at the next start, where there is nothing to remove
            self._path.unlink(missing_ok=True)

    def close(self) -> None:
        self._file.close()


def leftover_of(spec: RunSpec, mark: str, started: float) -> Leftover | None:
    """What a trial of a spec may leave; None where it leaves nothing, or cannot even be loaded."""
    try:
        workload = spec.setting.workload
        if not workload.leaves(spec.setting.parameters):
            return None
    except SluiceError:  # the trial itself says so
        return None
    return Leftover(
        mark=mark,
        workload=spec.workload,
        parameters=spec.parameters,
        address=_address(workload.parameters, spec.parameters),
        started=started,
        lab_site=lab_site(spec.parameters.values()),
    )


def _address(declaring: type, values: Mapping[str, Value]) -> str:
    names = [kind.name for kind in declared(declaring) if isinstance(kind, Location)]
    return " ".join(str(values[name]) for name in names if values.get(name))


def leftovers() -> tuple[Leftover, ...]:
    """What trials whose engine is dead may have left, the oldest first."""
    with _abandoned() as entries:
        return tuple(sorted((one for one, _ in entries), key=lambda one: one.started))


@dataclass
class Removal:
    """Whether a leftover is this process's to remove, and whether that is done."""

    mine: bool
    done: bool = False


@contextmanager
def claimed(mark: str) -> Iterator[Removal]:
    """Hold a leftover, so that nobody else removes it; once that is done, it is off the list."""
    with _abandoned() as entries:
        paths = [path for one, path in entries if one.mark == mark]
        removal = Removal(mine=bool(paths))
        yield removal
        for path in paths if removal.done else ():
            path.unlink(missing_ok=True)


@contextmanager
def _abandoned() -> Iterator[list[tuple[Leftover, Path]]]:
    """The entries that nobody holds, held meanwhile, with their files.

    Those are removed of what went with a server of the lab.
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
