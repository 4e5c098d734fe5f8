"""What servers refuse for reasons of their own: a full disk, a wrong clock, another protocol."""

from __future__ import annotations

import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from patience import PATIENCE
from quick_servers import quick_name
from small_disk import fill, small_disk
from store_conformance import Mistake, Site, trial

from core.lab.keeper_messages import Started
from core.lab.lab_client import throw_away_lab
from core.language import SluiceError
from core.measure import leftovers
from core.vocabulary import Completed, Failed, Trial, describe

ROOM = 40 << 10
"""Bytes that are left on a full disk: enough for some of the tiles."""
LAB: Mapping[str, Any] = {
    "file": (),
    "s3": pytest.mark.lab("s3"),
    "hdfs": pytest.mark.lab("hdfs"),
}
KEYS = {"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"}
QUICK: Mapping[str, Mapping[str, Any]] = {"file": {}, "s3": {"attempts": 3}, "hdfs": {}}
FULL = r"No space left on device|could only be written to 0 of the 1"
BLOCK = 128 << 20
"""Bytes that a data node of Hadoop's wants to have left before it takes anything."""


def complaints_of(done: Trial) -> list[str]:
    """The kinds of errors of a trial that completed."""
    assert done.outcome == Completed()
    assert done.errors
    assert (done.wrong, done.throughput) == (0, None)
    return [one.text for one in done.complaints]


# A full disk.


@contextmanager
def filled(store: str, folder: Path) -> Iterator[Site]:
    """A store on a disk that has become full, as far as writing there is concerned."""
    if store == "file":
        with small_disk(folder / "small", 4 << 20) as disk:
            fill(disk, ROOM)
            yield Site("file", str(disk))
        return
    need_drivers("tiles", store=store, address="somewhere")
    size, left = (8 << 20, ROOM) if store == "s3" else (BLOCK + (64 << 20), BLOCK - (16 << 20))
    lab_folder = folder / "lab"
    with small_disk(lab_folder / "sites", size) as disk, throw_away_lab(lab_folder) as lab:
        lab.prepare([store])
        started = list(lab.start([quick_name(store)], deadline=PATIENCE))
        (server,) = (one.server for one in started if isinstance(one, Started))
        fill(disk, left)
        yield Site(store, server.address, KEYS if store == "s3" else {"timeout": 60.0})


@pytest.fixture(scope="module", params=[pytest.param(one, marks=LAB[one]) for one in LAB])
def full_disk(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Site, Path]]:
    """Each store that can be had on a small disk, which is full; and its lab."""
    folder = tmp_path_factory.mktemp("full")
    with filled(request.param, folder) as site:
        yield site, folder / "lab"


@pytest.fixture
def full(full_disk: tuple[Site, Path], monkeypatch: pytest.MonkeyPatch) -> Site:
    """The store, whose lab is the one that is asked for secrets in this test."""
    site, lab = full_disk
    monkeypatch.setenv("SLUICE_LAB", str(lab))
    return site


def test_that_a_disk_that_is_full_is_told_in_the_store_s_words_with_what_to_do(
    full: Site, folder: Path
) -> None:
    done = trial(folder, **full.values(direction="write", **QUICK[full.store]))
    complaints = complaints_of(done)
    full_ones = [told for told in complaints if re.search(FULL, told)]
    assert full_ones, complaints
    assert all("make room" in told for told in full_ones)
    # HDFS closes a connection, too: each has something to do about it.
    assert all(told.endswith(")") for told in complaints)


def test_that_what_was_written_before_a_disk_was_full_is_right_and_removed(
    full: Site, folder: Path
) -> None:
    done = trial(folder, **full.values(direction="write", **QUICK[full.store]))
    assert (done.wrong, done.unverified) == (0, 0)
    assert done.operations or full.store == "hdfs"  # which needs room for a whole block
    assert not [note for note in done.notes if "hdfs-native sleeps" not in note]
    assert leftovers() == ()


def test_that_a_layer_for_which_there_is_no_room_ends_its_trials_with_the_reason(
    full: Site, folder: Path
) -> None:
    outcome = trial(folder, **full.values(**QUICK[full.store])).outcome
    assert isinstance(outcome, Failed)
    assert (outcome.stage, outcome.trace) == ("placing", "")
    assert re.search(FULL, describe(outcome)), outcome
    assert "make room" in describe(outcome)


