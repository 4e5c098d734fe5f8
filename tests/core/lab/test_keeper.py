"""Servers of the lab: started, watched, stopped, and never left behind."""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import threading
import warnings
from contextlib import closing
from pathlib import Path
from typing import cast

import psutil
import pytest
from patience import PATIENCE
from rigged_servers import HERE, rigged_processes

from core.lab.keeper_messages import (
    Answer,
    Doing,
    NotStarted,
    Started,
)
from core.lab.lab_client import Lab
from core.lab.lab_folder import LabState, ServerState
from core.lab.recipe import Server, Site
from core.lab.server_processes import RunningServer
from core.language import Unavailable
from core.measure import Supervisor, reveal
from core.measure.machine.lab_records import lab_credentials

AWKWARD = [
    "wrong",
    "with space and 'quotes' \"double\" `back`",
    "per%cent/slash?and&more=#",
    "üñïçødé 𝄞 漢字",
    "line\nbreak\ttab",
    "-leading-dash",
    "$(id) ${HOME} \\",
    "x" * 200,
]


def started(answers: list[Answer]) -> list[ServerState]:
    return [one.server for one in answers if isinstance(one, Started)]


def start(lab: Lab, *names: str, password: str = "", deadline: float = PATIENCE) -> list[Answer]:
    rigged = [f"rigged_servers:{name}" for name in names]
    secrets = {"serving": {"password": password}, "talkative": {"password": password}}
    return list(lab.start(rigged, secrets=secrets, deadline=deadline))


def failure(answers: list[Answer]) -> NotStarted:
    (found,) = (one for one in answers if isinstance(one, NotStarted))
    return found


def asked(address: str) -> int:
    """The id of the process that answers there."""
    host, port = address.removeprefix("rigged://").split(":")
    with socket.create_connection((host, int(port)), PATIENCE) as connection:
        return int(connection.recv(100))


def test_that_started_servers_serve_at_once_and_are_known(lab: Lab) -> None:
    servers = started(start(lab, "SERVING", "SECOND"))
    assert {one.name for one in servers} == {"serving", "second"}
    for one in servers:
        assert asked(one.address) == one.processes["serve"]
    assert {one.name: one.state for one in lab.servers()} == {"serving": "ready", "second": "ready"}


def test_that_a_server_that_runs_is_not_started_twice(lab: Lab) -> None:
    (first,) = started(start(lab, "SERVING"))
    (again,) = started(start(lab, "SERVING"))
    assert asked(again.address) == first.processes["serve"]


def test_that_stopping_leaves_neither_processes_nor_data(lab: Lab) -> None:
    start(lab, "SERVING", "SECOND")
    assert len(rigged_processes()) == 4
    assert lab.stop(["serving"]) == ["serving"]
    assert [one.name for one in lab.servers()] == ["second"]
    assert len(rigged_processes()) == 2
    lab.stop()
    assert rigged_processes() == []
    assert list(lab.place.sites.glob("*")) == []
    assert lab.servers() == ()


def test_that_a_killed_keeper_takes_all_its_servers_along(lab: Lab) -> None:
    start(lab, "SERVING", "STUBBORN_ONE")
    processes = rigged_processes()
    assert len(processes) == 3
    state = lab.place.state()
    assert state is not None
    os.kill(state.keeper, signal.SIGKILL)
    _, alive = psutil.wait_procs(processes, timeout=PATIENCE)
    assert alive == []
    assert lab.servers() == ()
    assert list(lab.place.sites.glob("*")) == []
    assert lab_credentials(lab.place.folder) == {}
    assert len(started(start(lab, "SERVING"))) == 1


def test_that_a_server_is_stopped_in_its_own_way_first(lab: Lab) -> None:
    start(lab, "BY_STDIN")
    lab.stop()
    (log,) = lab.place.log_files("by-stdin")
    assert log.read_text().splitlines() == ["up", "stdin closed"]


def test_that_a_server_that_ignores_being_asked_is_killed(lab: Lab) -> None:
    assert len(started(start(lab, "STUBBORN_ONE"))) == 1
    assert lab.stop() == ["stubborn"]
    assert rigged_processes() == []


def test_that_a_server_that_dies_while_it_starts_ends_with_its_last_words(lab: Lab) -> None:
    answers = start(lab, "DYING", "SERVING")
    told = failure(answers)
    assert told.cause.splitlines() == ["one ended with exit code 3", "no room for tiles"]
    assert told.exit_code == 1
    assert [one.name for one in started(answers)] == ["serving"]
    assert [one.name for one in lab.servers()] == ["serving"]


def test_that_a_server_that_never_serves_is_given_up_with_its_last_words(lab: Lab) -> None:
    told = failure(start(lab, "NEVER_READY", deadline=15.0))
    assert told.cause.splitlines() == ["it does not answer after 15.0 s", "up"]
    assert rigged_processes() == []
    assert lab.servers() == ()


def test_that_a_program_that_is_missing_is_named(lab: Lab) -> None:
    assert "/nowhere/program: No such file" in failure(start(lab, "MISSING")).cause


def test_that_an_unknown_server_is_a_mistake_of_the_user(lab: Lab) -> None:
    told = failure(start(lab, "NONE"))
    assert told.exit_code == 2
    assert "rigged_servers:NONE" in told.cause


