"""Answers that are kept between trials: never those of other data, whatever its times say."""

import os
import shutil
from pathlib import Path

import pytest
from driving import drive, need_drivers

from core.language import report_to_nobody
from core.measure import convert_dataset, make_dataset
from workloads.signal import slow5_records_oracle
from workloads.signal.catalogue import catalogue
from workloads.signal.make_signal import SignalShape
from workloads.signal.signal_parameters import BLUE_CRAB_DRIVER


def change_unseen(path: Path, place: int, byte: bytes) -> None:
    """Change one byte and restore the times."""
    times = path.stat()
    with path.open("r+b") as opened:
        opened.seek(place)
        assert opened.read(1) != byte
        opened.seek(place)
        opened.write(byte)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))


@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_fasta_changed_with_its_time_restored_is_answered_anew(
    tmp_path: Path, reader: str
) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(b">a\n" + b"A" * 20_000 + b"\n")
    assert drive("fasta", path, reader=reader, slice="whole", accessions=1).clean
    change_unseen(path, 10_000, b"C")
    assert drive("fasta", path, reader=reader, slice="whole", accessions=1).clean


def test_that_an_index_is_built_anew_for_fasta_changed_with_its_time_restored(
    tmp_path: Path,
) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(b">a\n" + b"A" * 20_000 + b"\n>b\n" + b"C" * 20_000 + b"\n")
    assert drive("fasta", path, slice="whole", accessions=2).clean
    change_unseen(path, 20_005, b"z")
    driven = drive("fasta", path, slice="whole", accessions=2)
    assert driven.clean
    assert {item.name for item, _ in driven.results} == {"a", "z"}


@pytest.fixture(scope="module")
def signal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Reads as uncompressed BLOW5, more than the fingerprint looks at."""
    need_drivers("signal", reader="blow5-c")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SLUICE_CACHE", str(tmp_path_factory.mktemp("cache")))
        shape = SignalShape(reads=30, median_length=2000)
        made = make_dataset("signal", shape, tmp_path_factory.mktemp("made") / "signal")
    return made.path / "reads.none.blow5"


@pytest.fixture
def reads(signal: Path, tmp_path: Path) -> tuple[Path, int]:
    """A file that can be changed, and the place of a sample in the middle of it."""
    path = tmp_path / "reads.blow5"
    shutil.copyfile(signal, path)
    record = list(slow5_records_oracle.records(path, 0))[15]
    return path, record.offset + record.size // 2


def test_that_signal_changed_with_its_time_restored_is_answered_anew(
    reads: tuple[Path, int], cache: Path
) -> None:
    path, place = reads
    before = catalogue(path, 10**6, cache, report_to_nobody)
    change_unseen(path, place, bytes([path.read_bytes()[place] ^ 1]))
    after = catalogue(path, 10**6, cache, report_to_nobody)
    assert [read.read_id for read in after.reads] == [read.read_id for read in before.reads]
    assert after.reads != before.reads


def test_that_signal_changed_with_its_time_restored_is_converted_anew(
    reads: tuple[Path, int],
) -> None:
    if not BLUE_CRAB_DRIVER.installed:
        pytest.skip("blue-crab is missing")
    path, place = reads
    before = convert_dataset(path, "pod5").path
    assert convert_dataset(path, "pod5").path == before
    change_unseen(path, place, bytes([path.read_bytes()[place] ^ 1]))
    assert convert_dataset(path, "pod5").path != before
