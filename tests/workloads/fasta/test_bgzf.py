import gzip
from pathlib import Path

import pysam
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import DatasetError
from workloads.fasta.bgzf import (
    END_MARKER,
    MOST_CONTENT,
    BgzfContent,
    Block,
    block_size,
    compress,
    gzi,
    require_end,
)


def _write(path: Path, content: bytes) -> list[int]:
    starts = [0]
    with path.open("wb") as file:
        for block, _ in compress([content]):
            file.write(block)
            starts.append(file.tell())
    return starts


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("bgzf")


@settings(max_examples=40, deadline=None)
@given(
    content=st.binary(max_size=300).map(lambda seed: seed * 600),
    start=st.integers(0, 200_000),
    count=st.integers(0, 200_000),
)
def test_that_any_slice_reads_as_from_the_plain_content(
    folder: Path, content: bytes, start: int, count: int
) -> None:
    path = folder / "any.gz"
    _write(path, content)
    assert gzip.decompress(path.read_bytes()) == content
    with BgzfContent(path) as opened:
        assert opened.read(start, count) == content[start : start + count]
        assert b"".join(opened.pieces()) == content


def test_that_blocks_are_found_without_an_index_as_htslib_finds_them(folder: Path) -> None:
    path = folder / "blocks.fa"
    path.write_bytes(b">a\n" + b"ACGTTGCA" * 30_000 + b"\n")
    packed = folder / "blocks.fa.gz"
    pysam.tabix_compress(str(path), str(packed), force=True)
    pysam.faidx(str(packed))
    with BgzfContent(packed) as opened:
        ours = gzi(opened.blocks)
    theirs = (folder / "blocks.fa.gz.gzi").read_bytes()
    # Some versions of htslib list the empty block at the end too.
    assert ours[8:] == theirs[8 : len(ours)]


def test_that_htslib_reads_what_we_compress(folder: Path) -> None:
    path = folder / "ours.fa.gz"
    bases = "ACGT" * (MOST_CONTENT // 2)
    _write(path, f">a\n{bases}\n".encode())
    with pysam.FastaFile(str(path)) as opened:
        assert opened.fetch("a") == bases


def test_that_other_extra_fields_before_the_size_are_passed_over() -> None:
    extra = b"XY\x03\0abc" + b"BC\x02\0\x1b\0"
    head = b"\x1f\x8b\x08\x04" + bytes(6) + len(extra).to_bytes(2, "little") + extra
    assert block_size(head) == 28


def test_that_plain_gzip_has_no_blocks() -> None:
    assert block_size(gzip.compress(b">a\nACGT\n" * 100)) is None


@pytest.mark.parametrize("kept", ["within a block", "at the end of a block", "within the marker"])
def test_that_a_file_cut_off_is_refused(folder: Path, kept: str) -> None:
    path = folder / "cut.gz"
    starts = _write(path, b"ACGT" * 50_000)
    end = {
        "within a block": starts[2] + 7,
        "at the end of a block": starts[2],
        "within the marker": starts[-1] - 1,
    }
    path.write_bytes(path.read_bytes()[: end[kept]])
    with pytest.raises(DatasetError, match="cut off"):
        require_end(path)


def test_that_a_flipped_bit_is_found_by_the_checksum(folder: Path) -> None:
    path = folder / "flipped.gz"
    starts = _write(path, b"ACGTAACC" * 20_000)
    packed = bytearray(path.read_bytes())
    packed[starts[1] + 40] ^= 8
    path.write_bytes(packed)
    with BgzfContent(path) as opened:
        assert len(opened.read(0, 100)) == 100
        with pytest.raises(DatasetError, match="damaged"):
            opened.read(MOST_CONTENT + 10, 10)


def test_that_rubbish_after_a_block_is_refused(folder: Path) -> None:
    path = folder / "rubbish.gz"
    starts = _write(path, b"ACGT" * 30_000)
    packed = path.read_bytes()
    path.write_bytes(packed[: starts[1]] + b"rubbish" + packed[starts[1] :])
    with BgzfContent(path) as opened, pytest.raises(DatasetError, match="is not one"):
        assert opened.blocks


def test_that_an_index_of_one_block_is_empty() -> None:
    assert gzi([Block(0, 100, 0, 200)]) == bytes(8)
    assert len(END_MARKER) == 28
