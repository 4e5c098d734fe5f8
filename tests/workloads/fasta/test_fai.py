from pathlib import Path

import pysam
import pytest
from calls import calls_in
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import DatasetError
from workloads.fasta.fai_oracle import by_name, fai, read_fai, scan, scan_all
from workloads.fasta.fai_table import FaiRecord, FaiTable

_NAMES = st.text("abcXYZ019_.|-", min_size=1, max_size=12)
_BASES = st.text("ACGTNacgtn*-", max_size=200)
_SEQUENCES = st.dictionaries(_NAMES, _BASES, min_size=1, max_size=6)


def _folded(
    sequences: dict[str, str], width: int, newline: str, described: bool, end: bool
) -> bytes:
    lines: list[str] = []
    for name, bases in sequences.items():
        lines.append(f">{name}{' of some kind' if described else ''}")
        lines += [bases[start : start + width] for start in range(0, len(bases), width)]
    return (newline.join(lines) + (newline if end else "")).encode()


@settings(max_examples=200, deadline=None)
@given(
    sequences=_SEQUENCES,
    width=st.integers(1, 80),
    newline=st.sampled_from(["\n", "\r\n"]),
    described=st.booleans(),
    end=st.booleans(),
    cut=st.integers(1, 500),
)
def test_that_every_base_is_where_the_index_says(
    sequences: dict[str, str], width: int, newline: str, described: bool, end: bool, cut: int
) -> None:
    content = _folded(sequences, width, newline, described, end)
    pieces = [content[start : start + cut] for start in range(0, len(content), cut)]
    records = list(scan(pieces, Path("some.fa")))
    assert [record.name for record in records] == list(sequences)
    for record in records:
        bases = sequences[record.name]
        assert record.length == len(bases)
        for place, base in enumerate(bases):
            assert content[record.place(place)] == ord(base)


@settings(max_examples=30, deadline=None)
@given(sequences=_SEQUENCES, width=st.integers(1, 80), described=st.booleans())
def test_that_the_index_equals_that_of_htslib(
    tmp_path_factory: pytest.TempPathFactory,
    sequences: dict[str, str],
    width: int,
    described: bool,
) -> None:
    sequences = {name: bases or "A" for name, bases in sequences.items()}
    path = tmp_path_factory.mktemp("fai") / "some.fa"
    content = _folded(sequences, width, "\n", described, True)
    path.write_bytes(content)
    pysam.faidx(str(path))
    theirs = path.with_name("some.fa.fai")
    assert fai(scan([content], path)) == theirs.read_bytes()
    assert list(read_fai(theirs).values()) == list(scan([content], path))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b">a\nACGT\nAC\nACGT\n", "different lengths"),
        (b">a\nAC\nACGT\n", r"different lengths .*fold it again: seqtk seq -l 60 - < odd.fa"),
        (b">a some\rACGT\rAC\r>b\rAC\r", r"CR alone.*: tr '\\r' '\\n' < odd.fa > NEW.fa"),
        (b">a\rACGT\rAC", "ends its lines with CR alone"),
        (b">a\nACGT\n\nACGT\n", "an empty line in the sequence a"),
        (b">a\nAC GT\n", "white space"),
        (b">a\n ACGT\n", "white space"),
        (b">\nACGT\n", "without a name"),
        (b"ACGT\n>a\nACGT\n", "before the first"),
        (b"\n\n", "no sequence"),
        (b">a\n\nACGT\n", r"an empty line .*: seqtk seq -l 60 - < odd.fa > NEW.fa"),
        (b">a\nAC\0GT\n", "byte 0x00 inside"),
        (b">a\nACGT\nAC\xe9T\nACGT\n", "byte 0xE9 inside"),
        (b">a\nACGT\nAC\x1cT\nACGT\n", "byte 0x1C inside"),
        (b">a\0b\nACGT\n", "zero byte"),
        (b">a\xff\nACGT\n", "not UTF-8"),
    ],
)
def test_that_what_cannot_be_indexed_is_refused(content: bytes, what: str) -> None:
    with pytest.raises(DatasetError, match=what):
        list(scan([content], Path("odd.fa")))


def test_that_a_remedy_for_bgzf_keeps_it_packed(tmp_path: Path) -> None:
    path = tmp_path / "odd one.fa.bgz"
    path.write_bytes(b"\x1f\x8b")
    told = r"bgzip -dc '\S+/odd one.fa.bgz' \| seqtk seq -l 60 - \| bgzip > NEW.fa.bgz"
    with pytest.raises(DatasetError, match=told):
        list(scan([b">a\nAC\nACGT\n"], path))


