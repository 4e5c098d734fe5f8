"""A folder with odd files among its FASTA files: these are left out and told, the rest works."""

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest
from driving import drive, open_job
from one_trial import one_trial

from core.catalog import registry
from core.catalog.local_datasets import Inspection
from core.errors import DatasetError
from core.plan.specify import specify
from core.result.outcome import Completed
from workloads.fasta.bgzf import compress

FASTA = b">a some\nACGTACGT\nACG\n>b\nTTTT\n"
BGZF = b"".join(block for block, _ in compress([FASTA]))
ODD_NAMES = (b">", b"{x}", b"-", b"-rf", b"\xff\xfe", b"two\nlines", b" ", b"$(id)", b"x##idx##y")
ODD_CONTENTS = {
    "a header without a name": b">\nACGT\n",
    "whose name is not UTF-8": b">\xff\nACGT\n",
    "lines of different lengths": b">a\nACGT\nAC\nACGT\n",
    "lacks BGZF's end marker": BGZF[:-28],
}


def named(folder: Path, name: bytes, content: bytes) -> Path:
    path = folder / os.fsdecode(name)
    path.write_bytes(content)
    return path


def left_out(notes: Sequence[str]) -> list[str]:
    return [note for note in notes if note.startswith("left out")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    place = tmp_path / "data"
    place.mkdir()
    (place / "x.fa").write_bytes(FASTA)
    (place / "y.gz").write_bytes(BGZF)
    return place


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_files_with_odd_names_are_read_like_others(
    tmp_path: Path, reader: str, packed: bool
) -> None:
    place = tmp_path / "data"
    place.mkdir()
    for name in ODD_NAMES:
        named(place, name, BGZF if packed else FASTA)
    job = open_job("fasta", place, reader=reader)
    job.close()
    assert not left_out(job.notes)
    assert drive("fasta", place, reader=reader, accessions=200).clean


@pytest.mark.parametrize("name", [b">", b"{x}", b"-", b"\xff"])
@pytest.mark.parametrize("why", ODD_CONTENTS)
def test_that_an_odd_file_is_left_out_with_its_reason_and_the_rest_is_measured(
    folder: Path, name: bytes, why: str
) -> None:
    odd = named(folder, name, ODD_CONTENTS[why])
    driven = drive("fasta", folder, accessions=50)
    assert driven.clean
    (note,) = left_out(driven.job.notes)
    assert note.startswith(f"left out: {odd}")
    assert why in note
    look = Inspection.of(folder)
    assert (look.facts["files"], look.facts["left out 1"]) == (2, note.removeprefix("left out: "))
    assert "1 file left out" in look.sentence()


def test_that_a_file_with_an_index_of_other_data_is_left_out_in_later_trials_too(
    folder: Path,
) -> None:
    (folder / "x.fa.fai").write_text("a\t11\t7\t8\t9\n")
    for _ in range(2):
        driven = drive("fasta", folder, accessions=50)
        assert driven.clean
        (note,) = left_out(driven.job.notes)
        assert "x.fa.fai does not fit x.fa" in note


def test_that_a_trial_keeps_what_was_left_out_of_it(folder: Path) -> None:
    named(folder, b">", b">\n")
    spec = specify("fasta", registry.open_dataset(folder), {"operations": 5, "duration": 0})
    trial = one_trial(spec)
    assert trial.outcome == Completed()
    assert left_out(trial.notes) == [
        f"left out: {folder / '>'} has a header without a name (name the sequence)"
    ]


def test_that_a_folder_of_which_nothing_can_be_read_is_refused_with_a_reason(
    tmp_path: Path,
) -> None:
    named(tmp_path, b"a", b">\n")
    named(tmp_path, b"b", b">\xff\n")
    with pytest.raises(DatasetError, match="a has a header without a name"):
        open_job("fasta", tmp_path)


def test_that_a_folder_of_files_that_are_all_cut_off_is_refused(tmp_path: Path) -> None:
    (tmp_path / "y.gz").write_bytes(BGZF[:-28])
    with pytest.raises(DatasetError, match=r"y\.gz lacks BGZF's end marker"):
        registry.open_dataset(tmp_path, ("fasta", "fasta-folder"))


def test_that_many_odd_files_are_counted_behind_the_first(folder: Path) -> None:
    for number in range(25):
        named(folder, f"{number:02}".encode(), b">\n")
    job = open_job("fasta", folder)
    job.close()
    assert len(left_out(job.notes)) == 11
    assert left_out(job.notes)[-1] == "left out besides: 15 files"


def test_that_one_odd_file_of_twenty_thousand_is_told_and_the_others_are_prepared(
    tmp_path: Path,
) -> None:
    place = tmp_path / "data"
    place.mkdir()
    (place / "0").write_bytes(FASTA)
    (place / "notes").write_bytes(b"no FASTA")
    for number in range(1, 20_000):
        os.link(place / ("notes" if number % 100 else "0"), place / f"{number}")
    odd = named(place, b">\xff", b">\xff\n")
    look = Inspection.of(place)
    assert (look.files, look.facts["files"], look.facts["sequences"]) == (201, 200, 400)
    assert str(odd) in str(look.facts["left out 1"])
    job = open_job("fasta", place, accessions=100)
    job.close()
    assert len(job.items) == 100
    (note,) = left_out(job.notes)
    assert note.startswith(f"left out: {odd}")
    shutil.rmtree(place)  # pytest keeps what tests have left
