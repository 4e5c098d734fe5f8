"""Servers for programs that need one to measure on."""

from __future__ import annotations

import fcntl

import psutil
import pytest
from patience import PATIENCE
from rigged_servers import rigged_processes

from core.lab.kits import kit_of
from core.lab.lab_client import Lab
from core.lab.server_offer import LocalServers
from core.lab.servers import recipe_of
from core.language import SluiceError
from core.measure import lab_servers
from core.vocabulary import ServerUse


class NoLongerWantedError(Exception):
    """Nobody waits for the server any more."""


def use(name: str) -> ServerUse:
    return ServerUse(server=f"rigged_servers:{name}", at={}, values={"user": "me"})


@pytest.fixture
def servers(lab: Lab) -> LocalServers:
    return LocalServers(lambda: lab)


def test_that_a_server_is_started_once_and_told_with_all_that_uses_it(
    lab: Lab, servers: LocalServers
) -> None:
    told: list[str] = []
    values = servers.serve(use("SERVING"), lambda doing, *_: told.append(doing))
    (state,) = lab.servers()
    assert state.state == "ready"
    assert values == {"address": state.address, "user": "me"}
    assert "starting serving" in told
    assert servers.serve(use("SERVING")) == values
    assert lab.servers() == (state,)


def test_that_what_runs_is_offered_known_and_stopped(lab: Lab, servers: LocalServers) -> None:
    assert servers.known() == []
    assert not servers.offer("rigged_servers:SERVING").serves
    servers.serve(use("SERVING"))
    assert servers.offer("rigged_servers:SERVING").serves
    assert servers.known() == ["serving"]
    assert servers.stop() == ["serving"]
    assert servers.known() == []


def test_that_servers_whose_keeper_was_killed_are_not_named_any_more(
    lab: Lab, servers: LocalServers
) -> None:
    servers.serve(use("SERVING"))
    state = lab.place.state()
    assert state is not None
    written = lab.place.folder / "state.json"
    told = written.read_bytes()
    assert servers.stop() == ["serving"]
    with (lab.place.folder / "keeper.lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # until the keeper has ended
    written.write_bytes(told)  # as a keeper leaves it that is killed
    assert lab.place.state() == state
    assert servers.known() == []
    assert not lab.servers()


def test_that_a_failed_start_is_told_with_its_cause_and_leaves_nothing(
    lab: Lab, servers: LocalServers
) -> None:
    with pytest.raises(SluiceError, match="exit code 3\nno room for tiles"):
        servers.serve(use("DYING"))
    assert not lab.servers()


def test_that_a_start_nobody_waits_for_any_more_ends_at_once_and_leaves_nothing(
    lab: Lab, servers: LocalServers
) -> None:
    def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        if rigged_processes():  # it is being waited for, and would be for minutes
            raise NoLongerWantedError

    with pytest.raises(NoLongerWantedError):
        servers.serve(use("NEVER_READY"), report)
    _, alive = psutil.wait_procs(rigged_processes(), timeout=PATIENCE)
    assert alive == []
    while lab.servers():
        pass
    assert lab_servers(lab.place.folder) == {}


def test_that_what_is_to_be_fetched_is_told_beforehand(
    servers: LocalServers,
) -> None:
    name = "rigged_servers:BUILT"
    assert servers.offer(name).fetches == 66 << 20
    kit_of(recipe_of(name), lambda *_: None)
    assert servers.offer(name).fetches == 0


def test_that_a_look_nobody_waits_for_any_more_is_not_taken(servers: LocalServers) -> None:
    def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        raise NoLongerWantedError

    with pytest.raises(NoLongerWantedError):
        servers.offer("rigged_servers:SERVING", report)
