"""Transfers of `make truth`: copies between folders, and boto3, beside plain scripts.

A side moves a tree again and again, each time into an empty folder or under an empty prefix, and
what it did per second of these passes counts.  The tree is in memory where there is a file system
for that: on a disk the same copy takes one to five times as long, by which of its blocks and of
the page cache were used last.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path

import bench_transfers as transfers
from truth_cases import Case, Grid, Rate, real_case, trial_rate

from core.language import report_to_nobody
from core.measure import index_folder, make_dataset
from core.vocabulary import Dataset, build
from workloads.tiles.stores import BY_NAME
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_datasets import TreeShape
from workloads.transfer.tree_files import open_tree
from workloads.transfer.trees_in_remotes import place_tree

_COPIES = TreeShape(folders=5, files=80, size=1 << 20)
_OBJECTS = TreeShape(folders=5, files=20, size=1 << 18)
_ROOM = 2 << 30  # bytes, for the tree three times and some more
_GRID = {
    ("copy down", 4): Grid.SHORT,
    ("copy down", 1): Grid.USUAL,
    ("copy up", 4): Grid.USUAL,
    ("boto3 down", 4): Grid.SHORT,
    ("boto3 down", 16): Grid.USUAL,
    ("boto3 up", 4): Grid.USUAL,
}
_VERIFYING = 3.0
"""A trial lasts so many times as long as its passes: between them it reads what has arrived."""


def folder_in_memory() -> Path | None:
    """Where files of `transfer_cases` are best, if there is room."""
    folder = Path("/dev/shm")
    return folder if folder.is_dir() and shutil.disk_usage(folder).free > _ROOM else None


def transfer_cases(_: Path, *, folder: Path, s3: str) -> Iterator[Case]:
    """Copies between folders in `folder`; by boto3 to and from a server, unless `s3` is empty."""
    (folder / "copies").mkdir()
    values = {"client": "copy", "address": str(folder / "copies")}
    yield from client_cases("copy", values, _COPIES, folder)
    if s3:
        login = BY_NAME["s3"].login or {}
        yield from client_cases(
            "boto3", {"client": "boto3", "address": s3, **login}, _OBJECTS, folder
        )


def client_cases(
    client: str, values: Mapping[str, object], shape: TreeShape, folder: Path
) -> Iterator[Case]:
    """A client both ways."""
    dataset = make_dataset("file-tree", shape, folder / f"tree-{client}")
    tree = open_tree(dataset, index_folder(dataset.fingerprint), report_to_nobody)
    for direction in ("down", "up"):
        fetched = {"folder": str(folder / "here")} if direction == "down" else {}
        whole = {**values, **fetched, "direction": direction}
        parameters = build(TransferParameters, whole)
        if direction == "down":
            place_tree(tree, parameters, report_to_nobody)
        for threads in (1, 4, 16):
            plain = transfers.Case(
                parameters=parameters,
                values=whole,
                dataset=dataset,
                tree=tree,
                threads=threads,
                folder=folder / "plain",
            )
            name = f"{client} {direction}"
            yield real_case(
                f"transfer {name}",
                threads,
                ours(dataset, {**whole, "threads": threads}),
                partial(plainly, plain),
                grid=_GRID.get((name, threads), Grid.ALL),
            )


def ours(dataset: Dataset, values: Mapping[str, object]) -> Rate:
    """Files per second of the passes of a trial."""
    rate = trial_rate("transfer", dataset, values)
    return lambda seconds: rate(_VERIFYING * seconds)


def plainly(case: transfers.Case, seconds: float) -> float:
    """The same of the plain script."""
    return len(case.tree.files) / transfers.plain_seconds(case, seconds)
