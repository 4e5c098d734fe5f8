import gc
import shutil
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pysam
import pytest
from driving import drive, open_job, run_elsewhere

from core.language import InvalidParameter
from core.measure import make_dataset
from core.vocabulary import Dataset, registry, specify
from workloads.fasta.bgzf_oracle import END_MARKER, compress
from workloads.fasta.fetch_oracle import complaint, expected_of
from workloads.fasta.make_fasta import SequencesShape

CACHES = ("lru", "lru-locked", "none", "none-close", "per-thread", "pool")


@pytest.mark.parametrize("cache", CACHES)
@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
@pytest.mark.parametrize("kind", ["seqrepo", "fasta", "fasta-folder"])
def test_that_every_cache_gives_right_bases_and_counts_each_fetch(
    made: Callable[[str], Dataset],
    untouched: Callable[[Path], None],
    cache: str,
    reader: str,
    kind: str,
) -> None:
    path = made(kind).path
    untouched(path)
    threads = 1 if cache == "lru" else 3
    driven = drive(
        "fasta", path, threads=threads, cache=cache, reader=reader, cache_size=4, accessions=120
    )
    assert driven.clean
    assert driven.steps == (("look-up", "fetch") if kind == "seqrepo" else ("fetch",))
    hits, misses = driven.counters["cache hits"], driven.counters["cache misses"]
    assert hits + misses == 120
    assert (hits == 0) == cache.startswith("none")
    assert driven.counters["files kept open"] <= 4 * threads


def _sequence_files_open() -> int:
    links = (link.readlink() for link in Path("/proc/self/fd").iterdir() if link.is_symlink())
    return sum(link.suffix == ".bgz" for link in links)


@pytest.mark.parametrize(("cache", "kept"), [("lru-locked", 20), ("none", 0), ("none-close", 0)])
def test_that_the_files_kept_open_are_those_that_the_cache_keeps(
    made: Callable[[str], Dataset], cache: str, kept: int
) -> None:
    gc.collect()  # pyfaidx leaves files to it
    before = _sequence_files_open()
    job = open_job("fasta", made("seqrepo").path, cache=cache, accessions=400)
    with job.worker(0) as (look_up, fetch):
        for item in job.items:
            fetch.perform(look_up.perform(item))
        assert _sequence_files_open() - before == kept
        assert job.counters()["files kept open"] == kept
    job.close()


@pytest.mark.parametrize("kind", ["seqrepo", "fasta"])
def test_that_whole_sequences_and_random_regions_are_right(
    made: Callable[[str], Dataset], kind: str
) -> None:
    path = made(kind).path
    assert drive("fasta", path, accessions=60, slice="random", length=7).clean
    whole = drive("fasta", path, accessions=60, slice="whole")
    assert whole.clean
    assert max(len(bases) for _, bases in whole.results) > 20
    assert drive("fasta", path, accessions=60, length=1000).clean


def test_that_what_is_fetched_suits_the_data(
    tmp_path: Path, made: Callable[[str], Dataset]
) -> None:
    genome, reads = tmp_path / "genome.fa", tmp_path / "reads.fa"
    genome.write_text(">chr1\n" + "ACGTTGCA" * 40_000 + "\n>tiny\nACGT\n")
    reads.write_text("".join(f">r{number}\n{'ACGT' * 50}\n" for number in range(50)))
    for path, bases, asked in (
        (genome, 1000, {}),
        (genome, 70, {"length": 70}),
        (genome, 320_000, {"slice": "whole"}),
        (genome, 5, {"slice": "first"}),
        (reads, 200, {}),
        (reads, 20, {"length": 20}),
        (made("seqrepo").path, 5, {}),
    ):
        driven = drive("fasta", path, accessions=40, **asked)
        assert driven.clean
        assert max(len(result) for _, result in driven.results) == bases


def test_that_it_is_said_what_was_fetched_unless_it_was_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "x.fa"
    path.write_text(">a\nACGT\n>b\nACGTAC\n")
    for asked, notes in (
        ({}, ["fetched: whole sequences of up to 6 bases"]),
        ({"slice": "whole"}, []),
    ):
        job = open_job("fasta", path, **asked)
        job.close()
        assert job.notes == notes


def test_that_a_missing_index_of_blocks_is_said_to_make_places_matter(tmp_path: Path) -> None:
    path = tmp_path / "x.fa.gz"
    path.write_bytes(b"".join(compress(b">a\nACGT\n")))
    job = open_job("fasta", path, slice="whole")
    job.close()
    (note,) = job.notes
    assert note.startswith("x.fa.gz has no index of its BGZF blocks beside it (.gzi)")
    pysam.faidx(str(path))
    job = open_job("fasta", path, slice="whole")
    job.close()
    assert not job.notes


