"""Regions of a user's own are what is fetched, in their order."""

from collections.abc import Callable
from pathlib import Path

import pytest
from driving import drive, open_job

from core.language import InvalidParameter
from core.vocabulary import Dataset, build, registry
from workloads.fasta.sampling import regions_in


@pytest.fixture
def genome(tmp_path: Path) -> Path:
    path = tmp_path / "genome.fa"
    path.write_bytes(b">chr1\n" + b"ACGTACGTAC\n" * 20 + b">HLA:1-2\nGGCC\n")
    return path


def listed(tmp_path: Path, text: str) -> str:
    path = tmp_path / "regions.bed"
    path.write_text(text)
    return str(path)


def test_that_bed_and_names_and_regions_of_samtools_are_fetched_in_their_order(
    genome: Path, tmp_path: Path
) -> None:
    text = (
        "track name=x\n# some\nchr1\t0\t4\tname\t+\nchr1:3-5\r\nHLA:1-2\n\nchr1 190 200\nchr1:199\n"
    )
    job = open_job("fasta", genome, regions=listed(tmp_path, text))
    assert [(item.name, item.start, item.stop) for item in job.items] == [
        ("chr1", 0, 4),
        ("chr1", 2, 5),
        ("HLA:1-2", 0, 4),
        ("chr1", 190, 200),
        ("chr1", 198, 200),
    ]
    assert [item.expected for item in job.items] == ["ACGT", "GTA", "GGCC", "ACGTACGTAC", "AC"]
    job.close()
    assert drive("fasta", genome, threads=2, regions=listed(tmp_path, text)).clean


@pytest.mark.parametrize(
    ("written", "name", "start", "stop"),
    [
        ("chr1:-100", "chr1", 0, 100),
        ("chr1:0.1k-150", "chr1", 99, 150),
        ("chr1:1e2", "chr1", 99, 200),
        ("chr1:11-", "chr1", 10, 200),
        ("{HLA:1-2}", "HLA:1-2", 0, 4),
        ("{HLA:1-2}:2-3", "HLA:1-2", 1, 3),
        ("{chr1}:2-3", "chr1", 1, 3),
    ],
)
def test_that_a_region_means_what_it_means_to_samtools(
    genome: Path, tmp_path: Path, written: str, name: str, start: int, stop: int
) -> None:
    job = open_job("fasta", genome, regions=listed(tmp_path, f"{written}\n"))
    assert [(item.name, item.start, item.stop) for item in job.items] == [(name, start, stop)]
    job.close()


def test_that_what_is_a_name_and_a_part_of_another_is_not_guessed(tmp_path: Path) -> None:
    path = tmp_path / "both.fa"
    path.write_bytes(b">seq\nACGTACGT\n>seq:1-4\nGGCCGG\n")
    with pytest.raises(InvalidParameter, match=r"write \{seq:1-4\} or \{seq\}:1-4"):
        open_job("fasta", path, regions=listed(tmp_path, "seq:1-4\n"))
    job = open_job("fasta", path, regions=listed(tmp_path, "{seq:1-4}\n{seq}:1-4\n"))
    assert [item.expected for item in job.items] == ["GGCCGG", "ACGT"]
    job.close()


def test_that_other_regions_of_the_same_file_have_other_answers(
    genome: Path, tmp_path: Path
) -> None:
    for text, bases in (("chr1\t0\t4\n", "ACGT"), ("chr1\t1\t3\n", "CG")):
        job = open_job("fasta", genome, regions=listed(tmp_path, text))
        assert [item.expected for item in job.items] == [bases]
        job.close()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("chr1\t5\n", "line 1: a line has a name, or a name, a start and an end"),
        ("chr1\tx\t5\n", "line 1: a line has a name, or"),
        ("chr1\nchr9\t0\t5\n", "line 2: the dataset has no sequence chr9"),
        ("chr1\t0\t201\n", "line 1: chr1 has 200 bases"),
        ("chr1\t5\t5\n", "line 1: the region from 5 to 5 has no bases"),
        ("chr1\t0\t9\nchr1\t50\t10\n", "line 2: the region from 50 to 10 goes backwards"),
        ("chr1:9-5\n", "line 1: the region from 8 to 5 goes backwards"),
        ("chr1:0-5\n", "line 1: chr1 has 200 bases"),
        ("1\t0\t5\n", r"no sequence 1 \(did you mean chr1\?\)"),
        ("HLA:2-3\n", "line 1: the dataset has no sequence HLA:2-3"),
        ("chrom\tstart\tend\n", r"\(put # before what is no region, such as a heading\)"),
        ("# none\n\n", "lists no region"),
    ],
)
def test_that_a_region_that_is_none_is_told_with_its_line(
    genome: Path, tmp_path: Path, text: str, told: str
) -> None:
    with pytest.raises(InvalidParameter, match=told):
        open_job("fasta", genome, regions=listed(tmp_path, text))


def test_that_a_list_that_is_not_there_is_refused_before_anything_is_measured(
    genome: Path, tmp_path: Path
) -> None:
    workload = registry.load_workload("fasta")
    values = build(workload.parameters, {"regions": str(tmp_path / "none.bed")})
    with pytest.raises(InvalidParameter, match=r"none.bed cannot be read: No such file"):
        workload.admit(values, registry.open_dataset(genome))


def test_that_a_list_that_was_changed_is_read_again(tmp_path: Path) -> None:
    path = Path(listed(tmp_path, "a\n"))
    assert [region.name for region in regions_in(path)] == ["a"]
    path.write_text("b\nc\n")
    assert [region.name for region in regions_in(path)] == ["b", "c"]


def test_that_aliases_of_a_snapshot_are_listed_with_or_without_their_namespace(
    made: Callable[[str], Dataset], tmp_path: Path
) -> None:
    snapshot = made("seqrepo").path
    job = open_job("fasta", snapshot, accessions=2)
    one, other = job.items[:2]
    job.close()
    text = f"{one.name}\t0\t2\n{other.where}:{other.name}:2-3\n"
    job = open_job("fasta", snapshot, regions=listed(tmp_path, text))
    assert [(item.name, item.start, item.stop) for item in job.items] == [
        (one.name, 0, 2),
        (other.name, 1, 3),
    ]
    job.close()
    assert drive("fasta", snapshot, regions=listed(tmp_path, text)).clean
