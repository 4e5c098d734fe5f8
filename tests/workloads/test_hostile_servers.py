"""Servers that do what none should: one sentence each, in every workload and by every client.

The rows come from the registries, so that a new client has its rows by being in its table, and a
new workload that reads from servers fails the first test until it has some.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from counting_meter import Counting
from driving import need_drivers, performed
from hostile_server import HostileServer, hostile, self_signed
from patience import until

from core.language import SluiceError, report_to_nobody
from core.measure import Cancel, index_folder, make_dataset, run_trial
from core.run.blocks import new_run_id
from core.vocabulary import (
    Context,
    Dataset,
    Load,
    PhaseChanged,
    Slot,
    TimedOut,
    TrialEnded,
    build,
    declared,
    describe,
    registry,
    specify,
)
from workloads.arrays.array_kinds import ArrayShape
from workloads.arrays.array_parameters import READS
from workloads.raster.raster_datasets import RasterShape
from workloads.shared.objects import CLIENTS
from workloads.shared.servers import named_while_awaited
from workloads.tiles.make_layer import LayerShape
from workloads.transfer.clients import CLIENTS as TRANSFER_CLIENTS
from workloads.transfer.tree_datasets import TreeShape

KEYS = {"access_key": "env:SLUICE_TEST_KEY", "secret_key": "env:SLUICE_TEST_SECRET"}
BOTH = ("s3", "http")
BY_CLIENT = [(of, client.name) for client in CLIENTS for of in client.speaks]
REMOTE_READERS = list({**dict.fromkeys(READS["zarr"]), "h5py": None})
TILES = [(of, {"store": of, "client": name, "attempts": 1}) for of, name in BY_CLIENT]
WAYS: Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]] = {
    "tiles": [*TILES, *((of, {**values, "direction": "write"}) for of, values in TILES)],
    "gets": [(of, {"store": of, "attempts": 1}) for of in BOTH],
    "raster": [(of, {"store": of, "window": 64}) for of in BOTH],
    "arrays": [(of, {"store": of, "reader": reader}) for of in BOTH for reader in REMOTE_READERS],
    "sparse-remote": [(of, {"source": "server", "client": name}) for of, name in BY_CLIENT],
    "transfer": [
        ("s3", {"client": client.name, "direction": direction, "attempts": 1})
        for client in TRANSFER_CLIENTS
        # What another program says is not ours to put into words.
        if client.scheme == "s3" and client.tallies
        for direction in ("down", "up")
    ],
}


@dataclass(frozen=True)
class Way:
    """How one workload reaches a server."""

    workload: str
    of: str
    values: Mapping[str, Any]

    def __str__(self) -> str:
        chosen = (self.values.get(name) for name in ("client", "reader", "direction"))
        return "-".join(filter(None, (self.workload, self.of, *chosen)))


EVERY = [Way(workload, *row) for workload, rows in WAYS.items() for row in rows]
# Who writes is opened as who reads.
OPENED = [way for way in EVERY if way.values.get("direction") not in ("write", "up")]
each_way = pytest.mark.parametrize("way", OPENED, ids=str)


def test_that_every_workload_that_reads_from_servers_is_among_these() -> None:
    linked = {
        name
        for name in registry.workloads()
        if "round_trip" in {one.name for one in declared(registry.load_workload(name).parameters)}
    }
    assert linked == WAYS.keys()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Small data of each kind."""
    folder = tmp_path_factory.mktemp("data")
    (folder / "file").write_bytes(bytes(range(256)) * 400)
    shapes = {
        "tile-layer": LayerShape(columns=3, rows=2, tile_size=16, holes=0.0, level=1),
        "raster": RasterShape(width=512, height=512, block_size=64),
        "zarr": ArrayShape(times=2, rows=32, columns=32, chunks="1x16x16"),
        "hdf5": ArrayShape(times=2, rows=32, columns=32, chunks="1x16x16"),
        "file-tree": TreeShape(size=1000, files=2, depth=1, folders=1),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", str(folder / "cache"))
        paths = {
            kind: make_dataset(kind, shape, folder / kind, report_to_nobody).path
            for kind, shape in shapes.items()
        }
    return {**paths, "files": folder / "file"}


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in KEYS.values():
        monkeypatch.setenv(name.removeprefix("env:"), "test-key-of-nobody")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")


@pytest.fixture(scope="module")
def server() -> Iterator[HostileServer]:
    with hostile() as server:
        yield server


@pytest.fixture(scope="module")
def distrusted(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HostileServer]:
    with hostile(self_signed(tmp_path_factory.mktemp("certificate"))) as server:
        yield server


def dataset_of(way: Way, data: Mapping[str, Path]) -> Dataset:
    kind = {"raster": "raster", "arrays": "zarr", "transfer": "file-tree", "sparse-remote": "files"}
    chosen = "hdf5" if way.values.get("reader") == "h5py" else kind.get(way.workload, "tile-layer")
    return registry.open_dataset(data[chosen], registry.load_workload(way.workload).dataset_kinds)


def values_of(way: Way, server: HostileServer, dataset: Dataset) -> dict[str, Any]:
    """Its parameters; what nobody places is put there."""
    path, name = dataset.path, "data/"
    if way.workload == "sparse-remote" or (way.workload, way.of) == ("arrays", "http"):
        name = "data/cube.zarr" if path.is_dir() else f"data/{path.name}"
        for file in registry.dataset_kind(dataset.kind).files(path):
            below = f"/{file.relative_to(path)}" if path.is_dir() else ""
            server.objects[f"/bucket/{name}{below}"] = file.read_bytes()
    return {**way.values, "address": server.address(way.of, name), **KEYS}


PATIENT = 20.0
"""Seconds for an answer, where none is to be late."""


class Reached:
    """A workload that has been opened, or is to be."""

    def __init__(
        self, way: Way, server: HostileServer, data: Mapping[str, Path], timeout: float = PATIENT
    ) -> None:
        need_drivers(way.workload, **way.values, address=server.address(way.of))
        self.workload = registry.load_workload(way.workload)
        dataset = dataset_of(way, data)
        chosen = values_of(way, server, dataset)
        known = {one.name for one in declared(self.workload.parameters)}
        self.values = {name: chosen[name] for name in chosen if name in known}
        parameters = build(self.workload.parameters, self.values)
        self.meter = Counting(holds=False)
        server.fault = ""
        self.workload.place(dataset, parameters, report_to_nobody)
        self.context = Context(
            dataset=dataset,
            parameters=replace(parameters, timeout=timeout),
            load=Load(threads=1),
            process=0,
            run_id="test",
            mark="test-0-0000",
            cache=index_folder(dataset.fingerprint),
            report=report_to_nobody,
            meter=lambda index: self.meter,
        )

    @contextmanager
    def opened(self) -> Iterator[Any]:
        try:
            job = self.workload.open(self.context)
        except SluiceError:
            parameters = self.context.parameters
            if (longer := 10 * parameters.timeout) > PATIENT:
                raise
            # A busy machine may be late where it is honest.
            self.context = replace(self.context, parameters=replace(parameters, timeout=longer))
            job = self.workload.open(self.context)
        with closing(job):
            yield job


def require_sentence(text: str, said: str) -> None:
    """One plain sentence, in nobody's internal words."""
    assert re.search(said, text), text
    assert not re.search(r"[\n{}<>]|Error\(|object at 0x|Traceback|RequestFailed|kind:", text), text
    assert len(text) < 500


ANYWHERE = r"S3 does not give|does not answer as it should|does not read|cannot be read"
KEYS_REFUSED, LED_ON = r"SignatureDoesNotMatch|403", r"sends on to other addresses|it is at http"


@each_way
def test_that_a_server_that_refuses_from_the_beginning_is_told_in_a_sentence(
    server: HostileServer, data: Mapping[str, Path], way: Way
) -> None:
    reached = Reached(way, server, data)
    server.fault = "wrong keys"
    with pytest.raises(SluiceError, match=ANYWHERE) as refused, reached.opened():
        pass
    require_sentence(refused.value.cause, KEYS_REFUSED)
    assert refused.value.remedy


@each_way
def test_that_a_certificate_that_nobody_trusts_is_said(
    server: HostileServer, distrusted: HostileServer, data: Mapping[str, Path], way: Way
) -> None:
    reached = Reached(way, server, data)
    address = reached.context.parameters.address.replace(server.url, distrusted.url)
    parameters = replace(reached.context.parameters, address=address)
    reached.context = replace(reached.context, parameters=parameters)
    with pytest.raises(SluiceError, match=ANYWHERE) as refused, reached.opened():
        pass
    require_sentence(refused.value.cause, "certificate")
    assert "certificate that this machine trusts" in refused.value.remedy


WHILE = {"wrong keys": KEYS_REFUSED, "redirect loop": LED_ON}
ENDLESS = (
    # What comes byte by byte is an answer to botocore, and to transfers of long files.
    ("sparse-remote-s3-boto3", "slow drip"),
    # How long a part is on its way depends on its length.
    ("transfer-s3-obstore-up", "paused"),
    ("tiles-s3-boto3", "slow drip"),
    ("transfer-s3-boto3-down", "slow drip"),
    ("transfer-s3-s3fs-down", "slow drip"),
    ("transfer-s3-obstore-down", "slow drip"),
)
"""Where no client, but the end of the trial's patience, ends an operation."""
CUT = {"killed": "ended|500"}  # botocore makes 500 of a list that is cut off
FULL = {"full": "XMinioStorageFull|507"}
RANGES = dict.fromkeys(("short range", "other range", "whole"), "range|Range|asked for|got")
LATE = {
    "paused": r"within the time limit|[Tt]imed? ?out",
    # Read piece by piece, obstore does not say why it has given up.
    "slow drip": r"within the time limit|[Tt]imed? ?out|connection ended before",
}
SHORT = {"shorter": "shorter than it says|ended|asked for|not HTTP"}


def faults_while(way: Way) -> Mapping[str, str]:
    """What a server can do to operations that go that way, and how it is said."""
    late = {fault: LATE[fault] for fault in LATE if (str(way), fault) not in ENDLESS}
    if way.values.get("direction") in ("write", "up"):
        late.pop("slow drip", "")  # nothing is in an answer to what is written
        return {**WHILE, **FULL, **late}
    if way.workload == "arrays":  # whose libraries repeat for seconds what is cut off
        ranges = {"h5py": RANGES, "zarrs": {**RANGES, **SHORT}}.get(way.values["reader"], {})
        return {**WHILE, **late, **ranges}
    if way.workload == "raster":  # GDAL takes what was promised too long, and it is right
        more = {"killed": "got \\d+ bytes|ended", "whole": "Range", "other range": "ecod"}
        return {**WHILE, **late, **more, "short range": "got", "busy": "503"}
    more = {"tiles": {"longer": "ended"}, "sparse-remote": RANGES | SHORT}.get(way.workload, {})
    return {**WHILE, **CUT, **late, **more}


def limit_of(way: Way) -> float:
    """Seconds; libraries that read arrays repeat for six times as long."""
    return 0.05 if way.workload == "arrays" else 0.3


def complaints_of(way: Way, server: HostileServer, reached: Reached, fault: str) -> list[str]:
    """What is said of two operations, or one that waits, once a server is hostile."""
    with reached.opened() as job, job.worker(0) as steps:
        job.rewind()
        server.fault = fault
        try:
            most = 1 if fault in LATE else 2
            said = [*_complaints(job, steps, most)]
            return said + [one.text for one in reached.meter.faults[:most]]
        finally:
            server.fault = ""


def _complaints(job: Any, steps: Any, most: int) -> Iterator[str]:
    for item in [*job.items][:most]:
        try:
            result = performed(steps, item)
            yield from (fault.text for fault in job.faults(item, result))
        except SluiceError as error:
            assert error.__cause__ is not error  # noqa: PT017 - such causes have no end
            remedy = job.remedy(error)
            yield f"{error} ({remedy})" if remedy else str(error)


@pytest.mark.filterwarnings("ignore:Successfully reconstructed a store:RuntimeWarning")
@pytest.mark.parametrize(
    ("way", "fault"),
    [pytest.param(way, fault, id=f"{way}-{fault}") for way in EVERY for fault in faults_while(way)],
)
def test_that_a_server_that_becomes_hostile_is_complained_of_in_a_sentence(
    server: HostileServer, data: Mapping[str, Path], way: Way, fault: str
) -> None:
    threads = set(threading.enumerate())
    reached = Reached(way, server, data, limit_of(way) if fault in LATE else PATIENT)
    complaints = complaints_of(way, server, reached, fault)
    assert complaints
    for text in complaints:
        require_sentence(text, faults_while(way)[fault])
    assert not reached.meter.done_operations
    until(lambda: not {one for one in threading.enumerate() if _is_of_a_client(one)} - threads)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"reader": "tensorstore"}, True),
        ({"reader": "h5py", "client": "s3fs", "block_size": 1024}, True),
        ({"reader": "zarr"}, False),
    ],
)
def test_that_what_arrays_ask_for_again_is_counted_or_not_counted_is_said(
    server: HostileServer, data: Mapping[str, Path], values: dict[str, Any], told: bool
) -> None:
    reached = Reached(Way("arrays", "s3", {"store": "s3", **values}), server, data)
    with reached.opened() as job, job.worker(0) as steps:
        assert any("retries are not counted" in note for note in job.notes) is not told
        before, asked = job.counts_so_far(), len(server.asked)
        server.fault = "busy"
        passing = threading.Thread(target=until, args=[lambda: passes(server, asked)])
        passing.start()
        performed(steps, job.items[-1])
        passing.join()
        gained = {name: count - before[name] for name, count in job.counts_so_far().items()}
    if told:
        assert gained["requests"] == len(server.asked) - asked
        assert 1 <= gained["retries"] < gained["requests"]