def test_that_the_seed_decides_what_is_fetched(made: Callable[[str], Dataset]) -> None:
    def drawn(seed: int) -> list[str]:
        job = open_job("fasta", made("seqrepo").path, seed=seed, accessions=30)
        return [item.name for item in job.items]

    assert drawn(1) == drawn(1)
    assert drawn(1) != drawn(2)
    assert len(set(drawn(1))) == 30


def test_that_refseq_transcripts_are_preferred_and_a_prefix_chooses(
    made: Callable[[str], Dataset],
) -> None:
    def drawn(**chosen: Any) -> list[tuple[str, str]]:
        job = open_job("fasta", made("seqrepo").path, accessions=500, **chosen)
        return [(item.where, item.name) for item in job.items]

    assert {name[:3] for _, name in drawn()} == {"NM_"}
    assert {name[:3] for _, name in drawn(prefix="X")} == {"XM_", "XR_"}
    assert {where for where, _ in drawn(namespace="MD5", prefix="a")} == {"MD5"}
    assert len(drawn(prefix="XR")) == 500


@pytest.mark.parametrize(
    ("chosen", "named"),
    [({"prefix": "ZZ"}, "prefix"), ({"namespace": "nowhere"}, "namespace")],
)
def test_that_a_prefix_or_namespace_that_nobody_has_is_refused(
    made: Callable[[str], Dataset], chosen: dict[str, Any], named: str
) -> None:
    with pytest.raises(InvalidParameter) as refused:
        open_job("fasta", made("seqrepo").path, **chosen)
    assert refused.value.name == named


def test_that_files_have_no_namespace(made: Callable[[str], Dataset]) -> None:
    with pytest.raises(InvalidParameter, match="no namespaces"):
        open_job("fasta", made("fasta").path, namespace="NCBI")


def test_that_missing_indexes_are_built_in_the_cache_folder_once(
    made: Callable[[str], Dataset], tmp_path: Path, cache: Path
) -> None:
    root = tmp_path / "snapshot"
    shutil.copytree(made("seqrepo").path, root)
    for index in [*root.rglob("*.fai"), *root.rglob("*.gzi")]:
        index.unlink()
    for folder in (root, *root.rglob("*")):
        folder.chmod(0o555 if folder.is_dir() else 0o444)
    before = sorted(root.rglob("*"))
    for reader in ("pysam", "pyfaidx", "seqrepo"):
        assert drive("fasta", root, reader=reader, accessions=50).clean
    built = {file: file.stat().st_mtime_ns for file in cache.rglob("fai/*.fai")}
    assert len(built) == 20
    assert drive("fasta", root, accessions=60).clean
    assert {file: file.stat().st_mtime_ns for file in cache.rglob("fai/*.fai")} == built
    assert sorted(root.rglob("*")) == before
    for folder in (root, *root.rglob("*")):
        folder.chmod(0o755)


def test_that_answers_damaged_in_the_cache_are_prepared_again(
    made: Callable[[str], Dataset], cache: Path
) -> None:
    path = made("fasta").path
    before = list(open_job("fasta", path, accessions=40).items)
    (kept,) = (file for file in cache.rglob("fetches/*") if not file.name.startswith("."))
    for damaged in (b"", kept.read_bytes()[:-3], kept.read_bytes().replace(b"A", b"C")):
        kept.write_bytes(damaged)
        assert list(open_job("fasta", path, accessions=40).items) == before


def test_that_data_changed_in_the_middle_are_answered_anew(tmp_path: Path) -> None:
    path = tmp_path / "x.fa"
    path.write_bytes(b">a\n" + b"A" * 20_000 + b"\n")
    assert drive("fasta", path, slice="whole", accessions=1).clean
    changed = bytearray(path.read_bytes())
    changed[10_000] = ord("C")
    path.write_bytes(changed)
    assert drive("fasta", path, slice="whole", accessions=1).clean


@pytest.mark.parametrize(
    ("bases", "said"),
    [
        ("ACGTA", ""),
        ("ACGTC", "wrong bases"),
        ("ACG", "short: 3 of 5 bases"),
        ("ACGTAC", "long: 6 of 5 bases"),
        (None, "not text but NoneType"),
    ],
)
def test_that_a_complaint_says_what_is_wrong(bases: object, said: str) -> None:
    assert complaint("ACGTA", bases) == said


