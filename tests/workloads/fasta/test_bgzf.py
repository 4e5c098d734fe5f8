import gzip
import struct
from itertools import accumulate
from pathlib import Path

import pysam
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import DatasetError
from workloads.fasta.bgzf_oracle import (
    END_MARKER,
    MOST_CONTENT,
    BgzfBlock,
    BgzfContent,
    block_size,
    compress,
    gzi,
    require_end,
)


def _write(path: Path, content: bytes) -> list[int]:
    """Write it as BGZF; where each block begins, and where the last ends."""
    blocks = list(compress(content))
    path.write_bytes(b"".join(blocks))
    return [0, *accumulate(map(len, blocks))]


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


@pytest.mark.parametrize("trailing", [b"\0", b"\n", b"\0" * 27, b"rubbish" * 100])
def test_that_what_comes_after_the_end_marker_is_not_called_cut_off(
    folder: Path, trailing: bytes
) -> None:
    path = folder / "trailing.gz"
    end = _write(path, b"ACGT" * 30_000)[-1]
    path.write_bytes(path.read_bytes() + trailing)
    with pytest.raises(DatasetError, match=f"after BGZF's end marker.*byte {end:,}") as refused:
        require_end(path)
    assert f"truncate -s {end} trailing.gz" in refused.value.remedy


def test_that_files_one_after_the_other_are_one(folder: Path) -> None:
    path = folder / "two.gz"
    _write(path, b"ACGT" * 30_000)
    path.write_bytes(path.read_bytes() * 2)
    require_end(path)
    with BgzfContent(path) as opened:
        assert b"".join(opened.pieces()) == b"ACGT" * 60_000


def test_that_empty_blocks_anywhere_are_passed_over(folder: Path) -> None:
    path = folder / "empty.gz"
    starts = _write(path, b"ACGT" * 50_000)
    packed = path.read_bytes()
    path.write_bytes(END_MARKER * 2 + packed[: starts[1]] + END_MARKER + packed[starts[1] :])
    with BgzfContent(path) as opened:
        assert opened.beginning().startswith(b"ACGT")
        assert opened.read(65_270, 20) == (b"ACGT" * 50_000)[65_270:65_290]
        assert b"".join(opened.pieces()) == b"ACGT" * 50_000
        listed = gzi(opened.blocks)
    # Readers take a block at the very start for granted, so that here the first is listed.
    assert struct.unpack_from("<QQQ", listed) == (len(opened.blocks), 2 * len(END_MARKER), 0)


def test_that_a_block_that_denies_its_content_is_damaged(folder: Path) -> None:
    path = folder / "denied.gz"
    starts = _write(path, b"ACGT" * 50_000)
    packed = bytearray(path.read_bytes())
    packed[starts[2] - 4 : starts[2]] = bytes(4)
    path.write_bytes(packed)
    with BgzfContent(path) as opened, pytest.raises(DatasetError, match="damaged"):
        assert opened.blocks


def test_that_bytes_after_the_content_of_a_block_are_damage(folder: Path) -> None:
    path = folder / "within.gz"
    starts = _write(path, b"ACGT" * 10_000)
    packed = path.read_bytes()
    block = packed[: starts[1] - 8] + b"rubbish" + packed[starts[1] - 8 : starts[1]]
    size = struct.pack("<H", len(block) - 1)
    path.write_bytes(block[:16] + size + block[18:] + packed[starts[1] :])
    with BgzfContent(path) as opened, pytest.raises(DatasetError, match="damaged"):
        opened.read(0, 10)


@pytest.mark.parametrize("flag", [0x01, 0x02, 0x08, 0x10])
def test_that_other_flags_of_gzip_make_no_block(folder: Path, flag: int) -> None:
    path = folder / "flags.gz"
    _write(path, b"ACGT" * 10)
    head = bytearray(path.read_bytes())
    head[3] |= flag
    assert block_size(bytes(head)) is None


def test_that_an_index_of_one_block_is_empty() -> None:
    block = BgzfBlock(file_start=0, packed_bytes=100, content_start=0, content_bytes=200)
    assert gzi([block]) == bytes(8)
    assert len(END_MARKER) == 28
