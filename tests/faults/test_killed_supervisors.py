"""Whoever of us, a child of ours and its guard is killed: nothing of what was started is left.

Each use of the supervisor starts the same tree: a program, one that it waits for, and one that has
left for a session of its own.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest
from marking import MARK, arguments_of, marked, still_there
from patience import PATIENCE

TREE = "setsid sh -c 'echo > {there}; exec sleep 1000' & sleep 1000 & wait"

SUPERVISED = """
import os, sys
from pathlib import Path
from core.measure.machine.processes.supervisor import Life, Program, Supervisor
with Supervisor() as supervisor:
    supervisor.start(Program(arguments=[sys.argv[1]], life=Life())).wait(1000)
"""
MEASURED = """
import os, sys, tempfile
from pathlib import Path
from core.measure.machine.processes.measured_commands import Command
from core.measure.machine.processes.measured_commands import Commands
commands = Commands("killed", Path(tempfile.mkdtemp(dir=Path(sys.argv[1]).parent)))
commands.run(Command(arguments=[sys.argv[1]], environment=os.environ))
commands.close()
"""
VERSION = """
import sys
from core.measure.machine import program_versions
program_versions._PATIENCE = 1000
program_versions.version_of_program(sys.argv[1], "version")
"""
TRANSFER = """
import os, sys
from types import SimpleNamespace
from workloads.transfer.clients.s3_commands import TransferCommand
going = SimpleNamespace(stopping=False, files=())
TransferCommand(going, "tree", [sys.argv[1]], os.environ).follow(lambda line: None, lambda line: None)
"""
SERVER = """
import sys, threading
from pathlib import Path
from core.measure.machine.processes.supervisor import Supervisor
from core.lab.recipe import Server, ServerCommand, Site
from core.lab.server_processes import RunningServer
here, ended = Path(sys.argv[1]).parent, threading.Event()
server = Server(commands=[ServerCommand(name="tree", argv=[sys.argv[1]])], ready=bool, address="")
site = Site(folder=here, logs=here, ports={}, secrets={})
with Supervisor() as supervisor:
    running = RunningServer(server, supervisor, site=site, secrets={}, tell_ended=ended.set)
    ended.wait()
    running.stop()
"""
SUITE_SERVER = """
import sys
from pathlib import Path
from core.lab.recipe import Kit, Recipe, Server, ServerCommand
from core.language.reporting import report_to_nobody
from serving import running
here = Path(sys.argv[1]).parent / "served"
server = Server(commands=[ServerCommand(name="tree", argv=[sys.argv[1]])], ready=lambda: True, address="")
recipe = Recipe(name="tree", title="tree", start=lambda kit, site: server)
with running(recipe, Kit(folder=here, report=report_to_nobody), here) as found:
    found.commands[0].process.wait(1000)
"""
RUN = ("-m", "core", "measure", "command", "--run", "{tree}", "--repeats", "1", "--duration", "600")
OWNERS = {
    "a program": ("-c", SUPERVISED, "{tree}"),
    "a measured program": ("-c", MEASURED, "{tree}"),
    "a version": ("-c", VERSION, "{tree}"),
    "a transfer": ("-c", TRANSFER, "{tree}"),
    "a server of the lab": ("-c", SERVER, "{tree}"),
    "a server of the suite": ("-c", SUITE_SERVER, "{tree}"),
    "a trial": RUN,
    "a node": (*RUN, "--cluster", "local:1"),
}
KILLED = ("us", "child", "guard and child", "us and child")
ONCE = ("a server of the suite", "a node")
"""What is killed in one way alone: a cluster takes seconds to start, and its agents take a trial
through the same steps; the suite starts its servers as the lab does."""
CASES = [(use, killed) for use in OWNERS for killed in KILLED if use not in ONCE or killed == "us"]


def is_guard(process: psutil.Process) -> bool:
    return "trap '' HUP INT TERM" in " ".join(arguments_of(process))


def child_and_parent(mark: str, tree: Path) -> tuple[psutil.Process, psutil.Process]:
    """The process that was started first, and the one of ours that has started it."""
    found = marked(mark)
    started = [one for one in found if "core.measure.trial.bootstrap" in arguments_of(one)]
    trials = [one for one in started if "--requests=" not in " ".join(arguments_of(one))]
    leaders = [one for one in found if arguments_of(one)[1:2] == [str(tree)]]
    # A shell that has just forked is there twice.
    child = min(trials or leaders, key=lambda one: (one.create_time(), one.pid))
    parent = child.parent()
    assert parent is not None
    return child, parent


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of all that was started")
@pytest.mark.parametrize(("use", "killed"), CASES)
def test_that_nothing_is_left_where_one_of_them_is_killed(
    tmp_path: Path, use: str, killed: str
) -> None:
    tree, there, mark = tmp_path / "tree", tmp_path / "there", f"{tmp_path.name}-{os.getpid()}"
    asked = '[ "$1" != --version ] || exit 1  # before a trial'
    tree.write_text(f"#!/bin/sh\n{asked}\n{TREE.format(there=there)}\n")
    tree.chmod(0o755)
    data = tmp_path / "data"
    data.write_bytes(b"data")
    arguments = [one.format(tree=tree) if one == "{tree}" else one for one in OWNERS[use]]
    if "measure" in arguments:
        arguments += ["--dataset", str(data), "--session", str(tmp_path / "killed.sluice")]
    places = {name: str(tmp_path / name.lower()) for name in ("SLUICE_CACHE", "SLUICE_STATE")}
    with subprocess.Popen(
        [sys.executable, *arguments],
        env=os.environ | places | {MARK: mark, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as owner:
        try:
            until = time.monotonic() + PATIENCE
            while not there.exists():
                assert owner.poll() is None
                assert time.monotonic() < until
                select.select([], [], [], 0.02)
            child, parent = child_and_parent(mark, tree)
            guards = [one for one in marked(mark) if is_guard(one)]
            assert guards
            victims = {"us": [parent], "child": [child], "us and child": [parent, child]}
            for one in victims.get(killed, [*guards, child]):
                one.send_signal(signal.SIGKILL)
            assert still_there(mark, PATIENCE) == []
        finally:
            owner.kill()
            still_there(mark, 0)
