"""The code that an answer is copied as runs in a fresh interpreter or shell, and does what was
measured.
"""

from __future__ import annotations

import gzip
import json
import re
import shlex
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Mapping
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from driving import COPIED_BYTES, SPARSE_CALLS, copied, in_shell, need_drivers, printed_by
from parsing import parsed

from core.tell.result_card import in_code
from core.vocabulary import Dataset, RunSpec, dataset_kind, open_dataset, registry, specify
from workloads.shared.native import compiler

_HEADERS = Path(__file__).parent / "signal" / "headers"
_LOADED = """
import ctypes, sys
mine, library, *files = sys.argv[1:]
ctypes.CDLL(library, ctypes.RTLD_GLOBAL)
arguments = (ctypes.c_char_p * (1 + len(files)))(b"mine", *[one.encode() for one in files])
code = ctypes.CDLL(mine).main(len(arguments), arguments)
ctypes.CDLL(None).fflush(None)
sys.exit(code)
"""

FETCHES = {"accessions": 100, "slice": "random", "length": 1}
CASES: list[tuple[str, str, dict[str, Any], str]] = [
    *(("fasta", "fasta", {**FETCHES, "cache": cache}, "100 bases")
      for cache in ("lru-locked", "per-thread", "pool", "none", "none-close")),
    ("fasta", "fasta", {**FETCHES, "cache": "lru", "threads": 1}, "100 bases"),
    ("fasta", "fasta-folder", {**FETCHES, "reader": "pyfaidx"}, "100 bases"),
    ("fasta", "fasta-folder", {"accessions": 100}, r"\d+ bases"),
    ("fasta", "seqrepo", {"accessions": 100}, r"\d+ bases"),
    ("fasta", "seqrepo", {"accessions": 100, "cache": "per-thread"}, r"\d+ bases"),
    *(("signal", "signal", {"reader": reader, **way}, r"[1-9]\d* samples")
      for reader in ("blow5-python", "blow5-c", "blow5-pool", "pod5-io", "pod5-mmap")
      for way in ({}, {"access": "random", "batch_size": 7})),
    ("signal", "signal", {"reader": "blow5-python", "threads": 1}, r"[1-9]\d* samples"),
    ("signal", "signal", {"depth": "fetch"}, r"[1-9]\d* bytes"),
    ("signal", "signal", {"reader": "blow5-zstd"}, r"[1-9]\d* samples"),
    ("signal", "signal", {"reader": "pod5-c-io"}, r"[1-9]\d* samples"),
    ("signal", "signal", {"reader": "pod5-c-mmap"}, r"[1-9]\d* samples"),
    ("raw", "files", {"access": "random", "block_size": 512}, f"{COPIED_BYTES} bytes"),
    ("raw", "files", {"access": "sequential", "block_size": 512}, f"{COPIED_BYTES} bytes"),
    ("raw", "files", {"direct": True, "access": "random"}, ".*"),
    *(("sparse", "files", {"block_size": 100, "size": COPIED_BYTES, **calls}, done)
      for calls, done in SPARSE_CALLS),
    *(("arrays", "zarr", {"reader": reader, "pattern": pattern, "concurrency": 5, "io_threads": 2},
       "32000 bytes")
      for reader, pattern in (("zarr", "all"), ("zarrs", "map"), ("tensorstore", "series"))),
    ("arrays", "hdf5", {"reader": "h5py", "array": "data"}, "32000 bytes"),
    ("arrays", "netcdf", {"reader": "netcdf4", "threads": 1}, "32000 bytes"),
    ("transfer", "files", {}, f"{COPIED_BYTES} bytes"),
    ("transfer", "files", {"direction": "up", "below": "below"}, f"{COPIED_BYTES - 2000} bytes"),
    ("command", "files", {"run": "wc -c {dataset}/one", "threads": 1}, "2000 .*one"),
    ("command", "files", {"run": "cp -R {dataset} {out}/copy", "threads": 1}, ""),
    ("command", "files", {"run": "wc -c {dataset}/one"}, "(?:2000 .*one\n?){3}"),
    ("command", "files", {"run": "seq {threads} {8/threads} {level:7..9}", "values": "level=9"},
     "3\n5\n7\n9"),
    ("command", "files", {"run": "wc -c {each}", "threads": 1}, "1001 .*two\n2000 .*one"),
    ("command", "files", {"run": "cp {each} {out}/mine", "prepare": "touch {out}/{seed}"}, ""),
    ("command", "files", {"run": "cat '{dataset}'/one | wc -c > \"{out}/n $((1 + {threads}))\"",
                          "shell": True}, ""),
    ("command", "files", {"run": "LC_ALL=C ls {dataset}", "threads": 1}, "below\none"),
]  # fmt: skip
"""Workload, kind of data, values, and what the code prints."""


