import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import drive

from core.catalog import registry
from core.catalog.local_datasets import Inspection
from core.errors import DatasetError
from workloads.fasta.bgzf import compress

WANTED = ("seqrepo", "fasta", "fasta-folder")
FASTA = b">a some\nACGTACGT\nACG\n>b\nTTTT\n"


def _bgzf(content: bytes) -> bytes:
    return b"".join(block for block, _ in compress([content]))


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


@pytest.mark.parametrize(
    ("wrong", "part"),
    [
        ("a\t11\t7\t8\t9\n", "whole"),
        ("a\t9\t8\t8\t9\n", "whole"),
        ("a\t14\t8\t8\t9\n", "whole"),
        ("a\t11\t8\t4\t5\n", "random"),
        ("z\t4\t24\t4\t5\n", "first"),
    ],
)
def test_that_an_index_of_other_data_is_refused(tmp_path: Path, wrong: str, part: str) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(FASTA)
    (tmp_path / "x.fa.fai").write_text(wrong)
    with pytest.raises(DatasetError, match="does not fit"):
        drive("fasta", path, accessions=30, slice=part, length=2)


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
