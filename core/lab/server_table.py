"""The servers that one keeper owns: starts, watches and stops them, and writes down their state."""

from __future__ import annotations

import secrets
import socket
import string
import tempfile
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.lab.keeper_messages import Options, Start
from core.lab.kits import kit_of
from core.lab.lab_folder import SILENT, LabFolder, LabState, ServerState
from core.lab.recipe import Recipe, Server, Site
from core.lab.server_processes import RunningServer
from core.language import (
    Seconds,
    SluiceError,
    UsageError,
    command_text,
    remember,
    remembered,
    report_to_nobody,
    safe,
    said,
    tr,
)
from core.measure import Supervisor, make_private, remove_tree, write_lab_credentials
from core.vocabulary import build, values_of

_LETTERS = string.ascii_letters + string.digits
_LENGTH = 32  # 190 bits
_ANSWER: Seconds = 30.0
"""A server that runs must answer within that time."""


def make_site(
    recipe: Recipe,
    lab_folder: LabFolder,
    *,
    options: Options,
    chosen: Mapping[str, str],
    others: Mapping[str, Server],
) -> Site:
    """A new site in the lab's folder; raises UsageError for wrong options.

    `chosen` are secrets that are not to be random, by name.
    """
    if recipe.parameters is None and options:
        raise UsageError(tr("{server} has no options", server=recipe.name))
    values = values_of(build(recipe.parameters, dict(options))) if recipe.parameters else {}
    make_private(lab_folder.sites)
    return Site(
        folder=Path(tempfile.mkdtemp(prefix=f"{recipe.name}-", dir=lab_folder.sites)),
        logs=lab_folder.fresh_logs(recipe.name),
        ports=free_ports(recipe.ports),
        secrets={name: chosen.get(name) or random_secret() for name in recipe.secrets},
        options=values,
        others=others,
    )


def random_secret() -> str:
    """Letters and digits, so that it stays the same in every file and URL."""
    return "".join(secrets.choice(_LETTERS) for _ in range(_LENGTH))


def free_ports(names: Iterable[str]) -> dict[str, int]:
    """Different free ports of 127.0.0.1, by name."""
    with ExitStack() as sockets:
        ports = {}
        for name in names:
            listener = sockets.enter_context(socket.socket())
            listener.bind(("127.0.0.1", 0))
            ports[name] = listener.getsockname()[1]
        return ports


@dataclass(kw_only=True)
class _Entry:
    """One server, from the moment its start was requested."""

    recipe: Recipe
    state: str = "starting"
    site: Site | None = None
    running: RunningServer | None = None
    cancelled: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        self.cancelled.set()
        if self.running is not None:
            self.running.wake()