@pytest.fixture
def files(tmp_path: Path) -> Dataset:
    folder = tmp_path / "it's data"
    (folder / "below").mkdir(parents=True)
    (folder / "one").write_bytes(bytes(2000))
    (folder / "below" / "two").write_bytes(bytes(COPIED_BYTES - 2000))
    return open_dataset(folder, ("files",))


@pytest.fixture
def own_copy(
    files: Dataset, made: Callable[[str], Dataset], tmp_path: Path
) -> Callable[[str], Dataset]:
    """A dataset of that kind which code may index, as libraries do beside the data."""

    def of(kind: str) -> Dataset:
        if kind == "files":
            return files
        there = made(kind).path
        place = tmp_path / there.name
        copying = shutil.copytree if there.is_dir() else shutil.copy
        copying(there, place)
        return open_dataset(place, (kind,))

    return of


def by_c(code: str, spec: RunSpec, folder: Path) -> str:
    """What code in C prints, with the library inside a wheel."""
    command = compiler("CC", "cc", "gcc", "clang")
    if command is None:
        pytest.skip("no compiler")
    folder.mkdir()
    (folder / "mine.c").write_text(code)
    flags = ["-Werror", "-fopenmp", "-shared", "-fPIC", f"-I{_HEADERS}"]
    subprocess.run([command, *flags, "mine.c", "-o", "mine.so"], cwd=folder, check=True)
    files = shlex.split(code.splitlines()[0].partition("./a.out ")[2])
    assert all(Path(file).is_relative_to(spec.dataset.path) for file in files)
    return printed_by(_LOADED, {}, str(folder / "mine.so"), _library(code), *files)


def _library(code: str) -> str:
    """The library in a wheel that exports what the code calls."""
    name = "pyslow5" if "slow5" in code else "lib_pod5"
    origin = Path(str(find_spec(name).origin))  # type: ignore[union-attr]
    return str(origin if origin.suffix == ".so" else next(origin.parent.glob("*pybind*.so")))


def by_slurm(code: str, spec: RunSpec, folder: Path) -> str:
    """What a job prints, or all jobs of an array, in order."""
    array = re.search(r"^#SBATCH --array=0-(\d+)%", code, re.MULTILINE)
    given = {"SLURM_CPUS_PER_TASK": str(spec.load.threads)}
    if array is None:
        return in_shell(code, folder, **given)
    folder.mkdir()
    (folder / "job").write_text(code)
    every = [
        in_shell("bash job", folder, **given, SLURM_ARRAY_TASK_ID=str(number))
        for number in range(int(array[1]) + 1)
    ]
    return "\n".join(filter(None, every))


RUN: Mapping[str, Callable[[str, RunSpec, Path], str]] = {
    "Python": lambda code, spec, folder: printed_by(code, folder=folder),
    "C": by_c,
    "Shell": lambda code, spec, folder: in_shell(code, folder),
    "SLURM": by_slurm,
}
"""What runs code as a whole, by where it is copied to."""


def _granted(spec: RunSpec) -> int:
    """The threads of a run; of commands without a place for them, one for each file."""
    return 1 if "{each}" in spec.parameters.get("run", "") else spec.load.workers


