"""What a run of a workflow was: its steps, as Snakemake or Nextflow recorded them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from pathlib import Path

import msgspec


class Step(msgspec.Struct, frozen=True, kw_only=True):
    """One job of the run."""

    name: str
    """Its rule or process."""
    command: str
    """As the shell ran it; empty where there is none."""
    threads: int
    """Granted."""
    memory: int = 0
    """Bytes granted; 0 = the workflow does not say."""
    inputs: tuple[Path, ...] = ()
    outputs: tuple[Path, ...] = ()
    folder: Path
    """Where the command ran."""
    started: float = 0.0
    """Seconds of the epoch; 0 = the run was not recorded."""
    ended: float = 0.0
    cpu: float | None = None
    """CPU seconds."""
    peak: int | None = None
    """Bytes of memory."""
    after: tuple[int, ...] = ()
    """Indices of the steps that it waits for."""
    template: str = ""
    """The command with `{threads}` for the number; empty where it is not known which number it is.
    All else is as in `command`: braces are not doubled."""
    reason: str = ""
    """Why there is no template, as a user reads it."""


class Recorded(msgspec.Struct, frozen=True, kw_only=True):
    """A recorded run."""

    manager: str
    """`snakemake` or `nextflow`."""
    source: Path
    """What the run was read from."""
    steps: tuple[Step, ...]
    cores: int
    """How many cores the manager had for all steps at once, as far as the record shows."""


def cores_of(steps: Sequence[Step]) -> int:
    """The most that steps had at once: managers do not record how many there were."""
    changes = [(step.ended, -step.threads) for step in steps if step.ended]
    changes += [(step.started, step.threads) for step in steps if step.ended]
    return max(accumulate(change for _, change in sorted(changes)), default=1)