def test_that_a_server_whose_client_waits_for_ever_is_asked_once_and_does_not_answer(
    lab: Lab,
) -> None:
    asks = 0
    thaw = threading.Event()

    def ready() -> bool:
        nonlocal asks
        asks += 1
        return thaw.wait(PATIENCE)

    with closing(Supervisor()) as supervisor:
        server = Server(commands=(), ready=ready, address="rigged://")
        running = RunningServer(
            server, supervisor, site=cast("Site", None), secrets={}, tell_ended=lambda: None
        )
        assert [running.answers(0.01) for _ in range(3)] == [False] * 3
        assert asks == 1
        thaw.set()
        assert running.answers(PATIENCE)
        assert running.answers(PATIENCE)
        assert asks == 2


def test_that_a_server_that_dies_later_is_told(lab: Lab) -> None:
    (server,) = started(start(lab, "SERVING"))
    leader = psutil.Process(server.processes["serve"])
    others = leader.children()
    leader.kill()
    psutil.wait_procs([leader, *others], timeout=PATIENCE)
    while (found := lab.servers()[0]).state != "ended":
        assert found.state == "ready"
    assert found.problem.startswith("serve was ended by SIGKILL")
    assert rigged_processes() == []
    assert len(started(start(lab, "SERVING"))) == 1


def test_that_who_leaves_during_a_start_leaves_nothing_behind(lab: Lab) -> None:
    start(lab, "SECOND")
    names = ["rigged_servers:SERVING", "rigged_servers:NEVER_READY"]
    with closing(lab.start(names)) as answers:
        while not isinstance(next(answers), Started):
            pass
    assert [one.name for one in lab.servers()] == ["second"]
    assert len(rigged_processes()) == 2


def test_that_servers_end_with_the_process_that_wanted_them(tmp_path: Path) -> None:
    code = """
import os, sys
from pathlib import Path
from core.lab.lab_client import throw_away_lab
with throw_away_lab(Path(sys.argv[1])) as lab:
    list(lab.start(["rigged_servers:SERVING"]))
    print("started", flush=True)
    sys.stdin.read()
"""
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(tmp_path / "lab")],
        env=os.environ | {"PYTHONPATH": f"{HERE}:{Path.cwd()}", "SLUICE_CACHE": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stdout.readline() == b"started\n"
    rigged = rigged_processes()
    state = Lab(tmp_path / "lab").place.state()
    assert state is not None
    keeper = psutil.Process(state.keeper)
    process.kill()
    process.wait()
    process.stdin.close()
    process.stdout.close()
    _, alive = psutil.wait_procs([keeper, *rigged], timeout=PATIENCE)
    assert alive == []
    assert list((tmp_path / "lab" / "sites").glob("*")) == []


@pytest.mark.parametrize("password", AWKWARD)
def test_that_a_secret_is_in_the_credentials_file_alone(lab: Lab, password: str) -> None:
    (server,) = started(start(lab, "SERVING", password=password))
    assert list(server.secrets) == ["lab:serving/password"]
    assert reveal("lab:serving/password") == password
    written = json.dumps(password)[1:-1]
    for path in lab.place.folder.rglob("*"):
        if path.is_file() and path.parent != lab.place.logs / "serving":
            text = path.read_text("utf-8", "replace")
            assert (written in text) == (path.name == "credentials.json"), path
    state = lab.place.state()
    assert state is not None
    for pid in [state.keeper, *server.processes.values()]:
        assert password not in "\0".join(psutil.Process(pid).cmdline())


def test_that_only_their_owner_can_read_credentials(lab: Lab) -> None:
    start(lab, "SERVING")
    credentials = lab.place.folder / "credentials.json"
    assert stat.S_IMODE(credentials.stat().st_mode) == 0o600
    assert stat.S_IMODE(lab.place.keeper_log.stat().st_mode) == 0o600
    assert stat.S_IMODE(lab.place.folder.stat().st_mode) == 0o700


def test_that_each_start_has_other_secrets(lab: Lab) -> None:
    start(lab, "SERVING")
    first = reveal("lab:serving/password")
    lab.stop()
    start(lab, "SERVING")
    assert len(first) >= 32
    assert reveal("lab:serving/password") != first


def test_that_last_words_show_a_reference_instead_of_a_secret(lab: Lab) -> None:
    told = failure(start(lab, "TALKATIVE", password="hard/to%guess"))
    assert told.cause.splitlines()[-1] == "wrong password <lab:talkative/password>"


def test_that_a_secret_of_a_server_that_does_not_run_says_how_to_start_it(lab: Lab) -> None:
    with pytest.raises(Unavailable, match="python -m core lab start s3"):
        reveal("lab:s3/secret-key")


def test_that_what_is_going_on_is_told(lab: Lab) -> None:
    answers = start(lab, "SERVING")
    assert answers[0] == Doing(server="serving", doing="starting serving")


def test_that_a_connection_is_closed_which_a_keeper_that_ends_takes_no_more(lab: Lab) -> None:
    folder = Path(tempfile.mkdtemp(prefix="sluice-lab-"))
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "s"))
        listener.listen()
        lab.place.write_state(LabState(keeper=os.getpid(), socket=str(folder / "s")))

        def take_and_leave() -> None:
            connection, _ = listener.accept()
            connection.close()

        ending = threading.Thread(target=take_and_leave)
        ending.start()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            assert not lab.servers()
            gc.collect()
        ending.join()
    assert not told
    assert not folder.exists()
