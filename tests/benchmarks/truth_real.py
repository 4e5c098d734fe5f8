"""Real readers and programs of `make truth`, each beside what somebody would write without us."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

from truth_cases import THREADS, Case, Grid, output_of, plain_rate, real_case, trial_rate
from truth_signal import program_cases, signal_cases
from truth_transfers import transfer_cases

from core.language import Unavailable, report_to_nobody
from core.measure import find_dataset, make_dataset, reveal
from core.vocabulary import Dataset, build
from workloads.fasta.make_fasta import SequencesShape
from workloads.shared.servers import s3_address
from workloads.sparse.drivers import NATIVE, PYTHON, compiler, sources
from workloads.sparse.sparse_datasets import IndexShape
from workloads.tiles.layer_catalogue import Layer
from workloads.tiles.layer_in_store import layer_of, place_layer
from workloads.tiles.make_layer import LayerShape
from workloads.tiles.stores import BY_NAME
from workloads.tiles.tile_parameters import TileParameters

_COMMANDS = {
    ("sha256sum", 1): Grid.SHORT,
    ("sha256sum", 4): Grid.USUAL,
    ("sleep 0.05", 1): Grid.USUAL,
}
type Source = Callable[[Path], Iterator[Case]]
_BASES = 1000
_BLOCK, _SPARSE = 512, 1 << 20
_FLAGS = ("-O2", "-std=c++17", "-DNDEBUG", "-w", "-DSVF_THREAD_SAFE", "-pthread")


def real_cases(*, memory: Path, s3: str, published: Path | None) -> Sequence[Source]:
    """One function for each workload; they raise Unavailable for what is missing.

    `memory`: a folder for what a disk would make unsteady; `s3`: the address of a server, or empty;
    `published`: the repositories of the published programs for signals.
    """
    return (
        fasta_cases,
        partial(tile_cases, s3=s3),
        sparse_cases,
        native_cases,
        signal_cases,
        partial(program_cases, published=published),
        partial(transfer_cases, folder=memory, s3=s3),
        command_cases,
    )


def reader_cases(
    name: str, workload: str, dataset: Dataset, values: Mapping[str, Any], loop: Mapping[str, Any]
) -> Iterator[Case]:
    """A reader beside the plain loop of that name, for all numbers of threads."""
    for threads in THREADS:
        load = {"threads": threads}
        ours = trial_rate(workload, dataset, {**values, **load})
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


def tile_cases(folder: Path, *, s3: str) -> Iterator[Case]:
    """Tiles of a layer, each in a file of its own; on a server too, unless `s3` is empty."""
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
    if s3:
        yield from s3_cases(dataset, layer, s3)


def s3_cases(dataset: Dataset, layer: Layer, address: str) -> Iterator[Case]:
    """The same as objects on a server, through boto3; the plain loop reads what ours has put."""
    values = {"store": "s3", "address": address, **(BY_NAME["s3"].login or {})}
    parameters = build(TileParameters, values)
    place_layer(dataset, parameters, report_to_nobody)
    there = s3_address(address)
    shared = {
        "endpoint": there.endpoint,
        "bucket": there.bucket,
        "prefix": f"{there.prefix}{layer_of(layer.heading)}/",
        "names": sorted(map(str, layer.placed)),
    }
    keys = {
        "AWS_ACCESS_KEY_ID": reveal(parameters.access_key),
        "AWS_SECRET_ACCESS_KEY": reveal(parameters.secret_key),
    }
    for threads in THREADS:
        load = {"threads": threads}
        loop = {"loop": "s3_tiles", "arguments": {**shared, **load}, **load, "processes": 1}
        yield real_case(
            "tiles on S3",
            threads,
            trial_rate("tiles", dataset, {**values, **load}),
            partial(plain_rate, loop, env=os.environ | keys),
        )


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
            trial_rate("sparse", dataset, whole),
            partial(native_rate, program, threads),
        )


def native_rate(program: Path, threads: int, seconds: float) -> float:
    """Calls per second of the plain program."""
    shape = (_BLOCK, _SPARSE, threads, 0.3, seconds)
    return float(output_of([str(program), *map(str, shape)]))


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
                trial_rate("command", dataset, values),
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
