"""Converts from one format to the other by blue-crab, and checks every read."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from core import DatasetError, Program, SluiceError, Tell, run_program, tr
from workloads.signal.catalogue import catalogue
from workloads.signal.signal_parameters import BLUE_CRAB_DRIVER
from workloads.signal.signal_sniffing import POD5, format_of

_EVERY = 10**12
_TO_BLOW5: Mapping[str, Sequence[str]] = {
    "blow5": ("-c", "zstd", "-s", "svb-zd"),
    "blow5-zlib": ("-c", "zlib", "-s", "svb-zd"),
    "blow5-none": ("-c", "none", "-s", "none"),
}
_START = "from blue_crab.blue_crab import main; main()"


def convert(files: Sequence[Path], to: str, folder: Path, tell: Tell) -> None:
    """Convert each file into a folder, beside links to the originals: pairs of the same reads.

    Raises DatasetError where a converted file holds other reads than its source.
    """
    BLUE_CRAB_DRIVER.require()
    for number, file in enumerate(files):
        tell("converting", number, len(files), "file")
        name = f"{number + 1:05}-{file.stem}" if len(files) > 1 else file.stem
        suffix = ".pod5" if to == POD5 else ".blow5"
        source = folder / f"{name}{'.pod5' if format_of(file) == POD5 else _suffix(file)}"
        source.symlink_to(file.resolve())
        made = folder / f"{name}{suffix}"
        _run(source, made, to)
        require_same(file, made, tell)


def _suffix(file: Path) -> str:
    with file.open("rb") as opened:
        return ".slow5" if opened.read(1) == b"#" else ".blow5"


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
            told = tr("{name} cannot be converted: {why}", name=source.name, why=why)
            return SluiceError(told, remedy)
    complaints = [line for line in said.splitlines() if "ERROR" in line and "exiting" not in line]
    told = " ".join(line.partition("ERROR")[2].strip("]: ") for line in complaints[-2:])
    return SluiceError(
        tr(
            "blue-crab could not convert {name}: {why}",
            name=source.name,
            why=told or tr("it did not say why"),
        )
    )


def require_same(file: Path, made: Path, tell: Tell) -> None:
    """Raise DatasetError where a converted file holds other reads than its source."""
    with TemporaryDirectory(prefix="sluice-") as work:
        ours, theirs = (catalogue(one, _EVERY, Path(work), tell) for one in (file, made))
    if ours.identity != theirs.identity:
        raise DatasetError(f"blue-crab made other reads of {file}: ids, lengths or samples differ")
