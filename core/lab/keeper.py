"""The keeper: the one process that owns the lab's servers.

It leaves its starter's terminal, answers over a socket, and ends with its last server.  Servers are
tied to it: however it dies, they die.
"""

from __future__ import annotations

import os
import selectors
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from core.lab.keeper_messages import (
    ALREADY_KEPT,
    GREETING,
    Answer,
    Doing,
    KeeperDone,
    KeeperRequest,
    NotStarted,
    Running,
    Start,
    Started,
    StatusRequest,
    Stop,
    Stopped,
    received_request,
    send,
)
from core.lab.lab_folder import LabFolder, LabState
from core.lab.recipe import Recipe
from core.lab.server_table import Servers, at_once
from core.lab.servers import recipe_of
from core.language import SluiceError, tr
from core.measure import remove_tree

_UNASKED = 60.0  # seconds after which a keeper without any request ends


class Keeper:
    """Listens until no server and no asker is left."""

    def __init__(self, lab_folder: LabFolder, life: int | None) -> None:
        """`life`: a pipe; all servers are stopped when its other end closes."""
        self._life = life
        # A path that is short enough for a socket, whatever the lab's folder is called.
        self._folder = Path(tempfile.mkdtemp(prefix="sluice-lab-"))
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(self._folder / "s"))
        self._listener.listen()
        self._woken, self._wake_by = socket.socketpair()
        self._wake_by.setblocking(False)
        self._askers = 0
        self._lock = threading.Lock()
        self._ending = threading.Event()
        state = LabState(keeper=os.getpid(), socket=str(self._folder / "s"))
        self.servers = Servers(lab_folder, state, self.wake)

    def serve(self) -> None:
        """Answer until no asker and no server is left, or a signal comes."""
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, lambda *_: self._ending.set())
        signal.set_wakeup_fd(self._wake_by.fileno(), warn_on_full_buffer=False)
        with selectors.DefaultSelector() as selector:
            selector.register(self._listener, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            if self._life is not None:
                selector.register(self._life, selectors.EVENT_READ)
            wait: float | None = _UNASKED
            while not self._ending.is_set():
                ready = [key.fileobj for key, _ in selector.select(wait)]
                wait = None
                if self._life in ready:
                    break
                if self._woken in ready:
                    self._woken.recv(4096)
                if self._listener in ready:
                    self._accept()
                with self._lock:
                    if self._askers == 0 and len(self.servers) == 0:
                        break
        self._listener.close()
        self.servers.close()
        remove_tree(self._folder)

    def wake(self) -> None:
        with suppress(BlockingIOError):  # it will look anyway
            self._wake_by.send(b".")

    def _accept(self) -> None:
        asker, _ = self._listener.accept()
        with self._lock:
            self._askers += 1
        asker.sendall(GREETING)  # into an empty buffer: it does not wait
        threading.Thread(target=self._answer, args=[asker], daemon=True).start()

    def _answer(self, asker: socket.socket) -> None:
        try:
            with asker, asker.makefile("rb") as lines:
                request = received_request(lines)
                if request is not None:
                    _Answering(self.servers, asker).answer(request)
        finally:
            with self._lock:
                self._askers -= 1
            self.wake()


class _Answering:
    """One request of one asker."""

    def __init__(self, servers: Servers, asker: socket.socket) -> None:
        self._servers = servers
        self._asker = asker
        self._lock = threading.Lock()
        self._gone = threading.Event()
        self._begun: list[str] = []

    def answer(self, request: KeeperRequest) -> None:
        match request:
            case Start():
                self._start(request)
            case Stop():
                self._stop(request.names or self._servers.names())
            case StatusRequest():
                self._say(Running(servers=self._servers.states()))
        self._say(KeeperDone())

    def _say(self, answer: Answer) -> None:
        with self._lock, suppress(OSError):  # the asker has gone
            send(self._asker, answer)

    def _stop(self, names: Sequence[str]) -> None:
        def stop(name: str) -> None:
            if self._servers.stop(name):
                self._say(Stopped(server=name))

        at_once(stop, names)

    def _start(self, request: Start) -> None:
        """Start all; if the asker leaves meanwhile, stop the servers begun for it."""
        threading.Thread(target=self._watch_asker, daemon=True).start()
        recipes = [recipe for name in request.names if (recipe := self._recipe(name))]
        for turn in sorted({recipe.turn for recipe in recipes}):
            group = [recipe for recipe in recipes if recipe.turn == turn]
            self._begun += [recipe.name for recipe in group]
            at_once(lambda recipe: self._start_one(recipe, request), group)
        if self._gone.is_set():
            self._stop(self._begun)

    def _recipe(self, name: str) -> Recipe | None:
        try:
            return recipe_of(name)
        except SluiceError as error:
            self._say(_not_started(name, error))
            return None

    def _start_one(self, recipe: Recipe, request: Start) -> None:
        if self._gone.is_set():
            return
        self._say(Doing(server=recipe.name, doing=tr("starting {title}", title=recipe.title)))
        try:
            state, begun = self._servers.start(recipe, request)
        except SluiceError as error:
            self._begun.remove(recipe.name)
            self._say(_not_started(recipe.name, error))
            return
        if not begun:  # it was there before, and stays
            self._begun.remove(recipe.name)
        self._say(Started(server=state))

    def _watch_asker(self) -> None:
        with suppress(OSError):
            while self._asker.recv(64):
                pass
        self._gone.set()
        # A copy: a start that ends takes its name off, and the next one would be passed over.
        for name in tuple(self._begun):
            self._servers.cancel(name)


def _not_started(name: str, error: SluiceError) -> NotStarted:
    return NotStarted(
        server=name, cause=error.cause, remedy=error.remedy, exit_code=error.exit_code
    )


def main(arguments: list[str]) -> int:
    """Keep the lab in a folder; returns when the keeper listens, which goes on by itself.

    Arguments: the folder, and the number of a pipe to live on, or nothing.
    """
    lab_folder = LabFolder(Path(arguments[0]))
    life = int(arguments[1]) if len(arguments) > 1 else None
    listens, tell_listens = os.pipe()
    if os.fork():
        os.close(tell_listens)
        answer = os.read(listens, 1)
        return answer[0] if answer else 1
    os.setsid()
    with lab_folder.kept() as mine:
        if not mine:
            os.write(tell_listens, bytes([ALREADY_KEPT]))
            return ALREADY_KEPT
        lab_folder.remove_leftovers()
        keeper = Keeper(lab_folder, life)
        os.write(tell_listens, b"\0")
        os.close(tell_listens)
        keeper.serve()
        lab_folder.remove_leftovers()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