def test_that_white_space_after_a_sequence_does_no_harm() -> None:
    content = b"\n>a b c\nACGT\nAC\n  \n\t\n>b\nACGT \n\t"
    assert list(scan([content], Path("odd.fa"))) == [
        FaiRecord("a", 6, 8, 4, 5),
        FaiRecord("b", 4, 24, 4, 6),
    ]


def test_that_the_first_of_two_sequences_of_a_name_counts() -> None:
    records = by_name(scan([b">a\nACGT\n>b\nA\n>a\nAC\n"], Path("twice.fa")))
    assert [(name, record.length) for name, record in records.items()] == [("a", 4), ("b", 1)]


def test_that_a_last_line_one_base_longer_is_not_taken_for_a_full_line() -> None:
    with pytest.raises(DatasetError, match="different lengths"):
        list(scan([b">a\nACGT\nACGTA"], Path("odd.fa")))


@pytest.mark.parametrize(
    "line",
    [
        b"a\t5\tmany",
        b"a\t5\t3\t5",
        b"a\t5\t3\t5\t6\t7",
        b"a\t-5\t3\t5\t6",
        b"a\t5_0\t3\t5\t6",
        b"a\t 5\t3\t5\t6",
        b"a\t5.0\t3\t5\t6",
        b"a\t\xd9\xa5\t3\t5\t6",
        b"a\t99999999999999999999\t3\t5\t6",
        b"\xff\t5\t3\t5\t6",
        b"\t5\t3\t5\t6",
        b"",
    ],
)
def test_that_a_damaged_index_is_refused_with_its_line(tmp_path: Path, line: bytes) -> None:
    index = tmp_path / "x.fai"
    index.write_bytes(b"b\t5\t3\t5\t6\n" + line + b"\nc\t5\t3\t5\t6\n")
    with pytest.raises(DatasetError, match="not a FASTA index: see its line 2") as refused:
        read_fai(index)
    assert "delete x.fai" in refused.value.remedy


@pytest.mark.parametrize("end", [b"\n", b"", b"\r\n"])
def test_that_an_index_may_end_its_lines_in_any_way(tmp_path: Path, end: bytes) -> None:
    index = tmp_path / "x.fai"
    index.write_bytes(b"a\t5\t3\t5\t6" + end)
    assert read_fai(index) == {"a": FaiRecord("a", 5, 3, 5, 6)}


_ODD = ("a\u2028b", "a\x85b", "a\x1cb", "a\x1eb", "\u2029", "a>b", "chr1:1-5", "\xe9")


def test_that_names_with_odd_line_ends_are_indexed_as_by_htslib(tmp_path: Path) -> None:
    path = tmp_path / "odd.fa"
    path.write_bytes("".join(f">{name}\nACGT\n" for name in _ODD).encode())
    pysam.faidx(str(path))
    records = list(scan([path.read_bytes()], path))
    assert [record.name for record in records] == list(_ODD)
    assert list(read_fai(tmp_path / "odd.fa.fai").values()) == records
    assert fai(records) == (tmp_path / "odd.fa.fai").read_bytes()


_LINES = (
    *(b"ACGT\n", b"ACGT\n", b"ACGT\r\n", b"ACGT \n", b"AC\n", b"A>GT\n", b">x\n", b"\n"),
    *(b"AC T\n", b"ACGTA\n", b">y z\r\n", b"ACG\0\n", b" \t\n"),
)


@settings(max_examples=200, deadline=None)
@given(
    lines=st.lists(st.sampled_from(_LINES), max_size=14),
    cut=st.integers(1, 60),
    more=st.integers(0, 40),
)
def test_that_many_lines_at_once_are_what_they_are_one_by_one(
    lines: list[bytes], cut: int, more: int
) -> None:
    lines = [b">first\n", *[b"ACGT\n"] * more, *lines]
    content = b"".join(lines)
    pieces = [content[start : start + cut] for start in range(0, len(content), cut)]
    assert _scanned(lines) == _scanned(pieces) == _scanned([content])


def test_that_of_ten_sequences_less_than_one_takes_a_call() -> None:
    content = b"".join(b">s%d some words\nACGTACGT\nACGTAC\n" % number for number in range(20_000))
    pieces = [content[start : start + 100_000] for start in range(0, len(content), 100_000)]
    calls = calls_in(lambda: FaiTable(scan_all(pieces, Path("some.fa")))["s19999"])
    assert calls.total() < 20_000 / 10


def _scanned(pieces: list[bytes]) -> list[FaiRecord] | str:
    try:
        records = list(scan(pieces, Path("some.fa")))
        rows = scan_all(pieces, Path("some.fa"))
        assert list(rows) == records
        assert b"".join(rows.lines()) == fai(records)
        assert dict(FaiTable(rows)) == by_name(records)
        return records
    except DatasetError as refusal:
        return str(refusal)
