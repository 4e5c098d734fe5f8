"""The code that an answer is copied as runs, and does what was measured."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driving import COPIED_BYTES, SPARSE_CALLS, copied, printed_by

from core.vocabulary import Dataset, dataset_kind, open_dataset


@pytest.fixture
def files(tmp_path: Path) -> Dataset:
    folder = tmp_path / "it's data"
    (folder / "below").mkdir(parents=True)
    (folder / "one").write_bytes(bytes(2000))
    (folder / "below" / "two").write_bytes(bytes(COPIED_BYTES - 2000))
    return open_dataset(folder, ("files",))


@pytest.mark.parametrize("access", ["sequential", "random"])
def test_that_python_reads_all_blocks(files: Dataset, access: str) -> None:
    code = copied("raw", files, access=access, block_size=512)
    assert printed_by(code["Python"]) == f"{COPIED_BYTES} bytes"


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


@pytest.mark.parametrize(("calls", "done"), SPARSE_CALLS, ids=str)
def test_that_python_makes_the_calls_on_a_sparse_file(
    svfsc: None, files: Dataset, calls: dict[str, Any], done: str
) -> None:
    code = copied("sparse", files, block_size=100, size=COPIED_BYTES, **calls)
    assert printed_by(code["Python"]) == done


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