def _is_what_was_measured(line: str, spec: RunSpec) -> bool:
    asked = parsed(line)
    assert asked.dataset == spec.dataset.path
    return specify(asked.workload, spec.dataset, asked.values).digest == spec.digest


READ: Mapping[str, Callable[[str, RunSpec], object]] = {
    "Snakemake": lambda text, spec: re.search(
        rf"^ *threads: {_granted(spec)}$", text, re.MULTILINE
    ),
    "Nextflow": lambda text, spec: re.search(rf"^ *cpus {_granted(spec)}$", text, re.MULTILINE),
    "TPV (Galaxy)": lambda text, spec: text.endswith(f"    cores: {_granted(spec)}\n"),
    "JSON": lambda text, spec: json.loads(text) == spec.values,
    "Sluice": _is_what_was_measured,
    "rclone": lambda text, spec: (
        shlex.split(text)[-2:] == [str(spec.dataset.path / spec.parameters["below"]), "copied"]
    ),
}
"""What is a part of something larger, or of a program that is not here."""


@pytest.mark.parametrize(("workload", "kind", "values", "printed"), CASES, ids=str)
def test_that_all_that_is_copied_runs_on_the_data_that_it_names(
    own_copy: Callable[[str], Dataset],
    tmp_path: Path,
    workload: str,
    kind: str,
    values: dict[str, Any],
    printed: str,
) -> None:
    parameters = {name: value for name, value in values.items() if name != "threads"}
    need_drivers(workload, **parameters)
    spec = specify(workload, own_copy(kind), {"threads": 3, **values})
    for number, snippet in enumerate(in_code(spec)):
        where, text = snippet.where, snippet.text
        if where in READ:
            assert READ[where](text, spec), text
        elif not text.startswith("fio"):  # of which the next test is
            done = RUN[where](text, spec, tmp_path / f"run {number}")
            assert re.fullmatch(printed, done), f"{text}\n{done}"


@pytest.mark.parametrize(
    ("kind", "reader"), [("fasta", "pysam"), ("fasta", "pyfaidx"), ("seqrepo", "pysam")]
)
def test_that_the_regions_of_a_list_are_read(
    own_copy: Callable[[str], Dataset], tmp_path: Path, kind: str, reader: str
) -> None:
    dataset, regions = own_copy(kind), tmp_path / "my regions"
    name = _an_alias(dataset.path) if kind == "seqrepo" else _a_name(dataset.path)
    regions.write_text(f"# of mine\n{name}\t1\t3\tfirst\n{name}:1-2\n{name}:2\n")
    code = copied("fasta", dataset, regions=str(regions), reader=reader)["Python"]
    bases, unit = printed_by(code).split()
    assert (int(bases) > 4, unit) == (True, "bases")


def _a_name(fasta: Path) -> str:
    with gzip.open(fasta, "rt") as file:
        return file.readline().removeprefix(">").split()[0]


def _an_alias(snapshot: Path) -> str:
    with closing(sqlite3.connect(snapshot / "aliases.sqlite3")) as aliases:
        query = "SELECT alias FROM seqalias WHERE namespace = 'NCBI' LIMIT 1"
        return str(aliases.execute(query).fetchone()[0])


@pytest.mark.tool("snakemake")
@pytest.mark.parametrize(
    "run", ["seq {threads} {threads+1}", "cp {dataset}/one {out}/'{{a}} $b {threads}'"]
)
def test_that_a_rule_for_snakemake_runs_with_the_threads_that_it_is_granted(
    files: Dataset, tmp_path: Path, run: str
) -> None:
    rule = copied("command", files, threads=2, run=run)["Snakemake"]
    (tmp_path / "Snakefile").write_text(rule, encoding="utf-8")
    subprocess.run(["snakemake", "-q", "-c", "1"], cwd=tmp_path, check=True, capture_output=True)
    made = {file.name: file.read_bytes() for file in tmp_path.glob("*out*/*")}
    made |= {file.name: file.read_bytes() for file in tmp_path.glob("*.out")}
    expected = {"seq.out": b"1\n2\n"} if "seq" in run else {"{a} $b 1": bytes(2000)}
    assert {name: one for name, one in made.items() if "timestamp" not in name} == expected


