"""What counts as the same read: every sample in its place, whatever ids and numbers a file has."""

import math
import random
from collections.abc import Callable
from pathlib import Path
from uuid import UUID
from zlib import crc32

import numpy as np
import pytest
from driving import drive, open_job, performed
from judging import handed_over
from numpy.typing import NDArray
from signal_pairs import BY_ZSTD, Reads, made_pair
from signal_writing import File, Written, write, write_pod5

from core.language import DatasetError, report_to_nobody
from core.vocabulary import Dataset
from workloads.signal.make_signal import SignalShape, require_same
from workloads.signal.reads import Read, differing, sample_facts, scale_of

BLOW5 = ("blow5-c", "blow5-pool", "blow5-python")
READERS = (*BLOW5, *BY_ZSTD, "pod5-io", "pod5-mmap", "pod5-c-io", "pod5-c-mmap")
FIELDS = {"channel_number": "12", "read_number": 3, "start_mux": 2, "start_time": 99}
TYPES = {
    "channel_number": "char*",
    "read_number": "int32_t",
    "start_mux": "uint8_t",
    "start_time": "uint64_t",
}
TWO_RUNS = {"run_id": ["one", "other"], "flow_cell_id": ["PAK1", "."]}


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory, made: Callable[[str], Dataset]) -> Path:
    """A few reads of some hundred samples in both formats."""
    return made_pair(
        tmp_path_factory, made, SignalShape(reads=30, median_length=300, variants=False)
    )


def reverse(samples: NDArray[np.int16]) -> None:
    samples[:] = samples[::-1].copy()


def swap_neighbours(samples: NDArray[np.int16]) -> None:
    place = int(np.flatnonzero(np.diff(samples))[0])
    samples[place], samples[place + 1] = samples[place + 1].copy(), samples[place].copy()


def change_two(samples: NDArray[np.int16]) -> None:
    samples[0] += 1
    samples[-1] -= 1


@pytest.mark.parametrize("access", ["sequential", "random"])
@pytest.mark.parametrize("tamper", [reverse, swap_neighbours, change_two])
@pytest.mark.parametrize("reader", READERS)
def test_that_samples_in_other_places_are_wrong_though_their_sum_is_right(
    pair: Path, reader: str, tamper: Callable[[NDArray[np.int16]], None], access: str
) -> None:
    job = open_job("signal", pair, reader=reader, access=access, batch_size=10)
    with job.worker(0) as steps:
        item = job.items[1]
        value = performed(steps, item)
        assert job.check(item, value) == ""
        ids = [read.read_id for read in value]
        tamper(list(handed_over(value))[4])
        assert (
            job.check(item, value) == f"read {ids[4]} differs from what the oracle finds: samples"
        )
        del value
    job.close()


def test_that_every_swap_and_reversal_of_samples_changes_the_digest() -> None:
    drawn = random.Random(11)
    for _ in range(2000):
        samples = np.array([drawn.randint(-(2**15), 2**15 - 1) for _ in range(9)], np.int16)
        length, total, crc = sample_facts(samples)
        one, other = sorted(drawn.sample(range(9), 2))
        swapped = samples.copy()
        swapped[[one, other]] = samples[[other, one]]
        if (swapped != samples).any():
            assert sample_facts(swapped)[:2] == (length, total)
            assert sample_facts(swapped)[2] != crc
    assert sample_facts(np.empty(0, np.int16)) == (0, 0, 0)
    assert sample_facts(np.array([1, 9, 2, 9], np.int16)[::2]) == (2, 3, crc32(b"\1\0\2\0"))


def read_of(**fields: object) -> Written:
    return Written(fields=FIELDS, **fields)  # type: ignore[arg-type]


UNUSUAL = {
    "an id twice": File(types=TYPES, reads=[read_of(), read_of(samples=[1, 2])]),
    "a read twice": File(types=TYPES, reads=[read_of(), read_of(), read_of(read_id="other")]),
    "an id in two read groups": File(
        types=TYPES, groups=2, attributes=TWO_RUNS, reads=[read_of(group=1), read_of()]
    ),
    "two read groups": File(
        types=TYPES,
        groups=2,
        attributes=TWO_RUNS,
        reads=[read_of(), read_of(read_id="b", group=1), read_of(read_id="c")],
    ),
    "no digitisation": File(types=TYPES, reads=[read_of(digitisation=0.0, range=0.0)]),
    "a range over nothing": File(types=TYPES, reads=[read_of(digitisation=0.0)]),
    "no samples": File(types=TYPES, reads=[read_of(samples=[]), read_of(read_id="b")]),
    "no fields": File(),
    "wider fields": File(
        types=TYPES | {"read_number": "uint64_t", "start_mux": "int16_t"}, reads=[read_of()]
    ),
    "missing numbers": File(
        types=TYPES | {"start_mux": "int32_t"},
        reads=[Written(fields=FIELDS | {"read_number": 2**31 - 1, "start_mux": 2**31 - 1})],
    ),
    "a channel in numbers": File(
        types=TYPES | {"channel_number": "uint32_t"},
        reads=[Written(fields=FIELDS | {"channel_number": 12})],
    ),
}
NAN = {
    name: File(types=TYPES, reads=[read_of(**{name: math.nan}), read_of(read_id="b")])
    for name in ("offset", "range", "digitisation", "rate")
}


