"""`python -m core lab` as its users call it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from patience import PATIENCE
from rigged_servers import HERE, rigged_processes

from core.lab.lab_client import Lab

ROOT = HERE.parents[2]


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "core", "lab", *arguments]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{HERE}"}


def call(*arguments: str) -> tuple[int, str, str]:
    ran = subprocess.run(
        command(*arguments), env=environment(), capture_output=True, text=True, check=False
    )
    return ran.returncode, ran.stdout, ran.stderr


def json_of(*arguments: str) -> tuple[int, Any]:
    code, out, _ = call(*arguments, "--json")
    return code, msgspec.json.decode(out)


def test_that_a_server_is_started_shown_logged_and_stopped(lab: Lab) -> None:
    code, out, _ = call("start", "rigged_servers:SERVING")
    assert code == 0
    assert out.splitlines()[0].split()[:2] == ["serving", "ready"]
    assert "lab:serving/password" in out
    assert call("status")[1] == out
    logged = call("logs", "rigged_servers:SERVING")[1].splitlines()
    assert logged[0] == "== serving/serve =="
    assert logged[1].startswith("serving with ")
    assert call("stop")[:2] == (0, "serving stopped\n")
    assert call("stop")[:2] == (0, "nothing was running\n")
    assert call("status")[:2] == (0, "nothing is running\n")
    assert call("logs")[1].splitlines() == logged


def test_that_a_server_that_answers_no_more_is_said_to_be_silent(lab: Lab) -> None:
    call("start", "rigged_servers:SERVING")
    (site,) = lab.place.sites.iterdir()
    (site / "mute").touch()
    code, out, _ = call("status")
    assert code == 1
    assert out.splitlines()[0].split()[:2] == ["serving", "silent"]
    assert "problem:  it does not answer" in out
    code, _, complaint = call("start", "rigged_servers:SERVING")
    assert code == 1
    assert "serving: it does not answer (stop it, and start it again: " in complaint
    (site / "mute").unlink()
    code, out, _ = call("status")
    assert (code, out.split()[:2]) == (0, ["serving", "ready"])


def test_that_programs_read_all_of_it_as_json(lab: Lab) -> None:
    code, told = json_of("start", "rigged_servers:SERVING", "rigged_servers:DYING")
    assert code == 1
    (server,), (failed,) = told["servers"], told["failed"]
    assert (server["name"], server["state"]) == ("serving", "ready")
    assert failed["server"] == "dying"
    assert json_of("status") == (0, {"servers": [server]})
    assert json_of("stop") == (0, {"stopped": ["serving"]})
    assert json_of("status") == (0, {"servers": []})
    assert json_of("logs")[1]["logs"]["dying/one"] == ["no room for tiles"]


def test_that_a_server_that_fails_is_told_with_its_last_words(lab: Lab) -> None:
    code, out, errors = call("start", "rigged_servers:DYING")
    assert code == 1
    assert out == ""
    assert "sluice: dying: one ended with exit code 3\nno room for tiles\n" in errors


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["start", "s33"], "there is no server named 's33' (did you mean s3?)"),
        (["stop", "s33"], "did you mean s3?"),
        (["logs", "s33"], "did you mean s3?"),
        (["start", "rigged_servers:SERVING", "--rate", "5"], "--rate belongs to none"),
        (["start", "proxy", "--rate", "-5"], "--rate: "),
        (["start", "rigged_servers:SERVING", "--deadline", "soon"], "--deadline: "),
        (["start"], "Missing argument"),
    ],
    ids=str,
)
def test_that_a_mistake_of_the_user_is_exit_code_2(
    lab: Lab, arguments: list[str], said: str
) -> None:
    code, _, errors = call(*arguments)
    assert code == 2
    assert said in errors
    assert lab.servers() == ()


def test_that_a_server_that_has_ended_makes_status_fail(lab: Lab) -> None:
    _, told = json_of("start", "rigged_servers:SERVING")
    os.kill(told["servers"][0]["processes"]["serve"], signal.SIGKILL)
    while lab.servers()[0].state != "ended":
        pass
    code, out, _ = call("status")
    assert code == 1
    assert "serve was ended by SIGKILL" in out


def test_that_ctrl_c_during_a_start_stops_what_was_begun(lab: Lab) -> None:
    call("start", "rigged_servers:SECOND")
    names = ("rigged_servers:SERVING", "rigged_servers:NEVER_READY")
    starting = subprocess.Popen(
        command("start", *names),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    while {one.name for one in lab.servers() if one.processes} != {
        "second",
        "serving",
        "never-ready",
    }:
        assert starting.poll() is None
    starting.send_signal(signal.SIGINT)
    _, errors = starting.communicate(timeout=PATIENCE)
    assert starting.returncode == 130
    assert errors.splitlines()[-1] == "sluice: interrupted"
    assert [one.name for one in lab.servers()] == ["second"]
    assert len(rigged_processes()) == 2


def test_that_a_lab_outlives_the_command_that_started_it_and_its_terminal(lab: Lab) -> None:
    starting = subprocess.run(
        command("start", "rigged_servers:SERVING"),
        env=environment(),
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    assert starting.returncode == 0
    state = Lab(Path(os.environ["SLUICE_LAB"])).place.state()
    assert state is not None
    assert os.getsid(state.keeper) == state.keeper
    assert [one.state for one in lab.servers()] == ["ready"]