# A wrong clock.


@pytest.mark.lab("s3")
def test_that_a_wrong_clock_ends_a_trial_with_what_to_do(folder: Path, s3_site: Site) -> None:
    outcome = trial(folder, workload="shifted_clocks:SlowClock", **s3_site.values()).outcome
    assert isinstance(outcome, Failed)
    assert (outcome.stage, outcome.trace) == ("preparing", "")
    assert "RequestTimeTooSkewed" in describe(outcome)
    assert re.search("set this machine's clock.* NTP", describe(outcome))


@pytest.mark.lab("s3")
def test_that_a_clock_that_jumps_while_it_is_measured_is_told_with_what_to_do(
    folder: Path, s3_site: Site
) -> None:
    (told,) = complaints_of(
        trial(folder, workload="shifted_clocks:JumpingClock", **s3_site.values())
    )
    assert "RequestTimeTooSkewed" in told
    assert re.search("set this machine's clock.* NTP", told)


# Another protocol, or another version of it.


FORMS = {
    "s3": "s3://sluice?endpoint=http://127.0.0.1:{port}",
    "hdfs": "hdfs://127.0.0.1:{port}/sluice",
    "cassandra": "cassandra://127.0.0.1:{port}/sluice",
    "accumulo": "accumulo://127.0.0.1:{port}/sluice/sluice",
}
ELSEWHERE = [("s3", "hdfs"), ("hdfs", "s3"), ("cassandra", "s3"), ("cassandra", "hdfs")]
ELSEWHERE += [("accumulo", "s3")]


@pytest.mark.parametrize(
    ("store", "other"),
    [pytest.param(*pair, marks=pytest.mark.lab(*pair)) for pair in ELSEWHERE],
)
def test_that_a_server_of_something_else_is_told_within_the_timeout(
    request: pytest.FixtureRequest, store: str, other: str
) -> None:
    site: Site = request.getfixturevalue(f"{store}_site")
    there: Site = request.getfixturevalue(f"{other}_site")
    port = re.search(r"127\.0\.0\.1:(\d+)", there.address)
    assert port
    told = assert_refused(site, int(port[1]))
    assert "protocol version" in told or (store, other) != ("cassandra", "hdfs")


@pytest.mark.lab("cassandra")
@pytest.mark.parametrize(
    ("protocol", "said"),
    [("6", "Beta version of the protocol"), ("66", "ProtocolError returned from server")],
)
def test_that_a_version_of_the_protocol_that_a_server_refuses_is_told_in_its_words(
    folder: Path, cassandra_site: Site, protocol: str, said: str
) -> None:
    outcome = trial(folder, **cassandra_site.values(protocol=protocol)).outcome
    assert isinstance(outcome, Failed)
    assert outcome.trace == ""
    assert "cannot be talked to" in describe(outcome)
    assert said in describe(outcome)
    assert "let the parameter protocol be auto" in describe(outcome)


@pytest.mark.lab("cassandra")
@pytest.mark.parametrize("protocol", ["3", "4", "5"])
def test_that_each_version_of_the_protocol_that_a_server_knows_can_be_had(
    cassandra_site: Site, protocol: str
) -> None:
    mistake = Mistake(cassandra_site.address, {"protocol": protocol})
    with cassandra_site.opened(f"protocol-{protocol}", mistake=mistake) as store:
        store.put(1, b"tile")
        assert store.get(1) == b"tile"
        assert store.remove() == 1


@pytest.mark.lab("hdfs")
def test_that_a_name_node_that_says_nothing_is_not_waited_for(hdfs_site: Site) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        told = assert_refused(hdfs_site, silent.getsockname()[1])
    assert "no answer within 2 s" in told


def assert_refused(site: Site, port: int) -> str:
    """Opening the store there raises a clear error, which it returns."""
    timeout = {} if site.store == "s3" else {"timeout": 2.0}
    mistake = Mistake(FORMS[site.store].format(port=port), timeout)
    named = "S3 does not give" if site.store == "s3" else str(port)
    with pytest.raises(SluiceError, match=named) as raised:
        site.open("any", mistake=mistake).close()
    assert re.search("correct the address|check the endpoint", raised.value.remedy)
    return raised.value.cause
