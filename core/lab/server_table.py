"""The servers that one keeper owns: starts, watches and stops them, and writes down what runs."""

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
from core.language.errors import SluiceError, UsageError
from core.language.reporting import report_to_nobody
from core.language.sanitise import remember, remembered, safe, said
from core.language.translation import tr
from core.language.units import Seconds
from core.measure.machine.folders import make_private
from core.measure.machine.lab_records import write_lab_credentials
from core.measure.machine.processes.supervisor import Supervisor
from core.measure.machine.program import command_text
from core.measure.machine.removal import remove_tree
from core.vocabulary.declarations import build, values_of

_LETTERS = string.ascii_letters + string.digits
_LENGTH = 32  # 190 bits
_ANSWER: Seconds = 10.0
"""Within which a server that runs must answer who asks how it is."""


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
    with ExitStack() as held:
        ports = {}
        for name in names:
            taken = held.enter_context(socket.socket())
            taken.bind(("127.0.0.1", 0))
            ports[name] = taken.getsockname()[1]
        return ports


@dataclass(kw_only=True)
class _Kept:
    """One server, from the moment it was asked for."""

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
        self._kept: dict[str, _Kept] = {}
        self._supervisor = Supervisor()
        self._write()

    def __len__(self) -> int:
        return len(self._kept)

    def states(self) -> list[ServerState]:
        """What is known of each now, with what it has counted; each is asked something."""
        with self._lock:
            kept = list(self._kept.values())
        states: dict[str, ServerState] = {}

        def look(one: _Kept) -> None:
            states[one.recipe.name] = self._state(one, ask=True)

        at_once(look, kept)
        return [states[one.recipe.name] for one in kept]

    def start(self, recipe: Recipe, request: Start) -> tuple[ServerState, bool]:
        """Return when the server serves, and whether it was started for that.

        Raises SluiceError, and then nothing of it is left.
        """
        given = request.options.get(recipe.name, {})
        with self._lock:
            before = self._kept.get(recipe.name)
            runs = before is not None and before.state == "ready"
            kept = before if before is not None and runs else self._enter(recipe)
        if runs:  # without the lock, as it may have to be waited for
            return self._as_requested(kept, given), False
        try:
            running = self._run(kept, request)
            with self._lock:
                if kept.cancelled.is_set():
                    raise SluiceError(tr("stopped before it was ready"))
                if running.problem:
                    raise SluiceError(running.problem)
                kept.state = "ready"
                self._write()
        except OSError as error:
            raise SluiceError(safe(said(error), remembered())) from None
        finally:
            if kept.state != "ready":
                self._remove(kept)
        return self._state(kept), True

    def stop(self, name: str) -> bool:
        """Stop a server and remove its data; whether there was one."""
        with self._lock:
            kept = self._kept.get(name)
            if kept is None:
                return False
            starting = kept.state == "starting"
            kept.cancel()
            if not starting:
                kept.state = "stopping"
                self._write()
        if not starting:  # else who starts it removes it
            self._remove(kept)
        return True

    def cancel(self, name: str) -> None:
        """Have the start of a server end; who starts it removes it."""
        with self._lock:
            if (kept := self._kept.get(name)) is not None and kept.state == "starting":
                kept.cancel()

    def close(self) -> None:
        """Stop all servers at once; returns when nothing is left of them."""
        at_once(self.stop, self.names())
        self._supervisor.close()

    def names(self) -> Sequence[str]:
        with self._lock:
            return list(self._kept)

    def _enter(self, recipe: Recipe) -> _Kept:
        before = self._kept.get(recipe.name)
        if before is not None and before.state == "ended":
            self._remove(before)
        elif before is not None:
            raise UsageError(
                tr("{server} is being started or stopped already", server=recipe.name),
                tr("wait until that is done"),
            )
        kept = self._kept[recipe.name] = _Kept(recipe=recipe)
        self._write()
        return kept

    def _as_requested(self, kept: _Kept, given: Options) -> ServerState:
        state = self._state(kept, ask=True)
        if state.state == SILENT:
            raise SluiceError(
                state.problem,
                tr(
                    "stop it, and start it again: {command}",
                    command=command_text("lab", "stop", kept.recipe.name),
                ),
            )
        if given.items() - state.options.items():
            raise UsageError(
                tr("{server} runs with other options", server=kept.recipe.name),
                tr(
                    "stop it first: {command}",
                    command=command_text("lab", "stop", kept.recipe.name),
                ),
            )
        return state

    def _run(self, kept: _Kept, request: Start) -> RunningServer:
        recipe = kept.recipe
        kit = kit_of(recipe, report_to_nobody)
        with self._lock:
            others = {
                name: one.running.server
                for name, one in self._kept.items()
                if one.running is not None and one.state == "ready"
            }
        kept.site = make_site(
            recipe,
            self._lab_folder,
            options=request.options.get(recipe.name, {}),
            chosen=request.secrets.get(recipe.name, {}),
            others=others,
        )
        references = {
            value: f"lab:{recipe.name}/{name}" for name, value in kept.site.secrets.items()
        }
        for value, reference in references.items():
            remember(value, reference)
        kept.running = RunningServer(
            recipe.start(kit, kept.site),
            self._supervisor,
            site=kept.site,
            secrets=references,
            tell_ended=lambda: self._noticed(kept),
        )
        kept.running.wait_until_ready(request.deadline, kept.cancelled.is_set)
        return kept.running

    def _remove(self, kept: _Kept) -> None:
        if kept.running is not None:
            kept.running.stop()
        if kept.site is not None:
            remove_tree(kept.site.folder)
        with self._lock:
            if self._kept.get(kept.recipe.name) is kept:
                del self._kept[kept.recipe.name]
            self._write()
        self._changed()

    def _noticed(self, kept: _Kept) -> None:
        with self._lock:
            if kept.state == "ready":
                kept.state = "ended"
                self._write()

    def _write(self) -> None:
        with self._lock:
            ready = {
                name: one.running.server.secrets
                for name, one in self._kept.items()
                if one.running is not None and one.state == "ready"
            }
            write_lab_credentials(self._lab_folder.folder, ready)
            states = [self._state(one) for one in self._kept.values()]
            self._lab_folder.write_state(
                LabState(keeper=self._base.keeper, socket=self._base.socket, servers=states)
            )

    def _state(self, kept: _Kept, *, ask: bool = False) -> ServerState:
        """`ask`: whether it answers, and what it has counted; that takes some seconds at most."""
        recipe, running = kept.recipe, kept.running
        if running is None:
            return ServerState(name=recipe.name, title=recipe.title, state=kept.state)
        server = running.server
        counted = {}
        asked = ask and kept.state == "ready"
        # Who is asked may end, or be stopped, meanwhile.
        silent = (
            asked and not running.answers(_ANSWER) and kept.state == "ready" and not running.problem
        )
        if asked and not silent and server.status is not None:
            with suppress(OSError):
                counted = dict(server.status())
        problem = tr("it does not answer") if silent else ""
        return ServerState(
            name=recipe.name,
            title=recipe.title,
            state=SILENT if silent else kept.state,
            address=server.address,
            site=str(kept.site.folder) if kept.site else "",
            secrets=[f"lab:{recipe.name}/{name}" for name in server.secrets],
            processes={one.command.name: one.process.pid for one in running.commands},
            options=kept.site.options if kept.site else {},
            counted=counted,
            problem=running.problem if kept.state == "ended" else problem,
        )


def at_once[T](do: Callable[[T], object], them: Iterable[T]) -> None:
    """Do it with each, on a thread of its own; returns when all is done."""
    threads = [threading.Thread(target=do, args=[one]) for one in them]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
