"""What somebody would write who wants to know how long a client takes for a tree: a plain script.

    python tests/benchmarks/plain_transfers.py JSON

It makes the same calls of the same clients as the workload, and prints the seconds of each pass:
one, or with "seconds" as many as that takes, each after what the one before left was removed.
Logging in, making the folder there, the names of the files that are sent and the manifest come
before the clock, as in the workload; the names of those that are fetched are asked for after it.
"""

from __future__ import annotations

import csv
import json
import os
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from io import FileIO
from pathlib import Path
from time import perf_counter
from typing import Any

from truth_readers import s3_client

type Asked = Mapping[str, Any]
"""client, direction, folder, prefix, threads, own; bucket, endpoint, part; base, container."""


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def copy(asked: Asked) -> Callable[[], None]:
    """Threads, each of which copies a file at a time by blocks of a mebibyte."""
    from concurrent.futures import ThreadPoolExecutor

    source, target = asked["source"], asked["target"]
    known = sorted(paths_below(source)) if asked["direction"] == "up" else None

    def each(left: Iterator[str]) -> None:
        made = set()
        for path in left:
            goal = target + path[len(source) :]
            if (folder := goal.rpartition("/")[0]) not in made:
                Path(folder).mkdir(parents=True, exist_ok=True)
                made.add(folder)
            with FileIO(path) as read, FileIO(goal, "w") as write:
                while block := read.read(1 << 20):
                    write.write(block)

    def work() -> None:
        left = iter(known or sorted(paths_below(source)))
        with ThreadPoolExecutor(asked["threads"]) as pool:
            for one in [pool.submit(each, left) for _ in range(asked["threads"])]:
                one.result()

    return work


def paths_below(folder: str) -> Iterator[str]:
    with os.scandir(folder) as entries:
        for one in entries:
            if one.is_dir(follow_symlinks=False):
                yield from paths_below(one.path)
            elif one.is_file():
                yield one.path


def boto3(asked: Asked) -> Callable[[], None]:
    """s3transfer with the same client and the same settings."""
    from s3transfer.manager import TransferConfig, TransferManager

    client = s3_client(asked["endpoint"], asked["threads"])
    # The workload has looked there before the clock too, by which botocore reads its own tables.
    looking = client.get_paginator("list_objects_v2").paginate(Bucket=asked["bucket"])
    next(iter(looking), None)
    config = TransferConfig(
        multipart_threshold=asked["part"],
        multipart_chunksize=asked["part"],
        max_request_concurrency=asked["threads"],
    )
    folder, prefix, bucket = Path(asked["folder"]), asked["prefix"], asked["bucket"]
    up = asked["direction"] == "up"
    known = [path.relative_to(folder).as_posix() for path in files_of(folder)] if up else []

    def upload(manager: Any) -> list[Any]:
        return [manager.upload(str(folder / name), bucket, prefix + name) for name in known]

    def download(manager: Any) -> list[Any]:
        coming = []
        for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket, Prefix=prefix):
            for found in page["Contents"]:
                path = folder / found["Key"].removeprefix(prefix)
                path.parent.mkdir(parents=True, exist_ok=True)
                coming.append(manager.download(bucket, found["Key"], str(path)))
        return coming

    def work() -> None:
        with TransferManager(client, config) as manager:
            for future in (upload if up else download)(manager):
                future.result()

    return work


def s3_sync(asked: Asked) -> Callable[[], None]:
    """The command itself, with a configuration of its own."""
    settings = Path(asked["own"]) / "aws"
    settings.write_text(
        "[default]\ns3 =\n"
        f"  max_concurrent_requests = {asked['threads']}\n"
        f"  multipart_threshold = {asked['part']}\n"
        f"  multipart_chunksize = {asked['part']}\n"
        "  addressing_style = path\n  preferred_transfer_client = classic\n"
    )
    environment = os.environ | {
        "AWS_CONFIG_FILE": str(settings),
        "AWS_MAX_ATTEMPTS": "5",
        "AWS_RETRY_MODE": "standard",
        "AWS_REQUEST_CHECKSUM_CALCULATION": "when_required",
        "AWS_RESPONSE_CHECKSUM_VALIDATION": "when_required",
    }
    there = f"s3://{asked['bucket']}/{asked['prefix']}"
    ends = [asked["folder"], there] if asked["direction"] == "up" else [there, asked["folder"]]
    command = [sys.executable, "-P", "-m", "awscli", "--endpoint-url", asked["endpoint"]]
    command += ["s3", "sync", "--no-progress", *ends]

    def work() -> None:
        subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE)

    return work


