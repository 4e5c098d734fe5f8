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

from core.language import DatasetError
from core.vocabulary import registry
from workloads.fasta.bgzf_oracle import END_MARKER, compress
from workloads.fasta.fai_oracle import misfit
from workloads.fasta.fai_table import FaiRecord

NAMES = [f"s{number}" for number in range(20)]
BASES = {name: "ACGTTGCAAC" * (5 + 3 * place) + "A" for place, name in enumerate(NAMES)}


def fasta(line: int = 60, newline: str = "\n") -> bytes:
    lines: list[str] = []
    for name, bases in BASES.items():
        lines.append(f">{name} of some kind")
        lines += [bases[start : start + line] for start in range(0, len(bases), line)]
    return newline.join([*lines, ""]).encode()


def bgzf(content: bytes) -> bytes:
    return b"".join(compress(content))


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


def added(lines: list[str], column: int, count: int) -> list[str]:
    """With a number of the fourth line made greater."""
    columns = lines[3].split("\t")
    columns[column] = str(int(columns[column]) + count)
    return [*lines[:3], "\t".join(columns), *lines[4:]]


def replaced(old: str, new: str) -> Callable[[list[str]], list[str]]:
    return lambda lines: [re.sub(old, new, line) for line in lines]


MISFITS: dict[str, tuple[Callable[[list[str]], list[str]], str]] = {
    "the first five": (lambda lines: lines[:5], "it lists 5 of 20 sequences"),
    "nothing": (lambda _: [], "it lists 0 of 20 sequences"),
    "shorter lines": (
        replaced("\t60\t61", "\t59\t60"),
        "it gives s1 a line length of 59 .60 B with the line's end., not 60 .61 B",
    ),
    "an absurd length": (
        replaced(r"^s0\t\d+", "s0\t99999999999999"),
        "it gives s0 a length of 99,999,999,999,999, not 51",
    ),
    "an absurd width": (replaced("\t61", "\t4294967295"), "4,294,967,295 B"),
    "no line": (replaced("\t60\t61", "\t0\t0"), "a line length of 0 "),
    "another name": (replaced("s19", "s91"), "it lists s91, which is not there"),
    "one more": (
        lambda lines: [*lines, lines[-1].replace("s19", "s20")],
        "it lists s20, which is not there",
    ),
    "one byte on": (lambda lines: added(lines, 2, 1), "it has s3 begin at byte"),
    "one base less": (lambda lines: added(lines, 1, -1), "it gives s3 a length of 140, not 141"),
}


@pytest.mark.parametrize("change", MISFITS)
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
@pytest.mark.parametrize("part", ["whole", "first"])
def test_that_an_index_that_does_not_fit_is_named_with_what_to_do(
    file: Path, change: str, reader: str, part: str
) -> None:
    changed, why = MISFITS[change]
    index = beside(file, ".fai")
    index.write_text("".join(changed(index.read_text().splitlines(keepends=True))))
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


ODD: dict[str, tuple[bytes, dict[str, str]]] = {
    **{
        name: (
            f">{name}\nACGTACGT\nAC\n>c\nGGG\n".encode(),
            {name: "ACGTACGTAC", "c": "GGG"},
        )
        for name in ("a\u2028b", "a\x85b", "a\x1cb", "a\x1eb")
    },
    "a greater-than sign inside a line": (
        b">a\nACG>TACG\nTT>TTTTT\nAC>\n>c\nG>\n",
        {"a": "ACG>TACGTT>TTTTTAC>", "c": "G>"},
    ),
    "BGZF that begins with an empty block": (END_MARKER + bgzf(fasta()), BASES),
}
"""Odd names and contents, and the sequences that are in them."""


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("indexed", [False, True])
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_odd_files_are_read_with_and_without_an_index(
    tmp_path: Path, odd: str, indexed: bool, reader: str
) -> None:
    content, sequences = ODD[odd]
    path = tmp_path / f"x.fa{'.gz' if odd.startswith('BGZF') else ''}"
    path.write_bytes(content)
    if indexed:
        pysam.faidx(str(path))
    driven = drive("fasta", path, reader=reader, slice="whole", accessions=len(sequences))
    assert driven.clean
    assert {item.name: bases for item, bases in driven.results} == sequences


WRONG_BLOCKS: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "one bit": (
        lambda data: data[:8] + bytes([data[8] ^ 1]) + data[9:],
        "where none begins with that",
    ),
    "the first only": (
        lambda data: struct.pack("<Q", 1) + data[8:24],
        "it lacks the block at byte",
    ),
    "cut off": (lambda data: data[:-3], "it is not an index of BGZF blocks"),
    "no bytes": (lambda _: b"", "it is not an index of BGZF blocks"),
    "swapped": (
        lambda data: data[:8] + data[24:40] + data[8:24] + data[40:],
        "its blocks are not in order",
    ),
}


@pytest.mark.parametrize("change", WRONG_BLOCKS)
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_an_index_of_blocks_that_does_not_fit_is_named(
    packed: Path, change: str, reader: str
) -> None:
    changed, why = WRONG_BLOCKS[change]
    index = beside(packed, ".gzi")
    index.write_bytes(changed(index.read_bytes()))
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
    assert (misfit({"a": listed}, {"a": FaiRecord("a", 45, 3, 45, 46)}) == "") == fits


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
