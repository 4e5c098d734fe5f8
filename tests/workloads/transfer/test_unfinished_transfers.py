"""Transfers that would not complete: never counted as done, but what arrived is known."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from driving import need_drivers
from faulty_proxy import Act
from lab_servers import served
from marking import arguments_of
from patience import PATIENCE
from small_disk import fill, small_disk
from transferring import (
    FILES,
    S3_CLIENTS,
    Counting,
    names_sent,
    new_mark,
    open_transfer,
    performed,
    remote_of,
    through_proxy,
    transfer,
    trial,
)

from core.lab.lab_client import throw_away_lab
from core.lab.lab_folder import ServerState
from core.language import DatasetError, report_to_nobody
from core.measure import leftovers
from core.measure.machine.lab_records import lab_credentials
from core.measure.trial.trial_value import UNVERIFIED
from core.vocabulary import Completed, Crashed, Failed, Moment, TimedOut, build, open_dataset
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.transfer_workload import Transfer
from workloads.transfer.trees_in_remotes import folder_of_pass

NO_SPACE = "No space left on device"
THROUGH = 7
"""Uploads that get through before the server falls silent."""


@contextmanager
def silent_after(s3: Mapping[str, Any], through: int) -> Iterator[Mapping[str, Any]]:
    with through_proxy(s3, acts=lambda n: "silence" if n > through else "pass") as asked:
        yield {**asked, "direction": "up"}


def kill_children() -> None:
    """As the kernel does where there is no memory left."""
    for child in psutil.Process().children():
        with suppress(psutil.NoSuchProcess):  # it is dead already
            if "core.measure.trial.bootstrap" in arguments_of(child):
                child.kill()


@pytest.mark.lab("s3")
@pytest.mark.parametrize("lost", [0, 2], ids=["all there", "two lost there"])
def test_that_of_a_killed_trial_what_arrived_is_looked_at_file_by_file(
    s3: Mapping[str, Any], tree: Path, lost: int
) -> None:
    killed: list[Moment] = []
    before = names_sent(**s3)

    def kill(moment: Moment) -> None:
        if killed or sum(moment.operations) < THROUGH:
            return
        killed.append(moment)
        place = remote_of(**s3)
        for name in sorted(names_sent(**s3) - before)[:lost]:
            place.remove(f"sent-{name}")
        place.close()
        kill_children()

    with silent_after(s3, THROUGH) as asked:
        done = trial(tree, kill, **asked)
    assert isinstance(done.outcome, Crashed)
    assert done.outcome.signal == "SIGKILL"
    assert not done.valid
    assert done.operations == THROUGH
    assert (done.wrong, done.errors, done.unverified) == (lost, 0, 0)
    assert done.counters["files arrived"] == THROUGH - lost
    assert done.counters["files missing"] == FILES - THROUGH + lost
    assert done.counters["trees"] == 0
    assert {one.text for one in done.complaints} == ({"it did not arrive"} if lost else set())
    assert UNVERIFIED not in done.notes
    assert leftovers() == ()
    assert not any(secret in str(done) for secret in lab_credentials()["s3"].values())


@pytest.mark.lab("s3")
def test_that_a_transfer_over_its_deadline_is_no_stall_and_its_files_are_known(
    s3: Mapping[str, Any], tree: Path
) -> None:
    seconds = 4.0
    while True:  # it must come as far as to the transfer, however busy the machine is
        with silent_after(s3, THROUGH) as asked:
            done = trial(tree, **asked, deadline=seconds)
        assert isinstance(done.outcome, TimedOut)
        if done.outcome.stage == "measuring" or seconds > PATIENCE:
            break
        seconds *= 4
    assert not done.outcome.stalled
    assert not done.valid
    assert done.operations == done.counters["files arrived"] == THROUGH
    assert done.unverified == 0


@pytest.fixture(scope="module")
def doomed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, ServerState]]:
    """A lab with an S3 of its own, and that server."""
    need_drivers("transfer", client="boto3")
    folder = tmp_path_factory.mktemp("doomed")
    with throw_away_lab(folder) as lab:
        yield folder, served(lab, "s3")


@pytest.mark.lab("s3")
def test_that_a_server_that_is_killed_ends_the_transfer_with_a_reason(
    doomed: tuple[Path, ServerState], tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, server = doomed
    monkeypatch.setenv("SLUICE_LAB", str(folder))

    def kill_server(number: int) -> Act:
        if number == THROUGH + 1:
            for group in server.processes.values():
                os.killpg(group, signal.SIGKILL)
        return "pass"

    reached = {"client": "boto3", "address": server.address, "attempts": 1}
    reached |= {"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"}
    secrets = list(lab_credentials()["s3"].values())
    with through_proxy(reached, acts=kill_server) as asked:
        done = trial(tree, **asked, threads=1, direction="up")
    assert not any(secret in str(done) for secret in secrets)
    assert isinstance(done.outcome, Failed)
    assert "onnect" in done.outcome.message
    assert done.operations == done.unverified == THROUGH
    assert done.errors == FILES - THROUGH
    assert not done.valid
    assert any("what arrived was not audited" in note for note in done.notes)
    assert len(leftovers()) == 1


@pytest.mark.parametrize("direction", ["up", "down"])
def test_that_what_a_client_called_done_is_judged_after_its_process_is_gone(
    asked: Mapping[str, Any], small_tree: Path, direction: str
) -> None:
    mark, parameters = new_mark(), build(TransferParameters, {**asked, "direction": direction})
    job = open_transfer(small_tree, Counting(), **asked, direction=direction, mark=mark)
    with job.worker(0) as steps:
        performed(steps, 0)
    job.close()
    dataset = open_dataset(small_tree, ("files",))

    def remains() -> tuple[int, Mapping[str, str], float]:
        found = Transfer().remains(mark, dataset, parameters, report_to_nobody)
        assert found is not None
        told = {fault.item: fault.text for fault in found.faults}
        assert found.counters["files arrived"] + found.counters["files missing"] == 7
        return found.verified, told, found.counters["files arrived"]

    assert remains() == (7, {}, 7)
    if direction == "down":
        (folder_of_pass(parameters, mark, 0) / "sub" / "one").write_bytes(b"cut off")
        size = (small_tree / "sub" / "one").stat().st_size
        expected = {"sub/one": f"it has 7 B of {size:,} B"}
    else:
        place = remote_of(**asked, direction=direction)
        place.remove(f"sent-{mark}/0/sub/")
        place.close()
        expected = {"sub/one": "it did not arrive"}
    assert remains() == (7, expected, 6)
    assert Transfer().remove_leftovers(mark, parameters, report_to_nobody) >= 6
    assert Transfer().remains(mark, dataset, parameters, report_to_nobody) is None


@pytest.mark.lab("s3")
@pytest.mark.parametrize("client", S3_CLIENTS)
def test_that_another_run_of_the_client_moves_only_what_the_one_before_left_out(
    s3: Mapping[str, Any], small_tree: Path, client: str
) -> None:
    need_drivers("transfer", client=client)
    for path in small_tree.rglob("*"):  # what is as new as its copy, `aws s3 sync` copies again
        os.utime(path, (1e9, 1e9))
    asked_for: list[int] = []

    def refuse(number: int) -> Act:
        asked_for.append(number)
        return "refuse" if number % 3 == 1 else "pass"

    values = {**s3, "client": client, "attempts": 1, "runs": 5}
    with through_proxy(values, acts=refuse) as asked:
        done = transfer(small_tree, threads=1, **asked, direction="up")
    sizes = [path.stat().st_size for path in small_tree.rglob("*") if path.is_file()]
    assert done.complaints == {}
    assert done.meter.faults == []
    assert done.meter.done_operations == len(sizes) == 7
    assert done.meter.bytes == sum(sizes)
    assert done.counters["resumed"] >= 1
    assert len(asked_for) == 7 + sum(number % 3 == 1 for number in asked_for)


@pytest.mark.lab("s3")
@pytest.mark.parametrize("client", S3_CLIENTS)
def test_that_no_refused_file_is_called_done_whatever_its_name(
    s3: Mapping[str, Any], small_tree: Path, client: str
) -> None:
    need_drivers("transfer", client=client)
    values = {**s3, "client": client, "attempts": 1}
    with through_proxy(values, acts=lambda _: "refuse") as asked:
        done = transfer(small_tree, threads=1, **asked, direction="up")
    names = {
        path.relative_to(small_tree).as_posix() for path in small_tree.rglob("*") if path.is_file()
    }
    assert "two\nlines" in names
    assert {fault.item for fault in done.meter.faults} == names
    assert done.meter.done_operations == 0
    assert done.complaints == {}


@pytest.mark.lab("s3")
def test_that_what_the_last_run_leaves_out_has_failed(
    s3: Mapping[str, Any], small_tree: Path
) -> None:
    values = {**s3, "attempts": 1, "runs": 2}
    with through_proxy(values, acts=lambda n: "refuse" if n in (1, 8) else "pass") as asked:
        done = transfer(small_tree, threads=1, **asked, direction="up")
    (fault,) = done.meter.faults
    assert "SlowDown" in fault.text
    assert done.meter.done_operations == 6
    assert done.complaints == {}


def full_when(disk: Path, left: int) -> Callable[[], None]:
    return lambda: fill(disk, left)


def test_that_a_disk_that_fills_up_fails_the_files_for_which_there_is_no_room(
    asked: Mapping[str, Any], small_tree: Path, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "small", 1 << 20) as disk:
        values = {**asked, "direction": "down", "folder": str(disk)}
        done = transfer(small_tree, before=full_when(disk, 10 << 10), threads=1, **values)
    assert done.meter.faults
    broken = [
        fault for fault in done.meter.faults if "a line that its name has broken" in fault.text
    ]
    # synapseutils hides the cause behind an error that it makes while it logs the first one.
    hidden = "No Synapse client instance" if asked["client"] == "synapse-sync" else NO_SPACE
    full = [fault for fault in done.meter.faults if hidden in fault.text or NO_SPACE in fault.text]
    assert full
    assert all("make room" in fault.text for fault in full if NO_SPACE in fault.text)
    assert len(full) + len(broken) == len(done.meter.faults)
    assert len(broken) <= (asked["client"] == "s3-sync")
    assert not any(fault.wrong_data for fault in done.meter.faults)
    assert done.meter.done_operations + len(done.meter.faults) == 7
    assert done.complaints == {}


def test_that_a_disk_without_room_for_the_tree_is_told_before_the_first_byte(
    tree: Path, tmp_path: Path
) -> None:
    with small_disk(tmp_path / "small", 64 << 10) as disk:
        with pytest.raises(DatasetError, match="has room for"):
            open_transfer(tree, Counting(), client="copy", direction="down", folder=str(disk))
        assert list(disk.iterdir()) == []


def test_that_a_part_of_a_tree_is_a_tree_of_its_own(tree: Path) -> None:
    done = trial(tree, below="folder-003", direction="down")
    assert done.outcome == Completed()
    assert (done.operations, done.counters["files of a tree"]) == (5, 5)
    assert (done.errors, done.wrong, done.unverified) == (0, 0, 0)
