"""Real readers and programs of `make truth`, each beside what somebody would write without us."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import bench_transfers as transfers
from truth_cases import Case, Grid, Measured, NoRate, Rate, output_of, plain_rate

from core.catalog.dataset import Dataset, tell_nobody
from core.catalog.generate import make_dataset
from core.catalog.inspection import find_dataset
from core.catalog.parameters import build
from core.errors import Unavailable
from core.host.folders import index_folder
from workloads.fasta.fasta_shapes import SequencesShape
from workloads.sparse.drivers import NATIVE, PYTHON, compiler, sources
from workloads.sparse.sparse_datasets import IndexShape
from workloads.tiles.layer_files import Layer
from workloads.tiles.tile_shapes import LayerShape
from workloads.transfer.transfer_parameters import TransferParameters
from workloads.transfer.tree_files import open_tree
from workloads.transfer.tree_shapes import TreeShape
from workloads.transfer.trees_in_places import place_tree

NOT_COMPARED = {
    "tiles on S3 and boto3": "since their servers take minutes to start: see bench_stores.py and"
    " bench_transfers.py",
    "signal": "since the published programs must be cloned and built: see bench_signal.py",
}
THREADS = {1: Grid.USUAL, 2: Grid.ALL, 4: Grid.SHORT, 8: Grid.ALL, 16: Grid.USUAL, 64: Grid.ALL}
_TRANSFERS = {("down", 4): Grid.SHORT, ("down", 1): Grid.USUAL, ("up", 4): Grid.USUAL}
_COMMANDS = {
    ("sha256sum", 1): Grid.SHORT,
    ("sha256sum", 4): Grid.USUAL,
    ("sleep 0.05", 1): Grid.USUAL,
}
_BASES = 1000
_BLOCK, _SPARSE = 512, 1 << 20
_FLAGS = ("-O2", "-std=c++17", "-DNDEBUG", "-w", "-DSVF_THREAD_SAFE", "-pthread")


def real_cases() -> Sequence[Callable[[Path], Iterator[Case]]]:
    """One function for each workload; they raise Unavailable for what is missing."""
    return (fasta_cases, tile_cases, sparse_cases, native_cases, transfer_cases, command_cases)


def real_case(name: str, threads: int, ours: Rate, theirs: Rate, **rest: Any) -> Case:
    """Within five per cent, which is what two processes of the same program differ by."""
    grid = rest.pop("grid", THREADS[threads])
    return Case(
        name=name, threads=threads, ours=ours, theirs=theirs, low=0.95, high=1.05, grid=grid, **rest
    )


def reader_cases(
    name: str, workload: str, dataset: Dataset, values: Mapping[str, Any], loop: Mapping[str, Any]
) -> Iterator[Case]:
    """A reader beside the plain loop of that name, for all numbers of threads."""
    for threads in THREADS:
        load = {"threads": threads}
        ours = Measured(workload=workload, dataset=dataset, values={**values, **load}).rate
        yield real_case(name, threads, ours, partial(plain_rate, {**loop, **load, "processes": 1}))


def fasta_cases(folder: Path) -> Iterator[Case]:
    """The first bases of sequences, with a file open in each thread."""
    from pysam import faidx

    # More blocks than pyfaidx keeps inflated: else a fetch is a look into a table of Python's.
    shape = SequencesShape(sequences=10_000)
    dataset = make_dataset("fasta", shape, folder / "fasta")
    # Nothing is ever written beside the data: the plain script has its own, with an index.
    own = folder / "plain-fasta"
    own.mkdir()
    path = Path(shutil.copy2(dataset.path, own))
    faidx(str(path))
    for reader in ("pysam", "pyfaidx"):
        values = {"reader": reader, "cache": "per-thread", "slice": "first", "length": _BASES}
        arguments = {"reader": reader, "path": str(path), "length": _BASES}
        loop = {"loop": "sequences", "arguments": arguments}
        yield from reader_cases(f"fasta {reader}", "fasta", dataset, values, loop)


def tile_cases(folder: Path) -> Iterator[Case]:
    """Tiles of a layer, each in a file of its own."""
    shape = LayerShape(columns=12, rows=12, holes=0.0)
    dataset = make_dataset("tile-layer", shape, folder / "layer")
    own = folder / "plain-tiles"
    own.mkdir()
    layer = Layer.open(dataset.path)
    for key, stored in layer.objects():
        (own / str(key)).write_bytes(stored)
    layer.close()
    values = {"store": "file", "address": str(folder / "tiles")}
    loop = {"loop": "tiles", "arguments": {"folder": str(own)}}
    yield from reader_cases("tiles on files", "tiles", dataset, values, loop)


def sparse_cases(folder: Path) -> Iterator[Case]:
    """Reads of a sparse file from Python."""
    PYTHON.require()
    dataset = make_dataset("sparse-index", IndexShape(records=100), folder / "sparse-python")
    values = {"layout": "gap", "block_size": _BLOCK, "size": _SPARSE}
    loop = {"loop": "sparse", "arguments": {"block": _BLOCK, "size": _SPARSE}}
    yield from reader_cases("sparse in Python", "sparse", dataset, values, loop)


def native_cases(folder: Path) -> Iterator[Case]:
    """The same from C++."""
    NATIVE.require()
    svfsc, command = sources(), compiler()
    assert svfsc is not None
    assert command is not None
    program, own = folder / "truth_sparse", Path(__file__).with_name("truth_sparse.cpp")
    output_of(
        [command, *_FLAGS, f"-I{svfsc}", str(own), str(svfsc / "svf.cpp"), "-o", str(program)]
    )
    dataset = make_dataset("sparse-index", IndexShape(records=100), folder / "sparse-cpp")
    values = {"layout": "gap", "block_size": _BLOCK, "size": _SPARSE, "language": "cpp"}
    for threads in THREADS:
        whole = {**values, "mutex": True, "threads": threads}
        yield real_case(
            "sparse in C++",
            threads,
            Measured(workload="sparse", dataset=dataset, values=whole).rate,
            partial(native_rate, program, threads),
        )


def native_rate(program: Path, threads: int, seconds: float) -> float:
    """Calls per second of the plain program."""
    shape = (_BLOCK, _SPARSE, threads, 0.3, seconds)
    return float(output_of([str(program), *map(str, shape)]))


def transfer_cases(folder: Path) -> Iterator[Case]:
    """Copies of a tree between two folders."""
    shape = TreeShape(folders=5, files=80, size=1 << 20)
    dataset = make_dataset("file-tree", shape, folder / "tree")
    tree = open_tree(dataset, index_folder(dataset.fingerprint), tell_nobody)
    for direction in ("down", "up"):
        values = {"client": "copy", "direction": direction, "address": str(folder / "copies")}
        parameters = build(TransferParameters, values)
        if direction == "down":
            (folder / "copies").mkdir()
            place_tree(tree, parameters, tell_nobody)
        for threads in (1, 4, 16):
            case = transfers.Case(
                parameters=parameters,
                values=values,
                dataset=dataset,
                tree=tree,
                threads=threads,
                folder=folder / "plain-copies",
            )
            yield real_case(
                f"transfer copy {direction}",
                threads,
                partial(copying, case),
                partial(copying_plainly, case),
                grid=_TRANSFERS.get((direction, threads), Grid.ALL),
            )


def copying(case: transfers.Case, seconds: float) -> float:
    """Files per second of one pass over the tree: as long as that takes."""
    trial = transfers.trial_of(case)
    if flaw := transfers.flaw_of(trial, case.tree):
        raise NoRate(flaw)
    return trial.throughput or 0.0


def copying_plainly(case: transfers.Case, seconds: float) -> float:
    """The same of the plain script."""
    return len(case.tree.files) / transfers.plain_seconds(case)


def command_cases(folder: Path) -> Iterator[Case]:
    """Programs beside hyperfine, of which as many run at once."""
    if shutil.which("hyperfine") is None:
        raise Unavailable("command, since hyperfine is not installed", "apt-get install hyperfine")
    data = folder / "hashed" / "data"
    data.parent.mkdir()
    data.write_bytes(bytes(32 << 20))
    dataset = find_dataset("command", data)
    for line, name in ((f"sha256sum {data}", "sha256sum"), ("sleep 0.05", "sleep 0.05")):
        for threads in (1, 2, 4):
            values = {"run": line, "threads": threads}
            yield real_case(
                f"command {name}",
                threads,
                Measured(workload="command", dataset=dataset, values=values).rate,
                partial(hyperfines_rate, line, threads),
                grid=_COMMANDS.get((name, threads), Grid.ALL),
            )


def hyperfines_rate(line: str, at_once: int, seconds: float) -> float:
    """Runs per second of as many hyperfines at once: the sum of one per mean of each."""
    with ThreadPoolExecutor(at_once) as pool:
        return sum(pool.map(lambda _: one_hyperfine(line, seconds), range(at_once)))


def one_hyperfine(line: str, seconds: float) -> float:
    """Runs per second by its mean, of about that many seconds' runs of 50 ms."""
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder, "told.json")
        runs = str(max(5, math.ceil(seconds / 0.05)))
        options = ["--shell=none", "--warmup", "2", "--runs", runs, "--export-json", str(told)]
        output_of(["hyperfine", *options, line], stdin=subprocess.DEVNULL)
        (result,) = json.loads(told.read_text())["results"]
    return 1 / float(result["mean"])
