"""Damaged files: every trial ends clearly and in time, and none as if all were well.

No reader is accused wrongly, and none completes on what others read otherwise: the judge is a
decoder that shares nothing with the oracle.  SLUICE_DAMAGES is how many flips of each format are
tried, SLUICE_MUTATIONS how many mutations of each family, with every reader of its format, and
SLUICE_MUTATIONS_FROM the first seed.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from zlib import crc32

import fuzzing
import numpy as np
import pytest
from one_trial import one_pass
from signal_decoding import DECODERS
from signal_mutating import FAMILIES, mutation, signals
from signal_pairs import BY_ZSTD, look_through

from core.language import DatasetError
from core.measure import find_dataset
from core.vocabulary import Completed, Crashed, Dataset, Failed, Trial, describe
from workloads.signal.catalogue import format_of
from workloads.signal.signal_datasets import press_of
from workloads.signal.signal_workload import format_read_by

FLIPS = int(os.environ.get("SLUICE_DAMAGES", fuzzing.rounds(7)))
MUTATIONS = int(os.environ.get("SLUICE_MUTATIONS", "5"))
FIRST = int(os.environ.get("SLUICE_MUTATIONS_FROM", "0"))
READERS = {
    "blow5": ("blow5-c", "blow5-pool", "blow5-python"),
    "pod5": ("pod5-io", "pod5-mmap", "pod5-c-io", "pod5-c-mmap"),
}
HERE = Path(__file__).parent


@dataclass
class Judge:
    """A process that is asked about files, and replaced where one of them has ended it."""

    cache: Path
    process: subprocess.Popen[str] | None = None

    def ask(self, what: str, path: Path) -> dict[str, Any]:
        """What came of it; `died` where the process did."""
        if self.process is None:
            self.process = self._started()
        process = self.process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{what}\t{path}\n")
        process.stdin.flush()
        answer = process.stdout.readline()
        if answer:
            found: dict[str, Any] = json.loads(answer)
            return found
        self.process = None
        process.stdin.close()
        process.stdout.close()
        return {"died": process.wait()}

    def _started(self) -> subprocess.Popen[str]:
        paths = (HERE, *HERE.parents[1:3])
        return subprocess.Popen(
            [sys.executable, str(HERE / "judging.py")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ
            | {"PYTHONPATH": os.pathsep.join(map(str, paths)), "SLUICE_CACHE": str(self.cache)},
        )

    def close(self) -> None:
        if self.process is not None:
            self.process.communicate()


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Judge]:
    found = Judge(tmp_path / "judge")
    yield found
    found.close()


@dataclass
class Tally:
    """How mutations ended, and those that ended as they must not."""

    endings: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, ending: str, fault: str = "") -> None:
        self.endings[ending] += 1
        if fault:
            self.faults.append(fault)


def without_digest(reads: list[list[Any]]) -> list[list[Any]]:
    """Reads without what only one side has: SHA-256 or CRC-32 of the samples."""
    return [[*read[:5], *read[6:]] for read in reads]


def consider(judge: Judge, path: Path, seed: int, name: str, tally: Tally) -> None:
    """Hold oracle and readers against the decoders on one mutated file, in order or by ids."""
    form = "pod5" if path.suffix == ".pod5" else "blow5"
    decoded = [judge.ask(decode.__name__, path) for decode in DECODERS[form]]
    known = [one["reads"] for one in decoded if "reads" in one]
    oracle = judge.ask("oracle", path)
    if "refused" in oracle:
        tally.add("refused though a decoder reads it" if known else "refused")
        if path.name not in oracle["refused"]:
            tally.faults.append(f"{name}: the refusal does not name the file: {oracle}")
        return
    if "reads" not in oracle:
        tally.add("the oracle died", f"{name}: the oracle died: {oracle}")
        return
    ours = without_digest(oracle["reads"])
    if any(without_digest(one) != ours for one in known):
        tally.faults.append(f"{name}: a decoder reads other than the oracle: {decoded} {oracle}")
    access = "random" if seed % 2 else "sequential"
    readers = READERS[form]
    if form == "blow5" and press_of(path) == "zstd":
        readers += BY_ZSTD
    for reader in readers:
        ending, fault = judged(judge.ask(f"{reader} {access}", path), known, path)
        tally.add(ending, f"{name}, {reader} {access}: {fault}" if fault else "")


def judged(found: dict[str, Any], known: list[list[list[Any]]], path: Path) -> tuple[str, str]:
    """How a reader ended on a file that the oracle takes, and what is wrong with that."""
    known = [sorted(reads, key=str) for reads in known]
    found["reads"] = sorted(found.get("reads", []), key=str)
    if "refused" in found:
        ending, right = "not to be read by ids", "more than once" in found["refused"]
    elif "unopened" in found:  # in the reader's own words
        ending, right = "not opened by the reader", path.name in found["unopened"]
    elif "raised" in found:
        ending, right = "raised by the job", False
    elif "died" in found:
        ending, right = "the reader died", bool(known)
    elif found["complaints"]:
        ending, right = "wrong data", bool(known) and found["reads"] not in known
    elif found["errors"]:
        ending, right = "errors", bool(known) and all(path.name in one for one in found["items"])
    else:
        ending, right = "completed", known != [] and all(one == found["reads"] for one in known)
    return ending, "" if right else f"{ending}, which is not right: {found}, {known}"


@pytest.mark.slow
@pytest.mark.parametrize("family", FAMILIES)
def test_that_no_reader_is_accused_wrongly_and_none_completes_on_other_reads(
    made: Callable[[str], Dataset], judge: Judge, tmp_path: Path, family: str
) -> None:
    made("signal")  # skips where the drivers are missing
    path = tmp_path / family
    FAMILIES[family](path)
    data = path.read_bytes()
    tally = Tally()
    for seed in (0, 1):
        consider(judge, path, seed, "unharmed", tally)
    assert not tally.faults
    assert tally.endings.keys() == {"completed"}
    for seed in range(FIRST, FIRST + MUTATIONS):
        damage, damaged = mutation(family, data, seed)
        path.write_bytes(damaged)
        consider(judge, path, seed, f"{family} {seed} ({damage})", tally)
    print(family, dict(tally.endings))
    assert not tally.faults, "\n".join(tally.faults[:20])


def test_that_the_oracle_counts_samples_as_zlib_does(
    made: Callable[[str], Dataset], judge: Judge, tmp_path: Path
) -> None:
    made("signal")
    path = tmp_path / "zstd.blow5"
    FAMILIES["zstd.blow5"](path)

    expected = [crc32(np.array(samples, "<i2").tobytes()) for samples in signals(1)]
    assert [read[5] for read in judge.ask("oracle", path)["reads"]] == expected


def measured(path: Path, reader: str) -> Trial | DatasetError:
    """The trial of one pass, or why there is no dataset."""
    try:
        dataset = find_dataset("signal", path)
    except DatasetError as refusal:
        return refusal
    return one_pass("signal", dataset, reader=reader, batch_size=5)


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