def synapse(asked: Asked) -> Any:
    """The client, logged in."""
    import synapseclient

    base, own = asked["base"], Path(asked["own"])
    client = synapseclient.Synapse(
        repoEndpoint=f"{base}/repo/v1",
        authEndpoint=f"{base}/auth/v1",
        fileHandleEndpoint=f"{base}/file/v1",
        portalEndpoint=base,
        configPath=str(own / "none"),
        cache_root_dir=str(own / "cache"),
        cache_client=False,
        skip_checks=True,
        silent=True,
    )
    client.max_threads = asked["threads"]
    client.login(authToken=os.environ["SLUICE_BENCH_TOKEN"], silent=True)
    return client


def synapse_sync(asked: Asked) -> Callable[[], None]:
    """syncToSynapse of a manifest, or syncFromSynapse."""
    import pandas  # noqa: F401 -- as in the workload: not while the clock runs
    import synapseutils

    client, folder = synapse(asked), asked["folder"]
    if asked["direction"] == "down":
        return lambda: synapseutils.syncFromSynapse(client, asked["container"], path=folder)
    manifest = Path(asked["own"]) / "manifest.tsv"
    synapseutils.generate_sync_manifest(client, folder, asked["container"], str(manifest))
    kind = f"application/octet-stream; bench={secrets.token_hex(8)}"
    with manifest.open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    with manifest.open("w", newline="") as file:
        writer = csv.DictWriter(file, [*rows[0], "contentType"], delimiter="\t")
        writer.writeheader()
        writer.writerows({**row, "contentType": f"{kind}-{n}"} for n, row in enumerate(rows))
    return lambda: synapseutils.syncToSynapse(client, str(manifest), sendMessages=False)


def synapse_walk(asked: Asked) -> Callable[[], None]:
    """store of each file, or getChildren and get."""
    from synapseclient import File, Folder

    client, folder = synapse(asked), Path(asked["folder"])
    kind = f"application/octet-stream; bench={secrets.token_hex(8)}"

    known = files_of(folder) if asked["direction"] == "up" else []
    parents = {folder: asked["container"]}

    def parent(path: Path) -> str:
        if path not in parents:
            parents[path] = client.store(Folder(path.name, parent=parent(path.parent)))["id"]
        return parents[path]

    def upload() -> None:
        for number, path in enumerate(known):
            made = File(str(path), parent=parent(path.parent), contentType=f"{kind}-{number}")
            client.store(made)

    if asked["direction"] == "up":
        return upload
    return lambda: fetch(client, asked["container"], folder)


def fetch(client: Any, container: str, above: Path) -> None:
    """getChildren and get, folder by folder."""
    for child in client.getChildren(container, includeTypes=["file", "folder"]):
        if child["type"].endswith(".Folder"):
            (above / child["name"]).mkdir()
            fetch(client, child["id"], above / child["name"])
        else:
            client.get(child["id"], downloadLocation=str(above), ifcollision="overwrite.local")


CLIENTS = {
    "copy": copy,
    "boto3": boto3,
    "s3-sync": s3_sync,
    "synapse-sync": synapse_sync,
    "synapse-walk": synapse_walk,
}


def removed(asked: Asked) -> None:
    """Remove what a pass of `copy` or `boto3` has left, so that the next begins as it did."""
    if asked["client"] == "copy":
        shutil.rmtree(asked["target"])
    elif asked["direction"] == "down":
        shutil.rmtree(asked["folder"])
    else:
        client, sent = s3_client(asked["endpoint"], 1), {"Bucket": asked["bucket"]}
        listing = client.get_paginator("list_objects_v2")
        for page in listing.paginate(**sent, Prefix=asked["prefix"]):
            names = [{"Key": found["Key"]} for found in page["Contents"]]
            client.delete_objects(**sent, Delete={"Objects": names, "Quiet": True})


def main() -> None:
    asked = json.loads(sys.argv[1])
    work, spent = CLIENTS[asked["client"]](asked), []
    while True:
        begun = perf_counter()
        work()
        spent.append(perf_counter() - begun)
        if sum(spent) >= asked.get("seconds", 0):
            break
        removed(asked)
    print(json.dumps(spent), flush=True)


if __name__ == "__main__":
    main()