def passes(server: HostileServer, asked: int) -> bool:
    """Whether it was asked for more than that, after which it is honest again."""
    if len(server.asked) > asked:
        server.fault = ""
    return not server.fault


def test_that_what_comes_byte_by_byte_without_an_end_is_ended_with_its_trial(
    server: HostileServer, data: Mapping[str, Path]
) -> None:
    name, fault = ENDLESS[0]
    (way,) = [way for way in EVERY if str(way) == name]
    reached = Reached(way, server, data)
    limits = {"warm_up": 0.0, "threads": 1, "stall": 0.6}
    spec = specify(way.workload, reached.context.dataset, reached.values | limits)
    with closing(Cancel()) as cancel:
        for event in run_trial(Slot(0, 0, spec), new_run_id(), cancel):
            if isinstance(event, PhaseChanged) and event.phase == "measuring":
                server.fault = fault
            if isinstance(event, TrialEnded):
                ended = event.trial.outcome
    server.fault = ""
    assert isinstance(ended, TimedOut)
    require_sentence(describe(ended), "nothing moved within 0.6 s")


@pytest.mark.parametrize(
    "way", [way for way in EVERY if way.values.get("direction") in ("write", "up")], ids=str
)
def test_that_to_remove_what_was_written_takes_no_longer_than_the_answers_may(
    server: HostileServer, data: Mapping[str, Path], way: Way
) -> None:
    reached = Reached(way, server, data, limit_of(way))
    workload, parameters = reached.workload, reached.context.parameters
    server.fault = "paused"
    with pytest.raises(SluiceError) as late:
        workload.remove_leftovers("test-0-0000", parameters, report_to_nobody)
    server.fault = ""
    require_sentence(late.value.cause, LATE["paused"])
    assert "overloaded" in late.value.remedy


def test_that_waiting_is_told_no_longer_than_the_answer_may_take() -> None:
    told: list[str] = []
    with named_while_awaited(lambda doing, *_: told.append(doing), "s3", "there", longest=0.5):
        until(lambda: "waiting" not in {thread.name for thread in threading.enumerate()})
    assert not told


def _is_of_a_client(thread: threading.Thread) -> bool:
    """Not one of the server's, which ends when its client has hung up, or of zarr's pool."""
    return not re.search("process_request_thread|asyncio", thread.name)