@pytest.mark.parametrize("reader", BLOW5)
@pytest.mark.parametrize("suffix", [".blow5", ".slow5"])
@pytest.mark.parametrize("what", UNUSUAL)
def test_that_no_reader_is_wrong_for_what_a_file_is_like(
    made: Callable[[str], Dataset], tmp_path: Path, what: str, suffix: str, reader: str
) -> None:
    made("signal")
    driven = drive("signal", write(tmp_path / f"reads{suffix}", UNUSUAL[what]), reader=reader)
    assert driven.clean, (driven.errors, driven.complaints)
    (result,) = [list(result) for _, result in driven.results]
    assert [read.read_id for read in result] == [one.read_id for one in UNUSUAL[what].reads]


@pytest.mark.parametrize("reader", BLOW5)
@pytest.mark.parametrize("name", NAN)
def test_that_not_a_number_is_the_same_as_not_a_number(
    made: Callable[[str], Dataset], tmp_path: Path, name: str, reader: str
) -> None:
    made("signal")
    path = write(tmp_path / "reads.blow5", NAN[name])
    for access in ("sequential", "random"):
        driven = drive("signal", path, reader=reader, access=access)
        assert driven.clean, (driven.errors, driven.complaints)


def test_that_the_runs_of_an_id_in_two_read_groups_are_told_apart(
    made: Callable[[str], Dataset], tmp_path: Path
) -> None:
    made("signal")
    path = write(tmp_path / "reads.blow5", UNUSUAL["an id in two read groups"])
    job = open_job("signal", path, reader="blow5-pool")
    (item,) = job.items
    with job.worker(0) as (disc, decode):
        first, second = decode.perform(disc.perform(item))
    assert (first.run_id, second.run_id) == ("other", "one")
    assert (first.flowcell, second.flowcell) == (".", "PAK1")
    assert job.check(item, Reads([first, first])).endswith("finds: run_id, flowcell")
    assert job.check(item, Reads([first, second._replace(position="x")])).endswith(
        "finds: position"
    )
    assert "was not asked for" in job.check(item, Reads([first, second._replace(read_id="third")]))
    job.close()


@pytest.mark.parametrize("reader", BLOW5)
def test_that_reads_with_the_same_id_are_not_asked_for_by_id(
    made: Callable[[str], Dataset], tmp_path: Path, reader: str
) -> None:
    made("signal")
    path = write(tmp_path / "reads.blow5", UNUSUAL["an id twice"])
    with pytest.raises(DatasetError, match=r"reads\.blow5 has read read more than once"):
        open_job("signal", path, reader=reader, access="random")


@pytest.mark.parametrize("reader", ["pod5-io", "pod5-mmap", "pod5-c-io", "pod5-c-mmap"])
def test_that_ids_twice_and_no_numbers_make_no_reader_of_pod5_wrong(
    made: Callable[[str], Dataset], tmp_path: Path, reader: str
) -> None:
    made("signal")
    signals = [range(place, place + 50) for place in range(4)]
    ids = [UUID(int=number) for number in (7, 8, 7, 7)]
    path = write_pod5(tmp_path / "reads.pod5", signals, ids, unknown=range(4))
    driven = drive("signal", path, reader=reader)
    assert driven.clean, (driven.errors, driven.complaints)
    with pytest.raises(DatasetError, match="more than once"):
        open_job("signal", path, reader=reader, access="random")


def test_that_fields_differ_where_one_alone_is_not_a_number() -> None:
    read = Read("a", 1.0, math.nan, 4000.0, 1, 2, 3, 4, None, 6, 7, "r", "e", "f", "p", "t")
    assert differing(read, Read(*read)) == []
    assert differing(read, read._replace(offset=float("nan"))) == []
    assert differing(read, read._replace(offset=1.0)) == ["offset"]
    assert differing(read, read._replace(crc=4, scale=math.nan)) == ["scale", "crc"]


def test_that_a_scale_is_divided_as_a_processor_divides() -> None:
    for span, digitisation in ((1.5, 2.0), (-1.0, 0.0), (1.0, -0.0), (0.0, 0.0), (math.nan, 0.0)):
        with np.errstate(all="ignore"):
            expected = np.float64(span) / np.float64(digitisation)
        assert np.array_equal(scale_of(span, digitisation), expected, equal_nan=True)


def test_that_a_conversion_that_moves_a_sample_is_refused(tmp_path: Path) -> None:
    files = [
        write(tmp_path / f"{name}.blow5", File(reads=[Written(samples=samples)]))
        for name, samples in (("a", [5, 6, 7]), ("b", [6, 5, 7]), ("c", [5, 6, 7]))
    ]
    with pytest.raises(DatasetError, match=r"other reads of .*a\.blow5"):
        require_same(files[0], files[1], report_to_nobody)
    require_same(files[0], files[2], report_to_nobody)
