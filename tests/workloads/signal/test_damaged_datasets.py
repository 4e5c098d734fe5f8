"""Data that is cut off, damaged or misnamed is told as what it is, by every command that looks at
it; where one file of a folder cannot be read, the rest is.
"""

from __future__ import annotations

import json
import re
import shutil
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from signal_writing import File, Written, write

from core.language import DamagedDataset, DatasetError, SluiceError
from core.measure import Inspection, convert_dataset
from core.tell.cli import main
from core.vocabulary import Dataset, registry
from workloads.fasta.bgzf_oracle import compress
from workloads.signal.signal_parameters import BLUE_CRAB_DRIVER

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
    whole = b"".join(compress(b">a\n" + b"ACGT" * 40_000))
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


@pytest.fixture
def folder(made: Callable[[str], Dataset], tmp_path: Path) -> Path:
    """Two whole files of POD5, and one that was cut off."""
    folder = tmp_path / "run"
    folder.mkdir()
    whole = made("signal").path / "reads.pod5"
    for name in ("a", "b"):
        shutil.copy(whole, folder / f"{name}.pod5")
    (folder / "cut.pod5").write_bytes(whole.read_bytes()[:-200])
    return folder


def test_that_an_unfinished_pod5_names_what_recovers_it(folder: Path) -> None:
    with pytest.raises(DamagedDataset, match=r"not finished.*`pod5 recover \S+cut.pod5` saves"):
        registry.dataset_kind("pod5").open(folder / "cut.pod5")


def test_that_one_bad_file_of_a_folder_is_listed_and_the_rest_is_counted(folder: Path) -> None:
    kind = registry.dataset_kind("pod5")
    facts = kind.facts(folder)
    assert (facts["files"], facts["pod5 reads"]) == (2, 40)
    assert "cut.pod5 lacks its end signature" in str(facts["left out 1"])
    assert [file.name for file in kind.files(folder)] == ["a.pod5", "b.pod5"]


def test_that_the_rest_of_a_folder_is_measured_and_the_bad_file_said(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "x.sluice"
    command = ["measure", "signal", "--dataset", str(folder), "--session", str(place)]
    command += ["--duration", "0", "--operations", "4", "--warm-up", "0", "--repeats", "1"]
    assert main([*command, "--budget", "0", "--no-floor", "--batch-size", "10"]) == 0
    told = capsys.readouterr().out
    assert "left out: " in told
    assert "cut.pod5 lacks its end signature" in told


def test_that_a_folder_without_a_whole_file_is_refused(folder: Path) -> None:
    for name in "ab":
        (folder / f"{name}.pod5").unlink()
    with pytest.raises(DatasetError, match="pod5 recover"):
        registry.open_dataset(folder, ("pod5",))


def test_that_blow5_with_the_name_of_slow5_is_said_to_be_blow5(
    made: Callable[[str], Dataset], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copy(made("signal").path / "reads.zstd.blow5", tmp_path / "reads.slow5")
    assert main(["dataset", "show", str(tmp_path / "reads.slow5"), "--json"]) == 0
    assert "reads.slow5 is BLOW5: rename it" in json.loads(capsys.readouterr().out)["misnamed 1"]


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("file", "to", "told"),
    [
        (
            "pod5-real/raw/p2s/unsupported/multigroup.pod5",
            "blow5",
            r"has reads of several runs \(split it: pod5 view \S+multigroup.pod5 --include",
        ),
        ("pod5-real/raw/p2s/unusual_pod5/pore_set.pod5", "blow5", "does not know its type of pore"),
        ("blow5-real/exp/one_fast5/exp_1_default.blow5", "pod5", "lack auxiliary fields"),
        ("blow5-real/examples/example2.slow5", "pod5", "its read ids are no UUIDs"),
    ],
)
def test_that_what_blue_crab_refuses_is_told_with_what_to_do(
    real_data: Path, tmp_path: Path, file: str, to: str, told: str
) -> None:
    if not BLUE_CRAB_DRIVER.installed:
        pytest.skip("blue-crab is not installed")
    with pytest.raises(SluiceError, match=told) as refused:
        convert_dataset(real_data / file, to, tmp_path / "new")
    assert refused.value.remedy


def test_that_the_line_about_a_dataset_tells_reads_samples_codec_and_groups(
    made: Callable[[str], Dataset],
) -> None:
    folder = made("signal").path
    for name, codec in (("reads.pod5", "vbz"), ("reads.zstd.blow5", "zstd/svb-zd")):
        told = Inspection.of(folder / name).sentence()
        assert re.search(rf" · 20 reads · [\d,]+ samples · {codec} · 1 read group · ", told)
