"""What is taken for FASTA, in a file or a folder: odd files are refused, or left out and told."""

import gzip
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from driving import drive, open_job
from one_trial import one_trial

from core.language import DatasetError
from core.measure import Inspection
from core.vocabulary import Completed, registry, specify
from workloads.fasta.bgzf_oracle import compress

WANTED = ("seqrepo", "fasta", "fasta-folder")
FASTA = b">a some\nACGTACGT\nACG\n>b\nTTTT\n"


def _bgzf(content: bytes) -> bytes:
    return b"".join(compress(content))


@pytest.mark.parametrize(
    ("content", "cause", "remedy"),
    [
        (b"", "is empty", "name a file"),
        (gzip.compress(FASTA, mtime=0), "gzip but not BGZF", "bgzip"),
        (_bgzf(b"BAM\1" + bytes(100)), "is a BAM file", "samtools fasta"),
        (_bgzf(FASTA)[:-30], "cut off", "fetch it again|fetch the file again"),
        (_bgzf(FASTA)[:40], "cut off", "fetch the file again"),
        (_bgzf(FASTA)[:30] + b"\0\0" + _bgzf(FASTA)[32:], "damaged", "fetch the file again"),
        (b"@read\nACGT\n+\nIIII\n", "FASTQ", "convert"),
        (b"@HD\tVN:1.0\n", "SAM", "FASTA"),
        (b"BZh91AY", "bzip2", "bgzip"),
        (b"some text\n", "does not begin with '>'", "FASTA"),
    ],
)
def test_that_what_is_not_fasta_is_refused_with_cause_and_remedy(
    tmp_path: Path, content: bytes, cause: str, remedy: str
) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(content)
    with pytest.raises(DatasetError, match=cause) as refused:
        registry.open_dataset(path, WANTED)
    assert any(word in refused.value.remedy for word in remedy.split("|"))


def test_that_a_file_cut_off_can_still_be_read_raw(tmp_path: Path) -> None:
    path = tmp_path / "cut.fa.gz"
    path.write_bytes(_bgzf(FASTA)[:-30])
    assert registry.open_dataset(path).kind == "files"


def test_that_gzip_is_said_to_be_no_bgzf_where_it_is_shown(tmp_path: Path) -> None:
    path = tmp_path / "x.fa.gz"
    path.write_bytes(gzip.compress(FASTA, mtime=0))
    found = Inspection.of(path)
    assert found.dataset.kind == "files"
    assert "FASTA file; but" in found.problem
    assert "gunzip -c x.fa.gz | bgzip > x.fa.bgz" in found.problem


@pytest.mark.parametrize("content", [FASTA, b"\n  \n" + FASTA, FASTA.replace(b"\n", b"\r\n")])
@pytest.mark.parametrize("name", ["x.fa", "x.gz", "x", "x.zip"])
@pytest.mark.parametrize("packed", [False, True])
def test_that_the_name_of_a_file_says_nothing(
    tmp_path: Path, content: bytes, name: str, packed: bool
) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / name
    path.write_bytes(_bgzf(content) if packed else content)
    assert registry.open_dataset(path).kind == "fasta"
    for reader in ("pysam", "pyfaidx"):
        driven = drive("fasta", path, reader=reader, accessions=6, slice="random", length=3)
        assert driven.clean
    assert list(folder.iterdir()) == [path]


def test_that_a_folder_passes_over_what_is_not_fasta(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "x.fa").write_bytes(FASTA)
    (folder / "y.gz").write_bytes(_bgzf(FASTA))
    (folder / "notes.txt").write_text("nothing")
    (folder / "reads.bam").write_bytes(_bgzf(b"BAM\1"))
    dataset = registry.open_dataset(folder)
    assert dataset.kind == "fasta-folder"
    kind = registry.dataset_kind("fasta-folder")
    assert [file.name for file in kind.files(folder)] == ["x.fa", "y.gz"]
    assert kind.facts(folder) == {"files": 2, "sequences": 4}
    assert drive("fasta", folder, accessions=20).clean


def test_that_an_index_made_later_does_not_change_the_identity(tmp_path: Path) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(FASTA)
    before = registry.open_dataset(path)
    (tmp_path / "x.fa.fai").write_text("a\t11\t8\t8\t9\nb\t4\t24\t4\t5\n")
    assert registry.open_dataset(path) == before
    assert len(registry.dataset_kind("fasta").files(path)) == 2


@pytest.mark.real_data("fasta-real")
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
@pytest.mark.parametrize(
    "name",
    [
        "",
        "Homo_sapiens_assembly18.trimmed.fasta",
        "Homo_sapiens_assembly18.trimmed.fasta.gz",
        "Homo_sapiens_assembly18.trimmed.nogzindex.fasta.gz",
        "ce.fa",
        "crlf.fasta",
        "header_with_white_space.fasta",
        "header_with_extra_white_space.fasta",
    ],
)
def test_that_real_files_give_right_bases_and_stay_as_they_are(
    real_data: Path, untouched: Callable[[Path], None], name: str, reader: str
) -> None:
    path = real_data / "fasta-real" / name
    untouched(path)
    assert drive("fasta", path, reader=reader, accessions=200, slice="random", length=70).clean
    assert drive("fasta", path, reader=reader, accessions=20, slice="whole", threads=2).clean


@pytest.mark.real_data("fasta-real")
@pytest.mark.parametrize("name", ["truncated.bam", "defective_bgzf.bam", "no_bgzf_terminator.bam"])
def test_that_real_bam_files_are_refused(real_data: Path, name: str) -> None:
    with pytest.raises(DatasetError, match="is a BAM file"):
        registry.open_dataset(real_data / "fasta-real" / name, WANTED)


@pytest.mark.real_data("seqrepo-real")
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx", "seqrepo"])
def test_that_a_real_snapshot_gives_right_bases_and_stays_as_it_is(
    real_data: Path, untouched: Callable[[Path], None], reader: str
) -> None:
    path = real_data / "seqrepo-real"
    untouched(path)
    driven = drive("fasta", path, reader=reader, accessions=50, slice="random", length=2000)
    assert driven.clean
    assert driven.steps == ("look-up", "fetch")
    assert {item.where for item, _ in driven.results} == {"test"}


def test_that_names_that_are_no_text_do_no_harm(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    Path(os.fsdecode(os.fsencode(folder) + b"/x\xff.fa")).write_bytes(FASTA)
    assert drive("fasta", folder, accessions=5).clean
    (folder / "y.fa").write_bytes(b">\xff\xfe\nACGT\n")
    with pytest.raises(DatasetError, match="not UTF-8"):
        drive("fasta", folder / "y.fa", accessions=5)


ODD_NAMES = (b">", b"{x}", b"-", b"-rf", b"\xff\xfe", b"two\nlines", b" ", b"$(id)", b"x##idx##y")
ODD_CONTENTS = {
    "a header without a name": b">\nACGT\n",
    "whose name is not UTF-8": b">\xff\nACGT\n",
    "lines of different lengths": b">a\nACGT\nAC\nACGT\n",
    "lacks BGZF's end marker": _bgzf(FASTA)[:-28],
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
    (place / "y.gz").write_bytes(_bgzf(FASTA))
    return place


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_files_with_odd_names_are_read_like_others(
    tmp_path: Path, reader: str, packed: bool
) -> None:
    place = tmp_path / "data"
    place.mkdir()
    for name in ODD_NAMES:
        named(place, name, _bgzf(FASTA) if packed else FASTA)
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
    (tmp_path / "y.gz").write_bytes(_bgzf(FASTA)[:-28])
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
