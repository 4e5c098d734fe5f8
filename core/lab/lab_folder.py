"""The folder of a lab: who keeps it and what runs, its logs, and the throw-away data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

import msgspec

from core.measure import lock_at_once, make_private, put_in_place, remove_tree

SILENT = "silent"
"""The state of a server that runs and does not answer."""


class ServerState(msgspec.Struct, frozen=True, kw_only=True):
    name: str
    title: str
    state: str
    """`starting`, `ready`, `silent` if it does not answer, `stopping`, or `ended` by itself."""
    address: str = ""
    site: str = ""
    """The folder of its data."""
    secrets: Sequence[str] = ()
    """References, as `lab:s3/secret-key`."""
    processes: Mapping[str, int] = {}
    """The ids, by the commands' names."""
    options: Mapping[str, int | float | str | bool] = {}
    counted: Mapping[str, int | float | str] = {}
    problem: str = ""


class LabState(msgspec.Struct, frozen=True, kw_only=True):
    keeper: int
    socket: str
    servers: Sequence[ServerState] = ()


class LabFolder:
    """The folder of one lab, made if need be; only its owner can look into it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        make_private(self.folder)
        self.folder.chmod(0o700)

    @property
    def sites(self) -> Path:
        """Throw-away data, one folder for each server."""
        return self.folder / "sites"

    @property
    def logs(self) -> Path:
        """Logs of the servers, `SERVER/COMMAND.log`; those of the last start are kept."""
        return self.folder / "logs"

    @property
    def keeper_log(self) -> Path:
        """What the keeper itself had to say; empty unless it has a bug."""
        return self.folder / "keeper.log"

    def state(self) -> LabState | None:
        """What the keeper wrote last; None if there is nothing, or it cannot be read."""
        try:
            return msgspec.json.decode(self._state.read_bytes(), type=LabState)
        except (OSError, msgspec.DecodeError):
            return None

    def write_state(self, state: LabState) -> None:
        with put_in_place(self._state, overwrite=True) as new:
            new.write_bytes(msgspec.json.format(msgspec.json.encode(state)) + b"\n")

    def remove_leftovers(self) -> None:
        """Remove the leftovers of a dead keeper; the caller holds the lock."""
        if (state := self.state()) is not None:
            remove_tree(Path(state.socket).parent)
        self._state.unlink(missing_ok=True)
        if self.sites.exists():
            remove_tree(self.sites)
        with suppress(OSError):
            (self.folder / "credentials.json").unlink(missing_ok=True)

    @contextmanager
    def kept(self) -> Iterator[bool]:
        """Whether this process is the lab's keeper now; it is until the end of the block.

        The kernel gives the lock back when a keeper dies, however it dies.
        """
        lock = lock_at_once(self.folder / "keeper.lock")
        with lock or nullcontext():
            yield lock is not None

    def logged(self) -> list[str]:
        return sorted(path.name for path in self.logs.glob("*") if path.is_dir())

    def fresh_logs(self, server: str) -> Path:
        """The folder for the logs of a server that starts, without those of its last life."""
        folder = self.logs / server
        remove_tree(folder)
        make_private(folder)
        return folder

    def log_files(self, server: str) -> list[Path]:
        """The logs of a server, in order of their names; those of its commands first."""
        files = (path for path in (self.logs / server).glob("*") if path.is_file())
        return sorted(files, key=lambda path: (path.suffix != ".log", path.name))

    @property
    def _state(self) -> Path:
        return self.folder / "state.json"
