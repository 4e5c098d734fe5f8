"""Index files beside the data: believed nowhere, named where they do not fit."""

import re
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import pysam
import pytest
from driving import drive, open_job
from pyfaidx import Faidx

from core.catalog import registry
from core.errors import DatasetError
from workloads.fasta.bgzf import END_MARKER, compress
from workloads.fasta.fai import FaiRecord, misfit

NAMES = [f"s{number}" for number in range(20)]
BASES = {name: "ACGTTGCAAC" * (5 + 3 * place) + "A" for place, name in enumerate(NAMES)}


def fasta(line: int = 60, newline: str = "\n") -> bytes:
    lines: list[str] = []
    for name, bases in BASES.items():
        lines.append(f">{name} of some kind")
        lines += [bases[start : start + line] for start in range(0, len(bases), line)]
    return newline.join([*lines, ""]).encode()


def bgzf(content: bytes) -> bytes:
    return b"".join(block for block, _ in compress([content]))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with the indexes that samtools makes."""
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / "x.fa"
    path.write_bytes(fasta())
    pysam.faidx(str(path))
    return path


@pytest.fixture
def packed(tmp_path: Path) -> Path:
    """As `file`, in BGZF of several blocks."""
    folder = tmp_path / "packed"
    folder.mkdir()
    path = folder / "x.fa.gz"
    path.write_bytes(bgzf(fasta() + b">long\n" + b"ACGT" * 50_000 + b"\n"))
    pysam.faidx(str(path))
    return path


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _first_five(lines: list[str]) -> list[str]:
    return lines[:5]


def _nothing(_: list[str]) -> list[str]:
    return []


def _shorter_lines(lines: list[str]) -> list[str]:
    return [line.replace("\t60\t61", "\t59\t60") for line in lines]


def _absurd_length(lines: list[str]) -> list[str]:
    return [re.sub(r"\t\d+", "\t99999999999999", lines[0], count=1), *lines[1:]]


def _absurd_width(lines: list[str]) -> list[str]:
    return [line.replace("\t61", "\t4294967295") for line in lines]


def _no_line(lines: list[str]) -> list[str]:
    return [line.replace("\t60\t61", "\t0\t0") for line in lines]


def _another_name(lines: list[str]) -> list[str]:
    return [*lines[:-1], lines[-1].replace("s19", "s91")]


def _one_more(lines: list[str]) -> list[str]:
    return [*lines, lines[-1].replace("s19", "s20")]


def _one_byte_on(lines: list[str]) -> list[str]:
    name, length, offset, *rest = lines[3].split("\t")
    lines[3] = "\t".join((name, length, str(int(offset) + 1), *rest))
    return lines


def _one_base_less(lines: list[str]) -> list[str]:
    name, length, *rest = lines[3].split("\t")
    lines[3] = "\t".join((name, str(int(length) - 1), *rest))
    return lines


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_first_five, "it lists 5 of 20 sequences"),
        (_nothing, "it lists 0 of 20 sequences"),
        (
            _shorter_lines,
            "it gives s1 a line length of 59 .60 B with the line's end., not 60 .61 B",
        ),
        (_absurd_length, "it gives s0 a length of 99,999,999,999,999, not 51"),
        (_absurd_width, "4,294,967,295 B"),
        (_no_line, "a line length of 0 "),
        (_another_name, "it lists s91, which is not there"),
        (_one_more, "it lists s20, which is not there"),
        (_one_byte_on, "it has s3 begin at byte"),
        (_one_base_less, "it gives s3 a length of 140, not 141"),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
@pytest.mark.parametrize("part", ["whole", "first"])
def test_that_an_index_that_does_not_fit_is_named_with_what_to_do(
    file: Path, change: Callable[[list[str]], list[str]], why: str, reader: str, part: str
) -> None:
    index = beside(file, ".fai")
    index.write_text("".join(change(index.read_text().splitlines(keepends=True))))
    with pytest.raises(DatasetError, match=rf"x\.fa\.fai does not fit x\.fa: .*{why}") as refused:
        drive("fasta", file, reader=reader, slice=part, accessions=1)
    assert "delete x.fa.fai" in refused.value.remedy
    assert "samtools faidx" in refused.value.remedy


def test_that_what_was_advised_helps(file: Path) -> None:
    index = beside(file, ".fai")
    index.write_text("")
    with pytest.raises(DatasetError):
        open_job("fasta", file)
    index.unlink()
    driven = drive("fasta", file, slice="whole", accessions=20)
    assert {item.name: bases for item, bases in driven.results} == BASES
    assert driven.clean
    assert not index.exists()


def test_that_sequences_are_counted_in_the_file_itself(file: Path) -> None:
    index = beside(file, ".fai")
    index.write_text("".join(index.read_text().splitlines(keepends=True)[:5]))
    assert registry.dataset_kind("fasta").facts(file)["sequences"] == 20


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("line", [7, 60, 10**6])
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_indexes_of_samtools_and_pyfaidx_fit(
    tmp_path: Path, newline: str, line: int, reader: str
) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(fasta(line, newline).rstrip() + b"\n>none\n>last\nACGTA")
    if reader == "pysam":
        pysam.faidx(str(path))
    else:
        Faidx(str(path)).close()
    assert beside(path, ".fai").exists()
    for part in ("whole", "random"):
        assert drive("fasta", path, reader=reader, slice=part, length=9, accessions=40).clean


def test_that_the_order_of_an_index_does_not_matter(file: Path) -> None:
    index = beside(file, ".fai")
    index.write_text("".join(reversed(index.read_text().splitlines(keepends=True))))
    assert drive("fasta", file, slice="random", length=9, accessions=40).clean


@pytest.mark.parametrize("name", ["a\u2028b", "a\x85b", "a\x1cb", "a\x1eb"])
@pytest.mark.parametrize("indexed", [False, True])
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_names_with_odd_line_ends_are_read(
    tmp_path: Path, name: str, indexed: bool, reader: str
) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(f">{name}\nACGTACGT\nAC\n>c\nGGG\n".encode())
    if indexed:
        pysam.faidx(str(path))
    driven = drive("fasta", path, reader=reader, slice="whole", accessions=2)
    assert driven.clean
    assert {item.name: bases for item, bases in driven.results} == {name: "ACGTACGTAC", "c": "GGG"}


@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_a_greater_than_sign_inside_a_line_is_read(tmp_path: Path, reader: str) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(b">a\nACG>TACG\nTT>TTTTT\nAC>\n>c\nG>\n")
    driven = drive("fasta", path, reader=reader, slice="whole", accessions=2)
    assert driven.clean
    assert {item.name: bases for item, bases in driven.results} == {
        "a": "ACG>TACGTT>TTTTTAC>",
        "c": "G>",
    }


@pytest.mark.parametrize("indexed", [False, True])
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_bgzf_that_begins_with_an_empty_block_is_read(
    tmp_path: Path, indexed: bool, reader: str
) -> None:
    path = tmp_path / "x.fa.gz"
    path.write_bytes(END_MARKER + bgzf(fasta()))
    if indexed:
        pysam.faidx(str(path))
    driven = drive("fasta", path, reader=reader, slice="whole", accessions=20)
    assert driven.clean
    assert {item.name: bases for item, bases in driven.results} == BASES


def _one_bit(data: bytes) -> bytes:
    return data[:8] + bytes([data[8] ^ 1]) + data[9:]


def _first_only(data: bytes) -> bytes:
    return struct.pack("<Q", 1) + data[8:24]


def _cut(data: bytes) -> bytes:
    return data[:-3]


def _no_bytes(_: bytes) -> bytes:
    return b""


def _swapped(data: bytes) -> bytes:
    return data[:8] + data[24:40] + data[8:24] + data[40:]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_one_bit, "where none begins with that"),
        (_first_only, "it lacks the block at byte"),
        (_cut, "it is not an index of BGZF blocks"),
        (_no_bytes, "it is not an index of BGZF blocks"),
        (_swapped, "its blocks are not in order"),
    ],
    ids=lambda given: getattr(given, "__name__", ""),
)
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_an_index_of_blocks_that_does_not_fit_is_named(
    packed: Path, change: Callable[[bytes], bytes], why: str, reader: str
) -> None:
    index = beside(packed, ".gzi")
    index.write_bytes(change(index.read_bytes()))
    with pytest.raises(DatasetError, match=rf"x\.fa\.gz\.gzi does not fit .*{why}") as refused:
        drive("fasta", packed, reader=reader, accessions=1)
    assert "delete x.fa.gz.gzi" in refused.value.remedy


@pytest.mark.parametrize("suffix", [".fai", ".gzi"])
def test_that_an_index_of_our_own_that_was_damaged_is_made_again(
    packed: Path, cache: Path, suffix: str
) -> None:
    for index in (".fai", ".gzi"):
        beside(packed, index).unlink()
    assert drive("fasta", packed, accessions=20).clean
    (own,) = cache.rglob(f"fai/*{suffix}")
    whole = own.read_bytes()
    own.write_bytes(whole[: len(whole) // 2])
    assert drive("fasta", packed, accessions=20).clean
    assert own.read_bytes() == whole


@pytest.mark.parametrize(
    ("listed", "fits"),
    [
        (FaiRecord("a", 45, 3, 45, 46), True),
        (FaiRecord("a", 45, 3, 60, 61), True),
        (FaiRecord("a", 45, 3, 45, 47), True),
        (FaiRecord("a", 45, 3, 45, 45), True),
        (FaiRecord("a", 45, 3, 44, 45), False),
        (FaiRecord("a", 45, 3, 45, 44), False),
        (FaiRecord("a", 45, 3, 45, 2000), False),
        (FaiRecord("a", 45, 3, 2**31, 2**31 + 1), False),
    ],
)
def test_that_of_a_single_line_the_length_is_not_looked_for(listed: FaiRecord, fits: bool) -> None:
    assert (misfit([listed], [FaiRecord("a", 45, 3, 45, 46)]) == "") == fits


def test_that_a_mirror_does_not_lead_to_an_index_that_is_gone(
    made: Callable[[str], object], tmp_path: Path
) -> None:
    """SeqRepo would build what is missing where the link leads: beside the data."""
    root = tmp_path / "snapshot"
    shutil.copytree(made("seqrepo").path, root)  # type: ignore[attr-defined]
    for index in root.rglob("*.gzi"):
        index.unlink()
    assert drive("fasta", root, reader="seqrepo", accessions=50).clean
    for index in root.rglob("*.fai"):
        index.unlink()
    assert drive("fasta", root, reader="seqrepo", accessions=50).clean
    assert not list(root.rglob("*.fai"))
