"""Damage that libraries pass over in silence is found, in files and in copies on a server."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import copied, drive, need_drivers, printed_by
from lab_servers import served
from one_trial import one_pass

from core.lab.lab_client import Lab
from core.language import DatasetError, report_to_nobody
from core.measure import reveal
from core.vocabulary import Completed, Dataset, build, open_dataset, registry
from workloads.arrays.array_parameters import READS
from workloads.shared.served import Served

ZARR = READS["zarr"]


@pytest.fixture(autouse=True)
def drivers() -> None:
    for reader in ZARR:
        need_drivers("arrays", reader=reader)


@pytest.fixture
def copy(made: Callable[[str], Dataset], tmp_path: Path) -> Callable[[str], Path]:
    """A copy of a sample, to be damaged."""

    def of(kind: str) -> Path:
        there = made(kind).path
        place = tmp_path / there.name
        (shutil.copytree if there.is_dir() else shutil.copy)(there, place)
        return place

    return of


def flip(file: Path) -> None:
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


@pytest.mark.parametrize("reader", ZARR)
def test_that_a_missing_chunk_is_found(copy: Callable[[str], Path], reader: str) -> None:
    folder = copy("zarr")
    (folder / "c/1/0/0").unlink()
    driven = drive("arrays", folder, reader=reader)
    assert not driven.errors  # no library says anything
    assert [text.endswith("cells are others") for text in driven.complaints] == [True]


@pytest.mark.parametrize("reader", ZARR)
def test_that_a_flipped_byte_is_found(copy: Callable[[str], Path], reader: str) -> None:
    folder = copy("zarr")
    flip(folder / "c/1/0/0")
    driven = drive("arrays", folder, reader=reader)
    assert len(driven.errors) + len(driven.complaints) == 1
    trial = one_pass("arrays", open_dataset(folder, ("zarr",)), reader=reader)
    assert trial.outcome != Completed() or trial.wrong + trial.errors


@pytest.mark.parametrize("kind", ["hdf5", "netcdf"])
def test_that_a_file_cut_off_is_refused_in_a_sentence(
    copy: Callable[[str], Path], kind: str
) -> None:
    file = copy(kind)
    file.write_bytes(file.read_bytes()[:-5000])
    with pytest.raises(DatasetError) as refusal:
        drive("arrays", file, reader=READS[kind][0])
    assert str(file) in str(refusal.value)
    assert "shorter than it says" in str(refusal.value)


@pytest.fixture
def bucket(servers: Lab) -> dict[str, Any]:
    """How a bucket of the lab is reached."""
    keys = {"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"}
    return {"store": "s3", "address": served(servers, "s3").address, **keys}


def placed(dataset: Dataset, **values: Any) -> None:
    """Have the engine's part done: the data copied to its server, where it is not there yet."""
    workload = registry.load_workload("arrays")
    workload.place(dataset, build(workload.parameters, values), report_to_nobody)


def served_by(values: dict[str, Any], dataset: Dataset, name: str = "") -> Served:
    parameters = build(registry.load_workload("arrays").parameters, values)
    served: Served | None = parameters.served(dataset, name)
    assert served is not None
    return served


@pytest.mark.lab("s3")
@pytest.mark.parametrize(
    ("reader", "more"),
    [
        *((reader, {}) for reader in [*ZARR, "h5py"]),
        ("h5py", {"client": "s3fs", "block_size": 1024}),
    ],
)
def test_that_a_bucket_is_read_right_and_its_wire_is_counted(
    made: Callable[[str], Dataset], bucket: dict[str, Any], reader: str, more: dict[str, Any]
) -> None:
    values = {**bucket, "reader": reader, **more}
    need_drivers("arrays", **values)
    dataset = made("hdf5" if reader == "h5py" else "zarr")
    placed(dataset, **values)
    trial = one_pass("arrays", dataset, **values, round_trip=0.001)
    assert trial.outcome == Completed(), trial
    assert trial.counters["requests"] >= (trial.operations if reader in ZARR else 1)
    assert trial.counters["wire bytes"] > 0
    if reader == "tensorstore":  # which counts by itself what a proxy has counted
        own = one_pass("arrays", dataset, **values)
        assert own.counters["requests"] == trial.counters["requests"]


@pytest.mark.lab("s3")
@pytest.mark.parametrize("reader", ZARR)
def test_that_a_byte_flipped_in_the_bucket_alone_is_found_by_the_users_original(
    tmp_path: Path, bucket: dict[str, Any], reader: str
) -> None:
    import numpy as np
    import zarr
    from obstore.store import S3Store

    folder = tmp_path / "own.zarr"
    zarr.create_array(folder, data=np.arange(600.0).reshape(30, 20), chunks=(10, 20))
    dataset = open_dataset(folder, ("zarr",))
    values = {**bucket, "reader": reader, "address": f"{bucket['address']}"}
    placed(dataset, **values)
    served = served_by(values, dataset, "own.zarr")
    store: S3Store = served.obstore(f"{served.name}/")
    content = bytearray(bytes(store.get("c/1/0").bytes()))
    content[len(content) // 2] ^= 1
    store.put("c/1/0", bytes(content))
    trial = one_pass("arrays", dataset, **values)
    assert (trial.wrong + trial.errors, trial.operations) in ((1, 3), (1, 2))


@pytest.mark.lab("s3")
@pytest.mark.parametrize("reader", [*ZARR, "h5py"])
def test_that_an_array_at_an_address_is_read_as_it_is_whatever_the_dataset_is(
    made: Callable[[str], Dataset], tmp_path: Path, bucket: dict[str, Any], reader: str
) -> None:
    import h5py
    import numpy as np
    import zarr
    from obstore.store import S3Store

    cells, kind = np.arange(600.0).reshape(30, 20), "hdf5" if reader == "h5py" else "zarr"
    group = zarr.open_group(tmp_path / "own.zarr", zarr_format=2)
    group.create_array("deep/one", data=cells, chunks=(10, 20))
    zarr.consolidate_metadata(tmp_path / "own.zarr")
    with h5py.File(tmp_path / "own.h5", "w") as file:
        file["one"] = cells
    place = bucket["address"].replace("?", f"/{reader}/own.{'h5' if kind == 'hdf5' else 'zarr'}?")
    values = {**bucket, "address": place, "reader": reader, "pattern": "all"}
    store: S3Store = served_by(values, made("zarr")).obstore(f"{reader}/")
    for file in [tmp_path / "own.h5", *(tmp_path / "own.zarr").rglob("*")]:
        if file.is_file():
            store.put(file.relative_to(tmp_path).as_posix(), file.read_bytes())
    placed(made("zarr"), **values)
    trial = one_pass("arrays", made("zarr"), **values)
    assert (trial.outcome, trial.operations, trial.wrong) == (Completed(), 1, 0), trial
    named = {**values, "array": "one" if kind == "hdf5" else "deep/one"}
    code = copied("arrays", made("zarr"), **named)["Python"]
    keys = ("access-key", "AWS_ACCESS_KEY_ID"), ("secret-key", "AWS_SECRET_ACCESS_KEY")
    environment = {name: reveal(f"lab:s3/{key}") for key, name in keys}
    assert printed_by(code, environment) == f"{cells.nbytes} bytes"
