"""Servers that behave in every way that we know of, as recipes: `rigged_servers:NAME`."""

from __future__ import annotations

import socket
import sys
from http.client import BadStatusLine
from pathlib import Path

import psutil

from core.lab.recipe import Kit, Recipe, Server, ServerCommand, Site

SERVE = """
import os, signal, socket, subprocess, sys
port, child = int(sys.argv[1]), sys.argv[2]
print("serving with", os.environ["RIGGED_SECRET"], flush=True)
subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)  # " + child])
listening = socket.create_server(("127.0.0.1", port))
while True:
    asker, _ = listening.accept()
    asker.sendall(str(os.getpid()).encode())
    asker.close()
"""
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(3600)"
UNTIL_STDIN_CLOSES = (
    "import signal, sys; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True);"
    " sys.stdin.read(); print('stdin closed', flush=True)"
)
HERE = Path(__file__).parent
MARK = f"sluice-rigged-server of {HERE}"
"""In the arguments of all processes that are started here."""


def python(code: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-u", "-c", code, *arguments, MARK)


def serve(kit: Kit, site: Site) -> Server:
    port = site.ports["main"]
    (site.folder / "data").write_bytes(bytes(1000))

    odd: list[Exception] = [BadStatusLine("<html>"), ValueError("<html>"), ConnectionResetError()]

    def ready() -> bool:
        if odd:  # what a server may answer that still starts
            raise odd.pop()
        if (site.folder / "mute").exists():
            return False
        with socket.create_connection(("127.0.0.1", port), 5) as asked:
            return bool(asked.recv(100))

    command = ServerCommand(
        name="serve",
        argv=python(SERVE, str(port), MARK),
        env={"RIGGED_SECRET": site.secrets["password"]},
    )
    return Server(
        commands=(command,),
        ready=ready,
        address=f"rigged://127.0.0.1:{port}",
        secrets=dict(site.secrets),
        grace=1.0,
    )


def running(code: str, *, answers: bool, stop: str = "terminate") -> object:
    def start(kit: Kit, site: Site) -> Server:
        return Server(
            commands=(ServerCommand(name="one", argv=python(code)),),
            ready=lambda: answers,
            address="rigged://",
            stop=stop,  # type: ignore[arg-type]
            grace=0.5 if stop == "terminate" else 60.0,
        )

    return start


def rigged(name: str, start: object) -> Recipe:
    return Recipe(name=name, title=name, start=start, secrets=("password",))  # type: ignore[arg-type]


SERVING = rigged("serving", serve)
BUILT = Recipe(name="built", title="built", start=serve, prepare_bytes=66 << 20)
SECOND = rigged("second", serve)
NEVER_READY = rigged("never-ready", running(STUBBORN, answers=False))
STUBBORN_ONE = rigged("stubborn", running(STUBBORN, answers=True))
BY_STDIN = rigged("by-stdin", running(UNTIL_STDIN_CLOSES, answers=True, stop="close stdin"))
DYING = rigged(
    "dying",
    running("import sys; print('no room for ' + 'tiles'); sys.exit(3)", answers=False),
)


def tell_the_secret(kit: Kit, site: Site) -> Server:
    code = "import os, sys; print('wrong password', os.environ['RIGGED_SECRET']); sys.exit(3)"
    command = ServerCommand(
        name="one", argv=python(code), env={"RIGGED_SECRET": site.secrets["password"]}
    )
    return Server(commands=(command,), ready=lambda: False, address="rigged://")


TALKATIVE = rigged("talkative", tell_the_secret)


def missing_program(kit: Kit, site: Site) -> Server:
    command = ServerCommand(name="one", argv=("/nowhere/program",))
    return Server(commands=(command,), ready=lambda: False, address="rigged://")


MISSING = rigged("missing", missing_program)


def rigged_processes() -> list[psutil.Process]:
    """All processes on this machine that a rigged server of this checkout started."""
    found = []
    for process in psutil.process_iter():
        try:
            if any(MARK in part for part in process.cmdline()):
                found.append(process)
        except psutil.Error:
            continue
    return found
