"""Indexes of blocks: what is recognised, and what no index may do to its reader."""

from pathlib import Path

import pytest

from core.catalog import registry
from core.errors import DatasetError
from workloads.sparse.sparse_datasets import IndexShape, SparseIndex, read_index, remote_file

HEAD = "# positions and lengths of the blocks of a sparse file\n"


def index_of(folder: Path, text: str | bytes) -> Path:
    data = text.encode() if isinstance(text, str) else text
    (folder / "index.txt").write_bytes(data)
    return folder


def test_that_blocks_are_read_in_order(tmp_path: Path) -> None:
    assert read_index(index_of(tmp_path, f"{HEAD}0 4\n4 4\n100 1\n")) == [(0, 4), (4, 4), (100, 1)]


@pytest.mark.parametrize(
    "lines",
    [
        "",
        "0 4\n2 4\n",
        "100 4\n0 4\n",
        "-8 4\n",
        "0 0\n",
        "0 -1\n",
        "0\n",
        "0 4 4\n",
        "zero four\n",
        "0 4.5\n",
        "nan 1\n",
        f"{'9' * 5000} 1\n",
        f"{2**64} 4\n",
        f"{2**62} 4\n",
        f"0 {2**40}\n",
        "".join(f"{place << 28} {1 << 28}\n" for place in range(5)),
        "0 4\n\x00\x00\n",
    ],
)
def test_that_an_index_that_cannot_be_is_refused(tmp_path: Path, lines: str) -> None:
    with pytest.raises(DatasetError, match=r"index\.txt"):
        read_index(index_of(tmp_path, HEAD + lines))


def test_that_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="cannot be read"):
        read_index(index_of(tmp_path, HEAD.encode() + b"\xff\xfe 4\n"))


def test_that_a_line_without_end_is_told_in_short(tmp_path: Path) -> None:
    with pytest.raises(DatasetError) as told:
        read_index(index_of(tmp_path, f"{HEAD}0 4\n0 4{' ' * 100_000}\n"))
    assert len(str(told.value)) < 1000


def test_that_only_the_head_makes_an_index(tmp_path: Path) -> None:
    kind = SparseIndex()
    assert not kind.recognises(tmp_path)
    assert not kind.recognises(index_of(tmp_path, "0 4\n"))
    assert not kind.recognises(index_of(tmp_path, ""))
    assert kind.recognises(index_of(tmp_path, f"{HEAD}0 4\n"))


def test_that_an_index_without_a_remote_file_is_a_dataset(tmp_path: Path) -> None:
    dataset = registry.open_dataset(index_of(tmp_path, f"{HEAD}0 4\n"), ("sparse-index",))
    assert dataset.kind == "sparse-index"
    assert remote_file(tmp_path) is None


def test_that_the_same_seed_makes_the_same_bytes(tmp_path: Path) -> None:
    shape = IndexShape(records=3, remote_size=100_000)
    made = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        SparseIndex().make(shape, folder, lambda *_: None)
        made.append([(folder / file).read_bytes() for file in ("index.txt", "remote.bin")])
    assert made[0] == made[1]
    assert len(made[0][1]) == 100_000
