"""Data that is cut off or damaged is told as what it is, by every command that looks at it."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from slow5writing import File, Written, write

from core.catalog.local_datasets import Inspection, convert_dataset
from core.cli import main
from core.errors import DamagedDataset
from workloads.fasta.bgzf import compress

READS = [Written(read_id=f"read-{number}", samples=range(200)) for number in range(5)]


def cut_blow5(path: Path) -> Path:
    path.write_bytes(File(reads=READS).blow5()[:-30])
    return path


def blow5_with_a_damaged_header(path: Path) -> Path:
    whole = bytearray(File(reads=READS).blow5())
    whole[64:68] = struct.pack("<I", 7)
    path.write_bytes(whole)
    return path


def cut_bgzf(path: Path) -> Path:
    whole = b"".join(block for block, _ in compress([b">a\n" + b"ACGT" * 40_000]))
    path.write_bytes(whole[:-40])
    return path


def cut_pod5(path: Path) -> Path:
    path.write_bytes(b"\x8bPOD\r\n\x1a\n" + bytes(500))
    return path


SPOILED = {
    "BLOW5 or SLOW5": (cut_blow5, r"was cut off after [\d,]+ of at least [\d,]+ bytes"),
    "a header": (blow5_with_a_damaged_header, "has a damaged header"),
    "FASTA file": (cut_bgzf, "was cut off"),
    "POD5": (cut_pod5, "so it was cut off"),
}


@pytest.mark.parametrize("what", SPOILED)
def test_that_show_says_what_damaged_data_looks_like_and_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], what: str
) -> None:
    spoil, how = SPOILED[what]
    path = spoil(tmp_path / "data")
    assert main(["dataset", "show", str(path)]) == 1
    told = capsys.readouterr().out
    assert "problem" in told.split("\n")[0]
    assert f"it seems to be: {'BLOW5 or SLOW5' if what == 'a header' else what}; but {path}" in told
    assert re.search(how, told)


@pytest.mark.parametrize("what", SPOILED)
def test_that_convert_says_it_too(tmp_path: Path, what: str) -> None:
    spoil, how = SPOILED[what]
    path = spoil(tmp_path / "data")
    with pytest.raises(DamagedDataset, match=how) as refused:
        convert_dataset(path, "pod5", tmp_path / "new")
    assert refused.value.exit_code == 1
    assert not (tmp_path / "new").exists()


def odd(**fields: object) -> Callable[[Path], Path]:
    """A file whose first read has these values."""
    types = {"channel_number": "char*", "start_time": "uint64_t"}
    usual: dict[str, object] = {"channel_number": "7", "start_time": 5}
    read = Written(fields=usual | fields)

    def spoil(path: Path) -> Path:
        return write(path, File(reads=[read], types=types))

    return spoil


def undigitised(path: Path) -> Path:
    return write(path, File(reads=[Written(digitisation=0.0, range=1.0)]))


@pytest.mark.parametrize("suffix", [".blow5", ".slow5"])
@pytest.mark.parametrize(
    "spoil",
    [
        undigitised,
        odd(start_time=2**64 - 2),
        odd(channel_number="9" * 30),
        odd(channel_number="9" * 5000),
        odd(channel_number="٣"),
    ],
)
def test_that_values_out_of_all_ranges_are_no_fault_of_ours(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], spoil: Callable[[Path], Path], suffix: str
) -> None:
    assert main(["dataset", "show", str(spoil(tmp_path / f"odd{suffix}"))]) == 0
    assert "blow5 reads" in capsys.readouterr().out


def test_that_a_number_of_samples_that_cannot_be_names_file_and_record(tmp_path: Path) -> None:
    def huge(number: int, content: bytes) -> bytes:
        place = 2 + len("read") + struct.calcsize("<Idddd")
        return content[:place] + struct.pack("<Q", 2**63 + 1) + content[place + 8 :]

    path = tmp_path / "huge.blow5"
    path.write_bytes(File(press="none", pack=huge).blow5())
    with pytest.raises(DamagedDataset, match=r"huge\.blow5 has a damaged record, number 1"):
        Inspection.of(path)
