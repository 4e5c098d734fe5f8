"""Reads what a run of a workflow was, whichever manager recorded it."""

from __future__ import annotations

from pathlib import Path

from core.workflow.nextflow_run import nextflow_run
from core.workflow.recorded import Recorded
from core.workflow.snakemake_run import snakemake_run


def recorded_run(path: Path) -> Recorded:
    """The run that a Snakefile, a work folder or a trace of Nextflow is of.

    Raises UsageError.
    """
    if path.is_dir() or path.suffix in {".txt", ".tsv"}:
        return nextflow_run(path)
    return snakemake_run(path)
