"""Recognising, generating and converting signals."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import fuzzing
import numpy as np
import pytest
import signal_writing
from driving import open_job
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import DatasetError, Unavailable, UsageError, report_to_nobody
from core.measure import convert_dataset
from core.vocabulary import Dataset, registry
from workloads.signal import pod5_oracle, slow5_records_oracle
from workloads.signal.catalogue import catalogue, format_of
from workloads.signal.codec_oracle import svb_zd
from workloads.signal.reads import Undecodable
from workloads.signal.signal_parameters import BLUE_CRAB_DRIVER


def test_that_files_are_told_by_their_content_and_not_by_their_names(
    made: Callable[[str], Dataset], tmp_path: Path
) -> None:
    folder = made("signal").path
    for name, other, kind in (
        ("reads.pod5", "a.blow5", "pod5"),
        ("reads.zstd.blow5", "b.pod5", "blow5"),
        ("reads.none.blow5", "no-suffix", "blow5"),
    ):
        shutil.copy(folder / name, tmp_path / other)
        assert format_of(tmp_path / other) == kind
        assert registry.open_dataset(tmp_path / other).kind == kind
    assert registry.open_dataset(tmp_path).kind == "signal"


def test_that_a_folder_of_one_format_is_of_that_kind(
    made: Callable[[str], Dataset], tmp_path: Path
) -> None:
    folder = made("signal").path
    for name in ("x", "y"):
        (tmp_path / name).mkdir()
        shutil.copy(folder / "reads.pod5", tmp_path / name / f"{name}.pod5")
    (tmp_path / "notes.txt").write_text("of no format")
    found = registry.open_dataset(tmp_path)
    assert found.kind == "pod5"
    facts = registry.dataset_kind("pod5").facts(tmp_path)
    assert (facts["files"], facts["pod5 reads"]) == (2, 40)


UNLIKE = "BLOW5 and POD5 of the folder do not hold the same reads: do not compare them"


def test_that_the_formats_are_known_to_hold_the_same_reads(
    made: Callable[[str], Dataset], tmp_path: Path
) -> None:
    folder = made("signal").path
    kind = registry.dataset_kind("signal")
    assert kind.facts(folder)["same reads"] == "yes"
    other = tmp_path / "other"
    made_other = tmp_path / "made"
    made_other.mkdir()
    assert kind.shape is not None
    kind.make(kind.shape(reads=20, median_length=20, seed=2), made_other, report_to_nobody)
    other.mkdir()
    shutil.copy(folder / "reads.pod5", other)
    shutil.copy(made_other / "reads.zstd.blow5", other)
    assert kind.facts(other)["same reads"] == "no"
    for path, notes in ((folder, []), (other, [UNLIKE])):
        for reader in ("pod5-c-io", "blow5-c"):
            job = open_job("signal", path, reader=reader)
            told = [note for note in job.notes if "same reads" in note]
            job.close()
        assert told == notes  # the second says so


def test_that_lengths_are_log_normal_around_the_median(tmp_path: Path) -> None:
    kind = registry.dataset_kind("signal")
    assert kind.shape is not None
    try:
        kind.make(
            kind.shape(reads=600, median_length=1000, spread=0.5, variants=False),
            tmp_path,
            report_to_nobody,
        )
    except Unavailable as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(str(missing))
    reads = catalogue(
        tmp_path / "reads.pod5", 10**6, tmp_path.parent / "cache", report_to_nobody
    ).reads
    logarithms = np.log([read.length for read in reads])
    assert abs(np.median(logarithms) - np.log(1000)) < 0.1
    assert abs(logarithms.std() - 0.5) < 0.06
    assert len({read.read_id for read in reads}) == 600


@pytest.mark.parametrize("to", ["blow5", "blow5-zlib", "blow5-none"])
def test_that_what_is_converted_and_converted_back_is_the_same(
    made: Callable[[str], Dataset], tmp_path: Path, to: str
) -> None:
    folder = made("signal").path
    if not BLUE_CRAB_DRIVER.installed:
        pytest.skip("blue-crab is missing")
    there = convert_dataset(folder / "reads.pod5", to, tmp_path / "there")
    assert there.kind == "signal"
    assert registry.dataset_kind("signal").facts(there.path)["same reads"] == "yes"
    back = convert_dataset(there.path / "reads.blow5", "pod5", tmp_path / "back")
    found = {
        catalogue(file, 10**6, tmp_path / "cache", report_to_nobody).identity
        for file in (folder / "reads.pod5", back.path / "reads.pod5")
    }
    assert len(found) == 1
    with pytest.raises(UsageError, match="not empty"):
        convert_dataset(folder / "reads.pod5", to, tmp_path / "there")


def test_that_what_cannot_be_converted_is_refused(made: Callable[[str], Dataset]) -> None:
    with pytest.raises(UsageError, match="it can to: pod5"):
        convert_dataset(made("signal").path / "reads.zstd.blow5", "fast5")


@settings(max_examples=50, deadline=None)
@given(st.lists(st.integers(-(2**15), 2**15 - 1), min_size=1, max_size=50))
def test_that_svb_zd_is_decoded_as_its_specification_says(samples: list[int]) -> None:
    packed = signal_writing.svb_zd(np.array(samples, np.int16))
    assert svb_zd(packed).tolist() == samples
    with pytest.raises(Undecodable):
        svb_zd(packed[:-1])


@pytest.mark.fuzz
@pytest.mark.parametrize("name", ["reads.pod5", "reads.zstd.blow5", "reads.none.blow5"])
def test_that_every_cut_is_noticed_before_a_reader_sees_it(
    made: Callable[[str], Dataset], tmp_path: Path, name: str
) -> None:
    whole = (made("signal").path / name).read_bytes()
    drawn = np.random.default_rng(fuzzing.seed(5))
    for size in (*drawn.integers(20, len(whole), fuzzing.rounds(50)).tolist(), -1, -5):
        (tmp_path / name).write_bytes(whole[:size])
        with pytest.raises(DatasetError, match=r"cut off|damaged|lacks|ends within"):
            registry.open_dataset(tmp_path / name, ("blow5", "pod5"))


def test_that_a_record_that_vanished_before_the_end_marker_is_noticed(
    made: Callable[[str], Dataset], tmp_path: Path
) -> None:
    source = made("signal").path / "reads.zstd.blow5"
    data = source.read_bytes()
    last = list(slow5_records_oracle.records(source, 0))[-1]
    (tmp_path / "cut.blow5").write_bytes(data[: last.offset + 20] + slow5_records_oracle.END)
    with pytest.raises(DatasetError, match=r"cut off .*or damaged at byte"):
        list(slow5_records_oracle.records(tmp_path / "cut.blow5", 10**6))


def test_that_what_is_known_of_all_reads_serves_for_the_first_ones(
    made: Callable[[str], Dataset], tmp_path: Path
) -> None:
    path = made("signal").path / "reads.pod5"
    first = catalogue(path, 7, tmp_path / "one", report_to_nobody)
    every = catalogue(path, 10**6, tmp_path / "two", report_to_nobody)
    again = catalogue(path, 7, tmp_path / "two", report_to_nobody)
    assert (first.reads, first.places, first.total) == (again.reads, again.places, again.total)
    assert first.reads == every.reads[:7]
    assert len(list((tmp_path / "two" / "reads").glob("*-7.msgpack"))) == 0


def test_that_reads_of_pod5_beyond_the_wanted_ones_have_their_places_and_no_content(
    made: Callable[[str], Dataset],
) -> None:
    path = made("signal").path / "reads.pod5"
    every, first = (list(pod5_oracle.reads(path, most)) for most in (10**6, 7))
    assert [(one.batch, one.row) for one in first] == [(one.batch, one.row) for one in every]
    assert first[:7] == every[:7]
    assert {(one.read, one.bytes) for one in first[7:]} == {(None, 0)}


@pytest.mark.real_data("pod5-real")
def test_that_a_pair_that_others_converted_is_the_same_reads(
    real_data: Path, tmp_path: Path
) -> None:
    for name in ("raw/p2s/pod5/z/z1.pod5", "exp/p2s/pod5-output/z1.blow5"):
        (tmp_path / Path(name).name).symlink_to(real_data / "pod5-real" / name)
    assert registry.dataset_kind("signal").facts(tmp_path)["same reads"] == "yes"


@pytest.mark.real_data("blow5-real", "pod5-real", "signal-compat")
def test_that_the_oracle_reads_older_files_as_newer_ones(real_data: Path, tmp_path: Path) -> None:
    compat = real_data / "signal-compat"
    found = [
        catalogue(compat / f"pod5/compat/v{version}.pod5", 100, tmp_path, report_to_nobody)
        for version in range(4)
    ]
    assert len({tuple(one.reads) for one in found}) == 1
    blow5s = [
        catalogue(compat / f"slow5/compat/{version}.blow5", 100, tmp_path, report_to_nobody)
        for version in ("0.1.0", "0.2.0")
    ]
    assert {one.identity for one in (*found, *blow5s)} == {found[0].identity}


def test_that_identifiers_of_pod5_are_those_of_the_seed(
    made: Callable[[str], Dataset], tmp_path: Path
) -> None:
    marker, name = pod5_oracle.identifiers(made("signal").path / "reads.pod5")
    data = (made("signal").path / "reads.pod5").read_bytes()
    assert data.count(marker) >= 4
    assert data.count(name) >= 4
