"""Every reader against the oracle, in both orders, on generated and on real reads."""

import codecs
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from driving import drive, open_job, performed, run_elsewhere, timed
from signal_pairs import BY_ZSTD, Reads, complaints_of, made_pair

from core.language import InvalidParameter, Unavailable, report_to_nobody
from core.vocabulary import Dataset
from workloads.signal.catalogue import catalogue
from workloads.signal.make_signal import SignalShape
from workloads.signal.signal_jobs import Pod5Error

OF_EACH_COMPRESSION = ("blow5-c", "blow5-pool", "blow5-python")
BLOW5 = (*OF_EACH_COMPRESSION, *BY_ZSTD)
POD5 = ("pod5-io", "pod5-mmap", "pod5-c-io", "pod5-c-mmap")
READERS = BLOW5 + POD5


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, made: Callable[[str], Dataset]) -> Path:
    """Both formats with more reads than a batch of POD5's table has rows."""
    return made_pair(tmp_path_factory, made, SignalShape(reads=1100, median_length=200))


@pytest.mark.parametrize("access", ["sequential", "random"])
@pytest.mark.parametrize("reader", READERS)
def test_that_every_reader_delivers_what_the_oracle_finds(
    pair: Path, untouched: Callable[[Path], None], reader: str, access: str
) -> None:
    untouched(pair)
    driven = drive("signal", pair, reader=reader, access=access, batch_size=300)
    assert driven.clean
    assert sum(len(result) for _, result in driven.results) == 1100


@pytest.mark.parametrize("access", ["sequential", "random"])
@pytest.mark.parametrize("reader", READERS)
def test_that_threads_deliver_the_same(pair: Path, reader: str, access: str) -> None:
    job = open_job("signal", pair, threads=3, reader=reader, access=access, batch_size=300)
    assert complaints_of(job) == [""] * 4


@pytest.mark.parametrize("compression", ["zstd", "zlib", "none"])
@pytest.mark.parametrize("reader", OF_EACH_COMPRESSION)
def test_that_every_compression_is_read(pair: Path, reader: str, compression: str) -> None:
    assert drive("signal", pair, reader=reader, compression=compression, batch_size=500).clean


def test_that_all_readers_of_the_same_reads_give_the_same_sums(pair: Path) -> None:
    sums = set()
    for reader in READERS:
        driven = drive("signal", pair, reader=reader, batch_size=1000)
        sums.add(tuple((read.read_id, read.sum) for _, result in driven.results for read in result))
    assert len(sums) == 1


@pytest.mark.parametrize("reader", READERS)
def test_that_a_batch_of_reads_is_no_latency_of_a_read(pair: Path, reader: str) -> None:
    # The last batch has a single read, which says nothing of the others.
    assert timed("signal", pair, operations=2, reader=reader, batch_size=1099) == 0
    assert timed("signal", pair, operations=30, reader=reader, batch_size=1) > 0


@pytest.mark.parametrize("reader", ["blow5-c", "blow5-pool", "pod5-c-io"])
def test_that_batches_may_be_taken_in_any_order(pair: Path, reader: str) -> None:
    job = open_job("signal", pair, reader=reader, batch_size=100)
    with job.worker(0) as steps:
        for place in (7, 3, 4, 10, 0, 1):
            item = job.items[place]
            assert job.check(item, performed(steps, item)) == ""
    job.close()


def test_that_raw_records_are_fetched_whole(pair: Path) -> None:
    driven = drive("signal", pair, reader="blow5-pool", depth="fetch", batch_size=400)
    assert driven.clean
    assert driven.steps == ("disc",)
    size = (pair / "reads.zstd.blow5").stat().st_size
    stored = driven.job.weigh([result for _, result in driven.results]).bytes
    assert 0 < size - stored < 4096  # the header and the end marker


@pytest.mark.parametrize("access", ["sequential", "random"])
@pytest.mark.parametrize("compression", ["zstd", "zlib", "none"])
def test_that_decompressing_and_parsing_can_be_told_apart(
    pair: Path, compression: str, access: str
) -> None:
    chosen = {"reader": "blow5-pool", "depth": "stages", "compression": compression}
    driven = drive("signal", pair, access=access, batch_size=400, **chosen)
    assert driven.clean
    assert driven.steps == ("disc", "decompress", "parse")
    job = open_job("signal", pair, threads=2, access=access, batch_size=400, **chosen)
    assert complaints_of(job) == [""] * 3


@pytest.mark.parametrize(
    ("reader", "mapped"), [("pod5-io", 0), ("pod5-c-io", 0), ("pod5-mmap", 1), ("pod5-c-mmap", 1)]
)
def test_that_mapping_is_seen_in_the_maps_of_the_process(
    pair: Path, reader: str, mapped: int
) -> None:
    done = run_elsewhere(
        f"driven = drive('signal', path, reader={reader!r})\n"
        "print(int(driven.counters['bytes mapped'] > 0), driven.clean)",
        pair,
    )
    assert done.stdout.split() == [str(mapped), "True"]


def test_that_a_read_that_was_not_asked_for_is_wrong(pair: Path) -> None:
    job = open_job("signal", pair, reader="blow5-pool", batch_size=50)
    item = job.items[0]
    with job.worker(0) as (disc, decode):
        reads = list(decode.perform(disc.perform(item)))
    assert job.check(item, Reads(reads)) == ""
    assert "not asked for" in job.check(item, Reads([reads[1], *reads[1:]]))
    assert "49 of 50 reads" in job.check(item, Reads(reads[1:]))
    job.close()


