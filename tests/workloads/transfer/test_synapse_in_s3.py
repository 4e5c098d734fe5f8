"""The stand-in of Synapse that keeps files in the lab's S3, with its real client."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from patience import PATIENCE
from transferring import trial

from core.lab.keeper_messages import NotStarted, Started
from core.lab.lab_client import Lab, throw_away_lab
from core.measure import leftovers
from core.measure.machine.lab_records import lab_credentials
from core.vocabulary import Completed

pytestmark = [
    pytest.mark.lab("s3", "synapse"),
    # of functions that the client keeps until its next version
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]

IN_S3 = {"synapse": {"store": "s3"}}
LARGE = (8 << 20) + 1
"""Bytes of a file that the client sends in two parts."""
SIZES = (1, 5000, LARGE)


@pytest.fixture(scope="module")
def own_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A lab of the module's own, with an S3 and the stand-in in front of it."""
    need_drivers("transfer", client="synapse-sync")
    need_drivers("transfer", client="boto3")
    with throw_away_lab(tmp_path_factory.mktemp("in-s3")) as lab:
        lab.prepare(["s3", "synapse"])
        answers = list(lab.start(["synapse", "s3"], options=IN_S3, deadline=PATIENCE))
        assert sum(isinstance(one, Started) for one in answers) == 2, answers
        yield lab


@pytest.fixture
def reached(own_lab: Lab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mapping[str, Any]:
    monkeypatch.setenv("SLUICE_LAB", str(own_lab.place.folder))
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    (address,) = (one.address for one in own_lab.servers() if one.name == "synapse")
    return {"address": address, "token": "lab:synapse/token", "client": "synapse-sync"}


@pytest.fixture
def some_files(tmp_path: Path) -> Path:
    root = tmp_path / "some"
    root.mkdir()
    for size in SIZES:
        (root / f"of-{size}").write_bytes(bytes(size - 1) + b"%d" % (size % 10))
    return root


def sizes_in_s3(lab: Lab) -> list[int]:
    """Of all objects in the lab's bucket, as S3 itself lists them."""
    import boto3
    from botocore.config import Config

    keys = lab_credentials(lab.place.folder)["s3"]
    (address,) = (one.address for one in lab.servers() if one.name == "s3")
    s3: Any = boto3.client(
        "s3",
        endpoint_url=address.partition("endpoint=")[2],
        aws_access_key_id=keys["access-key"],
        aws_secret_access_key=keys["secret-key"],
        region_name="us-east-1",
        config=Config(s3={"addressing_style": "path"}),
    )
    found = s3.list_objects_v2(Bucket="sluice").get("Contents", ())
    s3.close()
    return sorted(one["Size"] for one in found)


def test_that_files_go_to_the_lab_s_s3_and_come_from_it(
    own_lab: Lab, reached: Mapping[str, Any], some_files: Path
) -> None:
    down = trial(some_files, **reached, direction="down")  # it is placed there, and stays
    assert down.outcome == Completed()
    assert (down.operations, down.errors, down.wrong) == (len(SIZES), 0, 0)
    kept = sizes_in_s3(own_lab)
    assert set(SIZES) <= set(kept)
    up = trial(some_files, **reached, direction="up")
    assert up.outcome == Completed()
    assert (up.operations, up.errors, up.wrong, up.unverified) == (len(SIZES), 0, 0, 0)
    assert leftovers() == ()
    assert sizes_in_s3(own_lab) == kept  # what was sent is removed
    keys = lab_credentials(own_lab.place.folder)["s3"].values()
    assert not any(key in str(done) for key in keys for done in (up, down))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"store": "s3"}, "the lab has no S3 to keep files in"),
        ({"store": "s3", "stalled": 0.1}, "neither slow nor silent"),
    ],
)
def test_that_a_stand_in_that_cannot_keep_files_in_s3_does_not_start_and_says_why(
    tmp_path: Path, options: Mapping[str, Any], said: str
) -> None:
    need_drivers("transfer", client="synapse-sync")
    with throw_away_lab(tmp_path / "lab") as lab:
        answers = list(lab.start(["synapse"], options={"synapse": options}, deadline=PATIENCE))
    (refused,) = (one for one in answers if isinstance(one, NotStarted))
    assert said in refused.cause
    assert refused.remedy