@pytest.mark.tool("snakemake")
@pytest.mark.parametrize(
    ("values", "name", "sizes"),
    [
        ({"run": "head -c {threads} {each}"}, "*.out", [2, 2]),
        ({"run": "cp {each} {out}/mine"}, "mine", [COPIED_BYTES - 2000, 2000]),
        ({"run": "cp {dataset} {out}/{threads}", "reads": "tw*"}, "2", [COPIED_BYTES - 2000]),
    ],
    ids=str,
)
def test_that_snakemake_gives_each_file_of_a_folder_a_run(
    files: Dataset, tmp_path: Path, values: dict[str, str], name: str, sizes: list[int]
) -> None:
    code = copied("command", files, threads=2, **values)["Snakemake"]
    place = tmp_path / "workflow"
    place.mkdir()
    (place / "Snakefile").write_text(code, encoding="utf-8")
    subprocess.run(["snakemake", "-q", "-c", "4"], cwd=place, check=True, capture_output=True)
    assert sorted(one.stat().st_size for one in place.glob(f"[a-z]*/**/{name}")) == sizes


def test_that_every_workload_is_among_what_is_run() -> None:
    elsewhere = {"gets", "raster", "tiles", "sparse-remote"}  # with rasters and stores, and below
    assert {case[0] for case in CASES} | elsewhere == set(registry.workloads())


@pytest.mark.tool("fio")
@pytest.mark.parametrize("path", [".", "one"])
def test_that_fio_reads_the_files(files: Dataset, path: str) -> None:
    dataset = open_dataset(files.path / path, ("files",))
    line = copied("raw", dataset, threads=1, access="random", block_size=512)["Shell"]
    ran = subprocess.run(
        [*shlex.split(line), "--output-format=json"],
        capture_output=True,
        check=True,
        text=True,
        timeout=300,
    )
    (job,) = json.loads(ran.stdout[ran.stdout.index("{") :])["jobs"]
    # A file's end that is shorter than a block is no random block of fio's.
    assert job["read"]["io_bytes"] == {".": 4 * 512, "one": 3 * 512}[path]


def test_that_python_reads_the_blocks_of_an_index(
    svfsc: None, made: Callable[[str], Dataset]
) -> None:
    dataset = made("sparse-index")
    code = copied("sparse", dataset, layout="index")
    facts = dataset_kind("sparse-index").facts(dataset.path)
    assert printed_by(code["Python"]) == f"{facts['bytes in blocks']} bytes"


@pytest.mark.parametrize("whole_pages", [False, True])
def test_that_python_reads_a_slow_file_through_a_sparse_one(
    svfsc: None, files: Dataset, whole_pages: bool
) -> None:
    dataset = open_dataset(files.path / "one", ("files",))
    code = copied("sparse-remote", dataset, whole_pages=whole_pages, greedy_length=100)
    assert printed_by(code["Python"]) == f"{2000 // 64 * 64} bytes"


@pytest.mark.parametrize("store", ["file", "s3", "cassandra"])
@pytest.mark.parametrize("reader", ["collection", "rdd"])
def test_that_code_for_tiles_names_where_secrets_are_and_never_one(
    files: Dataset, store: str, reader: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OWN_SECRET", "the-secret-itself")
    given = {"access_key": "env:OWN_SECRET", "secret_key": "env:OWN_SECRET"}
    if store == "cassandra":
        given = {"user": "me", "password": "env:OWN_SECRET"}
    address = {"s3": "s3://tiles", "cassandra": "cassandra://here/tiles"}.get(store, "/tiles")
    login = {} if store == "file" else given
    code = copied("tiles", files, store=store, address=address, reader=reader, **login)["Python"]
    compile(code, "copied", "exec")
    assert ('os.environ["OWN_SECRET"]' in code) is bool(login)
    assert "the-secret-itself" not in code
    assert ("mapPartitions" in code) is (reader == "rdd")
