"""Makes signals: noisy steps, like those of a strand in a pore, and pairs of the user's own reads.

The POD5 library draws identifiers at random, so they are replaced afterwards: the same shape gives
the same bytes.  A pair is converted from the other format by blue-crab, and every read is checked.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from uuid import UUID

from core import (
    DatasetError,
    Program,
    ReportProgress,
    SluiceError,
    flag,
    integer,
    real,
    run_program,
    tr,
)
from workloads.shared.datasets import usual_sum
from workloads.signal import slow5_records_oracle
from workloads.signal.catalogue import EVERY, POD5, catalogue, format_of
from workloads.signal.pod5_oracle import identifiers
from workloads.signal.signal_parameters import BLUE_CRAB_DRIVER, POD5_DRIVER, PYSLOW5_DRIVER

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


_PACKED = 0.83  # bytes of a sample that is compressed, in each format
_FIELDS = 150  # bytes of a read's other fields


@dataclass(frozen=True, kw_only=True)
class SignalShape:
    """The same reads as BLOW5 and POD5."""

    reads: int = integer(4000, low=1, high=10_000_000, scale="log10", help="Reads in each file.")
    median_length: int = integer(
        14_000,
        low=1,
        high=10_000_000,
        scale="log10",
        unit="samples",
        help="Median length of a read; lengths are log-normal.",
    )
    spread: float = real(
        0.5,
        low=0,
        high=3,
        help="Standard deviation of the logarithm of the lengths; 0 makes all equally long.",
    )
    variants: bool = flag(
        True, help="Write BLOW5 with zlib and without compression too, not with zstd alone."
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of all signals and names.")

    @property
    def room(self) -> int:
        samples = usual_sum(self.reads, self.median_length, self.spread)
        files = 4 if self.variants else 2
        each = 3 * _PACKED + 2 if self.variants else 2 * _PACKED
        return round(each * samples + files * _FIELDS * self.reads)


_LONGEST = 50_000_000
_DWELL = 9.0  # samples that a step lasts on average, as at 450 bases and 4000 samples a second
_NOISE = 6.0
_LEVELS, _MIDDLE = 90.0, 460.0
_RATE = 5000
_DIGITISATION, _RANGE, _OFFSET = 8192, 1437.5, -240.0
_STARTED = datetime(2024, 1, 1, tzinfo=UTC)
_RUN = {
    "run_id": "5f0c8e3a7d1b46e2a9c4d8f7b3e6a1c0d2f4b5e7",
    "experiment_name": "generated",
    "flow_cell_id": "PAK00001",
    "sequencer_position": "1A",
    "acquisition_start_time": "2024-01-01T00:00:00Z",
}
_PRESSES = {"zstd": "svb-zd", "zlib": "svb-zd", "none": "none"}
_TOGETHER = 500  # reads that are written at once
_PORE = "not_set"


@dataclass(frozen=True)
class _Made:
    read_id: UUID
    number: int
    channel: int
    mux: int
    start: int
    samples: NDArray[np.int16]


def make_folder(shape: SignalShape, folder: Path, report: ReportProgress) -> None:
    """`reads.pod5` and one BLOW5 file per compression, with the same reads in the same order."""
    POD5_DRIVER.require()
    PYSLOW5_DRIVER.require()
    presses = list(_PRESSES) if shape.variants else ["zstd"]
    with _Pod5(folder / "reads.pod5", shape.seed) as pod5:
        blow5 = [_Blow5(folder / f"reads.{press}.blow5", press) for press in presses]
        for number, reads in enumerate(_batches(shape)):
            pod5.add(reads)
            for writer in blow5:
                writer.add(reads)
            done = min((number + 1) * _TOGETHER, shape.reads)
            report("writing signals", done, shape.reads, "read")
        for writer in blow5:
            writer.file.close()


def _batches(shape: SignalShape) -> Iterator[list[_Made]]:
    import numpy as np

    drawn = np.random.Generator(np.random.PCG64(shape.seed))
    for first in range(0, shape.reads, _TOGETHER):
        yield [_read(n, shape, drawn) for n in range(first, min(first + _TOGETHER, shape.reads))]


def _read(number: int, shape: SignalShape, drawn: np.random.Generator) -> _Made:
    import numpy as np

    length = round(float(drawn.lognormal(np.log(shape.median_length), shape.spread)))
    length = min(max(length, 1), _LONGEST)
    steps = drawn.geometric(1 / _DWELL, size=int(length / _DWELL * 1.5) + 20)
    while steps.sum() < length:
        steps = np.concatenate((steps, drawn.geometric(1 / _DWELL, size=len(steps))))
    levels = np.repeat(drawn.normal(_MIDDLE, _LEVELS, len(steps)), steps)[:length]
    noisy = levels + drawn.normal(0, _NOISE, length)
    return _Made(
        read_id=UUID(bytes=drawn.bytes(16), version=4),
        number=number + 1,
        channel=int(drawn.integers(1, 3001)),
        mux=int(drawn.integers(1, 5)),
        start=number * 1000,
        samples=np.clip(np.rint(noisy), -32768, 32767).astype(np.int16),
    )


class _Blow5:
    """A BLOW5 file while it is written, by pyslow5."""

    def __init__(self, path: Path, press: str) -> None:
        import pyslow5

        self.file = pyslow5.Open(str(path), "w", rec_press=press, sig_press=_PRESSES[press])
        header = self.file.get_empty_header()
        # pyslow5 refuses what has no value.
        if self.file.write_header({name: _RUN.get(name, ".") for name in header} | _RUN):
            raise OSError(f"{path} could not be written")

    def add(self, reads: list[_Made]) -> None:
        records: dict[str, Any] = {}
        fields: dict[str, Any] = {}
        for read in reads:
            name = str(read.read_id)
            records[name] = {
                "read_id": name,
                "read_group": 0,
                "digitisation": float(_DIGITISATION),
                "offset": _OFFSET,
                "range": _RANGE,
                "sampling_rate": float(_RATE),
                "len_raw_signal": len(read.samples),
                "signal": read.samples,
            }
            fields[name] = {
                "channel_number": str(read.channel),
                "median_before": 220.0,
                "read_number": read.number,
                "start_mux": read.mux,
                "start_time": read.start,
            }
        settings = {"threads": os.cpu_count() or 1, "batchsize": len(reads)}
        if self.file.write_record_batch(records, aux=fields, **settings):
            raise OSError("the reads could not be written")


class _Pod5:
    """A POD5 file while it is written, by pod5."""

    def __init__(self, path: Path, seed: int) -> None:
        import pod5

        self._path, self._seed = path, seed
        self._pod5 = pod5
        self._file = pod5.Writer(path, software_name="Sluice")
        self._run = pod5.RunInfo(
            acquisition_id=_RUN["run_id"],
            acquisition_start_time=_STARTED,
            adc_max=_DIGITISATION - 1,
            adc_min=0,
            context_tags={"sample_frequency": str(_RATE)},
            experiment_name=_RUN["experiment_name"],
            flow_cell_id=_RUN["flow_cell_id"],
            flow_cell_product_code="FLO-PRO114M",
            protocol_name="generated",
            protocol_run_id="generated",
            protocol_start_time=_STARTED,
            sample_id="generated",
            sample_rate=_RATE,
            sequencing_kit="sqk-lsk114",
            sequencer_position=_RUN["sequencer_position"],
            sequencer_position_type="promethion",
            software="Sluice",
            system_name="generated",
            system_type="generated",
            tracking_id={"run_id": _RUN["run_id"]},
        )

    def __enter__(self) -> _Pod5:
        return self

    def __exit__(self, *raised: object) -> None:
        self._file.close()
        if raised[0] is None:
            _put_identifiers(self._path, self._seed)

    def add(self, reads: list[_Made]) -> None:
        pod5 = self._pod5
        self._file.add_reads(
            [
                pod5.Read(
                    read_id=read.read_id,
                    pore=pod5.Pore(channel=read.channel, well=read.mux, pore_type=_PORE),
                    calibration=pod5.Calibration(offset=_OFFSET, scale=_RANGE / _DIGITISATION),
                    read_number=read.number,
                    start_sample=read.start,
                    median_before=220.0,
                    end_reason=pod5.EndReason(pod5.EndReasonEnum.SIGNAL_POSITIVE, False),
                    run_info=self._run,
                    signal=read.samples,
                )
                for read in reads
            ]
        )


def _put_identifiers(path: Path, seed: int) -> None:
    """Replace the random identifiers by seeded ones: section marker, file identifier."""
    marker, name = identifiers(path)
    seeded = hashlib.blake2b(f"{seed}".encode(), digest_size=16).digest()
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as data:
        for old, new in ((marker, seeded), (name, str(UUID(bytes=seeded, version=4)).encode())):
            at = data.find(old)
            while at >= 0:
                data[at : at + len(new)] = new
                at = data.find(old, at + len(new))


_TO_BLOW5: Mapping[str, Sequence[str]] = {
    "blow5": ("-c", "zstd", "-s", "svb-zd"),
    "blow5-zlib": ("-c", "zlib", "-s", "svb-zd"),
    "blow5-none": ("-c", "none", "-s", "none"),
}
_START = "from blue_crab.blue_crab import main; main()"


def convert(files: Sequence[Path], to: str, folder: Path, report: ReportProgress) -> None:
    """Convert each file into a folder, beside links to the originals: pairs of the same reads.

    Raises DatasetError where a converted file holds other reads than its source.
    """
    BLUE_CRAB_DRIVER.require()
    for number, file in enumerate(files):
        report("converting", number, len(files), "file")
        name = f"{number + 1:05}-{file.stem}" if len(files) > 1 else file.stem
        suffix = ".pod5" if format_of(file) == POD5 else slow5_records_oracle.suffix_of(file)
        source = folder / f"{name}{suffix}"
        source.symlink_to(file.resolve())
        made = folder / f"{name}{'.pod5' if to == POD5 else '.blow5'}"
        _run(source, made, to)
        require_same(file, made, report)


def _run(source: Path, made: Path, to: str) -> None:
    what = ["s2p"] if to == POD5 else ["p2s", *_TO_BLOW5[to], "-t", "2"]
    command = [sys.executable, "-c", _START, *what, "-p", "1", str(source), "-o", str(made)]
    done = run_program(Program(arguments=command))
    if not done.well or not made.exists():
        raise _refusal(source, f"{done.output}\n{done.complaints}")


def _refusals(file: Path) -> Iterator[tuple[str, str, str]]:
    """What blue-crab says, why that is, and what to do."""
    as_it_is = tr("measure it as it is")
    yield (
        "More than 1 read_group",
        tr("it has reads of several runs"),
        tr(
            "split it: pod5 view {file} --include read_id,run_id -o runs.tsv && "
            "pod5 subset {file} --table runs.tsv --columns run_id -o runs",
            file=file,
        ),
    )
    yield (
        r"KeyError - '\w+'",
        tr("its reads lack auxiliary fields that POD5 must have, such as channel_number"),
        tr("make it anew from its source, with these fields"),
    )
    yield "hexadecimal UUID", tr("its read ids are no UUIDs, as those of POD5 must be"), as_it_is
    yield "expected to be 'not_set'", tr("blue-crab does not know its type of pore"), as_it_is
    yield (
        "sampling_rate: 0 user primary field",
        tr("its header lacks sample_frequency among the context tags"),
        as_it_is,
    )


def _refusal(source: Path, said: str) -> SluiceError:
    for words, why, remedy in _refusals(source.resolve()):
        if re.search(words, said):
            cause = tr("{name} cannot be converted: {why}", name=source.name, why=why)
            return SluiceError(cause, remedy)
    complaints = [line for line in said.splitlines() if "ERROR" in line and "exiting" not in line]
    cause = " ".join(line.partition("ERROR")[2].strip("]: ") for line in complaints[-2:])
    why = cause or tr("it did not say why")
    return SluiceError(tr("blue-crab could not convert {name}: {why}", name=source.name, why=why))


def require_same(file: Path, made: Path, report: ReportProgress) -> None:
    """Raise DatasetError where a converted file holds other reads than its source."""
    with TemporaryDirectory(prefix="sluice-") as work:
        ours, theirs = (catalogue(one, EVERY, Path(work), report) for one in (file, made))
    if ours.identity != theirs.identity:
        raise DatasetError(f"blue-crab made other reads of {file}: ids, lengths or samples differ")