class Servers:
    """All servers of a lab; its methods may be called from many threads."""

    def __init__(self, lab_folder: LabFolder, state: LabState, changed: Callable[[], None]) -> None:
        """`changed` is called, on any thread, when a server is gone."""
        self._lab_folder = lab_folder
        self._base = state
        self._changed = changed
        self._lock = threading.RLock()
        self._entries: dict[str, _Entry] = {}
        self._supervisor = Supervisor()
        self._write()

    def __len__(self) -> int:
        return len(self._entries)

    def states(self) -> list[ServerState]:
        """The state of each now, with what it has counted; each is asked something."""
        with self._lock:
            entries = list(self._entries.values())
        states: dict[str, ServerState] = {}

        def look(entry: _Entry) -> None:
            states[entry.recipe.name] = self._state(entry, ask=True)

        at_once(look, entries)
        return [states[entry.recipe.name] for entry in entries]

    def start(self, recipe: Recipe, request: Start) -> tuple[ServerState, bool]:
        """Return when the server serves, with whether this call has started it.

        Raises SluiceError, and then nothing is left of the server.
        """
        with self._lock:
            before = self._entries.get(recipe.name)
            ready = before if before is not None and before.state == "ready" else None
            entry = ready or self._enter(recipe)
        if ready:  # without the lock, as it may have to be waited for
            return self._as_requested(ready, request.options.get(recipe.name, {})), False
        try:
            running = self._run(entry, request)
            with self._lock:
                if entry.cancelled.is_set():
                    raise SluiceError(tr("stopped before it was ready"))
                if running.problem:
                    raise SluiceError(running.problem)
                entry.state = "ready"
                self._write()
        except OSError as error:
            raise SluiceError(safe(said(error), remembered())) from None
        finally:
            if entry.state != "ready":
                self._remove(entry)
        return self._state(entry), True

    def stop(self, name: str) -> bool:
        """Stop a server and remove its data; whether there was one."""
        with self._lock:
            entry = self._entries.get(name)
            if entry is None:
                return False
            starting = entry.state == "starting"
            entry.cancel()
            if not starting:
                entry.state = "stopping"
                self._write()
        if not starting:  # else who starts it removes it
            self._remove(entry)
        return True

    def cancel(self, name: str) -> None:
        """Have the start of a server end; who starts it removes it."""
        with self._lock:
            if (entry := self._entries.get(name)) is not None and entry.state == "starting":
                entry.cancel()

    def close(self) -> None:
        """Stop all servers at once; returns when nothing is left of them."""
        at_once(self.stop, self.names())
        self._supervisor.close()

    def names(self) -> Sequence[str]:
        with self._lock:
            return list(self._entries)

    def _enter(self, recipe: Recipe) -> _Entry:
        before = self._entries.get(recipe.name)
        if before is not None and before.state == "ended":
            self._remove(before)
        elif before is not None:
            raise UsageError(
                tr("{server} is being started or stopped already", server=recipe.name),
                tr("wait until that is done"),
            )
        entry = self._entries[recipe.name] = _Entry(recipe=recipe)
        self._write()
        return entry

    def _as_requested(self, entry: _Entry, options: Options) -> ServerState:
        state, name = self._state(entry, ask=True), entry.recipe.name
        stop = command_text("lab", "stop", name)
        if state.state == SILENT:
            raise SluiceError(
                state.problem, tr("stop it, and start it again: {command}", command=stop)
            )
        if options.items() - state.options.items():
            raise UsageError(
                tr("{server} runs with other options", server=name),
                tr("stop it first: {command}", command=stop),
            )
        return state

    def _run(self, entry: _Entry, request: Start) -> RunningServer:
        recipe = entry.recipe
        kit = kit_of(recipe, report_to_nobody)
        entry.site = make_site(
            recipe,
            self._lab_folder,
            options=request.options.get(recipe.name, {}),
            chosen=request.secrets.get(recipe.name, {}),
            others=self._ready(),
        )
        secrets = entry.site.secrets.items()
        references = {value: f"lab:{recipe.name}/{name}" for name, value in secrets}
        for value, reference in references.items():
            remember(value, reference)
        entry.running = RunningServer(
            recipe.start(kit, entry.site),
            self._supervisor,
            site=entry.site,
            secrets=references,
            tell_ended=lambda: self._note_end(entry),
        )
        entry.running.wait_until_ready(request.deadline, entry.cancelled.is_set)
        return entry.running

    def _remove(self, entry: _Entry) -> None:
        if entry.running is not None:
            entry.running.stop()
        if entry.site is not None:
            remove_tree(entry.site.folder)
        with self._lock:
            if self._entries.get(entry.recipe.name) is entry:
                del self._entries[entry.recipe.name]
            self._write()
        self._changed()

    def _ready(self) -> dict[str, Server]:
        with self._lock:
            return {
                name: one.running.server
                for name, one in self._entries.items()
                if one.running is not None and one.state == "ready"
            }

    def _note_end(self, entry: _Entry) -> None:
        with self._lock:
            if entry.state == "ready":
                entry.state = "ended"
                self._write()

    def _write(self) -> None:
        with self._lock:
            credentials = {name: server.secrets for name, server in self._ready().items()}
            write_lab_credentials(self._lab_folder.folder, credentials)
            states = [self._state(one) for one in self._entries.values()]
            self._lab_folder.write_state(
                LabState(keeper=self._base.keeper, socket=self._base.socket, servers=states)
            )

    def _state(self, entry: _Entry, *, ask: bool = False) -> ServerState:
        """`ask`: with whether it answers, and its counts, which takes some seconds at most."""
        recipe, running = entry.recipe, entry.running
        if running is None:
            return ServerState(name=recipe.name, title=recipe.title, state=entry.state)
        server = running.server
        counted = {}
        ask = ask and entry.state == "ready"
        # A server that is asked may end, or be stopped, meanwhile.
        silent = (
            ask and not running.answers(_ANSWER) and entry.state == "ready" and not running.problem
        )
        if ask and not silent and server.status is not None:
            with suppress(OSError):
                counted = dict(server.status())
        problem = tr("it does not answer") if silent else ""
        return ServerState(
            name=recipe.name,
            title=recipe.title,
            state=SILENT if silent else entry.state,
            address=server.address,
            site=str(entry.site.folder) if entry.site else "",
            secrets=[f"lab:{recipe.name}/{name}" for name in server.secrets],
            processes={one.command.name: one.process.pid for one in running.commands},
            options=entry.site.options if entry.site else {},
            counted=counted,
            problem=running.problem if entry.state == "ended" else problem,
        )


def at_once[T](do: Callable[[T], object], them: Iterable[T]) -> None:
    """Do it with each, on a thread of its own; returns when all is done."""
    threads = [threading.Thread(target=do, args=[one]) for one in them]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
