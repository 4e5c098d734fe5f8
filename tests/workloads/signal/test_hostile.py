"""Damaged files: every trial on one ends clearly, within its time, and never as if all were well.

SLUICE_DAMAGES is how many flips of each format are tried, with every reader in turn.
"""

import os
from collections.abc import Callable
from pathlib import Path

import fuzzing
import pytest
from one_trial import one_trial
from patience import PATIENCE
from signal_pairs import BY_ZSTD

from core.catalog.dataset import Dataset
from core.catalog.local_datasets import find_dataset
from core.errors import DatasetError
from core.plan.specify import specify
from core.result.outcome import Completed, Crashed, Failed, describe
from core.result.result import Trial
from workloads.signal import blow5, pod5file
from workloads.signal.signal_datasets import format_of
from workloads.signal.signal_workload import format_read_by

FLIPS = int(os.environ.get("SLUICE_DAMAGES", fuzzing.rounds(7)))
READERS = {
    "blow5": ("blow5-c", "blow5-pool", "blow5-python"),
    "pod5": ("pod5-io", "pod5-mmap", "pod5-c-io", "pod5-c-mmap"),
}


def measured(path: Path, reader: str) -> Trial | DatasetError:
    """The trial of one pass, or why there is no dataset."""
    try:
        dataset = find_dataset("signal", path)
    except DatasetError as refusal:
        return refusal
    load = {"duration": 0.0, "warm_up": 0.0, "stall": PATIENCE, "deadline": 2 * PATIENCE}
    spec = specify("signal", dataset, {"reader": reader, "batch_size": 5} | load)
    return one_trial(spec)


def told(ended: Trial | DatasetError) -> str:
    """In a word how it ended; fails for an ending that is not clear."""
    if isinstance(ended, DatasetError):
        assert ended.cause
        return "refused"
    match ended.outcome:
        case Completed():
            if ended.valid:
                return "completed"
            assert ended.complaints
            return "wrong data" if ended.wrong else "errors"
        case Failed(error=error):
            known = {"DatasetError", "DamagedDataset", "Slow5Error", "Pod5Error", "RuntimeError"}
            assert error in known, ended
            return "failed"
        case Crashed() as crash:
            return describe(crash)
    raise AssertionError(f"not a clear ending: {ended.outcome}")


@pytest.mark.fuzz
@pytest.mark.slow
@pytest.mark.parametrize("name", ["reads.pod5", "reads.zstd.blow5"])
def test_that_a_flipped_byte_ends_clearly(
    made: Callable[[str], Dataset], tmp_path: Path, name: str
) -> None:
    data = (made("signal").path / name).read_bytes()
    drawn = fuzzing.drawn(3)
    endings: dict[str, int] = {}
    for number in range(FLIPS):
        place = drawn.randrange(len(data))
        damaged = bytearray(data)
        damaged[place] ^= 1 << drawn.randrange(8)
        path = tmp_path / name
        path.write_bytes(damaged)
        readers = READERS["pod5"] if name.endswith("pod5") else (*READERS["blow5"], *BY_ZSTD)
        ended = told(measured(path, readers[number % len(readers)]))
        endings[ended] = endings.get(ended, 0) + 1
    print(name, endings)
    assert sum(endings.values()) == FLIPS


REFUSED = (
    "blow5-real/err/no_eof.blow5",
    "blow5-real/err/one_fast5/invalid_extension.slow5",
    "blow5-real/err/version_too_large.slow5",
    "pod5-real/raw/p2s/err_pod5/empty_pod5.pod5",
    "pod5-real/raw/p2s/err_pod5/not_a_pod5.pod5",
)


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.real_data("blow5-real", "pod5-real")
def test_that_hostile_real_files_are_refused_with_the_reason(
    real_data: Path, made: Callable[[str], Dataset], name: str
) -> None:
    made("signal")
    with pytest.raises(DatasetError) as refused:
        look_through(real_data / name)
    assert name.rsplit("/", 1)[-1] in str(refused.value)


def look_through(path: Path) -> None:
    """Recognise it, then look at every record."""
    find_dataset("signal", path)
    if format_of(path) == "blow5":
        list(blow5.records(path, 10**6))
    else:
        list(pod5file.reads(path, 10**6))


HOSTILE = (
    "blow5-real/err/parse_bad.slow5",
    "blow5-real/err/one_fast5/invalid_extension.slow",
    *(
        f"pod5-real/raw/p2s/err_pod5/{name}.pod5"
        for name in (
            "aux_field_wrong_type",
            "missing_primary_field",
            "newline_in_attrib",
            "newline_in_field",
            "primary_field_wrong_type",
            "tab_in_attrib",
            "tab_in_field",
            "z2",
        )
    ),
)


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.real_data("blow5-real", "pod5-real")
def test_that_hostile_real_files_end_clearly_with_every_reader(
    real_data: Path, made: Callable[[str], Dataset], name: str
) -> None:
    made("signal")
    path = real_data / name
    endings = {reader: told(measured(path, reader)) for reader in READERS[format_of(path)]}
    print(name, endings)
    assert all(format_read_by(reader) == format_of(path) for reader in endings)
