"""What is known of one read: the fields that every reader must deliver alike."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

NONE = "."
"""Stands for a text that a file does not have, as in the published programs."""


class Read(NamedTuple):
    """The 15 fields of the publication; `None` stands for a number that a file does not have."""

    read_id: str
    scale: float
    """Picoampere for each step."""
    offset: float
    """Steps."""
    sampling_rate: float
    length: int
    sum: int
    """Of all samples; all others of its bits would do, but this one is cheap in every language."""
    channel: int | None
    read_number: int | None
    mux: int | None
    start: int | None
    run_id: str
    experiment: str
    flowcell: str
    position: str
    start_time: str


RUN = ("run_id", "experiment_name", "flow_cell_id", "sequencer_position", "acquisition_start_time")
"""Attributes of a BLOW5 read group that the last five fields are."""


def run_texts(attributes: Mapping[str, str | None]) -> tuple[str, str, str, str, str]:
    """The last five fields from the attributes of a BLOW5 read group."""
    run, experiment, flowcell, position, start = (attributes.get(name) or NONE for name in RUN)
    return run, experiment, flowcell, position, start


def started(moment: datetime) -> str:
    """The start of a run as POD5 keeps it, in milliseconds since 1970, without a float's rounding."""
    return str((moment - datetime.fromtimestamp(0, UTC)) // timedelta(milliseconds=1))


def channel_of(text: str | None) -> int | None:
    """A channel's number, which BLOW5 keeps as text."""
    return int(text) if text and text.isdecimal() else None