def test_that_the_order_is_drawn_from_the_seed_and_alike_for_both_formats(pair: Path) -> None:
    def ids(reader: str, seed: int) -> list[str]:
        job = open_job("signal", pair, seed=seed, reader=reader, access="random", batch_size=100)
        found = [
            job.catalogues[item.file].reads[number].read_id
            for item in job.items
            for number in item.numbers
        ]
        job.close()
        return found

    assert ids("blow5-pool", 1) == ids("pod5-c-io", 1) != ids("blow5-pool", 2)
    assert len(set(ids("blow5-pool", 1))) == 1100


def test_that_a_list_of_ids_is_read_in_its_order(pair: Path, tmp_path: Path) -> None:
    reads = catalogue(pair / "reads.pod5", 10**6, tmp_path, report_to_nobody).reads
    wanted = [reads[number].read_id for number in (900, 3, 512, 3)]
    listed = tmp_path / "ids.txt"
    listed.write_text("\n".join(wanted))
    for reader in READERS:
        driven = drive("signal", pair, reader=reader, access="random", read_list=str(listed))
        assert driven.clean
        assert {read.read_id for _, result in driven.results for read in result} == set(wanted)
    listed.write_bytes(gzip.compress(codecs.BOM_UTF8 + "\r\n".join(wanted).encode()))
    job = open_job("signal", pair, access="random", read_list=str(listed))
    assert sum(len(item.numbers) for item in job.items) == len(set(wanted))
    job.close()
    listed.write_text(f"{wanted[0]}\nnobody\n")
    with pytest.raises(InvalidParameter, match="line 2: no read is named nobody"):
        open_job("signal", pair, access="random", read_list=str(listed))


@pytest.mark.parametrize(
    ("reader", "file"), [("blow5-pool", "reads.pod5"), ("pod5-io", "reads.zlib.blow5")]
)
def test_that_a_reader_of_the_other_format_is_refused_and_those_named_that_read_it(
    pair: Path, reader: str, file: str
) -> None:
    other = file.rpartition(".")[2]
    with pytest.raises(InvalidParameter, match=f"does not read {other}") as complaint:
        open_job("signal", pair / file, reader=reader)
    named = complaint.value.remedy.removeprefix("choose one of ").split(", or ")[0].split(", ")
    assert {*named} >= {one for one in READERS if one.startswith(other)}
    assert all(one.startswith(other) for one in named)
    assert drive("signal", pair / file, reader=f"{other}-c{'-io' * (other == 'pod5')}").clean


def test_that_a_library_without_a_function_is_unavailable() -> None:
    from workloads.signal.slow5lib import declare

    class Library:
        """One without functions."""

    with pytest.raises(Unavailable, match="does not export slow5_open"):
        declare(Library(), {"slow5_open": (None, ())}, "pyslow5")


def test_that_files_in_a_folder_nobody_may_write_to_are_read(pair: Path, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere; the watch over the data stands for it")
    folder = tmp_path / "closed"
    folder.mkdir()
    for name in ("reads.pod5", "reads.zstd.blow5"):
        (folder / name).symlink_to(pair / name)
    folder.chmod(0o555)
    for reader in READERS:
        assert drive("signal", folder, reader=reader, access="random").clean
    folder.chmod(0o755)


REAL_BLOW5 = (
    "blow5-real/examples/adv/example3.blow5",
    "blow5-real/examples/example.slow5",
    "blow5-real/examples/example2.slow5",
    "blow5-real/exp/aux_array/exp_lossless_gzip.blow5",
    "blow5-real/exp/two_rg/exp_default.blow5",
    "pod5-real/exp/p2s/pod5-output/z1.blow5",
    "signal-compat/slow5/compat/0.1.0.blow5",
    "signal-compat/slow5/compat/0.2.0.blow5",
)
REAL_POD5 = (
    "pod5-real/raw/p2s/pod5/z/z1.pod5",
    "pod5-real/raw/p2s/unsupported/multigroup.pod5",
    *(f"signal-compat/pod5/compat/v{version}.pod5" for version in (0, 1, 3)),
)


@pytest.mark.parametrize("access", ["sequential", "random"])
@pytest.mark.parametrize(
    ("name", "reader"),
    [(name, reader) for name in REAL_BLOW5 for reader in OF_EACH_COMPRESSION]
    + [(name, reader) for name in REAL_POD5 for reader in POD5],
)
@pytest.mark.real_data("blow5-real", "pod5-real", "signal-compat")
def test_that_real_files_are_read_as_the_oracle_reads_them(
    real_data: Path, made: Callable[[str], Dataset], name: str, reader: str, access: str
) -> None:
    made("signal")
    assert drive("signal", real_data / name, reader=reader, access=access).clean


@pytest.mark.parametrize("reader", POD5)
@pytest.mark.real_data("signal-compat")
def test_that_a_file_that_pod5_itself_cannot_migrate_is_an_error_that_says_so(
    real_data: Path, made: Callable[[str], Dataset], reader: str
) -> None:
    made("signal")
    with pytest.raises((Pod5Error, RuntimeError), match="during migration"):
        drive("signal", real_data / "signal-compat/pod5/compat/v2.pod5", reader=reader)
