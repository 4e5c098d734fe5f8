"""The real S3 server of the lab, started by the test, directly and through the proxy."""

from __future__ import annotations

import os
import random
import shlex
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import psutil
import pytest
from patience import PATIENCE

from core.lab.keeper_messages import Started
from core.lab.lab_client import Lab, throw_away_lab
from core.lab.lab_folder import ServerState
from core.lab.servers import s3
from core.measure import reveal
from core.tell.cli import main

pytestmark = pytest.mark.lab("s3")

AWKWARD = "wr/ong%2F +'\"<&>\\ index ü"


@pytest.fixture(scope="module")
def real_lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """A lab with S3 and a proxy before it; what S3 needs is built once on this machine."""
    folder = tmp_path_factory.mktemp("lab")
    with pytest.MonkeyPatch.context() as patch, throw_away_lab(folder) as lab:
        patch.setenv("SLUICE_LAB", str(folder))
        lab.prepare(["s3", "proxy"])
        yield lab
    assert lab.servers() == ()


def started(lab: Lab, *names: str, **more: Any) -> dict[str, ServerState]:
    answers = list(lab.start(names, deadline=PATIENCE, **more))
    found = {one.server.name: one.server for one in answers if isinstance(one, Started)}
    assert set(found) == set(names), answers
    return found


def test_that_users_are_told_how_a_workload_uses_it(
    real_lab: Lab, capsys: pytest.CaptureFixture[str]
) -> None:
    servers = started(real_lab, "s3", "proxy", options={"proxy": {"of": "s3"}})
    assert main(["lab", "status"]) == 0
    uses = [
        line
        for line in capsys.readouterr().out.splitlines()
        if "use:" in line and "measure tiles" in line
    ]
    real_lab.stop(["proxy"])
    for line, state in zip(uses, servers.values(), strict=True):
        words = shlex.split(line)
        assert words[:3] == ["use:", "measure", "tiles"]
        assert dict(zip(words[3::2], words[4::2], strict=True)) == {
            "--store": "s3",
            "--address": state.address,
            "--access-key": "lab:s3/access-key",
            "--secret-key": "lab:s3/secret-key",
        }


def client(state: ServerState, keys: Mapping[str, str] | None = None) -> Any:
    import boto3
    from botocore.config import Config

    keys = keys or {name: reveal(name) for name in state.secrets}
    access, secret = (keys[f"lab:{state.name}/{name}"] for name in ("access-key", "secret-key"))
    return boto3.client(
        "s3",
        endpoint_url=state.address.partition("?endpoint=")[2],
        aws_access_key_id=access,
        aws_secret_access_key=secret,
        region_name="us-east-1",
        config=Config(
            s3={"addressing_style": "path"},
            retries={"total_max_attempts": 1},
            max_pool_connections=50,
        ),
    )


def test_that_objects_come_back_and_are_gone_with_the_server(real_lab: Lab) -> None:
    state = started(real_lab, "s3")["s3"]
    assert state.address.startswith("s3://sluice?endpoint=http://127.0.0.1:")
    store = client(state)
    drawn = random.Random(7)
    objects = {f"layer/{number}": drawn.randbytes(5000 + number) for number in range(60)}
    for key, value in objects.items():
        store.put_object(Bucket="sluice", Key=key, Body=value)
    seen: dict[str, bytes] = {}

    def read(keys: list[str]) -> None:
        for key in keys:
            seen[key] = store.get_object(Bucket="sluice", Key=key)["Body"].read()

    threads = [threading.Thread(target=read, args=[list(objects)[n::8]]) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == objects
    sites = list(real_lab.place.sites.glob("s3-*"))
    assert len(sites) == 1
    real_lab.stop(["s3"])
    assert not sites[0].exists()


def test_that_wrong_credentials_are_refused(real_lab: Lab) -> None:
    from botocore.exceptions import ClientError

    state = started(real_lab, "s3")["s3"]
    right = {name: reveal(name) for name in state.secrets}
    wrong = client(state, {**right, "lab:s3/secret-key": "wrong"})
    with pytest.raises(ClientError, match="SignatureDoesNotMatch"):
        wrong.list_objects_v2(Bucket="sluice")


def test_that_awkward_credentials_work_and_show_nowhere(real_lab: Lab) -> None:
    real_lab.stop()
    planted = {"s3": {"access-key": "AKIAwrong", "secret-key": AWKWARD}}
    state = started(real_lab, "s3", secrets=planted)["s3"]
    client(state).put_object(Bucket="sluice", Key="a", Body=b"b")
    for pid in state.processes.values():
        assert AWKWARD not in " ".join(psutil.Process(pid).cmdline())
        assert "AKIAwrong" not in " ".join(psutil.Process(pid).cmdline())
    for path in real_lab.place.folder.rglob("*"):
        if path.is_file() and path.name != "credentials.json":
            assert AWKWARD.encode() not in path.read_bytes(), path
    real_lab.stop()


def test_that_the_proxy_makes_s3_slow_down_and_boto3_understands_it(real_lab: Lab) -> None:
    from botocore.exceptions import ClientError

    options = {"proxy": {"of": "s3", "rate": 0.001, "burst": 6, "latency": 0.01}}
    states = started(real_lab, "s3", "proxy", options=options)
    store = client(states["proxy"])
    store.put_object(Bucket="sluice", Key="a", Body=bytes(100_000))
    for _ in range(5):
        assert len(store.get_object(Bucket="sluice", Key="a")["Body"].read()) == 100_000
    for call in (
        lambda: store.get_object(Bucket="sluice", Key="a"),
        lambda: store.put_object(Bucket="sluice", Key="b", Body=bytes(100_000)),
    ):
        with pytest.raises(ClientError) as refused:
            call()
        assert refused.value.response["Error"]["Code"] == "SlowDown"
        assert refused.value.response["ResponseMetadata"]["HTTPStatusCode"] == 503
    counted = {one.name: one.counted for one in real_lab.servers()}["proxy"]
    assert counted["requests"] == 8
    assert counted["503"] == 2
    real_lab.stop()


def test_that_s3_serves_where_files_have_no_attributes(
    real_lab: Lab, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from core.lab.kits import kit_of
    from core.lab.recipe import Site
    from core.lab.server_processes import RunningServer
    from core.lab.server_table import free_ports, random_secret
    from core.measure.machine.processes.supervisor import Supervisor

    def none(path: str, *rest: object) -> None:
        raise OSError(95, "Operation not supported", path)

    monkeypatch.setattr(os, "setxattr", none, raising=False)
    keys = {name: random_secret() for name in s3.S3.secrets}
    logs = tmp_path / "logs"
    site = Site(folder=tmp_path, logs=logs, ports=free_ports(["main"]), secrets=keys)
    server = s3.S3.start(kit_of(s3.S3, lambda *told: None), site)
    assert "--sidecar" in server.commands[0].argv
    supervisor = Supervisor()
    running = RunningServer(server, supervisor, site=site, secrets={}, tell_ended=lambda: None)
    try:
        running.wait_until_ready(PATIENCE, lambda: False)
        state = ServerState(name="s3", title="", state="ready", address=server.address)
        store = client(state, {f"lab:s3/{name}": value for name, value in keys.items()})
        store.put_object(Bucket="sluice", Key="a", Body=b"b", Metadata={"kept": "yes"})
        assert store.head_object(Bucket="sluice", Key="a")["Metadata"] == {"kept": "yes"}
    finally:
        running.stop()
        supervisor.close()
