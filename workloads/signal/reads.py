"""One read: the fields that every reader must return alike, and errors for bytes that hold none."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from core import DamagedDataset, DatasetError, tr

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


ODD = (ArithmeticError, ValueError, LookupError, TypeError)
"""What decoding raises for numbers and types that the specification does not have."""


class Undecodable(Exception):
    """The bytes are not what their format says."""


class Unknown(Exception):
    """The bytes are in a newer form than is known here, and so no damage."""


def unknown(path: Path, form: object) -> DatasetError:
    """The error for a file that only newer programs, or others, read."""
    return DatasetError(
        tr("{path} has {form}, which is not known here", path=path, form=form),
        tr("convert it: slow5tools view -c zstd -s svb-zd FILE -o NEW.blow5"),
    )


def damaged(path: Path, how: str, remedy: str = "") -> DamagedDataset:
    """The error for a file that is not as it was written."""
    return DamagedDataset(f"{path} {how}", remedy or tr("fetch or write it again"))


_CHANNEL = re.compile("[0-9]{1,18}", re.ASCII)
"""No sequencer has more; a number without end would fit into no column of 64 bits."""
NONE = "."
"""Stands for a text that a file does not have, as in the published programs."""


type Sums = Mapping[tuple[int, int], int]
"""Sums of samples by their number and CRC-32."""


class Read(NamedTuple):
    """The 15 fields of the publication and a digest; `None` is a number that a file lacks."""

    read_id: str
    scale: float
    """Picoampere for each step."""
    offset: float
    """Steps."""
    sampling_rate: float
    length: int
    sum: int
    """Sum of all samples, as in the publication: the same in any order."""
    crc: int
    """CRC-32 of the samples, 16 bits each: differs where they are swapped, reversed or changed."""
    channel: int | None
    read_number: int | None
    mux: int | None
    start: int | None
    run_id: str
    experiment: str
    flowcell: str
    position: str
    start_time: str


AUXILIARY = ("channel_number", "read_number", "start_mux", "start_time")
"""Auxiliary fields of BLOW5 that every reader must return, where a file has them."""
RUN = ("run_id", "experiment_name", "flow_cell_id", "sequencer_position", "acquisition_start_time")
"""Attributes of a BLOW5 read group that the last five fields are."""


_NONE_KNOWN: Sums = {}


def sample_facts(samples: NDArray[np.int16], sums: Sums = _NONE_KNOWN) -> tuple[int, int, int]:
    """Length, sum and CRC-32 of samples.

    As many samples with the same CRC-32 have the same sum: what is in `sums` is not added up again,
    which takes longer than the CRC.
    """
    import numpy as np

    plain = np.ascontiguousarray(samples, "<i2")
    length, crc = len(plain), zlib.crc32(plain)
    number = sums.get((length, crc))
    return length, int(plain.sum(dtype=np.int64)) if number is None else number, crc


def scale_of(span: float, digitisation: float) -> float:
    """Picoampere for each step, by floating-point division: also by the 0 of a file without one."""
    if digitisation:
        return span / digitisation
    if not span or math.isnan(span):
        return math.nan
    return math.copysign(math.inf, span) * math.copysign(1.0, digitisation)


def differing(expected: Read, got: Read) -> list[str]:
    """Names of the fields that differ; two NaN count as equal."""
    if expected == got:
        return []
    pairs = zip(Read._fields, expected, got, strict=True)
    return [name for name, a, b in pairs if a != b and (a == a or b == b)]


type Run = tuple[str, str, str, str, str]


def blow5_read(
    read_id: str,
    calibration: Sequence[float],
    facts: tuple[int, int, int],
    field: Callable[[str], Any],
    run: Run,
) -> Read:
    """The read of a BLOW5 record.

    `calibration`: digitisation, offset, range and sampling rate; `facts`: of `sample_facts`;
    `field` gives auxiliary fields.
    """
    digitisation, offset, span, rate = calibration
    channel, number, mux, start = map(field, AUXILIARY)
    if isinstance(channel, str):  # as BLOW5 usually stores it
        channel = int(channel) if _CHANNEL.fullmatch(channel) else None
    return Read(
        read_id,
        scale_of(span, digitisation),
        offset,
        rate,
        *facts,
        channel,
        number,
        mux,
        start,
        *run,
    )


def run_texts(attributes: Mapping[str, str | None]) -> Run:
    """The last five fields from the attributes of a BLOW5 read group."""
    run, experiment, flowcell, position, start = (attributes.get(name) or NONE for name in RUN)
    return run, experiment, flowcell, position, start


def started(moment: datetime) -> str:
    """The start of a run as in POD5: milliseconds since 1970, without rounding to a float."""
    return str((moment - datetime.fromtimestamp(0, UTC)) // timedelta(milliseconds=1))