def test_that_long_bases_are_told_by_number_and_digest() -> None:
    bases = "ACGT" * 100
    assert complaint(expected_of(bases), bases) == ""
    assert complaint(expected_of(bases), "C" + bases[1:]) == "wrong bases"
    assert complaint(expected_of(bases), bases[1:]) == "short: 399 of 400 bases"


def test_that_ten_threads_on_shared_handles_without_a_lock_fail() -> None:
    """In a process of its own, because a crash is one of the ways to fail."""
    path = make_dataset("fasta", SequencesShape(sequences=300)).path
    code = "driven = drive('fasta', path, threads=10, cache='lru', accessions=20_000)"
    ended = run_elsewhere(f"{code}\nsys.exit(0 if driven.clean else 3)", path)
    assert ended.returncode == 3 or ended.returncode < 0


class TestSeqrepoItself:
    @pytest.mark.parametrize(
        ("cache", "threads"), [("lru-locked", 1), ("none", 1), ("per-thread", 3)]
    )
    def test_that_it_gives_right_bases_and_counts(
        self, made: Callable[[str], Dataset], cache: str, threads: int
    ) -> None:
        driven = drive(
            "fasta",
            made("seqrepo").path,
            reader="seqrepo",
            cache=cache,
            threads=threads,
            accessions=90,
        )
        assert driven.clean
        assert driven.steps == ("look-up", "fetch")
        assert driven.counters["cache hits"] + driven.counters["cache misses"] == 90

    @pytest.mark.parametrize("cache", ["lru", "none-close", "pool"])
    def test_that_caches_it_cannot_have_are_refused(
        self, made: Callable[[str], Dataset], cache: str
    ) -> None:
        with pytest.raises(InvalidParameter, match=f"{cache} cannot be had"):
            specify("fasta", made("seqrepo"), {"reader": "seqrepo", "cache": cache})

    def test_that_it_reads_snapshots_only(self, made: Callable[[str], Dataset]) -> None:
        with pytest.raises(InvalidParameter, match="its own snapshots"):
            specify("fasta", made("fasta"), {"reader": "seqrepo"})

    def test_that_the_environment_does_not_override_the_cache(
        self, made: Callable[[str], Dataset]
    ) -> None:
        ended = run_elsewhere(
            "driven = drive('fasta', path, reader='seqrepo', accessions=50)\n"
            "print(driven.clean, driven.counters['cache hits'] > 0)",
            made("seqrepo").path,
            SEQREPO_FD_CACHE_MAXSIZE="0",
        )
        assert ended.stdout.split() == ["True", "True"]


@pytest.mark.parametrize("reader", ["pysam", "seqrepo"])
def test_that_a_fetch_is_told_by_its_name_and_place(
    made: Callable[[str], Dataset], reader: str
) -> None:
    job = open_job("fasta", made("seqrepo").path, reader=reader, accessions=3, length=1000)
    item = job.items[0]
    assert job.describe(item) == f"{item.where}:{item.name}, bases 0 to {item.stop:,}"
    job.close()


@pytest.mark.parametrize("reader", ["pysam", "pyfaidx"])
def test_that_repeated_names_are_refused_by_the_reader_that_refuses_them(
    tmp_path: Path, reader: str
) -> None:
    path = tmp_path / "twice.fa"
    path.write_bytes(b">a x\nACGT\n>b\nGG\n>a y\nAC\n")
    facts = registry.dataset_kind("fasta").facts(path)
    assert (facts["sequences"], facts["repeated names"]) == (2, 1)
    driven = drive("fasta", path, reader=reader, slice="whole", accessions=4)
    if reader == "pysam":
        assert driven.clean
        return
    assert {str(error) for error in driven.errors} == {'Duplicate key "a"'}
    assert "samtools faidx" in driven.job.remedy(driven.errors[0])
    pysam.faidx(str(path))
    assert drive("fasta", path, reader=reader, slice="whole", accessions=4).clean


def test_that_blocks_that_htslib_does_not_know_are_refused_with_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "extra.fa.gz"
    blocks = []
    for block in compress(b">one\n" + b"ACGTACGTAC\n" * 20_000):
        extra = b"XX\x03\0abc" + block[12:16] + struct.pack("<H", len(block) + 7 - 1)
        blocks.append(block[:10] + struct.pack("<H", len(extra)) + extra + block[18:])
    path.write_bytes(b"".join([*blocks[:-1], END_MARKER]))
    with pytest.raises(
        InvalidParameter, match=r"\(choose pyfaidx, or pack it again: gzip -dc extra"
    ):
        open_job("fasta", path, reader="pysam")
    assert drive("fasta", path, reader="pyfaidx", slice="random", length=50, accessions=9).clean
